/* show.c - counts and names of a whole snapshot, for its pictures. */
#include "print/findings/findings.h"
#include "print/show/show.h"

#include "catalogue/log.h"

/* ---- names ---- */

bool xds_show_wants(const struct xds_show *show, struct xds_slice name)
{
    for (size_t i = 0; i < show->view->n_names; i++)
        if (xds_glob_matches(show->view->names[i], name))
            return true;
    return show->view->n_names == 0;
}

bool xds_show_wants_host(const struct xds_show *show, const struct xds_virtual_host *host)
{
    bool wants = xds_show_wants(show, host->name);

    for (size_t i = 0; i < host->n_domains && !wants; i++)
        wants = xds_show_wants(show, host->domains[i]);
    return wants;
}

bool xds_show_wants_endpoint(const struct xds_show *show,
                             const struct xds_endpoint *endpoint)
{
    for (size_t i = 0; i < endpoint->n_addresses; i++)
        if (xds_show_wants(show, endpoint->addresses[i]))
            return true;
    return show->view->n_names == 0;
}

static bool wants_some_host(const struct xds_show *show,
                            const struct xds_route_config *config)
{
    for (size_t i = 0; config && i < config->n_virtual_hosts; i++)
        if (xds_show_wants_host(show, &config->virtual_hosts[i]))
            return true;
    return false;
}

static bool wants_some_endpoint(const struct xds_show *show,
                                const struct xds_endpoints *endpoints)
{
    for (size_t i = 0; i < endpoints->n_localities; i++)
        for (size_t k = 0; k < endpoints->localities[i].n_endpoints; k++)
            if (xds_show_wants_endpoint(show, &endpoints->localities[i].endpoints[k]))
                return true;
    return false;
}

bool xds_show_wants_entry(const struct xds_show *show,
                          const struct xds_snapshot_entry *entry)
{
    if (xds_show_wants(show, entry->name))
        return true;
    if (!entry->model)
        return false;
    if (entry->type == XDS_TYPE_ROUTE)
        return wants_some_host(show, entry->model);
    if (entry->type == XDS_TYPE_ENDPOINT)
        return wants_some_endpoint(show, entry->model);
    if (entry->type == XDS_TYPE_LISTENER) {
        const struct xds_listener *manager;

        for (size_t i = 0; (manager = xds_show_manager(entry->model, i)); i++)
            if (wants_some_host(show, manager->route_config))
                return true;
    }
    return false;
}

bool xds_show_has_list(const struct xds_show *show, enum xds_resource_type type)
{
    return show->view->tables == 0 || (show->view->tables & 1u << type);
}

/* ---- resources ---- */

/* Is an earlier one of this name used, as this one is rejected? */
static bool is_used_before(const struct xds_show *show,
                           const struct xds_snapshot_entry *entry)
{
    const struct xds_snapshot_entry *used = xds_show_find(show, entry->type, entry->name);
    const struct xds_snapshot_entry *e = entry->earlier;

    while (e && e != used)
        e = e->earlier;
    return e != NULL;
}

/* Those for people, each at the release that was asked for. */
static void put_people(const struct xds_show *show, struct xds_out *out, unsigned clients)
{
    const struct xds_options *options = &show->check->report->options;
    const unsigned documents = XDS_CLIENT_BIT(XDS_CLIENT_GRFC);
    unsigned left = out->to->verbose ? clients : clients & ~documents;

    if (!left || (clients | documents) == XDS_ALL_CLIENTS) {
        xds_out_people(out, clients);
        return;
    }
    for (enum xds_client c = 0; c < XDS_CLIENTS; c++) {
        if (!(left & XDS_CLIENT_BIT(c)))
            continue;
        left &= ~XDS_CLIENT_BIT(c);
        xds_out_format(out, "%s%s", xds_asked_label(options, c).text, left ? ", " : "");
    }
}

bool xds_show_known(const struct xds_show *show, struct xds_out *out, const char *before,
                    const struct xds_snapshot_entry *entry)
{
    const struct xds_held *held = entry->held;
    const bool is_absent = held && held->is_absent;
    const char *const first = before;

    if (!entry->model && !is_absent) {
        xds_out_text(out, before);
        xds_out_text(out, "cannot be read");
        before = ", ";
    }
    if (held && held->status != XDS_HELD_UNKNOWN) {
        xds_out_format(out, "%s%s%s%.*s", before, xds_held_status_name(held->status),
                       held->error_version.len > 0 ? " version " : "",
                       XDS_FMT(held->error_version));
        before = ", ";
    }
    if (held && held->version.len > 0) {
        xds_out_format(out, "%sversion %.*s%s", before, XDS_FMT(held->version),
                       held->error_version.len > 0 ? " in use" : "");
        before = ", ";
    }
    if (held && held->against) {
        xds_out_format(out, "%sthough xdscope judges it as NACK (%s)", before,
                       held->against);
        before = ", ";
    }
    if (entry->killing) {
        xds_out_text(out, before);
        xds_out_text(out, "crashes ");
        put_people(show, out, entry->killing);
        before = ", ";
    }
    if (entry->nacked_by & ~entry->killing) {
        xds_out_text(out, before);
        xds_out_text(out, "rejected by ");
        put_people(show, out, entry->nacked_by & ~entry->killing);
        xds_out_text(out, " (NACK)");
        before = ", ";
    }
    if (!is_absent && xds_show_find(show, entry->type, entry->name) != entry) {
        xds_out_text(out, before);
        xds_out_text(out, is_used_before(show, entry)
                              ? "not used, as an earlier one of this name is"
                              : "replaced by a later one of this name");
        before = ", ";
    }
    return before != first;
}

const struct xds_listener *xds_show_manager(const struct xds_listener *listener, size_t i)
{
    const size_t own = listener->is_api_listener;

    if (i < own)
        return listener;
    return i - own < listener->n_chains ? &listener->chains[i - own] : NULL;
}

const char *xds_show_cluster_kind(const struct xds_cluster *cluster)
{
    switch (cluster->kind) {
    case XDS_CLUSTER_EDS:
        return "EDS";
    case XDS_CLUSTER_LOGICAL_DNS:
        return "LOGICAL_DNS";
    case XDS_CLUSTER_AGGREGATE:
        return "aggregate";
    case XDS_CLUSTER_UNSUPPORTED:
        break;
    }
    return "a type that gRPC does not support";
}

struct xds_slice xds_show_policy(const struct xds_show *show,
                                 const struct xds_cluster *cluster)
{
    const struct xds_lb_policy *policy = xds_cluster_policy(cluster, show->view->client);

    return policy->name.len > 0 ? policy->name
                                : xds_slice_of(xds_lb_traits(policy)->title);
}

bool xds_show_target(const struct xds_route *route, size_t i, struct xds_slice *name)
{
    if (route->action == XDS_ACTION_CLUSTER) {
        *name = route->cluster;
        return i == 0;
    }
    if (i >= route->n_weighted)
        return false;
    *name = route->weighted[i].name;
    return true;
}

/* ---- what leads to what ---- */

struct stack {
    struct xds_show *show;
    const struct xds_snapshot_entry **list;
    size_t n, cap;
};

static void push(struct stack *s, enum xds_resource_type type, struct xds_slice name)
{
    const struct xds_snapshot_entry *entry = xds_show_find(s->show, type, name);

    if (!entry || s->show->reached[entry->resource])
        return;
    s->show->reached[entry->resource] = true;
    s->list = xds_arena_room(s->show->arena, s->list, s->n, &s->cap, sizeof *s->list);
    s->list[s->n++] = entry;
}

static void follow_config(struct stack *s, const struct xds_route_config *config)
{
    struct xds_slice name;

    for (size_t i = 0; config && i < config->n_virtual_hosts; i++)
        for (size_t k = 0; k < config->virtual_hosts[i].n_routes; k++)
            for (size_t w = 0;
                 xds_show_target(&config->virtual_hosts[i].routes[k], w, &name); w++)
                push(s, XDS_TYPE_CLUSTER, name);
}

static void follow(struct stack *s, const struct xds_snapshot_entry *entry)
{
    const struct xds_listener *manager;

    if (!entry->model)
        return;
    switch (entry->type) {
    case XDS_TYPE_LISTENER:
        for (size_t i = 0; (manager = xds_show_manager(entry->model, i)); i++) {
            follow_config(s, manager->route_config);
            if (manager->rds_name.data)
                push(s, XDS_TYPE_ROUTE, manager->rds_name);
        }
        break;
    case XDS_TYPE_ROUTE:
        follow_config(s, entry->model);
        break;
    case XDS_TYPE_CLUSTER: {
        const struct xds_cluster *cluster = entry->model;

        for (size_t i = 0; i < cluster->n_children; i++)
            push(s, XDS_TYPE_CLUSTER, cluster->children[i]);
        if (cluster->kind == XDS_CLUSTER_EDS)
            push(s, XDS_TYPE_ENDPOINT, cluster->eds_name);
        break;
    }
    case XDS_TYPE_ENDPOINT:
    case XDS_TYPE_UNKNOWN:
        break;
    }
}

void xds_show_reach(struct xds_show *show, enum xds_resource_type type)
{
    struct stack s = {.show = show};

    for (const struct xds_snapshot_entry *e = show->snapshot->first[type]; e;
         e = e->next) {
        if (!show->reached[e->resource])
            follow(&s, e);
        while (s.n > 0)
            follow(&s, s.list[--s.n]);
    }
}

/* ---- counts ---- */

struct xds_client_label xds_show_client(const struct xds_show *show)
{
    return xds_asked_label(xds_report_options(show->check->report), show->view->client);
}

static size_t count_routes(const struct xds_route_config *config)
{
    size_t n = 0;

    for (size_t i = 0; config && i < config->n_virtual_hosts; i++)
        n += config->virtual_hosts[i].n_routes;
    return n;
}

static void count_listener(struct xds_show *show, const struct xds_listener *listener)
{
    const struct xds_listener *manager;

    show->for_clients += listener->is_api_listener;
    for (size_t i = 0; (manager = xds_show_manager(listener, i)); i++) {
        show->inline_configs += manager->route_config != NULL;
        show->routes += count_routes(manager->route_config);
    }
}

static void tally(struct xds_show_tally *out, const struct xds_locality *list, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        out->endpoints += list[i].n_endpoints;
        for (size_t k = 0; k < list[i].n_endpoints; k++)
            out->not_healthy += !xds_health_serves(list[i].endpoints[k].health);
    }
}

static void count_entry(struct xds_show *show, const struct xds_snapshot_entry *entry)
{
    const unsigned bit = XDS_CLIENT_BIT(show->view->client);

    show->of_type[entry->type]++;
    show->others--;
    show->rejected += ((entry->nacked_by | entry->killing) & bit) != 0;
    if (!entry->model)
        return;
    if (entry->type == XDS_TYPE_LISTENER)
        count_listener(show, entry->model);
    if (entry->type == XDS_TYPE_ROUTE)
        show->routes += count_routes(entry->model);
    if (entry->type == XDS_TYPE_ENDPOINT) {
        const struct xds_endpoints *model = entry->model;
        struct xds_show_tally *own = &show->tally[entry->resource];

        tally(own, model->localities, model->n_localities);
        tally(own, model->weightless, model->n_weightless);
        show->endpoints += own->endpoints;
        show->not_healthy += own->not_healthy;
    }
}

static void write_count(struct xds_out *out, size_t n, const char *what)
{
    xds_out_format(out, "%zu %s%s", n, what, xds_plural(n));
}

void xds_show_counts(struct xds_show *show)
{
    struct xds_out *out = show->out;
    const size_t configs = show->of_type[XDS_TYPE_ROUTE] + show->inline_configs;
    const struct xds_client_label client = xds_show_client(show);

    write_count(out, show->of_type[XDS_TYPE_LISTENER], "listener");
    if (show->for_clients < show->of_type[XDS_TYPE_LISTENER])
        xds_out_format(out, " (%zu for clients)", show->for_clients);
    write_count((xds_out_text(out, ", "), out), configs, "route configuration");
    if (configs > 0)
        write_count((xds_out_text(out, " with "), out), show->routes, "route");
    write_count((xds_out_text(out, ", "), out), show->of_type[XDS_TYPE_CLUSTER],
                "cluster");
    write_count((xds_out_text(out, ", "), out), show->endpoints, "endpoint");
    if (show->not_healthy > 0)
        xds_out_format(out, " (%zu not healthy)", show->not_healthy);
    if (show->others > 0)
        write_count((xds_out_text(out, ", "), out), show->others, "other resource");
    if (show->absent > 0)
        xds_out_format(out, ", %zu without content", show->absent);
    if (show->rejected_updates > 0)
        write_count((xds_out_text(out, ", "), out), show->rejected_updates,
                    "rejected update");
    xds_out_char(out, '\n');
    if (show->rejected > 0)
        xds_out_line(out,
                     "%s rejects %zu of %zu resources; xdscope lint --client %s says why",
                     client.text, show->rejected, show->n, client.text);
}

const char *xds_show_lack(const struct xds_show *show, enum xds_resource_type type,
                          struct xds_slice name)
{
    const struct xds_held *held = xds_snapshot_held(show->snapshot, type, name);

    return held && held->status != XDS_HELD_UNKNOWN ? xds_held_status_name(held->status)
                                                    : "not in the input";
}

void xds_show_begin(struct xds_show *show)
{
    show->client = &show->check->snapshot;
    show->snapshot = xds_snapshot_part(show->client);
}

void xds_show_next(struct xds_show *show)
{
    show->snapshot = xds_snapshot_next_part(show->client, show->snapshot);
    if (show->snapshot)
        return;
    show->client = show->client->next;
    show->snapshot = show->client ? xds_snapshot_part(show->client) : NULL;
}

struct xds_slice xds_show_scope(const struct xds_show *show,
                                const struct xds_snapshot_entry *entry)
{
    return entry->held ? xds_report_scope(show->check->report, entry->held->config)
                       : XDS_S("");
}

/* Resources that are in a snapshot under the name of another one. */
static size_t count_shared(const struct xds_show *show)
{
    size_t n = show->check->snapshot.n_merged;

    for (const struct xds_snapshot *s = &show->check->snapshot; s; s = s->next)
        n += xds_snapshot_part(s) == s ? s->n_shared : 0;
    return n;
}

struct run {
    struct xds_show show;
    void (*body)(struct xds_show *show);
};

static void run(void *arg)
{
    struct run *r = arg;
    struct xds_show *show = &r->show;

    show->n = show->others = xds_report_resources(show->check->report);
    show->reached = XDS_NEW_ARRAY(show->arena, bool, show->n);
    show->shown = XDS_NEW_ARRAY(show->arena, bool, show->n);
    show->tally = XDS_NEW_ARRAY(show->arena, struct xds_show_tally, show->n);
    for (size_t i = 0; i < show->n; i++) {
        const struct xds_held *held = show->check->report->resources[i].held;

        show->rejected_updates += held && held->is_rejected;
        show->absent += held && held->is_absent;
    }
    show->others -= show->rejected_updates + show->absent + count_shared(show);
    for (xds_show_begin(show); show->snapshot; xds_show_next(show))
        for (unsigned type = XDS_TYPE_LISTENER; type <= XDS_TYPE_ENDPOINT; type++)
            for (const struct xds_snapshot_entry *e = show->snapshot->first[type]; e;
                 e = e->next)
                count_entry(show, e);
    xds_show_begin(show);
    r->body(show);
}

enum xds_status xds_show_run(const struct xds_printer *to, struct xds_check *check,
                             const struct xds_snapshot_view *view,
                             void (*body)(struct xds_show *show))
{
    struct xds_arena arena;
    struct xds_out out;
    struct run r = {.show = {.out = &out,
                             .arena = &arena,
                             .check = check,
                             .snapshot = &check->snapshot,
                             .view = view},
                    .body = body};

    return xds_out_run(&out, &arena, to, run, &r);
}
