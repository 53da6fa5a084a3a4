/*
 * names.h - find the field or enum value that a text names.
 */
#ifndef XDS_DECODE_NAMES_H
#define XDS_DECODE_NAMES_H

#include <protobuf-c/protobuf-c.h>

#include "base/arena.h"

#define XDS_NAMES_SLOTS 256
#define XDS_NAMES_STARTS 128
/* No message of proto/ has more fields, no name is longer (decode/builder_test.c). */
#define XDS_MAX_FIELDS 128
#define XDS_MAX_NAME 64

/* How a value is read where it is a plain one (build_next.c). */
enum xds_rpc_path {
    XDS_WAY_TOKEN, /* by its token, as every other value */
    XDS_WAY_STRING,
    XDS_WAY_UINT32,
    XDS_WAY_UINT32_VALUE,
    XDS_WAY_ENUM,
    XDS_WAY_MESSAGE,
};

enum xds_rpc_path xds_rpc_path_of(const ProtobufCFieldDescriptor *field);

/* A key that was read, and the field it names. */
struct xds_name {
    const ProtobufCFieldDescriptor *field;
    struct xds_name *next;        /* what came after it the last time, or NULL */
    struct xds_name *same;        /* of the same hash */
    unsigned char index;          /* of the field in its message */
    unsigned char way;            /* enum xds_rpc_path; of a list, that of its items */
    bool is_list, is_map, is_arm; /* a map is a list of entries */
    unsigned char len;            /* of quoted */
    char quoted[]; /* the key in quotes, and zeros up to a multiple of 16 */
};

/* The same keys come again and again, and mostly in the same order; what one resource
 * taught helps with the next. */
struct xds_names {
    struct xds_arena *arena; /* of the names */
    struct xds_name *known[XDS_NAMES_SLOTS];
    struct xds_name_start {
        const ProtobufCMessageDescriptor *message;
        struct xds_name *next;
    } starts[XDS_NAMES_STARTS]; /* the first keys of objects */
};

/* Names live in arena, which must not be reset before names is. */
void xds_names_init(struct xds_names *names, struct xds_arena *arena);

/* The key that an object of this message began with the last time, or NULL. */
static inline struct xds_name **xds_names_first(struct xds_names *names,
                                                const ProtobufCMessageDescriptor *message)
{
    struct xds_name_start *start =
        &names->starts[(uintptr_t)message / 32 % XDS_NAMES_STARTS];

    if (start->message != message)
        *start = (struct xds_name_start){message, NULL};
    return &start->next;
}

/* The name of the field called `key`, either as in the .proto file or in lowerCamelCase;
 * NULL when there is none. */
struct xds_name *xds_names_find(struct xds_names *names,
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
