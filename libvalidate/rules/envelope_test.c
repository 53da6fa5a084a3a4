/* envelope_test.c - wrappers, type URLs and names, around a listener without fault. */
#include <criterion/criterion.h>

#include "rules/kit_test.h"

#define LISTENER "envoy.config.listener.v3.Listener"
#define URL "type.googleapis.com/" LISTENER

/* A client's listener: nothing inside it is to be found fault with. */
static struct xds_snapshot_entry
read_listener(struct kit *kit, const struct xds_resource *in, const char *inner_name)
{
    pb_listener *pb = XDS_NEW(&kit->arena, pb_listener);
    pb_api_listener *api = XDS_NEW(&kit->arena, pb_api_listener);
    struct xds_snapshot_entry entry = {0};

    envoy__config__listener__v3__listener__init(pb);
    envoy__config__listener__v3__api_listener__init(api);
    api->api_listener = kit_any(kit, &kit_hcm(kit)->base);
    pb->name = (char *)(uintptr_t)xds_arena_strdup(&kit->arena, inner_name);
    pb->api_listener = api;
    xds_resource_read(&kit->ctx, in, xds_any_of(kit_any(kit, &pb->base)), &entry);
    return entry;
}

static const struct type_row {
    const char *type_url, *expected, *findings;
} types[] = {
    {URL, URL, ""},
    {"", URL, ""},
    {URL, "", ""},
    {LISTENER, LISTENER, " resource-type-mismatch AAANA"},
    {LISTENER, URL, " resource-type-mismatch AANNN"},
    {"example.com/" LISTENER, URL, " resource-type-mismatch NNNAN"},
    {URL, "type.googleapis.com/envoy.config.cluster.v3.Cluster",
     " resource-type-mismatch NNNNN"},
    {URL, "type.googleapis.com/envoy.service.discovery.v3.Resource",
     " resource-unknown-type AAAAA"},
    {URL, "example.com/" LISTENER, " resource-unknown-type AAAAA"},
};

Test(envelope, clients_compare_the_type_with_that_of_the_response)
{
    for (const struct type_row *r = types; r < types + XDS_ARRAY_LEN(types); r++) {
        struct kit *kit = kit_new();
        const struct xds_resource in = {.type_url = xds_slice_of(r->type_url),
                                        .expected = xds_slice_of(r->expected)};

        read_listener(kit, &in, "l");
        cr_expect_str_eq(kit_findings(kit), r->findings, "%s %s", r->type_url,
                         r->expected);
        kit_free(kit);
    }
}

static const struct name_row {
    const char *name, *findings;
} names[] = {
    {"plain", ""},
    {"", "name resource-name-empty AANAA"},
    {"xdstp:///" LISTENER "/a", ""},
    {"xdstp://authority/" LISTENER "/a/b?c=d#e", ""},
    {"xdstp:" LISTENER, " resource-xdstp-name AAANA"},
    {"xdstp://authority/envoy.config.cluster.v3.Cluster/a", " resource-xdstp-name NNANN"},
    {"xdstp://" LISTENER "/a", " resource-xdstp-name NNANN"},
    {"xdstp://authority/" LISTENER "x/a", " resource-xdstp-name NNANN"},
    {"xdstp://authority", " resource-xdstp-name NNANN"},
    {"xdstp://authority?/" LISTENER "/a", " resource-xdstp-name NNANN"},
    {"xdstp:", " resource-xdstp-name NNANN"},
    {"xdstp:x", " resource-xdstp-name NNANN"},
    {"XDSTP://authority/x", ""},
};

Test(envelope, an_xdstp_name_begins_with_the_type)
{
    for (const struct name_row *r = names; r < names + XDS_ARRAY_LEN(names); r++) {
        struct kit *kit = kit_new();
        const struct xds_resource in = {0};

        const struct xds_snapshot_entry entry = read_listener(kit, &in, r->name);
        cr_expect(xds_slice_is(entry.name, r->name));
        cr_expect_eq(entry.type, XDS_TYPE_LISTENER);
        cr_expect_not_null(entry.model);
        cr_expect_str_eq(kit_findings(kit), r->findings, "%s", r->name);
        kit_free(kit);
    }
}

Test(envelope, the_wrapper_names_the_resource_before_the_resource_does)
{
    struct kit *kit = kit_new();
    const struct xds_resource in = {
        .wrapper = XDS_WRAPPER_OK, .name = XDS_S("outer"), .expected = XDS_S(URL)};

    cr_expect(xds_slice_is(read_listener(kit, &in, "inner").name, "outer"));
    cr_expect_str_eq(kit_findings(kit), " resource-wrapped AAAAN");
    kit_free(kit);
}

Test(envelope, what_is_not_a_message_is_rejected_by_all)
{
    struct kit *kit = kit_new();
    const struct xds_resource in = {0};
    struct xds_any root = {.state = XDS_ANY_UNDECODABLE, .type = XDS_S(LISTENER)};
    struct xds_snapshot_entry entry = {0};

    xds_resource_read(&kit->ctx, &in, &root, &entry);
    cr_expect_null(entry.model);
    cr_expect_str_eq(kit_findings(kit), " resource-undecodable NNNNN");
    cr_expect(xds_slice_is(xds_report_finding(kit->ctx.report, 0)->core,
                           "Can't parse Listener resource."));
    kit_free(kit);
}
