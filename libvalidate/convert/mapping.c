/*
 * mapping.c - a message in the JSON mapping of proto3, driven by descriptors.
 *
 * Fails:  never; lost.c says what the mapping cannot say.
 * Source: proto3 JSON mapping.
 */
#include "convert/inner.h"

#include <math.h>

static void put(struct xds_mapping *m, enum xds_sink_event event, struct xds_slice text)
{
    m->levels += event == XDS_SINK_OBJECT || event == XDS_SINK_ARRAY;
    m->levels -= event == XDS_SINK_OBJECT_END || event == XDS_SINK_ARRAY_END;
    if (m->levels > m->most_levels)
        m->most_levels = m->levels;
    m->sink->put(m->sink, event, text);
}

static void begin(struct xds_mapping *m, enum xds_sink_event event)
{
    put(m, event, XDS_S(""));
}

static void put_message(struct xds_mapping *m, const ProtobufCMessage *message);

/* ---- what was kept ---- */

/* One token of JSON or YAML as the event that it is. */
static void repeat(struct xds_mapping *m, const struct xds_token *token)
{
    static const enum xds_sink_event events[] = {
        [XDS_TOKEN_OBJECT] = XDS_SINK_OBJECT,
        [XDS_TOKEN_OBJECT_END] = XDS_SINK_OBJECT_END,
        [XDS_TOKEN_ARRAY] = XDS_SINK_ARRAY,
        [XDS_TOKEN_ARRAY_END] = XDS_SINK_ARRAY_END,
        [XDS_TOKEN_KEY] = XDS_SINK_KEY,
        [XDS_TOKEN_STRING] = XDS_SINK_STRING,
        [XDS_TOKEN_NUMBER] = XDS_SINK_PLAIN,
        [XDS_TOKEN_TRUE] = XDS_SINK_PLAIN,
        [XDS_TOKEN_FALSE] = XDS_SINK_PLAIN,
        [XDS_TOKEN_NULL] = XDS_SINK_PLAIN,
        [XDS_TOKEN_WORD] = XDS_SINK_PLAIN,
    };
    static const char *const words[] = {[XDS_TOKEN_TRUE] = "true",
                                        [XDS_TOKEN_FALSE] = "false",
                                        [XDS_TOKEN_NULL] = "null"};
    struct xds_slice text = token->text;

    if (token->kind == XDS_TOKEN_KEY || token->kind == XDS_TOKEN_STRING)
        text = xds_token_unescape(token, m->arena);
    if (token->kind >= XDS_TOKEN_TRUE && token->kind <= XDS_TOKEN_NULL)
        text = xds_slice_of(words[token->kind]);
    put(m, events[token->kind], text);
}

/* The members of an object that no message has room for, up to its end. */
static void repeat_members(struct xds_mapping *m, struct xds_tokens tokens)
{
    struct xds_token token;
    int depth = 0;

    for (;;) {
        xds_tokens_next(&tokens, &token);
        if (depth == 0 && token.kind != XDS_TOKEN_KEY)
            return;
        if (depth == 0 && xds_token_is(&token, "@type")) {
            xds_tokens_next(&tokens, &token);
            continue;
        }
        repeat(m, &token);
        if (depth == 0) { /* the value of this key */
            xds_tokens_next(&tokens, &token);
            repeat(m, &token);
        }
        depth += token.kind == XDS_TOKEN_OBJECT || token.kind == XDS_TOKEN_ARRAY;
        depth -= token.kind == XDS_TOKEN_OBJECT_END || token.kind == XDS_TOKEN_ARRAY_END;
    }
}

static void put_kept(struct xds_mapping *m, const void *message)
{
    const struct xds_tokens *members = xds_kept_find(m->kept, message);

    if (members && m->of_json)
        repeat_members(m, *members);
}

/* What the message is not declared to have. */
static void put_unknown(struct xds_mapping *m, const ProtobufCMessage *message)
{
    if (message->n_unknown_fields == 0)
        return;
    put(m, XDS_SINK_KEY, XDS_S("@unknown"));
    put(m, XDS_SINK_STRING,
        xds_text_of_bytes(xds_unknown_bytes(m->arena, message), m->arena));
}

/* ---- scalars ---- */

static void put_double(struct xds_mapping *m, ProtobufCType type, const void *slot)
{
    const double value = xds_item_double(type, slot);
    char text[XDS_SCALAR_TEXT];

    if (isnan(value))
        put(m, XDS_SINK_STRING, XDS_S("NaN"));
    else if (isinf(value))
        put(m, XDS_SINK_STRING, value < 0 ? XDS_S("-Infinity") : XDS_S("Infinity"));
    else
        put(m, XDS_SINK_PLAIN,
            xds_text_of_double(value, type == PROTOBUF_C_TYPE_FLOAT, text));
}

static struct xds_slice bool_text(const void *slot)
{
    return xds_item_bool(slot) ? XDS_S("true") : XDS_S("false");
}

static void put_enum(struct xds_mapping *m, const ProtobufCFieldDescriptor *field,
                     const void *slot)
{
    const struct xds_slice name = xds_item_enum(field, slot);
    char text[XDS_DIGITS];

    if (field->descriptor == &google__protobuf__null_value__descriptor)
        put(m, XDS_SINK_PLAIN, XDS_S("null"));
    else if (name.data)
        put(m, XDS_SINK_STRING, name);
    else
        put(m, XDS_SINK_PLAIN, xds_item_number(field->type, slot, text));
}

static void put_value(struct xds_mapping *m, const ProtobufCFieldDescriptor *field,
                      const void *slot)
{
    char text[XDS_DIGITS];

    switch (field->type) {
    case PROTOBUF_C_TYPE_MESSAGE:
        put_message(m, xds_item_message(slot));
        return;
    case PROTOBUF_C_TYPE_STRING:
        put(m, XDS_SINK_STRING, xds_item_text(slot));
        return;
    case PROTOBUF_C_TYPE_BYTES:
        put(m, XDS_SINK_STRING, xds_text_of_bytes(xds_item_bytes(slot), m->arena));
        return;
    case PROTOBUF_C_TYPE_ENUM:
        put_enum(m, field, slot);
        return;
    case PROTOBUF_C_TYPE_BOOL:
        put(m, XDS_SINK_PLAIN, bool_text(slot));
        return;
    case PROTOBUF_C_TYPE_FLOAT:
    case PROTOBUF_C_TYPE_DOUBLE:
        put_double(m, field->type, slot);
        return;
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
        put(m, xds_type_is_wide(field->type) ? XDS_SINK_STRING : XDS_SINK_PLAIN,
            xds_item_number(field->type, slot, text));
        return;
    }
}

/* ---- fields ---- */

/* The key of a map's entry, as text. */
static struct xds_slice key_text(const ProtobufCMessage *entry, char text[XDS_DIGITS])
{
    const ProtobufCFieldDescriptor *key = &entry->descriptor->fields[0];
    const void *slot = xds_field_item(entry, key, 0);

    if (key->type == PROTOBUF_C_TYPE_STRING)
        return xds_item_text(slot);
    if (key->type == PROTOBUF_C_TYPE_BOOL)
        return bool_text(slot);
    return xds_item_number(key->type, slot, text);
}

/* Of the entries with one key the last counts, as on the wire. */
static void put_map(struct xds_mapping *m, const ProtobufCMessage *message,
                    const ProtobufCFieldDescriptor *field)
{
    const ProtobufCFieldDescriptor *value =
        &((const ProtobufCMessageDescriptor *)field->descriptor)->fields[1];
    const size_t n = xds_field_count(message, field);
    struct xds_strmap last;
    char text[XDS_DIGITS];

    xds_strmap_init(&last, m->arena);
    for (size_t i = 0; i < n; i++) {
        const void *slot = xds_field_item(message, field, i);
        const ProtobufCMessage *entry = xds_item_message(slot);

        memcpy(xds_strmap_at(&last, key_text(entry, text)), slot, sizeof entry);
    }
    begin(m, XDS_SINK_OBJECT);
    for (size_t i = 0; i < n; i++) {
        const ProtobufCMessage *entry =
            xds_item_message(xds_field_item(message, field, i));
        const struct xds_slice key = key_text(entry, text);

        if (xds_strmap_get(&last, key) != entry)
            continue;
        put(m, XDS_SINK_KEY, key);
        put_value(m, value, xds_field_item(entry, value, 0));
    }
    begin(m, XDS_SINK_OBJECT_END);
}

static void put_field(struct xds_mapping *m, const ProtobufCMessage *message,
                      const ProtobufCFieldDescriptor *field)
{
    if (field->label != PROTOBUF_C_LABEL_REPEATED)
        put_value(m, field, xds_field_item(message, field, 0));
    else if (xds_field_is_map(field))
        put_map(m, message, field);
    else {
        const size_t n = xds_field_count(message, field);

        begin(m, XDS_SINK_ARRAY);
        for (size_t i = 0; i < n; i++)
            put_value(m, field, xds_field_item(message, field, i));
        begin(m, XDS_SINK_ARRAY_END);
    }
}

static void put_fields(struct xds_mapping *m, const ProtobufCMessage *message)
{
    for (struct xds_set_fields walk = {.message = message}; xds_set_fields_next(&walk);) {
        xds_mapping_key(m, walk.field);
        put_field(m, message, walk.field);
    }
    put_unknown(m, message);
    if (message->descriptor->n_fields == 0)
        put_kept(m, message);
}

static void put_object(struct xds_mapping *m, const ProtobufCMessage *message)
{
    begin(m, XDS_SINK_OBJECT);
    put_fields(m, message);
    begin(m, XDS_SINK_OBJECT_END);
}

/* ---- messages with a form of their own ---- */

/* A text, or else the plain form of the message, an object. */
static void put_text_or_object(struct xds_mapping *m, struct xds_slice text,
                               const ProtobufCMessage *message)
{
    if (text.data && message->n_unknown_fields == 0)
        put(m, XDS_SINK_STRING, text);
    else
        put_object(m, message);
}

/* A Value without a kind has no form of its own. */
static void put_any_value(struct xds_mapping *m, const ProtobufCMessage *message)
{
    struct xds_set_fields walk = {.message = message};

    if (xds_set_fields_next(&walk))
        put_field(m, message, walk.field);
    else
        put(m, XDS_SINK_PLAIN, XDS_S("null"));
}

static void put_in_form(struct xds_mapping *m, enum xds_own_form form,
                        const ProtobufCMessage *message)
{
    const void *pb = message;
    char text[XDS_SCALAR_TEXT];

    switch (form) {
    case XDS_FORM_DURATION:
        put_text_or_object(m, xds_text_of_duration(pb, text), message);
        return;
    case XDS_FORM_TIMESTAMP:
        put_text_or_object(m, xds_text_of_timestamp(pb, text), message);
        return;
    case XDS_FORM_MASK:
        put_text_or_object(m, xds_text_of_mask(pb, m->arena), message);
        return;
    case XDS_FORM_VALUE:
        put_any_value(m, message);
        return;
    case XDS_FORM_WRAPPER:
        if (message->n_unknown_fields > 0)
            break;
        put_field(m, message, &message->descriptor->fields[0]);
        return;
    case XDS_FORM_ONLY_FIELD:
        put_field(m, message, &message->descriptor->fields[0]);
        return;
    case XDS_FORM_EMPTY:
    case XDS_FORM_NONE:
        break;
    }
    put_object(m, message);
}

static void put_message(struct xds_mapping *m, const ProtobufCMessage *message)
{
    if (message->descriptor == &google__protobuf__any__descriptor)
        xds_mapping_any(m, xds_any_of((const pb_any *)message));
    else
        put_in_form(m, xds_own_form_of(message->descriptor), message);
}

void xds_mapping_fields(struct xds_mapping *m, const ProtobufCMessage *message)
{
    put_fields(m, message);
}

void xds_mapping_key(struct xds_mapping *m, const ProtobufCFieldDescriptor *field)
{
    char camel[XDS_MAX_NAME];

    if (m->json_names)
        xds_names_camel(field->name, camel);
    put(m, XDS_SINK_KEY, xds_slice_of(m->json_names ? camel : field->name));
}

/* ---- Any ---- */

static void put_typed(struct xds_mapping *m, const ProtobufCMessage *message)
{
    const enum xds_own_form form = xds_own_form_of(message->descriptor);

    if (form == XDS_FORM_NONE) {
        put_fields(m, message);
        return;
    }
    put(m, XDS_SINK_KEY, XDS_S("value"));
    put_in_form(m, form, message);
}

void xds_mapping_any(struct xds_mapping *m, const struct xds_any *any)
{
    const struct xds_slice bytes = xds_item_bytes(&any->pb.value);
    const struct xds_slice type_url = xds_slice_of(any->pb.type_url);

    begin(m, XDS_SINK_OBJECT);
    if (type_url.len || bytes.len || xds_kept_find(m->kept, any)) {
        put(m, XDS_SINK_KEY, XDS_S("@type"));
        put(m, XDS_SINK_STRING, type_url);
    }
    if (any->state == XDS_ANY_TYPED) {
        put_typed(m, any->message);
    } else if (bytes.len) {
        put(m, XDS_SINK_KEY, XDS_S("@value"));
        put(m, XDS_SINK_STRING, xds_text_of_bytes(bytes, m->arena));
    } else {
        put_kept(m, any);
    }
    begin(m, XDS_SINK_OBJECT_END);
}
