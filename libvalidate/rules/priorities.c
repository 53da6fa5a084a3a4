/*
 * priorities.c - the priorities of a ClusterLoadAssignment have no gap and no sum of
 *                weights that overflows.
 *
 * Source: spec cluster 2.1; gRFC A27.
 */
#include <inttypes.h>
#include <stdlib.h>

#include "rules/endpoint_readers.h"

/* core keeps no more messages for one field; further gaps are reported as one. */
#define MAX_GAPS 20

/* What each reader has met so far, in order of priorities. */
struct gaps {
    struct xds_ctx *ctx;
    uint64_t next[XDS_MAX_READERS]; /* the priority that the reader waits for */
    uint64_t sum[XDS_MAX_READERS];  /* of the weights that it counts in this priority */
    unsigned n;
    uint64_t first_unreported, unreported; /* after MAX_GAPS */
    xds_readers unreported_by;
};

static int by_priority(const void *a, const void *b)
{
    const uint32_t x = ((const struct xds_priority_share *)a)->priority;
    const uint32_t y = ((const struct xds_priority_share *)b)->priority;

    return (x > y) - (x < y);
}

/* Those of the readers that have met neither this priority nor a later one. */
static xds_readers without(const struct gaps *gaps, xds_readers readers,
                           uint64_t priority)
{
    xds_readers late = 0;

    for (size_t r = 0; r < gaps->ctx->panel->n; r++)
        if ((readers >> r & 1u) && gaps->next[r] <= priority)
            late |= (xds_readers)1 << r;
    return late;
}

static void report(struct gaps *gaps, uint64_t priority, uint64_t more,
                   xds_readers readers)
{
    struct xds_arena *arena = gaps->ctx->arena;

    xds_fire_for(
        gaps->ctx, NULL, readers, XDS_R_PRIORITY_GAP,
        XDS_WITH(xds_number(gaps->ctx, (int64_t)priority),
                 more ? xds_arena_printf(arena, ", and %" PRIu64 " more above it", more)
                      : XDS_S("")));
}

/* Readers that miss the same priority share one finding. */
static void step(struct gaps *gaps, uint64_t priority, xds_readers counted_by)
{
    uint64_t p = priority;

    for (size_t r = 0; r < gaps->ctx->panel->n; r++)
        if ((counted_by >> r & 1u) && gaps->next[r] < p)
            p = gaps->next[r];
    for (; p < priority && gaps->n < MAX_GAPS; p++, gaps->n++)
        report(gaps, p, 0, without(gaps, counted_by, p));
    if (p < priority) {
        if (gaps->unreported == 0)
            gaps->first_unreported = p;
        gaps->unreported += priority - p;
        gaps->unreported_by |= without(gaps, counted_by, priority - 1);
    }
    for (size_t r = 0; r < gaps->ctx->panel->n; r++)
        if (counted_by >> r & 1u)
            gaps->next[r] = priority + 1;
}

static void check_sums(struct gaps *gaps, uint32_t priority)
{
    xds_readers overflows = 0;
    uint64_t sum = 0;

    for (size_t r = 0; r < gaps->ctx->panel->n; r++) {
        if (gaps->sum[r] > UINT32_MAX)
            overflows |= (xds_readers)1 << r;
        if (gaps->sum[r] > sum)
            sum = gaps->sum[r];
        gaps->sum[r] = 0;
    }
    if (overflows)
        xds_fire_for(gaps->ctx, NULL, overflows, XDS_R_PRIORITY_WEIGHT_SUM,
                     XDS_WITH(xds_number(gaps->ctx, priority),
                              xds_number(gaps->ctx, (int64_t)sum)));
}

uint32_t xds_priorities_check(struct xds_ctx *ctx, struct xds_priority_share *shares,
                              size_t n)
{
    struct gaps gaps = {.ctx = ctx};
    uint32_t in_use = 0;

    qsort(shares, n, sizeof *shares, by_priority);
    for (size_t i = 0; i < n;) {
        const uint32_t priority = shares[i].priority;
        xds_readers counted_by = 0;
        bool has_weight = false;

        for (; i < n && shares[i].priority == priority; i++) {
            has_weight |= shares[i].weight > 0;
            counted_by |= shares[i].counted_by;
            for (size_t r = 0; r < ctx->panel->n; r++)
                gaps.sum[r] += shares[i].counted_by >> r & 1u ? shares[i].weight : 0;
        }
        step(&gaps, priority, counted_by);
        check_sums(&gaps, priority);
        if (has_weight && in_use == priority)
            in_use++;
    }
    if (gaps.unreported > 0)
        report(&gaps, gaps.first_unreported, gaps.unreported - 1, gaps.unreported_by);
    return in_use;
}
