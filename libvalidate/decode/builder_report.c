/*
 * builder_report.c - what the builder says of tokens that fit no message.
 */
#include "decode/builder.h"

#include <stdarg.h>

#define EXCERPT 60

static bool report(struct xds_builder *b, const struct xds_token *at,
                   enum xds_rule_id rule, const char *format, va_list args)
{
    struct xds_slice message = XDS_S("");

    b->ok = false;
    if (b->quiet)
        return false;
    if (!xds_report_is_full(b->report))
        message = xds_arena_vprintf(b->arena, format, args);
    return xds_report_at(b->report, xds_rule_row(rule), b->resource,
                         xds_place_of_token(&b->cursor, at), "%.*s", XDS_FMT(message));
}

bool xds_builder_report(struct xds_builder *b, const struct xds_token *at,
                        enum xds_rule_id rule, const char *format, ...)
{
    va_list args;

    va_start(args, format);
    const bool added = report(b, at, rule, format, args);

    va_end(args);
    return added;
}

bool xds_builder_no_field(struct xds_builder *b, const struct xds_token *at,
                          const char *format, ...)
{
    va_list args;

    va_start(args, format);
    const bool added = report(b, at, XDS_R_DECODE_FIELD, format, args);

    va_end(args);
    return added;
}

void xds_builder_no_bytes(struct xds_builder *b, const char *name, const char *what)
{
    if (name)
        what = xds_report_is_full(b->report)
                   ? ""
                   : xds_arena_printf(b->arena, "\"%s\" %s", name, what).data;
    xds_builder_report(b, &b->token, XDS_R_DECODE_BASE64, "%s", what);
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

void xds_builder_duplicate(struct xds_builder *b, const struct xds_token *key,
                           struct xds_slice name)
{
    xds_builder_report(b, key, XDS_R_DECODE_DUPLICATE, "duplicate key \"%.*s\"",
                       XDS_FMT(xds_builder_excerpt(name)));
}

/* What took the place of a field of xDS v2; NULL when it was none. */
static const char *instead_of(const ProtobufCMessageDescriptor *message,
                              struct xds_slice name)
{
    static const struct {
        const char *message, *field, *instead;
    } rows[] = {
#define XDS_REMOVED(message, field, instead) {message, field, instead},
#include "decode/removed.def"
    };

    for (size_t i = 0; i < XDS_ARRAY_LEN(rows); i++) {
        char camel[XDS_MAX_NAME];

        if (strcmp(message->name, rows[i].message) != 0)
            continue;
        xds_names_camel(rows[i].field, camel);
        if (xds_slice_is(name, rows[i].field) || xds_slice_is(name, camel))
            return rows[i].instead;
    }
    return NULL;
}

/* Whether the finding was added. */
static bool report_removed(struct xds_builder *b, const struct xds_token *key,
                           const ProtobufCMessageDescriptor *message,
                           struct xds_slice name)
{
    const char *instead =
        xds_report_is_full(b->report) ? NULL : instead_of(message, name);

    if (!instead)
        return false;
    xds_builder_no_field(b, key, "field \"%.*s\" of xDS v2 is not in %s%s%s%s",
                         XDS_FMT(xds_builder_name(message, name, false)), message->name,
                         *instead ? "; use \"" : "", instead, *instead ? "\"" : "");
    return true;
}

static const char go_words[] =
    "; JSON of Go structs, by encoding/json, is not xDS: print "
    "the resource with protojson";

/* protobuf's JSON has no such names: Go's encoding/json has those of oneofs. */
static bool is_go(struct xds_slice name)
{
    return name.len > 1 && name.data[0] >= 'A' && name.data[0] <= 'Z' &&
           name.data[1] >= 'a' && name.data[1] <= 'z';
}

/* Is the value of the key, which comes next, an object with such a name? */
static bool holds_go(const struct xds_builder *b)
{
    struct xds_tokens ahead = b->tokens;
    struct xds_token token;

    xds_tokens_next(&ahead, &token);
    if (token.kind != XDS_TOKEN_OBJECT)
        return false;
    for (;;) {
        xds_tokens_next(&ahead, &token);
        if (token.kind != XDS_TOKEN_KEY || is_go(token.text))
            return token.kind == XDS_TOKEN_KEY;
        xds_tokens_next(&ahead, &token);
        const struct xds_token first = token;

        if (!xds_tokens_skip(&ahead, &first, &token))
            return false;
    }
}

/* For an unknown first key, which may be the name of a resource in a map of several. */
static const char *map_words(struct xds_builder *b, const char *message)
{
    static const char *const types[] = {[XDS_TYPE_LISTENER] = "listener",
                                        [XDS_TYPE_ROUTE] = "route",
                                        [XDS_TYPE_CLUSTER] = "cluster",
                                        [XDS_TYPE_ENDPOINT] = "endpoint"};
    const enum xds_resource_type type =
        xds_resource_type_from_name(xds_slice_of(message));

    if (type == XDS_TYPE_UNKNOWN)
        return "";
    if (holds_go(b))
        return go_words;
    return xds_arena_printf(
               b->arena,
               "; if it is the name of a resource, this is a map: judge its "
               "resources one by one: jq -c '.[]' FILE | xdscope lint --type "
               "%s -",
               types[type])
        .data;
}

void xds_builder_unknown(struct xds_builder *b, const struct xds_token *key,
                         const ProtobufCMessageDescriptor *message, struct xds_slice name,
                         bool is_first)
{
    char nearest[XDS_MAX_NAME];
    bool only = false;

    if (b->report->options.allow_unknown_fields && !b->quiet) {
        if (b->kept && b->kept->n_unknown++ == 0) {
            b->kept->unknown_at = xds_place_of_token(&b->cursor, key);
            b->kept->unknown =
                xds_arena_printf(b->arena, "unknown field \"%.*s\" in %s",
                                 XDS_FMT(xds_builder_excerpt(name)), message->name);
        }
        return;
    }
    if (report_removed(b, key, message, name))
        return;
    const bool hint = !is_go(name) && !xds_report_is_full(b->report) &&
                      xds_names_nearest(message, name, b->plain, nearest, &only);
    const char *more = is_go(name) ? go_words
                       : is_first  ? map_words(b, message->name)
                                   : "";

    if (xds_builder_no_field(b, key, "unknown field \"%.*s\" in %s%s%s%s",
                             XDS_FMT(xds_builder_name(message, name, hint)),
                             message->name, hint ? "; did you mean \"" : "",
                             hint ? nearest : more, hint ? "\"?" : "") &&
        only)
        xds_report_add_instead(b->report, xds_slice_of(nearest));
}
