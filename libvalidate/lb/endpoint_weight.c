/*
 * endpoint_weight.c - from the weights of localities and endpoints to one per endpoint.
 *
 * Source: gRFC A42, A113, spec routing 9.1, spec cluster 5.7.
 */
#include "lb/endpoint_weight.h"

#include "clients/environment.h"
#include "clients/readers.h"

struct weigher {
    bool uint32;         /* a product is cut to 32 bits */
    bool int32;          /* what is not positive as a signed 32-bit number counts as 1 */
    uint64_t localities; /* sum over the priority */
};

static uint64_t own_weight(const struct weigher *w, const struct xds_endpoint *e)
{
    return e->weight == 0 || (w->int32 && e->weight > INT32_MAX) ? 1 : e->weight;
}

/* ---- the product (A42) ---- */

static uint64_t product(const struct weigher *w, const struct xds_host *host)
{
    const uint64_t locality = host->locality->weight ? host->locality->weight : 1;
    const uint64_t weight = locality * own_weight(w, host->endpoint);
    const uint32_t low = (uint32_t)weight;

    if (w->uint32)
        return low ? low : 1;
    if (!w->int32)
        return weight;
    return low > INT32_MAX || low == 0 ? 1 : low;
}

/* ---- both parts as fractions of 2^31, so that no product overflows (A113) ---- */

static uint64_t sum_of_localities(const struct xds_candidates *c)
{
    uint64_t sum = 0;

    for (size_t i = 0; i < c->n; i += xds_locality_at(c, i).n)
        sum += c->hosts[i].locality->weight;
    return sum ? sum : 1;
}

static void weigh_locality(const struct weigher *w, struct xds_host_group g,
                           uint64_t *weights)
{
    const uint64_t one = (uint64_t)1 << 31;
    const uint64_t lw = g.hosts->locality->weight * one / w->localities;
    uint64_t sum = 0;

    for (size_t i = 0; i < g.n; i++)
        sum += own_weight(w, g.hosts[i].endpoint);
    for (size_t i = 0; i < g.n; i++) {
        const uint64_t ew = own_weight(w, g.hosts[i].endpoint) * one / sum;
        const uint64_t weight = (lw * ew) >> 31;

        weights[i] = weight ? weight : 1;
    }
}

/* ---- the whole ---- */

const uint64_t *xds_endpoint_weights(const struct xds_lb *lb,
                                     const struct xds_candidates *candidates,
                                     struct xds_host_group group)
{
    const struct xds_rpc *rpc = lb->rpc;
    const struct weigher w = {
        xds_differs(rpc->options, rpc->client, XDS_DIFF_WEIGHT_IN_UINT32),
        xds_differs(rpc->options, rpc->client, XDS_DIFF_WEIGHT_IN_INT32),
        sum_of_localities(candidates)};
    const bool by_share =
        xds_env_on(rpc->options, XDS_ENV_PF_WEIGHTED_SHUFFLING, rpc->client);
    const struct xds_candidates part = {.hosts = group.hosts, .n = group.n};
    uint64_t *weights = XDS_NEW_ARRAY(rpc->arena, uint64_t, group.n);

    for (size_t i = 0; by_share && i < part.n;) {
        const struct xds_host_group g = xds_locality_at(&part, i);

        weigh_locality(&w, g, &weights[i]);
        i += g.n;
    }
    for (size_t i = 0; !by_share && i < part.n; i++)
        weights[i] = product(&w, &part.hosts[i]);
    return weights;
}
