/*
 * text.c - a message in protobuf's text format, driven by descriptors.
 *
 * Fails:  never; lost.c says what it cannot say.
 * Source: Protocol Buffers text format.
 */
#include "convert/inner.h"

#include <math.h>

#include "base/ascii.h"
#include "convert/pack.h"
#include "decode/wire.h"
#include "source/wire/wire_field.h"

/* ---- lines ---- */

static void indent(struct xds_text_writer *w)
{
    xds_out_blanks(w->out, 2 * (size_t)w->depth);
}

static void begin_message(struct xds_text_writer *w)
{
    xds_out_text(w->out, " {\n");
    w->depth++;
    if (w->depth > w->deepest)
        w->deepest = w->depth;
}

static void end_message(struct xds_text_writer *w)
{
    w->depth--;
    indent(w);
    xds_out_text(w->out, "}\n");
}

/* ---- strings ---- */

static void put_octal(struct xds_out *out, unsigned char c)
{
    xds_out_char(out, '\\');
    xds_out_char(out, (char)('0' + (c >> 6)));
    xds_out_char(out, (char)('0' + (c >> 3 & 7)));
    xds_out_char(out, (char)('0' + (c & 7)));
}

static bool is_unsafe(struct xds_slice c)
{
    uint32_t rune;

    return xds_utf8_next(&c, &rune) && xds_rune_is_unsafe(rune);
}

static void put_character(struct xds_out *out, struct xds_slice c)
{
    static const char plain[] = "\n\r\t\"\\", letter[] = "nrt\"\\";
    const unsigned char first = c.data ? (unsigned char)c.data[0] : '\0';
    const char *known = memchr(plain, first, sizeof plain - 1);

    if (known) {
        xds_out_char(out, '\\');
        xds_out_char(out, letter[known - plain]);
    } else if ((c.len == 1 && (first < 0x20 || first >= 0x7f)) || is_unsafe(c)) {
        for (size_t i = 0; c.data && i < c.len; i++)
            put_octal(out, (unsigned char)c.data[i]);
    } else {
        xds_out_raw(out, c);
    }
}

/* Characters that text may hold are as they are, all other bytes in octal. */
static void put_quoted(struct xds_out *out, struct xds_slice text, bool is_bytes)
{
    xds_out_char(out, '"');
    for (;;) {
        const size_t run = xds_plain_run(text);

        xds_out_raw(out, xds_slice_make(text.data, run));
        text = xds_slice_from(text, run);
        if (text.len == 0)
            break;
        const size_t known = xds_utf8_first(text);
        const size_t len = known ? known : 1;

        if (known == 0 && !is_bytes && xds_slice_starts(text, XDS_NUL)) {
            put_octal(out, 0);
            text = xds_slice_from(text, XDS_NUL.len);
            continue;
        }
        put_character(out, xds_slice_make(text.data, len));
        text = xds_slice_from(text, len);
    }
    xds_out_char(out, '"');
}

void xds_text_string(struct xds_out *out, struct xds_slice text)
{
    put_quoted(out, text, false);
}

/* ---- scalars ---- */

static void put_double(struct xds_out *out, ProtobufCType type, const void *slot)
{
    const double value = xds_item_double(type, slot);
    char text[XDS_SCALAR_TEXT];

    if (isnan(value))
        xds_out_text(out, "nan");
    else if (isinf(value))
        xds_out_text(out, value < 0 ? "-inf" : "inf");
    else
        xds_out_raw(out, xds_text_of_double(value, type == PROTOBUF_C_TYPE_FLOAT, text));
}

static void put_scalar(struct xds_out *out, const ProtobufCFieldDescriptor *field,
                       const void *slot)
{
    struct xds_slice name;
    char text[XDS_DIGITS];

    switch (field->type) {
    case PROTOBUF_C_TYPE_STRING:
        xds_text_string(out, xds_item_text(slot));
        return;
    case PROTOBUF_C_TYPE_BYTES:
        put_quoted(out, xds_item_bytes(slot), true);
        return;
    case PROTOBUF_C_TYPE_ENUM:
        name = xds_item_enum(field, slot);
        if (name.data) {
            xds_out_raw(out, name);
            return;
        }
        break;
    case PROTOBUF_C_TYPE_BOOL:
        xds_out_text(out, xds_item_bool(slot) ? "true" : "false");
        return;
    case PROTOBUF_C_TYPE_FLOAT:
    case PROTOBUF_C_TYPE_DOUBLE:
        put_double(out, field->type, slot);
        return;
    case PROTOBUF_C_TYPE_MESSAGE:
    case PROTOBUF_C_TYPE_INT32:
    case PROTOBUF_C_TYPE_SINT32:
    case PROTOBUF_C_TYPE_SFIXED32:
    case PROTOBUF_C_TYPE_UINT32:
    case PROTOBUF_C_TYPE_FIXED32:
    case PROTOBUF_C_TYPE_INT64:
    case PROTOBUF_C_TYPE_SINT64:
    case PROTOBUF_C_TYPE_SFIXED64:
    case PROTOBUF_C_TYPE_UINT64:
    case PROTOBUF_C_TYPE_FIXED64:
        break;
    }
    xds_out_raw(out, xds_item_number(field->type, slot, text));
}

/* ---- what was kept ---- */

static void put_hex(struct xds_out *out, uint64_t number, unsigned digits)
{
    xds_out_text(out, "0x");
    while (digits-- > 0)
        xds_out_char(out, "0123456789abcdef"[number >> (4 * digits) & 15]);
}

static void repeat_name(struct xds_text_writer *w, struct xds_slice name)
{
    indent(w);
    xds_out_raw(w->out, name);
}

static void repeat_members(struct xds_text_writer *w, struct xds_tokens *tokens,
                           bool outermost);

static void repeat_value(struct xds_text_writer *w, struct xds_tokens *tokens,
                         struct xds_slice name, const struct xds_token *value)
{
    uint64_t number;

    repeat_name(w, name);
    if (value->kind != XDS_TOKEN_OBJECT) {
        xds_out_text(w->out, ": ");
        if (value->kind == XDS_TOKEN_STRING)
            put_quoted(w->out, value->text, true);
        else if (value->kind == XDS_TOKEN_NUMBER && value->begin > 0 &&
                 value->begin <= 16 && xds_slice_to_u64(value->text, &number))
            put_hex(w->out, number, (unsigned)value->begin);
        else
            xds_out_raw(w->out, value->text);
        xds_out_char(w->out, '\n');
        return;
    }
    begin_message(w);
    repeat_members(w, tokens, false);
    end_message(w);
}

/* The items of a list become as many members. */
static void repeat_items(struct xds_text_writer *w, struct xds_tokens *tokens,
                         struct xds_slice name)
{
    struct xds_token item;

    for (;;) {
        xds_tokens_next(tokens, &item);
        if (item.kind == XDS_TOKEN_ARRAY_END)
            return;
        repeat_value(w, tokens, name, &item);
    }
}

/* An "@type" among the members is an Any that is written out; the outermost one was
 * written before. The nesting of tokens is
 * bounded, and so is this recursion. */
static void repeat_members(struct xds_text_writer *w, struct xds_tokens *tokens,
                           bool outermost)
{
    bool any = false;
    struct xds_token key, value;

    for (;;) {
        xds_tokens_next(tokens, &key);
        if (key.kind != XDS_TOKEN_KEY)
            break;
        xds_tokens_next(tokens, &value);
        if (outermost && xds_token_is(&key, "@type"))
            continue;
        if (xds_token_is(&key, "@type")) {
            any = true;
            repeat_name(w, XDS_S("["));
            xds_out_raw(w->out, value.text);
            xds_out_char(w->out, ']');
            begin_message(w);
        } else if (value.kind == XDS_TOKEN_ARRAY) {
            repeat_items(w, tokens, key.text);
        } else {
            repeat_value(w, tokens, key.text, &value);
        }
    }
    if (any)
        end_message(w);
}

static void put_kept(struct xds_text_writer *w, const void *message)
{
    const struct xds_tokens *members = xds_kept_find(w->kept, message);

    if (members && w->of_text) {
        struct xds_tokens copy = *members;

        repeat_members(w, &copy, true);
    }
}

/* ---- what is not declared ---- */

/* Fields by their numbers, each as put_unknown() has it; up to the end of the group. */
static void put_numbered(struct xds_text_writer *w, struct xds_slice fields)
{
    struct xds_wire_field head;
    struct xds_slice value;
    uint64_t number;

    while (fields.len && xds_wire_next(&fields, &head, &value)) {
        indent(w);
        xds_out_u64(w->out, head.number);
        switch (head.type) {
        case XDS_WIRE_VARINT:
            (void)xds_wire_varint(value, &number);
            xds_out_text(w->out, ": ");
            xds_out_u64(w->out, number);
            break;
        case XDS_WIRE_32BIT:
        case XDS_WIRE_64BIT:
            xds_out_text(w->out, ": ");
            put_hex(w->out, xds_wire_fixed(value), 2 * (unsigned)value.len);
            break;
        case XDS_WIRE_BYTES:
            xds_out_text(w->out, ": ");
            put_quoted(w->out, value, true);
            break;
        case XDS_WIRE_GROUP:
            begin_message(w);
            put_numbered(w, value);
            end_message(w);
            continue;
        case XDS_WIRE_GROUP_END:
            break;
        }
        xds_out_char(w->out, '\n');
    }
}

/* ---- messages ---- */

static void put_value(struct xds_text_writer *w, const ProtobufCFieldDescriptor *field,
                      const void *slot)
{
    indent(w);
    xds_out_text(w->out, field->name);
    if (field->type != PROTOBUF_C_TYPE_MESSAGE) {
        xds_out_text(w->out, ": ");
        put_scalar(w->out, field, slot);
        xds_out_char(w->out, '\n');
        return;
    }
    begin_message(w);
    if (field->descriptor == &google__protobuf__any__descriptor)
        xds_text_any(w, xds_any_of((const pb_any *)xds_item_message(slot)));
    else
        xds_text_fields(w, xds_item_message(slot));
    end_message(w);
}

void xds_text_header(struct xds_out *out, struct xds_slice message)
{
    xds_out_text(out, "# proto-message: ");
    xds_out_raw(out, message);
    xds_out_text(out, "\n\n");
}

void xds_text_fields(struct xds_text_writer *w, const ProtobufCMessage *message)
{
    for (struct xds_set_fields walk = {.message = message}; xds_set_fields_next(&walk);)
        for (size_t k = 0; k < walk.n; k++)
            put_value(w, walk.field, xds_field_item(message, walk.field, k));
    if (message->n_unknown_fields > 0)
        put_numbered(w, xds_unknown_bytes(w->arena, message));
    if (message->descriptor->n_fields == 0)
        put_kept(w, message);
}

/* ---- Any ---- */

static bool is_in_url(char c)
{
    return xds_ascii_alpha(c) || xds_ascii_digit(c) || strchr("_.-", c);
}

/* A domain, a slash and a name, or more of these. */
static bool is_bracketable(struct xds_slice url)
{
    bool begins = true;
    size_t slashes = 0;

    for (size_t i = 0; i < url.len; i++) {
        const bool slash = url.data[i] == '/';

        if (slash ? begins : !is_in_url(url.data[i]))
            return false;
        slashes += slash;
        begins = slash;
    }
    return slashes > 0 && !begins;
}

bool xds_text_is_open(const struct xds_any *any)
{
    const bool bytes = any->state != XDS_ANY_TYPED && any->pb.value.len > 0;

    return !bytes && any->pb.base.n_unknown_fields == 0 &&
           is_bracketable(xds_slice_of(any->pb.type_url));
}

static void put_line(struct xds_text_writer *w, const char *name, struct xds_slice text,
                     bool is_bytes)
{
    if (text.len == 0)
        return;
    indent(w);
    xds_out_text(w->out, name);
    put_quoted(w->out, text, is_bytes);
    xds_out_char(w->out, '\n');
}

void xds_text_any(struct xds_text_writer *w, const struct xds_any *any)
{
    const struct xds_slice type_url = xds_slice_of(any->pb.type_url);

    if (!xds_text_is_open(any)) {
        /* type_url and value; the message is packed for that. */
        struct xds_any copy = *any;

        xds_pack((struct xds_packer){w->arena, w->types}, &copy);
        put_line(w, "type_url: ", xds_slice_of(any->pb.type_url), false);
        put_line(w, "value: ", xds_item_bytes(&copy.pb.value), true);
        if (any->pb.base.n_unknown_fields > 0)
            put_numbered(w, xds_unknown_bytes(w->arena, &any->pb.base));
        return;
    }
    indent(w);
    xds_out_char(w->out, '[');
    xds_out_raw(w->out, type_url);
    xds_out_char(w->out, ']');
    begin_message(w);
    if (any->state == XDS_ANY_TYPED)
        xds_text_fields(w, any->message);
    else
        put_kept(w, any);
    end_message(w);
}
