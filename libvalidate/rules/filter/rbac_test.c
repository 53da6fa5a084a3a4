/* rbac_test.c - addresses, nesting and maps that no YAML case can reach cheaply. */
#include <criterion/criterion.h>

#include "rules/filter/filter.h"
#include "rules/kit_test.h"

#define P "rules.policies[p].permissions[0]"
#define PB_RULE(name) ENVOY__CONFIG__RBAC__V3__PERMISSION__RULE_##name
#define PB_ID(name) ENVOY__CONFIG__RBAC__V3__PRINCIPAL__IDENTIFIER_##name

static pb_permission *permission(struct kit *kit, unsigned rule)
{
    pb_permission *pb = XDS_NEW(&kit->arena, pb_permission);

    envoy__config__rbac__v3__permission__init(pb);
    pb->rule_case = rule;
    return pb;
}

typedef Envoy__Config__Rbac__V3__RBAC__PoliciesEntry policies_entry;

static policies_entry *entry(struct kit *kit, const char *name, pb_policy *value)
{
    policies_entry *pb = XDS_NEW(&kit->arena, policies_entry);

    envoy__config__rbac__v3__rbac__policies_entry__init(pb);
    pb->key = (char *)(uintptr_t)xds_arena_strdup(&kit->arena, name);
    pb->value = value;
    return pb;
}

static const char *read_policies(struct kit *kit, size_t n, policies_entry **policies)
{
    pb_http_rbac pb;
    pb_rbac rules;
    struct xds_filter filter = {0};

    envoy__extensions__filters__http__rbac__v3__rbac__init(&pb);
    envoy__config__rbac__v3__rbac__init(&rules);
    rules.n_policies = n;
    rules.policies = policies;
    pb.rules = &rules;
    cr_expect(xds_filter_rbac.read(
        &kit->ctx, &(struct xds_extension){.message = &pb.base}, &filter));
    cr_expect_not(kit->ctx.rbac);
    cr_expect_eq(kit->ctx.live, XDS_ALL_CLIENTS);
    return kit_findings(kit);
}

static const char *read_permission(struct kit *kit, pb_permission *pb)
{
    pb_policy policy;
    policies_entry *policies[] = {entry(kit, "p", &policy)};

    envoy__config__rbac__v3__policy__init(&policy);
    policy.n_permissions = 1;
    policy.permissions = &pb;
    return read_policies(kit, 1, policies);
}

static const struct address_row {
    const char *text;
    const char *verdicts; /* "" when all take it */
} addresses[] = {
    {"10.0.0.0", ""},
    {"2001:db8::", ""},
    {"::ffff:10.0.0.0", ""},
    {"10", "AANAA"},
    {"10.1", "AANAA"},
    {"10.1.65535", "AANAA"},
    {"10.1.65536", "AANNA"},
    {"4294967295", "AANAA"},
    {"4294967296", "AANNA"},
    {"256.1", "AANNA"},
    {"10.0.0.256", "AANNA"},
    {"010.0.0.1", "AANAA"},
    {"10.0.0.", "AANNA"},
    {"1.2.3.4.5", "AANNA"},
    {"10.0.0.0/8", "AANNA"},
    {"host.example", "AANNA"},
    {"99999999999999999999", "AANNA"},
    {"[::1]", "AANAA"},
    {"::1%1", "AANAA"},
    {"", "AANAA"}, /* java: the loopback address */
};

Test(rbac, an_address_is_one_in_the_eyes_of_each_client)
{
    for (const struct address_row *r = addresses;
         r < addresses + XDS_ARRAY_LEN(addresses); r++) {
        struct kit *kit = kit_new();
        pb_permission *pb = permission(kit, PB_RULE(DESTINATION_IP));
        pb_cidr_range range;

        envoy__config__core__v3__cidr_range__init(&range);
        range.address_prefix = (char *)(uintptr_t)xds_arena_strdup(&kit->arena, r->text);
        pb->destination_ip = &range;
        const char *findings = read_permission(kit, pb);
        const struct xds_slice want =
            *r->verdicts ? xds_arena_printf(&kit->arena,
                                            P ".destination_ip.address_prefix "
                                              "rbac-address-prefix %s",
                                            r->verdicts)
                         : XDS_S("");
        cr_expect_str_eq(findings, want.data, "%s: %s", r->text, findings);
        kit_free(kit);
    }
}

static const struct prefix_row {
    const char *text;
    uint32_t len;
    const char *findings;
} prefixes[] = {
    {"10.0.0.0", 32, ""},
    {"10.0.0.0", 33, P ".destination_ip.prefix_len rbac-prefix-len AANAA"},
    {"2001:db8::", 128, ""},
    {"2001:db8::", UINT32_MAX, P ".destination_ip.prefix_len rbac-prefix-len AANAA"},
    /* go does not come as far as that */
    {"10.0", 99, P ".destination_ip.address_prefix rbac-address-prefix AANAA"},
};

Test(rbac, a_prefix_is_no_longer_than_its_address)
{
    for (const struct prefix_row *r = prefixes; r < prefixes + XDS_ARRAY_LEN(prefixes);
         r++) {
        struct kit *kit = kit_new();
        pb_permission *pb = permission(kit, PB_RULE(DESTINATION_IP));
        pb_cidr_range range;
        pb_u_int32_value len;

        envoy__config__core__v3__cidr_range__init(&range);
        google__protobuf__uint32_value__init(&len);
        range.address_prefix = (char *)(uintptr_t)xds_arena_strdup(&kit->arena, r->text);
        range.prefix_len = &len;
        len.value = r->len;
        pb->destination_ip = &range;
        cr_expect_str_eq(read_permission(kit, pb), r->findings);
        kit_free(kit);
    }
}

Test(rbac, rules_that_grpc_does_not_list_are_invalid)
{
    static const unsigned rules[] = {PB_RULE(_NOT_SET), PB_RULE(MATCHER),
                                     PB_RULE(URI_TEMPLATE), PB_RULE(SOURCED_METADATA),
                                     4711};

    for (size_t i = 0; i < XDS_ARRAY_LEN(rules); i++) {
        struct kit *kit = kit_new();

        cr_expect_str_eq(read_permission(kit, permission(kit, rules[i])),
                         P " rbac-permission-rule NNNNA");
        kit_free(kit);
    }
}

Test(rbac, identifiers_that_grpc_does_not_list_are_invalid)
{
    static const unsigned identifiers[] = {PB_ID(_NOT_SET), PB_ID(FILTER_STATE),
                                           PB_ID(SOURCED_METADATA), PB_ID(CUSTOM), 4711};

    for (size_t i = 0; i < XDS_ARRAY_LEN(identifiers); i++) {
        struct kit *kit = kit_new();
        pb_principal pb, *principals[] = {&pb};
        pb_policy policy;
        policies_entry *policies[] = {entry(kit, "p", &policy)};

        envoy__config__rbac__v3__principal__init(&pb);
        pb.identifier_case = identifiers[i];
        envoy__config__rbac__v3__policy__init(&policy);
        policy.n_principals = 1;
        policy.principals = principals;
        cr_expect_str_eq(
            read_policies(kit, 1, policies),
            "rules.policies[p].principals[0] rbac-principal-identifier NNNNA");
        kit_free(kit);
    }
}

/* A rule behind so many not_rule. */
static pb_permission *nested(struct kit *kit, unsigned depth, pb_permission *inner)
{
    for (unsigned i = 0; i < depth; i++) {
        pb_permission *outer = permission(kit, PB_RULE(NOT_RULE));

        outer->not_rule = inner;
        inner = outer;
    }
    return inner;
}

Test(rbac, core_stops_at_the_first_rule_that_is_too_deep_and_the_others_go_on)
{
    struct kit *kit = kit_new();
    pb_permission *rules[] = {
        nested(kit, 18, permission(kit, PB_RULE(_NOT_SET))),
        permission(kit, PB_RULE(_NOT_SET)),
    };
    pb_permission_set set;
    pb_permission *root = permission(kit, PB_RULE(OR_RULES));

    envoy__config__rbac__v3__permission__set__init(&set);
    set.n_rules = XDS_ARRAY_LEN(rules);
    set.rules = rules;
    root->or_rules = &set;
#define NOT_4 ".not_rule.not_rule.not_rule.not_rule"
#define NOT_16 NOT_4 NOT_4 NOT_4 NOT_4
    cr_expect_str_eq(read_permission(kit, root),
                     P ".or_permission.rules[0]" NOT_16 " rbac-nesting NNAAA\n" P
                       ".or_permission.rules[0]" NOT_16
                       ".not_rule.not_rule rbac-permission-rule AANNA\n" P
                       ".or_permission.rules[1] rbac-permission-rule NNNNA");
    kit_free(kit);
}

Test(rbac, of_a_policy_that_comes_twice_the_last_one_counts)
{
    struct kit *kit = kit_new();
    pb_policy policy;
    Google__Api__Expr__V1alpha1__Expr condition;

    envoy__config__rbac__v3__policy__init(&policy);
    google__api__expr__v1alpha1__expr__init(&condition);
    policy.condition = &condition;
    policies_entry *policies[] = {entry(kit, "a", &policy), entry(kit, "b", &policy),
                                  entry(kit, "a", NULL), entry(kit, "", &policy)};
    cr_expect_str_eq(read_policies(kit, XDS_ARRAY_LEN(policies), policies),
                     "rules.policies[b].condition rbac-condition NNNNA\n"
                     "rules.policies[].condition rbac-condition NNNNA");
    kit_free(kit);
}
