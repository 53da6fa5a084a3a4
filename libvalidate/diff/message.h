/* message.h - the fields of any protobuf-c message, through its descriptor. */
#ifndef XDS_DIFF_MESSAGE_H
#define XDS_DIFF_MESSAGE_H

#include "decode/any.h"

/* How many items the field has: of a list all, else 0 or 1. A field without presence that
 * has its default is not there, as in proto3. */
size_t xds_field_count(const ProtobufCMessage *message,
                       const ProtobufCFieldDescriptor *field);
/* Where item i stands: a number, a char *, a ProtobufCMessage *, ProtobufCBinaryData. */
const void *xds_field_item(const ProtobufCMessage *message,
                           const ProtobufCFieldDescriptor *field, size_t i);
/* The message or the text behind an item of such a field. */
const ProtobufCMessage *xds_item_message(const void *item);
struct xds_slice xds_item_text(const void *item);
/* The item of a field that is no list, by its name; NULL when it is not there. */
const void *xds_message_item(const ProtobufCMessage *message, const char *name,
                             const ProtobufCFieldDescriptor **field);
/* The same for a text; absent when there is none. */
struct xds_slice xds_message_text(const ProtobufCMessage *message, const char *name);
/* The struct behind google.protobuf.Any, or NULL for any other message. */
const struct xds_any *xds_message_any(const ProtobufCMessage *message);

#endif
