/* target_uri.h - whether C-core finds a resolver that accepts a target. */
#ifndef XDS_RULES_TARGET_URI_H
#define XDS_RULES_TARGET_URI_H

#include "base/arena.h"

/* False when a channel to the target could not even start. A target
 * with an unknown scheme is a name for DNS. */
bool xds_target_uri_valid(struct xds_arena *arena, const char *target);

#endif
