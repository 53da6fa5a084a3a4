/*
 * builder.c - tokens of JSON, YAML or text proto to protobuf-c messages, driven by
 * descriptors.
 *
 * Source: proto3 JSON mapping; Protocol Buffers text format.
 */
#include "decode/builder.h"

#include <stdarg.h>

#include "source/token_take.h"

#define EXCERPT 60

static struct xds_place place_of(struct xds_builder *b, const struct xds_token *at)
{
    if (at->line)
        return (struct xds_place){b->in->at.file, at->line, at->column, at->end_line,
                                  at->end_column};
    return xds_place_next(&b->cursor, at->begin, at->end);
}

bool xds_builder_report(struct xds_builder *b, const struct xds_token *at,
                        enum xds_rule_id rule, const char *format, ...)
{
    struct xds_slice message = XDS_S("");
    va_list args;

    va_start(args, format);
    if (!xds_report_is_full(b->report))
        message = xds_arena_vprintf(b->arena, format, args);
    va_end(args);
    b->ok = false;
    return xds_report_at(b->report, xds_rule_row(rule), b->resource, place_of(b, at),
                         "%.*s", XDS_FMT(message));
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
    bool only = false;

    if (b->report->options.allow_unknown_fields) {
        if (b->kept)
            b->kept->n_unknown++;
        return;
    }
    const bool hint = !xds_report_is_full(b->report) &&
                      xds_names_nearest(message, name, b->plain, nearest, &only);
    if (xds_builder_report(
            b, key, XDS_R_DECODE_FIELD, "unknown field \"%.*s\" in %s%s%s%s",
            XDS_FMT(xds_builder_excerpt(name)), message->name,
            hint ? "; did you mean \"" : "", hint ? nearest : "", hint ? "\"?" : "") &&
        only)
        xds_report_add_instead(b->report, xds_slice_of(nearest));
}

void xds_kept_init(struct xds_kept *kept, struct xds_arena *arena)
{
    *kept = (struct xds_kept){.arena = arena};
    xds_strmap_init(&kept->content, arena);
}

/* The address is the key. */
static struct xds_slice key_of(const void *const *message)
{
    return xds_slice_make((const char *)message, sizeof *message);
}

void xds_kept_add(struct xds_kept *kept, const void *message,
                  const struct xds_tokens *members)
{
    if (!kept)
        return;
    struct xds_tokens *copy = XDS_NEW(kept->arena, struct xds_tokens);

    *copy = *members;
    *xds_strmap_at(&kept->content, key_of(&message)) = copy;
}

/* Is there a member besides "@type"? */
static bool has_members(struct xds_tokens tokens)
{
    struct xds_token token;

    for (;;) {
        xds_tokens_next(&tokens, &token);
        if (token.kind != XDS_TOKEN_KEY)
            return false;
        if (!xds_token_is(&token, "@type"))
            return true;
        xds_tokens_next(&tokens, &token);
    }
}

const struct xds_tokens *xds_kept_find(const struct xds_kept *kept, const void *message)
{
    const struct xds_tokens *found = xds_strmap_get(&kept->content, key_of(&message));

    return found && has_members(*found) ? found : NULL;
}

size_t xds_kept_count(const struct xds_kept *kept)
{
    size_t n = 0;

    for (size_t i = 0; i < kept->content.cap; i++) {
        const struct xds_strmap_entry *entry = &kept->content.slots[i];

        n += entry->key.data && has_members(*(const struct xds_tokens *)entry->value);
    }
    return n;
}
