/* options_test.c - environment variables: defaults per client, settings, slips. */
#include <criterion/criterion.h>
#include <stdio.h>

#include "base/options.h"
#include "base/slice.h"

static bool set(struct xds_options *options, const char *text)
{
    const char *hint;

    return xds_options_set_env(options, xds_slice_of(text), &hint) == XDS_OK;
}

Test(options, an_unset_variable_is_each_clients_own_default)
{
    struct xds_options options;

    xds_options_init(&options);
    cr_expect(xds_env_on(&options, XDS_ENV_SNI, XDS_CLIENT_CORE));
    cr_expect_not(xds_env_on(&options, XDS_ENV_SNI, XDS_CLIENT_GO));
    cr_expect(xds_env_on(&options, XDS_ENV_SNI, XDS_CLIENT_JAVA));
}

Test(options, setting_a_variable_moves_only_the_clients_that_read_it)
{
    struct xds_options options;

    xds_options_init(&options);
    cr_assert(set(&options, "GRPC_EXPERIMENTAL_XDS_SNI=false"));
    cr_expect_not(xds_env_on(&options, XDS_ENV_SNI, XDS_CLIENT_CORE));
    cr_expect(xds_env_on(&options, XDS_ENV_SNI, XDS_CLIENT_JAVA));
    cr_assert(set(&options, "GRPC_EXPERIMENTAL_XDS_ENABLE_OVERRIDE_HOST=false"));
    cr_expect(xds_env_on(&options, XDS_ENV_OVERRIDE_HOST, XDS_CLIENT_CORE));
    cr_expect_not(xds_env_on(&options, XDS_ENV_OVERRIDE_HOST, XDS_CLIENT_GRFC));
}

Test(options, words_for_true_are_few_and_anything_else_is_off)
{
    struct xds_options options;
    static const char *const on[] = {"1", "T", "true", "Yes", "y"};
    static const char *const off[] = {"", "0", "on", "enabled", "no"};
    char text[64];

    xds_options_init(&options);
    for (size_t i = 0; i < XDS_ARRAY_LEN(on); i++) {
        snprintf(text, sizeof text, "GRPC_EXPERIMENTAL_XDS_HTTP_CONNECT=%s", on[i]);
        cr_assert(set(&options, text));
        cr_expect(xds_env_on(&options, XDS_ENV_HTTP_CONNECT, XDS_CLIENT_GO), "%s", text);
        snprintf(text, sizeof text, "GRPC_EXPERIMENTAL_XDS_HTTP_CONNECT=%s", off[i]);
        cr_assert(set(&options, text));
        cr_expect_not(xds_env_on(&options, XDS_ENV_HTTP_CONNECT, XDS_CLIENT_GO), "%s",
                      text);
    }
}

Test(options, an_unknown_name_is_refused_with_the_nearest_one)
{
    struct xds_options options;
    const char *hint;

    xds_options_init(&options);
    cr_expect_eq(
        xds_options_set_env(&options, XDS_S("GRPC_EXPERIMENTAL_XDS_SIN=true"), &hint),
        XDS_ERR_USAGE);
    cr_expect_str_eq(hint, "GRPC_EXPERIMENTAL_XDS_SNI");
    cr_expect_eq(xds_options_set_env(&options, XDS_S("GRPC_EXPERIMENTAL_XDS_SNI"), &hint),
                 XDS_ERR_USAGE);
}

Test(options, the_ring_cap_is_a_number)
{
    struct xds_options options;

    xds_options_init(&options);
    cr_expect_eq(xds_env_number(&options, XDS_ENV_RING_HASH_CAP, 4096), 4096);
    cr_assert(set(&options, "GRPC_RING_HASH_CAP=0"));
    cr_expect_eq(xds_env_number(&options, XDS_ENV_RING_HASH_CAP, 4096), 0);
}
