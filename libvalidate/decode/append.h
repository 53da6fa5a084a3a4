/* append.h - repeated fields that grow item by item, and map entries without a value. */
#ifndef XDS_DECODE_APPEND_H
#define XDS_DECODE_APPEND_H

#include "decode/any.h"

/* A cleared slot for one more item of a repeated field. */
void *xds_field_append(struct xds_arena *arena, const ProtobufCFieldDescriptor *field,
                       ProtobufCMessage *into);
/* Take the last item of a repeated field of messages away again. */
void xds_field_drop_last(const ProtobufCFieldDescriptor *field, ProtobufCMessage *into);
/* False when it is for sure no map. */
static inline bool xds_field_may_be_map(const ProtobufCFieldDescriptor *field)
{
    const ProtobufCMessageDescriptor *type = field->descriptor;

    return field->type == PROTOBUF_C_TYPE_MESSAGE && type->n_fields == 2;
}
/* Give the entry of what may be a map an empty message for a value, when it is one and
 * lacks it. False when there was nothing to do. */
bool xds_field_complete_entry(struct xds_arena *arena,
                              const ProtobufCFieldDescriptor *field, void *slot);
/* Does the entry of what may be a map lack its value, a message? */
bool xds_field_entry_is_open(const ProtobufCFieldDescriptor *field, const void *slot);
/* Does an entry of a map do so, in the message or in one below it? */
bool xds_message_lacks_values(const ProtobufCMessage *message);
/* Of the entries with one key the last one counts, in every map of the message. */
void xds_message_unify_maps(struct xds_arena *arena, ProtobufCMessage *message);

#endif
