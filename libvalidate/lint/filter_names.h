/* filter_names.h - which HTTP filters a listener has, and which ones routes speak to. */
#ifndef XDS_LINT_FILTER_NAMES_H
#define XDS_LINT_FILTER_NAMES_H

#include "base/path.h"
#include "model/snapshot.h"

/* The name of a filter in a typed_per_filter_config; told once per resource. */
struct xds_override_name {
    struct xds_slice name;
    struct xds_steps path; /* where it stands first */
    bool found;            /* a listener that uses the routes has such a filter */
    struct xds_override_name *next;
};

struct xds_node;

/* Keep the names of the filters. */
void xds_filters_keep(struct xds_arena *arena, const struct xds_listener *listener,
                      struct xds_node *node);
/* Keep the names of the overrides, and where the first route is that only servers can
 * use. scratch: for the time of the call. */
void xds_overrides_keep(struct xds_arena *arena, struct xds_arena *scratch,
                        const struct xds_path *at, const struct xds_route_config *config,
                        struct xds_node *node);

#endif
