/*
 * field.h - the fields of any protobuf-c message, through its descriptor.
 *
 * Values are borrowed from the message.
 */
#ifndef XDS_DECODE_FIELD_H
#define XDS_DECODE_FIELD_H

#include <protobuf-c/protobuf-c.h>

#include "base/slice.h"

/* How many values a field has: of one that is no list, 0 or 1. What proto3 does not
 * write, a scalar that is zero, it does not have. */
size_t xds_field_count(const ProtobufCMessage *message,
                       const ProtobufCFieldDescriptor *field);
/* Where the i-th of them stands. */
const void *xds_field_item(const ProtobufCMessage *message,
                           const ProtobufCFieldDescriptor *field, size_t i);
/* Bytes that an item of this type takes in memory. */
size_t xds_item_size(ProtobufCType type);
/* What an item of a message, string or bytes field holds. */
const ProtobufCMessage *xds_item_message(const void *item);
struct xds_slice xds_item_text(const void *item);
struct xds_slice xds_item_bytes(const void *item);
/* protobuf-c keeps no map option: a map is a list of messages that protoc named, each
 * with a key and a value. */
bool xds_field_is_map(const ProtobufCFieldDescriptor *field);
/* Is the field one of a oneof? */
static inline bool xds_field_in_oneof(const ProtobufCFieldDescriptor *field)
{
    return field->flags & PROTOBUF_C_FIELD_FLAG_ONEOF;
}

#endif
