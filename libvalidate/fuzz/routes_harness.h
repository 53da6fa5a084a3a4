/* routes_harness.h - do two walks over the same routes agree? */
#ifndef XDS_FUZZ_ROUTES_HARNESS_H
#define XDS_FUZZ_ROUTES_HARNESS_H

#include "route/route.h"

/* What is wrong with a walk of the index beside the plain one, or NULL: every try of the
 * plain walk must be one of the index, equal to it, or a plain mismatch. */
const char *xds_walks_differ(const struct xds_route_walk *plain,
                             const struct xds_route_walk *fast);

#endif
