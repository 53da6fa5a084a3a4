/*
 * candidates.c - the endpoints of a leaf as the client reads them, by priority, and the
 *                weight that each has over all localities.
 *
 * Source: gRFC A27, A42, A61, A113, spec routing 9.1, 10 and 12, spec cluster 5.2, 5.7
 *         and 7.1.
 */
#include "lb/lb.h"
#include "model/child_numbers.h"

bool xds_endpoint_usable(const struct xds_endpoint *endpoint)
{
    return endpoint->n_addresses > 0 && xds_health_serves(endpoint->health);
}

void xds_host_give(struct xds_host *host, struct xds_share share)
{
    host->share = share;
    host->probability = share.value;
}

struct xds_slice xds_host_address_of(const struct xds_host *host)
{
    return host->endpoint->addresses[host->address];
}

struct xds_host_group xds_locality_at(const struct xds_candidates *c, size_t from)
{
    size_t end = from;

    while (end < c->n && c->hosts[end].locality == c->hosts[from].locality)
        end++;
    return (struct xds_host_group){c->hosts + from, end - from};
}

/* All that DNS returns is one endpoint (A61); its name stands for what it resolves to. */
static struct xds_endpoints *dns_endpoints(struct xds_arena *arena, const void *model)
{
    const struct xds_cluster *cluster = model;
    struct xds_endpoints *endpoints = XDS_NEW(arena, struct xds_endpoints);
    struct xds_locality *locality = XDS_NEW(arena, struct xds_locality);
    struct xds_endpoint *endpoint = XDS_NEW(arena, struct xds_endpoint);

    *endpoint = (struct xds_endpoint){.addresses = &cluster->dns_name,
                                      .n_addresses = 1,
                                      .weight = 1,
                                      .hostname = cluster->dns_name};
    *locality =
        (struct xds_locality){.weight = 1, .endpoints = endpoint, .n_endpoints = 1};
    *endpoints = (struct xds_endpoints){.cluster_name = cluster->name,
                                        .localities = locality,
                                        .n_localities = 1,
                                        .n_priorities = 1};
    return endpoints;
}

static const struct xds_endpoint *first_addresses(struct xds_arena *arena,
                                                  const struct xds_locality *locality)
{
    struct xds_endpoint *list =
        XDS_NEW_ARRAY(arena, struct xds_endpoint, locality->n_endpoints);

    for (size_t i = 0; i < locality->n_endpoints; i++) {
        list[i] = locality->endpoints[i];
        list[i].n_addresses = list[i].n_addresses > 0;
    }
    return list;
}

/* A client without A61 does not see additional addresses. */
static struct xds_endpoints *without_additional(struct xds_arena *arena,
                                                const void *model)
{
    const struct xds_endpoints *e = model;
    struct xds_endpoints *out = XDS_NEW(arena, struct xds_endpoints);
    struct xds_locality *list =
        XDS_NEW_ARRAY(arena, struct xds_locality, e->n_localities);

    *out = *e;
    out->localities = list;
    for (size_t i = 0; i < e->n_localities; i++) {
        list[i] = e->localities[i];
        list[i].endpoints = first_addresses(arena, &e->localities[i]);
    }
    return out;
}

typedef struct xds_endpoints *make_fn(struct xds_arena *arena, const void *model);

static const struct xds_endpoints *made_once(const struct xds_lb *lb, const void *model,
                                             make_fn *make)
{
    /* The address of the model tells the resources apart. */
    const struct xds_slice key = {(const char *)&model, sizeof(model)};

    if (!lb->memory)
        return make(lb->rpc->arena, model);
    void **slot = xds_strmap_at(&lb->memory->endpoints, key);
    if (!*slot)
        *slot = make(&lb->memory->arena, model);
    return *slot;
}

const struct xds_endpoints *xds_leaf_endpoints(const struct xds_lb *lb,
                                               const struct xds_leaf *leaf,
                                               struct xds_slice *why)
{
    const struct xds_cluster *cluster = leaf->cluster;
    const char *clause;

    *why = leaf->missing.text;
    if (!cluster)
        return NULL;
    if (cluster->kind == XDS_CLUSTER_LOGICAL_DNS)
        return made_once(lb, cluster, dns_endpoints);
    const struct xds_endpoints *endpoints = xds_accepted(
        lb->snapshot, lb->rpc->client, XDS_TYPE_ENDPOINT, cluster->eds_name, &clause);
    if (!endpoints)
        *why = xds_arena_printf(lb->rpc->arena, "EDS resource %.*s %s",
                                XDS_FMT(cluster->eds_name), clause);
    else if (!xds_lb_interleaves(lb))
        endpoints = made_once(lb, endpoints, without_additional);
    return endpoints;
}

const struct xds_lb_policy *xds_leaf_policy(const struct xds_lb *lb,
                                            const struct xds_leaf *leaf)
{
    static const struct xds_lb_policy pick_first = {.kind = XDS_LB_PICK_FIRST};
    const struct xds_lb_policy *policy = leaf->policy;
    const bool dns = leaf->cluster && leaf->cluster->kind == XDS_CLUSTER_LOGICAL_DNS;

    if (dns && XDS_DIFFERS(lb->rpc, XDS_DIFF_DNS_PICK_FIRST))
        return &pick_first;
    if (!policy || !XDS_DIFFERS(lb->rpc, XDS_DIFF_LEAST_REQUEST_BELOW_PRIORITY) ||
        !xds_lb_traits(policy)->below_priority || policy->from_typed_config)
        return policy;
    struct xds_lb_policy *bare = XDS_NEW(lb->rpc->arena, struct xds_lb_policy);

    *bare = *policy;
    bare->wrr_locality = false;
    return bare;
}

struct xds_slice xds_locality_name(struct xds_arena *arena,
                                   const struct xds_locality *locality)
{
    return xds_arena_printf(arena, "{region=\"%.*s\", zone=\"%.*s\", sub_zone=\"%.*s\"}",
                            XDS_FMT(locality->region), XDS_FMT(locality->zone),
                            XDS_FMT(locality->sub_zone));
}

/* The first locality of that priority or of a higher number, or n. */
static size_t find_priority(const struct xds_locality_list *localities, uint32_t priority)
{
    size_t low = 0, high = localities->n;

    while (low < high) {
        const size_t middle = low + (high - low) / 2;

        if (localities->list[middle]->priority < priority)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

struct xds_candidates xds_candidates_of(const struct xds_lb *lb,
                                        const struct xds_locality_list *localities,
                                        uint32_t priority)
{
    struct xds_candidates out = {.priority = priority};
    const size_t first = find_priority(localities, priority);
    size_t end = first, n = 0;

    for (; end < localities->n && localities->list[end]->priority == priority; end++)
        n += localities->list[end]->n_endpoints;
    out.hosts = XDS_NEW_ARRAY(lb->rpc->arena, struct xds_host, n);
    for (size_t i = first; i < end; i++) {
        const struct xds_locality *locality = localities->list[i];

        for (size_t k = 0; k < locality->n_endpoints; k++) {
            const struct xds_endpoint *endpoint = &locality->endpoints[k];
            struct xds_host *host = &out.hosts[out.n];

            if (!xds_endpoint_usable(endpoint))
                continue;
            *host = (struct xds_host){.endpoint = endpoint, .locality = locality};
            host->address = xds_lb_connection(lb, endpoint, &host->state);
            xds_host_give(host, XDS_SHARE_NONE);
            out.n++;
        }
    }
    return out;
}

struct weigher {
    bool uint32;         /* a product is cut to 32 bits */
    bool int32;          /* what is not positive as a signed 32-bit number counts as 1 */
    uint64_t localities; /* sum over the priority */
};

static uint64_t own_weight(const struct weigher *w, const struct xds_endpoint *e)
{
    return e->weight == 0 || (w->int32 && e->weight > INT32_MAX) ? 1 : e->weight;
}

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

const uint64_t *xds_endpoint_weights(const struct xds_lb *lb,
                                     const struct xds_candidates *candidates,
                                     struct xds_host_group group)
{
    const struct xds_rpc *rpc = lb->rpc;
    const struct weigher w = {XDS_DIFFERS(rpc, XDS_DIFF_WEIGHT_IN_UINT32),
                              XDS_DIFFERS(rpc, XDS_DIFF_WEIGHT_IN_INT32),
                              sum_of_localities(candidates)};
    const bool by_share = XDS_ENV_ON(rpc, XDS_ENV_PF_WEIGHTED_SHUFFLING);
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
