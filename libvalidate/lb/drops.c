/*
 * drops.c - decide whether an RPC is dropped before a host is picked.
 *
 * Takes:  drop categories of the assignment, at most one number per category; the limit
 *         of the circuit breaker: nothing is in flight, so only 0 refuses.
 * Gives:  dropped, not dropped, or open with the probability; the message.
 * Source: gRFC A32, spec routing 11 (D-a), spec cluster 1.8, 2.3 and 5.8.
 */
#include "lb/drops.h"

#include "base/options.h"
#include "route/failure.h"

enum { MILLION = 1000000 };

/* ---- categories ------------------------------------------------------------------- */

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

/* ---- the client's order and words ------------------------------------------------- */

/* D-a: when the breaker is asked. */
enum breaker { BEHIND_DROPS, BEFORE_DROPS, BEHIND_PICK };

static const struct reading {
    enum breaker breaker;
    bool drops_only_while_ready;
    bool ready_if_it_drops_all;
} readings[XDS_CLIENTS] = {
    [XDS_CLIENT_GRFC] = {.breaker = BEHIND_DROPS, .ready_if_it_drops_all = true},
    [XDS_CLIENT_CORE] = {.breaker = BEHIND_DROPS, .ready_if_it_drops_all = true},
    [XDS_CLIENT_GO] = {.breaker = BEHIND_DROPS, .drops_only_while_ready = true},
    [XDS_CLIENT_JAVA] = {.breaker = BEHIND_PICK},
    [XDS_CLIENT_NODE] = {.breaker = BEFORE_DROPS},
};

bool xds_drops_make_ready(const struct xds_rpc *rpc,
                          const struct xds_endpoints *endpoints)
{
    size_t i = 0;

    while (i < endpoints->n_drops && endpoints->drops[i].per_million < MILLION)
        i++;
    return i < endpoints->n_drops && readings[rpc->client].ready_if_it_drops_all;
}

static bool limit_is_zero(const struct xds_rpc *rpc, const struct xds_cluster *cluster)
{
    if (!xds_env_on(rpc->options, XDS_ENV_CIRCUIT_BREAKING, rpc->client))
        return false;
    switch (rpc->client) {
    case XDS_CLIENT_JAVA:
        return cluster->max_requests_java == 0;
    case XDS_CLIENT_NODE:
        return cluster->max_requests_node == 0;
    case XDS_CLIENT_GRFC:
    case XDS_CLIENT_CORE:
    case XDS_CLIENT_GO:
    case XDS_CLIENTS:
        break;
    }
    return cluster->max_requests == 0;
}

static struct xds_slice breaker_text(const struct xds_rpc *rpc,
                                     const struct xds_cluster *cluster)
{
    switch (rpc->client) {
    case XDS_CLIENT_GO:
        return xds_arena_printf(rpc->arena, "max requests 0 exceeded on service %.*s",
                                XDS_FMT(cluster->eds_name));
    case XDS_CLIENT_JAVA:
        return XDS_S("Cluster max concurrent requests limit of 0 exceeded");
    case XDS_CLIENT_NODE:
        return XDS_S("Call dropped by load balancing policy.");
    case XDS_CLIENT_GRFC:
    case XDS_CLIENT_CORE:
    case XDS_CLIENTS:
        break;
    }
    return XDS_S("circuit breaker drop");
}

struct xds_refusal xds_refuse(const struct xds_rpc *rpc,
                              const struct xds_cluster *cluster,
                              const struct xds_endpoints *endpoints, bool works)
{
    const struct reading *as = &readings[rpc->client];
    struct xds_refusal out = {
        .drops = {.dropped = XDS_CHANCE_NO, .share = XDS_SHARE_NONE}};
    const bool breaks = limit_is_zero(rpc, cluster);

    if (breaks && as->breaker == BEFORE_DROPS) {
        out.error = breaker_text(rpc, cluster);
        return out;
    }
    if (works || !as->drops_only_while_ready)
        out.drops = xds_drops_test(rpc, endpoints);
    if (out.drops.dropped == XDS_CHANCE_YES)
        out.error = xds_failure_text(rpc, XDS_FAILURE_DROP, out.drops.cause->category);
    else if (breaks && (works || as->breaker != BEHIND_PICK))
        out.error = breaker_text(rpc, cluster);
    return out;
}
