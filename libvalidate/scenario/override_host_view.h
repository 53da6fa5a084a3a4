/* override_host_view.h - xds_override_host as the result of a step shows it. */
#ifndef XDS_SCENARIO_OVERRIDE_HOST_VIEW_H
#define XDS_SCENARIO_OVERRIDE_HOST_VIEW_H

#include "lb/policy.h"
#include "scenario/subject.h"

static inline bool xds_override_is_childs(const struct xds_override_entry *entry)
{
    return entry->in_map && entry->owner == XDS_SUBCHANNEL_CHILD;
}

/* What became of an RPC. */
struct xds_override_outcome {
    struct xds_override_decision decision;
    struct xds_slice host;                 /* or absent */
    const struct xds_override_entry *used; /* by a session; or NULL */
};

/* {result, host, candidates, reason, action, action_address, actual_address_list} */
struct xds_tree xds_override_pick_tree(const struct xds_override_host *host,
                                       struct xds_arena *arena,
                                       const struct xds_override_outcome *outcome);
/* passed_to_child, map, owned, child_owned, no_subchannel. */
void xds_override_put_state(const struct xds_override_host *host, struct xds_arena *arena,
                            struct xds_tree *result);
/* The policy, its child with the connections it has, then those kept for sessions. */
struct xds_scene xds_override_scene(const struct xds_override_host *host,
                                    struct xds_arena *arena);

#endif
