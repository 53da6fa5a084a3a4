/* session_test.c - finding the cookie, reading it, and the cookie of the response. */
#include <criterion/criterion.h>

#include "route/rpc_test.h"
#include "session/session.h"

/* ---- the Cookie headers ---- */

static const struct header_row {
    const char *headers[2];
    const char *core; /* the value of s; NULL: not found */
    const char *grfc;
} header_rows[] = {
    {{"s=X", NULL}, "X", "X"},
    {{"a=1; s=X", NULL}, "X", "X"},
    {{"a=1;s=X", NULL}, NULL, "X"},
    {{"a=1;  s=X", NULL}, NULL, "X"},
    {{"a=1", "s=X"}, NULL, "X"},
    {{"s=X", "a=1"}, "X,a=1", "X"},
    {{"s=X; s=Y", NULL}, "X", "X"},
    {{"s=a=b==", NULL}, "a=b==", "a=b=="},
    {{"s=", NULL}, "", ""},
    {{"s", NULL}, "", NULL},
    {{"s; s=X", NULL}, "", "X"},
    {{"S=X", NULL}, NULL, NULL},
    {{"ss=X; xs=Y", NULL}, NULL, NULL},
    {{"s=\"X\"", NULL}, "\"X\"", "\"X\""},
    {{"; s=X", NULL}, "X", "X"},
    {{"", NULL}, NULL, NULL},
    {{NULL, NULL}, NULL, NULL},
};

static void expect_cookie(enum xds_client client, const struct header_row *row,
                          const char *wanted)
{
    struct test_rpc t;
    struct xds_slice value;
    bool tolerant;

    test_rpc_init(&t, client);
    for (size_t i = 0; i < 2 && row->headers[i]; i++)
        test_rpc_header(&t, "Cookie", row->headers[i]);
    const bool found = xds_cookie_find(&t.rpc, XDS_S("s"), &value, &tolerant);
    cr_expect_eq(found, wanted != NULL, "%s", row->headers[0]);
    if (found && wanted)
        cr_expect(xds_slice_is(value, wanted), "%s", row->headers[0]);
    if (client == XDS_CLIENT_CORE)
        cr_expect_eq(tolerant, !row->core && row->grfc, "%s", row->headers[0]);
    test_rpc_release(&t);
}

Test(cookie, core_splits_on_semicolon_and_blank_and_the_documents_are_lenient)
{
    for (size_t i = 0; i < XDS_ARRAY_LEN(header_rows); i++) {
        expect_cookie(XDS_CLIENT_CORE, &header_rows[i], header_rows[i].core);
        expect_cookie(XDS_CLIENT_GRFC, &header_rows[i], header_rows[i].grfc);
    }
}

/* ---- the clear text ---- */

static const struct clear_row {
    const char *clear;
    enum xds_client client;
    size_t n;
    const char *first;
    const char *cluster; /* NULL: none */
} clear_rows[] = {
    {"192.0.2.10:8443", XDS_CLIENT_CORE, 1, "192.0.2.10:8443", NULL},
    {"192.0.2.10:8443;prod-a", XDS_CLIENT_CORE, 1, "192.0.2.10:8443", "prod-a"},
    {"a:1,[2001:db8::a]:2;c", XDS_CLIENT_CORE, 2, "a:1", "c"},
    {"a:1;we;ird", XDS_CLIENT_CORE, 1, "a:1", "we;ird"},
    {"a:1;", XDS_CLIENT_CORE, 1, "a:1", ""},
    {";c", XDS_CLIENT_CORE, 0, "", "c"},
    {"a:1,,b:2", XDS_CLIENT_CORE, 3, "a:1", NULL},
    {"a:1;cluster:c", XDS_CLIENT_CORE, 1, "a:1", "cluster:c"},
    {"a:1;cluster:c", XDS_CLIENT_GRFC, 1, "a:1", "c"},
    {"a:1;\"c\"", XDS_CLIENT_CORE, 1, "a:1", "\"c\""},
    {"a:1;\"c\"", XDS_CLIENT_GRFC, 1, "a:1", "c"},
    {"a:1;\"", XDS_CLIENT_GRFC, 1, "a:1", "\""},
};

Test(cookie, the_clear_text_has_addresses_before_the_first_semicolon)
{
    for (const struct clear_row *r = clear_rows;
         r < clear_rows + XDS_ARRAY_LEN(clear_rows); r++) {
        struct test_rpc t;

        test_rpc_init(&t, r->client);
        const struct xds_cookie c = xds_cookie_parse(&t.rpc, xds_slice_of(r->clear));
        cr_expect_eq(c.n_addresses, r->n, "%s", r->clear);
        if (r->n)
            cr_expect(xds_slice_is(c.addresses[0], r->first), "%s", r->clear);
        cr_expect_eq(c.cluster.data != NULL, r->cluster != NULL, "%s", r->clear);
        if (r->cluster)
            cr_expect(xds_slice_is(c.cluster, r->cluster), "%s", r->clear);
        test_rpc_release(&t);
    }
}

Test(cookie, an_ip_port_is_told_from_other_text)
{
    static const struct {
        const char *text;
        bool is;
    } texts[] = {
        {"192.0.2.10:8443", true},
        {"[2001:db8::a]:80", true},
        {"[::1]:0", true},
        {"192.0.2:80", false},
        {"192.0.2.256:80", false},
        {"1.2.3.4.5:80", false},
        {"192.0.2.10", false},
        {"192.0.2.10:", false},
        {"192.0.2.10:65536", false},
        {"[::1]", false},
        {"[::1]80", false},
        {"::1:80", false},
        {"host:80", false},
        {"[]:80", false},
        {"", false},
        {"[", false},
        {"1.2.3.:80", false},
    };

    for (size_t i = 0; i < XDS_ARRAY_LEN(texts); i++)
        cr_expect_eq(xds_is_ip_port(xds_slice_of(texts[i].text)), texts[i].is, "%s",
                     texts[i].text);
}

Test(cookie, encoding_joins_addresses_and_cluster)
{
    const struct xds_slice none = {NULL, 0};
    char text[64];
    const size_t n =
        xds_cookie_encode(XDS_S("192.0.2.10:8443"), XDS_S("prod-a"), text, sizeof(text));

    cr_expect(xds_slice_is(xds_slice_make(text, n), "MTkyLjAuMi4xMDo4NDQzO3Byb2QtYQ=="));
    cr_expect_eq(xds_cookie_encode(XDS_S("abc"), none, NULL, 0), 4);
    cr_expect_eq(xds_cookie_encode(XDS_S("abc"), XDS_S(""), NULL, 0), 8);
    cr_expect_eq(xds_cookie_encode(none, none, text, sizeof(text)), 0);
}

Test(cookie, an_empty_value_is_no_cookie)
{
    char clear[8];
    size_t len;

    cr_expect_not(xds_cookie_decode(XDS_S(""), clear, sizeof(clear), &len));
    cr_expect_not(xds_cookie_decode(XDS_S("  "), clear, sizeof(clear), &len));
    cr_expect(xds_cookie_decode(XDS_S("TQ=="), clear, sizeof(clear), &len));
    cr_expect_eq(len, 1);
}

/* ---- the response ---- */

Test(session, the_cookie_path_ends_at_a_slash_of_the_request_path)
{
    static const struct {
        const char *cookie, *path;
        bool acts;
    } paths[] = {
        {"", "/a.B/M", true},         {"/", "/a.B/M", true},
        {"/a.B", "/a.B/M", true},     {"/a.B/", "/a.B/M", true},
        {"/a.B/M", "/a.B/M", true},   {"/a.B/M", "/a.B/Method", false},
        {"/a.", "/a.B/M", false},     {"/A.b", "/a.b/M", false},
        {"/a.B/M/", "/a.B/M", false},
    };

    for (size_t i = 0; i < XDS_ARRAY_LEN(paths); i++)
        cr_expect_eq(xds_cookie_path_matches(xds_slice_of(paths[i].cookie),
                                             xds_slice_of(paths[i].path)),
                     paths[i].acts, "%s %s", paths[i].cookie, paths[i].path);
}

static struct xds_slice set_cookie(const struct xds_rpc *rpc,
                                   const struct xds_session_config *config,
                                   const char *list, const char *used, bool changed)
{
    const struct xds_session session = {
        .config = config,
        .acts = true,
        .cookie = {.list = xds_slice_of(list)},
        .cluster = {.name = XDS_S("prod-a"), .changed = changed}};

    return xds_session_set_cookie(rpc, &session, xds_slice_of(used));
}

Test(session, a_cookie_is_sent_when_host_or_cluster_changed)
{
    const struct xds_session_config config = {.enabled = true,
                                              .cookie_name = XDS_S("sid"),
                                              .cookie_path = XDS_S("/shop.Cart"),
                                              .has_ttl = true,
                                              .ttl_seconds = 120,
                                              .ttl_positive = true};
    const char *host = "192.0.2.10:8443";
    const char *wanted = "sid=MTkyLjAuMi4xMDo4NDQzO3Byb2QtYQ==; HttpOnly; "
                         "Path=/shop.Cart; Max-Age=120";
    struct test_rpc t;

    test_rpc_init(&t, XDS_CLIENT_CORE);
    cr_expect(xds_slice_is(set_cookie(&t.rpc, &config, "", host, false), wanted));
    cr_expect(xds_slice_is(set_cookie(&t.rpc, &config, host, host, true), wanted));
    cr_expect_null(set_cookie(&t.rpc, &config, host, host, false).data);
    cr_expect_not_null(set_cookie(&t.rpc, &config, "a,b", "b,a", false).data);
    test_rpc_release(&t);
}

Test(session, path_and_age_are_left_out_when_they_are_not_configured)
{
    struct xds_session_config config = {.enabled = true, .cookie_name = XDS_S("s")};
    struct test_rpc t;

    test_rpc_init(&t, XDS_CLIENT_CORE);
    cr_expect(xds_slice_is(set_cookie(&t.rpc, &config, "", "abc", false),
                           "s=YWJjO3Byb2QtYQ==; HttpOnly"));
    config.has_ttl = true;
    cr_expect(xds_slice_is(set_cookie(&t.rpc, &config, "", "abc", false),
                           "s=YWJjO3Byb2QtYQ==; HttpOnly"),
              "a ttl of 0 announces nothing");
    config.ttl_positive = true;
    cr_expect(xds_slice_is(set_cookie(&t.rpc, &config, "", "abc", false),
                           "s=YWJjO3Byb2QtYQ==; HttpOnly; Max-Age=0"),
              "half a second is cut to 0");
    t.rpc.client = XDS_CLIENT_GRFC;
    cr_expect(xds_slice_is(set_cookie(&t.rpc, &config, "", "abc", false),
                           "s=YWJjO2NsdXN0ZXI6cHJvZC1h; HttpOnly; Path=/; Max-Age=0"),
              "A55 defaults the path to /");
    test_rpc_release(&t);
}

Test(session, a_filter_that_does_not_act_sends_nothing)
{
    const struct xds_session_config config = {.cookie_name = XDS_S("s")};
    const struct xds_session session = {.config = &config, .cluster = {.changed = true}};
    struct test_rpc t;

    test_rpc_init(&t, XDS_CLIENT_CORE);
    cr_expect_null(xds_session_set_cookie(&t.rpc, &session, XDS_S("a")).data);
    test_rpc_release(&t);
}
