/* clients_test.c - clients by name. */
#include <criterion/criterion.h>
#include <string.h>

#include "base/slice.h"
#include "clients/readers.h"

Test(clients, stand_in_one_order_with_a_word_of_its_own_before_the_last)
{
    const unsigned go = XDS_CLIENT_BIT(XDS_CLIENT_GO);
    const unsigned core = XDS_CLIENT_BIT(XDS_CLIENT_CORE);

    cr_expect_str_eq(xds_client_list(0, " and ").text, "");
    cr_expect_str_eq(xds_client_list(go, " and ").text, "go");
    cr_expect_str_eq(xds_client_list(go | core, " and ").text, "core and go");
    cr_expect_str_eq(xds_client_list(go | core, ", ").text, "core, go");
}

Test(clients, all_of_them_have_room)
{
    const struct xds_client_list list = xds_client_list(~0u, " and ");
    size_t len = strlen(" and ") + strlen(", ") * (XDS_CLIENTS - 2);

    for (enum xds_client c = 0; c < XDS_CLIENTS; c++) {
        cr_expect(strstr(list.text, xds_client_name(c)), "%s", xds_client_name(c));
        len += strlen(xds_client_name(c));
    }
    cr_expect_eq(strlen(list.text), len, "%s", list.text);
}

Test(clients, each_name_and_each_alias_is_of_one_client)
{
    for (enum xds_client c = 0; c < XDS_CLIENTS; c++) {
        struct xds_slice rest = xds_slice_of(xds_client_info(c)->aliases), alias;
        enum xds_client found;

        cr_expect(xds_client_from_name(xds_slice_of(xds_client_name(c)), &found));
        cr_expect_eq(found, c, "%s", xds_client_name(c));
        while (rest.len > 0) {
            rest = xds_slice_cut(rest, ' ', &alias);
            cr_expect(xds_client_from_name(alias, &found));
            cr_expect_eq(found, c, "%.*s", XDS_FMT(alias));
        }
    }
    cr_expect_not(xds_client_from_name(XDS_S("rust"), &(enum xds_client){0}));
    cr_expect_not(xds_client_from_name(XDS_S("all"), &(enum xds_client){0}));
}

Test(clients, the_newest_release_comes_last)
{
    for (enum xds_client c = 0; c < XDS_CLIENTS; c++) {
        size_t n;
        const struct xds_release *releases = xds_client_releases(c, &n);

        for (size_t i = 1; i < n; i++)
            cr_expect(xds_release_is_before(releases[i - 1], releases[i]), "%s %zu",
                      xds_client_name(c), i);
    }
}
