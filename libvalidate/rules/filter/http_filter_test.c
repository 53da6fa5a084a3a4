/* http_filter_test.c - the order of the chain, judged before and after dropping. */
#include <criterion/criterion.h>

#include "rules/filter/filter.h"
#include "rules/kit_test.h"

#define MAX_CHAIN 3

/* A filter of a chain: 'R' the router, 'F' fault, 'B' RBAC, 'X' an unknown type; in
 * lower case it is optional. */
static pb_http_filter *filter(struct kit *kit, char letter, size_t i)
{
    pb_http_filter *pb = XDS_NEW(&kit->arena, pb_http_filter);
    const bool optional = letter >= 'a';
    const ProtobufCMessageDescriptor *type = NULL;

    envoy__extensions__filters__network__http_connection_manager__v3__http_filter__init(
        pb);
    pb->name = (char *)(uintptr_t)xds_arena_printf(&kit->arena, "filter %zu", i).data;
    pb->is_optional = optional;
    pb->config_type_case =
        ENVOY__EXTENSIONS__FILTERS__NETWORK__HTTP_CONNECTION_MANAGER__V3__HTTP_FILTER__CONFIG_TYPE_TYPED_CONFIG;
    switch (optional ? letter - 'a' + 'A' : letter) {
    case 'R':
        type = &envoy__extensions__filters__http__router__v3__router__descriptor;
        break;
    case 'F':
        type = &envoy__extensions__filters__http__fault__v3__httpfault__descriptor;
        break;
    case 'B':
        type = &envoy__extensions__filters__http__rbac__v3__rbac__descriptor;
        break;
    }
    if (!type) {
        pb->typed_config = kit_opaque(kit, "type.googleapis.com/x.Y", XDS_ANY_UNKNOWN);
        return pb;
    }
    ProtobufCMessage *message = xds_arena_zero(&kit->arena, 1, type->sizeof_message);
    protobuf_c_message_init(type, message);
    pb->typed_config = kit_any(kit, message);
    return pb;
}

static const struct row {
    const char *chain;
    const char *findings;
} rows[] = {
    {"R", ""},
    {"FR", ""},
    {"FFR", ""},
    {"", "http_filters http-filters-empty NNNNA"},
    {"F", "http_filters http-filter-last-not-terminal NNNNN"},
    {"RF", "http_filters http-filter-last-not-terminal NNNNN\n"
           "http_filters http-filter-terminal-not-last NNNNN"},
    {"RR", "http_filters http-filter-terminal-not-last NNNNN"},
    {"xR", "http_filters[0].typed_config.value[x.Y] http-filter-optional-unknown SSSSS"},
    {"XR", "http_filters[0].typed_config.value[x.Y] http-filter-unknown NNNNN"},
    /* java and node still see what they dropped */
    {"Rx", "http_filters[1].typed_config.value[x.Y] http-filter-optional-unknown SSSSS\n"
           "http_filters http-filter-last-not-terminal AAANN\n"
           "http_filters http-filter-terminal-not-last AAANN"},
    {"x", "http_filters[0].typed_config.value[x.Y] http-filter-optional-unknown SSSSS\n"
          "http_filters http-filter-last-not-terminal AAANN\n"
          "http_filters http-filters-empty NNNAA"},
    {"BR",
     "http_filters[0].typed_config.value[envoy.extensions.filters.http.rbac.v3.RBAC] "
     "http-filter-unknown AAAAN\n"
     "http_filters[0].typed_config.value[envoy.extensions.filters.http.rbac.v3.RBAC] "
     "http-filter-server-only NNNNA"},
    {"bR",
     "http_filters[0].typed_config.value[envoy.extensions.filters.http.rbac.v3.RBAC] "
     "http-filter-optional-unknown AAAAS\n"
     "http_filters[0].typed_config.value[envoy.extensions.filters.http.rbac.v3.RBAC] "
     "http-filter-optional-server-only SSSSA"},
};

Test(http_filter, each_chain_fires_what_it_lists)
{
    for (const struct row *r = rows; r < rows + XDS_ARRAY_LEN(rows); r++) {
        struct kit *kit = kit_new();
        pb_http_filter *chain[MAX_CHAIN] = {NULL};
        const size_t n = strlen(r->chain);
        struct xds_listener out = {0};

        cr_assert_leq(n, MAX_CHAIN);
        for (size_t i = 0; i < n; i++)
            chain[i] = filter(kit, r->chain[i], i);
        xds_http_filters_read(&kit->ctx, NULL, n, chain, &out);
        cr_expect_eq(out.n_filters, n);
        cr_expect_str_eq(kit_findings(kit), r->findings, "%s", r->chain);
        kit_free(kit);
    }
}

Test(http_filter, a_dropped_filter_keeps_its_name_taken)
{
    struct kit *kit = kit_new();
    pb_http_filter *chain[] = {filter(kit, 'x', 0), filter(kit, 'R', 0)};
    struct xds_listener out = {0};

    xds_http_filters_read(&kit->ctx, NULL, XDS_ARRAY_LEN(chain), chain, &out);
    cr_expect_str_eq(
        kit_findings(kit),
        "http_filters[0].typed_config.value[x.Y] http-filter-optional-unknown SSSSS\n"
        "http_filters[1].name http-filter-duplicate-name NNNNN");
    kit_free(kit);
}

Test(http_filter, node_looks_away_when_its_guard_is_off)
{
    struct kit *kit = kit_new();
    struct xds_listener out = {0};
    pb_http_filter *chain[] = {filter(kit, 'X', 0)};

    kit_set_env(kit, "GRPC_XDS_EXPERIMENTAL_FAULT_INJECTION=false");
    xds_http_filters_read(&kit->ctx, NULL, XDS_ARRAY_LEN(chain), chain, &out);
    cr_expect_str_eq(kit_findings(kit),
                     "http_filters[0].typed_config.value[x.Y] http-filter-unknown NNNNA\n"
                     "http_filters http-filter-last-not-terminal AAANA");
    kit_free(kit);
}
