/*
 * policy_state.c - the connectivity state that an LB policy makes of its endpoints'.
 *
 * Source: gRFC A42, A61, spec routing 6, WT4, 9.1, 9.6 and 10.
 */
#include "lb/lb.h"

#include "clients/readers.h"

#include <stdlib.h>

size_t xds_count_in_state(struct xds_host_group group, enum xds_connectivity state)
{
    size_t n = 0;

    for (size_t i = 0; i < group.n; i++)
        n += group.hosts[i].state == state;
    return n;
}

/* ---- the same addresses ---- */

static int compare_slices(const void *left, const void *right)
{
    return xds_slice_cmp(*(const struct xds_slice *)left,
                         *(const struct xds_slice *)right);
}

struct xds_slice xds_address_set_text(struct xds_arena *arena,
                                      const struct xds_endpoint *endpoint)
{
    const size_t n = endpoint->n_addresses;

    if (n == 1)
        return endpoint->addresses[0];
    struct xds_slice *sorted = XDS_NEW_ARRAY(arena, struct xds_slice, n);
    const struct xds_endpoint as_set = {.addresses = sorted, .n_addresses = n};

    memcpy(sorted, endpoint->addresses, n * sizeof(*sorted));
    qsort(sorted, n, sizeof(*sorted), compare_slices);
    return xds_address_list(arena, &as_set, 0);
}

bool xds_ring_is_refused(const struct xds_lb *lb, const struct xds_lb_policy *policy,
                         struct xds_host_group group)
{
    struct xds_strmap seen;

    if (!xds_differs(lb->rpc->options, lb->rpc->client,
                     XDS_DIFF_RING_SAME_ADDRESSES_REFUSED) ||
        policy->kind != XDS_LB_RING_HASH)
        return false;
    xds_strmap_init(&seen, lb->rpc->arena);
    for (size_t i = 0; i < group.n; i++) {
        void **slot = xds_strmap_at(
            &seen, xds_address_set_text(lb->rpc->arena, group.hosts[i].endpoint));
        if (*slot)
            return true;
        *slot = &seen;
    }
    return false;
}

/* ---- ring sizes ---- */

enum { RING_SIZE_MAX = 8388608, MIN_OF_ZERO = 1024, MAX_OF_ZERO = 4096 };

struct xds_ring_sizes xds_ring_sizes_of(const struct xds_lb *lb,
                                        const struct xds_lb_policy *policy)
{
    struct xds_ring_sizes out = {policy->min_ring_size, policy->max_ring_size};

    if (!xds_differs(lb->rpc->options, lb->rpc->client, XDS_DIFF_RING_SIZE_ZERO_UNSET))
        return out;
    out.min = out.min ? out.min : MIN_OF_ZERO;
    out.max = out.max ? out.max : MAX_OF_ZERO;
    return out;
}

static struct xds_slice too_large(struct xds_arena *arena, const char *name,
                                  uint64_t size)
{
    return xds_arena_printf(arena,
                            "%s_ring_size value of %llu is greater than max supported "
                            "value %d for this field",
                            name, (unsigned long long)size, RING_SIZE_MAX);
}

/* Why go cannot parse the sizes, or absent. */
static struct xds_slice fault_of(struct xds_arena *arena, struct xds_ring_sizes sizes)
{
    if (sizes.min > RING_SIZE_MAX)
        return too_large(arena, "min", sizes.min);
    if (sizes.max > RING_SIZE_MAX)
        return too_large(arena, "max", sizes.max);
    if (sizes.min <= sizes.max)
        return xds_slice_make(NULL, 0);
    return xds_arena_printf(arena, "min %llu is greater than max %llu",
                            (unsigned long long)sizes.min, (unsigned long long)sizes.max);
}

static struct xds_ring_fault fault_of_go(const struct xds_rpc *rpc,
                                         struct xds_ring_sizes sizes)
{
    const bool waits = xds_differs(rpc->options, rpc->client, XDS_DIFF_RING_SIZES_WAIT);
    const struct xds_slice fault = fault_of(rpc->arena, sizes);
    struct xds_ring_fault out = {.waits = waits};

    if (fault.data)
        out.text = xds_arena_printf(
            rpc->arena,
            "%serror unmarshalling xDS LB Policy: error parsing loadBalancingConfig for "
            "policy \"ring_hash_experimental\": %.*s",
            waits ? "the RPC waits until its deadline: " : "", XDS_FMT(fault));
    return out;
}

struct xds_ring_fault xds_ring_fault_of(const struct xds_lb *lb,
                                        const struct xds_lb_policy *policy)
{
    const struct xds_rpc *rpc = lb->rpc;

    if (!policy || policy->kind != XDS_LB_RING_HASH)
        return (struct xds_ring_fault){.waits = false};
    const struct xds_ring_sizes sizes = xds_ring_sizes_of(lb, policy);

    if (policy->wrr_locality &&
        xds_differs(rpc->options, rpc->client, XDS_DIFF_RING_BELOW_LOCALITY_IDLE))
        return (struct xds_ring_fault){
            .text = XDS_S("the RPC waits until its deadline: ring_hash below "
                          "xds_wrr_locality never connects"),
            .waits = true,
            .holds = true};
    if (xds_differs(rpc->options, rpc->client, XDS_DIFF_RING_SIZE_ZERO_EMPTY) &&
        (sizes.min == 0 || sizes.max == 0))
        return (struct xds_ring_fault){.text =
                                           XDS_S("ring_hash: invalid state: all child "
                                                 "balancers in TRANSIENT_FAILURE"),
                                       .holds = true};
    if (xds_differs(rpc->options, rpc->client, XDS_DIFF_RING_SIZES_FAIL))
        return fault_of_go(rpc, sizes);
    return (struct xds_ring_fault){.waits = false};
}

/* ---- states ---- */

/* Spec routing 9.6. */
static enum xds_connectivity state_of_ring(struct xds_host_group g)
{
    const size_t failed = xds_count_in_state(g, XDS_STATE_TRANSIENT_FAILURE);

    if (xds_count_in_state(g, XDS_STATE_READY))
        return XDS_STATE_READY;
    if (failed >= 2 || failed == g.n)
        return XDS_STATE_TRANSIENT_FAILURE;
    if (failed || xds_count_in_state(g, XDS_STATE_CONNECTING))
        return XDS_STATE_CONNECTING;
    return XDS_STATE_IDLE;
}

/* Policies that connect to whatever is idle. */
static enum xds_connectivity state_of_all(struct xds_host_group g)
{
    if (xds_count_in_state(g, XDS_STATE_READY))
        return XDS_STATE_READY;
    return xds_count_in_state(g, XDS_STATE_TRANSIENT_FAILURE) == g.n
               ? XDS_STATE_TRANSIENT_FAILURE
               : XDS_STATE_CONNECTING;
}

/* pick_first keeps a connection that is there; else the first endpoint that has not
 * failed decides. */
static enum xds_connectivity state_of_first(const struct xds_lb *lb,
                                            struct xds_host_group g)
{
    enum xds_connectivity state = XDS_STATE_TRANSIENT_FAILURE;

    for (size_t i = 0; i < g.n; i++) {
        if (xds_lb_assumes_ready(lb, xds_host_address_of(&g.hosts[i])))
            return XDS_STATE_READY;
        if (state == XDS_STATE_TRANSIENT_FAILURE)
            state = g.hosts[i].state;
    }
    return state;
}

enum xds_connectivity xds_policy_state(const struct xds_lb *lb,
                                       const struct xds_lb_policy *policy,
                                       struct xds_host_group group)
{
    if (group.n == 0 || xds_ring_is_refused(lb, policy, group))
        return XDS_STATE_TRANSIENT_FAILURE;
    switch (policy->kind) {
    case XDS_LB_RING_HASH:
        return state_of_ring(group);
    case XDS_LB_PICK_FIRST:
        return state_of_first(lb, group);
    case XDS_LB_ROUND_ROBIN:
    case XDS_LB_LEAST_REQUEST:
    case XDS_LB_WEIGHTED_ROUND_ROBIN:
    case XDS_LB_OTHER:
        break;
    }
    return state_of_all(group);
}

/* weighted_target: an idle child is asked to connect, so IDLE counts as CONNECTING. */
enum xds_connectivity xds_priority_state(const struct xds_lb *lb,
                                         const struct xds_lb_policy *policy,
                                         const struct xds_candidates *c)
{
    enum xds_connectivity best = XDS_STATE_TRANSIENT_FAILURE;

    if (!policy->wrr_locality)
        return xds_policy_state(lb, policy, (struct xds_host_group){c->hosts, c->n});
    for (size_t i = 0; i < c->n;) {
        const struct xds_host_group g = xds_locality_at(c, i);
        const enum xds_connectivity state = xds_policy_state(lb, policy, g);

        i += g.n;
        if (state == XDS_STATE_READY)
            return state;
        if (state != XDS_STATE_TRANSIENT_FAILURE)
            best = XDS_STATE_CONNECTING;
    }
    return best;
}
