/*
 * build_any.c - an Any in JSON, YAML or text proto, decoded as the message in it; the
 * messages of google.protobuf that have a JSON form of their own.
 *
 * Source: proto3 JSON mapping; spec G10-G13 judge the type_url afterwards.
 */
#include "base/ascii.h"
#include "decode/builder.h"
#include "base/scalar.h"
#include "secret/secret.h"
#include "decode/wire.h"

/* Skip to the end of the object whose brace was read. */
static bool skip_members(struct xds_builder *b)
{
    b->token.kind = XDS_TOKEN_OBJECT;
    return xds_builder_skip(b);
}

/* The text in b->token without escapes. */
static struct xds_slice plain_text(const struct xds_builder *b)
{
    return b->token.escaped ? xds_token_unescape(&b->token, b->arena) : b->token.text;
}

static bool build_wrapper(struct xds_builder *b, const char *name, ProtobufCMessage *into)
{
    const ProtobufCFieldDescriptor *value = &into->descriptor->fields[0];

    if (b->token.kind == XDS_TOKEN_OBJECT)
        return xds_build_object(b, name, into);
    return xds_build_value(b, name, value, (char *)into + value->offset);
}

struct xds_slice xds_builder_name(const ProtobufCMessageDescriptor *message,
                                  struct xds_slice name, bool is_like_one)
{
    return !is_like_one && message == &envoy__config__core__v3__data_source__descriptor
               ? XDS_S(XDS_SECRET_HIDDEN)
               : xds_builder_excerpt(name);
}

struct xds_slice xds_builder_value(const char *name, struct xds_slice text)
{
    return xds_secret_name(xds_slice_of(name)) ? XDS_S(XDS_SECRET_HIDDEN)
                                               : xds_builder_excerpt(text);
}

struct xds_slice xds_builder_unquoted(const char *name, struct xds_slice text)
{
    return xds_secret_is_value(xds_slice_of(name)) ? XDS_S(XDS_SECRET_HIDDEN)
                                                   : xds_builder_value(name, text);
}

static bool build_duration(struct xds_builder *b, const char *name,
                           ProtobufCMessage *into)
{
    pb_duration *duration = (pb_duration *)into;
    struct xds_slice text;

    if (b->token.kind == XDS_TOKEN_OBJECT)
        return xds_build_object(b, name, into);
    if (b->token.kind != XDS_TOKEN_STRING)
        return xds_builder_mismatch(b, name, "a duration such as \"1.5s\"", "");
    text = plain_text(b);
    if (!xds_scalar_duration(text, &duration->seconds, &duration->nanos))
        xds_builder_report(b, &b->token, XDS_R_DECODE_DURATION,
                           "\"%s\": \"%.*s\" is not a duration: write seconds with the "
                           "suffix s, such as \"1.5s\"",
                           name, XDS_FMT(xds_builder_value(name, text)));
    return true;
}

static bool build_timestamp(struct xds_builder *b, const char *name,
                            ProtobufCMessage *into)
{
    pb_timestamp *timestamp = (pb_timestamp *)into;
    struct xds_slice text;

    if (b->token.kind == XDS_TOKEN_OBJECT)
        return xds_build_object(b, name, into);
    if (b->token.kind != XDS_TOKEN_STRING)
        return xds_builder_mismatch(b, name, "a time such as \"2026-01-31T12:00:00Z\"",
                                    "");
    text = plain_text(b);
    if (!xds_scalar_timestamp(text, &timestamp->seconds, &timestamp->nanos))
        xds_builder_report(
            b, &b->token, XDS_R_DECODE_TIMESTAMP,
            "\"%s\": \"%.*s\" is not an RFC 3339 time such as \"2026-01-31T12:00:00Z\"",
            name, XDS_FMT(xds_builder_value(name, text)));
    return true;
}

/* "a.fooBar" as a.foo_bar, in the arena; NULL when that is no path. */
static char *snake_path(struct xds_slice camel, struct xds_arena *arena)
{
    char *path = xds_arena_alloc(arena, 2 * camel.len + 1);
    bool name_begins = true;
    size_t n = 0;

    for (size_t i = 0; i < camel.len; i++) {
        const char c = camel.data[i], low = xds_ascii_lower(c);
        const bool dot = c == '.', digit = xds_ascii_digit(c);

        if (name_begins ? !xds_ascii_alpha(c) : !xds_ascii_alpha(c) && !digit && !dot)
            return NULL;
        if (low != c)
            path[n++] = '_';
        path[n++] = low;
        name_begins = dot;
    }
    path[n] = '\0';
    return name_begins ? NULL : path;
}

static bool read_field_mask(struct xds_slice text, struct xds_arena *arena,
                            pb_field_mask *mask)
{
    size_t most = 1;

    if (text.len == 0)
        return true;
    for (size_t i = 0; i < text.len; i++)
        most += text.data[i] == ',';
    mask->paths = XDS_NEW_ARRAY(arena, char *, most);
    for (struct xds_slice path; text.data;) {
        text = xds_slice_cut(text, ',', &path);
        char *snake = snake_path(path, arena);
        if (!snake)
            return false;
        mask->paths[mask->n_paths++] = snake;
    }
    return true;
}

static bool build_field_mask(struct xds_builder *b, const char *name,
                             ProtobufCMessage *into)
{
    struct xds_slice text;

    if (b->token.kind == XDS_TOKEN_OBJECT)
        return xds_build_object(b, name, into);
    if (b->token.kind != XDS_TOKEN_STRING)
        return xds_builder_mismatch(b, name, "paths such as \"name,fooBar.baz\"", "");
    text = plain_text(b);
    if (!read_field_mask(text, b->arena, (pb_field_mask *)into))
        xds_builder_report(b, &b->token, XDS_R_DECODE_FIELD_MASK,
                           "\"%s\": \"%.*s\" is not a list of paths such as "
                           "\"name,fooBar.baz\"",
                           name, XDS_FMT(xds_builder_value(name, text)));
    return true;
}

/* Other messages without fields are those that no client reads; in this one, every key is
 * unknown. */
static bool build_empty(struct xds_builder *b, const char *name, ProtobufCMessage *into)
{
    if (b->token.kind != XDS_TOKEN_OBJECT)
        return xds_builder_mismatch(b, name, "an empty object", "");
    return xds_build_members(b, into, XDS_AT_TYPE_ALIEN);
}

/* Struct and ListValue are their only field. */
static bool build_struct(struct xds_builder *b, const char *name, ProtobufCMessage *into)
{
    if (b->token.kind != XDS_TOKEN_OBJECT)
        return xds_builder_mismatch(b, name, "an object", "");
    return xds_build_field(b, name, &into->descriptor->fields[0], into);
}

static bool build_list_value(struct xds_builder *b, const char *name,
                             ProtobufCMessage *into)
{
    if (b->token.kind != XDS_TOKEN_ARRAY)
        return xds_builder_mismatch(b, name, "a list", "");
    return xds_build_field(b, name, &into->descriptor->fields[0], into);
}

/* The arm of Value's oneof that each kind of token sets, as a field number; 0 is none. */
static const unsigned value_arm[] = {
    [XDS_TOKEN_OBJECT] = GOOGLE__PROTOBUF__VALUE__KIND_STRUCT_VALUE,
    [XDS_TOKEN_OBJECT_END] = 0,
    [XDS_TOKEN_ARRAY] = GOOGLE__PROTOBUF__VALUE__KIND_LIST_VALUE,
    [XDS_TOKEN_ARRAY_END] = 0,
    [XDS_TOKEN_KEY] = 0,
    [XDS_TOKEN_STRING] = GOOGLE__PROTOBUF__VALUE__KIND_STRING_VALUE,
    [XDS_TOKEN_NUMBER] = GOOGLE__PROTOBUF__VALUE__KIND_NUMBER_VALUE,
    [XDS_TOKEN_TRUE] = GOOGLE__PROTOBUF__VALUE__KIND_BOOL_VALUE,
    [XDS_TOKEN_FALSE] = GOOGLE__PROTOBUF__VALUE__KIND_BOOL_VALUE,
    [XDS_TOKEN_NULL] = GOOGLE__PROTOBUF__VALUE__KIND_NULL_VALUE,
    [XDS_TOKEN_WORD] = 0,
    [XDS_TOKEN_END] = 0,
    [XDS_TOKEN_ERROR] = 0,
};

static bool build_any_value(struct xds_builder *b, const char *name,
                            ProtobufCMessage *into)
{
    const unsigned arm = value_arm[b->token.kind];

    for (unsigned i = 0; i < into->descriptor->n_fields; i++)
        if (into->descriptor->fields[i].id == arm)
            return xds_build_field(b, name, &into->descriptor->fields[i], into);
    return xds_builder_mismatch(b, name, "a value", "");
}

/* How a message with a JSON form of its own is read. */
typedef bool well_known_fn(struct xds_builder *b, const char *name,
                           ProtobufCMessage *into);

static const struct {
    const ProtobufCMessageDescriptor *type;
    well_known_fn *build;
} well_known[] = {
    {&google__protobuf__duration__descriptor, build_duration},
    {&google__protobuf__uint32_value__descriptor, build_wrapper},
    {&google__protobuf__bool_value__descriptor, build_wrapper},
    {&google__protobuf__uint64_value__descriptor, build_wrapper},
    {&google__protobuf__int32_value__descriptor, build_wrapper},
    {&google__protobuf__int64_value__descriptor, build_wrapper},
    {&google__protobuf__double_value__descriptor, build_wrapper},
    {&google__protobuf__float_value__descriptor, build_wrapper},
    {&google__protobuf__string_value__descriptor, build_wrapper},
    {&google__protobuf__bytes_value__descriptor, build_wrapper},
    {&google__protobuf__value__descriptor, build_any_value},
    {&google__protobuf__struct__descriptor, build_struct},
    {&google__protobuf__list_value__descriptor, build_list_value},
    {&google__protobuf__timestamp__descriptor, build_timestamp},
    {&google__protobuf__field_mask__descriptor, build_field_mask},
    {&google__protobuf__empty__descriptor, build_empty},
};

static well_known_fn *find_well_known(const ProtobufCMessageDescriptor *type)
{
    /* Most messages are Envoy's: one character tells. */
    if (type->package_name[0] != 'g')
        return NULL;
    for (size_t i = 0; i < XDS_ARRAY_LEN(well_known); i++)
        if (well_known[i].type == type)
            return well_known[i].build;
    return NULL;
}

/* The same for the text that is read: in text proto, only an empty message is special. */
static well_known_fn *well_known_of(const struct xds_builder *b,
                                    const ProtobufCMessageDescriptor *type)
{
    if (b->plain && type != &google__protobuf__empty__descriptor)
        return NULL;
    return find_well_known(type);
}

void xds_any_set_type(struct xds_any *any, struct xds_slice type_url)
{
    memcpy(&any->pb.type_url, &type_url.data, sizeof type_url.data);
    any->type = xds_any_type_name(type_url);
    any->state = XDS_ANY_UNKNOWN;
}

/* ---- the type ---- */

enum type_found { TYPE_NONE, TYPE_EMPTY_OBJECT, TYPE_FIRST, TYPE_LATER, TYPE_BROKEN };

/* The value of "@type", in b->token. */
static bool read_url(struct xds_builder *b, struct xds_slice *type_url)
{
    if (b->token.kind == XDS_TOKEN_STRING) {
        *type_url = xds_token_unescape(&b->token, b->arena);
        return true;
    }
    *type_url = XDS_S("");
    return xds_builder_mismatch(b, "@type", "a string", "");
}

/* Look through the object whose brace was read. When "@type" is its first key the tokens
 * stay after that, or else they go back to after the brace. */
static enum type_found find_type(struct xds_builder *b, struct xds_slice *type_url)
{
    const struct xds_tokens brace = b->tokens;

    for (size_t i = 0;; i++) {
        if (!xds_builder_next(b))
            return TYPE_BROKEN;
        if (b->token.kind == XDS_TOKEN_OBJECT_END)
            return i == 0 ? TYPE_EMPTY_OBJECT : TYPE_NONE;
        const bool is_type = xds_token_is(&b->token, "@type");
        if (!xds_builder_next(b))
            return TYPE_BROKEN;
        if (is_type && !read_url(b, type_url))
            return TYPE_BROKEN;
        if (is_type && i > 0)
            b->tokens = brace;
        if (is_type)
            return i == 0 ? TYPE_FIRST : TYPE_LATER;
        if (!xds_builder_skip(b))
            return TYPE_BROKEN;
    }
}

/* ---- the content ---- */

/* The keys of {"@type": ..., "value": ...} that were read. */
struct wrapped_seen {
    bool type, value;
};

/* Note a key; true when it was already there (reported). */
static bool again(struct xds_builder *b, bool *seen)
{
    const bool before = *seen;

    *seen = true;
    if (before)
        xds_builder_duplicate(b, &b->token, b->token.text);
    return before;
}

/* One key, in b->token, and its value. */
static bool build_wrapped(struct xds_builder *b, ProtobufCMessage *into,
                          well_known_fn *build, struct wrapped_seen *seen)
{
    if (xds_token_is(&b->token, "value") && !again(b, &seen->value))
        return xds_builder_next(b) && build(b, "value", into);
    if (xds_token_is(&b->token, "@type"))
        again(b, &seen->type);
    else if (!xds_token_is(&b->token, "value"))
        xds_builder_unknown(b, &b->token, into->descriptor, b->token.text, false);
    return xds_builder_next(b) && xds_builder_skip(b);
}

/* A well-known type in an Any has its own JSON form under the key "value". */
static bool build_well_known(struct xds_builder *b, ProtobufCMessage *into,
                             well_known_fn *build, enum xds_at_type at_type)
{
    struct wrapped_seen seen = {.type = at_type == XDS_AT_TYPE_READ};

    for (;;) {
        if (!xds_builder_next(b))
            return false;
        if (b->token.kind == XDS_TOKEN_OBJECT_END)
            return true;
        if (!build_wrapped(b, into, build, &seen))
            return false;
    }
}

/* Is "@value" the next key but "@type"? The tokens stay after it then, and else where
 * they are. */
static bool find_bytes(struct xds_builder *b)
{
    const struct xds_tokens mark = b->tokens;
    struct xds_token token;

    xds_tokens_next(&b->tokens, &token);
    if (token.kind == XDS_TOKEN_KEY && xds_token_is(&token, "@type")) {
        xds_tokens_next(&b->tokens, &token);
        xds_tokens_next(&b->tokens, &token);
    }
    if (token.kind == XDS_TOKEN_KEY && xds_token_is(&token, "@value"))
        return true;
    b->tokens = mark;
    return false;
}

/* What is in a message that is declared empty, for who writes it again: read as what it
 * is declared as elsewhere. False, and nothing has changed, when it does not fit that. */
static bool build_unread(struct xds_builder *b, const ProtobufCMessageDescriptor *type,
                         enum xds_at_type at_type, ProtobufCMessage **out)
{
    struct xds_builder trial = *b;

    trial.quiet = trial.ok = true;
    ProtobufCMessage *message = xds_build_new(b, type);
    if (!xds_build_members(&trial, message, at_type) || !trial.ok)
        return false;
    trial.quiet = b->quiet;
    trial.ok = b->ok;
    *b = trial;
    *out = message;
    return true;
}

/* The bytes of an Any. */
static void decode_bytes(struct xds_builder *b, ProtobufCBinaryData bytes,
                         struct xds_any *any)
{
    xds_decode_any(b->arena, b->differences, xds_slice_of(any->pb.type_url),
                   xds_slice_make((const char *)bytes.data, bytes.len), any, b->kept);
    b->met |= any->met;
}

/* The fields of an Any of a text proto that is not written out. */
static bool build_closed(struct xds_builder *b, struct xds_any *any)
{
    if (!xds_build_members(b, &any->pb.base, XDS_AT_TYPE_ALIEN))
        return false;
    const ProtobufCMessage more = any->pb.base;

    decode_bytes(b, any->pb.value, any);
    any->pb.base.n_unknown_fields = more.n_unknown_fields;
    any->pb.base.unknown_fields = more.unknown_fields;
    return true;
}

/* What is in an object that has no fields for it. */
static bool skip_opaque(struct xds_builder *b, const void *message)
{
    xds_kept_add(b->kept, message, &b->tokens);
    return skip_members(b);
}

bool xds_build_any_content(struct xds_builder *b, struct xds_any *any,
                           enum xds_at_type at_type)
{
    const ProtobufCMessageDescriptor *type = xds_any_registry(any->type);

    if (!b->plain && find_bytes(b)) {
        /* The value of "@value", and the end of its object: an Any whose bytes are known,
         * as grpcurl writes one. */
        const ProtobufCFieldDescriptor *value = &any->pb.base.descriptor->fields[1];
        ProtobufCBinaryData bytes = {0, NULL};

        if (!xds_builder_next(b) || !xds_build_value(b, "@value", value, &bytes) ||
            !skip_members(b))
            return false;
        decode_bytes(b, bytes, any);
        return true;
    }
    if (!type)
        return skip_opaque(b, any);
    ProtobufCMessage *message = xds_build_new(b, type);
    any->message = message;
    any->state = XDS_ANY_TYPED;
    well_known_fn *build = find_well_known(type);
    if (build && !b->plain)
        return build_well_known(b, message, build, at_type);
    if (type->n_fields > 0 || build)
        return xds_build_members(b, message, at_type);
    if (b->kept &&
        build_unread(b, xds_unread_type(&b->kept->types, type), at_type, &message)) {
        any->message = message;
        return true;
    }
    return skip_opaque(b, message);
}

static bool build_any(struct xds_builder *b, const char *name, pb_any **out)
{
    const struct xds_token open = b->token;
    const struct xds_tokens brace = b->tokens;
    struct xds_slice type_url = XDS_S("");

    if (b->token.kind != XDS_TOKEN_OBJECT)
        return xds_builder_mismatch(b, name, "an object with \"@type\"", "");
    struct xds_any *any = XDS_NEW(b->arena, struct xds_any);
    google__protobuf__any__init(&any->pb);
    *out = &any->pb;
    const enum type_found found = find_type(b, &type_url);
    xds_any_set_type(any, type_url);
    switch (found) {
    case TYPE_NONE:
        if (b->plain) {
            b->tokens = brace;
            return build_closed(b, any);
        }
        xds_builder_report(b, &open, XDS_R_DECODE_ANY_TYPE,
                           "\"%s\" needs a key \"@type\" with the type of its message",
                           name);
        return true;
    case TYPE_EMPTY_OBJECT:
        return true;
    case TYPE_FIRST:
        return xds_build_any_content(b, any, XDS_AT_TYPE_READ);
    case TYPE_LATER:
        return xds_build_any_content(b, any, XDS_AT_TYPE_OPEN);
    case TYPE_BROKEN:
        break;
    }
    return false;
}

/* ---- messages of any type ---- */

static bool build_message(struct xds_builder *b, const char *name,
                          const ProtobufCFieldDescriptor *field, void *slot)
{
    const ProtobufCMessageDescriptor *type = field->descriptor;

    if (type == &google__protobuf__any__descriptor)
        return build_any(b, name, slot);
    if (b->kept && type->n_fields == 0 && b->token.kind == XDS_TOKEN_OBJECT &&
        build_unread(b, xds_unread_type(&b->kept->types, type), XDS_AT_TYPE_ALIEN, slot))
        return true;
    ProtobufCMessage *message = xds_build_new(b, type);
    *(ProtobufCMessage **)slot = message;
    well_known_fn *build = well_known_of(b, type);
    return build ? build(b, name, message) : xds_build_object(b, name, message);
}

void xds_builder_init(struct xds_builder *b, const struct xds_resource *in,
                      uint32_t resource, struct xds_report *report,
                      struct xds_arena *arena, struct xds_names *names)
{
    *b = (struct xds_builder){.in = in,
                              .resource = resource,
                              .report = report,
                              .arena = arena,
                              .names = names,
                              .build_message = build_message,
                              .plain = in->format == XDS_FORMAT_TEXT_PROTO,
                              .ok = true};
    if (!names) {
        b->names = xds_arena_alloc(arena, sizeof *b->names);
        xds_names_init(b->names, arena);
    }
    xds_place_cursor_init(&b->cursor, in);
    (void)xds_tokens_of(&b->tokens, in);
}
