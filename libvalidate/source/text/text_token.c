/*
 * text_token.c - characters and scalars of a text proto.
 *
 * Source: Protocol Buffers text format.
 */
#include "source/text/text_token.h"

#include "base/ascii.h"
#include "base/limits.h"
#include "source/text/text_scalar.h"

/* ---- characters ---- */

int xds_text_peek(struct xds_text *t, size_t ahead)
{
    struct xds_buffer *in = t->recorder.in;

    if (!xds_buffer_need(in, t->pos, ahead + 1))
        return XDS_TEXT_NO_CHAR;
    return (unsigned char)in->data[t->pos + ahead - in->begin];
}

/* A '#' outside of a text. */
void xds_text_meet_comment(struct xds_text *t)
{
    struct xds_buffer *in = t->recorder.in;

    if (!t->comments.report)
        return;
    const struct xds_place at = xds_buffer_count(in, t->pos);

    (void)xds_buffer_need(in, t->pos, XDS_COMMENT_REACH);
    xds_comments_met(&t->comments, at, at.line != t->last_line,
                     xds_buffer_from(in, t->pos));
}

int xds_text_next_char(struct xds_text *t)
{
    bool comment = false;

    for (;; t->pos++) {
        t->recorder.in->keep = t->pos;
        const int c = xds_text_peek(t, 0);

        if (c == XDS_TEXT_NO_CHAR)
            return c;
        if (c == '#' && !comment) {
            xds_text_meet_comment(t);
            comment = true;
        }
        if (c == '\n')
            comment = false;
        if (!comment && !xds_ascii_blank((char)c))
            return c;
    }
}

static struct xds_slice text_at(const struct xds_text *t, size_t len)
{
    return xds_buffer_part(t->recorder.in, t->pos, t->pos + len);
}

/* ---- places and faults ---- */

void xds_text_begin(struct xds_text *t, struct xds_token *out)
{
    t->recorder.in->keep = t->pos;
    const struct xds_place at = xds_buffer_count(t->recorder.in, t->pos);

    *out = (struct xds_token){.line = at.line, .column = at.column};
    t->token = t->pos;
}

void xds_text_end_comment(struct xds_text *t, struct xds_token *out)
{
    const struct xds_place at = xds_buffer_count(t->recorder.in, t->pos);

    out->end_line = at.line;
    out->end_column = at.column;
}

void xds_text_end(struct xds_text *t, struct xds_token *out)
{
    xds_text_end_comment(t, out);
    t->last_line = out->end_line;
    if (t->pos > t->token) /* the message of the file has no brace that is written */
        xds_comments_content(&t->comments, out->end_line);
}

void xds_text_fault(struct xds_text *t, struct xds_token *out, bool begun,
                    const char *what)
{
    const struct xds_source_fault too_large =
        xds_fault_too_large((struct xds_place){0}, XDS_TOO_MANY_BYTES);
    const bool full = t->recorder.in->full;

    if (!begun) {
        xds_text_begin(t, out);
        t->pos += xds_text_peek(t, 0) != XDS_TEXT_NO_CHAR;
    }
    xds_text_end(t, out);
    out->kind = XDS_TOKEN_ERROR;
    out->text = full ? xds_slice_of(too_large.text)
                     : xds_arena_printf(&t->document, "invalid text proto: %s", what);
    out->begin = full ? too_large.rule : XDS_R_SRC_TEXT;
    t->error = *out;
    t->recorder.over = true;
}

void xds_text_add_pending(struct xds_text *t, enum xds_token_kind kind,
                          struct xds_slice text, const struct xds_token *at)
{
    struct xds_token token = *at;

    token.kind = kind;
    token.text = text;
    t->pending[t->n_pending++] = token;
}

/* ---- strings ---- */

/* The length of the literal at the present place, with its quotes; 0 when it has no end.
 */
static size_t literal_len(struct xds_text *t)
{
    const int quote = xds_text_peek(t, 0);

    for (size_t n = 1;; n++) {
        const int c = xds_text_peek(t, n);

        if (c == XDS_TEXT_NO_CHAR || c == '\n')
            return 0;
        if (c == quote)
            return n + 1;
        n += c == '\\';
    }
}

static bool bad_escape(struct xds_text *t, struct xds_token *out, size_t at)
{
    t->pos += 1 + at;
    xds_text_begin(t, out);
    t->pos++;
    t->pos += xds_text_peek(t, 0) != XDS_TEXT_NO_CHAR;
    xds_text_fault(
        t, out, true,
        "a backslash must be followed by one of a b f n r t v \\ ' \" ?, by up "
        "to three octal digits, or by x, u or U and hexadecimal digits");
    return false;
}

/* The bytes of a string that is put together. */
struct grown {
    char *data;
    size_t n, room;
};

static char *grow(struct xds_text *t, struct grown *string, size_t more)
{
    const size_t least = string->n + more + 1;

    if (least > string->room) {
        string->room = least > 2 * string->room ? least : 2 * string->room;
        char *data = xds_arena_alloc(&t->texts, string->room);
        if (string->n)
            memcpy(data, string->data, string->n);
        string->data = data;
    }
    return string->data + string->n;
}

/* Put what the literal at the present place means after the rest of the string. */
static bool add_literal(struct xds_text *t, struct xds_token *out, struct grown *string)
{
    size_t fault;

    t->recorder.in->keep = t->pos;
    const size_t len = literal_len(t);
    if (len == 0) {
        xds_text_fault(t, out, false, "the string has no closing quote on its line");
        return false;
    }
    const struct xds_slice inside = xds_slice_from(text_at(t, len - 1), 1);
    string->n += xds_text_unescape(inside, grow(t, string, inside.len), &fault);
    if (fault < inside.len)
        return bad_escape(t, out, fault);
    t->pos += len;
    xds_text_end(t, out);
    t->recorder.in->full = string->n > XDS_MAX_RESOURCE_BYTES;
    if (t->recorder.in->full)
        xds_text_fault(t, out, true, "");
    return !t->recorder.in->full;
}

/* Literals that follow each other are one string. */
static void scan_string(struct xds_text *t, struct xds_token *out)
{
    struct grown string = {NULL, 0, 0};
    int c;

    out->kind = XDS_TOKEN_STRING;
    do {
        if (!add_literal(t, out, &string))
            return;
        c = xds_text_next_char(t);
    } while (c == '"' || c == '\'');
    out->text = xds_slice_make(string.data, string.n);
}

/* ---- words and numbers ---- */

size_t xds_text_name(struct xds_text *t)
{
    size_t n = 0;

    for (;; n++) {
        const int c = xds_text_peek(t, n);

        if (c == XDS_TEXT_NO_CHAR ||
            (!xds_ascii_alpha((char)c) && c != '_' && !xds_ascii_digit((char)c)))
            return n;
    }
}

/* A number continues over points, and over signs after an e that is no digit. */
static size_t number_len(struct xds_text *t)
{
    const bool hex = xds_text_peek(t, 0) == '0' && (xds_text_peek(t, 1) | 0x20) == 'x';
    size_t n = 0;
    int before = 0;

    for (;; n++) {
        const int c = xds_text_peek(t, n);
        const bool sign = (c == '+' || c == '-') && (before | 0x20) == 'e' && !hex;

        if (c == XDS_TEXT_NO_CHAR ||
            (!xds_ascii_alpha((char)c) && !xds_ascii_digit((char)c) && c != '_' &&
             c != '.' && !sign))
            return n;
        before = c;
    }
}

static void scan_number(struct xds_text *t, struct xds_token *out)
{
    const size_t len = number_len(t);
    const bool good = xds_text_number(text_at(t, len), &t->texts, &out->text);

    t->pos += len;
    if (good)
        xds_text_end(t, out);
    else
        xds_text_fault(t, out, true,
                       "not a number: decimal numbers have no leading zeros, octal ones "
                       "begin with 0, hexadecimal ones with 0x");
    if (good)
        out->kind = XDS_TOKEN_NUMBER;
}

static void scan_word(struct xds_text *t, struct xds_token *out)
{
    const size_t len = xds_text_name(t);

    out->kind = XDS_TOKEN_WORD;
    out->text = text_at(t, len);
    t->pos += len;
    xds_text_end(t, out);
}

static void scan_plain(struct xds_text *t, struct xds_token *out, int c)
{
    if (xds_ascii_digit((char)c) || c == '.')
        scan_number(t, out);
    else if (xds_ascii_alpha((char)c) || c == '_')
        scan_word(t, out);
    else
        xds_text_fault(t, out, false,
                       "expected a value: a string in quotes, a number, a name, a "
                       "message or a list");
}

void xds_text_scalar(struct xds_text *t, struct xds_token *out, int c)
{
    xds_arena_reset(&t->texts);
    xds_text_begin(t, out);
    if (c == '"' || c == '\'') {
        scan_string(t, out);
        return;
    }
    if (c != '-') {
        scan_plain(t, out, c);
        return;
    }
    t->pos++;
    scan_plain(t, out, xds_text_next_char(t));
    if (out->kind != XDS_TOKEN_ERROR)
        out->text = xds_arena_concat(&t->texts, XDS_S("-"), out->text);
}
