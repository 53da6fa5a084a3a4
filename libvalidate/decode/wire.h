/* wire.h - a resource on the wire as messages. */
#ifndef XDS_DECODE_WIRE_H
#define XDS_DECODE_WIRE_H

#include "decode/any.h"
#include "decode/kept.h"

/* Decode in->bytes into root, a message of the type that in->type_url or else in->type
 * names; everything is allocated in arena, under a guard. root->state says how it went:
 * TYPED, UNKNOWN when no such type is registered, UNDECODABLE. Returns true. kept, or
 * NULL, counts the fields that no message has. */
bool xds_decode_binary(const struct xds_resource *in, struct xds_arena *arena,
                       struct xds_any *root, struct xds_kept *kept);
/* The same for any Any: its type_url and the bytes in it. */
void xds_decode_any(struct xds_arena *arena, struct xds_slice type_url,
                    struct xds_slice bytes, struct xds_any *any, struct xds_kept *kept);

#endif
