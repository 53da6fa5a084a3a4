/*
 * field.c - which fields of a message are set, and their values.
 *
 * Source: the layout of protobuf-c's messages; proto3: field presence.
 */
#include "convert/field.h"

#include <inttypes.h>
#include <stdio.h>

bool xds_type_is_wide(ProtobufCType type)
{
    return type != PROTOBUF_C_TYPE_DOUBLE && type != PROTOBUF_C_TYPE_STRING &&
           type != PROTOBUF_C_TYPE_MESSAGE && xds_item_size(type) == 8;
}

struct xds_slice xds_slot_number(ProtobufCType type, const void *slot, char out[24])
{
    uint64_t wide = 0;
    int32_t narrow;
    int n;

    memcpy(&wide, slot, xds_type_is_wide(type) ? 8 : 4);
    memcpy(&narrow, slot, sizeof narrow);
    if (type == PROTOBUF_C_TYPE_UINT32 || type == PROTOBUF_C_TYPE_FIXED32 ||
        type == PROTOBUF_C_TYPE_UINT64 || type == PROTOBUF_C_TYPE_FIXED64)
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
