/* priorities_test.c - gaps as each client sees them, and numbers of any size. */
#include <criterion/criterion.h>

#include "rules/inner.h"
#include "rules/kit_test.h"

#define ALL XDS_ALL_CLIENTS
#define GAP "endpoints priority-gap "
#define SUM "endpoints locality-weight-sum "

static struct row {
    const char *name;
    struct xds_priority_share shares[4];
    size_t n;
    uint32_t in_use;
    const char *findings;
} rows[] = {
    {"none", {{0, 0, 0, 0}}, 0, 0, ""},
    {"in order", {{0, 1, ALL, 0}, {1, 1, ALL, 0}}, 2, 2, ""},
    {"out of order", {{2, 1, ALL, 0}, {0, 1, ALL, 0}, {1, 1, ALL, 0}}, 3, 3, ""},
    {"none at 0", {{1, 1, ALL, 0}}, 1, 0, GAP "NNNNN"},
    {"two gaps",
     {{0, 1, ALL, 0}, {2, 1, ALL, 0}, {4, 1, ALL, 0}},
     3,
     1,
     GAP "NNNNN\n" GAP "NNNNN"},
    {"a gap of two", {{0, 1, ALL, 0}, {3, 1, ALL, 0}}, 2, 1, GAP "NNNNN\n" GAP "NNNNN"},
    {"without weight it counts for node alone",
     {{0, 1, ALL, 0}, {1, 0, XDS_NODE, 0}, {2, 1, ALL, 0}},
     3,
     1,
     GAP "NNNNA"},
    {"clients that wait for different priorities",
     {{0, 1, ALL & ~XDS_CORE, 0}, {1, 0, XDS_NODE, 0}, {2, 1, ALL, 0}},
     3,
     1,
     GAP "ANAAA\n" GAP "NNNNA"},
    {"no client counts it", {{0, 1, ALL, 0}, {7, 0, 0, 0}}, 2, 1, ""},
    {"sum that fits", {{0, UINT32_MAX - 1, ALL, 0}, {0, 1, ALL, 0}}, 2, 1, ""},
    {"sum that does not", {{0, UINT32_MAX, ALL, 0}, {0, 1, ALL, 0}}, 2, 1, SUM "NNNAN"},
};

Test(priorities, each_row_fires_what_it_lists)
{
    for (struct row *r = rows; r < rows + XDS_ARRAY_LEN(rows); r++) {
        struct kit *kit = kit_new();

        cr_expect_eq(xds_priorities_check(&kit->ctx, r->shares, r->n), r->in_use, "%s",
                     r->name);
        cr_expect_str_eq(kit_findings(kit), r->findings, "%s", r->name);
        kit_free(kit);
    }
}

Test(priorities, gaps_without_end_are_reported_up_to_the_cap_and_counted_after_it)
{
    enum { N = 1000 };
    struct xds_priority_share largest[] = {{0, 1, ALL, 0}, {UINT32_MAX, 1, ALL, 0}};
    struct xds_priority_share shares[N];
    struct kit *kit = kit_new();

    for (uint32_t i = 0; i < N; i++)
        shares[i] = (struct xds_priority_share){i * 2, 1, ALL, 0};
    cr_expect_eq(xds_priorities_check(&kit->ctx, shares, N), 1);
    cr_expect_eq(xds_report_findings(kit->ctx.report), 21);
    kit_free(kit);
    kit = kit_new();
    cr_expect_eq(xds_priorities_check(&kit->ctx, largest, 2), 1);
    cr_expect_eq(xds_report_findings(kit->ctx.report), 21);
    kit_free(kit);
}
