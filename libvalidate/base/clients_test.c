/* clients_test.c - clients by name. */
#include <criterion/criterion.h>

#include "base/clients.h"

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
    cr_expect_str_eq(xds_client_list(XDS_ALL_CLIENTS, " and ").text,
                     "grfc, core, go, java and node");
    cr_expect_str_eq(xds_client_list(~0u, " and ").text, "grfc, core, go, java and node");
}
