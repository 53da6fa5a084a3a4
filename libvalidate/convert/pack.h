/* pack.h - from a decoded resource to protobuf's wire form. */
#ifndef XDS_CONVERT_PACK_H
#define XDS_CONVERT_PACK_H

#include "decode/decode.h"

struct xds_packer {
    struct xds_arena *arena;
    struct xds_unread_types
        *types; /* of the messages that were declared empty, or NULL */
};

/* Packs what is in a typed Any into its value, from the inside out, so that the value
 * of `any` is the whole resource. Anys of other states are left as they are. */
void xds_pack(struct xds_packer packer, struct xds_any *any);

#endif
