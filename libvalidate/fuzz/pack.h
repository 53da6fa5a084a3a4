/* pack.h - from a decoded resource to protobuf's wire form. For tests and seeds. */
#ifndef XDS_FUZZ_PACK_H
#define XDS_FUZZ_PACK_H

#include "decode/any.h"

/* Packs what stands in a typed Any into its value, from the inside out, so that the value
 * of `any` is the whole resource. Anys of other states are left as they are. */
void xds_fuzz_pack(struct xds_arena *arena, struct xds_any *any);

#endif
