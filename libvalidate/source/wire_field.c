/*
 * wire_field.c - one field after the other of a message on the wire.
 *
 * Source: Protocol Buffers encoding.
 */
#include "source/wire_field.h"

#define LONGEST_VARINT 10

size_t xds_wire_varint(struct xds_slice s, uint64_t *out)
{
    uint64_t value = 0;

    if (s.len && (unsigned char)s.data[0] < 0x80) { /* nearly all are that short */
        *out = (unsigned char)s.data[0];
        return 1;
    }
    for (size_t i = 0; i < s.len && i < LONGEST_VARINT; i++) {
        const uint64_t byte = (unsigned char)s.data[i];

        value |= (byte & 0x7F) << (7 * i);
        if (byte < 0x80) {
            *out = value;
            return i == LONGEST_VARINT - 1 && byte > 1 ? 0 : i + 1;
        }
    }
    return 0;
}

static bool read_length(struct xds_slice rest, unsigned type, struct xds_wire_field *out)
{
    size_t n;

    switch (type) {
    case XDS_WIRE_VARINT:
        out->len = xds_wire_varint(rest, &out->value);
        return out->len > 0;
    case XDS_WIRE_64BIT:
        out->len = 8;
        return true;
    case XDS_WIRE_32BIT:
        out->len = 4;
        return true;
    case XDS_WIRE_BYTES:
        n = xds_wire_varint(rest, &out->len);
        out->head += n;
        return n > 0;
    }
    return false;
}

bool xds_wire_head(struct xds_slice s, struct xds_wire_field *out)
{
    uint64_t tag;

    out->head = xds_wire_varint(s, &tag);
    if (out->head == 0 || tag > UINT32_MAX || tag >> 3 == 0)
        return false;
    out->number = (uint32_t)(tag >> 3);
    out->type = (enum xds_wire_type)(tag & 7);
    return read_length(xds_slice_from(s, out->head), tag & 7, out);
}

bool xds_wire_next_long(struct xds_slice *message, struct xds_wire_field *field,
                        struct xds_slice *value)
{
    *field = (struct xds_wire_field){0};
    *value = xds_slice_make(message->data, 0);
    if (!xds_wire_head(*message, field) || field->len > message->len - field->head)
        return false;
    *value = xds_slice_make(message->data + field->head, (size_t)field->len);
    *message = xds_slice_from(*message, field->head + (size_t)field->len);
    return true;
}
