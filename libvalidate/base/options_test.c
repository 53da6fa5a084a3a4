/* options_test.c - environment variables: defaults per client, settings, slips. */
#include <criterion/criterion.h>
#include <stdio.h>
#include <string.h>

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

enum { C = 1 << XDS_CLIENT_GRFC | 1 << XDS_CLIENT_CORE, GO = 1 << XDS_CLIENT_GO };
enum { JAVA = 1 << XDS_CLIENT_JAVA, NODE = 1 << XDS_CLIENT_NODE };

Test(options, each_client_has_its_own_words_for_true)
{
    static const struct {
        const char *value;
        unsigned off_by_default, on_by_default; /* clients for which it is on */
    } rows[] = {
        {"true", C | GO | JAVA, C | GO | JAVA | NODE},
        {"True", C | GO | JAVA, C | GO | JAVA},
        {"1", C, C | GO},
        {"Yes", C, C | GO},
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

/* ---- testdata/guards.tsv: every variable, and what it is for each client ------------
 */

enum { COLUMNS = XDS_CLIENTS + 2 };

/* Cut a line at its tabs; false when it has not the columns of the table. */
static bool split(char *line, char *cells[COLUMNS])
{
    size_t n = 0;

    line[strcspn(line, "\n")] = '\0';
    for (char *cell = line; cell && n < COLUMNS; n++) {
        cells[n] = cell;
        cell = strchr(cell, '\t');
        if (cell)
            *cell++ = '\0';
    }
    return n == COLUMNS;
}

static enum xds_env find_env(const char *name)
{
    unsigned i = 0;

    while (i < XDS_ENVS && strcmp(xds_env_name((enum xds_env)i), name) != 0)
        i++;
    cr_assert(i < XDS_ENVS, "%s is no variable", name);
    return (enum xds_env)i;
}

/* What a variable is for a client: unset, set to true, set to false. */
static const struct meaning {
    const char *cell;
    bool unset, when_true, when_false;
} meanings[] = {
    {"true", true, true, false},  {"false", false, true, false},
    {"always", true, true, true}, {"-", false, false, false},
    {"4096", false, true, false}, /* a number; see the_ring_cap_is_a_number */
};

static const struct meaning *meaning_of(const char *cell)
{
    size_t i = 0;

    while (i < XDS_ARRAY_LEN(meanings) && strcmp(meanings[i].cell, cell) != 0)
        i++;
    cr_assert(i < XDS_ARRAY_LEN(meanings), "'%s' means nothing", cell);
    return &meanings[i];
}

static unsigned mask_when(const char *name, const char *value)
{
    struct xds_options options;
    char text[128];

    xds_options_init(&options);
    (void)snprintf(text, sizeof text, "%s=%s", name, value);
    if (*value)
        cr_assert(set(&options, text), "%s", text);
    return xds_env_mask(&options, find_env(name));
}

static void check_row(char *const cells[COLUMNS])
{
    const unsigned unset = mask_when(cells[0], "");
    const unsigned when_true = mask_when(cells[0], "true");
    const unsigned when_false = mask_when(cells[0], "false");

    for (unsigned client = 0; client < XDS_CLIENTS; client++) {
        const unsigned bit = XDS_CLIENT_BIT(client);
        const struct meaning *want = meaning_of(cells[client + 1]);
        const char *who = xds_client_name((enum xds_client)client);

        cr_expect_eq((unset & bit) != 0, want->unset, "%s %s", cells[0], who);
        cr_expect_eq((when_true & bit) != 0, want->when_true, "%s=true %s", cells[0],
                     who);
        cr_expect_eq((when_false & bit) != 0, want->when_false, "%s=false %s", cells[0],
                     who);
    }
}

Test(options, the_table_of_guards_names_every_variable_and_its_defaults)
{
    FILE *file = fopen("testdata/guards.tsv", "rb");
    char line[512], *cells[COLUMNS];
    size_t rows = 0;

    cr_assert_not_null(file);
    cr_assert(fgets(line, sizeof line, file), "the headings");
    while (fgets(line, sizeof line, file)) {
        cr_assert(split(line, cells), "%s", line);
        check_row(cells);
        rows++;
    }
    (void)fclose(file);
    cr_expect_eq(rows, XDS_ENVS);
}
