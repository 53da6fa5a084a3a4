/* resource_type.h - the four types of resources that gRPC reads, and their names. */
#ifndef XDS_MODEL_RESOURCE_TYPE_H
#define XDS_MODEL_RESOURCE_TYPE_H

#include "base/slice.h"
#include "include/xdscope.h"

/* The part of a type URL after its last '/'; all of it when there is none. */
struct xds_slice xds_any_type_name(struct xds_slice type_url);

/* The resource type of a message name without prefix. */
enum xds_resource_type xds_resource_type_of(struct xds_slice full_name);
/* The full message name of a resource type, "" for unknown. */
const char *xds_resource_type_name(enum xds_resource_type type);

#endif
