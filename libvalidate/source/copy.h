/* copy.h - a resource that outlives the next call on its source. */
#ifndef XDS_SOURCE_COPY_H
#define XDS_SOURCE_COPY_H

#include "base/arena.h"
#include "include/xdscope.h"

/* What a copy takes, in bytes. */
size_t xds_resource_size(const struct xds_resource *resource);
/* Must run under a guard of arena, in which the copy lives. */
void xds_resource_copy(struct xds_arena *arena, const struct xds_resource *resource,
                       struct xds_resource *out);

#endif
