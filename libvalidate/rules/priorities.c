/*
 * priorities.c - check that the priorities of a ClusterLoadAssignment have no gap and no
 *                weight that overflows.
 *
 * Takes:  the share of each locality; which localities count differs between clients.
 * Gives:  how many priorities are in use. Cost and memory follow the localities, never
 *         the numbers, so that priority 4294967295 is as cheap as priority 1.
 * Fires:  the PRIORITY_ rows of cluster_load_assignment.def.
 * Source: spec cluster 2.1; gRFC A27.
 */
#include <stdlib.h>

#include "rules/endpoint_readers.h"

/* core keeps no more messages for one field. */
#define MAX_GAPS 20

struct gaps {
    struct xds_ctx *ctx;
    uint64_t next[XDS_CLIENTS]; /* the priority each client waits for */
    unsigned n;
};

static int by_priority(const void *a, const void *b)
{
    const uint32_t x = ((const struct xds_priority_share *)a)->priority;
    const uint32_t y = ((const struct xds_priority_share *)b)->priority;

    return (x > y) - (x < y);
}

static void report_gap(struct gaps *gaps, unsigned clients, uint64_t first, uint64_t last)
{
    struct xds_slice more = XDS_S("");

    if (gaps->n++ >= MAX_GAPS)
        return;
    if (last > first)
        more = xds_arena_printf(gaps->ctx->arena, ", and all up to %llu",
                                (unsigned long long)last);
    xds_fire_for(gaps->ctx, XDS_AT(NULL, "endpoints"), clients, XDS_R_PRIORITY_GAP,
                 "priority %llu empty%.*s", (unsigned long long)first, XDS_FMT(more));
}

/* Those of the clients that wait for just this priority. */
static unsigned waiting_for(const struct gaps *gaps, unsigned clients, uint64_t priority)
{
    unsigned waiting = 0;

    for (unsigned c = 0; c < XDS_CLIENTS; c++)
        if ((clients & XDS_CLIENT_BIT(c)) && gaps->next[c] == priority)
            waiting |= XDS_CLIENT_BIT(c);
    return waiting;
}

/* Clients that wait for the same priority share one finding. */
static void step(struct gaps *gaps, uint64_t priority, unsigned counted_by)
{
    unsigned late = counted_by & ~waiting_for(gaps, counted_by, priority);

    for (unsigned c = 0; c < XDS_CLIENTS; c++) {
        if (!(late & XDS_CLIENT_BIT(c)))
            continue;

        const unsigned same = waiting_for(gaps, late, gaps->next[c]);

        report_gap(gaps, same, gaps->next[c], priority - 1);
        late &= ~same;
    }
    for (unsigned c = 0; c < XDS_CLIENTS; c++)
        if (counted_by & XDS_CLIENT_BIT(c))
            gaps->next[c] = priority + 1;
}

uint32_t xds_priorities_check(struct xds_ctx *ctx, struct xds_priority_share *shares,
                              size_t n)
{
    struct gaps gaps = {.ctx = ctx};
    uint32_t in_use = 0;

    qsort(shares, n, sizeof *shares, by_priority);
    for (size_t i = 0; i < n;) {
        const uint32_t priority = shares[i].priority;
        uint64_t weight = 0;
        unsigned counted_by = 0;

        for (; i < n && shares[i].priority == priority; i++) {
            weight += shares[i].weight;
            counted_by |= shares[i].counted_by;
        }
        step(&gaps, priority, counted_by);
        if (weight > UINT32_MAX)
            xds_fire(ctx, XDS_AT(NULL, "endpoints"), XDS_R_PRIORITY_WEIGHT_SUM,
                     "sum of locality weights for priority %u exceeds uint32 max",
                     priority);
        if (weight > 0 && in_use == priority)
            in_use++;
    }
    return in_use;
}
