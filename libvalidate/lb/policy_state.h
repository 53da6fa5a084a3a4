/* policy_state.h - what an LB policy reports about its endpoints. */
#ifndef XDS_LB_POLICY_STATE_H
#define XDS_LB_POLICY_STATE_H

#include "lb/candidates.h"

/* Of the policy itself, over all its endpoints or those of one locality. */
enum xds_connectivity xds_policy_state(const struct xds_lb *lb,
                                       const struct xds_lb_policy *policy,
                                       struct xds_host_group group);
/* Of the whole priority. */
enum xds_connectivity xds_priority_state(const struct xds_lb *lb,
                                         const struct xds_lb_policy *policy,
                                         const struct xds_candidates *c);
/* java's ring_hash takes no two endpoints with the same addresses. */
bool xds_ring_is_refused(const struct xds_lb *lb, const struct xds_lb_policy *policy,
                         struct xds_host_group group);
/* As the client reads them. */
struct xds_ring_sizes {
    uint64_t min, max;
};
struct xds_ring_sizes xds_ring_sizes_of(const struct xds_lb *lb,
                                        const struct xds_lb_policy *policy);
/* Why no RPC gets an endpoint from a ring, whatever its endpoints. */
struct xds_ring_fault {
    struct xds_slice text; /* absent: it can be used */
    bool waits;            /* RPCs end with their deadline only */
    bool holds;            /* the policy passes for one that works */
};
struct xds_ring_fault xds_ring_fault_of(const struct xds_lb *lb,
                                        const struct xds_lb_policy *policy);
size_t xds_count_in_state(struct xds_host_group group, enum xds_connectivity state);

/* The addresses of an endpoint as text that is the same for the same set. */
struct xds_slice xds_address_set_text(struct xds_arena *arena,
                                      const struct xds_endpoint *endpoint);

#endif
