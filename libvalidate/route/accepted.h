/* accepted.h - the resources of a snapshot as one client has them. */
#ifndef XDS_ROUTE_ACCEPTED_H
#define XDS_ROUTE_ACCEPTED_H

#include "model/snapshot.h"
#include "route/rpc.h"

/* The model of a resource; NULL when it is missing or the client rejects it or
 * dies of it, *why is then a clause: "is not in the snapshot". */
const void *xds_accepted(const struct xds_snapshot *snapshot, enum xds_client client,
                         enum xds_resource_type type, struct xds_slice name,
                         const char **why);

/* The rule of which the client dies for this resource; NULL: it does not. */
const struct xds_rule *xds_killed_by(const struct xds_snapshot *snapshot,
                                     enum xds_client client, enum xds_resource_type type,
                                     struct xds_slice name);

#endif
