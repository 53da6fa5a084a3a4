/*
 * route_configuration.c - envoy.config.route.v3.RouteConfiguration, and its cluster
 * specifier plugins.
 *
 * Source: gRFC A27, A28, spec listener 6.1, 6.2.
 */
#include "rules/route_readers.h"

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

/* Those to which an optional TypedStruct is of an unknown type from the start, so that
 * not even its faults count. */
static xds_readers not_looking_into(const struct xds_ctx *ctx,
                                    const pb_cluster_specifier_plugin *pb)
{
    const pb_any *any = pb->extension->typed_config;

    return any && pb->is_optional && xds_is_typed_struct(xds_any_of(any)->type)
               ? xds_who(ctx, XDS_DIFF_PLUGIN_TYPED_STRUCT)
               : 0;
}

/* Returns those for which routes with this plugin are kept. Who rejects the plugin keeps
 * them: it has stored the name before it reads the config. */
static xds_readers read_config(struct xds_ctx *ctx, const struct xds_path *at,
                               const pb_cluster_specifier_plugin *pb)
{
    const xds_readers live = ctx->live, ignoring = not_looking_into(ctx, pb);
    struct xds_extension extension;

    ctx->live = live & ~ignoring;
    const bool readable = xds_extension_read(ctx, at, pb->extension->typed_config,
                                             pb->is_optional, &extension);
    ctx->live = live;
    if (!readable)
        return ~(extension.skipped_by | ignoring);
    const xds_readers who = known_to(ctx, &extension);
    if (who)
        check_rls(ctx, at, who, &extension);
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

static void read_plugins(struct xds_ctx *ctx, const struct xds_path *at,
                         const pb_route_configuration *pb, struct xds_strmap *plugins)
{
    const xds_readers live = ctx->live;

    ctx->live = live & xds_guarded_by(ctx, XDS_ENV_RLS_LB);
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
            xds_fire_with(ctx, XDS_AT_I(at, "cluster_specifier_plugins", i),
                          XDS_R_CSP_UNUSED,
                          XDS_WITH(xds_slice_of(entry->extension->name)));
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
