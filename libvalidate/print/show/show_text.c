/* show_text.c - a whole snapshot for people: a tree from the listeners down. */
#include "print/decision/decision.h"
#include "print/show/tree.h"
#include "print/findings/findings.h"
#include "print/write/document.h"

#include <stdlib.h>

/* Clusters nested deeper in aggregates are printed after the rest. */
enum { DOMAINS = 5, DEPTH = 12 };

static void end(struct xds_show_tree *t, const struct xds_snapshot_entry *entry)
{
    if (entry)
        xds_show_known(t->show, t->show->out, ", ", entry);
    xds_out_char(t->show->out, '\n');
}

/* ---- endpoints ---- */

static int by_priority(const void *a, const void *b)
{
    const struct xds_locality *const *x = a, *const *y = b;

    if ((*x)->priority != (*y)->priority)
        return (*x)->priority < (*y)->priority ? -1 : 1;
    return (*x)->index < (*y)->index ? -1 : (*x)->index > (*y)->index;
}

static void print_endpoints(struct xds_show_tree *t, const struct xds_locality *locality,
                            bool all, size_t depth)
{
    struct xds_out *out = t->show->out;
    size_t wanted = 0, printed = 0;

    for (size_t i = 0; i < locality->n_endpoints; i++)
        wanted += all || xds_show_wants_endpoint(t->show, &locality->endpoints[i]);
    const size_t shown = xds_tree_shown(t, wanted);

    for (size_t i = 0; i < locality->n_endpoints && printed < shown; i++) {
        const struct xds_endpoint *e = &locality->endpoints[i];

        if (!all && !xds_show_wants_endpoint(t->show, e))
            continue;
        printed++;
        xds_tree_begin(t, depth);
        for (size_t k = 0; k < e->n_addresses; k++) {
            xds_out_text(out, k > 0 ? " or " : "");
            xds_doc_code(out, e->addresses[k]);
        }
        if (e->weight != 1)
            xds_out_format(out, ", weight %u", e->weight);
        if (e->health != XDS_HEALTH_UNKNOWN)
            xds_out_format(out, ", %s", xds_health_name(e->health));
        xds_out_char(out, '\n');
    }
    xds_tree_more(t, depth, wanted - printed, "endpoints");
}

static bool wants_locality(const struct xds_show_tree *t, const struct xds_locality *l,
                           bool all)
{
    for (size_t i = 0; i < l->n_endpoints && !all; i++)
        all = xds_show_wants_endpoint(t->show, &l->endpoints[i]);
    return all;
}

static void print_locality(struct xds_show_tree *t, const struct xds_locality *l,
                           bool all, size_t depth)
{
    struct xds_out *out = t->show->out;

    xds_tree_begin(t, depth);
    xds_out_format(out, "priority %u, locality ", l->priority);
    if (!xds_out_locality(out, xds_out_clean, l))
        xds_out_text(out, "without a name");
    if (l->weight > 0)
        xds_out_format(out, ", weight %u", l->weight);
    else
        xds_out_text(out, ", no weight: clients skip it");
    xds_out_line(out, ", %zu endpoint%s", l->n_endpoints, xds_plural(l->n_endpoints));
    print_endpoints(t, l, all, depth + 1);
}

static void print_localities(struct xds_show_tree *t, const struct xds_endpoints *model,
                             bool all, size_t depth)
{
    const struct xds_locality **list =
        XDS_NEW_ARRAY(t->show->arena, const struct xds_locality *,
                      model->n_localities + model->n_weightless);
    size_t n = 0;

    for (size_t i = 0; i < model->n_localities; i++)
        if (wants_locality(t, &model->localities[i], all))
            list[n++] = &model->localities[i];
    for (size_t i = 0; i < model->n_weightless; i++)
        if (wants_locality(t, &model->weightless[i], all))
            list[n++] = &model->weightless[i];
    if (n > 1)
        qsort(list, n, sizeof *list, by_priority);
    const size_t shown = xds_tree_shown(t, n);

    for (size_t i = 0; i < shown; i++)
        print_locality(t, list[i], all, depth);
    xds_tree_more(t, depth, n - shown, "localities");
    for (size_t i = 0; i < model->n_drops; i++) {
        xds_tree_begin(t, depth);
        xds_out_format(t->show->out, "drops %s of RPCs, ",
                       xds_percent(model->drops[i].per_million / 1e6).text);
        xds_tree_title(t, "category", model->drops[i].category);
        end(t, NULL);
    }
}

/* The rest of the line, and what is below it. */
static void print_load_assignment(struct xds_show_tree *t,
                                  const struct xds_snapshot_entry *entry, bool all,
                                  size_t depth)
{
    const bool again = t->show->shown[entry->resource];
    const struct xds_show_tally *tally = &t->show->tally[entry->resource];

    if (entry->model) {
        xds_out_format(t->show->out, "%zu endpoint%s", tally->endpoints,
                       xds_plural(tally->endpoints));
        if (tally->not_healthy > 0)
            xds_out_format(t->show->out, " (%zu not healthy)", tally->not_healthy);
    } else
        xds_out_text(t->show->out, "endpoints");
    if (again)
        xds_out_text(t->show->out, ", shown above");
    end(t, entry);
    t->show->shown[entry->resource] = true;
    if (!again && entry->model)
        print_localities(t, entry->model, all, depth);
}

/* ---- clusters ---- */

static void print_named_cluster(struct xds_show_tree *t, struct xds_slice name,
                                size_t depth);

static void note_lack(const struct xds_show_tree *t, struct xds_slice cluster)
{
    if (!xds_show_find(t->show, XDS_TYPE_CLUSTER, cluster))
        xds_out_format(t->show->out, " (%s)",
                       xds_show_lack(t->show, XDS_TYPE_CLUSTER, cluster));
}

static void print_children(struct xds_show_tree *t, const struct xds_cluster *cluster,
                           size_t depth)
{
    struct xds_out *out = t->show->out;
    const size_t shown = xds_tree_shown(t, cluster->n_children);

    for (size_t i = 0; i < shown; i++) {
        xds_out_text(out, i > 0 ? ", " : " of ");
        xds_doc_quoted(out, cluster->children[i]);
        note_lack(t, cluster->children[i]);
    }
    if (shown < cluster->n_children)
        xds_out_format(out, " and %zu more", cluster->n_children - shown);
    xds_out_char(out, '\n');
    t->nested++;
    for (size_t i = 0; i < shown; i++)
        print_named_cluster(t, cluster->children[i], depth);
    t->nested--;
}

/* A default that bites is shown on request. */
static void print_limit(struct xds_show_tree *t, const struct xds_cluster *cluster)
{
    struct xds_out *out = t->show->out;
    const uint32_t limit = cluster->max_requests[t->show->view->client];

    if (out->to->verbose || limit != XDS_DEFAULT_MAX_REQUESTS)
        xds_out_format(out, ", at most %u requests at a time", (unsigned)limit);
}

static void print_cluster(struct xds_show_tree *t, const struct xds_snapshot_entry *entry,
                          size_t depth)
{
    struct xds_out *out = t->show->out;
    const struct xds_cluster *cluster = entry->model;

    t->show->shown[entry->resource] = true;
    xds_tree_begin(t, depth);
    xds_tree_title(t, "cluster", entry->name);
    xds_show_known(t->show, out, ", ", entry);
    if (!cluster) {
        xds_out_char(out, '\n');
        return;
    }
    xds_out_format(out, ": %s", xds_show_cluster_kind(cluster));
    if (cluster->kind == XDS_CLUSTER_AGGREGATE) {
        print_children(t, cluster, depth + 1);
        return;
    }
    xds_out_format(out, ", %.*s", XDS_FMT(xds_show_policy(t->show, cluster)));
    if (cluster->kind == XDS_CLUSTER_LOGICAL_DNS) {
        xds_out_text(out, ", resolves ");
        xds_doc_code(out, cluster->dns_name);
    }
    print_limit(t, cluster);
    if (cluster->kind != XDS_CLUSTER_EDS) {
        xds_out_char(out, '\n');
        return;
    }
    const struct xds_snapshot_entry *endpoints =
        xds_show_find(t->show, XDS_TYPE_ENDPOINT, cluster->eds_name);

    if (!xds_slice_eq(cluster->eds_name, entry->name)) {
        xds_out_text(out, ", service ");
        xds_doc_quoted(out, cluster->eds_name);
    }
    xds_out_text(out, ", ");
    if (endpoints)
        print_load_assignment(t, endpoints, true, depth + 1);
    else
        xds_out_line(out, "endpoints %s",
                     xds_show_lack(t->show, XDS_TYPE_ENDPOINT, cluster->eds_name));
}

/* Below its first use. */
static void print_named_cluster(struct xds_show_tree *t, struct xds_slice name,
                                size_t depth)
{
    const struct xds_snapshot_entry *entry =
        xds_show_find(t->show, XDS_TYPE_CLUSTER, name);

    if (!entry || t->show->shown[entry->resource])
        return;
    if (t->nested < DEPTH) {
        print_cluster(t, entry, depth);
        return;
    }
    t->show->shown[entry->resource] = true;
    t->later = xds_arena_room(t->show->arena, t->later, t->n_later, &t->cap_later,
                              sizeof *t->later);
    t->later[t->n_later++] = entry;
}

static void print_later(struct xds_show_tree *t)
{
    size_t i = 0;

    for (; i < t->n_later && (t->show->out->to->verbose || t->lines <= XDS_SHOW_MANY);
         i++)
        print_cluster(t, t->later[i], 0);
    if (i < t->n_later) {
        xds_tree_begin(t, 0);
        xds_out_text(t->show->out, "and more clusters below aggregates, -v lists them\n");
    }
    t->n_later = 0;
}

/* ---- routes ---- */

static void print_action(struct xds_show_tree *t, const struct xds_route *route)
{
    struct xds_slice name;
    uint64_t sum = 0;

    for (size_t i = 0; i < route->n_weighted; i++)
        sum += route->weighted[i].weight;
    for (size_t i = 0; xds_show_target(route, i, &name); i++) {
        xds_out_text(t->show->out, i > 0 ? ", " : "");
        xds_doc_quoted(t->show->out, name);
        if (route->action == XDS_ACTION_WEIGHTED)
            xds_out_format(
                t->show->out, " %s",
                sum ? xds_percent((double)route->weighted[i].weight / (double)sum).text
                    : "0%");
        note_lack(t, name);
    }
    switch (route->action) {
    case XDS_ACTION_CLUSTER:
    case XDS_ACTION_WEIGHTED:
        break;
    case XDS_ACTION_PLUGIN:
        xds_tree_title(t, "cluster specifier plugin", route->cluster);
        break;
    case XDS_ACTION_NO_SPECIFIER:
    case XDS_ACTION_NON_FORWARDING:
    case XDS_ACTION_UNSUPPORTED:
        xds_out_text(t->show->out, route->action_field ? route->action_field : "nothing");
        if (route->action != XDS_ACTION_NON_FORWARDING)
            xds_out_text(t->show->out, ", which no gRPC client follows");
        break;
    }
}

static struct xds_slice match_words(struct xds_show_tree *t,
                                    const struct xds_route *route)
{
    struct xds_text words = {.arena = t->show->arena};

    xds_route_match_words(&words, &route->match);
    return xds_slice_make(words.data, words.len);
}

static void print_route(struct xds_show_tree *t, const struct xds_route *route,
                        size_t depth)
{
    struct xds_out *out = t->show->out;
    struct xds_slice name;

    xds_tree_begin(t, depth);
    xds_doc_code(out, match_words(t, route));
    xds_out_text(out, " -> ");
    print_action(t, route);
    if (xds_show_skips(t->show, route))
        xds_out_format(out, ", skipped by %s%s%s", xds_client_name(t->show->view->client),
                       route->skip_reason ? ": " : "",
                       route->skip_reason ? route->skip_reason : "");
    xds_out_char(out, '\n');
    xds_tree_rbac_overrides(t, &route->overrides, depth + 1);
    for (size_t i = 0; xds_show_target(route, i, &name); i++)
        print_named_cluster(t, name, depth + 1);
}

static void print_host(struct xds_show_tree *t, const struct xds_virtual_host *host,
                       size_t depth)
{
    struct xds_out *out = t->show->out;
    const size_t domains =
        out->to->verbose || host->n_domains < DOMAINS ? host->n_domains : DOMAINS;
    const size_t shown = xds_tree_shown(t, host->n_routes);

    xds_tree_begin(t, depth);
    xds_tree_title(t, "virtual host", host->name);
    xds_out_text(out, host->n_domains > 0 ? ", domains " : ", no domains");
    for (size_t i = 0; i < domains; i++) {
        xds_out_text(out, i > 0 ? ", " : "");
        xds_doc_code(out, host->domains[i]);
    }
    if (domains < host->n_domains)
        xds_out_format(out, " and %zu more", host->n_domains - domains);
    xds_out_char(out, '\n');
    xds_tree_rbac_overrides(t, &host->overrides, depth + 1);
    for (size_t i = 0; i < shown; i++)
        print_route(t, &host->routes[i], depth + 1);
    xds_tree_more(t, depth + 1, host->n_routes - shown, "routes");
}

/* all: whatever the names that are asked for. */
static void print_hosts(struct xds_show_tree *t, const struct xds_route_config *config,
                        bool all, size_t depth)
{
    size_t wanted = 0, printed = 0;

    for (size_t i = 0; i < config->n_virtual_hosts; i++)
        wanted += all || xds_show_wants_host(t->show, &config->virtual_hosts[i]);
    const size_t shown = xds_tree_shown(t, wanted);

    for (size_t i = 0; i < config->n_virtual_hosts && printed < shown; i++) {
        if (!all && !xds_show_wants_host(t->show, &config->virtual_hosts[i]))
            continue;
        printed++;
        print_host(t, &config->virtual_hosts[i], depth);
    }
    xds_tree_more(t, depth, wanted - printed, "virtual hosts");
}

static void print_config(struct xds_show_tree *t, const struct xds_snapshot_entry *entry,
                         const char *how, bool all, size_t depth)
{
    const bool again = t->show->shown[entry->resource];

    t->show->shown[entry->resource] = true;
    xds_tree_begin(t, depth);
    xds_tree_title(t, "route configuration", entry->name);
    xds_out_text(t->show->out, how);
    if (again)
        xds_out_text(t->show->out, ", shown above");
    end(t, entry);
    if (!again && entry->model)
        print_hosts(t, entry->model, all, depth + 1);
}

/* ---- listeners ---- */

static void print_manager(struct xds_show_tree *t, const struct xds_listener *manager,
                          bool all, size_t depth)
{
    if (manager->rds_name.data) {
        const struct xds_snapshot_entry *entry =
            xds_show_find(t->show, XDS_TYPE_ROUTE, manager->rds_name);

        if (entry) {
            print_config(t, entry, " by RDS", true, depth);
            return;
        }
        xds_tree_begin(t, depth);
        xds_tree_title(t, "route configuration", manager->rds_name);
        xds_out_line(t->show->out, " by RDS, %s",
                     xds_show_lack(t->show, XDS_TYPE_ROUTE, manager->rds_name));
    } else if (manager->route_config) {
        xds_tree_begin(t, depth);
        xds_tree_title(t, "route configuration", manager->route_config->name);
        xds_out_text(t->show->out, " inline\n");
        print_hosts(t, manager->route_config, all, depth + 1);
    }
}

static void print_chain(struct xds_show_tree *t, const struct xds_listener *listener,
                        size_t index, bool all)
{
    const struct xds_filter_chain *chain = index == XDS_DEFAULT_CHAIN
                                               ? listener->default_chain
                                               : &listener->filter_chains[index];

    xds_tree_chain(t, listener, chain, index, 1);
    for (size_t i = 0; i < chain->n_managers; i++) {
        xds_tree_rbac_filters(t, &chain->managers[i], 2);
        print_manager(t, &chain->managers[i], all, 2);
    }
}

/* What a server makes of connections. */
static void print_chains(struct xds_show_tree *t, const struct xds_listener *listener,
                         bool all)
{
    const size_t n = listener->n_filter_chains;
    const size_t shown = xds_tree_shown(t, n);

    for (size_t i = 0; i < shown; i++)
        print_chain(t, listener, i, all);
    xds_tree_more(t, 1, n - shown, "filter chains");
    if (listener->default_chain)
        print_chain(t, listener, XDS_DEFAULT_CHAIN, all);
}

static void print_listener(struct xds_show_tree *t,
                           const struct xds_snapshot_entry *entry, bool all)
{
    const struct xds_listener *listener = entry->model, *manager;

    t->show->shown[entry->resource] = true;
    xds_tree_begin(t, 0);
    xds_tree_title(t, "listener", entry->name);
    if (listener)
        xds_out_text(t->show->out,
                     listener->is_api_listener ? ", for clients" : ", socket");
    if (listener && listener->address.len > 0) {
        xds_out_text(t->show->out, listener->is_api_listener ? ", socket " : " ");
        xds_doc_code(t->show->out, listener->address);
    }
    if (listener && !xds_show_manager(listener, 0))
        xds_out_text(t->show->out, ", no HttpConnectionManager");
    end(t, entry);
    if (listener && !listener->is_api_listener) {
        print_chains(t, listener, all);
        return;
    }
    for (size_t i = 0; listener && (manager = xds_show_manager(listener, i)); i++)
        print_manager(t, manager, all, 1);
}

/* ---- the whole ---- */

static void print_entry(struct xds_show_tree *t, const struct xds_snapshot_entry *entry)
{
    const bool all = xds_show_wants(t->show, entry->name);

    switch (entry->type) {
    case XDS_TYPE_LISTENER:
        print_listener(t, entry, all);
        break;
    case XDS_TYPE_ROUTE:
        print_config(t, entry, "", all, 0);
        break;
    case XDS_TYPE_CLUSTER:
        print_cluster(t, entry, 0);
        break;
    case XDS_TYPE_ENDPOINT:
        xds_tree_begin(t, 0);
        xds_tree_title(t, "endpoints of", entry->name);
        xds_out_text(t->show->out, ": ");
        print_load_assignment(t, entry, all, 1);
        break;
    case XDS_TYPE_UNKNOWN:
        break;
    }
    print_later(t);
}

static const char *const plurals[] = {
    [XDS_TYPE_LISTENER] = "listeners",
    [XDS_TYPE_ROUTE] = "route configurations",
    [XDS_TYPE_CLUSTER] = "clusters",
    [XDS_TYPE_ENDPOINT] = "endpoint resources",
};

/* The resources of a type that nothing printed before leads to. `heading` is printed
 * before the first one. */
static bool print_type(struct xds_show_tree *t, enum xds_resource_type type,
                       const char *heading)
{
    struct xds_show *show = t->show;
    const struct xds_snapshot_entry *e;
    size_t n = 0, printed = 0;

    for (e = show->snapshot->first[type]; e; e = e->next)
        n += !show->reached[e->resource] && !show->shown[e->resource] &&
             xds_show_wants_entry(show, e);
    if (n == 0)
        return false;
    if (heading) {
        xds_out_char(show->out, '\n');
        xds_doc_heading(show->out);
        xds_out_styled(show->out, XDS_STYLE_BOLD, heading);
        xds_out_char(show->out, '\n');
    }
    const size_t shown = xds_tree_shown(t, n);

    for (e = show->snapshot->first[type]; e && printed < shown; e = e->next) {
        if (show->reached[e->resource] || show->shown[e->resource] ||
            !xds_show_wants_entry(show, e))
            continue;
        print_entry(t, e);
        printed++;
    }
    /* Some may have been printed below others meanwhile. */
    for (n = 0; e; e = e->next)
        n += !show->reached[e->resource] && !show->shown[e->resource] &&
             xds_show_wants_entry(show, e);
    xds_tree_more(t, 0, n, plurals[type]);
    return true;
}

/* Which client of a dump it is. */
static void print_client(struct xds_show_tree *t)
{
    struct xds_out *out = t->show->out;
    const struct xds_snapshot *client = t->show->client, *snapshot = t->show->snapshot;

    if (!xds_show_several(t->show))
        return;
    if (snapshot != xds_snapshot_part(&t->show->check->snapshot))
        xds_out_char(out, '\n');
    xds_doc_heading(out);
    if (client->node.len > 0)
        xds_tree_title(t, "client", client->node);
    else
        xds_out_format(out, "client %u", client->client > 0 ? client->client : 1);
    const struct xds_slice scope =
        xds_report_scope(t->show->check->report, snapshot->config);

    if (snapshot != client && scope.len > 0)
        xds_tree_title(t, ", client_scope", scope);
    else if (snapshot != client)
        xds_out_format(out, ", ClientConfig %u", snapshot->config);
    xds_out_char(out, '\n');
}

/* What the client of a dump does not have. */
static void print_absent(struct xds_show_tree *t)
{
    static const char *const kinds[] = {
        [XDS_TYPE_UNKNOWN] = "resource",          [XDS_TYPE_LISTENER] = "listener",
        [XDS_TYPE_ROUTE] = "route configuration", [XDS_TYPE_CLUSTER] = "cluster",
        [XDS_TYPE_ENDPOINT] = "endpoints of",
    };
    size_t n = 0, shown;

    for (const struct xds_snapshot_entry *e = t->show->snapshot->first_absent; e;
         e = e->next)
        n += xds_show_wants(t->show, e->name);
    shown = xds_tree_shown(t, n);
    n -= shown;
    for (const struct xds_snapshot_entry *e = t->show->snapshot->first_absent;
         e && shown > 0; e = e->next) {
        if (!xds_show_wants(t->show, e->name))
            continue;
        xds_tree_begin(t, 0);
        xds_tree_title(t, kinds[e->type], e->name);
        end(t, e);
        shown--;
    }
    xds_tree_more(t, 0, n, "without content");
}

static void print_snapshot(struct xds_show_tree *t)
{
    struct xds_show *show = t->show;
    const bool named = show->view->n_names > 0;
    bool any;

    print_client(t);
    if (!named)
        xds_show_reach(show, XDS_TYPE_LISTENER);
    any = print_type(t, XDS_TYPE_LISTENER, NULL);
    for (unsigned type = XDS_TYPE_ROUTE; type <= XDS_TYPE_ENDPOINT; type++) {
        const bool heads = !named && show->of_type[XDS_TYPE_LISTENER] > 0 &&
                           (any || type > XDS_TYPE_ROUTE);
        static const char heading[] = "not reached from a listener";

        if (print_type(t, (enum xds_resource_type)type, heads && any ? heading : NULL))
            any = !heads && any;
        if (!named)
            xds_show_reach(show, (enum xds_resource_type)type);
    }
    print_absent(t);
}

static void print_tree(struct xds_show *show)
{
    struct xds_show_tree t = {.show = show};

    if (!show->out->to->quiet && show->n > show->others)
        xds_out_char(show->out, '\n');
    for (xds_show_begin(show); show->snapshot; xds_show_next(show))
        print_snapshot(&t);
    if (show->view->n_names > 0 && t.lines == 0)
        xds_out_text(show->out, "no resource has such a name\n");
}

static void print(struct xds_show *show)
{
    if (!show->out->to->quiet) {
        xds_doc_summary(show->out);
        xds_show_counts(show);
    }
    if (show->view->tables)
        xds_show_tables(show);
    else
        print_tree(show);
}

enum xds_status xds_print_snapshot_text(const struct xds_printer *to,
                                        struct xds_check *check,
                                        const struct xds_snapshot_view *view)
{
    return xds_show_run(to, check, view, print);
}

enum xds_status xds_print_snapshot_html(const struct xds_printer *to,
                                        struct xds_check *check,
                                        const struct xds_snapshot_view *view)
{
    struct xds_doc doc;

    xds_doc_begin(&doc, to, "show");
    return xds_doc_end(&doc, xds_show_run(&doc.printer, check, view, print));
}
