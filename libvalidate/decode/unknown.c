/*
 * unknown.c - fields that a message does not declare: kept as the wire has them.
 *
 * JSON and YAML have them as "@unknown": all of them on the wire, in base64. Text proto
 * has each by its number, as protobuf's own printers do: 5: 7 is a varint, 0x and 8 or 16
 * digits are of 32 or 64 bits, a string is bytes, braces are a group.
 *
 * Source: protobuf-c: ProtobufCMessageUnknownField; Protocol Buffers text format.
 */
#include "base/ascii.h"
#include "base/text.h"
#include "decode/builder.h"
#include "base/scalar.h"
#include "decode/wire.h"
#include "source/wire/wire_field.h"

void xds_unknown_add(struct xds_arena *arena, ProtobufCMessage *message,
                     struct xds_slice field)
{
    const unsigned n = message->n_unknown_fields;
    uint64_t tag;
    const size_t len = xds_wire_varint(field, &tag);

    if (n == 0 || (n >= 4 && (n & (n - 1)) == 0)) {
        ProtobufCMessageUnknownField *more =
            XDS_NEW_ARRAY(arena, ProtobufCMessageUnknownField, n ? n * (size_t)2 : 4);

        if (n)
            memcpy(more, message->unknown_fields, n * sizeof *more);
        message->unknown_fields = more;
    }
    ProtobufCMessageUnknownField *slot = &message->unknown_fields[n];

    *slot = (ProtobufCMessageUnknownField){.tag = (uint32_t)tag >> 3,
                                           .wire_type = (ProtobufCWireType)(tag & 7),
                                           .len = field.len - len};
    slot->data = xds_arena_alloc(arena, slot->len);
    if (slot->len)
        memcpy(slot->data, field.data + len, slot->len);
    message->n_unknown_fields = n + 1;
}

static bool are_fields(struct xds_slice fields)
{
    struct xds_wire_field head;
    struct xds_slice value;

    while (fields.len)
        if (!xds_wire_next(&fields, &head, &value))
            return false;
    return true;
}

/* Add all of a message; nothing is added when they are no fields. */
static void add_all(struct xds_arena *arena, ProtobufCMessage *message,
                    struct xds_slice fields)
{
    struct xds_wire_field head;
    struct xds_slice value;

    if (!are_fields(fields))
        return;
    for (const char *begin = fields.data;
         fields.len && xds_wire_next(&fields, &head, &value); begin = fields.data)
        xds_unknown_add(arena, message,
                        xds_slice_make(begin, (size_t)(fields.data - begin)));
}

struct xds_slice xds_unknown_bytes(struct xds_arena *arena,
                                   const ProtobufCMessage *message)
{
    struct xds_text out = {.arena = arena};

    for (unsigned i = 0; i < message->n_unknown_fields; i++) {
        const ProtobufCMessageUnknownField *field = &message->unknown_fields[i];

        xds_text_add_varint(&out, (uint64_t)field->tag << 3 | field->wire_type);
        xds_text_add(&out, xds_slice_make((const char *)field->data, field->len));
    }
    return xds_slice_make(out.data, out.len);
}

/* ---- reading ---- */

bool xds_is_undeclared_key(const struct xds_builder *b)
{
    if (b->plain)
        return b->token.text.len > 0 && xds_ascii_digit(b->token.text.data[0]);
    return (b->token.escaped || (b->token.text.len && b->token.text.data[0] == '@')) &&
           xds_token_is(&b->token, "@unknown");
}

static bool fault(struct xds_builder *b, const char *what)
{
    xds_builder_no_bytes(b, NULL, what);
    return true;
}

/* What the message declares has a name. Of another wire type, it is not that field. */
static bool are_undeclared(struct xds_builder *b, const ProtobufCMessageDescriptor *type,
                           struct xds_slice fields)
{
    struct xds_wire_field head;
    struct xds_slice value;

    while (fields.len && xds_wire_next(&fields, &head, &value)) {
        const ProtobufCFieldDescriptor *field =
            protobuf_c_message_descriptor_get_field(type, head.number);

        if (!field || !xds_wire_has_room(field, head.type))
            continue;
        xds_builder_no_field(b, &b->token,
                             "field %u of %s has a name, which must be used: \"%s\"",
                             head.number, type->name, field->name);
        return false;
    }
    return true;
}

static void add(struct xds_builder *b, ProtobufCMessage *into, struct xds_slice fields)
{
    if (are_undeclared(b, into->descriptor, fields))
        add_all(b->arena, into, fields);
}

static bool build_base64(struct xds_builder *b, ProtobufCMessage *into)
{
    ProtobufCBinaryData bytes;

    if (b->token.kind != XDS_TOKEN_STRING)
        return xds_builder_mismatch(b, "@unknown", "a string", "");
    if (!xds_scalar_base64(xds_token_unescape(&b->token, b->arena), b->arena, &bytes))
        return fault(b, "\"@unknown\" is not valid base64");
    const struct xds_slice fields = xds_slice_make((const char *)bytes.data, bytes.len);
    if (!are_fields(fields))
        return fault(b, "\"@unknown\" is not the base64 of fields on the wire");
    add(b, into, fields);
    return true;
}

static void add_fixed(struct xds_text *out, uint64_t number, size_t len)
{
    char bytes[8];

    for (size_t i = 0; i < len; i++)
        bytes[i] = (char)(number >> (8 * i));
    xds_text_add(out, xds_slice_make(bytes, len));
}

static void add_tag(struct xds_text *out, uint64_t number, enum xds_wire_type type)
{
    xds_text_add_varint(out, number << 3 | type);
}

/* begin of a number: how many digits a hexadecimal one has. */
static bool add_number(struct xds_builder *b, struct xds_text *out, uint64_t number)
{
    uint64_t value;

    if (!xds_slice_to_u64(b->token.text, &value))
        return fault(b,
                     "a field that is known by its number needs a whole number from 0 to "
                     "18446744073709551615, a string or a message");
    if (b->token.begin == 8) {
        add_tag(out, number, XDS_WIRE_32BIT);
        add_fixed(out, value, 4);
    } else if (b->token.begin == 16) {
        add_tag(out, number, XDS_WIRE_64BIT);
        add_fixed(out, value, 8);
    } else {
        add_tag(out, number, XDS_WIRE_VARINT);
        xds_text_add_varint(out, value);
    }
    return true;
}

static bool add_values(struct xds_builder *b, struct xds_text *out, uint64_t number);

/* The fields of a group; tokens nest at most so deep, and so does this. */
static bool add_group(struct xds_builder *b, struct xds_text *out, uint64_t number)
{
    uint64_t inner;

    add_tag(out, number, XDS_WIRE_GROUP);
    for (;;) {
        if (!xds_builder_next(b))
            return false;
        if (b->token.kind == XDS_TOKEN_OBJECT_END)
            break;
        const bool good = xds_slice_to_u64(b->token.text, &inner) && inner > 0 &&
                          inner <= UINT32_MAX >> 3;

        if (!good)
            fault(b, "a field of a group needs a number from 1 to 536870911 for a name");
        if (!xds_builder_next(b) || !add_values(b, out, good ? inner : 1))
            return false;
    }
    add_tag(out, number, XDS_WIRE_GROUP_END);
    return true;
}

static bool add_value(struct xds_builder *b, struct xds_text *out, uint64_t number)
{
    if (b->token.kind == XDS_TOKEN_OBJECT)
        return add_group(b, out, number);
    if (b->token.kind == XDS_TOKEN_NUMBER)
        return add_number(b, out, number);
    if (b->token.kind != XDS_TOKEN_STRING)
        return xds_builder_mismatch(b, "a number", "a number, a string or a message", "");
    add_tag(out, number, XDS_WIRE_BYTES);
    xds_text_add_varint(out, b->token.text.len);
    xds_text_add(out, b->token.text);
    return true;
}

/* A value, or several in brackets. */
static bool add_values(struct xds_builder *b, struct xds_text *out, uint64_t number)
{
    if (b->token.kind != XDS_TOKEN_ARRAY)
        return add_value(b, out, number);
    for (;;) {
        if (!xds_builder_next(b))
            return false;
        if (b->token.kind == XDS_TOKEN_ARRAY_END)
            return true;
        if (!add_value(b, out, number))
            return false;
    }
}

static bool build_numbered(struct xds_builder *b, ProtobufCMessage *into,
                           struct xds_slice name)
{
    struct xds_text field = {.arena = b->arena};
    uint64_t number;

    if (!xds_slice_to_u64(name, &number) || number == 0 || number > UINT32_MAX >> 3) {
        fault(b, "the number of a field is from 1 to 536870911");
        return xds_builder_skip(b);
    }
    if (!add_values(b, &field, number))
        return false;
    add(b, into, xds_slice_make(field.data, field.len));
    return true;
}

bool xds_build_undeclared(struct xds_builder *b, ProtobufCMessage *into)
{
    const struct xds_slice name = xds_arena_dup(b->arena, b->token.text);

    if (!xds_builder_next(b))
        return false;
    return b->plain ? build_numbered(b, into, name) : build_base64(b, into);
}
