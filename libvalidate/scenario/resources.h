/*
 * resources.h - the resources that a client has, over updates.
 *
 * An update replaces by name. A resource that the client rejects leaves the old one in
 * force, as in life.
 */
#ifndef XDS_SCENARIO_RESOURCES_H
#define XDS_SCENARIO_RESOURCES_H

#include "check/check.h"

struct xds_resources;

/* What came of one resource of an update. Lives as long as the resources. */
struct xds_resource_change {
    enum xds_resource_type type;
    struct xds_slice name;
    bool rejected;
    bool replaced;            /* there was one of this name before */
    struct xds_slice message; /* rejected: what the client says first */
};

struct xds_resource_changes {
    const struct xds_resource_change *list;
    size_t n;
    struct xds_slice error; /* present: the input could not be read, nothing changed */
};

/* NULL when there is no memory. options are copied. */
struct xds_resources *xds_resources_new(const struct xds_options *options,
                                        enum xds_client client);
void xds_resources_free(struct xds_resources *resources);

/* A file or folder of resources. */
struct xds_resource_changes xds_resources_add_path(struct xds_resources *resources,
                                                   const char *path);
/* Resources as text in any form that lint reads; name is what errors call it. */
struct xds_resource_changes xds_resources_add_text(struct xds_resources *resources,
                                                   const char *name,
                                                   struct xds_slice text);
/* False when there is none of this name. */
bool xds_resources_remove(struct xds_resources *resources, enum xds_resource_type type,
                          struct xds_slice name);

/* What is in force, for an explainer: it must be made anew after each change. */
struct xds_check *xds_resources_check(const struct xds_resources *resources);
const struct xds_snapshot *xds_resources_snapshot(const struct xds_resources *resources);

#endif
