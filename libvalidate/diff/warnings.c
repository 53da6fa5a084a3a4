/*
 * warnings.c - what lint warns of for one reader of a snapshot and not for the other.
 *
 * A resource has a number, the same for both readers. Warnings are gathered by rule, as
 * one fault of a release is often in all resources of a type.
 */
#include <stdlib.h>

#include "diff/diff.h"

/* A rule that has a finding in a resource. */
struct raised {
    const struct xds_rule *rule;
    uint32_t resource, finding;
    bool warns;
};

static int cmp_raised(const void *a, const void *b)
{
    const struct raised *x = a, *y = b;

    if (x->rule != y->rule)
        return x->rule < y->rule ? -1 : 1;
    if (x->resource != y->resource)
        return x->resource < y->resource ? -1 : 1;
    return x->finding < y->finding ? -1 : x->finding > y->finding;
}

static bool is_same(const struct raised *a, const struct raised *b)
{
    return a->rule == b->rule && a->resource == b->resource;
}

static size_t read_side(struct xds_diff *diff, enum xds_side side, struct raised **out)
{
    const struct xds_report *report = diff->warnings.linted[side];
    struct raised *list =
        XDS_NEW_ARRAY(&diff->scratch, struct raised, report->n_findings + 1);
    size_t n = 0, kept = 0;

    for (size_t i = 0; i < report->n_findings; i++) {
        const struct xds_finding *finding = &report->findings[i];

        if (finding->level >= XDS_LEVEL_WARNING &&
            finding->suppressed == XDS_NOT_SUPPRESSED)
            list[n++] = (struct raised){finding->rule, finding->resource, (uint32_t)i,
                                        finding->level == XDS_LEVEL_WARNING};
    }
    qsort(list, n, sizeof *list, cmp_raised);
    for (size_t i = 0; i < n; i++)
        if (kept == 0 || !is_same(&list[kept - 1], &list[i]))
            list[kept++] = list[i];
    *out = list;
    return kept;
}

static void add(struct xds_diff *diff, enum xds_side side, const struct raised *raised)
{
    const struct xds_finding *finding =
        &diff->warnings.linted[side]->findings[raised->finding];
    struct xds_warning_change *last =
        diff->warnings.n > 0 ? &diff->warnings.list[diff->warnings.n - 1] : NULL;

    if (last && last->rule.rule == raised->rule && last->rule.side == side) {
        last->n++;
        return;
    }
    if (!diff->warnings.list)
        diff->warnings.list =
            XDS_NEW_ARRAY(&diff->arena, struct xds_warning_change, XDS_MAX_DIFF_KINDS);
    if (diff->warnings.n < XDS_MAX_DIFF_KINDS)
        diff->warnings.list[diff->warnings.n++] =
            (struct xds_warning_change){{raised->rule, side, *finding}, 1};
    else
        diff->warnings.n_more++;
}

/* Those of a that b does not have. */
static void add_missing(struct xds_diff *diff, enum xds_side side,
                        struct raised *const lists[], const size_t n[])
{
    const enum xds_side other = side == XDS_SIDE_OLD ? XDS_SIDE_NEW : XDS_SIDE_OLD;
    size_t k = 0;

    for (size_t i = 0; i < n[side]; i++) {
        const struct raised *raised = &lists[side][i];
        struct raised key = *raised;

        key.finding = 0;
        while (k < n[other] && !is_same(&lists[other][k], raised) &&
               cmp_raised(&lists[other][k], &key) < 0)
            k++;
        if (raised->warns && (k == n[other] || !is_same(&lists[other][k], raised)))
            add(diff, side, raised);
    }
}

static void compare(void *arg)
{
    struct xds_diff *diff = arg;
    struct raised *lists[XDS_SIDES];
    size_t n[XDS_SIDES];

    for (unsigned side = 0; side < XDS_SIDES; side++)
        n[side] = read_side(diff, (enum xds_side)side, &lists[side]);
    add_missing(diff, XDS_SIDE_OLD, lists, n);
    add_missing(diff, XDS_SIDE_NEW, lists, n);
}

enum xds_status xds_diff_warnings(struct xds_diff *diff, const struct xds_report *old,
                                  const struct xds_report *now)
{
    diff->warnings.linted[XDS_SIDE_OLD] = old;
    diff->warnings.linted[XDS_SIDE_NEW] = now;

    struct xds_arena *const arenas[] = {&diff->arena, &diff->scratch};
    const enum xds_status status =
        xds_arena_guard(arenas, XDS_ARRAY_LEN(arenas), compare, diff);

    xds_arena_reset(&diff->scratch);
    return status;
}
