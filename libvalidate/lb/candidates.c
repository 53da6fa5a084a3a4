/*
 * candidates.c - find the priority in use and its usable endpoints.
 *
 * Takes:  a leaf cluster, the assumed states.
 * Gives:  hosts in the decision's arena.
 * Source: gRFC A27, A42, A56, A61, spec routing 7.4, 9.6 and 10.
 */
#include "lb/candidates.h"

#include <stdlib.h>

#include "route/in_force.h"

bool xds_endpoint_usable(const struct xds_endpoint *endpoint)
{
    return endpoint->n_addresses > 0 && (endpoint->health == XDS_HEALTH_UNKNOWN ||
                                         endpoint->health == XDS_HEALTH_HEALTHY);
}

/* ---- endpoints of a leaf ---------------------------------------------------------- */

/* All that DNS returns is one endpoint (A61); its name stands for what it resolves to. */
static const struct xds_endpoints *dns_endpoints(struct xds_arena *arena,
                                                 const struct xds_cluster *cluster)
{
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

const struct xds_endpoints *xds_leaf_endpoints(const struct xds_lb *lb,
                                               const struct xds_leaf *leaf,
                                               struct xds_slice *why)
{
    const struct xds_cluster *cluster = leaf->cluster;
    const char *clause;

    *why = leaf->missing;
    if (!cluster)
        return NULL;
    if (cluster->kind == XDS_CLUSTER_LOGICAL_DNS)
        return dns_endpoints(lb->rpc->arena, cluster);
    const struct xds_endpoints *endpoints = xds_in_force(
        lb->snapshot, lb->rpc->client, XDS_TYPE_ENDPOINT, cluster->eds_name, &clause);
    if (!endpoints)
        *why = xds_arena_printf(lb->rpc->arena, "EDS resource %.*s %s",
                                XDS_FMT(cluster->eds_name), clause);
    return endpoints;
}

/* ---- order ------------------------------------------------------------------------ */

static int by_name(const struct xds_locality *a, const struct xds_locality *b)
{
    const int region = xds_slice_cmp(a->region, b->region);
    const int zone = xds_slice_cmp(a->zone, b->zone);

    if (region)
        return region;
    return zone ? zone : xds_slice_cmp(a->sub_zone, b->sub_zone);
}

/* By priority, then name; of equal ones (another client may let them pass) the first in
 * the list leads. */
static int compare_localities(const void *left, const void *right)
{
    const struct xds_locality *a = *(const struct xds_locality *const *)left;
    const struct xds_locality *b = *(const struct xds_locality *const *)right;
    const int name = by_name(a, b);

    if (a->priority != b->priority)
        return a->priority < b->priority ? -1 : 1;
    if (name)
        return name;
    return (a > b) - (a < b);
}

static const struct xds_locality **sorted_localities(struct xds_arena *arena,
                                                     const struct xds_endpoints *e)
{
    const struct xds_locality **list =
        XDS_NEW_ARRAY(arena, const struct xds_locality *, e->n_localities);

    for (size_t i = 0; i < e->n_localities; i++)
        list[i] = &e->localities[i];
    if (e->n_localities > 1)
        qsort(list, e->n_localities, sizeof(*list), compare_localities);
    return list;
}

/* ---- priorities ------------------------------------------------------------------- */

static void add_hosts(const struct xds_lb *lb, const struct xds_locality *locality,
                      struct xds_candidates *out)
{
    for (size_t i = 0; i < locality->n_endpoints; i++) {
        const struct xds_endpoint *endpoint = &locality->endpoints[i];
        struct xds_host *host = &out->hosts[out->n];

        if (!xds_endpoint_usable(endpoint))
            continue;
        *host = (struct xds_host){.endpoint = endpoint, .locality = locality};
        host->address = xds_lb_connection(lb, endpoint, &host->state);
        out->n++;
    }
}

static size_t count_state(const struct xds_candidates *c, enum xds_assumed_state state)
{
    size_t n = 0;

    for (size_t i = 0; i < c->n; i++)
        n += c->hosts[i].state == state;
    return n;
}

/* Would the child of this priority report anything but TRANSIENT_FAILURE? */
static bool priority_works(const struct xds_candidates *c, enum xds_lb_kind policy)
{
    const size_t failed = count_state(c, XDS_ASSUME_TRANSIENT_FAILURE);

    if (failed == c->n)
        return false;
    /* ring_hash gives up at two failed endpoints unless one is READY. */
    return policy != XDS_LB_RING_HASH || failed < 2 ||
           count_state(c, XDS_ASSUME_READY) > 0;
}

static size_t count_endpoints(const struct xds_endpoints *e)
{
    size_t n = 0;

    for (size_t i = 0; i < e->n_localities; i++)
        n += e->localities[i].n_endpoints;
    return n;
}

bool xds_candidates_of(const struct xds_lb *lb, const struct xds_endpoints *endpoints,
                       enum xds_lb_kind policy, struct xds_candidates *out)
{
    struct xds_arena *arena = lb->rpc->arena;
    const struct xds_locality **list = sorted_localities(arena, endpoints);
    const size_t n = endpoints->n_localities;

    *out = (struct xds_candidates){
        .hosts = XDS_NEW_ARRAY(arena, struct xds_host, count_endpoints(endpoints))};
    for (size_t i = 0; i < n;) {
        out->n = 0;
        out->priority = list[i]->priority;
        while (i < n && list[i]->priority == out->priority)
            add_hosts(lb, list[i++], out);
        if (priority_works(out, policy))
            return true;
    }
    out->n = 0;
    return false;
}
