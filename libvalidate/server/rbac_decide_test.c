/* rbac_decide_test.c - what a rule matches, for which clients and releases; policies. */
#include <criterion/criterion.h>

#include "clients/clients.h"
#include "route/rpc_test.h"
#include "server/rbac.h"

enum { GRFC = 1, CORE = 2, GO = 4, JAVA = 8, NODE = 16, ALL = 31 };

/* For what is static: XDS_S() is no constant. */
#define TEXT(literal)                                                                    \
    {                                                                                    \
        "" literal, sizeof(literal) - 1                                                  \
    }

struct fixture {
    struct test_rpc t;
    struct xds_server_connection connection;
    struct xds_certificate certificate;
    struct xds_server_rpc rpc;
};

static struct xds_socket ipv4(unsigned a, unsigned b, unsigned c, unsigned d)
{
    return (struct xds_socket){
        .ip = {4,
               {(unsigned char)a, (unsigned char)b, (unsigned char)c, (unsigned char)d}},
        .port = 8080,
        .text = XDS_S("an address"),
    };
}

static void start(struct fixture *f, unsigned client)
{
    *f = (struct fixture){
        .connection = {.local = ipv4(10, 0, 0, 1), .peer = ipv4(192, 168, 7, 9)}};
    test_rpc_init(&f->t, (enum xds_client)client);
    f->t.request.authority = XDS_S("shop.example.com");
    f->rpc = (struct xds_server_rpc){.connection = &f->connection, .rpc = f->t.rpc};
}

static void with_certificate(struct fixture *f, const struct xds_san *sans, size_t n)
{
    f->certificate = (struct xds_certificate){
        .sans = sans, .n_sans = n, .subject = XDS_S("CN=shop,O=mesh")};
    f->connection.is_tls = true;
    f->connection.certificate = &f->certificate;
}

static const struct xds_rbac_rule any = {.kind = XDS_RBAC_ANY, .field = "any"};

static struct xds_rbac_policy policy_of(const char *name,
                                        const struct xds_rbac_rule *permission,
                                        const struct xds_rbac_rule *principal)
{
    return (struct xds_rbac_policy){
        .name = xds_slice_of(name),
        .permissions = permission,
        .n_permissions = permission != NULL,
        .principals = principal,
        .n_principals = principal != NULL,
    };
}

static struct xds_rbac rbac_of(enum xds_rbac_action action,
                               const struct xds_rbac_policy *policies, size_t n)
{
    return (struct xds_rbac){
        .has_rules = true, .action = action, .policies = policies, .n_policies = n};
}

/* By both ways to ask. */
static bool allows(struct fixture *f, const struct xds_rbac *rbac)
{
    struct xds_rbac_answer answer;

    xds_rbac_decide(&f->rpc, rbac, &answer);
    cr_expect_eq(answer.allowed, xds_rbac_allows(&f->rpc, rbac));
    cr_expect_eq(answer.code == NULL, answer.allowed);
    cr_expect_eq(answer.words.text.data == NULL, answer.allowed);
    return answer.allowed;
}

static bool permits(struct fixture *f, const struct xds_rbac_rule *permission)
{
    const struct xds_rbac_policy policy = policy_of("p", permission, &any);
    const struct xds_rbac rbac = rbac_of(XDS_RBAC_ALLOW, &policy, 1);

    return allows(f, &rbac);
}

static bool admits(struct fixture *f, const struct xds_rbac_rule *principal)
{
    const struct xds_rbac_policy policy = policy_of("p", &any, principal);
    const struct xds_rbac rbac = rbac_of(XDS_RBAC_ALLOW, &policy, 1);

    return allows(f, &rbac);
}

static const char *who(unsigned client)
{
    return xds_client_name((enum xds_client)client);
}

static bool is_in(unsigned clients, unsigned client)
{
    return clients >> xds_client_as((enum xds_client)client) & 1;
}

/* ---- headers ---- */

static const struct header_row {
    const char *name, *value; /* of an exact matcher */
    unsigned matches;
} header_rows[] = {
    {"x-user", "ann", ALL},
    {"X-User", "ann", ALL & ~CORE},
    {"x-twice", "a,b", ALL},
    {"x-data-bin", "any", CORE | GO},
    {"x-data-bin", "YW55", GRFC | JAVA},
    {"x-odd-bin", "YQ==", GRFC},
    {"x-odd-bin", "YQ", JAVA},
    {":path", "/pkg.Svc/Get", ALL},
    {":method", "POST", ALL},
    {":authority", "shop.example.com", ALL},
    {"host", "shop.example.com", ALL & ~NODE},
    {"Host", "shop.example.com", ALL & ~NODE},
    {"te", "trailers", 0},
    {"keep-alive", "1", 0},
    {"content-type", "application/grpc", ALL},
};

Test(rbac_decide, a_header_is_what_each_server_sees)
{
    for (const struct header_row *r = header_rows;
         r < header_rows + XDS_ARRAY_LEN(header_rows); r++) {
        for (unsigned c = 0; c < XDS_CLIENTS; c++) {
            const struct xds_header_matcher m = {
                .name = xds_slice_of(r->name),
                .kind = XDS_HEADER_STRING,
                .string = {.kind = XDS_MATCH_EXACT, .text = xds_slice_of(r->value)}};
            const struct xds_rbac_rule rule = {.kind = XDS_RBAC_HEADER, .header = &m};
            struct fixture f;

            start(&f, c);
            test_rpc_header(&f.t, "x-user", "ann");
            test_rpc_header(&f.t, "x-twice", "a");
            test_rpc_header(&f.t, "x-twice", "b");
            test_rpc_header(&f.t, "x-data-bin", "any");
            test_rpc_header(&f.t, "x-odd-bin", "a");
            test_rpc_header(&f.t, "te", "trailers");
            test_rpc_header(&f.t, "keep-alive", "1");
            cr_expect_eq(permits(&f, &rule), is_in(r->matches, c), "%s for %s", r->name,
                         who(c));
            test_rpc_release(&f.t);
        }
    }
}

/* At a release of go. */
static void start_go(struct fixture *f, unsigned minor)
{
    start(f, XDS_CLIENT_GO);
    f->t.options.release[XDS_CLIENT_GO] = (struct xds_release){1, (uint16_t)minor, 0};
}

Test(rbac_decide, an_older_go_compares_names_as_written)
{
    static const struct {
        const char *name;
        unsigned since, nested_since;
    } rows[] = {{"X-User", 83, 83}, {"host", 52, 83}, {":path", 69, 69}};

    for (size_t i = 0; i < XDS_ARRAY_LEN(rows); i++) {
        const struct xds_header_matcher m = {.name = xds_slice_of(rows[i].name),
                                             .kind = XDS_HEADER_PRESENT,
                                             .present = true};
        const struct xds_rbac_rule rule = {.kind = XDS_RBAC_HEADER, .header = &m};
        const struct xds_rbac_rule all = {
            .kind = XDS_RBAC_AND, .rules = &rule, .n_rules = 1};

        for (unsigned minor = 52; minor <= 85; minor++) {
            struct fixture f;

            start_go(&f, minor);
            test_rpc_header(&f.t, "x-user", "ann");
            cr_expect_eq(permits(&f, &rule), minor >= rows[i].since, "%s at 1.%u",
                         rows[i].name, minor);
            cr_expect_eq(permits(&f, &all), minor >= rows[i].nested_since,
                         "%s in a set at 1.%u", rows[i].name, minor);
            test_rpc_release(&f.t);
        }
    }
}

/* ---- addresses and ports ---- */

static const struct range_row {
    const char *text;
    unsigned char ip[4];
    unsigned family; /* 0: no address */
    uint32_t prefix_len;
    unsigned matches; /* 192.168.7.9 */
} range_rows[] = {
    {"192.168.0.0", {192, 168, 0, 0}, 4, 16, ALL},
    {"192.168.7.9", {192, 168, 7, 9}, 4, 32, ALL},
    {"192.168.7.8", {192, 168, 7, 8}, 4, 31, ALL},
    {"192.168.7.8", {192, 168, 7, 8}, 4, 32, 0},
    {"192.168.7.1", {192, 168, 7, 1}, 4, 24, ALL & ~NODE},
    {"0.0.0.0", {0}, 4, 0, ALL & ~JAVA},
    {"128.0.0.0", {128}, 4, 0, ALL & ~NODE},
    {"192.168.7.9", {192, 168, 7, 9}, 4, 33, ALL & ~NODE},
    {"0.0.0.0", {0}, 4, 33, NODE},
    {"192.168", {0}, 0, 8, JAVA},
    {"3232237321", {0}, 0, 32, JAVA},
    {"192.168.7.9.1", {0}, 0, 8, 0},
    {"host.example", {0}, 0, 0, 0},
};

Test(rbac_decide, a_range_is_compared_as_each_server_does)
{
    for (const struct range_row *r = range_rows;
         r < range_rows + XDS_ARRAY_LEN(range_rows); r++) {
        for (unsigned c = 0; c < XDS_CLIENTS; c++) {
            struct xds_ip_range range = {.text = xds_slice_of(r->text),
                                         .ip = {.family = r->family},
                                         .is_plain = r->family != 0,
                                         .has_prefix_len = true,
                                         .prefix_len = r->prefix_len};
            const struct xds_rbac_rule rule = {.kind = XDS_RBAC_DIRECT_REMOTE_IP,
                                               .range = &range};
            struct fixture f;

            memcpy(range.ip.bytes, r->ip, 4);
            start(&f, c);
            cr_expect_eq(admits(&f, &rule), is_in(r->matches, c), "%s/%u for %s", r->text,
                         r->prefix_len, who(c));
            test_rpc_release(&f.t);
        }
    }
}

Test(rbac_decide, ipv4_inside_ipv6_is_ipv4_to_all_but_node)
{
    struct xds_ip_range range = {.text = XDS_S("192.168.0.0"),
                                 .ip = {4, {192, 168}},
                                 .is_plain = true,
                                 .prefix_len = 16};
    const struct xds_rbac_rule rule = {.kind = XDS_RBAC_REMOTE_IP, .range = &range};

    for (unsigned c = 0; c < XDS_CLIENTS; c++) {
        struct fixture f;

        start(&f, c);
        f.connection.peer.ip = (struct xds_ip){
            6, {[10] = 0xff, [11] = 0xff, [12] = 192, [13] = 168, [14] = 7, [15] = 9}};
        cr_expect_eq(admits(&f, &rule), !is_in(NODE, c), "%s", who(c));
        test_rpc_release(&f.t);
    }
}

Test(rbac_decide, no_rule_about_an_address_matches_before_go_1_80)
{
    struct xds_ip_range range = {
        .text = XDS_S("0.0.0.0"), .ip = {.family = 4}, .is_plain = true};
    const struct xds_rbac_rule rule = {.kind = XDS_RBAC_DESTINATION_IP, .range = &range};

    for (unsigned minor = 52; minor <= 85; minor++) {
        struct fixture f;

        start_go(&f, minor);
        cr_expect_eq(permits(&f, &rule), minor >= 80, "1.%u", minor);
        test_rpc_release(&f.t);
    }
}

Test(rbac_decide, a_port_is_that_of_the_server)
{
    const struct xds_rbac_rule port = {
        .kind = XDS_RBAC_DESTINATION_PORT, .port = 8080, .port_end = 8081};
    const struct xds_rbac_rule other = {
        .kind = XDS_RBAC_DESTINATION_PORT, .port = 8081, .port_end = 8082};
    const struct xds_rbac_rule ports = {
        .kind = XDS_RBAC_DESTINATION_PORT_RANGE, .port = 8000, .port_end = 9000};

    for (unsigned c = 0; c < XDS_CLIENTS; c++) {
        struct fixture f;

        start(&f, c);
        cr_expect(permits(&f, &port));
        cr_expect_not(permits(&f, &other));
        cr_expect_eq(permits(&f, &ports), is_in(JAVA, c), "%s", who(c));
        test_rpc_release(&f.t);
    }
}

/* ---- principal names ---- */

static const struct xds_san uri_and_dns[] = {{XDS_SAN_EMAIL, TEXT("a@example.com")},
                                             {XDS_SAN_URI, TEXT("spiffe://mesh/shop")},
                                             {XDS_SAN_DNS, TEXT("shop.example.com")}};

static const struct name_row {
    const char *name;
    size_t from, n; /* of the SANs */
    unsigned matches;
} name_rows[] = {
    {"spiffe://mesh/shop", 0, 3, ALL},
    {"shop.example.com", 0, 3, CORE},
    {"shop.example.com", 2, 1, ALL},
    {"CN=shop,O=mesh", 0, 3, CORE},
    {"CN=shop,O=mesh", 2, 1, CORE},
    {"CN=shop,O=mesh", 0, 1, ALL & ~NODE},
    {"shop", 0, 3, NODE},
    {"a@example.com", 0, 3, 0},
    {"", 0, 3, 0},
};

static struct xds_rbac_rule name_rule(const struct xds_string_matcher *m)
{
    return (struct xds_rbac_rule){
        .kind = XDS_RBAC_AUTHENTICATED, .string = m, .string_set = true};
}

Test(rbac_decide, a_principal_name_is_looked_for_in_the_certificate)
{
    for (const struct name_row *r = name_rows; r < name_rows + XDS_ARRAY_LEN(name_rows);
         r++) {
        const struct xds_string_matcher m = {.kind = XDS_MATCH_EXACT,
                                             .text = xds_slice_of(r->name)};
        const struct xds_rbac_rule rule = name_rule(&m);

        for (unsigned c = 0; c < XDS_CLIENTS; c++) {
            struct fixture f;

            start(&f, c);
            with_certificate(&f, uri_and_dns + r->from, r->n);
            cr_expect_eq(admits(&f, &rule), is_in(r->matches, c), "%s for %s", r->name,
                         who(c));
            test_rpc_release(&f.t);
        }
    }
}

Test(rbac_decide, go_went_on_to_the_subject_before_1_81)
{
    const struct xds_string_matcher m = {.kind = XDS_MATCH_PREFIX, .text = XDS_S("CN=")};
    const struct xds_rbac_rule rule = name_rule(&m);

    for (unsigned minor = 80; minor <= 81; minor++) {
        struct fixture f;

        start_go(&f, minor);
        with_certificate(&f, uri_and_dns, 3);
        cr_expect_eq(admits(&f, &rule), minor < 81);
        test_rpc_release(&f.t);
    }
}

Test(rbac_decide, java_wrote_a_subject_with_blanks_before_1_61)
{
    const struct xds_string_matcher m = {.kind = XDS_MATCH_EXACT,
                                         .text = XDS_S("CN=shop, O=mesh")};
    const struct xds_rbac_rule rule = name_rule(&m);

    for (uint16_t minor = 60; minor <= 61; minor++) {
        struct fixture f;

        start(&f, XDS_CLIENT_JAVA);
        f.t.options.release[XDS_CLIENT_JAVA] = (struct xds_release){1, minor, 0};
        with_certificate(&f, NULL, 0);
        cr_expect_eq(admits(&f, &rule), minor < 61);
        test_rpc_release(&f.t);
    }
}

Test(rbac_decide, without_a_certificate_the_name_is_empty)
{
    const struct xds_string_matcher m = {.kind = XDS_MATCH_EXACT, .text = XDS_S("")};
    const struct xds_rbac_rule empty = name_rule(&m);
    const struct xds_rbac_rule nameless = {.kind = XDS_RBAC_AUTHENTICATED};

    for (unsigned c = 0; c < XDS_CLIENTS; c++) {
        struct fixture f;

        start(&f, c);
        cr_expect_eq(admits(&f, &empty), is_in(NODE, c), "%s", who(c));
        cr_expect_not(admits(&f, &nameless), "%s", who(c));
        f.connection.is_tls = true;
        cr_expect(admits(&f, &empty), "%s", who(c));
        cr_expect_eq(admits(&f, &nameless), !is_in(NODE, c), "%s", who(c));
        with_certificate(&f, NULL, 0);
        cr_expect(admits(&f, &nameless), "%s", who(c));
        test_rpc_release(&f.t);
    }
}

/* ---- sets and what is no rule ---- */

static struct xds_rbac_rule set_of(enum xds_rbac_rule_kind kind,
                                   const struct xds_rbac_rule *rules, size_t n)
{
    return (struct xds_rbac_rule){.kind = kind, .rules = rules, .n_rules = n};
}

Test(rbac_decide, an_empty_and_is_true_and_an_empty_or_is_false)
{
    const struct xds_rbac_rule all = set_of(XDS_RBAC_AND, NULL, 0);
    const struct xds_rbac_rule one = set_of(XDS_RBAC_OR, NULL, 0);
    const struct xds_rbac_rule not_one = set_of(XDS_RBAC_NOT, &one, 1);
    struct fixture f;

    start(&f, XDS_CLIENT_GO);
    cr_expect(permits(&f, &all));
    cr_expect_not(permits(&f, &one));
    cr_expect(permits(&f, &not_one));
    cr_expect_not(permits(&f, NULL));
    cr_expect_not(admits(&f, NULL));
    test_rpc_release(&f.t);
}

Test(rbac_decide, metadata_matches_where_it_is_inverted)
{
    const struct xds_rbac_rule plain = {.kind = XDS_RBAC_METADATA};
    const struct xds_rbac_rule inverted = {.kind = XDS_RBAC_METADATA, .invert = true};

    for (unsigned c = 0; c < XDS_CLIENTS; c++) {
        struct fixture f;

        start(&f, c);
        cr_expect_not(permits(&f, &plain), "%s", who(c));
        cr_expect_eq(permits(&f, &inverted), is_in(CORE | GO, c), "%s", who(c));
        cr_expect_eq(admits(&f, &inverted), is_in(CORE | GO, c), "%s", who(c));
        test_rpc_release(&f.t);
    }
}

Test(rbac_decide, an_older_go_takes_no_notice_of_what_it_does_not_know)
{
    const struct xds_rbac_rule dropped = {.kind = XDS_RBAC_METADATA};
    const struct xds_rbac_rule all = set_of(XDS_RBAC_AND, &dropped, 1);
    const struct xds_rbac_rule one = set_of(XDS_RBAC_OR, &dropped, 1);

    for (unsigned minor = 81; minor <= 82; minor++) {
        struct fixture f;

        start_go(&f, minor);
        cr_expect_eq(permits(&f, &all), minor < 82);
        cr_expect_not(permits(&f, &one));
        cr_expect_not(permits(&f, &dropped));
        test_rpc_release(&f.t);
    }
}

Test(rbac_decide, the_requested_server_name_is_empty)
{
    const struct xds_string_matcher name = {.kind = XDS_MATCH_EXACT, .text = XDS_S("a")};
    const struct xds_string_matcher empty = {.kind = XDS_MATCH_EXACT, .text = XDS_S("")};
    struct xds_rbac_rule rule = {.kind = XDS_RBAC_REQUESTED_SERVER_NAME,
                                 .string_set = true};

    for (unsigned c = 0; c < XDS_CLIENTS; c++) {
        struct fixture f;

        start(&f, c);
        f.connection.server_name = XDS_S("a");
        rule.string = &name;
        cr_expect_not(permits(&f, &rule));
        rule.string = &empty;
        cr_expect(permits(&f, &rule));
        test_rpc_release(&f.t);
    }
}

Test(rbac_decide, a_path_is_the_whole_one_or_begins_so)
{
    static const struct {
        enum xds_match_kind kind;
        struct xds_slice text;
        bool fold, matches;
    } rows[] = {
        {XDS_MATCH_EXACT, TEXT("/pkg.Svc/Get"), false, true},
        {XDS_MATCH_EXACT, TEXT("/pkg.Svc/Ge"), false, false},
        {XDS_MATCH_EXACT, TEXT("/PKG.Svc/Get"), false, false},
        {XDS_MATCH_EXACT, TEXT("/PKG.Svc/Get"), true, true},
        {XDS_MATCH_PREFIX, TEXT("/pkg.Svc/"), false, true},
        {XDS_MATCH_PREFIX, TEXT("/pkg.Svc/GetAll"), false, false},
        {XDS_MATCH_PREFIX, TEXT("/PKG."), true, true},
        {XDS_MATCH_SUFFIX, TEXT("/Get"), false, true},
        {XDS_MATCH_CONTAINS, TEXT("Svc"), false, true},
        {XDS_MATCH_CONTAINS, TEXT("svc"), false, false},
    };

    for (size_t i = 0; i < XDS_ARRAY_LEN(rows); i++) {
        const struct xds_string_matcher m = {
            .kind = rows[i].kind, .text = rows[i].text, .fold_case = rows[i].fold};
        const struct xds_rbac_rule rule = {
            .kind = XDS_RBAC_URL_PATH, .string = &m, .string_set = true};

        for (unsigned c = 0; c < XDS_CLIENTS; c++) {
            struct fixture f;

            start(&f, c);
            cr_expect_eq(permits(&f, &rule), rows[i].matches, "%zu for %s", i, who(c));
            cr_expect_eq(admits(&f, &rule), rows[i].matches, "%zu for %s", i, who(c));
            test_rpc_release(&f.t);
        }
    }
}

/* ---- policies ---- */

Test(rbac_decide, allow_without_policies_denies_all_and_deny_allows_all)
{
    const struct xds_rbac allow = rbac_of(XDS_RBAC_ALLOW, NULL, 0);
    const struct xds_rbac deny = rbac_of(XDS_RBAC_DENY, NULL, 0);
    const struct xds_rbac log = rbac_of(XDS_RBAC_LOG, NULL, 0);
    const struct xds_rbac none = {.has_rules = false};
    struct xds_rbac_answer answer;
    struct fixture f;

    start(&f, XDS_CLIENT_CORE);
    cr_expect_not(allows(&f, &allow));
    cr_expect(allows(&f, &deny));
    cr_expect(allows(&f, &log));
    cr_expect(allows(&f, &none));
    cr_expect(allows(&f, NULL));
    xds_rbac_decide(&f.rpc, &log, &answer);
    cr_expect_not(answer.enforced);
    test_rpc_release(&f.t);
}

static const char *denial(unsigned client, uint16_t minor, enum xds_rbac_action action,
                          struct fixture *f)
{
    const struct xds_rbac_policy policy = policy_of("readers", &any, &any);
    const struct xds_rbac rbac = rbac_of(action, &policy, action == XDS_RBAC_DENY);
    struct xds_rbac_answer answer;

    start(f, client);
    if (minor)
        f->t.options.release[client] = (struct xds_release){1, minor, 0};
    xds_rbac_decide(&f->rpc, &rbac, &answer);
    cr_expect_str_eq(answer.code, "PERMISSION_DENIED");
    return xds_arena_strdup(&f->t.arena, answer.words.text.data);
}

Test(rbac_decide, a_denied_rpc_ends_in_the_words_of_the_server)
{
    static const struct {
        unsigned client;
        uint16_t minor;
        enum xds_rbac_action action;
        const char *words;
    } rows[] = {
        {XDS_CLIENT_CORE, 0, XDS_RBAC_ALLOW, "Unauthorized RPC rejected"},
        {XDS_CLIENT_JAVA, 0, XDS_RBAC_DENY, "Access Denied"},
        {XDS_CLIENT_NODE, 0, XDS_RBAC_DENY, "Unauthorized RPC rejected"},
        {XDS_CLIENT_GO, 0, XDS_RBAC_ALLOW, "incoming RPC did not match an allow policy"},
        {XDS_CLIENT_GO, 84, XDS_RBAC_DENY,
         "incoming RPC matched a deny policy \"readers\""},
        {XDS_CLIENT_GO, 83, XDS_RBAC_DENY,
         "Incoming RPC is not allowed: rpc error: code = PermissionDenied desc = "
         "incoming RPC matched a deny policy \"readers\""},
    };

    for (size_t i = 0; i < XDS_ARRAY_LEN(rows); i++) {
        struct fixture f;

        cr_expect_str_eq(denial(rows[i].client, rows[i].minor, rows[i].action, &f),
                         rows[i].words);
        test_rpc_release(&f.t);
    }
}

Test(rbac_decide, the_policy_that_decides_is_the_first_of_the_client)
{
    const struct xds_rbac_policy policies[] = {policy_of("b", &any, &any),
                                               policy_of("a", &any, &any)};
    const struct xds_rbac rbac = rbac_of(XDS_RBAC_DENY, policies, 2);

    for (unsigned c = 0; c < XDS_CLIENTS; c++) {
        struct xds_rbac_answer answer;
        struct fixture f;

        start(&f, c);
        xds_rbac_decide(&f.rpc, &rbac, &answer);
        cr_expect(
            xds_slice_is(answer.decided_by->name, is_in(CORE | JAVA, c) ? "a" : "b"),
            "%s", who(c));
        cr_expect_eq(answer.in_any_order, is_in(GO, c), "%s", who(c));
        test_rpc_release(&f.t);
    }
}

Test(rbac_decide, an_answer_says_what_each_rule_saw)
{
    const struct xds_header_matcher m = {
        .name = XDS_S("x-user"), .kind = XDS_HEADER_PRESENT, .present = true};
    const struct xds_header_matcher secret = {
        .name = XDS_S("authorization"), .kind = XDS_HEADER_PRESENT, .present = true};
    const struct xds_rbac_rule both[] = {{.kind = XDS_RBAC_HEADER, .header = &m},
                                         {.kind = XDS_RBAC_HEADER, .header = &secret}};
    const struct xds_rbac_rule not_all[] = {set_of(XDS_RBAC_AND, both, 2)};
    const struct xds_rbac_rule rule = set_of(XDS_RBAC_NOT, not_all, 1);
    const struct xds_rbac_policy policy = policy_of("p", &rule, &any);
    const struct xds_rbac rbac = rbac_of(XDS_RBAC_ALLOW, &policy, 1);
    struct xds_rbac_answer answer;
    struct fixture f;

    start(&f, XDS_CLIENT_JAVA);
    test_rpc_header(&f.t, "authorization", "Bearer abc");
    xds_rbac_decide(&f.rpc, &rbac, &answer);
    cr_assert_eq(answer.n_policies, 1);
    cr_expect(answer.allowed);

    const struct xds_rbac_seen *seen = answer.policies[0].permissions;

    cr_expect(seen->matched);
    cr_expect_not(seen->rules->matched);
    seen = seen->rules->rules;
    cr_expect(xds_slice_is(seen[0].what, "header x-user"));
    cr_expect_null(seen[0].saw.data);
    cr_expect_not(seen[0].matched);
    cr_expect(xds_slice_is(seen[1].saw, "***"));
    cr_expect(seen[1].matched);
    test_rpc_release(&f.t);
}

/* ---- audit ---- */

static size_t audits(unsigned client, uint32_t condition, enum xds_rbac_action action)
{
    static const struct xds_san sans[] = {{XDS_SAN_URI, TEXT("spiffe://mesh/shop")}};
    const struct xds_audit_logger loggers[] = {{.is_stdout = true},
                                               {.is_optional = true, .dropped_by = ALL}};
    const struct xds_rbac_policy policy = policy_of("p", &any, &any);
    struct xds_rbac rbac = rbac_of(action, &policy, 1);
    struct xds_rbac_answer answer;
    struct fixture f;

    rbac.has_audit = true;
    rbac.audit_condition = condition;
    rbac.loggers = loggers;
    rbac.n_loggers = 2;
    start(&f, client);
    with_certificate(&f, sans, 1);
    xds_rbac_decide(&f.rpc, &rbac, &answer);
    if (answer.n_audits && action == XDS_RBAC_DENY)
        cr_expect_str_eq(answer.audits[0].line.data,
                         "{\"grpc_audit_log\":{\"rpc_method\":\"/pkg.Svc/Get\","
                         "\"principal\":\"spiffe://mesh/shop\",\"policy_name\":\"\","
                         "\"matched_rule\":\"p\",\"authorized\":false}}");
    test_rpc_release(&f.t);
    return answer.n_audits;
}

Test(rbac_decide, an_audit_logger_writes_what_its_condition_asks_for)
{
    cr_expect_eq(audits(XDS_CLIENT_GO, XDS_AUDIT_NONE, XDS_RBAC_DENY), 0);
    cr_expect_eq(audits(XDS_CLIENT_GO, XDS_AUDIT_ON_DENY, XDS_RBAC_DENY), 1);
    cr_expect_eq(audits(XDS_CLIENT_GO, XDS_AUDIT_ON_DENY, XDS_RBAC_ALLOW), 0);
    cr_expect_eq(audits(XDS_CLIENT_GO, XDS_AUDIT_ON_ALLOW, XDS_RBAC_ALLOW), 1);
    cr_expect_eq(audits(XDS_CLIENT_GO, XDS_AUDIT_ON_DENY_AND_ALLOW, XDS_RBAC_DENY), 1);
    cr_expect_eq(audits(XDS_CLIENT_GO, 9, XDS_RBAC_DENY), 0);
    cr_expect_eq(audits(XDS_CLIENT_JAVA, XDS_AUDIT_ON_DENY, XDS_RBAC_DENY), 0);
    cr_expect_eq(audits(XDS_CLIENT_CORE, XDS_AUDIT_ON_DENY, XDS_RBAC_DENY), 0);
}

/* ---- properties ---- */

enum { RULES = 24 };

/* The same numbers in each run. */
static unsigned draw(uint64_t *state, unsigned below)
{
    *state = *state * 6364136223846793005u + 1442695040888963407u;
    return (unsigned)(*state >> 33) % below;
}

static const struct xds_header_matcher user = {
    .name = TEXT("x-user"), .kind = XDS_HEADER_PRESENT, .present = true};
static const struct xds_string_matcher get = {.kind = XDS_MATCH_SUFFIX,
                                              .text = TEXT("/Get")};

/* Trees out of those before them; the n-th holds only earlier ones. */
static void make_rules(struct xds_rbac_rule *rules, uint64_t *state)
{
    const struct xds_rbac_rule leaves[] = {
        any,
        {.kind = XDS_RBAC_METADATA},
        {.kind = XDS_RBAC_METADATA, .invert = true},
        {.kind = XDS_RBAC_HEADER, .header = &user},
        {.kind = XDS_RBAC_URL_PATH, .string = &get, .string_set = true},
        {.kind = XDS_RBAC_DESTINATION_PORT, .port = 80, .port_end = 81},
    };
    const enum xds_rbac_rule_kind sets[] = {XDS_RBAC_AND, XDS_RBAC_OR};

    for (size_t i = 0; i < RULES; i++) {
        if (i < XDS_ARRAY_LEN(leaves)) {
            rules[i] = leaves[i];
            continue;
        }
        const size_t n = draw(state, 4);
        const size_t from = draw(state, (unsigned)(i - n));

        rules[i] = n == 1 ? set_of(XDS_RBAC_NOT, &rules[from], 1)
                          : set_of(sets[draw(state, 2)], &rules[from], n);
    }
}

Test(rbac_decide, not_not_is_the_rule_itself)
{
    uint64_t state = 1;

    for (unsigned round = 0; round < 200; round++) {
        struct xds_rbac_rule rules[RULES];
        struct fixture f;

        make_rules(rules, &state);
        start(&f, round % XDS_CLIENTS);
        if (round % 2)
            test_rpc_header(&f.t, "x-user", "ann");
        for (size_t i = 0; i < RULES; i++) {
            const struct xds_rbac_rule not_rule = set_of(XDS_RBAC_NOT, &rules[i], 1);
            const struct xds_rbac_rule not_not = set_of(XDS_RBAC_NOT, &not_rule, 1);

            cr_expect_eq(permits(&f, &not_not), permits(&f, &rules[i]));
            cr_expect_neq(permits(&f, &not_rule), permits(&f, &rules[i]));
        }
        test_rpc_release(&f.t);
    }
}

Test(rbac_decide, the_order_of_policies_changes_no_answer)
{
    uint64_t state = 2;

    for (unsigned round = 0; round < 500; round++) {
        struct xds_rbac_rule rules[RULES];
        struct xds_rbac_policy policies[5], turned[5];
        const enum xds_rbac_action action = round % 2 ? XDS_RBAC_ALLOW : XDS_RBAC_DENY;
        struct fixture f;

        make_rules(rules, &state);
        start(&f, round % XDS_CLIENTS);
        for (unsigned i = 0; i < 5; i++)
            policies[i] =
                policy_of((const char *[]){"a", "b", "c", "d", "e"}[i],
                          &rules[draw(&state, RULES)], &rules[draw(&state, RULES)]);
        for (unsigned i = 0; i < 5; i++)
            turned[i] = policies[(i + round) % 5];

        const struct xds_rbac one = rbac_of(action, policies, 5);
        const struct xds_rbac other = rbac_of(action, turned, 5);

        cr_expect_eq(allows(&f, &one), allows(&f, &other));
        test_rpc_release(&f.t);
    }
}
