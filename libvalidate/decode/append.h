/* append.h - repeated fields that grow item by item, and map entries without a value. */
#ifndef XDS_DECODE_APPEND_H
#define XDS_DECODE_APPEND_H

#include "decode/any.h"

/* A cleared slot for one more item of a repeated field. */
void *xds_field_append(struct xds_arena *arena, const ProtobufCFieldDescriptor *field,
                       ProtobufCMessage *into);
/* What xds_field_complete_entry() does with a message of two fields. */
void xds_field_complete_pair(struct xds_arena *arena, const ProtobufCFieldDescriptor *map,
                             void *slot);

/* Give the entry of a map in slot an empty message for a value when it has none. False
 * when it is for sure no entry of a map. */
static inline bool xds_field_complete_entry(struct xds_arena *arena,
                                            const ProtobufCFieldDescriptor *field,
                                            void *slot)
{
    const ProtobufCMessageDescriptor *type = field->descriptor;

    if (field->type != PROTOBUF_C_TYPE_MESSAGE || type->n_fields != 2)
        return false;
    xds_field_complete_pair(arena, field, slot);
    return true;
}
/* Of the entries with one key the last one counts, in every map of the message. */
void xds_message_unify_maps(struct xds_arena *arena, ProtobufCMessage *message);

#endif
