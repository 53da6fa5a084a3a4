/* target_test.c - target URIs, and what becomes of odd characters. */
#include <criterion/criterion.h>

#include "route/rpc_test.h"

static const struct row {
    const char *uri, *listener, *authority;
    enum xds_client client;
} rows[] = {
    {"xds:///shop.example.com", "shop.example.com", "shop.example.com", XDS_CLIENT_CORE},
    {"xds:///shop:8080", "shop:8080", "shop:8080", XDS_CLIENT_CORE},
    {"xds:shop", "shop", "shop", XDS_CLIENT_CORE},
    {"shop", "shop", "shop", XDS_CLIENT_CORE},
    {"xds:///[2001:db8::1]:80", "[2001:db8::1]:80", "[2001:db8::1]:80", XDS_CLIENT_CORE},
    {"xds:///a/b", "a/b", "a%2Fb", XDS_CLIENT_CORE},
    {"xds:///a/b", "a/b", "a/b", XDS_CLIENT_GO},
    {"xds:///a%2fb", "a/b", "a%2Fb", XDS_CLIENT_GRFC},
    {"xds:///100%", "100%", "100%25", XDS_CLIENT_CORE},
    {"xds:///a%00b", "a%00b", "a%00b", XDS_CLIENT_GO},
    {"xds:///a%zzb", "a%zzb", "a%zzb", XDS_CLIENT_GO},
    {"xds://auth/shop", "xdstp://auth/envoy.config.listener.v3.Listener/shop", "shop",
     XDS_CLIENT_CORE},
    {"xds://auth", "xdstp://auth/envoy.config.listener.v3.Listener/", "",
     XDS_CLIENT_CORE},
    {"xds:///", "", "", XDS_CLIENT_CORE},
    {"xds:///shop?x=1", "shop", "shop", XDS_CLIENT_CORE},
    {"xds:///shop#f", "shop", "shop", XDS_CLIENT_GO},
    {"xds:///shop#f?x=1", "shop", "shop", XDS_CLIENT_CORE},
    {"xds:///shop?x=1#f", "shop", "shop", XDS_CLIENT_CORE},
    {"xds:///shop%3Fx", "shop?x", "shop%3Fx", XDS_CLIENT_CORE},
    {"xds:shop?x", "shop", "shop", XDS_CLIENT_CORE},
    {"xds://auth?x/y", "xdstp://auth/envoy.config.listener.v3.Listener/", "",
     XDS_CLIENT_CORE},
    {"shop?x", "shop?x", "shop%3Fx", XDS_CLIENT_CORE},
    {"", "", "", XDS_CLIENT_CORE},
};

Test(target, the_scheme_of_another_resolver_is_told)
{
    static const struct {
        const char *uri, *scheme;
    } cases[] = {
        {"dns:///shop", "dns"}, {"ipv4://10.0.0.1:80", "ipv4"},
        {"xds:///shop", NULL},  {"xdstp://a/b/c", NULL},
        {"shop:80", NULL},      {"shop", NULL},
    };
    struct test_rpc t;

    test_rpc_init(&t, XDS_CLIENT_CORE);
    for (size_t i = 0; i < XDS_ARRAY_LEN(cases); i++) {
        const struct xds_slice got =
            xds_target_parse(&t.rpc, xds_slice_of(cases[i].uri)).foreign;
        cr_expect_eq(!got.data, !cases[i].scheme, "%s", cases[i].uri);
        cr_expect(!cases[i].scheme || xds_slice_is(got, cases[i].scheme), "%s",
                  cases[i].uri);
    }
    test_rpc_release(&t);
}

Test(target, a_uri_becomes_a_listener_and_an_authority)
{
    for (const struct row *r = rows; r < rows + XDS_ARRAY_LEN(rows); r++) {
        struct test_rpc t;

        test_rpc_init(&t, r->client);
        const struct xds_target got = xds_target_parse(&t.rpc, xds_slice_of(r->uri));
        cr_expect(xds_slice_is(got.listener, r->listener), "%s: %.*s", r->uri,
                  XDS_FMT(got.listener));
        cr_expect(xds_slice_is(got.authority, r->authority), "%s: %.*s", r->uri,
                  XDS_FMT(got.authority));
        test_rpc_release(&t);
    }
}
