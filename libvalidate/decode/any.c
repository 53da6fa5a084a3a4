/*
 * any.c - an Any in JSON, YAML or text proto, decoded as the message in it.
 *
 * Source: proto3 JSON mapping: Any; spec G10-G13 judge the type_url afterwards.
 */
#include "decode/builder.h"
#include "decode/wire.h"

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
                          xds_well_known_fn *build, struct wrapped_seen *seen)
{
    if (xds_token_is(&b->token, "value") && !again(b, &seen->value))
        return xds_builder_next(b) && build(b, "value", into);
    if (xds_token_is(&b->token, "@type"))
        again(b, &seen->type);
    else if (!xds_token_is(&b->token, "value"))
        xds_builder_unknown(b, &b->token, into->descriptor, b->token.text);
    return xds_builder_next(b) && xds_builder_skip(b);
}

/* A well-known type in an Any has its own JSON form under the key "value". */
static bool build_well_known(struct xds_builder *b, ProtobufCMessage *into,
                             xds_well_known_fn *build, enum xds_at_type at_type)
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

/* The bytes of an Any. */
static void decode_bytes(struct xds_builder *b, ProtobufCBinaryData bytes,
                         struct xds_any *any)
{
    xds_decode_any(b->arena, b->differences, xds_slice_of(any->pb.type_url),
                   xds_slice_make((const char *)bytes.data, bytes.len), any, b->kept);
    b->met |= any->met;
}

/* The value of "@value", and the end of its object: an Any whose bytes are known, as
 * grpcurl writes one. */
static bool build_bytes(struct xds_builder *b, struct xds_any *any)
{
    const ProtobufCFieldDescriptor *value = &any->pb.base.descriptor->fields[1];
    ProtobufCBinaryData bytes = {0, NULL};

    if (!xds_builder_next(b) || !xds_build_value(b, "@value", value, &bytes) ||
        !xds_builder_skip_members(b))
        return false;
    decode_bytes(b, bytes, any);
    return true;
}

/* What is in an object that has no fields for it. */
static bool skip_opaque(struct xds_builder *b, const void *message)
{
    xds_kept_add(b->kept, message, &b->tokens);
    return xds_builder_skip_members(b);
}

bool xds_build_any_content(struct xds_builder *b, struct xds_any *any,
                           enum xds_at_type at_type)
{
    const ProtobufCMessageDescriptor *type = xds_any_registry(any->type);

    if (!b->plain && find_bytes(b))
        return build_bytes(b, any);
    if (!type)
        return skip_opaque(b, any);
    ProtobufCMessage *message = xds_build_new(b, type);
    any->message = message;
    any->state = XDS_ANY_TYPED;
    xds_well_known_fn *build = xds_well_known(type);
    if (build && !b->plain)
        return build_well_known(b, message, build, at_type);
    if (type->n_fields == 0 && !build)
        return skip_opaque(b, message);
    return xds_build_members(b, message, at_type);
}

/* The fields of an Any of a text proto that is not written out. */
static bool build_packed(struct xds_builder *b, struct xds_any *any)
{
    if (!xds_build_members(b, &any->pb.base, XDS_AT_TYPE_ALIEN))
        return false;
    decode_bytes(b, any->pb.value, any);
    return true;
}

bool xds_build_any(struct xds_builder *b, const char *name, pb_any **out)
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
            return build_packed(b, any);
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
