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
#include "secret/secret.h"

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

#define LIST(type, field, order, loose, ...)                                             \
    {                                                                                    \
        &type##__descriptor, field, XDS_LIST_##order, {__VA_ARGS__}, loose               \
    }

static const struct xds_list_rule rules[] = {
    LIST(envoy__config__route__v3__route_configuration, "virtual_hosts", KEYED, NULL,
         "name"),
    LIST(envoy__config__route__v3__route_configuration, "cluster_specifier_plugins",
         KEYED, NULL, "extension.name"),
    LIST(envoy__config__route__v3__virtual_host, "domains", SET, NULL, NULL),
    LIST(envoy__config__route__v3__virtual_host, "routes", ORDERED, "route", "name",
         "match"),
    LIST(envoy__config__route__v3__route_match, "headers", KEYED, NULL, "name"),
    LIST(envoy__config__route__v3__weighted_cluster, "clusters", KEYED, NULL, "name"),
    LIST(envoy__config__endpoint__v3__cluster_load_assignment, "endpoints", KEYED, NULL,
         "locality,priority"),
    LIST(envoy__config__endpoint__v3__cluster_load_assignment__policy, "drop_overloads",
         KEYED, NULL, "category"),
    LIST(envoy__config__endpoint__v3__locality_lb_endpoints, "lb_endpoints", KEYED, NULL,
         "endpoint.address,endpoint_name"),
    LIST(envoy__config__cluster__v3__circuit_breakers, "thresholds", KEYED, NULL,
         "priority"),
    LIST(envoy__config__core__v3__health_status_set, "statuses", SET, NULL, NULL),
    LIST(
        envoy__extensions__filters__network__http_connection_manager__v3__http_connection_manager,
        "http_filters", ORDERED, NULL, "name"),
};

static const struct xds_list_rule map = {.order = XDS_LIST_KEYED, .keys = {"key"}};
static const struct xds_list_rule plain = {.order = XDS_LIST_ORDERED};

const struct xds_list_rule *xds_list_rule_of(const ProtobufCMessageDescriptor *message,
                                             const ProtobufCFieldDescriptor *field)
{
    for (size_t i = 0; i < XDS_ARRAY_LEN(rules); i++)
        if (rules[i].message == message && strcmp(rules[i].field, field->name) == 0)
            return &rules[i];
    return xds_field_is_map(field) ? &map : &plain;
}

static uint64_t mix(uint64_t seed, uint64_t value)
{
    return XXH64(&value, sizeof value, seed);
}

static uint64_t of_bytes(const void *data, size_t len)
{
    return XXH64(len ? data : "", len, 0);
}

/* The nesting of messages is bounded, and so is this recursion. */
static uint64_t of_item(enum xds_digest_kind kind, const ProtobufCFieldDescriptor *field,
                        const void *item)
{
    if (field->type == PROTOBUF_C_TYPE_MESSAGE) {
        const ProtobufCMessage *message = xds_item_message(item);
        return message ? xds_digest_message(message, kind) : 0;
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

static bool has_order(enum xds_digest_kind kind, const ProtobufCMessage *message,
                      const ProtobufCFieldDescriptor *field)
{
    if (field->label != PROTOBUF_C_LABEL_REPEATED)
        return true;
    if (kind == XDS_DIGEST_STRICT)
        return !xds_field_is_map(field);
    return xds_list_rule_of(message->descriptor, field)->order == XDS_LIST_ORDERED;
}

static uint64_t of_field(enum xds_digest_kind kind, const ProtobufCMessage *message,
                         const ProtobufCFieldDescriptor *field, size_t n)
{
    const bool ordered = has_order(kind, message, field);
    uint64_t digest = n;

    for (size_t i = 0; i < n; i++) {
        const uint64_t item = of_item(kind, field, xds_field_item(message, field, i));

        digest = ordered ? mix(digest, item) : digest + mix(0, item);
    }
    return digest;
}

static uint64_t of_any(enum xds_digest_kind kind, const struct xds_any *any)
{
    const uint64_t type = of_bytes(any->type.data, any->type.len);

    if (any->state == XDS_ANY_TYPED)
        return mix(type, xds_digest_message(any->message, kind));
    if (any->state == XDS_ANY_UNDECODABLE)
        return mix(type, of_bytes(any->pb.value.data, any->pb.value.len));
    return type;
}

uint64_t xds_digest_message(const ProtobufCMessage *message, enum xds_digest_kind kind)
{
    const struct xds_any *any = xds_message_any(message);
    uint64_t digest = 1;

    if (any)
        return of_any(kind, any);
    for (struct xds_set_fields walk = {.message = message}; xds_set_fields_next(&walk);)
        digest =
            mix(mix(digest, walk.field->id), of_field(kind, message, walk.field, walk.n));
    return digest;
}

uint64_t xds_digest_item(const ProtobufCFieldDescriptor *field, const void *item)
{
    return of_item(XDS_DIGEST_MEANING, field, item);
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

static bool is_full(const struct xds_text *out)
{
    return out->len > XDS_MAX_DIFF_VALUE;
}

static void put_item(struct xds_text *out, const ProtobufCFieldDescriptor *field,
                     const void *item);

/* ---- numbers and names ---- */

/* Billionths after a point, without the zeros after them. */
static void put_decimals(struct xds_text *out, uint32_t billionths)
{
    const uint64_t one = 1000000000;

    xds_text_printf(out, "%s", xds_decimal(billionths % one, one, "").text + 1);
}

/* Six decimals, in integers: no locale can touch it. */
static void put_real(struct xds_text *out, double value)
{
    const double size = value < 0 ? -value : value;
    const bool fits = size < 1e12;
    const uint64_t millionths = fits ? (uint64_t)(size * 1e6 + 0.5) : 0;

    if (!fits) {
        xds_text_printf(out, "%smore than 1e12", value < 0 ? "-" : "");
        return;
    }
    xds_text_printf(out, "%s%" PRIu64, value < 0 ? "-" : "", millionths / 1000000);
    put_decimals(out, (uint32_t)(millionths % 1000000) * 1000);
}

static void put_text(struct xds_text *out, struct xds_slice text)
{
    const size_t room = XDS_MAX_DIFF_VALUE;

    xds_text_printf(
        out, "\"%.*s\"",
        XDS_FMT(xds_slice_make(text.data, text.len < room ? text.len : room)));
}

/* ---- messages ---- */

/* The value of a header is one by the name beside it. */
static bool has_secret_name(const ProtobufCMessage *message)
{
    const ProtobufCMessageDescriptor *type = message->descriptor;

    for (unsigned i = 0; i < type->n_fields; i++)
        if (xds_secret_is_namer(xds_slice_of(type->fields[i].name)) &&
            xds_secret_name(xds_message_text(message, type->fields[i].name)))
            return true;
    return false;
}

bool xds_is_secret(const ProtobufCMessage *message, const ProtobufCFieldDescriptor *field,
                   bool is_below)
{
    const struct xds_slice name = xds_slice_of(field->name);
    bool is_leaf;

    if (is_below)
        return !(xds_secret_shows(name, &is_leaf) && is_leaf);
    return xds_secret_name(name) ||
           (xds_secret_is_value(name) && has_secret_name(message));
}

static void put_list(struct xds_text *out, const ProtobufCMessage *message,
                     const ProtobufCFieldDescriptor *field, size_t n)
{
    xds_text_add(out, XDS_S("["));
    for (size_t i = 0; i < n && !is_full(out); i++) {
        xds_text_add(out, i > 0 ? XDS_S(", ") : XDS_S(""));
        put_item(out, field, xds_field_item(message, field, i));
    }
    xds_text_add(out, XDS_S("]"));
}

static void put_map(struct xds_text *out, const ProtobufCMessage *message,
                    const ProtobufCFieldDescriptor *field, size_t n)
{
    xds_text_add(out, XDS_S("{"));
    for (size_t i = 0; i < n && !is_full(out); i++) {
        const ProtobufCMessage *entry =
            xds_item_message(xds_field_item(message, field, i));
        const ProtobufCFieldDescriptor *value = &entry->descriptor->fields[1];

        xds_text_printf(out, "%s%.*s: ", i > 0 ? ", " : "",
                        XDS_FMT(xds_message_text(entry, "key")));
        put_item(out, value, xds_field_item(entry, value, 0));
    }
    xds_text_add(out, XDS_S("}"));
}

static void put_value(struct xds_text *out, const ProtobufCMessage *message,
                      const ProtobufCFieldDescriptor *field, size_t n)
{
    if (xds_field_is_map(field))
        put_map(out, message, field, n);
    else if (field->label == PROTOBUF_C_LABEL_REPEATED)
        put_list(out, message, field, n);
    else
        put_item(out, field, xds_field_item(message, field, 0));
}

static void put_fields(struct xds_text *out, const ProtobufCMessage *message,
                       const char *separator)
{
    struct xds_set_fields walk = {.message = message};

    while (!is_full(out) && xds_set_fields_next(&walk)) {
        xds_text_printf(out, "%s%s: ", separator, walk.field->name);
        separator = ", ";
        if (xds_is_secret(message, walk.field, false))
            xds_text_add(out, XDS_S(XDS_SECRET_HIDDEN));
        else
            put_value(out, message, walk.field, walk.n);
    }
}

static void put_any(struct xds_text *out, const struct xds_any *any)
{
    xds_text_printf(out, "{\"@type\": %.*s", XDS_FMT(any->type));
    if (any->state == XDS_ANY_TYPED)
        put_fields(out, any->message, ", ");
    xds_text_add(out, XDS_S("}"));
}

static void put_duration(struct xds_text *out, const pb_duration *d)
{
    xds_text_printf(out, "%s%" PRId64, d->seconds == 0 && d->nanos < 0 ? "-" : "",
                    d->seconds);
    put_decimals(out, d->nanos < 0 ? 0 - (uint32_t)d->nanos : (uint32_t)d->nanos);
    xds_text_add(out, XDS_S("s"));
}

static void put_message(struct xds_text *out, const ProtobufCMessage *message)
{
    const enum xds_own_form form =
        message ? xds_own_form_of(message->descriptor) : XDS_FORM_EMPTY;
    const struct xds_any *any = message ? xds_message_any(message) : NULL;
    struct xds_set_fields walk = {.message = message};

    if (any) {
        put_any(out, any);
    } else if (form == XDS_FORM_DURATION) {
        put_duration(out, (const pb_duration *)message);
    } else if (form == XDS_FORM_ONLY_FIELD || form == XDS_FORM_WRAPPER) {
        const ProtobufCFieldDescriptor *field = &message->descriptor->fields[0];

        put_value(out, message, field, xds_field_count(message, field));
    } else if (form == XDS_FORM_VALUE) {
        if (xds_set_fields_next(&walk))
            put_value(out, message, walk.field, walk.n);
    } else {
        xds_text_add(out, XDS_S("{"));
        if (message)
            put_fields(out, message, "");
        xds_text_add(out, XDS_S("}"));
    }
}

static void put_number(struct xds_text *out, const ProtobufCFieldDescriptor *field,
                       const void *item)
{
    struct xds_slice name = {NULL, 0};
    char text[XDS_DIGITS];

    if (field->type == PROTOBUF_C_TYPE_ENUM)
        name = xds_item_enum(field, item);
    xds_text_add(out, name.data ? name : xds_item_number(field->type, item, text));
}

/* The nesting of messages is bounded, and so is this recursion. */
static void put_item(struct xds_text *out, const ProtobufCFieldDescriptor *field,
                     const void *item)
{
    const ProtobufCType type = field->type;

    if (type == PROTOBUF_C_TYPE_MESSAGE)
        put_message(out, xds_item_message(item));
    else if (type == PROTOBUF_C_TYPE_STRING)
        put_text(out, xds_item_text(item));
    else if (type == PROTOBUF_C_TYPE_BYTES)
        xds_text_printf(out, "%zu byte%s", xds_item_bytes(item).len,
                        xds_item_bytes(item).len == 1 ? "" : "s");
    else if (type == PROTOBUF_C_TYPE_BOOL)
        xds_text_add(out, xds_item_bool(item) ? XDS_S("true") : XDS_S("false"));
    else if (type == PROTOBUF_C_TYPE_FLOAT || type == PROTOBUF_C_TYPE_DOUBLE)
        put_real(out, xds_item_double(type, item));
    else
        put_number(out, field, item);
}

struct xds_slice xds_value_text(struct xds_arena *arena,
                                const ProtobufCFieldDescriptor *field, const void *item)
{
    struct xds_text out = {.arena = arena};

    put_item(&out, field, item);

    struct xds_slice text = xds_slice_make(out.data, out.len);

    if (text.len <= XDS_MAX_DIFF_VALUE)
        return text;
    text = xds_slice_clip(text, XDS_MAX_DIFF_VALUE);
    return xds_arena_concat(arena, text, XDS_S("..."));
}
