/* unread.h - fields that no gRPC client reads. */
#ifndef XDS_DIFF_UNREAD_H
#define XDS_DIFF_UNREAD_H

#include <protobuf-c/protobuf-c.h>
#include <stdbool.h>

bool xds_field_is_unread(const ProtobufCMessageDescriptor *message,
                         const ProtobufCFieldDescriptor *field);

#endif
