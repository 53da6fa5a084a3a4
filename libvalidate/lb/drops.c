/*
 * drops.c - decide whether an RPC is dropped before a host is picked.
 *
 * Source: gRFC A32, spec routing 11, D-a, spec cluster 1.8, 2.3 and 5.8.
 */
#include "lb/lb.h"

enum { MILLION = 1000000 };

static enum xds_chance test_category(const struct xds_rpc *rpc,
                                     const struct xds_drop *drop)
{
    uint64_t number;

    if (xds_random_draw(rpc->random, MILLION, &number))
        return number < drop->per_million ? XDS_CHANCE_YES : XDS_CHANCE_NO;
    if (drop->per_million == 0)
        return XDS_CHANCE_NO;
    return drop->per_million >= MILLION ? XDS_CHANCE_YES : XDS_CHANCE_OPEN;
}

static void test_categories(const struct xds_rpc *rpc,
                            const struct xds_endpoints *endpoints,
                            struct xds_drop_result *r)
{
    double survives = 1;

    for (size_t i = 0; i < endpoints->n_drops && !r->cause; i++) {
        const struct xds_drop *drop = &endpoints->drops[i];
        const enum xds_chance chance = test_category(rpc, drop);

        if (chance != XDS_CHANCE_NO)
            r->dropped = chance;
        if (chance == XDS_CHANCE_OPEN)
            survives *= 1 - (double)drop->per_million / MILLION;
        if (chance == XDS_CHANCE_YES)
            r->cause = drop;
    }
    r->before = r->cause ? 1 - survives : 0;
}

struct xds_drop_result xds_drops_test(const struct xds_rpc *rpc,
                                      const struct xds_endpoints *endpoints)
{
    struct xds_drop_result r = {.dropped = XDS_CHANCE_NO};
    struct xds_share survives = XDS_SHARE_ALL;

    for (size_t i = 0; i < endpoints->n_drops; i++)
        survives = xds_share_times(
            survives, xds_share_of(MILLION - endpoints->drops[i].per_million, MILLION));
    r.share = xds_share_rest(survives);
    r.probability = r.share.value;

    test_categories(rpc, endpoints, &r);
    return r;
}

bool xds_drops_make_ready(const struct xds_rpc *rpc,
                          const struct xds_endpoints *endpoints)
{
    size_t i = 0;

    while (i < endpoints->n_drops && endpoints->drops[i].per_million < MILLION)
        i++;
    return i < endpoints->n_drops && !XDS_DIFFERS(rpc, XDS_DIFF_DROPS_ALL_NOT_READY);
}

static struct xds_failed breaker_text(const struct xds_rpc *rpc,
                                      const struct xds_cluster *cluster)
{
    return xds_failure_words(rpc->arena, rpc->options, rpc->client,
                             XDS_FAILURE_CIRCUIT_BREAKER, cluster->eds_name, XDS_S("0"));
}

struct xds_refusal xds_refuse(const struct xds_rpc *rpc,
                              const struct xds_cluster *cluster,
                              const struct xds_endpoints *endpoints, bool works)
{
    struct xds_refusal out = {
        .drops = {.dropped = XDS_CHANCE_NO, .share = XDS_SHARE_NONE}};
    const bool breaks = XDS_ENV_ON(rpc, XDS_ENV_CIRCUIT_BREAKING) &&
                        cluster->max_requests[rpc->client] == 0;

    if (breaks && XDS_DIFFERS(rpc, XDS_DIFF_BREAKER_BEFORE_DROPS)) {
        out.error = breaker_text(rpc, cluster);
        return out;
    }
    if (works || !XDS_DIFFERS(rpc, XDS_DIFF_DROPS_WHILE_READY))
        out.drops = xds_drops_test(rpc, endpoints);
    if (out.drops.dropped == XDS_CHANCE_YES)
        out.error = xds_failure_text(rpc, XDS_FAILURE_DROP, out.drops.cause->category);
    else if (breaks && (works || !XDS_DIFFERS(rpc, XDS_DIFF_BREAKER_AFTER_PICK)))
        out.error = breaker_text(rpc, cluster);
    return out;
}
