/* ring_hash_machine.h - ring_hash_experimental: the hash of an RPC finds its endpoint. */
#ifndef XDS_LB_RING_HASH_MACHINE_H
#define XDS_LB_RING_HASH_MACHINE_H

#include "lb/endpoint_children.h"
#include "lb/ring_hash.h"

/* The ring over a list of endpoints, such as xds_host_ring_of gives. All of it must last
 * until the next update. */
struct xds_ring_over {
    const struct xds_ring *ring;           /* NULL: there are no endpoints */
    const struct xds_ring_member *members; /* host: index of an endpoint */
    size_t n_members;
};

struct xds_ring_hash {
    struct xds_policy policy; /* first */
    struct xds_endpoint_children children;
    struct xds_ring_over over;
    struct xds_endpoint_child **member;   /* the child of each member */
    struct xds_endpoint_child **by_order; /* in the order in which the client asks them */
    size_t cap;
    uint64_t walk; /* number of the last pick */
    bool settling, again;
    bool updating;         /* a new list is applied */
    struct xds_timer push; /* due at once: one is asked when the update is over */
};

/* parent may be NULL; the name must last. */
void xds_ring_hash_init(struct xds_ring_hash *self, struct xds_machine *machine,
                        struct xds_policy *parent, struct xds_slice name,
                        const struct xds_subchannel_maker *maker);
/* New endpoints, whose memory must last until the next update. */
void xds_ring_hash_update(struct xds_ring_hash *self,
                          const struct xds_endpoint *const *endpoints, size_t n,
                          const struct xds_ring_over *over);

#endif
