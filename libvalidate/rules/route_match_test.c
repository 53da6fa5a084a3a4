/* route_match_test.c - paths that no gRPC request has, and how case is kept. */
#include <criterion/criterion.h>

#include <stdio.h>

#include "rules/kit_test.h"
#include "rules/inner.h"

#define PB_PATH(name) ENVOY__CONFIG__ROUTE__V3__ROUTE_MATCH__PATH_SPECIFIER_##name

static const struct shape {
    const char *text;
    bool prefix_fits, path_fits;
} shapes[] = {
    {"", true, false},      {"/", true, false},    {"/s", true, false},
    {"/s/", true, false},   {"/s/m", true, true},  {"/s/m/", false, false},
    {"/s//", false, false}, {"//", false, false},  {"//m", false, false},
    {"s/m", false, false},  {"///", false, false}, {"/s/m/x", false, false},
};

static unsigned skipped_by(const char *text, bool as_prefix)
{
    struct kit *kit = kit_new();
    pb_route_match pb = ENVOY__CONFIG__ROUTE__V3__ROUTE_MATCH__INIT;
    struct xds_route route = {.skipped_by = 0};
    char copy[16];

    snprintf(copy, sizeof copy, "%s", text);
    pb.path_specifier_case = as_prefix ? PB_PATH(PREFIX) : PB_PATH(PATH);
    pb.prefix = copy; /* shares its slot of the union with path */
    xds_route_match_read(&kit->ctx, NULL, &pb, &route);
    cr_expect_eq(kit->ctx.live, XDS_ALL_CLIENTS & ~route.skipped_by);
    kit_free(kit);
    return (unsigned)route.skipped_by;
}

Test(route_match, core_skips_what_no_request_can_match)
{
    const unsigned skipping = XDS_GRFC | XDS_CORE;

    for (size_t i = 0; i < XDS_ARRAY_LEN(shapes); i++) {
        const struct shape *s = &shapes[i];

        cr_expect_eq(skipped_by(s->text, true), s->prefix_fits ? 0 : skipping,
                     "prefix %s", s->text);
        cr_expect_eq(skipped_by(s->text, false), s->path_fits ? 0 : skipping, "path %s",
                     s->text);
    }
}

Test(route_match, an_absent_case_sensitive_is_true_but_remembered_as_absent)
{
    struct kit *kit = kit_new();
    pb_bool_value insensitive = GOOGLE__PROTOBUF__BOOL_VALUE__INIT;
    pb_route_match pb = ENVOY__CONFIG__ROUTE__V3__ROUTE_MATCH__INIT;
    struct xds_route route = {.skipped_by = 0};
    char root[] = "/";

    pb.path_specifier_case = PB_PATH(PREFIX);
    pb.prefix = root;
    xds_route_match_read(&kit->ctx, NULL, &pb, &route);
    cr_expect(route.match.path.case_sensitive);
    cr_expect_not(route.match.path.case_set);
    pb.case_sensitive = &insensitive;
    xds_route_match_read(&kit->ctx, NULL, &pb, &route);
    cr_expect_not(route.match.path.case_sensitive);
    cr_expect(route.match.path.case_set);
    kit_free(kit);
}

/* The enum of a binary resource may be any number. */
static const struct percent {
    int denominator;
    uint32_t per;
    const char *findings;
} percents[] = {
    {0, 100, ""},
    {1, 10000, ""},
    {2, 1000000, ""},
    {3, 1000000,
     "runtime_fraction.default_value.denominator runtime-fraction-denominator NNANA"},
    {-1, 1000000,
     "runtime_fraction.default_value.denominator runtime-fraction-denominator NNANA"},
};

Test(route_match, an_unknown_denominator_is_a_million)
{
    for (size_t i = 0; i < XDS_ARRAY_LEN(percents); i++) {
        struct kit *kit = kit_new();
        pb_fractional_percent percent = ENVOY__TYPE__V3__FRACTIONAL_PERCENT__INIT;
        pb_runtime_fractional_percent fraction =
            ENVOY__CONFIG__CORE__V3__RUNTIME_FRACTIONAL_PERCENT__INIT;
        pb_route_match pb = ENVOY__CONFIG__ROUTE__V3__ROUTE_MATCH__INIT;
        struct xds_route route = {.skipped_by = 0};
        char root[] = "/";

        memcpy(&percent.denominator, &percents[i].denominator,
               sizeof percent.denominator);
        fraction.default_value = &percent;
        pb.runtime_fraction = &fraction;
        pb.path_specifier_case = PB_PATH(PREFIX);
        pb.prefix = root;
        xds_route_match_read(&kit->ctx, NULL, &pb, &route);
        cr_expect_eq(route.match.fraction.denominator, percents[i].per);
        cr_expect_str_eq(kit_findings(kit), percents[i].findings);
        kit_free(kit);
    }
}
