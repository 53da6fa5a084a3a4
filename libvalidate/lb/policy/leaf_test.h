/* leaf_test.h - a leaf policy over a pool of subchannels, for tests. */
#ifndef XDS_LB_LEAF_TEST_H
#define XDS_LB_LEAF_TEST_H

#include <stdio.h>

#include "lb/policy_test.h"
#include "lb/policy.h"
#include "model/endpoint.h"

/* A parent that only counts. */
struct test_parent {
    struct xds_policy policy; /* first */
    unsigned reresolved;
};

static inline void test_parent_report(struct xds_policy *self, struct xds_policy *child)
{
    (void)self;
    (void)child;
}

static inline void test_parent_reresolution(struct xds_policy *self,
                                            struct xds_policy *child)
{
    (void)child;
    ((struct test_parent *)(void *)self)->reresolved++;
}

struct test_leaf {
    struct test_machine m;
    struct xds_subchannel_pool pool;
    struct test_parent parent;
    char asked[256]; /* addresses that were asked to connect, blank after each */
};

static inline void test_leaf_asked(void *user, struct xds_connection *connection)
{
    struct test_leaf *leaf = user;
    const size_t len = strlen(leaf->asked);

    snprintf(leaf->asked + len, sizeof leaf->asked - len, "%.*s ",
             XDS_FMT(connection->address));
}

/* In a machine that is there. */
static inline void test_leaf_begin(struct test_leaf *leaf)
{
    static const struct xds_policy_ops ops = {.child_report = test_parent_report,
                                              .reresolution = test_parent_reresolution};

    leaf->parent =
        (struct test_parent){.policy = {.ops = &ops, .machine = &leaf->m.machine}};
    leaf->asked[0] = '\0';
    xds_subchannel_pool_init(&leaf->pool, &leaf->m.machine);
    leaf->pool.user = leaf;
    leaf->pool.asked = test_leaf_asked;
}

static inline void test_leaf_init(struct test_leaf *leaf, enum xds_client client)
{
    test_machine_init(&leaf->m, client);
    test_leaf_begin(leaf);
}

static inline void test_leaf_release(struct test_leaf *leaf)
{
    test_machine_release(&leaf->m);
}

static inline bool test_leaf_set(struct test_leaf *leaf, const char *address,
                                 enum xds_connectivity state)
{
    return xds_subchannel_pool_set(&leaf->pool, xds_slice_of(address), state);
}

/* What was asked since the last call. */
static inline const char *test_leaf_heard(struct test_leaf *leaf)
{
    const char *text = xds_arena_strdup(&leaf->m.arena, leaf->asked);

    leaf->asked[0] = '\0';
    return text;
}

/* ---- endpoints ---- */

enum { TEST_ENDPOINTS = 8 };

struct test_endpoints {
    struct xds_endpoint list[TEST_ENDPOINTS];
    const struct xds_endpoint *refs[TEST_ENDPOINTS];
    size_t n;
};

/* "a b+c d": three endpoints, the second of two addresses. */
static inline struct test_endpoints *test_endpoints_of(struct test_leaf *leaf,
                                                       const char *text)
{
    struct xds_arena *arena = &leaf->m.arena;
    struct test_endpoints *out = XDS_NEW(arena, struct test_endpoints);
    struct xds_slice rest = xds_arena_dup(arena, xds_slice_of(text)), one, address;

    while (rest.len) {
        struct xds_slice *addresses = XDS_NEW_ARRAY(arena, struct xds_slice, 8);
        struct xds_endpoint *e = &out->list[out->n];

        rest = xds_slice_cut(rest, ' ', &one);
        e->addresses = addresses;
        e->weight = 1;
        while (one.data) {
            one = xds_slice_cut(one, '+', &address);
            addresses[e->n_addresses++] = address;
        }
        out->refs[out->n++] = e;
    }
    return out;
}

static inline struct xds_pick_result test_pick(struct xds_policy *policy, double number)
{
    struct xds_random random = {&number, 1, 0};

    return xds_policy_pick(policy, &(struct xds_pick_call){.random = &random});
}

#endif
