/*
 * message.c - the fields of any protobuf-c message, through its descriptor.
 *
 * Source: proto3 field presence; protobuf-c's layout of messages.
 */
#include "diff/message.h"

const void *xds_message_item(const ProtobufCMessage *message, const char *name,
                             const ProtobufCFieldDescriptor **field)
{
    *field = protobuf_c_message_descriptor_get_field_by_name(message->descriptor, name);
    if (!*field || xds_field_count(message, *field) == 0)
        return NULL;
    return xds_field_item(message, *field, 0);
}

struct xds_slice xds_message_text(const ProtobufCMessage *message, const char *name)
{
    const ProtobufCFieldDescriptor *field;
    const void *item = xds_message_item(message, name, &field);

    return item && field->type == PROTOBUF_C_TYPE_STRING ? xds_item_text(item)
                                                         : xds_slice_make(NULL, 0);
}

const struct xds_any *xds_message_any(const ProtobufCMessage *message)
{
    return message->descriptor == &google__protobuf__any__descriptor
               ? (const struct xds_any *)(const void *)message
               : NULL;
}
