/*
 * builder.c - tokens of JSON, YAML or text proto to protobuf-c messages, driven by
 * descriptors.
 *
 * Source: proto3 JSON mapping; Protocol Buffers text format.
 */
#include "decode/builder.h"

#include "source/token_take.h"

#include <stdarg.h>

#define EXCERPT 60

/* ---- tokens and faults ---- */

void xds_builder_init(struct xds_builder *b, const struct xds_resource *in,
                      uint32_t resource, struct xds_report *report,
                      struct xds_arena *arena, struct xds_names *names)
{
    *b = (struct xds_builder){.in = in,
                              .resource = resource,
                              .report = report,
                              .arena = arena,
                              .names = names,
                              .plain = in->format == XDS_FORMAT_TEXT_PROTO,
                              .ok = true};
    if (!names) {
        b->names = xds_arena_alloc(arena, sizeof *b->names);
        xds_names_init(b->names, arena);
    }
    xds_place_cursor_init(&b->cursor, in);
    if (in->format == XDS_FORMAT_JSON)
        xds_tokens_json(&b->tokens, in->bytes);
    else
        xds_tokens_recorded(&b->tokens, in->format, in->tokens);
}

static struct xds_place place_of(struct xds_builder *b, const struct xds_token *at)
{
    if (at->line)
        return (struct xds_place){b->in->at.file, at->line, at->column, at->end_line,
                                  at->end_column};
    return xds_place_next(&b->cursor, at->begin, at->end);
}

void xds_builder_report(struct xds_builder *b, const struct xds_token *at,
                        enum xds_rule_id rule, const char *format, ...)
{
    struct xds_slice message = XDS_S("");
    va_list args;

    va_start(args, format);
    if (!xds_report_is_full(b->report))
        message = xds_arena_vprintf(b->arena, format, args);
    va_end(args);
    xds_report_at(b->report, xds_rule_row(rule), b->resource, place_of(b, at), "%.*s",
                  XDS_FMT(message));
    b->ok = false;
}

struct xds_slice xds_builder_excerpt(struct xds_slice text)
{
    if (text.len <= EXCERPT)
        return text;
    text.len = EXCERPT;
    while (text.len > 0 && ((unsigned char)text.data[text.len] & 0xC0) == 0x80)
        text.len--;
    return text;
}

/* b->token is where the tokens ended or broke. */
static bool broken(struct xds_builder *b)
{
    if (b->token.kind == XDS_TOKEN_ERROR)
        xds_builder_report(b, &b->token, b->tokens.fault, "%.*s", XDS_FMT(b->token.text));
    b->ok = false;
    return false;
}

bool xds_builder_next(struct xds_builder *b)
{
    xds_tokens_next(&b->tokens, &b->token);
    if (b->token.kind == XDS_TOKEN_ERROR || b->token.kind == XDS_TOKEN_END)
        return broken(b);
    return true;
}

bool xds_builder_skip(struct xds_builder *b)
{
    const struct xds_token first = b->token;

    return xds_tokens_skip(&b->tokens, &first, &b->token) || broken(b);
}

bool xds_builder_skip_members(struct xds_builder *b)
{
    b->token.kind = XDS_TOKEN_OBJECT;
    return xds_builder_skip(b);
}

bool xds_builder_mismatch(struct xds_builder *b, const char *name, const char *due,
                          const char *detail)
{
    static const char *const kinds[] = {
        [XDS_TOKEN_OBJECT] = "an object", [XDS_TOKEN_OBJECT_END] = "the end",
        [XDS_TOKEN_ARRAY] = "a list",     [XDS_TOKEN_ARRAY_END] = "the end",
        [XDS_TOKEN_KEY] = "a key",        [XDS_TOKEN_STRING] = "a string",
        [XDS_TOKEN_NUMBER] = "a number",  [XDS_TOKEN_TRUE] = "true",
        [XDS_TOKEN_FALSE] = "false",      [XDS_TOKEN_NULL] = "null",
        [XDS_TOKEN_WORD] = "a name",      [XDS_TOKEN_END] = "the end",
        [XDS_TOKEN_ERROR] = "an error",
    };

    xds_builder_report(b, &b->token, XDS_R_DECODE_TYPE, "\"%s\" needs %s%s, not %s", name,
                       due, detail, kinds[b->token.kind]);
    return xds_builder_skip(b);
}

void xds_builder_duplicate(struct xds_builder *b, const struct xds_token *key,
                           struct xds_slice name)
{
    xds_builder_report(b, key, XDS_R_DECODE_DUPLICATE, "duplicate key \"%.*s\"",
                       XDS_FMT(xds_builder_excerpt(name)));
}

void xds_builder_unknown(struct xds_builder *b, const struct xds_token *key,
                         const ProtobufCMessageDescriptor *message, struct xds_slice name)
{
    char nearest[XDS_MAX_NAME];

    if (b->report->options.allow_unknown_fields) {
        if (b->kept)
            b->kept->n_unknown++;
        return;
    }
    const bool hint = !xds_report_is_full(b->report) &&
                      xds_names_nearest(message, name, b->plain, nearest);
    xds_builder_report(b, key, XDS_R_DECODE_FIELD, "unknown field \"%.*s\" in %s%s%s%s",
                       XDS_FMT(xds_builder_excerpt(name)), message->name,
                       hint ? "; did you mean \"" : "", hint ? nearest : "",
                       hint ? "\"?" : "");
}

/* ---- fields ---- */

/* null stands for a value only where the type has a null. */
static bool has_null(const ProtobufCFieldDescriptor *field)
{
    return field->descriptor == &google__protobuf__value__descriptor ||
           field->descriptor == &google__protobuf__null_value__descriptor;
}

static const char *field_name(const ProtobufCMessageDescriptor *message, uint32_t id)
{
    for (unsigned i = 0; i < message->n_fields; i++)
        if (message->fields[i].id == id)
            return message->fields[i].name;
    return "";
}

/* Make field the one of its oneof; false (reported) when another one is. */
static bool claim_oneof(struct xds_builder *b, const ProtobufCFieldDescriptor *field,
                        ProtobufCMessage *into)
{
    char *which = (char *)into + field->quantifier_offset;
    uint32_t set;

    memcpy(&set, which, sizeof set);
    if (set == 0) {
        memcpy(which, &field->id, sizeof field->id);
        return true;
    }
    xds_builder_report(b, &b->token, XDS_R_DECODE_ONEOF,
                       "only one of \"%s\" and \"%s\" may be set",
                       field_name(into->descriptor, set), field->name);
    return false;
}

bool xds_build_field(struct xds_builder *b, const char *name,
                     const ProtobufCFieldDescriptor *field, ProtobufCMessage *into)
{
    if (b->token.kind == XDS_TOKEN_NULL && !has_null(field))
        return true;
    if (field->label == PROTOBUF_C_LABEL_REPEATED)
        return xds_build_repeated(b, name, field, into);
    if ((field->flags & PROTOBUF_C_FIELD_FLAG_ONEOF) && !claim_oneof(b, field, into))
        return xds_builder_skip(b);
    return xds_build_value(b, name, field, (char *)into + field->offset);
}

/* ---- members ---- */

/* The keys of one object that were read. */
struct seen {
    uint64_t fields[XDS_MAX_FIELDS / 64];
    bool type;
};

static bool was_seen(const struct seen *seen, size_t i)
{
    return seen->fields[i / 64 % XDS_ARRAY_LEN(seen->fields)] >> (i % 64) & 1;
}

/* True when it was seen before. */
static bool see_field(struct seen *seen, size_t i)
{
    const bool again = was_seen(seen, i);

    seen->fields[i / 64 % XDS_ARRAY_LEN(seen->fields)] |= UINT64_C(1) << (i % 64);
    return again;
}

/* The key that followed last time, if it does now and for the first time in this object:
 * then it need not be looked for, not even be read. Or else NULL, and the tokens stay
 * where they are. */
static struct xds_name *guess_key(struct xds_builder *b, struct xds_name *next,
                                  struct seen *seen)
{
    if (!next || b->plain || was_seen(seen, next->index) ||
        !xds_tokens_take_key(&b->tokens, xds_slice_make(next->quoted, next->len)))
        return NULL;
    see_field(seen, next->index);
    return next;
}

static bool is_at_type(const struct xds_token *key)
{
    return (key->escaped || (key->text.len && key->text.data[0] == '@')) &&
           xds_token_is(key, "@type");
}

/* "@type", whose value was judged before or does not matter. */
static void see_type(struct xds_builder *b, const struct xds_token *key,
                     const ProtobufCMessage *into, enum xds_at_type at_type,
                     struct seen *seen)
{
    if (at_type == XDS_AT_TYPE_ALIEN)
        xds_builder_report(
            b, key, XDS_R_DECODE_AT_TYPE, "%s is not allowed in %s: only an Any has one",
            b->plain ? "a type URL in brackets" : "\"@type\"", into->descriptor->name);
    else if (seen->type)
        xds_builder_duplicate(b, key, XDS_S("@type"));
    seen->type = true;
}

/* The key without escapes; most have none and are not copied. By value: two loads, where
 * a copy through memory waits for the stores of the scanner. */
static struct xds_slice key_text(struct xds_builder *b, const struct xds_token *key)
{
    return key->escaped || key->line ? xds_token_unescape(key, b->arena) : key->text;
}

/* The field that a key names; text proto has no second spelling. */
static struct xds_name *find_field(struct xds_builder *b,
                                   const ProtobufCMessageDescriptor *message,
                                   struct xds_slice key)
{
    struct xds_name *name = xds_names_find(b->names, message, key);

    return name && b->plain && !xds_slice_is(key, name->field->name) ? NULL : name;
}

/* The field that a key names for the first time, or NULL (reported). */
static struct xds_name *see_key(struct xds_builder *b, const struct xds_token *key,
                                const ProtobufCMessage *into, struct seen *seen)
{
    const struct xds_slice text = key_text(b, key);
    struct xds_name *name = find_field(b, into->descriptor, text);

    if (name && (!see_field(seen, name->index) ||
                 (b->plain && name->field->label == PROTOBUF_C_LABEL_REPEATED)))
        return name;
    if (name)
        xds_builder_duplicate(b, key, text);
    else
        xds_builder_unknown(b, key, into->descriptor, text);
    return NULL;
}

/* The field of the key in b->token; NULL when its value is of no interest. */
static struct xds_name *read_key(struct xds_builder *b, const ProtobufCMessage *into,
                                 enum xds_at_type at_type, struct seen *seen)
{
    if (!is_at_type(&b->token))
        return see_key(b, &b->token, into, seen);
    see_type(b, &b->token, into, at_type, seen);
    return NULL;
}

static bool skip_next(struct xds_builder *b)
{
    return xds_builder_next(b) && xds_builder_skip(b);
}

bool xds_build_members(struct xds_builder *b, ProtobufCMessage *into,
                       enum xds_at_type at_type)
{
    struct seen seen = {.type = at_type == XDS_AT_TYPE_READ};
    struct xds_name **next = xds_names_first(b->names, into->descriptor);

    for (;;) {
        struct xds_name *name = guess_key(b, *next, &seen);

        if (!name) {
            if (xds_tokens_take_end(&b->tokens))
                return true;
            if (!xds_builder_next(b))
                return false;
            if (b->token.kind == XDS_TOKEN_OBJECT_END)
                return true;
            name = read_key(b, into, at_type, &seen);
        }
        if (!(name ? xds_build_next_field(b, name, into) : skip_next(b)))
            return false;
        if (!name)
            continue;
        *next = name;
        next = &name->next;
    }
}

/* ---- messages ---- */

bool xds_build_object(struct xds_builder *b, const char *name, ProtobufCMessage *into)
{
    if (b->token.kind != XDS_TOKEN_OBJECT)
        return xds_builder_mismatch(b, name, "an object of ", into->descriptor->name);
    if (into->descriptor->n_fields == 0) {
        xds_kept_add(b->kept, into, &b->tokens);
        return xds_builder_skip(b);
    }
    return xds_build_members(b, into, XDS_AT_TYPE_ALIEN);
}
