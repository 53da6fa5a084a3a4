/* round_robin.h - round_robin: RPCs go to all connected endpoints in turn. */
#ifndef XDS_LB_ROUND_ROBIN_H
#define XDS_LB_ROUND_ROBIN_H

#include "lb/endpoint_children.h"

struct xds_round_robin {
    struct xds_policy policy; /* first */
    struct xds_endpoint_children children;
    bool updating;
};

/* parent may be NULL; the name must last. */
void xds_round_robin_init(struct xds_round_robin *self, struct xds_machine *machine,
                          struct xds_policy *parent, struct xds_slice name,
                          const struct xds_subchannel_maker *maker);
/* New endpoints, whose memory must last until the next update. Publishes once. */
void xds_round_robin_update(struct xds_round_robin *self,
                            const struct xds_endpoint *const *endpoints, size_t n);

#endif
