/*
 * field.c - which fields of a message are set, and their values.
 *
 * Takes:  messages of protobuf-c, and fields of their descriptors.
 * Gives:  slots in the message, and text that is borrowed from it or in the caller's
 *         buffer.
 * Source: the layout of protobuf-c's messages; proto3: field presence.
 */
#include "convert/field.h"

#include <inttypes.h>
#include <stdio.h>

#include "decode/append.h"

static const char *member(const ProtobufCMessage *message, size_t offset)
{
    return (const char *)message + offset;
}

static bool is_pointer_set(const void *slot)
{
    const void *pointer;

    memcpy(&pointer, slot, sizeof pointer);
    return pointer != NULL;
}

static bool is_zero(ProtobufCType type, const void *slot)
{
    static const char zeros[8];

    if (type == PROTOBUF_C_TYPE_MESSAGE)
        return !is_pointer_set(slot);
    if (type == PROTOBUF_C_TYPE_STRING)
        return xds_slot_text(slot).len == 0;
    if (type == PROTOBUF_C_TYPE_BYTES)
        return xds_slot_bytes(slot).len == 0;
    return memcmp(slot, zeros, xds_field_size(type)) == 0;
}

size_t xds_field_count(const ProtobufCMessage *message,
                       const ProtobufCFieldDescriptor *field)
{
    size_t n;
    uint32_t arm;

    if (field->label == PROTOBUF_C_LABEL_REPEATED) {
        memcpy(&n, member(message, field->quantifier_offset), sizeof n);
        return n;
    }
    if (field->flags & PROTOBUF_C_FIELD_FLAG_ONEOF) {
        memcpy(&arm, member(message, field->quantifier_offset), sizeof arm);
        return arm == field->id;
    }
    return !is_zero(field->type, member(message, field->offset));
}

const void *xds_field_slot(const ProtobufCMessage *message,
                           const ProtobufCFieldDescriptor *field, size_t i)
{
    const char *items;

    if (field->label != PROTOBUF_C_LABEL_REPEATED)
        return member(message, field->offset);
    memcpy(&items, member(message, field->offset), sizeof items);
    return items + i * xds_field_size(field->type);
}

struct xds_slice xds_slot_text(const void *slot)
{
    const char *text;

    memcpy(&text, slot, sizeof text);
    return xds_slice_of(text ? text : "");
}

struct xds_slice xds_slot_bytes(const void *slot)
{
    ProtobufCBinaryData bytes;

    memcpy(&bytes, slot, sizeof bytes);
    return xds_slice_make((const char *)bytes.data, bytes.len);
}

const ProtobufCMessage *xds_slot_message(const void *slot)
{
    const ProtobufCMessage *message;

    memcpy(&message, slot, sizeof message);
    return message;
}

bool xds_type_is_wide(ProtobufCType type)
{
    return type != PROTOBUF_C_TYPE_DOUBLE && type != PROTOBUF_C_TYPE_STRING &&
           type != PROTOBUF_C_TYPE_MESSAGE && xds_field_size(type) == 8;
}

static bool is_unsigned(ProtobufCType type)
{
    return type == PROTOBUF_C_TYPE_UINT32 || type == PROTOBUF_C_TYPE_FIXED32 ||
           type == PROTOBUF_C_TYPE_UINT64 || type == PROTOBUF_C_TYPE_FIXED64;
}

struct xds_slice xds_slot_number(ProtobufCType type, const void *slot, char out[24])
{
    uint64_t wide = 0;
    int32_t narrow;
    int n;

    memcpy(&wide, slot, xds_type_is_wide(type) ? 8 : 4);
    memcpy(&narrow, slot, sizeof narrow);
    if (is_unsigned(type))
        n = snprintf(out, 24, "%" PRIu64, wide);
    else
        n = snprintf(out, 24, "%" PRId64,
                     xds_type_is_wide(type) ? (int64_t)wide : narrow);
    return xds_slice_make(out, (size_t)n);
}

struct xds_slice xds_slot_enum(const ProtobufCFieldDescriptor *field, const void *slot)
{
    int32_t number;

    memcpy(&number, slot, sizeof number);
    const ProtobufCEnumValue *value =
        protobuf_c_enum_descriptor_get_value(field->descriptor, number);
    return value ? xds_slice_of(value->name) : xds_slice_make(NULL, 0);
}
