/*
 * field.c - the fields of any protobuf-c message, through its descriptor.
 *
 * Source: proto3's field presence; protobuf-c's layout of messages.
 */
#include "decode/field.h"

#include <stddef.h>

#include "base/ascii.h"

_Static_assert(offsetof(ProtobufCBinaryData, len) == 0, "bytes begin with their length");
_Static_assert(sizeof(protobuf_c_boolean) == sizeof(uint32_t), "a bool is a word");

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

/* Without presence of its own, a field is there when it is not zero. */
static struct xds_presence presence_of_scalar(const ProtobufCFieldDescriptor *field)
{
    if (xds_item_size(field->type) == sizeof(uint64_t))
        return (struct xds_presence){XDS_SET_WORD64, field->offset, 0};
    return (struct xds_presence){XDS_SET_WORD32, field->offset, 0};
}

struct xds_presence xds_field_presence(const ProtobufCFieldDescriptor *field)
{
    if (field->label == PROTOBUF_C_LABEL_REPEATED)
        return (struct xds_presence){XDS_SET_SIZE, field->quantifier_offset, 0};
    if (xds_field_in_oneof(field))
        return (struct xds_presence){XDS_SET_CASE, field->quantifier_offset, field->id};
    if (field->type == PROTOBUF_C_TYPE_MESSAGE)
        return (struct xds_presence){XDS_SET_POINTER, field->offset, 0};
    if (field->type == PROTOBUF_C_TYPE_STRING)
        return (struct xds_presence){XDS_SET_TEXT, field->offset, 0};
    if (field->type == PROTOBUF_C_TYPE_BYTES)
        return (struct xds_presence){XDS_SET_SIZE, field->offset, 0};
    return presence_of_scalar(field);
}

size_t xds_field_count(const ProtobufCMessage *message,
                       const ProtobufCFieldDescriptor *field)
{
    if (field->label == PROTOBUF_C_LABEL_REPEATED)
        return list_length(message, field);
    return xds_is_set(message, xds_field_presence(field));
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

size_t xds_item_size(ProtobufCType type)
{
    switch (type) {
    case PROTOBUF_C_TYPE_INT32:
    case PROTOBUF_C_TYPE_SINT32:
    case PROTOBUF_C_TYPE_SFIXED32:
    case PROTOBUF_C_TYPE_UINT32:
    case PROTOBUF_C_TYPE_FIXED32:
    case PROTOBUF_C_TYPE_FLOAT:
    case PROTOBUF_C_TYPE_ENUM:
        return 4;
    case PROTOBUF_C_TYPE_INT64:
    case PROTOBUF_C_TYPE_SINT64:
    case PROTOBUF_C_TYPE_SFIXED64:
    case PROTOBUF_C_TYPE_UINT64:
    case PROTOBUF_C_TYPE_FIXED64:
    case PROTOBUF_C_TYPE_DOUBLE:
        return 8;
    case PROTOBUF_C_TYPE_BOOL:
        return sizeof(protobuf_c_boolean);
    case PROTOBUF_C_TYPE_BYTES:
        return sizeof(ProtobufCBinaryData);
    case PROTOBUF_C_TYPE_STRING:
    case PROTOBUF_C_TYPE_MESSAGE:
        break;
    }
    return sizeof(void *);
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

struct xds_slice xds_item_bytes(const void *item)
{
    ProtobufCBinaryData bytes;

    memcpy(&bytes, item, sizeof bytes);
    return xds_slice_make((const char *)bytes.data, bytes.len);
}

/* Is `text` the CamelCase form of name, with "Entry" after it? */
static bool is_entry_name(const char *text, const char *name)
{
    bool upper = true;

    for (; *name; name++) {
        if (*name == '_') {
            upper = true;
            continue;
        }
        if (*text++ != (upper ? xds_ascii_upper(*name) : *name))
            return false;
        upper = false;
    }
    return strcmp(text, "Entry") == 0;
}

bool xds_field_is_map(const ProtobufCFieldDescriptor *field)
{
    if (field->type != PROTOBUF_C_TYPE_MESSAGE)
        return false;
    const ProtobufCMessageDescriptor *entry = field->descriptor;
    return entry->n_fields == 2 && strcmp(entry->fields[0].name, "key") == 0 &&
           strcmp(entry->fields[1].name, "value") == 0 &&
           is_entry_name(entry->short_name, field->name);
}
