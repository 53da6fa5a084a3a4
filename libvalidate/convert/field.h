/* field.h - which fields of a message are set, and their values. */
#ifndef XDS_CONVERT_FIELD_H
#define XDS_CONVERT_FIELD_H

#include "decode/field.h"

/* An integer or enum as text, in out. */
struct xds_slice xds_slot_number(ProtobufCType type, const void *slot, char out[24]);
/* The name of an enum's value; absent when it has none. */
struct xds_slice xds_slot_enum(const ProtobufCFieldDescriptor *field, const void *slot);
/* Is the type one of 64 bits, which JSON writes in quotes? */
bool xds_type_is_wide(ProtobufCType type);

#endif
