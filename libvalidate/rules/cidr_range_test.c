/* cidr_range_test.c - one range in the three forms that clients compare. */
#include <criterion/criterion.h>

#include "rules/inner.h"
#include "rules/kit_test.h"

static bool read_range(struct kit *kit, const char *prefix, uint32_t len,
                       struct xds_cidr out[XDS_CIDR_FORMS])
{
    pb_cidr_range pb;
    Google__Protobuf__UInt32Value value;

    envoy__config__core__v3__cidr_range__init(&pb);
    google__protobuf__uint32_value__init(&value);
    pb.address_prefix = (char *)(uintptr_t)xds_arena_strdup(&kit->arena, prefix);
    pb.prefix_len = &value;
    value.value = len;
    return xds_cidr_range_read(&kit->ctx, NULL, &pb, out);
}

static const struct form_row {
    const char *prefix;
    uint32_t len;
    const char *masked, *unmapped, *as_written; /* as "ADDRESS/LENGTH" */
} forms[] = {
    {"10.1.2.3", 0, "0.0.0.0:0/0", "0.0.0.0:0/0", "10.1.2.3:0/0"},
    {"10.255.2.3", 9, "10.128.0.0:0/9", "10.128.0.0:0/9", "10.255.2.3:0/9"},
    {"10.1.2.3", 32, "10.1.2.3:0/32", "10.1.2.3:0/32", "10.1.2.3:0/32"},
    {"10.1.2.3", 4294967295, "10.1.2.3:0/32", "10.1.2.3:0/32", "10.1.2.3:0/4294967295"},
    {"2001:db8:ffff::1", 33, "[2001:db8:8000::]:0/33", "[2001:db8:8000::]:0/33",
     "[2001:db8:ffff::1]:0/33"},
    {"::1", 129, "[::1]:0/128", "[::1]:0/128", "[::1]:0/129"},
    {"::ffff:10.1.2.3", 104, "[::ffff:10.0.0.0]:0/104", "10.0.0.0:0/8", "10.1.2.3:0/104"},
    {"::ffff:10.1.2.3", 96, "[::ffff:0.0.0.0]:0/96", "0.0.0.0:0/0", "10.1.2.3:0/96"},
    {"::ffff:10.1.2.3", 95, "[::fffe:0:0]:0/95", "10.1.2.3:0/32", "10.1.2.3:0/95"},
};

static void expect_form(struct kit *kit, const struct xds_cidr *cidr, const char *want,
                        const struct form_row *row)
{
    struct xds_slice length;
    struct xds_slice address;
    struct xds_slice text;

    length = xds_slice_cut(xds_slice_of(want), '/', &address);
    text = xds_arena_printf(&kit->arena, "{address_prefix=%.*s, prefix_len=%.*s}",
                            XDS_FMT(address), XDS_FMT(length));
    cr_expect_str_eq(xds_cidr_text(&kit->arena, cidr).data, text.data, "%s/%u",
                     row->prefix, row->len);
}

Test(cidr_range, is_kept_in_the_form_of_each_client)
{
    struct kit *kit = kit_new();

    for (const struct form_row *r = forms; r < forms + XDS_ARRAY_LEN(forms); r++) {
        struct xds_cidr out[XDS_CIDR_FORMS];

        cr_assert(read_range(kit, r->prefix, r->len, out), "%s", r->prefix);
        expect_form(kit, &out[XDS_CIDR_MASKED], r->masked, r);
        expect_form(kit, &out[XDS_CIDR_UNMAPPED], r->unmapped, r);
        expect_form(kit, &out[XDS_CIDR_AS_WRITTEN], r->as_written, r);
    }
    kit_free(kit);
}

Test(cidr_range, without_a_length_is_every_address)
{
    struct kit *kit = kit_new();
    struct xds_cidr out[XDS_CIDR_FORMS];
    pb_cidr_range pb;

    envoy__config__core__v3__cidr_range__init(&pb);
    pb.address_prefix = (char *)(uintptr_t)xds_arena_strdup(&kit->arena, "10.0.0.0");
    cr_assert(xds_cidr_range_read(&kit->ctx, NULL, &pb, out));
    cr_expect_eq(out[XDS_CIDR_AS_WRITTEN].prefix_len, 0);
    cr_expect_str_eq(kit_findings(kit), "");
    kit_free(kit);
}

static const struct {
    const char *prefix;
    bool ok;
    const char *findings;
} addresses[] = {
    {"", false, "address_prefix cidr-address-not-ip NNNNN"},
    {"10.0.0.0/8", false, "address_prefix cidr-address-not-ip NNNNN"},
    {"[::1]", true, "address_prefix cidr-address-not-ip AANNN"},
    {"[10.0.0.0]", false, "address_prefix cidr-address-not-ip NNNNN"},
    {"::1", true, ""},
};

Test(cidr_range, has_a_literal_in_front)
{
    for (size_t i = 0; i < XDS_ARRAY_LEN(addresses); i++) {
        struct kit *kit = kit_new();
        struct xds_cidr out[XDS_CIDR_FORMS];

        cr_expect_eq(read_range(kit, addresses[i].prefix, 8, out), addresses[i].ok);
        cr_expect_str_eq(kit_findings(kit), addresses[i].findings);
        kit_free(kit);
    }
}
