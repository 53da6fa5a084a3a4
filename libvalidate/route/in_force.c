/*
 * in_force.c - find a resource that is in force for one client.
 *
 * Takes:  a snapshot, a type and a name.
 * Gives:  the model, or the reason why the client has none.
 */
#include "route/in_force.h"

const void *xds_in_force(const struct xds_snapshot *snapshot, enum xds_client client,
                         enum xds_resource_type type, struct xds_slice name,
                         const char **why)
{
    const struct xds_snapshot_entry *entry = xds_snapshot_find(snapshot, type, name);

    *why = "is not in the snapshot";
    if (!entry)
        return NULL;

    *why = "is rejected by this client (NACK), so it does not come into force";
    const bool nacked = (entry->nacked_by & XDS_CLIENT_BIT(client)) != 0;
    return nacked ? NULL : entry->model;
}
