/*
 * log_path.h - the paths of log lines as steps that can be compared.
 *
 * Indexes and map keys differ from snapshot to snapshot, so a step only knows whether it
 * has one: "routes[2]" and "routes[]" are one step. Of the type in "value[...]" only the
 * last part counts, "value[*]" is any, and a TypedStruct around it is left out.
 */
#ifndef XDS_CATALOGUE_LOG_PATH_H
#define XDS_CATALOGUE_LOG_PATH_H

#include "base/slice.h"

/* The deepest path of C-core, 16 levels of LB policies, has about 70. */
#define XDS_LOG_STEPS 128

struct xds_log_step {
    struct xds_slice name;
    struct xds_slice type; /* of "value[TYPE]", without its package */
    bool subscript;
};

struct xds_log_path {
    size_t n;
    struct xds_log_step step[XDS_LOG_STEPS];
};

/* The steps of text after a first one, the kind of resource, which may be empty. A path
 * with more steps than there is room for has none. */
void xds_log_path_read(struct xds_log_path *out, const char *root, struct xds_slice text);
/* Compare from the end until one of the two is used up: the path of a log may be cut off,
 * and a pattern names what tells it apart. */
bool xds_log_path_ends(const struct xds_log_path *path, const char *pattern);

#endif
