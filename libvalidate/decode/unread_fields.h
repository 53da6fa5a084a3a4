/*
 * unread_fields.h - the shape of messages that are declared empty in proto/.
 *
 * No client reads what is in them, but all decode it with the whole schema: bytes that
 * are not valid there make the resource undecodable. The rows are made from
 * proto/unread_fields.txt.
 */
#ifndef XDS_DECODE_UNREAD_FIELDS_H
#define XDS_DECODE_UNREAD_FIELDS_H

#include <stddef.h>
#include <stdint.h>

enum xds_unread_kind {
    XDS_UNREAD_VARINT32, /* int32, uint32, sint32, bool, enum */
    XDS_UNREAD_VARINT64,
    XDS_UNREAD_FIXED32, /* float too */
    XDS_UNREAD_FIXED64,
    XDS_UNREAD_STRING,
    XDS_UNREAD_BYTES,
    XDS_UNREAD_MESSAGE,
};

enum xds_unread_label { XDS_UNREAD_SINGULAR, XDS_UNREAD_REPEATED, XDS_UNREAD_MAP };

struct xds_unread_shape;

struct xds_unread_member {
    uint16_t number;
    unsigned char kind, label; /* enum xds_unread_kind, enum xds_unread_label */
    uint16_t message;          /* row of its shape, if it is a MESSAGE */
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

#endif
