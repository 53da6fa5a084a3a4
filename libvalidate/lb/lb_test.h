/* lb_test.h - a small world for tests of lb/: clusters, endpoints, assumed states. */
#ifndef XDS_LB_LB_TEST_H
#define XDS_LB_LB_TEST_H

#include "lb/lb.h"
#include "route/rpc_test.h"

struct test_lb {
    struct test_rpc t;
    struct xds_snapshot snapshot;
    struct xds_lb lb;
    struct xds_assumption assumptions[4];
};

static inline void test_lb_init(struct test_lb *w, enum xds_client client)
{
    test_rpc_init(&w->t, client);
    w->t.request.assumptions = w->assumptions;
    xds_snapshot_init(&w->snapshot, &w->t.arena);
}

static inline void test_lb_assume(struct test_lb *w, const char *address,
                                  enum xds_connectivity state)
{
    w->assumptions[w->t.request.n_assumptions++] =
        (struct xds_assumption){xds_slice_of(address), state};
}

/* After the assumptions. */
static inline void test_lb_start(struct test_lb *w)
{
    xds_lb_init(&w->lb, &w->t.rpc, &w->snapshot);
}

static inline void test_lb_release(struct test_lb *w)
{
    test_rpc_release(&w->t);
}

static inline void test_lb_add(struct test_lb *w, enum xds_resource_type type,
                               struct xds_slice name, const void *model)
{
    xds_snapshot_add(&w->snapshot, &(struct xds_snapshot_entry){
                                       .name = name, .type = type, .model = model});
}

/* An EDS cluster with defaults; change the result as needed. */
static inline struct xds_cluster *test_lb_cluster(struct test_lb *w, const char *name,
                                                  enum xds_lb_kind policy)
{
    struct xds_cluster *c = XDS_NEW(&w->t.arena, struct xds_cluster);

    c->name = c->eds_name = xds_slice_of(name);
    c->kind = XDS_CLUSTER_EDS;
    c->lb = (struct xds_lb_policy){.kind = policy,
                                   .wrr_locality = policy == XDS_LB_ROUND_ROBIN,
                                   .min_ring_size = 1024,
                                   .max_ring_size = 8388608};
    c->override_host_status =
        XDS_HEALTH_BIT(XDS_HEALTH_UNKNOWN) | XDS_HEALTH_BIT(XDS_HEALTH_HEALTHY);
    for (size_t i = 0; i < XDS_CLIENTS; i++)
        c->max_requests[i] = 1024;
    test_lb_add(w, XDS_TYPE_CLUSTER, c->name, c);
    return c;
}

/* "C D E": an aggregate of these. */
static inline void test_lb_aggregate(struct test_lb *w, const char *name,
                                     const char *children)
{
    struct xds_cluster *c = test_lb_cluster(w, name, XDS_LB_RING_HASH);
    struct xds_slice *list = XDS_NEW_ARRAY(&w->t.arena, struct xds_slice, 16);
    struct xds_slice rest = xds_slice_of(children);

    c->kind = XDS_CLUSTER_AGGREGATE;
    c->children = list;
    while (rest.data)
        rest = xds_slice_cut(rest, ' ', &list[c->n_children++]);
}

/* One row per endpoint. */
struct test_endpoint {
    const char *zone; /* NULL ends the list; rows of one locality are together */
    uint32_t priority, locality_weight;
    const char *addresses[2];
    enum xds_health health;
    uint32_t weight; /* 0: 1 */
};

static inline struct xds_endpoint test_endpoint_of(struct test_lb *w,
                                                   const struct test_endpoint *row)
{
    struct xds_slice *addresses = XDS_NEW_ARRAY(&w->t.arena, struct xds_slice, 2);
    const size_t n = row->addresses[1] ? 2 : 1;

    for (size_t i = 0; i < n; i++)
        addresses[i] = xds_slice_of(row->addresses[i]);
    return (struct xds_endpoint){.addresses = addresses,
                                 .n_addresses = n,
                                 .health = row->health,
                                 .weight = row->weight ? row->weight : 1};
}

static inline struct xds_endpoints *test_lb_endpoints(struct test_lb *w, const char *name,
                                                      const struct test_endpoint *rows)
{
    enum { MOST = 8 };
    struct xds_endpoints *e = XDS_NEW(&w->t.arena, struct xds_endpoints);
    struct xds_locality *localities =
        XDS_NEW_ARRAY(&w->t.arena, struct xds_locality, MOST);
    struct xds_endpoint *endpoints =
        XDS_NEW_ARRAY(&w->t.arena, struct xds_endpoint, MOST);

    e->localities = localities;
    for (size_t i = 0; rows[i].zone; i++) {
        const bool same = i > 0 && rows[i].priority == rows[i - 1].priority &&
                          strcmp(rows[i].zone, rows[i - 1].zone) == 0;
        if (!same)
            localities[e->n_localities++] =
                (struct xds_locality){.zone = xds_slice_of(rows[i].zone),
                                      .weight = rows[i].locality_weight,
                                      .priority = rows[i].priority,
                                      .endpoints = &endpoints[i]};
        endpoints[i] = test_endpoint_of(w, &rows[i]);
        localities[e->n_localities - 1].n_endpoints++;
    }
    test_lb_add(w, XDS_TYPE_ENDPOINT, xds_slice_of(name), e);
    return e;
}

/* The probability of an address in a pick; 0 when it is not there. */
static inline double test_probability(const struct xds_pick *pick, const char *address)
{
    for (size_t i = 0; i < pick->n_hosts; i++) {
        const struct xds_host *h = &pick->hosts[i];
        if (xds_slice_is(h->endpoint->addresses[h->address], address))
            return h->probability;
    }
    return 0;
}

static inline struct xds_pick test_pick(struct test_lb *w, const char *cluster)
{
    const struct xds_request_key random = {.has_hash = false};

    return xds_pick_host(&w->lb, xds_slice_of(cluster), random, NULL);
}

static inline bool test_host_is(const struct xds_pick *pick, const char *address)
{
    return pick->host &&
           xds_slice_is(pick->host->endpoint->addresses[pick->host->address], address);
}

#endif
