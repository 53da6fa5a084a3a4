/* value.c - what a field holds, in short, as a reader of YAML would write it. */
#include "diff/value.h"

#include <inttypes.h>
#include <stdio.h>

#include "base/limits.h"
#include "base/text.h"

enum { NANOS_DIGITS = 9 };

struct pen {
    struct xds_text text;
};

static bool is_full(const struct pen *pen)
{
    return pen->text.len > XDS_MAX_DIFF_VALUE;
}

static void put(struct pen *pen, const char *text)
{
    xds_text_add(&pen->text, xds_slice_of(text));
}

static void put_item(struct pen *pen, const ProtobufCFieldDescriptor *field,
                     const void *item);

/* ---- numbers and names ---- */

/* Billionths after a point, without the zeros after them. */
static void put_decimals(struct pen *pen, uint32_t billionths)
{
    char digits[16];
    size_t len = NANOS_DIGITS;

    (void)snprintf(digits, sizeof digits, "%09" PRIu32, billionths % 1000000000);
    while (len > 0 && digits[len - 1] == '0')
        len--;
    if (len > 0)
        put(pen, ".");
    xds_text_add(&pen->text, xds_slice_make(digits, len));
}

static void put_whole(struct pen *pen, int64_t value)
{
    if (value < 0)
        put(pen, "-");
    xds_text_add_number(&pen->text, value < 0 ? 0 - (uint64_t)value : (uint64_t)value);
}

/* Six decimals, in integers: no locale can touch it. */
static void put_real(struct pen *pen, double value)
{
    const double size = value < 0 ? -value : value;
    const bool fits = size < 1e12;
    const uint64_t millionths = fits ? (uint64_t)(size * 1e6 + 0.5) : 0;

    if (value < 0)
        put(pen, "-");
    if (!fits) {
        put(pen, "more than 1e12");
        return;
    }
    xds_text_add_number(&pen->text, millionths / 1000000);
    put_decimals(pen, (uint32_t)(millionths % 1000000) * 1000);
}

static void put_enum(struct pen *pen, const ProtobufCEnumDescriptor *type,
                     const void *item)
{
    int number;

    memcpy(&number, item, sizeof number);
    const ProtobufCEnumValue *value = protobuf_c_enum_descriptor_get_value(type, number);
    if (value)
        put(pen, value->name);
    else
        put_whole(pen, number);
}

static void put_text(struct pen *pen, struct xds_slice text)
{
    const size_t room = XDS_MAX_DIFF_VALUE;

    put(pen, "\"");
    xds_text_add(&pen->text,
                 xds_slice_make(text.data, text.len < room ? text.len : room));
    put(pen, "\"");
}

static void put_bytes(struct pen *pen, const ProtobufCBinaryData *bytes)
{
    xds_text_add_number(&pen->text, bytes->len);
    put(pen, bytes->len == 1 ? " byte" : " bytes");
}

static void put_bool(struct pen *pen, const void *item)
{
    protobuf_c_boolean yes;

    memcpy(&yes, item, sizeof yes);
    put(pen, yes ? "true" : "false");
}

static void put_float(struct pen *pen, const void *item)
{
    float value;

    memcpy(&value, item, sizeof value);
    put_real(pen, (double)value);
}

static void put_double(struct pen *pen, const void *item)
{
    double value;

    memcpy(&value, item, sizeof value);
    put_real(pen, value);
}

static void put_i32(struct pen *pen, const void *item)
{
    int32_t value;

    memcpy(&value, item, sizeof value);
    put_whole(pen, value);
}

static void put_u32(struct pen *pen, const void *item)
{
    uint32_t value;

    memcpy(&value, item, sizeof value);
    put_whole(pen, value);
}

static void put_i64(struct pen *pen, const void *item)
{
    int64_t value;

    memcpy(&value, item, sizeof value);
    put_whole(pen, value);
}

static void put_u64(struct pen *pen, const void *item)
{
    uint64_t value;

    memcpy(&value, item, sizeof value);
    xds_text_add_number(&pen->text, value);
}

/* ---- messages ---- */

static void put_duration(struct pen *pen, const ProtobufCMessage *message)
{
    const pb_duration *d = (const pb_duration *)message;

    if (d->seconds == 0 && d->nanos < 0)
        put(pen, "-");
    put_whole(pen, d->seconds);
    put_decimals(pen, d->nanos < 0 ? 0 - (uint32_t)d->nanos : (uint32_t)d->nanos);
    put(pen, "s");
}

static void put_list(struct pen *pen, const ProtobufCMessage *message,
                     const ProtobufCFieldDescriptor *field, size_t n)
{
    put(pen, "[");
    for (size_t i = 0; i < n && !is_full(pen); i++) {
        if (i > 0)
            put(pen, ", ");
        put_item(pen, field, xds_field_item(message, field, i));
    }
    put(pen, "]");
}

static void put_map(struct pen *pen, const ProtobufCMessage *message,
                    const ProtobufCFieldDescriptor *field, size_t n)
{
    put(pen, "{");
    for (size_t i = 0; i < n && !is_full(pen); i++) {
        const ProtobufCMessage *entry =
            xds_item_message(xds_field_item(message, field, i));
        const ProtobufCFieldDescriptor *value = &entry->descriptor->fields[1];

        if (i > 0)
            put(pen, ", ");
        xds_text_add(&pen->text, xds_message_text(entry, "key"));
        put(pen, ": ");
        put_item(pen, value, xds_field_item(entry, value, 0));
    }
    put(pen, "}");
}

static void put_value(struct pen *pen, const ProtobufCMessage *message,
                      const ProtobufCFieldDescriptor *field, size_t n)
{
    if (xds_field_is_map(field))
        put_map(pen, message, field, n);
    else if (field->label == PROTOBUF_C_LABEL_REPEATED)
        put_list(pen, message, field, n);
    else
        put_item(pen, field, xds_field_item(message, field, 0));
}

static void put_field(struct pen *pen, const ProtobufCMessage *message,
                      const ProtobufCFieldDescriptor *field, size_t n)
{
    put(pen, field->name);
    put(pen, ": ");
    put_value(pen, message, field, n);
}

static void put_fields(struct pen *pen, const ProtobufCMessage *message,
                       const char *separator)
{
    const ProtobufCMessageDescriptor *type = message->descriptor;

    for (unsigned i = 0; i < type->n_fields && !is_full(pen); i++) {
        const size_t n = xds_field_count(message, &type->fields[i]);

        if (n == 0)
            continue;
        put(pen, separator);
        separator = ", ";
        put_field(pen, message, &type->fields[i], n);
    }
}

static void put_any(struct pen *pen, const struct xds_any *any)
{
    put(pen, "{\"@type\": ");
    xds_text_add(&pen->text, any->type);
    if (any->state == XDS_ANY_TYPED)
        put_fields(pen, any->message, ", ");
    put(pen, "}");
}

/* UInt32Value and its like are written as their value, and so are the parts of a Struct.
 */
static bool is_bare(const ProtobufCMessageDescriptor *type)
{
    static const char *const names[] = {"google.protobuf.Struct",
                                        "google.protobuf.ListValue"};
    const struct xds_slice name = xds_slice_of(type->name);

    for (size_t i = 0; i < XDS_ARRAY_LEN(names); i++)
        if (xds_slice_is(name, names[i]))
            return true;
    return xds_slice_starts(name, XDS_S("google.protobuf.")) &&
           xds_slice_ends(name, XDS_S("Value"));
}

/* The field that is set, or the only one. */
static void put_bare(struct pen *pen, const ProtobufCMessage *message)
{
    const ProtobufCMessageDescriptor *type = message->descriptor;

    for (unsigned i = 0; i < type->n_fields; i++) {
        const size_t n = xds_field_count(message, &type->fields[i]);

        if (n > 0 || type->n_fields == 1)
            put_value(pen, message, &type->fields[i], n);
    }
}

static void put_message(struct pen *pen, const ProtobufCMessage *message)
{
    const struct xds_any *any = message ? xds_message_any(message) : NULL;

    if (!message) {
        put(pen, "{}");
        return;
    }
    if (is_bare(message->descriptor)) {
        put_bare(pen, message);
    } else if (any) {
        put_any(pen, any);
    } else if (message->descriptor == &google__protobuf__duration__descriptor) {
        put_duration(pen, message);
    } else {
        put(pen, "{");
        put_fields(pen, message, "");
        put(pen, "}");
    }
}

/* The nesting of messages is bounded, and so is this recursion. */
static void put_item(struct pen *pen, const ProtobufCFieldDescriptor *field,
                     const void *item)
{
    switch (field->type) {
    case PROTOBUF_C_TYPE_INT32:
    case PROTOBUF_C_TYPE_SINT32:
    case PROTOBUF_C_TYPE_SFIXED32:
        put_i32(pen, item);
        return;
    case PROTOBUF_C_TYPE_UINT32:
    case PROTOBUF_C_TYPE_FIXED32:
        put_u32(pen, item);
        return;
    case PROTOBUF_C_TYPE_INT64:
    case PROTOBUF_C_TYPE_SINT64:
    case PROTOBUF_C_TYPE_SFIXED64:
        put_i64(pen, item);
        return;
    case PROTOBUF_C_TYPE_UINT64:
    case PROTOBUF_C_TYPE_FIXED64:
        put_u64(pen, item);
        return;
    case PROTOBUF_C_TYPE_FLOAT:
        put_float(pen, item);
        return;
    case PROTOBUF_C_TYPE_DOUBLE:
        put_double(pen, item);
        return;
    case PROTOBUF_C_TYPE_BOOL:
        put_bool(pen, item);
        return;
    case PROTOBUF_C_TYPE_ENUM:
        put_enum(pen, field->descriptor, item);
        return;
    case PROTOBUF_C_TYPE_STRING:
        put_text(pen, xds_item_text(item));
        return;
    case PROTOBUF_C_TYPE_BYTES:
        put_bytes(pen, item);
        return;
    case PROTOBUF_C_TYPE_MESSAGE:
        put_message(pen, xds_item_message(item));
        return;
    }
}

/* ---- all ---- */

/* Between characters. */
static struct xds_slice cut(struct xds_arena *arena, struct xds_slice text)
{
    if (text.len <= XDS_MAX_DIFF_VALUE)
        return text;
    text.len = XDS_MAX_DIFF_VALUE;
    while (text.len > 0 && ((unsigned char)text.data[text.len] & 0xC0) == 0x80)
        text.len--;
    return xds_arena_concat(arena, text, XDS_S("..."));
}

struct xds_slice xds_value_text(struct xds_arena *arena,
                                const ProtobufCFieldDescriptor *field, const void *item)
{
    struct pen pen = {.text = {.arena = arena}};

    put_item(&pen, field, item);
    return cut(arena, xds_slice_make(pen.text.data, pen.text.len));
}
