/* virtual_host_test.c - which pattern wins, and where the clients disagree. */
#include <criterion/criterion.h>

#include "route/route.h"

enum { DOMAINS = 4 };

/* One virtual host per domain. */
static const struct row {
    const char *domains[DOMAINS];
    const char *authority;
    enum xds_client client;
    int index; /* -1: none */
} rows[] = {
    {{"*", "foo.bar.*", "*.bar.com", "foo.bar.com"}, "foo.bar.com", XDS_CLIENT_CORE, 3},
    {{"*", "foo.bar.*", "*.bar.com"}, "foo.bar.com", XDS_CLIENT_CORE, 2},
    {{"*", "foo.bar.*"}, "foo.bar.org", XDS_CLIENT_CORE, 1},
    {{"*", "foo.bar.*"}, "other", XDS_CLIENT_CORE, 0},
    {{"foo.bar"}, "other", XDS_CLIENT_CORE, -1},
    /* a short suffix beats a long prefix, except for java (V-a) */
    {{"very.long.prefix.of.a.*", "*.z"}, "very.long.prefix.of.a.z", XDS_CLIENT_CORE, 1},
    {{"very.long.prefix.of.a.*", "*.z"}, "very.long.prefix.of.a.z", XDS_CLIENT_JAVA, 0},
    {{"a.*", "*.a"}, "a.a", XDS_CLIENT_JAVA, 1},
    /* of equally long ones the last that begins with a star, for java (S2) */
    {{"*.com", "*.com"}, "a.com", XDS_CLIENT_CORE, 0},
    {{"*.com", "*.com"}, "a.com", XDS_CLIENT_JAVA, 1},
    {{"*", "*"}, "a.com", XDS_CLIENT_JAVA, 1},
    {{"a.c*", "a.c*"}, "a.com", XDS_CLIENT_JAVA, 0},
    {{"*.a", "a.*"}, "a.a", XDS_CLIENT_JAVA, 0},
    {{"*", "a.com", "*.com"}, "a.com", XDS_CLIENT_JAVA, 1},
    {{"*.com", "*.bar.com"}, "foo.bar.com", XDS_CLIENT_CORE, 1},
    {{"*.bar.com", "*.com"}, "foo.bar.com", XDS_CLIENT_CORE, 0},
    {{"a", "a"}, "a", XDS_CLIENT_CORE, 0},
    /* case (V-b) */
    {{"Foo.COM"}, "fOO.com", XDS_CLIENT_CORE, 0},
    {{"Foo.COM"}, "fOO.com", XDS_CLIENT_GO, -1},
    {{"*.COM"}, "foo.com", XDS_CLIENT_JAVA, 0},
    {{"*.COM"}, "foo.com", XDS_CLIENT_NODE, -1},
    /* an empty star (V-c) */
    {{"*.a.b"}, ".a.b", XDS_CLIENT_CORE, -1},
    {{"*.a.b"}, ".a.b", XDS_CLIENT_GO, 0},
    {{"a.*"}, "a.", XDS_CLIENT_GRFC, -1},
    {{"a.*"}, "a.", XDS_CLIENT_NODE, 0},
    /* ports belong to the string */
    {{"a.com", "a.com:*"}, "a.com:80", XDS_CLIENT_CORE, 1},
    {{"a.com"}, "a.com:80", XDS_CLIENT_CORE, -1},
    /* odd patterns (V-d) */
    {{"*a*"}, "xa*", XDS_CLIENT_CORE, 0},
    {{"*a*"}, "xab", XDS_CLIENT_CORE, -1},
    {{"*a*"}, "xa*", XDS_CLIENT_JAVA, -1},
    {{"a*b*"}, "a*bc", XDS_CLIENT_CORE, 0},
    {{"a*b", "*"}, "a*b", XDS_CLIENT_CORE, 1},
    {{"*", "a*b"}, "x", XDS_CLIENT_GO, -1},
    {{"", "*"}, "", XDS_CLIENT_CORE, 1},
    {{"x", "a*b"}, "x", XDS_CLIENT_GO, -1},
    /* java throws at a dot (S7) */
    {{".a", "*"}, "x", XDS_CLIENT_JAVA, -1},
    {{"a.", "*"}, "x", XDS_CLIENT_JAVA, -1},
    {{"", "*"}, "x", XDS_CLIENT_JAVA, -1},
    {{"*"}, "x.", XDS_CLIENT_JAVA, -1},
    {{"x", "a."}, "x", XDS_CLIENT_JAVA, 0},
    {{"a.", "*"}, "x", XDS_CLIENT_GO, 1},
};

Test(virtual_host, the_best_class_wins_then_the_longest_pattern_then_the_first)
{
    struct xds_options options;

    xds_options_init(&options);
    for (const struct row *r = rows; r < rows + XDS_ARRAY_LEN(rows); r++) {
        struct xds_slice domains[DOMAINS];
        struct xds_virtual_host hosts[DOMAINS] = {{.n_domains = 0}};
        struct xds_route_config config = {.virtual_hosts = hosts};

        for (size_t i = 0; i < DOMAINS && r->domains[i]; i++) {
            domains[i] = xds_slice_of(r->domains[i]);
            hosts[i] = (struct xds_virtual_host){.domains = &domains[i], .n_domains = 1};
            config.n_virtual_hosts++;
        }
        const struct xds_virtual_host_choice c = xds_virtual_host_find(
            &config, &options, r->client, xds_slice_of(r->authority));
        cr_expect_eq(c.host ? (int)c.index : -1, r->index, "%s for %s: got %d",
                     r->authority, xds_client_name(r->client),
                     c.host ? (int)c.index : -1);
    }
}

Test(virtual_host, the_winning_pattern_and_its_class_are_told)
{
    const struct xds_slice domains[] = {XDS_S("*"), XDS_S("*.org"), XDS_S("b.*")};
    const struct xds_virtual_host host = {.domains = domains, .n_domains = 3};
    const struct xds_route_config config = {.virtual_hosts = &host, .n_virtual_hosts = 1};
    struct xds_options options;

    xds_options_init(&options);
    const struct xds_virtual_host_choice c =
        xds_virtual_host_find(&config, &options, XDS_CLIENT_CORE, XDS_S("b.org"));

    cr_expect(xds_slice_is(c.domain, "*.org"));
    cr_expect_str_eq(xds_domain_class_name(c.match), "suffix");
}
