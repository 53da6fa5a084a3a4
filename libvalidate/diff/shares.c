/*
 * shares.c - how the shares of clusters and hosts differ between two decisions.
 *
 * Most decisions have the same shares: sums of hashes tell that without a table.
 */
#include "diff/shares.h"

#include <stdlib.h>
#include <xxhash.h>

#include "base/limits.h"

/* Shares that differ by less are the same, computed in another order. */
#define TOLERANCE 1e-9

/* The offset keeps the fractions that are common away from the edge between two steps. */
static uint64_t step_of(double share)
{
    return (uint64_t)((share + 2) / TOLERANCE + 0.3);
}

static uint64_t hash_of(struct xds_slice a, struct xds_slice b, double share)
{
    const uint64_t seed = XXH64(xds_slice_text(a), a.len, step_of(share));

    return XXH64(xds_slice_text(b), b.len, seed);
}

static struct xds_slice address_of(const struct xds_decision_host *host)
{
    return xds_host_address_of(host->host);
}

static uint64_t hash_decision(const struct xds_decision *d)
{
    uint64_t sum = d->n_clusters;

    for (size_t i = 0; i < d->n_clusters; i++)
        sum += hash_of(d->clusters[i].name, XDS_S(""), d->clusters[i].probability);
    for (size_t i = 0; i < d->n_hosts; i++)
        sum += hash_of(d->hosts[i].cluster, address_of(&d->hosts[i]),
                       d->hosts[i].probability);
    return sum;
}

/* ---- tables ---- */

struct table {
    struct xds_arena *arena;
    struct xds_strmap rows; /* struct xds_share_change by cluster and address */
    struct xds_share_change *list;
    size_t n;
};

static void table_init(struct table *table, struct xds_arena *arena, size_t cap)
{
    table->arena = arena;
    xds_strmap_init(&table->rows, arena);
    table->list = XDS_NEW_ARRAY(arena, struct xds_share_change, cap + 1);
    table->n = 0;
}

static void put(struct table *table, enum xds_side side, struct xds_slice cluster,
                struct xds_slice address, double share)
{
    const struct xds_slice key =
        address.data ? xds_arena_printf(table->arena, "%.*s %.*s", XDS_FMT(address),
                                        XDS_FMT(cluster))
                     : cluster;
    void **slot = xds_strmap_at(&table->rows, key);
    struct xds_share_change *row = *slot;

    if (!row) {
        *slot = row = &table->list[table->n++];
        row->cluster = cluster;
        row->address = address;
    }
    if (share == XDS_NOT_COMPUTABLE || row->share[side] == XDS_NOT_COMPUTABLE)
        row->share[side] = XDS_NOT_COMPUTABLE;
    else
        row->share[side] += share;
}

static bool differs(const struct xds_share_change *row)
{
    const double by = row->share[XDS_SIDE_OLD] - row->share[XDS_SIDE_NEW];

    return by > TOLERANCE || by < -TOLERANCE;
}

static int cmp_rows(const void *left, const void *right)
{
    const struct xds_share_change *a = left, *b = right;
    const int c = xds_slice_cmp(a->cluster, b->cluster);

    return c ? c : xds_slice_cmp(a->address, b->address);
}

static void take(struct table *table, struct xds_share_changes *out)
{
    size_t n = 0;

    for (size_t i = 0; i < table->n; i++)
        if (differs(&table->list[i]))
            table->list[n++] = table->list[i];
    qsort(table->list, n, sizeof *table->list, cmp_rows);
    out->list = table->list;
    out->n = n < XDS_MAX_DIFF_SHARES ? n : XDS_MAX_DIFF_SHARES;
    out->n_more = n - out->n;
}

static void put_clusters(struct table *table, enum xds_side side,
                         const struct xds_decision *d)
{
    for (size_t i = 0; i < d->n_clusters; i++)
        put(table, side, d->clusters[i].name, xds_slice_make(NULL, 0),
            d->clusters[i].probability);
}

/* A cluster that one side does not have tells enough itself. */
static bool is_on_both_sides(const struct table *clusters, struct xds_slice name)
{
    const struct xds_share_change *row = xds_strmap_get(&clusters->rows, name);

    return row && row->share[XDS_SIDE_OLD] > 0 && row->share[XDS_SIDE_NEW] > 0;
}

static void put_hosts(struct table *table, const struct table *clusters,
                      enum xds_side side, const struct xds_decision *d)
{
    for (size_t i = 0; i < d->n_hosts; i++)
        if (is_on_both_sides(clusters, d->hosts[i].cluster))
            put(table, side, d->hosts[i].cluster, address_of(&d->hosts[i]),
                d->hosts[i].probability);
}

void xds_shares_compare(struct xds_arena *arena, const struct xds_decision *old,
                        const struct xds_decision *now,
                        struct xds_share_changes *clusters,
                        struct xds_share_changes *hosts)
{
    const struct xds_decision *const d[XDS_SIDES] = {old, now};
    struct table by_cluster, by_host;

    *clusters = *hosts = (struct xds_share_changes){.n = 0};
    if (hash_decision(old) == hash_decision(now))
        return;
    table_init(&by_cluster, arena, old->n_clusters + now->n_clusters);
    table_init(&by_host, arena, old->n_hosts + now->n_hosts);
    for (unsigned side = 0; side < XDS_SIDES; side++)
        put_clusters(&by_cluster, (enum xds_side)side, d[side]);
    for (unsigned side = 0; side < XDS_SIDES; side++)
        put_hosts(&by_host, &by_cluster, (enum xds_side)side, d[side]);
    take(&by_cluster, clusters);
    take(&by_host, hosts);
}
