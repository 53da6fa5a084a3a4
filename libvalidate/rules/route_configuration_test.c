/*
 * route_configuration_test.c - cluster specifier plugins: who knows one, who rejects it,
 * and for whom a route that names it is there.
 */
#include <criterion/criterion.h>

#include "rules/kit_test.h"
#include "rules/inner.h"

#define RLS "grpc.lookup.v1.RouteLookupClusterSpecifier"
#define TYPED_STRUCT "xds.type.v3.TypedStruct"
#define FIRST "cluster_specifier_plugins[0].extension"
#define SECOND "cluster_specifier_plugins[1].extension"
#define ROUTE "virtual_hosts[0].routes[0].route.cluster_specifier_plugin "
#define NOT_READ ROUTE "route-cluster-specifier-plugin-not-read "
#define UNSUPPORTED ROUTE "route-cluster-specifier-plugin-unsupported "
#define UNKNOWN ROUTE "route-cluster-specifier-plugin-unknown "

enum kind {
    NO_PLUGIN,
    NO_EXTENSION,
    RLS_CONFIG,
    RLS_OF_OTHER_URL,
    RLS_AS_STRUCT,
    NO_SUCH
};

static const struct plugins {
    struct one {
        enum kind kind;
        bool optional;
    } list[2]; /* all of the name "p" */
    const char *route;
    unsigned skipped_by;
    const char *findings;
} rows[] = {
    {{{RLS_CONFIG, false}}, "p", 0, NOT_READ "AAAAN"},
    {{{NO_PLUGIN, false}}, "p", 0, NOT_READ "AAAAN\n" UNKNOWN "NNNNA"},
    {{{RLS_CONFIG, false}, {RLS_CONFIG, false}},
     "p",
     0,
     SECOND ".name cluster-specifier-plugin-name-duplicate NNANA\n" NOT_READ "AAAAN"},
    /* The last one counts, but java prefers what it supports. */
    {{{RLS_CONFIG, false}, {NO_SUCH, true}},
     "p",
     XDS_GRFC | XDS_CORE | XDS_GO,
     SECOND ".name cluster-specifier-plugin-name-duplicate NNAAA\n" NOT_READ
            "AAAAN\n" UNSUPPORTED "SSSAA"},
    {{{NO_SUCH, true}},
     "p",
     XDS_ALL_CLIENTS & ~XDS_NODE,
     NOT_READ "AAAAN\n" UNSUPPORTED "SSSSA"},
    {{{NO_SUCH, false}},
     "p",
     0,
     FIRST ".typed_config.value[no.such.Type] cluster-specifier-plugin-type-unsupported "
           "NNNNA\n" NOT_READ "AAAAN"},
    /* go and java compare all of the URL. */
    {{{RLS_OF_OTHER_URL, true}},
     "p",
     XDS_GO | XDS_JAVA,
     NOT_READ "AAAAN\n" UNSUPPORTED "AASSA"},
    {{{RLS_OF_OTHER_URL, false}},
     "p",
     0,
     FIRST ".typed_config.value[" RLS
           "] cluster-specifier-plugin-type-unsupported AANNA\n" NOT_READ "AAAAN"},
    /* go does not look into a TypedStruct. */
    {{{RLS_AS_STRUCT, false}},
     "p",
     0,
     FIRST ".typed_config.value[" TYPED_STRUCT "].value[" RLS
           "] cluster-specifier-plugin-undecodable NNANA\n" FIRST
           ".typed_config.value[" TYPED_STRUCT "].value[" RLS
           "] cluster-specifier-plugin-type-unsupported AANAA\n" NOT_READ "AAAAN"},
    /* go and java keep it under the empty name, which no route can use in core. */
    {{{NO_EXTENSION, true}},
     "",
     XDS_GO | XDS_JAVA,
     FIRST " cluster-specifier-plugin-extension-absent NNAAA\n" NOT_READ "AAAAN\n" ROUTE
           "route-cluster-specifier-plugin-empty NNAAA\n" UNSUPPORTED "AASSA"},
};

struct sample {
    pb_route_configuration pb;
    pb_cluster_specifier_plugin plugin[2], *plugins[2];
    pb_route_lookup_cluster_specifier rls;
    pb_route_lookup_config rls_config;
    pb_grpc_key_builder builder, *builders[1];
    pb_grpc_key_builder_name name, *names[1];
    pb_xds_typed_struct typed_struct;
    pb_virtual_host host, *hosts[1];
    pb_route route, *routes[1];
    pb_route_match match;
    pb_route_action action;
    char *domains[1];
    char all[2], p[2], empty[1], named[2], rls_url[72], other_url[72];
};

static pb_any *config_of(struct kit *kit, struct sample *s, enum kind kind)
{
    pb_any *any = NULL;

    switch (kind) {
    case RLS_CONFIG:
        return kit_any(kit, &s->rls.base);
    case RLS_OF_OTHER_URL:
        any = kit_any(kit, &s->rls.base);
        any->type_url = s->other_url;
        break;
    case RLS_AS_STRUCT:
        return kit_any(kit, &s->typed_struct.base);
    case NO_SUCH:
        return kit_opaque(kit, "type.googleapis.com/no.such.Type", XDS_ANY_UNKNOWN);
    case NO_PLUGIN:
    case NO_EXTENSION:
        break;
    }
    return any;
}

static void add_plugins(struct kit *kit, struct sample *s, const struct plugins *row)
{
    for (size_t i = 0; i < 2 && row->list[i].kind != NO_PLUGIN; i++) {
        envoy__config__route__v3__cluster_specifier_plugin__init(&s->plugin[i]);
        s->plugins[i] = &s->plugin[i];
        s->plugin[i].is_optional = row->list[i].optional;
        s->pb.n_cluster_specifier_plugins++;
        if (row->list[i].kind == NO_EXTENSION)
            continue;
        pb_typed_extension_config *extension =
            XDS_NEW(&kit->arena, pb_typed_extension_config);
        envoy__config__core__v3__typed_extension_config__init(extension);
        extension->name = s->p;
        extension->typed_config = config_of(kit, s, row->list[i].kind);
        s->plugin[i].extension = extension;
    }
    s->pb.cluster_specifier_plugins = s->plugins;
}

static void init_route(struct sample *s, const char *plugin)
{
    envoy__config__route__v3__route__init(&s->route);
    envoy__config__route__v3__route_match__init(&s->match);
    envoy__config__route__v3__route_action__init(&s->action);
    memcpy(s->named, plugin, strlen(plugin) + 1);
    s->action.cluster_specifier_case =
        ENVOY__CONFIG__ROUTE__V3__ROUTE_ACTION__CLUSTER_SPECIFIER_CLUSTER_SPECIFIER_PLUGIN;
    s->action.cluster_specifier_plugin = s->named;
    s->match.path_specifier_case =
        ENVOY__CONFIG__ROUTE__V3__ROUTE_MATCH__PATH_SPECIFIER_PREFIX;
    s->match.prefix = s->empty;
    s->route.match = &s->match;
    s->route.action_case = ENVOY__CONFIG__ROUTE__V3__ROUTE__ACTION_ROUTE;
    s->route.route = &s->action;
}

static void add_host(struct sample *s)
{
    envoy__config__route__v3__virtual_host__init(&s->host);
    s->routes[0] = &s->route;
    s->host.routes = s->routes;
    s->host.n_routes = 1;
    s->domains[0] = s->all;
    s->host.domains = s->domains;
    s->host.n_domains = 1;
    s->hosts[0] = &s->host;
    s->pb.virtual_hosts = s->hosts;
    s->pb.n_virtual_hosts = 1;
}

/* The least that the policy accepts. */
static void init_rls(struct sample *s)
{
    grpc__lookup__v1__route_lookup_cluster_specifier__init(&s->rls);
    grpc__lookup__v1__route_lookup_config__init(&s->rls_config);
    grpc__lookup__v1__grpc_key_builder__init(&s->builder);
    grpc__lookup__v1__grpc_key_builder__name__init(&s->name);
    s->name.service = s->p;
    s->names[0] = &s->name;
    s->builder.names = s->names;
    s->builder.n_names = 1;
    s->builders[0] = &s->builder;
    s->rls_config.grpc_keybuilders = s->builders;
    s->rls_config.n_grpc_keybuilders = 1;
    s->rls_config.lookup_service = s->p;
    s->rls_config.cache_size_bytes = 1;
    s->rls.route_lookup_config = &s->rls_config;
}

static void sample_init(struct kit *kit, struct sample *s, const struct plugins *row)
{
    *s = (struct sample){.all = "*",
                         .p = "p",
                         .rls_url = "type.googleapis.com/" RLS,
                         .other_url = "types.example.com/" RLS};
    envoy__config__route__v3__route_configuration__init(&s->pb);
    xds__type__v3__typed_struct__init(&s->typed_struct);
    init_rls(s);
    s->typed_struct.type_url = s->rls_url;
    add_plugins(kit, s, row);
    init_route(s, row->route);
    add_host(s);
}

static unsigned skipped_by(const struct xds_route_config *config)
{
    return (unsigned)config->virtual_hosts[0].routes[0].skipped_by;
}

Test(route_configuration, each_client_has_its_own_idea_of_a_plugin)
{
    for (size_t i = 0; i < XDS_ARRAY_LEN(rows); i++) {
        struct kit *kit = kit_new();
        struct xds_route_config config;
        struct sample s;

        sample_init(kit, &s, &rows[i]);
        cr_assert(xds_route_config_read(&kit->ctx, NULL, &s.pb, &config));
        cr_expect_str_eq(kit_findings(kit), rows[i].findings, "row %zu", i);
        cr_expect_eq(skipped_by(&config), rows[i].skipped_by, "row %zu", i);
        kit_free(kit);
    }
}

Test(route_configuration, without_the_guard_a_route_with_a_plugin_is_skipped)
{
    const struct plugins row = {{{NO_SUCH, false}}, "p", 0, ""};
    struct kit *kit = kit_new();
    struct xds_route_config config;
    struct sample s;

    kit_set_env(kit, "GRPC_EXPERIMENTAL_XDS_RLS_LB=false");
    sample_init(kit, &s, &row);
    cr_assert(xds_route_config_read(&kit->ctx, NULL, &s.pb, &config));
    /* go has no guard: it still rejects the type. */
    cr_expect_str_eq(kit_findings(kit),
                     FIRST ".typed_config.value[no.such.Type] "
                           "cluster-specifier-plugin-type-unsupported AANAA\n" NOT_READ
                           "SSASN");
    cr_expect_eq(skipped_by(&config), XDS_GRFC | XDS_CORE | XDS_JAVA);
    kit_free(kit);
}
