/* choices.c - what an RPC may ask for, where it does not say. */
#include "check/check.h"

/* The i-th of what it has; *i is less by as many as were counted. */
static struct xds_slice listener_of(const struct xds_snapshot *snapshot, size_t *i)
{
    for (const struct xds_snapshot_entry *e = snapshot->first[XDS_TYPE_LISTENER]; e;
         e = e->next) {
        const struct xds_listener *listener = e->model;

        if (!listener || !listener->is_api_listener ||
            xds_snapshot_find(snapshot, XDS_TYPE_LISTENER, e->name) != e)
            continue;
        if ((*i)-- == 0)
            return e->name;
    }
    return (struct xds_slice){NULL, 0};
}

struct xds_slice xds_check_choice(const struct xds_check *check, size_t i,
                                  const char **option)
{
    const struct xds_snapshot *all = &check->snapshot;

    *option = "--listener";
    if (xds_snapshot_part(all) == all)
        return listener_of(all, &i);
    *option = "--target";
    for (const struct xds_snapshot *p = xds_snapshot_part(all); p;
         p = xds_snapshot_next_part(all, p)) {
        const struct xds_slice scope = xds_report_scope(check->report, p->config);
        size_t first = 0;

        if (scope.len > 0 && listener_of(p, &first).data && i-- == 0)
            return scope;
    }
    return (struct xds_slice){NULL, 0};
}
