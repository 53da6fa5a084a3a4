/*
 * start.c - where an RPC starts when no API listener is asked for: at a route
 *           configuration, as if an API listener led to it.
 *
 * Source: gRFC A27; what is assumed is reported as a note.
 */
#include "explain/explain.h"

enum { MAX_OFFERS = 4 };

struct xds_slice xds_start_name(const struct xds_listener *listener)
{
    if (listener->rds_name.data)
        return listener->rds_name;
    return listener->route_config && listener->route_config->name.len > 0
               ? listener->route_config->name
               : listener->name;
}

void xds_each_start(const struct xds_snapshot *snapshot, xds_start_fn *use, void *user)
{
    const struct xds_snapshot_entry *e = snapshot->first[XDS_TYPE_LISTENER];

    for (; e; e = e->next) {
        const struct xds_listener *listener = e->model;

        if (!listener || xds_snapshot_find(snapshot, XDS_TYPE_LISTENER, e->name) != e)
            continue;
        if (listener->is_api_listener &&
            !use(user, &(struct xds_start){xds_start_name(listener), listener, false}))
            return;
        for (size_t i = 0; i < listener->n_chains; i++)
            if (!use(user, &(struct xds_start){xds_start_name(&listener->chains[i]),
                                               &listener->chains[i], true}))
                return;
    }
    for (e = snapshot->first[XDS_TYPE_ROUTE]; e; e = e->next)
        if (xds_snapshot_find(snapshot, XDS_TYPE_ROUTE, e->name) == e &&
            !use(user, &(struct xds_start){e->name, NULL, false}))
            return;
}

struct search {
    struct xds_slice name;
    struct xds_start found;
    bool is_found;
};

/* An API listener rather than a filter chain, that rather than none. */
static bool look(void *user, const struct xds_start *start)
{
    struct search *search = user;

    if (!xds_slice_eq(start->name, search->name))
        return true;
    if (!search->is_found || (start->by && !start->is_server && search->found.is_server))
        search->found = *start;
    search->is_found = true;
    return true;
}

struct offers {
    struct xds_start list[MAX_OFFERS];
    size_t n;
    bool more; /* than these */
};

static bool collect(void *user, const struct xds_start *start)
{
    struct offers *offers = user;

    for (size_t i = 0; i < offers->n; i++)
        if (xds_slice_eq(offers->list[i].name, start->name))
            return true;
    if (start->name.len == 0)
        return true;
    offers->more = offers->n == MAX_OFFERS;
    if (!offers->more)
        offers->list[offers->n++] = *start;
    return !offers->more;
}

static struct offers offers_of(const struct xds_lb *lb)
{
    struct offers offers = {.n = 0};

    xds_each_start(lb->snapshot, collect, &offers);
    return offers;
}

static void note_offers(const struct xds_lb *lb, struct xds_decision *d,
                        const struct offers *offers)
{
    struct xds_slice *names = XDS_NEW_ARRAY(lb->rpc->arena, struct xds_slice, MAX_OFFERS);

    d->start.choices = names;
    d->start.n_choices = offers->n;
    for (size_t i = 0; i < offers->n; i++) {
        const struct xds_start *start = &offers->list[i];
        const struct xds_slice name = xds_excerpt(lb->rpc->arena, start->name);

        names[i] = start->name;
        if (start->by)
            xds_explain_note(
                lb->rpc, d, "--route-config %.*s takes listener %.*s as if it were %s",
                XDS_FMT(name), XDS_FMT(xds_excerpt(lb->rpc->arena, start->by->name)),
                start->is_server ? "an API listener" : "accepted");
        else
            xds_explain_note(lb->rpc, d,
                             "--route-config %.*s answers for this route configuration",
                             XDS_FMT(name));
    }
    if (offers->more)
        xds_explain_note(lb->rpc, d,
                         "there are more route configurations: xdscope show lists them");
}

/* An authority that reaches the first virtual host; "*" stands for any. */
static struct xds_slice some_authority(const struct xds_lb *lb,
                                       const struct xds_route_config *config)
{
    struct xds_slice domain = XDS_S("*");

    if (config && config->n_virtual_hosts > 0 && config->virtual_hosts->n_domains > 0)
        domain = config->virtual_hosts->domains[0];
    if (xds_slice_is(domain, "*"))
        return XDS_S("any.example");
    if (xds_slice_starts(domain, XDS_S("*")))
        return xds_arena_concat(lb->rpc->arena, XDS_S("any"), xds_slice_from(domain, 1));
    if (xds_slice_ends(domain, XDS_S("*")))
        return xds_arena_concat(
            lb->rpc->arena, xds_slice_make(domain.data, domain.len - 1), XDS_S("any"));
    return domain;
}

/* The API listener that leads there, and the client does not have it. */
static bool is_without(const struct xds_lb *lb, const struct xds_start *start)
{
    return start->by && !start->is_server &&
           !xds_accepted(lb->snapshot, lb->rpc->client, XDS_TYPE_LISTENER,
                         start->by->name, NULL);
}

static void note_start(const struct xds_lb *lb, struct xds_decision *d,
                       const struct xds_start *start)
{
    struct xds_arena *arena = lb->rpc->arena;

    if (start->is_server)
        xds_explain_note(lb->rpc, d,
                         "assumed: the HttpConnectionManager of listener %.*s is that of "
                         "an API listener",
                         XDS_FMT(xds_excerpt(arena, start->by->name)));
    else if (!start->by)
        xds_explain_note(lb->rpc, d,
                         "assumed: an API listener without HTTP filters names route "
                         "configuration %.*s",
                         XDS_FMT(xds_excerpt(arena, start->name)));
    else if (is_without(lb, start))
        xds_explain_note(lb->rpc, d, "assumed: %s accepts listener %.*s, %s",
                         xds_asked_label(lb->rpc->options, lb->rpc->client).text,
                         XDS_FMT(xds_excerpt(arena, start->by->name)),
                         xds_killed_by(lb->snapshot, lb->rpc->client, XDS_TYPE_LISTENER,
                                       start->by->name)
                             ? "of which it dies"
                             : "which it rejects (NACK)");
}

static bool start_at(const struct xds_lb *lb, struct xds_decision *d,
                     const struct xds_start *start)
{
    const struct xds_request *request = lb->rpc->request;
    struct xds_listener *listener = XDS_NEW(lb->rpc->arena, struct xds_listener);

    *listener = (struct xds_listener){.is_api_listener = true, .rds_name = start->name};
    d->start.assumed = !start->by || start->is_server || is_without(lb, start);
    d->start.listener = start->by ? start->by : listener;
    d->start.listener_name = d->start.listener->name;
    note_start(lb, d, start);
    if (!request->authority.data && !request->target.data) {
        const struct xds_snapshot_entry *entry =
            d->start.listener->rds_name.data
                ? xds_snapshot_used(lb->snapshot, lb->rpc->client, XDS_TYPE_ROUTE,
                                    d->start.listener->rds_name)
                : NULL;

        d->start.authority =
            some_authority(lb, entry ? entry->model : d->start.listener->route_config);
        xds_explain_note(lb->rpc, d,
                         "assumed: authority %.*s, of the first virtual host; "
                         "--authority sets another one",
                         XDS_FMT(xds_excerpt(lb->rpc->arena, d->start.authority)));
    }
    return true;
}

const struct xds_route_config *xds_explain_rejected_routes(const struct xds_lb *lb,
                                                           struct xds_decision *d)
{
    const struct xds_snapshot_entry *entry = xds_snapshot_used(
        lb->snapshot, lb->rpc->client, XDS_TYPE_ROUTE, d->start.route_config_name);

    if (!entry || !entry->model || entry->killing & XDS_CLIENT_BIT(lb->rpc->client))
        return NULL;
    xds_explain_note(
        lb->rpc, d,
        "assumed: %s accepts route configuration %.*s, which it rejects (NACK)",
        xds_asked_label(lb->rpc->options, lb->rpc->client).text,
        XDS_FMT(xds_excerpt(lb->rpc->arena, d->start.route_config_name)));
    return entry->model;
}

bool xds_explain_start(const struct xds_lb *lb, struct xds_decision *d)
{
    struct search search = {.name = lb->rpc->request->route_config};

    xds_each_start(lb->snapshot, look, &search);
    if (search.is_found)
        return start_at(lb, d, &search.found);
    const struct offers offers = offers_of(lb);

    note_offers(lb, d, &offers);
    return xds_explain_end(lb, d, XDS_OUTCOME_NO_LISTENER,
                           xds_failure_row(XDS_FAILURE_ROUTES_MISSING),
                           "the snapshot has no route configuration %.*s",
                           XDS_FMT(xds_excerpt(lb->rpc->arena, search.name)));
}

bool xds_explain_start_alone(const struct xds_lb *lb, struct xds_decision *d)
{
    const struct offers offers = offers_of(lb);

    if (lb->live) /* which has what an API listener leads to */
        return false;
    /* Of an API listener that is rejected the RPC fails, whatever else there is. */
    if (offers.n == 1 && !xds_snapshot_has_api_listener(lb->snapshot))
        return start_at(lb, d, &offers.list[0]);
    note_offers(lb, d, &offers);
    return false;
}
