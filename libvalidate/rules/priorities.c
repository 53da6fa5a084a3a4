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
#include <inttypes.h>
#include <stdlib.h>

#include "rules/endpoint_readers.h"

/* core keeps no more messages for one field; what is behind is told as one. */
#define MAX_GAPS 20

struct gaps {
    struct xds_ctx *ctx;
    uint64_t next[XDS_CLIENTS]; /* the priority each client waits for */
    unsigned n;
    uint64_t first_untold, untold; /* behind MAX_GAPS */
    unsigned untold_by;
};

static int by_priority(const void *a, const void *b)
{
    const uint32_t x = ((const struct xds_priority_share *)a)->priority;
    const uint32_t y = ((const struct xds_priority_share *)b)->priority;

    return (x > y) - (x < y);
}

/* Those of the clients that have met neither this priority nor a later one. */
static unsigned without(const struct gaps *gaps, unsigned clients, uint64_t priority)
{
    unsigned late = 0;

    for (unsigned c = 0; c < XDS_CLIENTS; c++)
        if ((clients & XDS_CLIENT_BIT(c)) && gaps->next[c] <= priority)
            late |= XDS_CLIENT_BIT(c);
    return late;
}

static uint64_t lowest(const struct gaps *gaps, unsigned clients)
{
    uint64_t priority = UINT64_MAX;

    for (unsigned c = 0; c < XDS_CLIENTS; c++)
        if ((clients & XDS_CLIENT_BIT(c)) && gaps->next[c] < priority)
            priority = gaps->next[c];
    return priority;
}

static void report(struct gaps *gaps, uint64_t priority, uint64_t more, unsigned clients)
{
    struct xds_arena *arena = gaps->ctx->arena;
    const struct xds_slice others =
        more ? xds_arena_printf(arena, ", and %" PRIu64 " more above it", more)
             : XDS_S("");

    xds_fire_for(gaps->ctx, XDS_AT(NULL, "endpoints"), clients, XDS_R_PRIORITY_GAP,
                 "priority %" PRIu64 " empty%.*s", priority, XDS_FMT(others));
}

static void count(struct gaps *gaps, uint64_t priority, uint64_t n, unsigned clients)
{
    if (gaps->untold == 0)
        gaps->first_untold = priority;
    gaps->untold += n;
    gaps->untold_by |= clients;
}

/* Clients that miss the same priority share one finding. */
static void step(struct gaps *gaps, uint64_t priority, unsigned counted_by)
{
    uint64_t p = lowest(gaps, counted_by);

    for (; p < priority && gaps->n < MAX_GAPS; p++, gaps->n++)
        report(gaps, p, 0, without(gaps, counted_by, p));
    if (p < priority)
        count(gaps, p, priority - p, without(gaps, counted_by, priority - 1));
    for (unsigned c = 0; c < XDS_CLIENTS; c++)
        if (counted_by & XDS_CLIENT_BIT(c))
            gaps->next[c] = priority + 1;
}

/* The weights of one priority: of all localities, and of those that core and the
 * documents kept. */
struct sums {
    uint64_t all, core, grfc;
};

static void check_sums(struct xds_ctx *ctx, uint32_t priority, const struct sums *sums)
{
    unsigned clients = 0;

    if (sums->all > UINT32_MAX)
        clients |= XDS_ALL_CLIENTS & ~(XDS_GRFC | XDS_CORE);
    if (sums->core > UINT32_MAX)
        clients |= XDS_CORE;
    if (sums->grfc > UINT32_MAX)
        clients |= XDS_GRFC;
    if (clients)
        xds_fire_for(ctx, XDS_AT(NULL, "endpoints"), clients, XDS_R_PRIORITY_WEIGHT_SUM,
                     "sum of locality weights for priority %u exceeds uint32 max",
                     priority);
}

uint32_t xds_priorities_check(struct xds_ctx *ctx, struct xds_priority_share *shares,
                              size_t n)
{
    struct gaps gaps = {.ctx = ctx};
    uint32_t in_use = 0;

    qsort(shares, n, sizeof *shares, by_priority);
    for (size_t i = 0; i < n;) {
        const uint32_t priority = shares[i].priority;
        struct sums sums = {0, 0, 0};
        unsigned counted_by = 0;

        for (; i < n && shares[i].priority == priority; i++) {
            sums.all += shares[i].weight;
            sums.core += shares[i].counted_by & XDS_CORE ? shares[i].weight : 0;
            sums.grfc += shares[i].counted_by & XDS_GRFC ? shares[i].weight : 0;
            counted_by |= shares[i].counted_by;
        }
        step(&gaps, priority, counted_by);
        check_sums(ctx, priority, &sums);
        if (sums.all > 0 && in_use == priority)
            in_use++;
    }
    if (gaps.untold > 0)
        report(&gaps, gaps.first_untold, gaps.untold - 1, gaps.untold_by);
    return in_use;
}
