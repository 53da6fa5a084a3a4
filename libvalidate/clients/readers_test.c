/* readers_test.c - who differs, at which release. */
#include <criterion/criterion.h>

#include "base/slice.h"
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

    return xds_differs_at(history, XDS_ARRAY_LEN(history), &reader, difference);
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

    cr_assert(xds_differs(XDS_CLIENT_GO, XDS_DIFF_DOMAIN_CASE));
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

Test(readers, a_panel_has_the_newest_releases_and_then_others)
{
    static const struct xds_client_release others[] = {
        {XDS_CLIENT_GO, {1, 64, 1}},
        {XDS_CLIENT_JAVA, {1, 72, 0}},
    };
    const xds_readers old_go = (xds_readers)1 << XDS_CLIENTS, old_java = old_go << 1;
    struct xds_panel panel;

    xds_panel_init(&panel, others, XDS_ARRAY_LEN(others));
    cr_expect_eq(panel.n, XDS_CLIENTS + 2);
    cr_expect_eq(panel.all, XDS_ALL_CLIENTS | old_go | old_java);
    for (enum xds_client c = 0; c < XDS_CLIENTS; c++) {
        cr_expect_eq(panel.reader[c].client, c);
        cr_expect_eq(panel.reader[c].release.major, 0, "the newest one");
    }
    cr_expect_eq(panel.reader[XDS_CLIENTS + 1].release.minor, 72);
    cr_expect_eq(xds_panel_of(&panel, XDS_GO), XDS_GO | old_go);
    cr_expect_eq(xds_panel_of(&panel, XDS_CORE | XDS_JAVA),
                 XDS_CORE | XDS_JAVA | old_java);
    cr_expect_eq(xds_panel_of(&panel, 0), 0);
}

Test(readers, a_panel_knows_who_differs)
{
    static const struct xds_client_release other = {XDS_CLIENT_GO, {1, 64, 1}};
    struct xds_panel panel;

    xds_panel_init(&panel, &other, 1);
    for (enum xds_difference d = 0; d < XDS_DIFFERENCES; d++) {
        const xds_readers newest = panel.differing[d] & XDS_ALL_CLIENTS;

        cr_expect_eq(newest, xds_differing(d), "%s", xds_differences[d].id);
        cr_expect_eq(panel.differing[d] & ~panel.all, 0, "%s", xds_differences[d].id);
    }
}

Test(readers, what_a_panel_has_no_room_for_is_left_out)
{
    struct xds_client_release many[XDS_MAX_READERS];
    struct xds_panel panel;

    for (size_t i = 0; i < XDS_ARRAY_LEN(many); i++)
        many[i] = (struct xds_client_release){XDS_CLIENT_NODE, {1, 1, (unsigned short)i}};
    xds_panel_init(&panel, many, XDS_ARRAY_LEN(many));
    cr_expect_eq(panel.n, XDS_MAX_READERS);
    cr_expect_eq(panel.all, ~(xds_readers)0);
}

Test(readers, a_difference_has_a_source_and_a_sentence)
{
    for (enum xds_difference d = 0; d < XDS_DIFFERENCES; d++) {
        const struct xds_difference_row *row = &xds_differences[d];

        cr_expect(row->clients && !(row->clients & ~XDS_ALL_CLIENTS), "%s", row->id);
        cr_expect(*row->source && *row->text, "%s", row->id);
        cr_expect_neq(row->text[strlen(row->text) - 1], '.', "%s", row->id);
    }
}
