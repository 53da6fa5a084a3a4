/*
 * json_token.c - bytes and tokens of JSON text; the inside of json_source.c.
 *
 * Fails:  with a fault that ends the document.
 * Source: RFC 8259.
 */
#include "source/json/json_token.h"

void xds_json_fault(struct xds_json *json, size_t at, const char *text)
{
    json->fault_at = at;
    json->reader.fault = (struct xds_source_fault){
        .rule = XDS_R_SRC_JSON, .at = xds_buffer_place(json->in, at), .text = text};
    json->reader.failed = true;
}

void xds_json_too_large(struct xds_json *json, size_t at)
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

size_t xds_json_end(const struct xds_json *json)
{
    return least(json->in->end, json->stop);
}

struct xds_slice xds_json_rest(const struct xds_json *json, size_t at)
{
    return xds_buffer_part(json->in, at, xds_json_end(json));
}

bool xds_json_at_end(const struct xds_json *json)
{
    return json->in->eof || json->stop <= json->in->end;
}

bool xds_json_more(struct xds_json *json)
{
    if (xds_json_at_end(json))
        return false;
    json->in->keep = least(json->now.pos, least(json->hold, json->held));
    return xds_buffer_more(json->in);
}

static bool is_space(char c)
{
    return c == ' ' || c == '\n' || c == '\r' || c == '\t';
}

int xds_json_next_byte(struct xds_json *json)
{
    do {
        const struct xds_slice text = xds_json_rest(json, json->now.pos);
        size_t i = 0;

        while (i < text.len && is_space(text.data[i]))
            i++;
        json->now.pos += i;
        if (i < text.len)
            return (unsigned char)text.data[i];
    } while (xds_json_more(json));
    return XDS_JSON_NO_BYTE;
}

/* ---- tokens ---- */

static void error_token(struct xds_json *json, struct xds_token *out)
{
    *out = (struct xds_token){.kind = XDS_TOKEN_ERROR,
                              .text = xds_slice_of(json->reader.fault.text),
                              .begin = json->fault_at,
                              .end = json->fault_at};
}

void xds_json_ended(struct xds_json *json, const char *text)
{
    if (!json->in->full) {
        xds_json_fault(json, xds_json_end(json), text);
        return;
    }
    xds_json_too_large(json, least(json->token, json->now.pos));
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
        const struct xds_slice text = xds_json_rest(json, begin);

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
    } while (xds_json_more(json));
    return false;
}

/* A string; its text is fetched by finish_text() once nothing more is read. */
static bool read_string(struct xds_json *json, struct xds_token *out)
{
    size_t end;

    json->hold = out->begin;
    if (!find_quote(json, out->begin + 1, &end)) {
        xds_json_ended(json, "invalid JSON: the string is not closed");
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
    const int c = xds_json_next_byte(json);
    if (c == XDS_JSON_NO_BYTE) {
        xds_json_ended(json, "invalid JSON: the text ends before ':'");
        return false;
    }
    if (c != ':') {
        xds_json_fault(json, json->now.pos, "invalid JSON: expected ':' after the key");
        return false;
    }
    json->now.pos++;
    json->now.due = XDS_JSON_VALUE;
    finish_text(json, out);
    return true;
}

void xds_json_value_done(struct xds_json *json)
{
    json->now.due = json->now.depth ? XDS_JSON_NEXT : XDS_JSON_NOTHING;
}

static bool open_container(struct xds_json *json, struct xds_token *out, char bracket)
{
    struct xds_json_state *now = &json->now;

    if (now->depth == XDS_JSON_LEVELS) {
        xds_json_fault(json, out->begin,
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

static bool close_container(struct xds_json *json, struct xds_token *out, char bracket)
{
    struct xds_json_state *now = &json->now;

    out->kind = bracket == '}' ? XDS_TOKEN_OBJECT_END : XDS_TOKEN_ARRAY_END;
    out->end = out->begin + 1;
    now->depth--;
    now->pos++;
    xds_json_value_done(json);
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
        const struct xds_slice text = xds_json_rest(json, json->now.pos);

        while (n < text.len && is_word_byte(text.data[n]))
            n++;
        if (n < text.len)
            break;
    } while (xds_json_more(json));
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
        xds_json_fault(json, out->begin, "invalid JSON: expected a value");
        return false;
    }
    out->text = word;
    out->end = out->begin + n;
    json->now.pos = out->end;
    xds_json_value_done(json);
    return true;
}

static bool read_value(struct xds_json *json, struct xds_token *out, int c)
{
    if (c == '{' || c == '[')
        return open_container(json, out, (char)c);
    if (c != '"')
        return read_word(json, out);
    out->kind = XDS_TOKEN_STRING;
    if (!read_string(json, out))
        return false;
    finish_text(json, out);
    xds_json_value_done(json);
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
            xds_json_fault(json, json->now.pos,
                           object ? "invalid JSON: expected ',' or '}'"
                                  : "invalid JSON: expected ',' or ']'");
            return false;
        }
        json->now.pos++;
        c = xds_json_next_byte(json);
        if (c == XDS_JSON_NO_BYTE) {
            xds_json_ended(json, "invalid JSON: the text ends after a comma");
            return false;
        }
    }
    out->begin = json->now.pos;
    json->token = out->begin;
    if (!object)
        return read_value(json, out, c);
    if (c == '"')
        return read_key(json, out);
    xds_json_fault(json, json->now.pos, "invalid JSON: expected a key in double quotes");
    return false;
}

static bool read_token(struct xds_json *json, struct xds_token *out)
{
    if (json->now.due == XDS_JSON_NOTHING)
        return true;
    const int c = xds_json_next_byte(json);
    if (c == XDS_JSON_NO_BYTE) {
        xds_json_ended(json, "invalid JSON: the text ends inside a value");
        return false;
    }
    out->begin = json->now.pos;
    json->token = out->begin;
    if (json->now.due == XDS_JSON_DOCUMENT || json->now.due == XDS_JSON_VALUE)
        return read_value(json, out, c);
    return read_member(json, out, c);
}

void xds_json_next(struct xds_json *json, struct xds_token *out)
{
    *out = (struct xds_token){.kind = XDS_TOKEN_END};
    json->hold = XDS_JSON_NO_HOLD;
    if (json->reader.failed || !read_token(json, out))
        error_token(json, out);
}
