/*
 * wire_field.c - fields of a message on the wire.
 *
 * Source: Protocol Buffers encoding.
 */
#include "source/wire/wire_field.h"

enum { LONGEST_VARINT = 10, LONGEST_VARINT32 = 5 };

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
            return i + 1;
        }
    }
    return 0;
}

static void note_long(struct xds_slice s, size_t n, struct xds_wire_field *out)
{
    if (n > LONGEST_VARINT32)
        out->odd |= XDS_WIRE_LONG_HEAD;
    if (xds_wire_overflows(s, n))
        out->odd |= XDS_WIRE_OVERFLOW;
}

static bool read_length(struct xds_slice rest, unsigned type, struct xds_wire_field *out)
{
    size_t n;

    switch (type) {
    case XDS_WIRE_VARINT:
        out->len = xds_wire_varint(rest, &out->value);
        if (xds_wire_overflows(rest, (size_t)out->len))
            out->odd |= XDS_WIRE_OVERFLOW;
        if (xds_wire_top_unset((size_t)out->len, out->value))
            out->odd |= XDS_WIRE_TOP_UNSET;
        if (out->value > UINT32_MAX && out->len < LONGEST_VARINT)
            out->odd |= XDS_WIRE_LONG_VALUE;
        return out->len > 0;
    case XDS_WIRE_64BIT:
        out->len = 8;
        return true;
    case XDS_WIRE_32BIT:
        out->len = 4;
        return true;
    case XDS_WIRE_BYTES:
        n = xds_wire_varint(rest, &out->len);
        note_long(rest, n, out);
        out->head += (uint32_t)n;
        return n > 0;
    case XDS_WIRE_GROUP:
    case XDS_WIRE_GROUP_END:
        return true;
    }
    return false;
}

bool xds_wire_head(struct xds_slice s, struct xds_wire_field *out)
{
    uint64_t tag = 0;

    *out = (struct xds_wire_field){.head = (uint32_t)xds_wire_varint(s, &tag)};
    out->number = (uint32_t)tag >> 3;
    if (out->head == 0 || out->number == 0)
        return false;
    note_long(s, out->head, out);
    if (tag > UINT32_MAX)
        out->odd |= XDS_WIRE_WIDE_TAG;
    out->type = (enum xds_wire_type)(tag & 7);
    return read_length(xds_slice_from(s, out->head), tag & 7, out);
}

/* Take the fields of a group and its end off a message. */
static bool close_group(struct xds_slice *message, struct xds_wire_field *group)
{
    uint32_t open[XDS_MAX_WIRE_NESTING];
    struct xds_wire_field field;
    unsigned depth = 1;

    open[0] = group->number;
    group->groups = 1;
    group->odd |= XDS_WIRE_GROUPED;
    while (depth > 0) {
        if (!xds_wire_head(*message, &field) || field.len > message->len - field.head)
            return false;
        *message = xds_slice_from(*message, field.head + (size_t)field.len);
        group->odd |= field.odd;
        if (field.type == XDS_WIRE_GROUP_END && open[--depth] != field.number)
            return false;
        if (field.type != XDS_WIRE_GROUP)
            continue;
        if (depth == XDS_MAX_WIRE_NESTING)
            return false;
        open[depth++] = field.number;
        if (depth > group->groups)
            group->groups = (uint16_t)depth;
    }
    return true;
}

bool xds_wire_next_long(struct xds_slice *message, struct xds_wire_field *field,
                        struct xds_slice *value)
{
    *value = xds_slice_make(message->data, 0);
    if (!xds_wire_head(*message, field) || field->len > message->len - field->head ||
        field->type == XDS_WIRE_GROUP_END)
        return false;
    *value = xds_slice_make(message->data + field->head, (size_t)field->len);
    *message = xds_slice_from(*message, field->head + (size_t)field->len);
    if (field->type != XDS_WIRE_GROUP)
        return true;
    const bool closed = close_group(message, field);
    field->len = value->len = (size_t)(message->data - value->data);
    return closed;
}
