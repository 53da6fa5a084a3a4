/* replaced.c - resources of which the snapshot has another one of the same name. */
#include "check/check.h"

static void count(struct xds_replaced *out, const struct xds_snapshot *snapshot,
                  enum xds_resource_type type)
{
    for (const struct xds_snapshot_entry *e = snapshot->first[type]; e; e = e->next) {
        if (!e->earlier || e->name.len == 0)
            continue;
        if (out->n++ > 0)
            continue;
        out->resource = e->resource;
        out->earlier = e->earlier->resource;
    }
}

struct xds_replaced xds_check_replaced(const struct xds_check *check)
{
    struct xds_replaced out = {.n = 0};

    for (const struct xds_snapshot *s = &check->snapshot; s; s = s->next)
        for (unsigned type = XDS_TYPE_LISTENER; type <= XDS_TYPE_ENDPOINT; type++)
            count(&out, s, (enum xds_resource_type)type);
    return out;
}
