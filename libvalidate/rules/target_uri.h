/* target_uri.h - whether clients find a resolver that accepts a target. */
#ifndef XDS_RULES_TARGET_URI_H
#define XDS_RULES_TARGET_URI_H

#include "base/arena.h"

/* C-core: false when a channel to the target could not even start. A target
 * with an unknown scheme is a name for DNS. */
bool xds_target_uri_valid(struct xds_arena *arena, const char *target);
/* java: a URI whose scheme, if it has one, is that of a resolver. */
bool xds_target_java_resolves(struct xds_arena *arena, struct xds_slice target);
/* go: the same, or else what is a URI after the default scheme. */
bool xds_target_go_dials(struct xds_arena *arena, struct xds_slice target);
/* go's RLS policy: only what is no URI at all is tried after the default scheme. */
bool xds_target_go_names_scheme(struct xds_arena *arena, struct xds_slice target);

#endif
