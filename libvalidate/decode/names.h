/*
 * names.h - find the field or enum value that a text names.
 */
#ifndef XDS_DECODE_NAMES_H
#define XDS_DECODE_NAMES_H

#include <protobuf-c/protobuf-c.h>

#include "base/slice.h"

#define XDS_NAMES_SLOTS 128
/* No message of proto/ has more fields, no name is longer (decode/builder_test.c). */
#define XDS_MAX_FIELDS 128
#define XDS_MAX_NAME 64

/* The fields that were found lately, by a hash of message and key: the same keys come
 * again and again. Starts zeroed; keys are borrowed. */
struct xds_names {
    struct xds_name {
        const ProtobufCMessageDescriptor *message;
        const ProtobufCFieldDescriptor *field;
        struct xds_slice key;
    } slot[XDS_NAMES_SLOTS];
};

/* The field called `key` (which must outlive names), either as in the .proto file or in
 * lowerCamelCase; NULL when there is none. */
const ProtobufCFieldDescriptor *xds_names_find(struct xds_names *names,
                                               const ProtobufCMessageDescriptor *message,
                                               struct xds_slice key);
/* The field whose name is most like key, spelled in the style of key, or always in
 * snake_case; false when none is near. */
bool xds_names_nearest(const ProtobufCMessageDescriptor *message, struct xds_slice key,
                       bool snake, char nearest[XDS_MAX_NAME]);
/* lowerCamelCase of a name, as protobuf makes a json_name. */
void xds_names_camel(const char *name, char camel[XDS_MAX_NAME]);

/* The value called `name`, NULL when there is none. */
const ProtobufCEnumValue *xds_enum_find(const ProtobufCEnumDescriptor *type,
                                        struct xds_slice name);
/* The name most like `name`, NULL when none is near. */
const char *xds_enum_nearest(const ProtobufCEnumDescriptor *type, struct xds_slice name);

#endif
