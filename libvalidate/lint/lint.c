/*
 * lint.c - checks beyond NACK, as the resources of a snapshot pass and when all have.
 *
 * Source: spec cluster 0.4 "duplicate name inside one response".
 */
#include "lint/lint.h"

static xds_listener_check *const of_listener[] = {
    xds_check_listener_form,  xds_check_session_filters, xds_check_rbac,
    xds_check_server_address, xds_check_server_tls,      xds_check_server_memory,
};

static xds_route_config_check *const of_route_config[] = {
    xds_check_domains,
    xds_check_shadowed_routes,
    xds_check_session_cookies,
    xds_check_rbac_overrides,
};

static xds_virtual_host_check *const of_virtual_host[] = {
    xds_check_default_route,
    xds_check_host_retries,
};

static xds_route_check *const of_route[] = {
    xds_check_route_path,    xds_check_route_headers, xds_check_route_fraction,
    xds_check_route_weights, xds_check_route_timeout, xds_check_route_retries,
    xds_check_route_session,
};

static xds_cluster_check *const of_cluster[] = {
    xds_check_lb_forms,          xds_check_ring_sizes,  xds_check_max_requests,
    xds_check_outlier_detection, xds_check_dns_name,    xds_check_breaker_priority,
    xds_check_breaker_of_dns,    xds_check_cluster_tls,
};

static xds_endpoints_check *const of_endpoints[] = {
    xds_check_usable_endpoints,
    xds_check_locality_weights,
    xds_check_locality_names,
    xds_check_ports,
    xds_check_drops,
};

static xds_graph_check *const of_graph[] = {
    xds_check_targets,    xds_check_dangling,         xds_check_unused,
    xds_check_aggregates, xds_check_hashing, /* needs what the one before leaves in the
                                                clusters */
    xds_check_affinity,   xds_check_authorities,      xds_check_name_styles,
    xds_check_moves,      xds_check_filter_names,     xds_check_server_routes,
    xds_check_timeouts,   xds_check_endpoint_weights, xds_check_removed,
};

static void check_virtual_host(const struct xds_inspection *in, const struct xds_path *at,
                               const struct xds_virtual_host *host)
{
    const unsigned clients = in->report->options.clients;

    for (size_t i = 0; i < XDS_ARRAY_LEN(of_virtual_host); i++)
        of_virtual_host[i](in, at, host);
    for (size_t i = 0; i < host->n_routes; i++)
        for (size_t k = 0; k < XDS_ARRAY_LEN(of_route); k++)
            if (clients & ~host->routes[i].skipped_by)
                of_route[k](in, XDS_AT_I(at, "routes", i), host, &host->routes[i]);
}

static void check_route_config(const struct xds_inspection *in, const struct xds_path *at,
                               const struct xds_route_config *config)
{
    for (size_t i = 0; i < XDS_ARRAY_LEN(of_route_config); i++)
        of_route_config[i](in, at, config);
    for (size_t i = 0; i < config->n_virtual_hosts; i++)
        check_virtual_host(in, XDS_AT_I(at, "virtual_hosts", i),
                           &config->virtual_hosts[i]);
}

static void check_listener(const struct xds_inspection *in,
                           const struct xds_listener *listener)
{
    for (size_t i = 0; i < XDS_ARRAY_LEN(of_listener); i++)
        of_listener[i](in, listener);
    if (listener->route_config)
        check_route_config(in, XDS_AT_INLINE_ROUTES, listener->route_config);
}

/* All checks inside one resource. */
static void checks_of_resource(const struct xds_inspection *in,
                               const struct xds_snapshot_entry *entry)
{
    switch (entry->type) {
    case XDS_TYPE_LISTENER:
        check_listener(in, entry->model);
        break;
    case XDS_TYPE_ROUTE:
        check_route_config(in, NULL, entry->model);
        break;
    case XDS_TYPE_CLUSTER:
        for (size_t i = 0; i < XDS_ARRAY_LEN(of_cluster); i++)
            of_cluster[i](in, entry->model);
        break;
    case XDS_TYPE_ENDPOINT:
        for (size_t i = 0; i < XDS_ARRAY_LEN(of_endpoints); i++)
            of_endpoints[i](in, entry->model);
        break;
    case XDS_TYPE_UNKNOWN:
        break;
    }
}

static void begin_graph(struct xds_lint *lint)
{
    const struct xds_options *options = &lint->report->options;

    const unsigned sessionless = xds_clients_differing(options, XDS_DIFF_SESSION_NONE);
    const unsigned by_aggregate =
        xds_clients_differing(options, XDS_DIFF_LB_AGGREGATE_BY_ITS_OWN) |
        xds_env_mask(options, XDS_ENV_AGGREGATE_CLUSTER_BACKWARD_COMPAT);

    xds_graph_init(&lint->graph, &lint->arena, XDS_ALL_CLIENTS & ~sessionless,
                   by_aggregate);
    lint->graph.keeps_localities = options->compare;
    lint->graph.each_time = options->each_time;
}

void xds_lint_init(struct xds_lint *lint, struct xds_report *report)
{
    *lint = (struct xds_lint){.report = report};
    xds_arena_init(&lint->arena, 0);
    begin_graph(lint);
}

void xds_lint_release(struct xds_lint *lint)
{
    xds_graph_release(&lint->graph);
    xds_arena_release(&lint->arena);
}

void xds_lint_reset(struct xds_lint *lint)
{
    xds_arena_reset(&lint->arena);
    xds_graph_release(&lint->graph);
    begin_graph(lint);
}

static struct xds_inspection inspection(struct xds_lint *lint, struct xds_arena *scratch)
{
    return (struct xds_inspection){
        .report = lint->report, .scratch = scratch, .named = &lint->named};
}

void xds_lint_enter(struct xds_lint *lint, struct xds_node *node)
{
    const struct xds_resource_result *resources = lint->report->resources;
    const struct xds_node *first = xds_graph_enter(&lint->graph, node);

    const bool is_nameless =
        node->name->text.len == 0 && resources[node->resource].is_static;

    if (first != node && !is_nameless) {
        const struct xds_resource_result *before = &resources[first->resource];
        if (xds_report_at(lint->report, xds_rule_row(XDS_R_LINT_DUPLICATE_RESOURCE),
                          node->resource, lint->report->resources[node->resource].at,
                          "\"%.*s\" is already defined; clients use the last valid one "
                          "of a response",
                          XDS_FMT(node->name->text)))
            xds_report_relate(lint->report, first->resource, NULL, &before->at,
                              "the first definition");
    }
}

static void read_node(struct xds_lint *lint, const struct xds_snapshot_entry *entry,
                      struct xds_arena *scratch)
{
    struct xds_node *node = xds_graph_read(&lint->graph, scratch, entry);

    if (lint->part)
        *lint->part = (struct xds_lint_part){node, lint->report->n_findings};
    else
        xds_lint_enter(lint, node);
}

/* An older release for which the checks of a resource were made, and what they asked. */
struct looked {
    size_t reader;
    struct xds_questions questions;
};

/* Would the checks say the same as for an older release that they were made for? */
static bool is_as_before(const struct xds_panel *panel, size_t reader,
                         const struct looked *list, size_t n)
{
    const enum xds_client client = panel->reader[reader].client;

    for (size_t i = n; i-- > 0;)
        if (panel->reader[list[i].reader].client == client &&
            xds_panel_agree(panel, reader, list[i].reader, &list[i].questions))
            return true;
    return false;
}

/* The same checks for the older releases that were asked for, the newest one first. Most
 * answer all that the checks ask as the one before did. */
static void checks_of_older(const struct xds_lint *lint, struct xds_inspection in,
                            const struct xds_snapshot_entry *entry, size_t first)
{
    struct xds_report *report = in.report;
    const struct xds_options asked = report->options;
    struct looked list[XDS_MAX_READERS];
    size_t n = 0;

    in.first = first;
    report->of_older = true;
    for (size_t i = XDS_CLIENTS; i < report->readers.n; i++) {
        const struct xds_client_release *who = &report->readers.at[i];

        if (!(asked.clients & XDS_CLIENT_BIT(who->client)) ||
            (!lint->is_thorough && is_as_before(lint->panel, i, list, n)))
            continue;
        in.older = who;
        report->options.clients = XDS_CLIENT_BIT(who->client);
        report->options.release[who->client] = who->release;
        list[n] = (struct looked){.reader = i};
        xds_note_questions(&list[n++].questions);
        checks_of_resource(&in, entry);
        xds_note_questions(NULL);
        report->options = asked;
    }
    report->of_older = false;
}

void xds_lint_add(struct xds_lint *lint, const struct xds_snapshot_entry *entry,
                  struct xds_arena *scratch)
{
    struct xds_inspection in = inspection(lint, scratch);

    if (entry->type == XDS_TYPE_UNKNOWN)
        return;
    in.resource = entry->resource;
    if (!entry->held || !entry->held->is_rejected)
        read_node(lint, entry, scratch);
    if (!entry->model)
        return;
    const size_t first = lint->report->n_findings;

    checks_of_resource(&in, entry);
    if (lint->report->readers.n > XDS_CLIENTS)
        checks_of_older(lint, in, entry, first);
}

void xds_lint_against(struct xds_lint *lint, const struct xds_lint *old)
{
    lint->before = (struct xds_before){.graph = &old->graph, .report = old->report};
    xds_strmap_init(&lint->before.files, &lint->arena);
    lint->graph.before = &lint->before;
}

/* A fault of syntax that is in no resource ends what can be read of its file. */
static bool is_cut_off(const struct xds_report *report)
{
    for (size_t i = 0; i < report->n_findings; i++)
        if (report->findings[i].rule->effect == XDS_EFFECT_SYNTAX &&
            report->findings[i].resource == XDS_NO_RESOURCE)
            return true;
    return false;
}

void xds_lint_finish(struct xds_lint *lint)
{
    /* What is reported once says how often it was found. */
    struct xds_report *report = lint->report;

    for (size_t i = 0; i < report->n_findings; i++) {
        struct xds_finding *finding = &report->findings[i];

        if (finding->repeats > 0)
            finding->message =
                xds_arena_printf(&report->arena, "%.*s; %u more time%s in this input",
                                 XDS_FMT(finding->message), finding->repeats,
                                 finding->repeats == 1 ? "" : "s");
    }
    xds_lint_end_snapshot(lint);
}

void xds_lint_end_snapshot(struct xds_lint *lint)
{
    struct xds_inspection in = inspection(lint, &lint->arena);

    lint->graph.has_gaps = lint->graph.has_gaps || is_cut_off(lint->report);
    xds_graph_link(&lint->graph);
    xds_graph_choose(&in, &lint->graph);
    /* All checks across resources. */
    for (size_t i = 0; i < XDS_ARRAY_LEN(of_graph); i++) {
        in.report->of_resource = 0; /* a flood of one check leaves room for the next */
        of_graph[i](&in, &lint->graph);
    }
    xds_graph_find_impact(&in, &lint->graph);
}
