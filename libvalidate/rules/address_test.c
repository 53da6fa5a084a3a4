/* address_test.c - literals as inet_pton reads them, and the text they come out as. */
#include <criterion/criterion.h>

#include <arpa/inet.h>
#include <stdio.h>

#include "rules/inner.h"
#include "rules/kit_test.h"

static const struct {
    const char *host;
    const char *text; /* NULL: no address */
} literals[] = {
    {"10.0.0.1", "10.0.0.1:80"},
    {"255.255.255.255", "255.255.255.255:80"},
    {"0.0.0.0", "0.0.0.0:80"},
    {"::", "[::]:80"},
    {"[::1]", "[::1]:80"},
    {"2001:DB8:0:0:0:0:0:1", "[2001:db8::1]:80"},
    {"::ffff:10.0.0.1", "[::ffff:10.0.0.1]:80"},
    {"fe80::1%4294967295", "[fe80::1%4294967295]:80"},
    {"", NULL},
    {"10.0.0", NULL},
    {"10.0.0.", NULL},
    {"10.0.0.1.", NULL},
    {"10.0.0.256", NULL},
    {"10.0.0.01", NULL},
    {"10.0.0.1000", NULL},
    {"10..0.1", NULL},
    {".10.0.0.1", NULL},
    {"+1.0.0.1", NULL},
    {" 10.0.0.1", NULL},
    {"0x7f.0.0.1", NULL},
    {"[10.0.0.1]", NULL},
    {"[", NULL},
    {"[]", NULL},
    {"[::1", NULL},
    {"::1]", NULL},
    {"[[::1]]", NULL},
    {"1::2::3", NULL},
    {"1:2:3:4:5:6:7:8:9", NULL},
    {"fe80::1%", NULL},
    {"fe80::1%eth0", NULL},
    {"fe80::1%4294967296", NULL},
    {"fe80::1%1%2", NULL},
    {"localhost", NULL},
    {"0000:0000:0000:0000:0000:0000:0000:0000:0000:0000:0000:0000", NULL},
};

Test(address, a_literal_is_read_and_written_in_its_canonical_form)
{
    for (size_t i = 0; i < XDS_ARRAY_LEN(literals); i++) {
        struct xds_sockaddr address;
        char text[XDS_SOCKADDR_TEXT + 1] = "";
        const bool ok = xds_sockaddr_parse(xds_slice_of(literals[i].host), 80, &address);

        cr_expect_eq(ok, literals[i].text != NULL, "\"%s\"", literals[i].host);
        if (!ok) {
            cr_expect_eq(address.family, 0);
            continue;
        }
        text[xds_sockaddr_format(&address, text)] = '\0';
        cr_expect_str_eq(text, literals[i].text);
    }
}

/* Every text of up to five of these characters is read exactly as inet_pton reads it. */
Test(address, short_texts_agree_with_inet_pton)
{
    static const char letters[] = "0129.5:a";
    const unsigned base = sizeof letters - 1;
    char host[8];

    for (unsigned n = 0; n < 8 * 8 * 8 * 8 * 8; n++) {
        struct xds_sockaddr address;
        struct in6_addr v6;
        struct in_addr v4;

        (void)snprintf(host, sizeof host, "%c%c%c%c%c", letters[n % base],
                       letters[n / 8 % base], letters[n / 64 % base],
                       letters[n / 512 % base], letters[n / 4096 % base]);
        const unsigned family = inet_pton(AF_INET, host, &v4) == 1    ? 4
                                : inet_pton(AF_INET6, host, &v6) == 1 ? 6
                                                                      : 0;
        (void)xds_sockaddr_parse(xds_slice_of(host), 1, &address);
        cr_assert_eq(address.family, family, "%s", host);
    }
}

Test(address, the_longest_text_fits_its_buffer)
{
    struct xds_sockaddr address;
    char text[XDS_SOCKADDR_TEXT];

    cr_assert(xds_sockaddr_parse(
        XDS_S("1111:2222:3333:4444:5555:6666:255.255.255.255%4294967295"), 65535,
        &address));
    cr_expect_leq(xds_sockaddr_format(&address, text), sizeof text);
}

Test(address, the_uri_is_that_of_core)
{
    struct kit *kit = kit_new();
    struct xds_sockaddr v4, v6;

    cr_assert(xds_sockaddr_parse(XDS_S("10.0.0.1"), 80, &v4));
    cr_assert(xds_sockaddr_parse(XDS_S("2001:db8::1"), 443, &v6));
    cr_expect_str_eq(xds_sockaddr_uri(&kit->arena, &v4).data, "ipv4:10.0.0.1:80");
    cr_expect_str_eq(xds_sockaddr_uri(&kit->arena, &v6).data,
                     "ipv6:%5B2001:db8::1%5D:443");
    kit_free(kit);
}

static unsigned add(struct xds_address_set *set, const char *host, uint32_t port,
                    unsigned clients)
{
    struct xds_sockaddr address;

    (void)xds_sockaddr_parse(xds_slice_of(host), port, &address);
    return (unsigned)xds_address_set_add(set, &address, xds_slice_of(host), port,
                                         clients);
}

Test(address_set, each_client_compares_in_its_own_way)
{
    const unsigned all = XDS_ALL_CLIENTS;
    struct kit *kit = kit_new();
    struct xds_address_set set;

    xds_address_set_init(&set, &kit->ctx, 0);
    cr_expect_eq(add(&set, "::1", 80, all), 0);
    cr_expect_eq(add(&set, "0:0::1", 80, all), XDS_GRFC | XDS_CORE);
    cr_expect_eq(add(&set, "::1", 80, all), all & ~XDS_JAVA);
    cr_expect_eq(add(&set, "::1", 81, all), 0);
    cr_expect_eq(add(&set, "host", 80, all), 0);
    cr_expect_eq(add(&set, "host", 80, all), XDS_GO | XDS_NODE);
    cr_expect_eq(add(&set, "10.0.0.1", 80, XDS_CORE), 0);
    cr_expect_eq(add(&set, "10.0.0.1", 80, all & ~XDS_CORE), 0);
    cr_expect_eq(add(&set, "10.0.0.1", 80, XDS_CORE | XDS_JAVA), XDS_CORE);
    kit_free(kit);
}

Test(address_set, nothing_is_lost_when_it_grows)
{
    struct kit *kit = kit_new();
    struct xds_address_set set;
    char host[32];

    xds_address_set_init(&set, &kit->ctx, 1);
    for (unsigned round = 0; round < 2; round++)
        for (unsigned i = 0; i < 20000; i++) {
            if (i % 2)
                (void)snprintf(host, sizeof host, "10.1.%u.%u", i >> 8, i & 255);
            else
                (void)snprintf(host, sizeof host, "fd00::%x:%x", i >> 8, i & 255);
            cr_assert_eq(add(&set, host, 80, XDS_CORE), round ? XDS_CORE : 0, "%s", host);
        }
    kit_free(kit);
}
