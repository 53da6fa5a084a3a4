/* environment_test.c - environment variables: defaults per client, settings, slips. */
#include <criterion/criterion.h>
#include <stdio.h>
#include <string.h>

#include "base/slice.h"
#include "clients/clients.h"
#include "clients/environment.h"

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

/* The clients for which a variable is on once it has this value. */
static unsigned mask_of(enum xds_env env, const char *value)
{
    struct xds_options options;
    char text[128];

    xds_options_init(&options);
    snprintf(text, sizeof text, "%s=%s", xds_env_name(env), value);
    cr_assert(set(&options, text));
    return xds_env_mask(&options, env);
}

enum { CORE = 1 << XDS_CLIENT_CORE, C = XDS_AS_DOCUMENTED | CORE };
enum { GO = 1 << XDS_CLIENT_GO };
enum { JAVA = 1 << XDS_CLIENT_JAVA, NODE = 1 << XDS_CLIENT_NODE };

Test(options, each_client_has_its_own_words_for_true)
{
    static const struct {
        const char *value;
        unsigned off_by_default, on_by_default; /* clients for which it is on */
    } rows[] = {
        {"true", C | GO | JAVA, C | GO | JAVA | NODE},
        {"True", C | GO | JAVA, C | GO | JAVA},
        {"1", CORE, CORE | GO},
        {"Yes", CORE, CORE | GO},
        {"on", 0, GO},
        {"0", 0, GO},
        {"FALSE", 0, 0},
        {"", 0, GO},
    };

    for (size_t i = 0; i < XDS_ARRAY_LEN(rows); i++) {
        cr_expect_eq(mask_of(XDS_ENV_HTTP_CONNECT, rows[i].value), rows[i].off_by_default,
                     "%s", rows[i].value);
        cr_expect_eq(mask_of(XDS_ENV_DUALSTACK_ENDPOINTS, rows[i].value),
                     rows[i].on_by_default, "%s", rows[i].value);
    }
}

Test(options, an_empty_value_is_none_to_java)
{
    cr_expect(mask_of(XDS_ENV_PF_WEIGHTED_SHUFFLING, "") & JAVA);
    cr_expect_not(mask_of(XDS_ENV_PF_WEIGHTED_SHUFFLING, "0") & JAVA);
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

/* The clients for which a variable is on once it is set to a word, or unset. */
static unsigned mask_when(enum xds_env env, const char *word)
{
    struct xds_options options;

    xds_options_init(&options);
    return word ? mask_of(env, word) : xds_env_mask(&options, env);
}

Test(options, a_variable_switches_the_clients_that_read_it_and_no_other)
{
    for (enum xds_env env = 0; env < XDS_ENVS; env++) {
        const struct xds_env_row *row = xds_env_row(env);
        const unsigned fixed = row->on & ~row->read_by;

        cr_expect_eq(mask_when(env, NULL), row->on, "%s", row->name);
        cr_expect_eq(mask_when(env, "true"), fixed | row->read_by, "%s", row->name);
        cr_expect_eq(mask_when(env, "false"), fixed, "%s", row->name);
    }
}

Test(options, a_row_says_what_the_variable_changes_and_where_that_is_from)
{
    for (enum xds_env env = 0; env < XDS_ENVS; env++) {
        const struct xds_env_row *row = xds_env_row(env);

        cr_expect(strncmp(row->name, "GRPC_", 5) == 0, "%s", row->name);
        cr_expect(strstr(row->source, "spec "), "%s", row->name);
        cr_expect_neq(*row->text, '\0', "%s", row->name);
        for (enum xds_env other = 0; other < env; other++)
            cr_expect_str_neq(row->name, xds_env_name(other));
    }
}

/* Users of the library may have the numbers in their programs. */
Test(options, the_first_and_the_last_variable_keep_their_numbers)
{
    cr_expect_eq(XDS_ENV_DUALSTACK_ENDPOINTS, 0);
    cr_expect_eq(XDS_ENV_RING_HASH_CAP, 23);
    cr_expect_eq(XDS_ENV_EXPERIMENTS, 46);
}
