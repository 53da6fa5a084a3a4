/*
 * virtual_host.c - envoy.config.route.v3.VirtualHost.
 *
 * Source: gRFC A27, spec listener 6.3.
 */
#include "rules/route_readers.h"

/* Of java's own check, which it makes when it looks at the domain. */
static struct xds_killing check_ends(struct xds_ctx *ctx, const struct xds_path *at,
                                     struct xds_slice domain)
{
    const enum xds_rule_id rule =
        domain.len ? XDS_R_VH_DOMAIN_EDGE_DOT : XDS_R_VH_DOMAIN_EMPTY;

    if (domain.len && domain.data[0] != '.' && domain.data[domain.len - 1] != '.')
        return (struct xds_killing){0, NULL};
    xds_fire_with(ctx, at, rule, XDS_WITH(domain));
    return xds_killing_of(ctx, rule);
}

static void check_star(struct xds_ctx *ctx, const struct xds_path *at,
                       struct xds_slice domain)
{
    const size_t star = xds_slice_find(domain, '*');
    const struct xds_slice rest = xds_slice_from(domain, star + 1);

    if (star == domain.len)
        return;
    if (star > 0 && domain.data[domain.len - 1] != '*')
        xds_fire_with(ctx, at, XDS_R_VH_DOMAIN_WILDCARD_INSIDE, XDS_WITH(domain));
    else if (xds_slice_find(rest, '*') < rest.len)
        xds_fire_with(ctx, at, XDS_R_VH_DOMAIN_TWO_WILDCARDS, XDS_WITH(domain));
}

static void read_domains(struct xds_ctx *ctx, const struct xds_path *at,
                         const pb_virtual_host *pb, struct xds_virtual_host *out)
{
    struct xds_slice *domains =
        XDS_NEW_ARRAY(ctx->arena, struct xds_slice, pb->n_domains);
    struct xds_killing *killing = NULL;

    if (pb->n_domains == 0)
        xds_fire_with(ctx, at, XDS_R_VH_DOMAINS_EMPTY, XDS_WITH(out->name));
    for (size_t i = 0; i < pb->n_domains; i++) {
        const struct xds_path *here = XDS_AT_I(at, "domains", i);

        domains[i] = xds_text(ctx, pb->domains[i]);
        const struct xds_killing by = check_ends(ctx, here, domains[i]);
        check_star(ctx, here, domains[i]);
        if (by.readers && !killing)
            killing = XDS_NEW_ARRAY(ctx->arena, struct xds_killing, pb->n_domains);
        if (by.readers)
            killing[i] = by;
    }
    out->domains = domains;
    out->n_domains = pb->n_domains;
    out->domain_killing = killing;
}

/* core counts backoffs in whole milliseconds. */
static bool fails_in_core(const struct xds_retry_policy *policy)
{
    const int64_t ms = 1000000;

    return policy->codes &&
           (policy->num_retries >= INT32_MAX || policy->base_interval_ns < ms ||
            policy->max_interval_ns < ms);
}

/* core makes a method config of every route that forwards (SC10, RP5, RP8, RP9). */
static void find_unusable_policy(const struct xds_ctx *ctx, struct xds_virtual_host *host)
{
    const xds_readers failing = xds_who(ctx, XDS_DIFF_RETRY_FAILS_ALL);

    for (size_t i = 0; i < host->n_routes && !host->unusable; i++) {
        const struct xds_route *route = &host->routes[i];
        const bool forwards = route->action == XDS_ACTION_CLUSTER ||
                              route->action == XDS_ACTION_WEIGHTED ||
                              route->action == XDS_ACTION_PLUGIN;
        const struct xds_retry_policy *policy =
            route->retry_policy ? route->retry_policy : host->retry_policy;

        if (forwards && (failing & ~route->skipped_by) && policy && fails_in_core(policy))
            host->unusable = policy;
    }
}

static bool forwards_none(const struct xds_virtual_host *host)
{
    for (size_t i = 0; i < host->n_routes; i++)
        if (host->routes[i].action != XDS_ACTION_NON_FORWARDING)
            return false;
    return true;
}

/* Who refers to a RouteConfiguration of its own is not known here. */
static void check_non_forwarding(struct xds_ctx *ctx, const struct xds_path *at,
                                 struct xds_virtual_host *host)
{
    const enum xds_rule_id rule = XDS_R_ROUTE_NON_FORWARDING;
    const bool inside = at && at->up;

    for (size_t i = 0; i < host->n_routes; i++) {
        if (host->routes[i].action != XDS_ACTION_NON_FORWARDING)
            continue;
        const struct xds_killing killing = xds_killing_of(ctx, rule);

        if (killing.readers && !host->killing.readers)
            host->killing.rule = killing.rule;
        host->killing.readers |= killing.readers;
        if (inside || !forwards_none(host))
            xds_fire(ctx, XDS_AT_I(at, "routes", i), rule);
    }
}

void xds_virtual_host_read(struct xds_ctx *ctx, const struct xds_path *at,
                           const pb_virtual_host *pb, const struct xds_strmap *plugins,
                           struct xds_virtual_host *out)
{
    const xds_readers live = ctx->live;
    struct xds_route *routes = XDS_NEW_ARRAY(ctx->arena, struct xds_route, pb->n_routes);

    out->name = xds_text(ctx, pb->name);
    read_domains(ctx, at, pb, out);
    xds_typed_per_filter_config_read(ctx, at, pb->n_typed_per_filter_config,
                                     pb->typed_per_filter_config, &out->overrides);
    ctx->live = live & ~xds_who(ctx, XDS_DIFF_RETRY_OF_HOST);
    out->retry_policy =
        xds_retry_policy_read(ctx, XDS_AT(at, "retry_policy"), pb->retry_policy);
    ctx->live = live;
    ctx->in_use = &out->killing;
    for (size_t i = 0; i < pb->n_routes; i++)
        xds_route_read(ctx, XDS_AT_I(at, "routes", i), pb->routes[i], plugins,
                       &routes[i]);
    ctx->in_use = NULL;
    out->routes = routes;
    out->n_routes = pb->n_routes;
    check_non_forwarding(ctx, at, out);
    find_unusable_policy(ctx, out);
}
