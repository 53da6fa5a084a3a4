/* accepted.c - find a resource that one client accepts. */
#include "route/route.h"

const void *xds_accepted(const struct xds_snapshot *snapshot, enum xds_client client,
                         enum xds_resource_type type, struct xds_slice name,
                         const char **why)
{
    const struct xds_snapshot_entry *entry = xds_snapshot_find(snapshot, type, name);

    *why = "is not in the snapshot";
    if (!entry)
        return NULL;

    *why = "kills this client (CRASH), so nothing is used";
    if (entry->killing & XDS_CLIENT_BIT(client))
        return NULL;

    *why = "is rejected by this client (NACK), so it is not used";
    const bool nacked = (entry->nacked_by & XDS_CLIENT_BIT(client)) != 0;
    return nacked ? NULL : entry->model;
}

const struct xds_rule *xds_killed_by(const struct xds_snapshot *snapshot,
                                     enum xds_client client, enum xds_resource_type type,
                                     struct xds_slice name)
{
    const struct xds_snapshot_entry *entry = xds_snapshot_find(snapshot, type, name);

    return entry && (entry->killing & XDS_CLIENT_BIT(client)) ? entry->killed_by : NULL;
}
