/*
 * route_configuration.c - turn envoy.config.route.v3.RouteConfiguration into the model.
 *
 * Source: gRFC A27, A28, spec listener 6.
 */
#include "rules/inner.h"

/* ---- virtual hosts ---- */

/* Of java's own check, which it makes when it looks at the domain. */
static struct xds_killing check_ends(struct xds_ctx *ctx, const struct xds_path *at,
                                     struct xds_slice domain)
{
    const enum xds_rule_id rule =
        domain.len ? XDS_R_VH_DOMAIN_EDGE_DOT : XDS_R_VH_DOMAIN_EMPTY;

    if (domain.len && domain.data[0] != '.' && domain.data[domain.len - 1] != '.')
        return (struct xds_killing){0, NULL, NULL};
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

/* core counts backoffs in whole milliseconds. */
static bool fails_in_core(const struct xds_retry_policy *policy)
{
    const int64_t ms = 1000000;

    return policy->codes &&
           (policy->num_retries >= INT32_MAX || policy->base_interval_ns < ms ||
            policy->max_interval_ns < ms);
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

static bool is_default_route(const struct xds_route *route)
{
    const struct xds_route_match *match = &route->match;

    return route->action == XDS_ACTION_CLUSTER && match->path.kind == XDS_MATCH_PREFIX &&
           match->path.text.len == 0 && match->n_headers == 0 && !match->has_fraction;
}

/* Without GRPC_XDS_EXPERIMENTAL_ROUTING the last route is the only one. */
static void skip_but_default(struct xds_ctx *ctx, const struct xds_path *at, size_t n,
                             struct xds_route *routes)
{
    const xds_readers without = ~xds_guarded_by(ctx, XDS_ENV_ROUTING) & ctx->live;
    struct xds_slice why = XDS_S("the route is not the last one");
    const char *reason =
        "without GRPC_XDS_EXPERIMENTAL_ROUTING only the last route is read";

    for (size_t i = 0; i < n && without; i++) {
        if (i + 1 == n) {
            if (is_default_route(&routes[i]))
                return;
            why = XDS_S("the last route does not send every RPC to a cluster");
            reason =
                "without GRPC_XDS_EXPERIMENTAL_ROUTING the last route must send every "
                "RPC to a cluster";
        }
        xds_route_skip(&routes[i],
                       xds_fire_skip(XDS_AMONG(ctx, without), XDS_AT_I(at, "routes", i),
                                     XDS_R_ROUTE_NOT_DEFAULT, XDS_WITH(why)),
                       reason);
    }
}

static void read_virtual_host(struct xds_ctx *ctx, const struct xds_path *at,
                              const pb_virtual_host *pb, const struct xds_strmap *plugins,
                              struct xds_virtual_host *out)
{
    struct xds_route *routes = XDS_NEW_ARRAY(ctx->arena, struct xds_route, pb->n_routes);

    out->name = xds_text(ctx, pb->name);

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
    xds_typed_per_filter_config_read(ctx, at, pb->n_typed_per_filter_config,
                                     pb->typed_per_filter_config, &out->overrides);
    out->retry_policy =
        xds_retry_policy_read(XDS_AMONG(ctx, ~xds_who(ctx, XDS_DIFF_RETRY_OF_HOST)),
                              XDS_AT(at, "retry_policy"), pb->retry_policy);
    ctx->in_use = &out->killing;
    for (size_t i = 0; i < pb->n_routes; i++)
        xds_route_read(ctx, XDS_AT_I(at, "routes", i), pb->routes[i], plugins,
                       &routes[i]);
    ctx->in_use = NULL;
    out->routes = routes;
    out->n_routes = pb->n_routes;
    check_non_forwarding(ctx, at, out);
    skip_but_default(ctx, at, pb->n_routes, routes);

    /* core makes a method config of every route that forwards (SC10, RP5, RP8, RP9). */
    const xds_readers failing = xds_who(ctx, XDS_DIFF_RETRY_FAILS_ALL);

    for (size_t i = 0; i < out->n_routes && !out->unusable; i++) {
        const struct xds_route *route = &out->routes[i];
        const bool forwards = route->action == XDS_ACTION_CLUSTER ||
                              route->action == XDS_ACTION_WEIGHTED ||
                              route->action == XDS_ACTION_PLUGIN;
        const struct xds_retry_policy *policy =
            route->retry_policy ? route->retry_policy : out->retry_policy;

        if (forwards && (failing & ~route->skipped_by) && policy && fails_in_core(policy))
            out->unusable = policy;
    }
}

/* ---- the resource ---- */

/* The one plugin there is. */
#define RLS_TYPE "grpc.lookup.v1.RouteLookupClusterSpecifier"

static xds_readers known_to(const struct xds_ctx *ctx,
                            const struct xds_extension *extension)
{
    if (!xds_slice_is(extension->type, RLS_TYPE))
        return 0;
    return ~((extension->url_is_canonical ? 0 : xds_who(ctx, XDS_DIFF_TYPE_URL_WHOLE)) |
             (extension->typed_struct ? xds_who(ctx, XDS_DIFF_PLUGIN_TYPED_STRUCT) : 0));
}

/* at: the path of typed_config. */
static void check_rls(struct xds_ctx *ctx, const struct xds_path *at, xds_readers who,
                      const struct xds_extension *extension)
{
    const struct xds_path *plugin = extension->at;

    if (!extension->message) {
        xds_fire_for(ctx, plugin, who, XDS_R_CSP_UNDECODABLE, NULL);
        return;
    }
    const pb_route_lookup_cluster_specifier *rls =
        (const pb_route_lookup_cluster_specifier *)(const void *)extension->message;
    if (rls->route_lookup_config)
        xds_route_lookup_config_check(ctx, at, plugin, who, rls->route_lookup_config);
    else
        xds_fire_for(ctx, plugin, who, XDS_R_CSP_RLS_CONFIG_ABSENT, NULL);
}

/* Returns those for which routes with this plugin are kept. Who rejects the plugin keeps
 * them: it has stored the name before it reads the config. */
static xds_readers read_config(struct xds_ctx *ctx, const struct xds_path *at,
                               const pb_cluster_specifier_plugin *pb)
{
    /* Those to which an optional TypedStruct is of an unknown type from the start, so
     * that not even its faults count. */
    const pb_any *any = pb->extension->typed_config;

    const xds_readers ignoring =
        any && pb->is_optional && xds_is_typed_struct(xds_any_of(any)->type)
            ? xds_who(ctx, XDS_DIFF_PLUGIN_TYPED_STRUCT)
            : 0;
    const size_t findings = ctx->report->n_findings;
    struct xds_extension extension;

    if (!xds_extension_read(XDS_AMONG(ctx, ~ignoring), at, pb->extension->typed_config,
                            pb->is_optional, &extension))
        return ~(extension.skipped_by | ignoring);
    const xds_readers who = known_to(ctx, &extension);
    if (who) /* but those to whom the value of a TypedStruct is not JSON */
        check_rls(ctx, at, who & ~xds_report_rejecting(ctx->report, findings),
                  &extension);
    if (pb->is_optional)
        return who;
    xds_fire_for(ctx, extension.at, ~who, XDS_R_CSP_TYPE_UNSUPPORTED,
                 XDS_WITH(extension.type));
    return XDS_EVERYONE;
}

static struct xds_specifier_plugin *
plugin_of_name(struct xds_ctx *ctx, struct xds_strmap *plugins, struct xds_slice name)
{
    void **slot = xds_strmap_at(plugins, name);

    if (!*slot)
        *slot = XDS_NEW(ctx->arena, struct xds_specifier_plugin);
    return *slot;
}

/* The last plugin of a name counts, but for those that keep only names of plugins that
 * they support. */
static void remember(const struct xds_ctx *ctx, struct xds_specifier_plugin *plugin,
                     xds_readers who, xds_readers usable)
{
    plugin->known_to |= who;
    plugin->usable =
        usable | (plugin->usable & (xds_who(ctx, XDS_DIFF_PLUGIN_NAME_OF_KNOWN) | ~who));
}

static void read_plugin(struct xds_ctx *ctx, const struct xds_path *at,
                        const pb_cluster_specifier_plugin *pb, struct xds_strmap *plugins)
{
    const xds_readers of_known = xds_who(ctx, XDS_DIFF_PLUGIN_NAME_OF_KNOWN);
    const xds_readers lenient = xds_who(ctx, XDS_DIFF_PLUGIN_EXTENSION_OPTIONAL);

    if (!pb->extension) {
        xds_fire_for(ctx, at, pb->is_optional ? ~lenient : XDS_EVERYONE,
                     XDS_R_CSP_EXTENSION_ABSENT, NULL);
        remember(ctx, plugin_of_name(ctx, plugins, XDS_S("")), lenient,
                 pb->is_optional ? 0 : XDS_EVERYONE);
        return;
    }
    const xds_readers usable = read_config(ctx, XDS_AT(at, "typed_config"), pb);
    const struct xds_slice name = xds_slice_of(pb->extension->name);
    struct xds_specifier_plugin *plugin = plugin_of_name(ctx, plugins, name);
    const xds_readers repeats =
        plugin->known_to & ((plugin->usable & usable) | ~of_known);

    if (repeats)
        xds_fire_for(ctx, at, repeats, XDS_R_CSP_NAME_DUPLICATE, XDS_WITH(name));
    remember(ctx, plugin, XDS_EVERYONE, usable);
}

static void keep_plugins(struct xds_ctx *ctx, const pb_route_configuration *pb,
                         struct xds_route_config *out)
{
    struct xds_plugin *list =
        XDS_NEW_ARRAY(ctx->arena, struct xds_plugin, pb->n_cluster_specifier_plugins);

    for (size_t i = 0; i < pb->n_cluster_specifier_plugins; i++) {
        const pb_cluster_specifier_plugin *plugin = pb->cluster_specifier_plugins[i];
        const pb_route_lookup_cluster_specifier *rls =
            plugin->extension && plugin->extension->typed_config
                ? xds_any_message(
                      plugin->extension->typed_config,
                      &grpc__lookup__v1__route_lookup_cluster_specifier__descriptor)
                : NULL;

        const pb_route_lookup_config *config = rls ? rls->route_lookup_config : NULL;

        if (config)
            list[out->n_plugins++] =
                (struct xds_plugin){xds_text(ctx, plugin->extension->name),
                                    xds_route_lookup_policy(ctx->arena, config)};
    }
    out->plugins = list;
}

bool xds_route_config_read(struct xds_ctx *ctx, const struct xds_path *at,
                           const pb_route_configuration *pb, struct xds_route_config *out)
{
    struct xds_virtual_host *hosts =
        XDS_NEW_ARRAY(ctx->arena, struct xds_virtual_host, pb->n_virtual_hosts);
    xds_readers *const around = ctx->nacking;
    struct xds_strmap plugins;

    xds_strmap_init(&plugins, ctx->arena);

    struct xds_ctx *reading = XDS_AMONG(ctx, xds_guarded_by(ctx, XDS_ENV_RLS_LB));

    for (size_t i = 0; i < pb->n_cluster_specifier_plugins; i++) {
        const struct xds_path *entry = XDS_AT_I(at, "cluster_specifier_plugins", i);

        read_plugin(reading, XDS_AT(entry, "extension"), pb->cluster_specifier_plugins[i],
                    &plugins);
    }
    for (size_t i = 0; i < pb->n_virtual_hosts; i++) {
        ctx->nacking = &hosts[i].nacking;
        read_virtual_host(ctx, XDS_AT_I(at, "virtual_hosts", i), pb->virtual_hosts[i],
                          &plugins, &hosts[i]);
    }
    ctx->nacking = around;
    *out = (struct xds_route_config){
        .name = xds_text(ctx, pb->name),
        .virtual_hosts = hosts,
        .n_virtual_hosts = pb->n_virtual_hosts,
    };
    for (size_t i = 0; i < pb->n_cluster_specifier_plugins; i++) {
        const pb_cluster_specifier_plugin *entry = pb->cluster_specifier_plugins[i];
        const struct xds_specifier_plugin *plugin =
            entry->extension
                ? xds_strmap_get(&plugins, xds_slice_of(entry->extension->name))
                : NULL;

        if (plugin && !plugin->is_named)
            xds_fire_with(ctx, XDS_AT_I(at, "cluster_specifier_plugins", i),
                          XDS_R_CSP_UNUSED,
                          XDS_WITH(xds_slice_of(entry->extension->name)));
    }
    keep_plugins(ctx, pb, out);
    return true;
}
