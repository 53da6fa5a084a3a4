/* untyped.h - the type of a binary resource that nothing but its bytes tells. */
#ifndef XDS_DECODE_UNTYPED_H
#define XDS_DECODE_UNTYPED_H

#include "decode/decode.h"

/* The type of a resource that is_untyped: *out is the resource with it. False when it
 * cannot be known: then a finding was added for `resource`. Runs under a guard of the
 * report's arena. */
bool xds_decode_untyped(const struct xds_resource *in, uint32_t resource,
                        struct xds_report *report, struct xds_resource *out);

#endif
