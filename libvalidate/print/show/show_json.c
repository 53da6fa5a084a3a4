/* show_json.c - a whole snapshot as one JSON document: lists by type, references by name.
 */
#include "print/decision/decision.h"
#include "print/show/show.h"
#include "print/findings/findings.h"
#include "print/write/json.h"

/* "clients that reject it" and the like, of each resource. */
static void write_known(struct xds_show *show, const struct xds_snapshot_entry *entry)
{
    struct xds_out *out = show->out;

    xds_json_key_string(out, "name", entry->name);
    xds_json_key_bool(out, "readable", entry->model != NULL);
    xds_json_clients(out, "nacked_by", entry->nacked_by);
    xds_json_clients(out, "crashes", entry->killing);
    if (entry->held)
        xds_json_held(out, entry->held, xds_show_scope(show, entry));
    xds_json_key_bool(out, "replaced",
                      !(entry->held && entry->held->is_absent) &&
                          xds_show_find(show, entry->type, entry->name) != entry);
}

static void write_names(struct xds_out *out, const char *key,
                        const struct xds_slice *list, size_t n)
{
    xds_json_key_array(out, key);
    for (size_t i = 0; i < n; i++)
        xds_json_string(out, list[i]);
    xds_json_end_array(out);
}

/* ---- routes ---- */

static void write_route(struct xds_show *show, const struct xds_route *route)
{
    struct xds_out *out = show->out;
    struct xds_text words = {.arena = show->arena};
    struct xds_slice name;

    xds_route_match_words(&words, &route->match);
    xds_json_begin_row(out);
    xds_json_members(out, "name: %.*s, match: %.*s, action: %s", XDS_FMT(route->name),
                     XDS_FMT(xds_slice_make(words.data, words.len)), route->action_field);
    xds_json_key_bool(out, "skipped", xds_show_skips(show, route));
    xds_json_key_array(out, "clusters");
    for (size_t i = 0; xds_show_target(route, i, &name); i++)
        xds_json_object(out, "name: %.*s, weight: %u, exists: %d", XDS_FMT(name),
                        route->n_weighted ? route->weighted[i].weight : 1u,
                        xds_show_find(show, XDS_TYPE_CLUSTER, name) != NULL);
    xds_json_end_array(out);
    xds_show_json_overrides(show, &route->overrides);
    xds_json_end_object(out);
}

static void write_hosts(struct xds_show *show, const struct xds_route_config *config,
                        bool all)
{
    xds_json_key_array(show->out, "virtual_hosts");
    for (size_t i = 0; config && i < config->n_virtual_hosts; i++) {
        const struct xds_virtual_host *host = &config->virtual_hosts[i];

        if (!all && !xds_show_wants_host(show, host))
            continue;
        xds_json_begin_row(show->out);
        xds_json_key_string(show->out, "name", host->name);
        write_names(show->out, "domains", host->domains, host->n_domains);
        xds_show_json_overrides(show, &host->overrides);
        xds_json_key_array(show->out, "routes");
        for (size_t k = 0; k < host->n_routes; k++)
            write_route(show, &host->routes[k]);
        xds_json_end_array(show->out);
        xds_json_end_object(show->out);
    }
    xds_json_end_array(show->out);
}

/* ---- resources ---- */

static void write_listener(struct xds_show *show, const struct xds_listener *listener,
                           bool all)
{
    struct xds_out *out = show->out;
    const struct xds_listener *manager;

    xds_json_key_bool(out, "for_clients", listener && listener->is_api_listener);
    xds_json_key_string_or_null(out, "address",
                                listener ? listener->address : (struct xds_slice){0});
    xds_json_key_array(out, "route_configurations");
    for (size_t i = 0; listener && (manager = xds_show_manager(listener, i)); i++) {
        if (!manager->rds_name.data && !manager->route_config)
            continue;
        xds_json_begin_object(out);
        xds_json_key_string(out, "name",
                            manager->rds_name.data ? manager->rds_name
                                                   : manager->route_config->name);
        xds_json_key_bool(out, "inline", !manager->rds_name.data);
        xds_json_key_bool(out, "exists",
                          !manager->rds_name.data ||
                              xds_show_find(show, XDS_TYPE_ROUTE, manager->rds_name));
        if (!manager->rds_name.data)
            write_hosts(show, manager->route_config, all);
        xds_json_end_object(out);
    }
    xds_json_end_array(out);
    xds_show_json_chains(show, listener);
}

static void write_cluster(struct xds_show *show, const struct xds_cluster *cluster)
{
    struct xds_out *out = show->out;
    const struct xds_slice none = {NULL, 0};
    const bool aggregate = cluster && cluster->kind == XDS_CLUSTER_AGGREGATE;

    xds_json_key_string_or_null(out, "type",
                                cluster && cluster->kind != XDS_CLUSTER_UNSUPPORTED
                                    ? xds_slice_of(xds_show_cluster_kind(cluster))
                                    : none);
    xds_json_key_string_or_null(
        out, "lb_policy", cluster && !aggregate ? xds_show_policy(show, cluster) : none);
    xds_json_key_string_or_null(out, "endpoints", cluster ? cluster->eds_name : none);
    xds_json_key_string_or_null(out, "dns_name", cluster ? cluster->dns_name : none);
    write_names(out, "children", cluster ? cluster->children : NULL,
                cluster ? cluster->n_children : 0);
}

static void write_localities(struct xds_show *show, const struct xds_locality *list,
                             size_t n, bool all)
{
    struct xds_out *out = show->out;

    for (size_t i = 0; i < n; i++) {
        const struct xds_locality *l = &list[i];

        xds_json_begin_row(out);
        xds_json_locality(out, l);
        xds_json_members(out, "priority: %u, weight: %u", l->priority, l->weight);
        xds_json_key_array(out, "endpoints");
        for (size_t k = 0; k < l->n_endpoints; k++) {
            const struct xds_endpoint *e = &l->endpoints[k];

            if (!all && !xds_show_wants_endpoint(show, e))
                continue;
            xds_json_begin_row(out);
            write_names(out, "addresses", e->addresses, e->n_addresses);
            xds_json_members(out, "weight: %u, health: %s", e->weight,
                             xds_health_name(e->health));
            xds_json_end_object(out);
        }
        xds_json_end_array(out);
        xds_json_end_object(out);
    }
}

static void write_endpoints(struct xds_show *show, const struct xds_endpoints *model,
                            bool all)
{
    xds_json_key_array(show->out, "localities");
    if (model) {
        write_localities(show, model->localities, model->n_localities, all);
        write_localities(show, model->weightless, model->n_weightless, all);
    }
    xds_json_end_array(show->out);
}

static void write_entry(struct xds_show *show, const struct xds_snapshot_entry *entry)
{
    const bool all = xds_show_wants(show, entry->name);

    xds_json_begin_row(show->out);
    write_known(show, entry);
    switch (entry->type) {
    case XDS_TYPE_LISTENER:
        write_listener(show, entry->model, all);
        break;
    case XDS_TYPE_ROUTE:
        write_hosts(show, entry->model, all);
        break;
    case XDS_TYPE_CLUSTER:
        write_cluster(show, entry->model);
        break;
    case XDS_TYPE_ENDPOINT:
        write_endpoints(show, entry->model, all);
        break;
    case XDS_TYPE_UNKNOWN:
        break;
    }
    xds_json_end_object(show->out);
}

static void write_list(struct xds_show *show, const char *key,
                       enum xds_resource_type type)
{
    if (!xds_show_has_list(show, type))
        return;
    xds_json_key_array(xds_json_line(show->out), key);
    for (xds_show_begin(show); show->snapshot; xds_show_next(show)) {
        const struct xds_snapshot_entry *e = show->snapshot->first[type];

        for (; e; e = e->next)
            if (xds_show_wants_entry(show, e))
                write_entry(show, e);
        for (e = show->snapshot->first_absent; e; e = e->next)
            if (e->type == type && xds_show_wants_entry(show, e))
                write_entry(show, e);
    }
    xds_json_end_array(show->out);
}

static void print(struct xds_show *show)
{
    struct xds_out *out = show->out;

    xds_json_begin_document(out);
    xds_json_tool(out);
    xds_json_key_text(out, "client", xds_show_client(show).text);
    write_list(show, "listeners", XDS_TYPE_LISTENER);
    write_list(show, "route_configurations", XDS_TYPE_ROUTE);
    write_list(show, "clusters", XDS_TYPE_CLUSTER);
    write_list(show, "endpoints", XDS_TYPE_ENDPOINT);
    xds_json_key_object(xds_json_line(out), "summary");
    xds_json_members(out, "listeners: %zu, for_clients: %zu, route_configurations: %zu",
                     show->of_type[XDS_TYPE_LISTENER], show->for_clients,
                     show->of_type[XDS_TYPE_ROUTE] + show->inline_configs);
    xds_json_members(out, "routes: %zu, clusters: %zu, endpoints: %zu, not_healthy: %zu",
                     show->routes, show->of_type[XDS_TYPE_CLUSTER], show->endpoints,
                     show->not_healthy);
    xds_json_members(out, "rejected: %zu, other_resources: %zu", show->rejected,
                     show->others);
    xds_json_end_object(out);
    xds_json_end_document(out);
}

enum xds_status xds_print_snapshot_json(const struct xds_printer *to,
                                        struct xds_check *check,
                                        const struct xds_snapshot_view *view)
{
    return xds_show_run(to, check, view, print);
}
