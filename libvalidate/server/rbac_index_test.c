/* rbac_index_test.c - policies by path decide as all of them, one after the other, do. */
#include <criterion/criterion.h>

#include "route/rpc_test.h"
#include "server/rbac.h"

enum { POLICIES = 12, RULES = 400, ROUNDS = 3000 };

struct random_case {
    struct test_rpc t;
    struct xds_server_connection connection;
    struct xds_server_rpc rpc;
    uint64_t seed;
    struct xds_rbac_rule rules[RULES]; /* handed out one after the other */
    size_t n_rules;
    struct xds_string_matcher strings[RULES];
    struct xds_header_matcher header;
    struct xds_rbac_policy policies[POLICIES];
    struct xds_rbac rbac;
};

static unsigned roll(struct random_case *c, unsigned bound)
{
    c->seed = c->seed * 6364136223846793005U + 1442695040888963407U;
    return (unsigned)(c->seed >> 33) % bound;
}

static struct xds_rbac_rule *new_rules(struct random_case *c, size_t n)
{
    struct xds_rbac_rule *rules = &c->rules[c->n_rules];

    c->n_rules += n;
    return rules;
}

static const char *const paths[] = {"/a.S/Get", "/a.S/List", "/a.S/",   "/b.T/Get",
                                    "/b.T/",    "/b",        "nowhere", "/a.S/Get/x",
                                    "/",        ""};

static void make_path(struct random_case *c, struct xds_rbac_rule *rule)
{
    struct xds_string_matcher *m = &c->strings[rule - c->rules];

    *m = (struct xds_string_matcher){
        .kind = (enum xds_match_kind)roll(c, XDS_MATCH_REGEX),
        .text = xds_slice_of(paths[roll(c, XDS_ARRAY_LEN(paths))]),
        .fold_case = roll(c, 8) == 0,
    };
    *rule = (struct xds_rbac_rule){.kind = XDS_RBAC_URL_PATH,
                                   .field = "url_path",
                                   .string = roll(c, 20) > 0 ? m : NULL,
                                   .string_set = true};
}

static void make_rule(struct random_case *c, struct xds_rbac_rule *rule, unsigned depth)
{
    static const enum xds_rbac_rule_kind kinds[] = {XDS_RBAC_AND, XDS_RBAC_OR,
                                                    XDS_RBAC_NOT};
    const unsigned which = roll(c, depth < 3 ? 8 : 5);

    if (which < 3) {
        make_path(c, rule);
    } else if (which < 5) {
        *rule = (struct xds_rbac_rule){.kind = which == 3        ? XDS_RBAC_HEADER
                                               : roll(c, 3) == 0 ? XDS_RBAC_UNKNOWN
                                                                 : XDS_RBAC_ANY,
                                       .field = "header",
                                       .header = &c->header};
    } else {
        const enum xds_rbac_rule_kind kind = kinds[which - 5];
        const size_t n = kind == XDS_RBAC_NOT ? 1 : roll(c, 4);
        struct xds_rbac_rule *rules = new_rules(c, n);

        for (size_t i = 0; i < n; i++)
            make_rule(c, &rules[i], depth + 1);
        *rule = (struct xds_rbac_rule){
            .kind = kind, .field = "set", .rules = rules, .n_rules = n};
    }
}

static const struct xds_rbac_rule *make_rules(struct random_case *c, size_t n)
{
    struct xds_rbac_rule *rules = new_rules(c, n);

    for (size_t i = 0; i < n; i++)
        make_rule(c, &rules[i], 1);
    return rules;
}

static void make_policies(struct random_case *c)
{
    static const char *const names[] = {"k", "b", "j", "a", "z", "c",
                                        "y", "d", "x", "e", "m", "f"};
    static const struct xds_rbac_rule any = {.kind = XDS_RBAC_ANY, .field = "any"};
    const size_t n = roll(c, POLICIES + 1);

    c->n_rules = 0;
    c->header = (struct xds_header_matcher){
        .name = XDS_S("x-role"), .kind = XDS_HEADER_PRESENT, .present = roll(c, 2) == 0};
    for (size_t i = 0; i < n; i++) {
        const size_t permissions = roll(c, 3);

        c->policies[i] = (struct xds_rbac_policy){
            .name = xds_slice_of(names[i]),
            .n_permissions = permissions,
            .principals = &any,
            .n_principals = roll(c, 10) > 0,
        };
        c->policies[i].permissions = make_rules(c, permissions);
        if (c->n_rules > RULES - 100)
            c->policies[i].n_permissions = 0;
    }
    c->rbac = (struct xds_rbac){.has_rules = true,
                                .action = roll(c, 3),
                                .policies = c->policies,
                                .n_policies = n};
}

static void compare(struct random_case *c, unsigned client)
{
    struct xds_rbac_answer plain, brief;

    test_rpc_init(&c->t, (enum xds_client)client);
    c->rpc = (struct xds_server_rpc){.connection = &c->connection, .rpc = c->t.rpc};
    const struct xds_rbac_index *index =
        xds_rbac_index_build(c->t.rpc.arena, &c->rpc.rpc, &c->rbac);

    for (size_t i = 0; i < XDS_ARRAY_LEN(paths); i++) {
        c->t.request.path = xds_slice_of(paths[i]);
        xds_rbac_decide(&c->rpc, &c->rbac, &plain);
        xds_rbac_decide_brief(&c->rpc, index, &brief);
        cr_assert_eq(plain.decided_by, brief.decided_by, "client %u, path %s", client,
                     paths[i]);
        cr_assert_eq(plain.allowed, brief.allowed);
        cr_assert_eq(plain.enforced, brief.enforced);
        cr_assert_eq(plain.n_audits, brief.n_audits);
        cr_assert(xds_slice_eq(plain.words.text, brief.words.text));
    }
    test_rpc_release(&c->t);
}

Test(rbac_index, decides_as_all_policies_do_one_after_the_other)
{
    static struct random_case c;

    c.seed = 38;
    for (unsigned round = 0; round < ROUNDS; round++) {
        make_policies(&c);
        compare(&c, round % XDS_CLIENTS);
    }
}
