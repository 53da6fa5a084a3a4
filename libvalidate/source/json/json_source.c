/*
 * json_source.c - documents of JSON text as tokens of the container levels.
 *
 * Fails:  with a fault that ends the document. Where each document has its own line the
 *         next line is read, else the file ends there.
 * Source: RFC 8259, ndjson.
 */
#include "source/json/json_source.h"
#include "source/json/scan.h"

/* A fault that ends the document. */
/* Of a comment that begins there, or NULL. */
static const char *comment_at(const struct xds_json *json, size_t at)
{
    if (at < json->in->begin || at + 1 >= json->in->end)
        return NULL;
    const struct xds_slice text = xds_buffer_part(json->in, at, at + 2);

    return xds_json_comment(text.data[0], text.data[1]);
}

static void fault(struct xds_json *json, size_t at, const char *text)
{
    const char *comment = comment_at(json, at);

    json->fault_at = at;
    json->reader.fault = (struct xds_source_fault){.rule = XDS_R_SRC_JSON,
                                                   .at = xds_buffer_place(json->in, at),
                                                   .text = comment ? comment : text};
    json->reader.failed = true;
}

/* A fault of one value. */
static void too_large(struct xds_json *json, size_t at)
{
    json->fault_at = at;
    json->reader.fault =
        xds_fault_too_large(xds_buffer_place(json->in, at), XDS_TOO_MANY_BYTES);
}

/* ---- bytes ---- */

static size_t least(size_t a, size_t b)
{
    return a < b ? a : b;
}

static size_t end_of_text(const struct xds_json *json)
{
    return least(json->in->end, json->stop);
}

/* The text from an offset on, as far as it is in the window and in the document. */
static struct xds_slice rest(const struct xds_json *json, size_t at)
{
    return xds_buffer_part(json->in, at, end_of_text(json));
}

/* True when nothing of the document follows there. */
static bool at_end(const struct xds_json *json)
{
    return json->in->eof || json->stop <= json->in->end;
}

/* Read on, keeping what a token or a mark still needs; false at the end, or when more
 * than one resource may have would be kept. */
static bool read_more(struct xds_json *json)
{
    if (at_end(json))
        return false;
    json->in->keep = least(json->now.pos, least(json->hold, json->held));
    return xds_buffer_more(json->in);
}

static bool is_space(char c)
{
    return c == ' ' || c == '\n' || c == '\r' || c == '\t';
}

/* The next byte that is no white space, or XDS_JSON_NO_BYTE at the end. */
static int next_byte(struct xds_json *json)
{
    do {
        const struct xds_slice text = rest(json, json->now.pos);
        size_t i = 0;

        while (i < text.len && is_space(text.data[i]))
            i++;
        json->now.pos += i;
        if (i < text.len)
            return (unsigned char)text.data[i];
    } while (read_more(json));
    return XDS_JSON_NO_BYTE;
}

/* ---- tokens ---- */

/* The text ended, or could not be kept any longer, at the present position. */
static void has_ended(struct xds_json *json, const char *text)
{
    if (!json->in->full) {
        fault(json, end_of_text(json), text);
        return;
    }
    too_large(json, least(json->token, json->now.pos));
    json->reader.failed = true;
}

static bool quote_is_escaped(struct xds_slice text, size_t quote)
{
    size_t n = 0;

    while (n < quote && text.data[quote - 1 - n] == '\\')
        n++;
    return n % 2 == 1;
}

/* Offset of the closing quote of a string whose text begins at `begin`; false when there
 * is none. */
static bool find_quote(struct xds_json *json, size_t begin, size_t *end)
{
    size_t done = 0;

    do {
        const struct xds_slice text = rest(json, begin);

        while (done < text.len) {
            const char *quote = memchr(text.data + done, '"', text.len - done);

            if (!quote)
                break;
            done = (size_t)(quote - text.data) + 1;
            if (quote_is_escaped(text, done - 1))
                continue;
            *end = begin + done - 1;
            return true;
        }
        done = text.len;
    } while (read_more(json));
    return false;
}

/* A string; its text is fetched by finish_text() once nothing more is read. */
static bool read_string(struct xds_json *json, struct xds_token *out)
{
    size_t end;

    json->hold = out->begin;
    if (!find_quote(json, out->begin + 1, &end)) {
        has_ended(json, "invalid JSON: the string is not closed");
        return false;
    }
    out->end = end + 1;
    json->now.pos = out->end;
    return true;
}

static void finish_text(const struct xds_json *json, struct xds_token *out)
{
    out->text = xds_buffer_part(json->in, out->begin + 1, out->end - 1);
    out->escaped = out->text.len && memchr(out->text.data, '\\', out->text.len);
}

static bool read_key(struct xds_json *json, struct xds_token *out)
{
    out->kind = XDS_TOKEN_KEY;
    if (!read_string(json, out))
        return false;
    const int c = next_byte(json);
    if (c == XDS_JSON_NO_BYTE) {
        has_ended(json, "invalid JSON: the text ends before ':'");
        return false;
    }
    if (c != ':') {
        fault(json, json->now.pos, "invalid JSON: expected ':' after the key");
        return false;
    }
    json->now.pos++;
    json->now.due = XDS_JSON_VALUE;
    finish_text(json, out);
    return true;
}

/* A value was read: what may follow it? */
static void value_done(struct xds_json *json)
{
    json->now.due = json->now.depth ? XDS_JSON_NEXT : XDS_JSON_NOTHING;
}

static bool close_container(struct xds_json *json, struct xds_token *out, char bracket)
{
    struct xds_json_state *now = &json->now;

    out->kind = bracket == '}' ? XDS_TOKEN_OBJECT_END : XDS_TOKEN_ARRAY_END;
    out->end = out->begin + 1;
    now->depth--;
    now->pos++;
    value_done(json);
    return true;
}

static bool is_word_byte(char c)
{
    return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') ||
           c == '+' || c == '-' || c == '.' || c == '_';
}

static size_t word_length(struct xds_json *json)
{
    size_t n = 0;

    do {
        const struct xds_slice text = rest(json, json->now.pos);

        while (n < text.len && is_word_byte(text.data[n]))
            n++;
        if (n < text.len)
            break;
    } while (read_more(json));
    return n;
}

static bool is_number(struct xds_slice word)
{
    const char first = word.len ? word.data[0] : '\0';

    return first == '-' || (first >= '0' && first <= '9');
}

static bool read_word(struct xds_json *json, struct xds_token *out)
{
    static const struct {
        const char *text;
        enum xds_token_kind kind;
    } words[] = {
        {"true", XDS_TOKEN_TRUE}, {"false", XDS_TOKEN_FALSE}, {"null", XDS_TOKEN_NULL}};
    const size_t n = word_length(json);
    const struct xds_slice word = xds_buffer_part(json->in, out->begin, out->begin + n);

    out->kind = is_number(word) ? XDS_TOKEN_NUMBER : XDS_TOKEN_ERROR;
    for (size_t i = 0; i < XDS_ARRAY_LEN(words); i++) {
        if (xds_slice_is(word, words[i].text))
            out->kind = words[i].kind;
    }
    if (out->kind == XDS_TOKEN_ERROR) {
        fault(json, out->begin, "invalid JSON: expected a value");
        return false;
    }
    out->text = word;
    out->end = out->begin + n;
    json->now.pos = out->end;
    value_done(json);
    return true;
}

static bool read_value(struct xds_json *json, struct xds_token *out, int c)
{
    if (c == '{' || c == '[') {
        const char bracket = (char)c;
        struct xds_json_state *now = &json->now;

        if (now->depth == XDS_JSON_LEVELS) {
            fault(json, out->begin,
                  "invalid JSON: containers are nested more than 64 levels deep");
            return false;
        }
        out->kind = bracket == '{' ? XDS_TOKEN_OBJECT : XDS_TOKEN_ARRAY;
        out->end = out->begin + 1;
        json->hold = out->begin; /* from there on it may be skipped or taken */
        now->open[now->depth++] = (unsigned char)bracket;
        now->due = XDS_JSON_FIRST;
        now->pos++;
        return true;
    }
    if (c != '"')
        return read_word(json, out);
    out->kind = XDS_TOKEN_STRING;
    if (!read_string(json, out))
        return false;
    finish_text(json, out);
    value_done(json);
    return true;
}

/* Inside an object or list: c is the byte where a comma, a key, an item or the end is
 * due. */
static bool read_member(struct xds_json *json, struct xds_token *out, int c)
{
    const bool object = json->now.open[json->now.depth - 1] == '{';
    const bool first = json->now.due == XDS_JSON_FIRST;

    if (c == (object ? '}' : ']'))
        return close_container(json, out, (char)c);
    if (!first) {
        if (c != ',') {
            fault(json, json->now.pos,
                  object ? "invalid JSON: expected ',' or '}'"
                         : "invalid JSON: expected ',' or ']'");
            return false;
        }
        json->now.pos++;
        c = next_byte(json);
        if (c == XDS_JSON_NO_BYTE) {
            has_ended(json, "invalid JSON: the text ends after a comma");
            return false;
        }
    }
    out->begin = json->now.pos;
    json->token = out->begin;
    if (!object)
        return read_value(json, out, c);
    if (c == '"')
        return read_key(json, out);
    fault(json, json->now.pos, "invalid JSON: expected a key in double quotes");
    return false;
}

static bool read_token(struct xds_json *json, struct xds_token *out)
{
    if (json->now.due == XDS_JSON_NOTHING)
        return true;
    const int c = next_byte(json);
    if (c == XDS_JSON_NO_BYTE) {
        has_ended(json, "invalid JSON: the text ends inside a value");
        return false;
    }
    out->begin = json->now.pos;
    json->token = out->begin;
    if (json->now.due == XDS_JSON_DOCUMENT || json->now.due == XDS_JSON_VALUE)
        return read_value(json, out, c);
    return read_member(json, out, c);
}

static void next_token(struct xds_json *json, struct xds_token *out)
{
    *out = (struct xds_token){.kind = XDS_TOKEN_END};
    json->hold = XDS_JSON_NO_HOLD;
    if (json->reader.failed || !read_token(json, out)) {
        *out = (struct xds_token){.kind = XDS_TOKEN_ERROR,
                                  .text = xds_slice_of(json->reader.fault.text),
                                  .begin = json->fault_at,
                                  .end = json->fault_at};
    }
}

static struct xds_json *json_of(struct xds_reader *reader)
{
    return (struct xds_json *)reader;
}

static void json_next(struct xds_reader *reader, struct xds_token *out)
{
    next_token(json_of(reader), out);
}

/* ---- whole values ---- */

/* Follow the brackets from `begin` to the offset after the value. When the value is kept
 * and grows too large it is let go, and a fault is left. */
static bool scan_value(struct xds_json *json, size_t begin, bool *kept, size_t *end)
{
    struct xds_scan scan;
    size_t at = begin, used;

    xds_scan_init(&scan);
    for (;;) {
        const enum xds_scan_result result =
            xds_scan_step(&scan, rest(json, at), at_end(json), &used);

        at += used;
        json->now.pos = at;
        *end = at;
        if (result == XDS_SCAN_DONE)
            return true;
        if (result != XDS_SCAN_MORE) {
            const struct xds_slice bracket = rest(json, at);

            if (result == XDS_SCAN_DEEP)
                fault(json, at, "invalid JSON: nested more than 512 levels deep");
            else
                fault(json, at,
                      *bracket.data == '}' ? "invalid JSON: expected ']', not '}'"
                                           : "invalid JSON: expected '}', not ']'");
            return false;
        }
        if (read_more(json))
            continue;
        if (json->in->full && *kept) {
            too_large(json, begin);
            *kept = false;
            json->in->full = false;
            json->hold = XDS_JSON_NO_HOLD;
            continue;
        }
        /* The last bytes are looked at only once it is known that none follow. */
        if (!json->in->full && at < end_of_text(json))
            continue;
        has_ended(json,
                  "invalid JSON: the text ends here, and a '{' or '[' is not closed");
        return false;
    }
}

/* The bracket itself was read as a token: leave its level. */
static void leave(struct xds_json *json)
{
    json->now.depth--;
    value_done(json);
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
        too_large(json, first->begin);
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

    while (rest(json, json->now.pos).len <= XDS_LOOK_AHEAD) {
        if (!read_more(json))
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
        const struct xds_slice text = rest(json, json->now.pos);
        const size_t at = done + xds_slice_find(xds_slice_from(text, done), '\n');

        if (at < text.len)
            return json->now.pos + at;
        done = text.len;
    } while (read_more(json));
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
    if (next_byte(json) == XDS_JSON_NO_BYTE)
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
