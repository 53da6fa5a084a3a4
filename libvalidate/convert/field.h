/* field.h - which fields of a message are set, and their values. */
#ifndef XDS_CONVERT_FIELD_H
#define XDS_CONVERT_FIELD_H

#include <protobuf-c/protobuf-c.h>

#include "base/slice.h"

/* How many values a field has: of one that is no list, 0 or 1. What proto3 does not
 * write, a scalar that is zero, it does not have. */
size_t xds_field_count(const ProtobufCMessage *message,
                       const ProtobufCFieldDescriptor *field);
/* The slot of one of them. */
const void *xds_field_slot(const ProtobufCMessage *message,
                           const ProtobufCFieldDescriptor *field, size_t i);
/* What a slot of a string, bytes or message field holds. */
struct xds_slice xds_slot_text(const void *slot);
struct xds_slice xds_slot_bytes(const void *slot);
const ProtobufCMessage *xds_slot_message(const void *slot);
/* An integer or enum as text, in out. */
struct xds_slice xds_slot_number(ProtobufCType type, const void *slot, char out[24]);
/* The name of an enum's value; absent when it has none. */
struct xds_slice xds_slot_enum(const ProtobufCFieldDescriptor *field, const void *slot);
/* Is the type one of 64 bits, which JSON writes in quotes? */
bool xds_type_is_wide(ProtobufCType type);

#endif
