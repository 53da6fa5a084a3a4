/*
 * endpoint_children.h - one pick_first per endpoint, below a policy that balances.
 *
 * round_robin and ring_hash know endpoints, not addresses: which address of an endpoint
 * is connected is the affair of the child. Endpoints are distinguished by their sets of
 * addresses; of the same set the first counts, and in a new list it is the same endpoint.
 */
#ifndef XDS_LB_ENDPOINT_CHILDREN_H
#define XDS_LB_ENDPOINT_CHILDREN_H

#include "lb/pick_first.h"

struct xds_endpoint_children;

struct xds_endpoint_child {
    struct xds_pick_first policy; /* first; used when it exists */
    struct xds_endpoint_children *all;
    const struct xds_endpoint *endpoint; /* of the accepted list */
    struct xds_slice name, order;        /* its addresses: to read, and to sort by */
    bool exists;                         /* the policy does; else the child is IDLE */
    enum xds_connectivity state;
    uint64_t round; /* the update that named it last */
    uint64_t met;   /* of use to who walks over the children */
};

struct xds_endpoint_child_list {
    struct xds_endpoint_child **list;
    size_t n, cap;
};

struct xds_endpoint_children {
    struct xds_policy *owner;
    const struct xds_subchannel_maker *maker;
    bool lazy; /* a child connects when it is asked to, not at once */
    struct xds_strmap by_name;
    struct xds_endpoint_child_list in_use, spare; /* in order of the endpoints */
    size_t count[XDS_STATE_READY + 1];            /* children in use, by state */
    uint64_t round;
};

void xds_endpoint_children_init(struct xds_endpoint_children *all,
                                struct xds_policy *owner,
                                const struct xds_subchannel_maker *maker, bool lazy);
/* New endpoints. Their memory must last until the next update. The owner's child_report
 * is called for what children say meanwhile. */
void xds_endpoint_children_update(struct xds_endpoint_children *all,
                                  const struct xds_endpoint *const *endpoints, size_t n);
/* Take what a child has reported: to be called by the owner's child_report. */
struct xds_endpoint_child *xds_endpoint_child_store(struct xds_policy *policy);
/* The child of an endpoint in use; NULL if there is none. */
struct xds_endpoint_child *
xds_endpoint_children_find(const struct xds_endpoint_children *all,
                           const struct xds_endpoint *endpoint);
/* Make an IDLE child connect. */
void xds_endpoint_child_connect(struct xds_endpoint_child *child);
struct xds_pick_result xds_endpoint_child_pick(struct xds_endpoint_child *child,
                                               const struct xds_pick_call *call);
void xds_endpoint_children_destroy(struct xds_endpoint_children *all);

#endif
