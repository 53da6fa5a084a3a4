/* readers_test.c - who differs, at which release. */
#include <criterion/criterion.h>

#include "base/slice.h"
#include "clients/environment.h"
#include "clients/readers.h"

/* Two releases at which go changed, the oldest first; the newest one reads case. */
static const struct xds_difference_before history[] = {
    {XDS_DIFF_DOMAIN_CASE, XDS_CLIENT_GO, {1, 60, 0}, true},
    {XDS_DIFF_DOMAIN_CASE, XDS_CLIENT_GO, {1, 64, 2}, false},
    {XDS_DIFF_UNICODE_CASE, XDS_CLIENT_CORE, {1, 64, 0}, true},
};

static bool differs(enum xds_client client, struct xds_release release,
                    enum xds_difference difference)
{
    const struct xds_client_release reader = {client, release};

    return xds_differs_at((struct xds_history){history, XDS_ARRAY_LEN(history)}, &reader,
                          difference);
}

Test(readers, a_release_is_before_another)
{
    static const struct row {
        struct xds_release a, b;
        bool before;
    } rows[] = {
        {{1, 60, 0}, {1, 60, 1}, true}, {{1, 60, 1}, {1, 60, 1}, false},
        {{1, 9, 9}, {1, 10, 0}, true},  {{2, 0, 0}, {1, 99, 9}, false},
        {{0, 0, 0}, {1, 60, 0}, false}, /* the newest one */
    };

    for (size_t i = 0; i < XDS_ARRAY_LEN(rows); i++)
        cr_expect_eq(xds_release_is_before(rows[i].a, rows[i].b), rows[i].before, "%zu",
                     i);
}

Test(readers, the_oldest_row_that_a_release_is_before_counts)
{
    static const struct row {
        struct xds_release release;
        bool differs;
    } rows[] = {
        {{1, 56, 3}, true},  {{1, 59, 9}, true},
        {{1, 60, 0}, false}, /* exactly at the release: it has changed */
        {{1, 64, 1}, false}, {{1, 64, 2}, true},
        {{0, 0, 0}, true},
    };

    cr_assert(xds_differing(XDS_DIFF_DOMAIN_CASE) >> XDS_CLIENT_GO & 1u);
    for (size_t i = 0; i < XDS_ARRAY_LEN(rows); i++)
        cr_expect_eq(differs(XDS_CLIENT_GO, rows[i].release, XDS_DIFF_DOMAIN_CASE),
                     rows[i].differs, "%zu", i);
}

Test(readers, rows_are_of_one_client_and_one_difference)
{
    const struct xds_release old = {1, 50, 0};

    cr_expect_not(differs(XDS_CLIENT_CORE, old, XDS_DIFF_DOMAIN_CASE));
    cr_expect(differs(XDS_CLIENT_CORE, old, XDS_DIFF_UNICODE_CASE));
    cr_expect_not(
        differs(XDS_CLIENT_CORE, (struct xds_release){0, 0, 0}, XDS_DIFF_UNICODE_CASE));
    cr_expect(differs(XDS_CLIENT_NODE, old, XDS_DIFF_DOMAIN_CASE),
              "as its newest release");
}

static struct xds_options asking(const char *list)
{
    struct xds_options options;
    struct xds_ask_note note;

    xds_options_init(&options);
    options.clients = 0;
    cr_assert_eq(xds_options_ask(&options, xds_slice_of(list), &note), XDS_OK, "%s",
                 note.text);
    return options;
}

Test(readers, a_panel_has_the_newest_releases_and_then_others)
{
    const struct xds_options options = asking("go@1.60..1.72,java@1.72,java");
    const xds_release_set none = {0};
    xds_release_set changes = {0};
    struct xds_panel panel;

    cr_assert(xds_panel_init(&panel, &options, none));
    for (enum xds_client c = 0; c < XDS_CLIENTS; c++)
        cr_expect_eq(panel.reader[c].client, c);
    cr_expect_eq(panel.reader[XDS_CLIENT_CORE].release.major, 0, "the newest one");
    cr_expect_eq(panel.reader[XDS_CLIENT_GO].release.minor, 72);

    const size_t unchanged = panel.n;
    xds_release_set_add(changes, XDS_CLIENT_GO, (struct xds_release){1, 66, 0});
    cr_assert(xds_panel_init(&panel, &options, changes));
    cr_expect_geq(panel.n, unchanged);
    cr_expect_eq(panel.all,
                 panel.n == 64 ? ~(xds_readers)0 : ((xds_readers)1 << panel.n) - 1);
    cr_expect_eq(xds_panel_of(&panel, XDS_ALL_CLIENTS), panel.all);
    cr_expect_eq(xds_panel_of(&panel, 0), 0);
}

Test(readers, releases_between_which_nothing_changed_are_one_reader)
{
    const struct xds_options options = asking("go@1.60..1.72");
    xds_release_set changes = {0};
    struct xds_panel panel;

    xds_release_set_add(changes, XDS_CLIENT_GO, (struct xds_release){1, 66, 0});
    cr_assert(xds_panel_init(&panel, &options, changes));
    for (size_t i = XDS_CLIENTS; i < panel.n; i++)
        cr_expect(xds_release_is_before(panel.reader[i].release,
                                        panel.reader[XDS_CLIENT_GO].release));
    cr_expect_geq(panel.n, XDS_CLIENTS + 1);
}

/* core 1.60 was the first to read the variable, and 1.66 to have it on by default. */
Test(readers, a_variable_counts_where_it_turns)
{
    struct xds_options options = asking("core@1.59..1.60");
    const xds_release_set none = {0};
    struct xds_panel panel;
    const char *hint;

    cr_assert(xds_panel_init(&panel, &options, none));
    cr_expect_eq(panel.n, XDS_CLIENTS);
    cr_assert_eq(
        xds_options_set_env(
            &options, XDS_S("GRPC_EXPERIMENTAL_XDS_DUALSTACK_ENDPOINTS=true"), &hint),
        XDS_OK);
    cr_assert(xds_panel_init(&panel, &options, none));
    cr_expect_eq(panel.n, XDS_CLIENTS + 1);

    const xds_readers on = panel.guarded[XDS_ENV_DUALSTACK_ENDPOINTS];
    cr_expect(on >> XDS_CLIENT_CORE & 1u, "1.60");
    cr_expect_not(on >> XDS_CLIENTS & 1u, "1.59");
}

/* The newest ones alone, one release, and several. */
Test(readers, a_panel_knows_who_differs)
{
    const char *const asked[] = {"all", "go@1.64", "core@1.50..1.60,node@1.8",
                                 "grfc@A55"};
    const xds_release_set none = {0};
    struct xds_panel panel;
    const char *hint;

    for (size_t i = 0; i < XDS_ARRAY_LEN(asked); i++) {
        struct xds_options options = asking(asked[i]);

        cr_assert_eq(xds_options_set_env(
                         &options, XDS_S("GRPC_XDS_EXPERIMENTAL_RBAC=false"), &hint),
                     XDS_OK);
        cr_assert(xds_panel_init(&panel, &options, none));
        for (size_t r = 0; r < panel.n; r++) {
            const struct xds_client_release *reader = &panel.reader[r];

            for (enum xds_difference d = 0; d < XDS_DIFFERENCES; d++)
                cr_expect_eq(panel.differing[d] >> r & 1u,
                             (xds_readers)xds_release_differs(reader, d), "%s: %s",
                             asked[i], xds_difference_row(d).text);
            for (enum xds_env env = 0; env < XDS_ENVS; env++)
                cr_expect_eq(panel.guarded[env] >> r & 1u,
                             (xds_readers)xds_env_on_at(&options, env, reader), "%s: %s",
                             asked[i], xds_env_name(env));
        }
    }
}

Test(readers, a_difference_has_a_source_and_a_sentence)
{
    for (enum xds_difference d = 0; d < XDS_DIFFERENCES; d++) {
        const struct xds_difference_row row = xds_difference_row(d);

        cr_expect_not(row.clients & ~XDS_ALL_CLIENTS, "%s", row.text);
        cr_assert(*row.source && *row.text, "%u", (unsigned)d);
        cr_expect_neq(row.text[strlen(row.text) - 1], '.', "%s", row.text);
    }
}

/* Rows of differences.def itself, on both sides of a release. */
Test(readers, a_row_of_the_history_holds_before_its_release)
{
    static const struct row {
        enum xds_difference difference;
        struct xds_client_release reader;
        bool differs;
    } rows[] = {
        {XDS_DIFF_TOTAL_WEIGHT_IS_100, {XDS_CLIENT_GO, {1, 53, 0}}, true},
        {XDS_DIFF_TOTAL_WEIGHT_IS_100, {XDS_CLIENT_GO, {1, 54, 1}}, false},
        {XDS_DIFF_METADATA_ALWAYS_READ, {XDS_CLIENT_JAVA, {1, 71, 0}}, false},
        {XDS_DIFF_METADATA_ALWAYS_READ, {XDS_CLIENT_JAVA, {1, 72, 0}}, true},
    };

    for (size_t i = 0; i < XDS_ARRAY_LEN(rows); i++)
        cr_expect_eq(xds_release_differs(&rows[i].reader, rows[i].difference),
                     rows[i].differs, "%zu", i);
}
