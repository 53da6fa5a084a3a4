/*
 * well_known.c - the messages of google.protobuf that have a JSON form of their own.
 *
 * Source: proto3 JSON mapping.
 */
#include "base/ascii.h"
#include "decode/builder.h"
#include "decode/scalar.h"

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
                           name, XDS_FMT(xds_builder_excerpt(text)));
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
            name, XDS_FMT(xds_builder_excerpt(text)));
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
                           name, XDS_FMT(xds_builder_excerpt(text)));
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

static const struct {
    const ProtobufCMessageDescriptor *type;
    xds_well_known_fn *build;
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

xds_well_known_fn *xds_well_known(const ProtobufCMessageDescriptor *type)
{
    /* Most messages are Envoy's: one character tells. */
    if (type->package_name[0] != 'g')
        return NULL;
    for (size_t i = 0; i < XDS_ARRAY_LEN(well_known); i++)
        if (well_known[i].type == type)
            return well_known[i].build;
    return NULL;
}

xds_well_known_fn *xds_builder_well_known(const struct xds_builder *b,
                                          const ProtobufCMessageDescriptor *type)
{
    if (b->plain && type != &google__protobuf__empty__descriptor)
        return NULL;
    return xds_well_known(type);
}
