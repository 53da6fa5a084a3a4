/* target_uri_test.c - targets for which C-core makes a channel, and others. */
#include <criterion/criterion.h>

#include "rules/inner.h"

#define A16 "aaaaaaaaaaaaaaaa"
#define A96 A16 A16 A16 A16 A16 A16

static const struct row {
    const char *target;
    bool valid;
} rows[] = {
    /* What is no URI of a known scheme is a name for DNS. */
    {"rls.example.com", true},
    {"rls.example.com:443", true},
    {"[::1]:443", true},
    {"no.such+scheme:///a", true},
    {"DNS:", false},
    {"1a:b", true},
    {":", true},
    {"/", true},
    {"a b<", true},
    {"a%", true},
    {"a#", true},
    {"", false},
    {"?", false},
    {"a?", false},
    /* dns asks for a name, xds for one that does not end in a slash. */
    {"dns:a", true},
    {"dns:a?x=y#z", true},
    {"dns:///a?b?c", true},
    {"dns:////", true},
    {"dns://<>/a", true},
    {"dns:%zz", true},
    {"dns:///%2F", true},
    {"dns:", false},
    {"dns:/", false},
    {"dns:%2f", false},
    {"dns://a", false},
    {"dns:?x", false},
    {"dns:///a?", false},
    {"dns:///a?<", false},
    {"dns:///a?b#<", false},
    {"dns:///a#b#c", false},
    {"xds:///a", true},
    {"xds:", false},
    {"xds:///", false},
    {"xds:a/", false},
    {"google-c2p:", true},
    {"google-c2p:///a", true},
    {"google-c2p://a/b", false},
    {"google-c2p-experimental://a/b", false},
    /* Lists of addresses. */
    {"ipv4:", true},
    {"ipv4:1.2.3.4:5", true},
    {"ipv4:///1.2.3.4:5", true},
    {"ipv4:1.2.3.4:5,/1.2.3.4:5", true},
    {"ipv4:1.2.3.4:5,", true},
    {"ipv4:%31.2.3.4:5", true},
    {"ipv4:1.2.3.4:5x", true},
    {"ipv4:1.2.3.4: +5", true},
    {"ipv4:1.2.3.4:-0", true},
    {"ipv4:1.2.3.4:65535", true},
    {"ipv4:1.2.3.4:65536", false},
    {"ipv4:1.2.3.4:99999999999999999999", false},
    {"ipv4:1.2.3.4:-1", false},
    {"ipv4:1.2.3.4:x", false},
    {"ipv4:1.2.3.4:", false},
    {"ipv4:1.2.3.4", false},
    {"ipv4: 1.2.3.4:5", false},
    {"ipv4:01.2.3.4:5", false},
    {"ipv4:[1.2.3.4]:5", false},
    {"ipv4://x/1.2.3.4:5", false},
    {"ipv4:////1.2.3.4:5", false},
    {"ipv4:/", false},
    {"ipv4:1.2.3.4:5,1.2.3.4:x", false},
    {"ipv4:a:5", false},
    {"ipv4::5", false},
    {"ipv4:1.2.3.4%251:5", false},
    {"ipv6:[::1]:5", true},
    {"ipv6:[::1]:5,[::2]:7", true},
    {"ipv6:[::1%251]:5", true},
    {"ipv6:[fe80::1%25lo]:5", true},
    {"ipv6:[::1%25]:5", false},
    {"ipv6:[::1]", false},
    {"ipv6:[::1", false},
    {"ipv6:[::1]x:5", false},
    {"ipv6:[]:5", false},
    {"ipv6:[1.2.3.4]:5", false},
    {"ipv6:::1", false},
    {"ipv6:::1:5", false},
    /* 107 bytes of a path fit into a socket address. */
    {"unix:", true},
    {"unix:a", true},
    {"unix:///a", true},
    {"unix:,", true},
    {"unix:" A96 "aaaaaaaaaaa", true},
    {"unix:" A96 "aaaaaaaaaaaa", false},
    {"unix:" A96 "aaaaaaaaaaa,b", true},
    {"unix://a/b", false},
    {"unix-abstract:" A96 "aaaaaaaaaaa", true},
    {"unix-abstract:" A96 "aaaaaaaaaaaa", false},
    {"unix-abstract://a/b", false},
};

Test(target_uri, a_target_needs_a_resolver_that_takes_it)
{
    struct xds_arena arena;

    xds_arena_init(&arena, 0);
    for (size_t i = 0; i < XDS_ARRAY_LEN(rows); i++)
        cr_expect_eq(xds_target_uri_valid(&arena, rows[i].target, false), rows[i].valid,
                     "%s", rows[i].target);
    xds_arena_release(&arena);
}

Test(target_uri, where_case_counts_another_scheme_is_a_name_for_dns)
{
    struct xds_arena arena;

    xds_arena_init(&arena, 0);
    cr_expect(xds_target_uri_valid(&arena, "DNS:", true));
    cr_expect_not(xds_target_uri_valid(&arena, "dns:", true));
    xds_arena_release(&arena);
}
