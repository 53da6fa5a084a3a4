/*
 * json_source.c - documents of JSON text as tokens of the container levels.
 *
 * Fails:  with a fault that ends the document. Where each document has its own line the
 *         next line is read, else the file ends there.
 * Source: RFC 8259, ndjson.
 */
#include "source/json/json_token.h"

#include "base/limits.h"
#include "source/json/scan.h"

static struct xds_json *json_of(struct xds_reader *reader)
{
    return (struct xds_json *)reader;
}

static void json_next(struct xds_reader *reader, struct xds_token *out)
{
    xds_json_next(json_of(reader), out);
}

/* ---- whole values ---- */

static void bracket_fault(struct xds_json *json, enum xds_scan_result result, size_t at)
{
    const struct xds_slice bracket = xds_json_rest(json, at);

    if (result == XDS_SCAN_DEEP)
        xds_json_fault(json, at, "invalid JSON: nested more than 512 levels deep");
    else
        xds_json_fault(json, at,
                       *bracket.data == '}' ? "invalid JSON: expected ']', not '}'"
                                            : "invalid JSON: expected '}', not ']'");
}

/* Follow the brackets from `begin` to the offset after the value. When the value is kept
 * and grows too large it is let go, and a fault is left. */
static bool scan_value(struct xds_json *json, size_t begin, bool *kept, size_t *end)
{
    struct xds_scan scan;
    size_t at = begin, used;

    xds_scan_init(&scan);
    for (;;) {
        const enum xds_scan_result result =
            xds_scan_step(&scan, xds_json_rest(json, at), xds_json_at_end(json), &used);

        at += used;
        json->now.pos = at;
        *end = at;
        if (result == XDS_SCAN_DONE)
            return true;
        if (result != XDS_SCAN_MORE) {
            bracket_fault(json, result, at);
            return false;
        }
        if (xds_json_more(json))
            continue;
        if (json->in->full && *kept) {
            xds_json_too_large(json, begin);
            *kept = false;
            json->in->full = false;
            json->hold = XDS_JSON_NO_HOLD;
            continue;
        }
        /* The last bytes are looked at only once it is known that none follow. */
        if (!json->in->full && at < xds_json_end(json))
            continue;
        xds_json_ended(json, "invalid JSON: '{' or '[' is never closed");
        return false;
    }
}

/* The bracket itself was read as a token: leave its level. */
static void leave(struct xds_json *json)
{
    json->now.depth--;
    xds_json_value_done(json);
}

static bool json_skip(struct xds_reader *reader, const struct xds_token *first)
{
    struct xds_json *json = json_of(reader);
    bool kept = false;
    size_t end;

    if (first->kind != XDS_TOKEN_OBJECT && first->kind != XDS_TOKEN_ARRAY)
        return first->kind != XDS_TOKEN_ERROR;
    json->hold = XDS_JSON_NO_HOLD;
    if (!scan_value(json, first->begin, &kept, &end))
        return false;
    leave(json);
    return true;
}

static bool json_take(struct xds_reader *reader, const struct xds_token *first,
                      struct xds_taken *out)
{
    struct xds_json *json = json_of(reader);
    bool kept = true;
    size_t end;

    json->hold = first->begin;
    if (!scan_value(json, first->begin, &kept, &end))
        return false;
    leave(json);
    if (kept && end - first->begin > XDS_MAX_RESOURCE_BYTES) {
        xds_json_too_large(json, first->begin);
        return false;
    }
    if (kept)
        *out = (struct xds_taken){.bytes = xds_buffer_part(json->in, first->begin, end),
                                  .tokens = NULL};
    return kept;
}

static void json_mark(struct xds_reader *reader)
{
    struct xds_json *json = json_of(reader);

    json->marked = json->now;
    json->held = json->token;
}

static void json_rewind(struct xds_reader *reader)
{
    struct xds_json *json = json_of(reader);

    json->now = json->marked;
    json->token = json->held;
    json->held = XDS_JSON_NO_HOLD;
    if (json->in->full)
        reader->failed = json->in->full = false;
}

static bool json_near_end(struct xds_reader *reader)
{
    struct xds_json *json = json_of(reader);

    while (xds_json_rest(json, json->now.pos).len <= XDS_LOOK_AHEAD) {
        if (!xds_json_more(json))
            return true;
    }
    return false;
}

static struct xds_place json_place(struct xds_reader *reader,
                                   const struct xds_token *token)
{
    return xds_buffer_count(json_of(reader)->in, token->begin);
}

/* ---- documents ---- */

static size_t find_newline(struct xds_json *json)
{
    size_t done = 0;

    do {
        const struct xds_slice text = xds_json_rest(json, json->now.pos);
        const size_t at = done + xds_slice_find(xds_slice_from(text, done), '\n');

        if (at < text.len)
            return json->now.pos + at;
        done = text.len;
    } while (xds_json_more(json));
    return SIZE_MAX;
}

/* After a fault, continue with the next line if the document began on the faulty one. */
static bool resume(struct xds_json *json)
{
    const bool had_bracket = json->now.depth > 0;

    if (json->stop == SIZE_MAX &&
        (!had_bracket || json->reader.fault.at.line != json->begin_line))
        return false;
    json->reader.failed = false;
    json->held = json->hold = XDS_JSON_NO_HOLD;
    json->in->full = false;
    if (json->stop != SIZE_MAX) {
        json->now.pos = json->stop;
        return true;
    }
    json->now.pos = json->fault_at;
    json->now.pos = find_newline(json);
    return json->now.pos != SIZE_MAX;
}

static bool json_begin(struct xds_reader *reader)
{
    struct xds_json *json = json_of(reader);

    if (reader->failed && !resume(json))
        return false;
    json->stop = SIZE_MAX;
    json->hold = json->held = XDS_JSON_NO_HOLD;
    json->now.depth = 0;
    if (xds_json_next_byte(json) == XDS_JSON_NO_BYTE)
        return false;
    json->token = json->now.pos;
    json->begin_line = xds_buffer_count(json->in, json->now.pos).line;
    json->now.due = XDS_JSON_DOCUMENT;
    if (json->by_line)
        json->stop = find_newline(json);
    return true;
}

void xds_json_open(struct xds_json *json, struct xds_buffer *in,
                   struct xds_arena *scratch, bool by_line)
{
    static const struct xds_reader_ops ops = {
        .begin = json_begin,
        .next = json_next,
        .skip = json_skip,
        .take = json_take,
        .mark = json_mark,
        .rewind = json_rewind,
        .near_end = json_near_end,
        .place = json_place,
    };

    *json = (struct xds_json){.reader = {.ops = &ops, .scratch = scratch},
                              .in = in,
                              .now = {.pos = xds_buffer_skip_mark(in)},
                              .by_line = by_line,
                              .stop = SIZE_MAX,
                              .hold = XDS_JSON_NO_HOLD,
                              .held = XDS_JSON_NO_HOLD};
}
