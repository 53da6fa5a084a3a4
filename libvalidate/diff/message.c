/*
 * message.c - the fields of any protobuf-c message, through its descriptor.
 *
 * Takes:  messages as decode/ makes them.
 * Gives:  items of fields, borrowed from the message.
 * Source: proto3 field presence; protobuf-c's layout of messages.
 */
#include "diff/message.h"

#include "decode/builder.h"

static const void *member(const ProtobufCMessage *message, size_t offset)
{
    return (const char *)message + offset;
}

static size_t list_length(const ProtobufCMessage *message,
                          const ProtobufCFieldDescriptor *field)
{
    size_t n;

    memcpy(&n, member(message, field->quantifier_offset), sizeof n);
    return n;
}

static bool is_chosen(const ProtobufCMessage *message,
                      const ProtobufCFieldDescriptor *field)
{
    int arm;

    memcpy(&arm, member(message, field->quantifier_offset), sizeof arm);
    return arm == (int)field->id;
}

static bool is_zero(const void *item, size_t size)
{
    static const char zeros[sizeof(ProtobufCBinaryData)];

    return memcmp(item, zeros, size) == 0;
}

/* A field without presence is there when it is not the default. */
static bool is_set(const ProtobufCMessage *message, const ProtobufCFieldDescriptor *field)
{
    const void *item = member(message, field->offset);

    if (field->type == PROTOBUF_C_TYPE_MESSAGE)
        return xds_item_message(item) != NULL;
    if (field->type == PROTOBUF_C_TYPE_STRING)
        return xds_item_text(item).len > 0;
    if (field->type == PROTOBUF_C_TYPE_BYTES)
        return ((const ProtobufCBinaryData *)item)->len > 0;
    return !is_zero(item, xds_item_size(field->type));
}

size_t xds_field_count(const ProtobufCMessage *message,
                       const ProtobufCFieldDescriptor *field)
{
    if (field->label == PROTOBUF_C_LABEL_REPEATED)
        return list_length(message, field);
    if (field->flags & PROTOBUF_C_FIELD_FLAG_ONEOF)
        return is_chosen(message, field);
    return is_set(message, field);
}

const void *xds_field_item(const ProtobufCMessage *message,
                           const ProtobufCFieldDescriptor *field, size_t i)
{
    const char *items;

    if (field->label != PROTOBUF_C_LABEL_REPEATED)
        return member(message, field->offset);
    memcpy(&items, member(message, field->offset), sizeof items);
    return items + i * xds_item_size(field->type);
}

const ProtobufCMessage *xds_item_message(const void *item)
{
    const ProtobufCMessage *message;

    memcpy(&message, item, sizeof message);
    return message;
}

struct xds_slice xds_item_text(const void *item)
{
    const char *text;

    memcpy(&text, item, sizeof text);
    return xds_slice_of(text);
}

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
