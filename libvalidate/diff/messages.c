/*
 * messages.c - what a message says: its fields by their descriptors, values in short as
 * YAML has them, what tells the items of a list apart, and one number for all of it.
 *
 * Source: proto3 field presence; protobuf-c's layout of messages; which fields have an
 *         order: gRFC A27, A28 (virtual hosts, domains, routes), A42, A39 (filters), A60
 *         (sets of health states); the comments of the .proto files.
 */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <xxhash.h>

#include "base/text.h"
#include "diff/diff.h"

/* ---- fields ---- */

const void *xds_message_item(const ProtobufCMessage *message, const char *name,
                             const ProtobufCFieldDescriptor **field)
{
    *field = protobuf_c_message_descriptor_get_field_by_name(message->descriptor, name);
    if (!*field || xds_field_count(message, *field) == 0)
        return NULL;
    return xds_field_item(message, *field, 0);
}

struct xds_slice xds_message_text(const ProtobufCMessage *message, const char *name)
{
    const ProtobufCFieldDescriptor *field;
    const void *item = xds_message_item(message, name, &field);

    return item && field->type == PROTOBUF_C_TYPE_STRING ? xds_item_text(item)
                                                         : xds_slice_make(NULL, 0);
}

const struct xds_any *xds_message_any(const ProtobufCMessage *message)
{
    return message->descriptor == &google__protobuf__any__descriptor
               ? (const struct xds_any *)(const void *)message
               : NULL;
}

static const struct xds_list_rule rules[] = {
    {&envoy__config__route__v3__route_configuration__descriptor,
     "virtual_hosts",
     XDS_LIST_KEYED,
     {"name"},
     NULL},
    {&envoy__config__route__v3__route_configuration__descriptor,
     "cluster_specifier_plugins",
     XDS_LIST_KEYED,
     {"extension.name"},
     NULL},
    {&envoy__config__route__v3__virtual_host__descriptor,
     "domains",
     XDS_LIST_SET,
     {NULL},
     NULL},
    {&envoy__config__route__v3__virtual_host__descriptor,
     "routes",
     XDS_LIST_ORDERED,
     {"name", "match"},
     "route"},
    {&envoy__config__route__v3__route_match__descriptor,
     "headers",
     XDS_LIST_KEYED,
     {"name"},
     NULL},
    {&envoy__config__route__v3__weighted_cluster__descriptor,
     "clusters",
     XDS_LIST_KEYED,
     {"name"},
     NULL},
    {&envoy__config__endpoint__v3__cluster_load_assignment__descriptor,
     "endpoints",
     XDS_LIST_KEYED,
     {"locality,priority"},
     NULL},
    {&envoy__config__endpoint__v3__cluster_load_assignment__policy__descriptor,
     "drop_overloads",
     XDS_LIST_KEYED,
     {"category"},
     NULL},
    {&envoy__config__endpoint__v3__locality_lb_endpoints__descriptor,
     "lb_endpoints",
     XDS_LIST_KEYED,
     {"endpoint.address,endpoint_name"},
     NULL},
    {&envoy__config__cluster__v3__circuit_breakers__descriptor,
     "thresholds",
     XDS_LIST_KEYED,
     {"priority"},
     NULL},
    {&envoy__config__core__v3__health_status_set__descriptor,
     "statuses",
     XDS_LIST_SET,
     {NULL},
     NULL},
    {&envoy__extensions__filters__network__http_connection_manager__v3__http_connection_manager__descriptor,
     "http_filters",
     XDS_LIST_ORDERED,
     {"name"},
     NULL},
};

static const struct xds_list_rule map = {
    NULL, NULL, XDS_LIST_KEYED, {"key"}, NULL,
};
static const struct xds_list_rule plain = {
    NULL, NULL, XDS_LIST_ORDERED, {NULL}, NULL,
};

const struct xds_list_rule *xds_list_rule_of(const ProtobufCMessageDescriptor *message,
                                             const ProtobufCFieldDescriptor *field)
{
    for (size_t i = 0; i < XDS_ARRAY_LEN(rules); i++)
        if (rules[i].message == message && strcmp(rules[i].field, field->name) == 0)
            return &rules[i];
    return xds_field_is_map(field) ? &map : &plain;
}

struct walk {
    enum xds_digest_kind kind;
};

static uint64_t mix(uint64_t seed, uint64_t value)
{
    return XXH64(&value, sizeof value, seed);
}

static uint64_t of_bytes(const void *data, size_t len)
{
    return XXH64(len ? data : "", len, 0);
}

static uint64_t of_message(const struct walk *walk, const ProtobufCMessage *message);

/* The nesting of messages is bounded, and so is this recursion. */
static uint64_t of_item(const struct walk *walk, const ProtobufCFieldDescriptor *field,
                        const void *item)
{
    if (field->type == PROTOBUF_C_TYPE_MESSAGE) {
        const ProtobufCMessage *message = xds_item_message(item);
        return message ? of_message(walk, message) : 0;
    }
    if (field->type == PROTOBUF_C_TYPE_STRING) {
        const struct xds_slice text = xds_item_text(item);
        return of_bytes(text.data, text.len);
    }
    if (field->type == PROTOBUF_C_TYPE_BYTES) {
        const ProtobufCBinaryData *bytes = item;
        return of_bytes(bytes->data, bytes->len);
    }
    return of_bytes(item, xds_item_size(field->type));
}

static bool has_order(const struct walk *walk, const ProtobufCMessage *message,
                      const ProtobufCFieldDescriptor *field)
{
    if (field->label != PROTOBUF_C_LABEL_REPEATED)
        return true;
    if (walk->kind == XDS_DIGEST_STRICT)
        return !xds_field_is_map(field);
    return xds_list_rule_of(message->descriptor, field)->order == XDS_LIST_ORDERED;
}

static uint64_t of_field(const struct walk *walk, const ProtobufCMessage *message,
                         const ProtobufCFieldDescriptor *field, size_t n)
{
    const bool ordered = has_order(walk, message, field);
    uint64_t digest = n;

    for (size_t i = 0; i < n; i++) {
        const uint64_t item = of_item(walk, field, xds_field_item(message, field, i));

        digest = ordered ? mix(digest, item) : digest + mix(0, item);
    }
    return digest;
}

static uint64_t of_any(const struct walk *walk, const struct xds_any *any)
{
    const uint64_t type = of_bytes(any->type.data, any->type.len);

    if (any->state == XDS_ANY_TYPED)
        return mix(type, of_message(walk, any->message));
    if (any->state == XDS_ANY_UNDECODABLE)
        return mix(type, of_bytes(any->pb.value.data, any->pb.value.len));
    return type;
}

static uint64_t of_message(const struct walk *walk, const ProtobufCMessage *message)
{
    const ProtobufCMessageDescriptor *type = message->descriptor;
    const struct xds_any *any = xds_message_any(message);
    uint64_t digest = 1;

    if (any)
        return of_any(walk, any);
    for (unsigned i = 0; i < type->n_fields; i++) {
        const ProtobufCFieldDescriptor *field = &type->fields[i];
        const size_t n = xds_field_count(message, field);

        if (n > 0)
            digest = mix(mix(digest, field->id), of_field(walk, message, field, n));
    }
    return digest;
}

uint64_t xds_digest_message(const ProtobufCMessage *message, enum xds_digest_kind kind)
{
    return of_message(&(const struct walk){kind}, message);
}

uint64_t xds_digest_item(const ProtobufCFieldDescriptor *field, const void *item)
{
    return of_item(&(const struct walk){XDS_DIGEST_MEANING}, field, item);
}

/* ---- keys ---- */

/* "endpoint.address": each step but the last leads into a message. */
static const void *follow(const ProtobufCMessage *message, struct xds_slice path,
                          const ProtobufCFieldDescriptor **field)
{
    const void *item = NULL;

    while (path.data && message) {
        struct xds_slice step;
        char name[XDS_MAX_NAME];

        path = xds_slice_cut(path, '.', &step);
        if (step.len >= sizeof name)
            return NULL;
        memcpy(name, step.data, step.len);
        name[step.len] = '\0';
        item = xds_message_item(message, name, field);
        if (!item)
            return NULL;
        message =
            (*field)->type == PROTOBUF_C_TYPE_MESSAGE ? xds_item_message(item) : NULL;
    }
    return item;
}

bool xds_digest_key(const ProtobufCMessage *message, const char *fields, uint64_t *out)
{
    struct xds_slice rest = xds_slice_of(fields);
    bool any = false;

    *out = 0;
    while (rest.data) {
        const ProtobufCFieldDescriptor *field;
        struct xds_slice path;

        rest = xds_slice_cut(rest, ',', &path);
        const void *item = follow(message, path, &field);
        *out = mix(*out, item ? xds_digest_item(field, item) : 0);
        any |= item != NULL;
    }
    return any;
}

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

        const ProtobufCFieldDescriptor *field = &type->fields[i];

        put(pen, field->name);
        put(pen, ": ");
        put_value(pen, message, field, n);
    }
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

static void put_message(struct pen *pen, const ProtobufCMessage *message)
{
    const struct xds_any *any = message ? xds_message_any(message) : NULL;

    if (!message) {
        put(pen, "{}");
        return;
    }
    if (is_bare(message->descriptor)) {
        /* The field that is set, or the only one. */
        const ProtobufCMessageDescriptor *type = message->descriptor;

        for (unsigned i = 0; i < type->n_fields; i++) {
            const size_t n = xds_field_count(message, &type->fields[i]);

            if (n > 0 || type->n_fields == 1)
                put_value(pen, message, &type->fields[i], n);
        }
    } else if (any) {
        put(pen, "{\"@type\": ");
        xds_text_add(&pen->text, any->type);
        if (any->state == XDS_ANY_TYPED)
            put_fields(pen, any->message, ", ");
        put(pen, "}");
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

struct xds_slice xds_value_text(struct xds_arena *arena,
                                const ProtobufCFieldDescriptor *field, const void *item)
{
    struct pen pen = {.text = {.arena = arena}};

    put_item(&pen, field, item);

    /* Between characters. */
    struct xds_slice text = xds_slice_make(pen.text.data, pen.text.len);

    if (text.len <= XDS_MAX_DIFF_VALUE)
        return text;
    text.len = XDS_MAX_DIFF_VALUE;
    while (text.len > 0 && ((unsigned char)text.data[text.len] & 0xC0) == 0x80)
        text.len--;
    return xds_arena_concat(arena, text, XDS_S("..."));
}
