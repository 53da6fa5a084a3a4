/* unread.h - messages that are declared empty, as no client reads what is in them.
 *
 * All clients decode them with the whole schema: bytes that are not valid there make the
 * resource undecodable. Writing a message again needs the names, too. The rows are
 * made from proto/unread_fields.txt.
 */
#ifndef XDS_DECODE_UNREAD_H
#define XDS_DECODE_UNREAD_H

#include <protobuf-c/protobuf-c.h>
#include <stdint.h>

#include "base/arena.h"

/* How a value is on the wire. */
enum xds_unread_kind {
    XDS_UNREAD_VARINT32, /* int32, uint32, sint32, bool, enum */
    XDS_UNREAD_VARINT64,
    XDS_UNREAD_FIXED32, /* float too */
    XDS_UNREAD_FIXED64,
    XDS_UNREAD_STRING,
    XDS_UNREAD_BYTES,
    XDS_UNREAD_MESSAGE,
};

enum xds_unread_kind xds_unread_kind_of(ProtobufCType type);

enum xds_unread_label { XDS_UNREAD_SINGULAR, XDS_UNREAD_REPEATED, XDS_UNREAD_MAP };

struct xds_unread_member {
    uint16_t number;
    uint16_t row;        /* of its shape, if it is a MESSAGE, or of its ENUM */
    uint16_t name;       /* where its name is; 0: it is not known */
    unsigned char type;  /* ProtobufCType */
    unsigned char label; /* enum xds_unread_label */
    unsigned char oneof; /* that it is an arm of, from 1; 0: none */
};

struct xds_unread_shape {
    const char *name;
    uint16_t first, n; /* rows of members */
};

/* The shape of a message by its full name; NULL when it is not listed. */
const struct xds_unread_shape *xds_unread_shape(const char *name);
/* The member with this number, or NULL. */
const struct xds_unread_member *xds_unread_member(const struct xds_unread_shape *shape,
                                                  uint32_t number);
/* The shape of a member that is a MESSAGE. */
const struct xds_unread_shape *xds_unread_below(const struct xds_unread_member *member);

/* Its name; "": it is not known. */
const char *xds_unread_name(const struct xds_unread_member *member);

/* Descriptors of shapes, made when they are asked for. */
struct xds_unread_types {
    struct xds_arena *arena;                 /* of the descriptors */
    const ProtobufCMessageDescriptor **made; /* by row of the shape; NULL: none yet */
};

/* What stands for a message type while messages are written again: for one that is
 * declared empty a descriptor with its fields, or else the type itself. `types` may be
 * NULL. */
const ProtobufCMessageDescriptor *xds_unread_type(struct xds_unread_types *types,
                                                  const ProtobufCMessageDescriptor *type);
void xds_unread_init(const ProtobufCMessageDescriptor *type, void *message);
/* A message of any type, these included, without anything in it. */
static inline void xds_message_init(const ProtobufCMessageDescriptor *type, void *message)
{
    if (type->message_init)
        type->message_init(message);
    else
        xds_unread_init(type, message);
}

#endif
