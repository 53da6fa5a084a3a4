/* append.h - repeated fields that grow item by item, and map entries without a value. */
#ifndef XDS_DECODE_APPEND_H
#define XDS_DECODE_APPEND_H

#include "decode/any.h"

/* A cleared slot for one more item of a repeated field. */
void *xds_field_append(struct xds_arena *arena, const ProtobufCFieldDescriptor *field,
                       ProtobufCMessage *into);
/* Give the entry in slot an empty message for a value when it has none. */
void xds_field_complete_entry(struct xds_arena *arena,
                              const ProtobufCFieldDescriptor *map, void *slot);

#endif
