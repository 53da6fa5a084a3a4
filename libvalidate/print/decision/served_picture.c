/* served_picture.c - an RPC on its way through a server, as a picture: listener, filter
 * chains, routes, HTTP filters and policies of RBAC. */
#include "print/decision/decision.h"
#include "print/decision/served.h"
#include "print/picture/picture.h"

/* Of longer lists the number is reported. */
enum { MOST = 24, TITLE_COLUMNS = 100 };

struct sketch {
    struct xds_picture *picture;
    const struct xds_served *d;
    struct xds_dot_node last; /* how far the RPC has come */
};

static struct xds_dot_node at(const char *kind, size_t number)
{
    return (struct xds_dot_node){kind, number};
}

/* The node is on the way of the RPC. */
static void go_on(struct sketch *s, struct xds_dot_node node)
{
    xds_picture_edge(s->picture, s->last, node, XDS_DOT_TAKEN);
    s->last = node;
}

static size_t shown(size_t n)
{
    return n < MOST ? n : MOST;
}

static void draw_rest(const struct sketch *s, struct xds_dot_node from, const char *kind,
                      size_t n)
{
    if (n <= MOST)
        return;
    xds_picture_node(s->picture, at(kind, 0), XDS_DOT_TEXT, XDS_DOT_LOST, "and %zu more",
                     n - MOST);
    xds_picture_edge(s->picture, from, at(kind, 0), XDS_DOT_LOST);
}

static void draw_listener(struct sketch *s)
{
    const struct xds_served *d = s->d;

    if (!d->listener)
        return;
    xds_picture_node(s->picture, at("listener", 0), XDS_DOT_LIST, XDS_DOT_TAKEN,
                     "listener\n%.*s", XDS_FMT(d->listener_name));
    go_on(s, at("listener", 0));
}

static void draw_chain(const struct sketch *s, size_t number, size_t index,
                       const struct xds_filter_chain *chain, struct xds_slice reason)
{
    const bool taken = s->d->chains.chain == chain;

    xds_picture_node_begin(s->picture, at("chain", number));
    xds_picture_text(s->picture, "filter chain ");
    if (index == XDS_DEFAULT_CHAIN)
        xds_picture_text(s->picture, "default");
    else
        xds_picture_text(s->picture, "#%zu %.*s", index, XDS_FMT(chain->name));
    if (reason.data) {
        xds_picture_text(s->picture, "\n");
        xds_picture_sentence(s->picture, reason);
    }
    xds_picture_node_end(s->picture, XDS_DOT_BOX, taken ? XDS_DOT_TAKEN : XDS_DOT_LOST);
    if (!taken)
        xds_picture_edge(s->picture, s->last, at("chain", number), XDS_DOT_LOST);
}

static void draw_chains(struct sketch *s)
{
    const struct xds_chain_choice *c = &s->d->chains;
    const struct xds_slice none = {NULL, 0};
    const struct xds_dot_node from = s->last;
    struct xds_dot_node chosen = {NULL, 0};

    for (size_t i = 0; i < c->n_tries; i++) {
        const bool taken = c->chain == c->tries[i].chain;

        if (i >= MOST && !taken)
            continue;
        draw_chain(s, i, i, c->tries[i].chain, c->tries[i].reason);
        if (taken)
            chosen = at("chain", i);
    }
    draw_rest(s, from, "more_chains", c->n_tries);
    if (c->chain && c->index == XDS_DEFAULT_CHAIN) {
        chosen = at("chain", c->n_tries);
        draw_chain(s, c->n_tries, XDS_DEFAULT_CHAIN, c->chain, none);
    }
    if (chosen.kind)
        go_on(s, chosen);
}

static void draw_connection(struct sketch *s)
{
    if (!s->d->security.data)
        return;
    xds_picture_node_begin(s->picture, at("connection", 0));
    xds_picture_text(s->picture, "connection\n");
    xds_picture_sentence(s->picture, s->d->security);
    xds_picture_node_end(s->picture, XDS_DOT_BOX,
                         s->d->outcome == XDS_SERVED_HANDSHAKE ? XDS_DOT_FAILED
                                                               : XDS_DOT_TAKEN);
    go_on(s, at("connection", 0));
}

static void draw_route(const struct sketch *s, size_t i)
{
    const struct xds_route_try *try = &s->d->walk.tries[i];
    const bool taken = s->d->route == try;

    xds_picture_node_begin(s->picture, at("route", i));
    xds_picture_text(s->picture, "route #%zu", try->index);
    if (try->reason.data) {
        xds_picture_text(s->picture, "\n");
        xds_picture_sentence(s->picture, try->reason);
    }
    xds_picture_node_end(s->picture, XDS_DOT_BOX, taken ? XDS_DOT_TAKEN : XDS_DOT_LOST);
    if (!taken)
        xds_picture_edge(s->picture, s->last, at("route", i), XDS_DOT_LOST);
}

static void draw_routes(struct sketch *s)
{
    const struct xds_served *d = s->d;
    const size_t n = d->walk.n_tries;

    if (!d->virtual_host.host)
        return;
    xds_picture_node(s->picture, at("virtual_host", 0), XDS_DOT_LIST, XDS_DOT_TAKEN,
                     "virtual host\n%.*s", XDS_FMT(d->virtual_host.host->name));
    go_on(s, at("virtual_host", 0));
    const struct xds_dot_node from = s->last;

    for (size_t i = 0; i < n; i++)
        if (i < shown(n) || d->route == &d->walk.tries[i])
            draw_route(s, i);
    draw_rest(s, from, "more_routes", n);
    if (d->route)
        go_on(s, at("route", (size_t)(d->route - d->walk.tries)));
}

static void draw_policies(const struct sketch *s, size_t filter,
                          const struct xds_rbac_answer *rbac, size_t *number)
{
    for (size_t i = 0; i < shown(rbac->n_policies); i++) {
        const struct xds_rbac_policy_answer *a = &rbac->policies[i];
        const struct xds_dot_node node = at("policy", (*number)++);
        const enum xds_dot_look look = !a->matched                     ? XDS_DOT_LOST
                                       : rbac->decided_by == a->policy ? XDS_DOT_TAKEN
                                                                       : XDS_DOT_PLAIN;

        xds_picture_node(s->picture, node, XDS_DOT_BOX, look, "policy %.*s\n%s",
                         XDS_FMT(a->policy->name), a->matched ? "matches" : "no match");
        xds_picture_edge(s->picture, at("filter", filter), node, look);
    }
    if (rbac->n_policies <= MOST)
        return;
    const struct xds_dot_node rest = at("policy", (*number)++);

    xds_picture_node(s->picture, rest, XDS_DOT_TEXT, XDS_DOT_LOST, "and %zu more",
                     rbac->n_policies - MOST);
    xds_picture_edge(s->picture, at("filter", filter), rest, XDS_DOT_LOST);
}

static void draw_filters(struct sketch *s)
{
    size_t policies = 0;

    for (size_t i = 0; i < s->d->n_filters; i++) {
        const struct xds_served_filter *f = &s->d->filters[i];
        const struct xds_dot_node node = at("filter", i);

        xds_picture_node_begin(s->picture, node);
        xds_picture_text(s->picture, "filter %.*s\n", XDS_FMT(f->use.filter->name));
        xds_picture_sentence(s->picture, f->reached ? f->result : XDS_S("not reached"));
        xds_picture_node_end(s->picture, XDS_DOT_LIST,
                             f->denies    ? XDS_DOT_FAILED
                             : f->reached ? XDS_DOT_TAKEN
                                          : XDS_DOT_LOST);
        if (f->reached)
            go_on(s, node);
        else
            xds_picture_edge(s->picture, i > 0 ? at("filter", i - 1) : s->last, node,
                             XDS_DOT_LOST);
        if (f->rbac)
            draw_policies(s, i, f->rbac, &policies);
    }
}

static void draw_end(struct sketch *s)
{
    const struct xds_served *d = s->d;
    const bool well = xds_served_well(d);

    xds_picture_node_begin(s->picture, at("end", 0));
    if (well)
        xds_picture_text(s->picture, "served");
    else if (d->code.data)
        xds_picture_text(s->picture, "%.*s", XDS_FMT(d->code));
    else
        xds_picture_text(s->picture, "%s", xds_served_name(d->outcome));
    if (!well) {
        xds_picture_text(s->picture, "\n");
        xds_picture_sentence(s->picture, d->error);
    }
    xds_picture_node_end(s->picture, XDS_DOT_BOX, well ? XDS_DOT_TAKEN : XDS_DOT_FAILED);
    xds_picture_edge(s->picture, s->last, at("end", 0),
                     well ? XDS_DOT_TAKEN : XDS_DOT_FAILED);
}

static void draw(void *arg)
{
    struct xds_answer *answer = arg;
    const struct xds_served *d = answer->of;
    struct xds_picture picture;
    struct sketch s = {&picture, d, at("rpc", 0)};

    xds_picture_init(&picture, &answer->arena);
    xds_text_served_answer(&picture.label, d);
    xds_picture_title_end(&picture, TITLE_COLUMNS);
    xds_picture_node(&picture, s.last, XDS_DOT_BOX, XDS_DOT_TAKEN,
                     "RPC\n%.*s\nfrom %.*s\nto server %s", XDS_FMT(d->inbound->rpc.path),
                     XDS_FMT(d->inbound->peer), d->as.text);
    draw_listener(&s);
    draw_chains(&s);
    draw_connection(&s);
    draw_routes(&s);
    draw_filters(&s);
    draw_end(&s);
    xds_dot_picture(&answer->out, "explain", &picture);
}

enum xds_status xds_print_served_dot(const struct xds_printer *to,
                                     const struct xds_served *served)
{
    return xds_answer_write(to, draw, served);
}
