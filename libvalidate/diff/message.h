/* message.h - the fields of any protobuf-c message, through its descriptor. */
#ifndef XDS_DIFF_MESSAGE_H
#define XDS_DIFF_MESSAGE_H

#include "decode/decode.h"
#include "decode/field.h"

/* The item of a field that is no list, by its name; NULL when it is not there. */
const void *xds_message_item(const ProtobufCMessage *message, const char *name,
                             const ProtobufCFieldDescriptor **field);
/* The same for a text; absent when there is none. */
struct xds_slice xds_message_text(const ProtobufCMessage *message, const char *name);
/* The struct after google.protobuf.Any, or NULL for any other message. */
const struct xds_any *xds_message_any(const ProtobufCMessage *message);

#endif
