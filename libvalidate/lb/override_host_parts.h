/* override_host_parts.h - what the files of the machine xds_override_host share. */
#ifndef XDS_LB_OVERRIDE_HOST_PARTS_H
#define XDS_LB_OVERRIDE_HOST_PARTS_H

#include "lb/override_host_machine.h"

#define XDS_OVERRIDE_SAY(self, ...)                                                      \
    xds_machine_say((self)->policy.machine, (self)->policy.name, __VA_ARGS__)

static inline struct xds_override_host *xds_override_host_of(struct xds_policy *policy)
{
    return (struct xds_override_host *)policy;
}

/* Close a connection of our own. */
void xds_override_host_drop(struct xds_override_host *self,
                            struct xds_override_entry *entry);
/* Make RPCs that wait be picked again. */
void xds_override_host_publish_again(struct xds_override_host *self);

/* An entry that was last used before is idle. */
int64_t xds_override_host_idle_since(const struct xds_override_host *self);
void xds_override_host_set_sweep(struct xds_override_host *self);
/* A session uses an entry, or there is one more connection of our own. */
void xds_override_host_wake_sweep(struct xds_override_host *self);
void xds_override_host_sweep(struct xds_timer *timer);

struct xds_pick_result xds_override_host_pick_rpc(struct xds_policy *policy,
                                                  const struct xds_pick_call *call);

#endif
