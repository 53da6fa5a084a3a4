/* wire_field.h - one field after the other of a message on the wire. */
#ifndef XDS_SOURCE_WIRE_FIELD_H
#define XDS_SOURCE_WIRE_FIELD_H

#include "base/slice.h"

enum xds_wire_type {
    XDS_WIRE_VARINT = 0,
    XDS_WIRE_64BIT = 1,
    XDS_WIRE_BYTES = 2,
    XDS_WIRE_32BIT = 5, /* 3 and 4 are groups, which are refused */
};

/* A tag and a length, at most. */
#define XDS_WIRE_HEAD 20

struct xds_wire_field {
    uint32_t number;
    enum xds_wire_type type;
    size_t head;    /* bytes of the tag and, for BYTES, of the length */
    uint64_t len;   /* bytes of the value */
    uint64_t value; /* of VARINT */
};

/* Bytes of the varint that s begins with; 0 when there is none. */
size_t xds_wire_varint(struct xds_slice s, uint64_t *out);
/* The field that s begins with; except for VARINT its value need not be in s. False when
 * it is none. */
bool xds_wire_head(struct xds_slice s, struct xds_wire_field *out);
/* Cut the next field off a message; *value holds the bytes of its value. */
bool xds_wire_next(struct xds_slice *message, struct xds_wire_field *field,
                   struct xds_slice *value);

#endif
