/*
 * route_configuration.c - turn envoy.config.route.v3.RouteConfiguration into the model.
 *
 * Takes:  a decoded message, of RDS or inline in a listener.
 * Gives:  *out with all virtual hosts, in ctx->arena; always usable.
 * Fires:  the rows of route_configuration.def, and those of what it holds.
 * Source: spec 6.1 and 6.2, gRFC A27, A28.
 */
#include "rules/route_readers.h"

/* The one plugin there is. */
#define RLS_TYPE "grpc.lookup.v1.RouteLookupClusterSpecifier"

unsigned xds_specifier_plugin_readers(const struct xds_ctx *ctx)
{
    const unsigned guarded = XDS_GRFC | XDS_CORE | XDS_JAVA;

    return XDS_GO | (xds_env_mask(ctx->options, XDS_ENV_RLS_LB) & guarded);
}

/* go and java compare the whole type_url, and go does not look into a TypedStruct here
 * (spec G13, G14). */
static unsigned clients_that_know(const struct xds_extension *extension)
{
    if (!xds_slice_is(extension->type, RLS_TYPE))
        return 0;
    if (!extension->url_is_canonical)
        return XDS_GRFC | XDS_CORE;
    return XDS_GRFC | XDS_CORE | XDS_JAVA | (extension->typed_struct ? 0 : XDS_GO);
}

/* at: the path of typed_config. */
static void check_rls(struct xds_ctx *ctx, const struct xds_path *at, unsigned clients,
                      const struct xds_extension *extension)
{
    const struct xds_path *plugin = extension->at;

    if (!extension->message) {
        xds_fire_for(ctx, plugin, clients, XDS_R_CSP_UNDECODABLE,
                     "could not parse plugin config");
        return;
    }
    const pb_route_lookup_cluster_specifier *rls =
        (const pb_route_lookup_cluster_specifier *)(const void *)extension->message;
    if (rls->route_lookup_config)
        xds_route_lookup_config_check(ctx, at, plugin, clients, rls->route_lookup_config);
    else
        xds_fire_for(ctx, XDS_AT(plugin, "route_lookup_config"), clients,
                     XDS_R_CSP_RLS_CONFIG_ABSENT, "field not present");
}

/* The clients to which an optional TypedStruct is of an unknown type from the start, so
 * that not even its faults count (spec G14, G15). */
static unsigned passing_by(const pb_cluster_specifier_plugin *pb)
{
    const pb_any *any = pb->extension->typed_config;

    return any && pb->is_optional && xds_is_typed_struct(xds_any_of(any)->type) ? XDS_GO
                                                                                : 0;
}

/* Returns the clients for which routes with this plugin are kept. A client that rejects
 * the plugin keeps them: it has remembered the name before it looked at the config. */
static unsigned read_config(struct xds_ctx *ctx, const struct xds_path *at,
                            const pb_cluster_specifier_plugin *pb)
{
    const unsigned live = ctx->live;
    struct xds_extension extension;

    ctx->live = live & ~passing_by(pb);
    const bool readable = xds_extension_read(ctx, at, pb->extension->typed_config,
                                             pb->is_optional, &extension);
    ctx->live = live;
    if (!readable)
        return XDS_ALL_CLIENTS & ~extension.skipped_by & ~passing_by(pb);
    const unsigned known_to = clients_that_know(&extension);
    if (known_to)
        check_rls(ctx, at, known_to, &extension);
    if (pb->is_optional)
        return known_to;
    xds_fire_for(ctx, extension.at, XDS_ALL_CLIENTS & ~known_to,
                 XDS_R_CSP_TYPE_UNSUPPORTED, "unsupported ClusterSpecifierPlugin type");
    return XDS_ALL_CLIENTS;
}

static struct xds_specifier_plugin *
plugin_of_name(struct xds_ctx *ctx, struct xds_strmap *plugins, struct xds_slice name)
{
    void **slot = xds_strmap_at(plugins, name);

    if (!*slot)
        *slot = XDS_NEW(ctx->arena, struct xds_specifier_plugin);
    return *slot;
}

/* The last plugin of a name counts, but java prefers one that it supports. */
static void remember(struct xds_specifier_plugin *plugin, unsigned clients,
                     unsigned usable)
{
    plugin->known_to |= clients;
    plugin->usable = usable | (plugin->usable & (XDS_JAVA | ~clients));
}

static void read_plugin(struct xds_ctx *ctx, const struct xds_path *at,
                        const pb_cluster_specifier_plugin *pb, struct xds_strmap *plugins)
{
    if (!pb->extension) {
        /* go and java see a plugin without name and without type. */
        xds_fire_for(ctx, at, pb->is_optional ? XDS_GRFC | XDS_CORE : XDS_ALL_CLIENTS,
                     XDS_R_CSP_EXTENSION_ABSENT, "field not present");
        remember(plugin_of_name(ctx, plugins, XDS_S("")), XDS_GO | XDS_JAVA,
                 pb->is_optional ? 0 : XDS_ALL_CLIENTS);
        return;
    }
    const unsigned usable = read_config(ctx, XDS_AT(at, "typed_config"), pb);
    const struct xds_slice name = xds_slice_of(pb->extension->name);
    struct xds_specifier_plugin *plugin = plugin_of_name(ctx, plugins, name);
    /* core minds any repetition, java only that of a plugin which it supports. */
    const unsigned repeats =
        plugin->known_to & ((plugin->usable & usable & XDS_JAVA) | ~XDS_JAVA);

    if (repeats)
        xds_fire_for(ctx, XDS_AT(at, "name"), repeats, XDS_R_CSP_NAME_DUPLICATE,
                     "duplicate name \"%s\"", pb->extension->name);
    remember(plugin, XDS_ALL_CLIENTS, usable);
}

static void read_plugins(struct xds_ctx *ctx, const struct xds_path *at,
                         const pb_route_configuration *pb, struct xds_strmap *plugins)
{
    const unsigned live = ctx->live;

    ctx->live = live & xds_specifier_plugin_readers(ctx);
    for (size_t i = 0; i < pb->n_cluster_specifier_plugins; i++) {
        const struct xds_path *entry = XDS_AT_I(at, "cluster_specifier_plugins", i);

        read_plugin(ctx, XDS_AT(entry, "extension"), pb->cluster_specifier_plugins[i],
                    plugins);
    }
    ctx->live = live;
}

static const pb_route_lookup_config *lookup_config(const pb_cluster_specifier_plugin *pb)
{
    const pb_route_lookup_cluster_specifier *rls =
        pb->extension && pb->extension->typed_config
            ? xds_any_message(
                  pb->extension->typed_config,
                  &grpc__lookup__v1__route_lookup_cluster_specifier__descriptor)
            : NULL;

    return rls ? rls->route_lookup_config : NULL;
}

static void keep_plugins(struct xds_ctx *ctx, const pb_route_configuration *pb,
                         struct xds_route_config *out)
{
    struct xds_plugin *list =
        XDS_NEW_ARRAY(ctx->arena, struct xds_plugin, pb->n_cluster_specifier_plugins);

    for (size_t i = 0; i < pb->n_cluster_specifier_plugins; i++) {
        const pb_cluster_specifier_plugin *plugin = pb->cluster_specifier_plugins[i];
        const pb_route_lookup_config *config = lookup_config(plugin);

        if (config)
            list[out->n_plugins++] =
                (struct xds_plugin){xds_text(ctx, plugin->extension->name),
                                    xds_route_lookup_policy(ctx->arena, config)};
    }
    out->plugins = list;
}

static void check_named(struct xds_ctx *ctx, const struct xds_path *at,
                        const pb_route_configuration *pb,
                        const struct xds_strmap *plugins)
{
    for (size_t i = 0; i < pb->n_cluster_specifier_plugins; i++) {
        const pb_cluster_specifier_plugin *entry = pb->cluster_specifier_plugins[i];
        const struct xds_specifier_plugin *plugin =
            entry->extension
                ? xds_strmap_get(plugins, xds_slice_of(entry->extension->name))
                : NULL;

        if (plugin && !plugin->is_named)
            xds_fire(ctx, XDS_AT_I(at, "cluster_specifier_plugins", i), XDS_R_CSP_UNUSED,
                     "no route names the plugin \"%s\": it is set up and never asked",
                     entry->extension->name);
    }
}

bool xds_route_config_read(struct xds_ctx *ctx, const struct xds_path *at,
                           const pb_route_configuration *pb, struct xds_route_config *out)
{
    struct xds_virtual_host *hosts =
        XDS_NEW_ARRAY(ctx->arena, struct xds_virtual_host, pb->n_virtual_hosts);
    struct xds_strmap plugins;

    xds_strmap_init(&plugins, ctx->arena);
    read_plugins(ctx, at, pb, &plugins);
    for (size_t i = 0; i < pb->n_virtual_hosts; i++)
        xds_virtual_host_read(ctx, XDS_AT_I(at, "virtual_hosts", i), pb->virtual_hosts[i],
                              &plugins, &hosts[i]);
    *out = (struct xds_route_config){
        .name = xds_text(ctx, pb->name),
        .virtual_hosts = hosts,
        .n_virtual_hosts = pb->n_virtual_hosts,
    };
    check_named(ctx, at, pb, &plugins);
    keep_plugins(ctx, pb, out);
    return true;
}
