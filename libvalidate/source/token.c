/*
 * token.c - JSON text, or tokens that were recorded, one token at a time; what is in
 * strings and numbers of JSON.
 *
 * Fails:  with XDS_TOKEN_ERROR and the row in tokens->fault; asking again gives the same.
 * Source: RFC 8259.
 */
#include "source/token.h"

#include "source/json/scan.h"
#include "source/token_take.h"

void xds_token_list_grow(struct xds_token_list *list)
{
    const size_t cap = list->cap ? list->cap * 2 : 256;
    struct xds_token *items = xds_arena_alloc(list->arena, cap * sizeof list->items[0]);

    if (list->n)
        memcpy(items, list->items, list->n * sizeof list->items[0]);
    list->items = items;
    list->cap = cap;
}

/* Lines are mostly indented by many spaces. */
static size_t spaces_end(const char *text, size_t pos, size_t len)
{
    static const char eight[8] = {' ', ' ', ' ', ' ', ' ', ' ', ' ', ' '};

    while (len - pos >= sizeof eight && memcmp(text + pos, eight, sizeof eight) == 0)
        pos += sizeof eight;
    while (pos < len && text[pos] == ' ')
        pos++;
    return pos;
}

size_t xds_blanks_end(const char *text, size_t pos, size_t len)
{
    while (pos < len && xds_is_blank(text[pos]))
        pos = spaces_end(text, pos + 1, len);
    return pos;
}

/* ---- escapes ---- */

/* The UTF-16 unit of the "\uXXXX" that s begins with; false when it is none. */
static bool read_unit(struct xds_slice s, uint32_t *unit)
{
    *unit = 0;
    if (s.len < 6 || s.data[0] != '\\' || s.data[1] != 'u')
        return false;
    for (size_t i = 2; i < 6; i++) {
        const int digit = xds_ascii_hex(s.data[i]);

        if (digit < 0)
            return false;
        *unit = *unit * 16 + (uint32_t)digit;
    }
    return true;
}

/* The character after the backslash of a short escape, and what it means. */
static bool read_short(struct xds_slice s, uint32_t *code)
{
    static const char from[] = "\"\\/bfnrt", to[] = "\"\\/\b\f\n\r\t";
    const char *at = s.len >= 2 ? memchr(from, s.data[1], sizeof from - 1) : NULL;

    if (at)
        *code = (uint32_t)to[at - from];
    return at != NULL;
}

enum xds_escape xds_json_escape(struct xds_slice s, uint32_t *code, size_t *len)
{
    uint32_t low;

    *len = 2;
    if (read_short(s, code))
        return XDS_ESCAPE_OK;
    if (!read_unit(s, code))
        return XDS_ESCAPE_UNKNOWN;
    *len = 6;
    if (*code < 0xD800 || *code > 0xDFFF) /* no surrogate */
        return XDS_ESCAPE_OK;
    if (*code >= 0xDC00 || !read_unit(xds_slice_from(s, 6), &low) || low < 0xDC00 ||
        low > 0xDFFF)
        return XDS_ESCAPE_LONE_SURROGATE;
    *len = 12;
    *code = 0x10000 + ((*code - 0xD800) << 10) + (low - 0xDC00);
    return XDS_ESCAPE_OK;
}

/* Text whose escapes are all good, without them: never longer than it was. Returns the
 * length; out needs room for text.len. */
static size_t unescape(struct xds_slice text, char *out)
{
    size_t n = 0, len;

    for (size_t at = 0; at < text.len; at += len) {
        uint32_t code;

        len = 1;
        if (text.data[at] != '\\')
            out[n++] = text.data[at];
        else if (xds_json_escape(xds_slice_from(text, at), &code, &len) == XDS_ESCAPE_OK)
            n += xds_utf8_put(out + n, code);
    }
    return n;
}

void xds_tokens_json(struct xds_tokens *tokens, struct xds_slice text)
{
    *tokens = (struct xds_tokens){.format = XDS_FORMAT_JSON,
                                  .due = XDS_DUE_VALUE,
                                  .behind = {XDS_DUE_END},
                                  .text = text.data ? text.data : "",
                                  .len = text.len};
}

void xds_tokens_recorded(struct xds_tokens *tokens, enum xds_format format,
                         const struct xds_token *recorded)
{
    *tokens =
        (struct xds_tokens){.format = format, .due = XDS_DUE_END, .recorded = recorded};
}

void xds_tokens_streamed(struct xds_tokens *tokens, struct xds_token_stream *stream)
{
    *tokens = (struct xds_tokens){
        .format = XDS_FORMAT_YAML, .due = XDS_DUE_END, .stream = stream};
}

/* ---- faults ---- */

static void fail(struct xds_tokens *t, struct xds_token *out, enum xds_rule_id fault,
                 const char *what)
{
    t->fault = fault;
    out->kind = XDS_TOKEN_ERROR;
    out->text = xds_slice_of(what);
}

static void fail_at(struct xds_tokens *t, struct xds_token *out, enum xds_rule_id fault,
                    size_t begin, size_t end, const char *what)
{
    fail(t, out, fault, what);
    out->begin = begin;
    out->end = end;
}

/* How many bytes belong to the word or character at pos. */
static size_t word_len(const struct xds_tokens *t, size_t pos)
{
    size_t end = pos;

    while (end < t->len &&
           (xds_ascii_alpha(t->text[end]) || xds_ascii_digit(t->text[end]) ||
            t->text[end] == '.' || t->text[end] == '+' || t->text[end] == '-'))
        end++;
    if (end == pos && end < t->len)
        end++;
    while (end < t->len && ((unsigned char)t->text[end] & 0xC0) == 0x80)
        end++;
    return end - pos;
}

static char char_at(const struct xds_tokens *t, size_t pos)
{
    return pos < t->len ? t->text[pos] : '\0';
}

const char *xds_json_comment(char first, char second)
{
    return first == '#' || (first == '/' && (second == '/' || second == '*'))
               ? "invalid JSON: a comment begins here, and JSON has none"
               : NULL;
}

/* Something else is due at pos. */
static void unexpected(struct xds_tokens *t, struct xds_token *out, size_t pos,
                       const char *what)
{
    const char *comment = xds_json_comment(char_at(t, pos), char_at(t, pos + 1));

    if (comment)
        what = comment;
    if (pos > t->len)
        pos = t->len;
    fail_at(t, out, XDS_R_JSON_SYNTAX, pos, pos + word_len(t, pos),
            pos < t->len ? what
                         : "invalid JSON: the text ends before the value is complete");
}

_Static_assert(XDS_MAX_NESTING == 100, "the message below says so");

static void fail_nesting(struct xds_tokens *t, struct xds_token *out)
{
    fail(t, out, XDS_R_DECODE_NESTING,
         "the input nests objects and lists more than 100 levels deep");
}

/* ---- strings ---- */

/* Check the escape at pos; its length, or 0 when a fault was put into *out. */
static size_t check_escape(struct xds_tokens *t, struct xds_token *out, size_t pos)
{
    const struct xds_slice rest = {t->text + pos, t->len - pos};
    uint32_t code;
    size_t len;

    switch (xds_json_escape(rest, &code, &len)) {
    case XDS_ESCAPE_OK:
        return len;
    case XDS_ESCAPE_UNKNOWN:
        fail_at(t, out, XDS_R_JSON_ESCAPE, pos, pos + (rest.len < 2 ? 1 : 2),
                "invalid JSON: a backslash must be followed by one of \" \\ / b f n r t "
                "or by u and four hexadecimal digits");
        return 0;
    case XDS_ESCAPE_LONE_SURROGATE:
        fail_at(t, out, XDS_R_JSON_SURROGATE, pos, pos + len,
                "invalid JSON: surrogate without the other half of its pair");
        return 0;
    }
    return 0;
}

/* The length of what is at pos, where plain text stopped; 0 after a fault. */
static size_t check_special(struct xds_tokens *t, struct xds_token *out, size_t pos)
{
    const unsigned char c = (unsigned char)t->text[pos];

    if (c == '\\') {
        out->escaped = true;
        return check_escape(t, out, pos);
    }
    if (c < 0x20) {
        fail_at(t, out, XDS_R_JSON_CONTROL, pos, pos + 1,
                "invalid JSON: a control character, such as a line break or a tab, must "
                "be escaped in a string");
        return 0;
    }
    const size_t len = xds_utf8_first(xds_slice_make(t->text + pos, t->len - pos));
    if (len == 0)
        fail_at(t, out, XDS_R_JSON_UTF8, pos, pos + 1,
                "invalid JSON: the text is not valid UTF-8");
    return len;
}

static bool end_string(struct xds_token *out, const char *text, size_t begin, size_t end)
{
    out->text = xds_slice_make(text + begin + 1, end - begin - 1);
    out->begin = begin;
    out->end = end + 1;
    return true;
}

/* The string at out->begin, whose text is plain up to pos. */
XDS_COLD static bool scan_special(struct xds_tokens *t, struct xds_token *out, size_t pos)
{
    const size_t begin = out->begin;

    while (pos < t->len && t->text[pos] != '"') {
        const size_t len = check_special(t, out, pos);

        if (len == 0)
            return false;
        pos = xds_plain_end(t->text, pos + len, t->len);
    }
    if (pos < t->len)
        return end_string(out, t->text, begin, pos);
    unexpected(t, out, pos, "");
    return false;
}

/* The string whose opening quote is at pos; false after a fault. */
static inline bool scan_string(struct xds_tokens *t, struct xds_token *out, size_t pos)
{
    const size_t end = xds_plain_end(t->text, pos + 1, t->len);

    out->escaped = false;
    if (end < t->len && t->text[end] == '"')
        return end_string(out, t->text, pos, end);
    out->begin = pos;
    return scan_special(t, out, end);
}

/* ---- words and numbers ---- */

static inline void end_value(struct xds_tokens *t, struct xds_token *out,
                             enum xds_token_kind kind)
{
    out->kind = kind;
    xds_tokens_value_done(t, out->end);
}

/* Digits without a leading zero are most numbers. */
static size_t count_digits(const struct xds_tokens *t, size_t pos)
{
    size_t end = pos;

    while (end < t->len && xds_ascii_digit(t->text[end]))
        end++;
    return t->text[pos] == '0' && end - pos > 1 ? 0 : end - pos;
}

static bool ends_number(const struct xds_tokens *t, size_t pos)
{
    return pos < t->len && (t->text[pos] == ',' || t->text[pos] == '}');
}

static void scan_number(struct xds_tokens *t, struct xds_token *out, size_t pos)
{
    const size_t digits = count_digits(t, pos);
    const bool plain = digits > 0 && ends_number(t, pos + digits);
    const size_t len = plain ? digits : word_len(t, pos);

    out->text = xds_slice_make(t->text + pos, len);
    out->begin = pos;
    out->end = pos + len;
    if (plain || xds_json_number(out->text))
        end_value(t, out, XDS_TOKEN_NUMBER);
    else
        fail(t, out, XDS_R_JSON_NUMBER,
             "invalid JSON: a number has no plus sign, no leading zeros, and digits on "
             "both sides of a point");
}

static const char no_value[] =
    "invalid JSON: expected a value; a string needs double quotes";

static void scan_word(struct xds_tokens *t, struct xds_token *out, size_t pos,
                      const char *word, enum xds_token_kind kind)
{
    const size_t len = word_len(t, pos);

    out->text = xds_slice_make(t->text + pos, len);
    out->begin = pos;
    out->end = pos + len;
    if (xds_slice_is(out->text, word))
        end_value(t, out, kind);
    else
        unexpected(t, out, pos, no_value);
}

/* ---- structure ---- */

static void open_level(struct xds_tokens *t, struct xds_token *out, size_t pos,
                       enum xds_token_kind kind)
{
    out->begin = pos;
    out->end = pos + 1;
    if (t->depth >= XDS_MAX_NESTING) {
        fail_nesting(t, out);
        return;
    }
    xds_tokens_open(t, kind == XDS_TOKEN_OBJECT);
    t->pos = pos + 1;
    out->kind = kind;
}

static void close_level(struct xds_tokens *t, struct xds_token *out, size_t pos,
                        enum xds_token_kind kind)
{
    out->begin = pos;
    out->end = pos + 1;
    t->depth--;
    end_value(t, out, kind);
}

/* What people write in place of a key. */
static const char *no_key(char first, char second)
{
    if (first == '{' && memchr(" -.$", second, 4))
        return "invalid JSON: expected a key in double quotes; a template with {{ }} "
               "must "
               "be rendered first";
    return "invalid JSON: expected a key in double quotes";
}

/* A member's name and the colon after it. */
static void scan_key(struct xds_tokens *t, struct xds_token *out, size_t pos)
{
    const char next = char_at(t, pos);

    if (next != '"') {
        unexpected(t, out, pos, no_key(next, char_at(t, pos + 1)));
        return;
    }
    if (!scan_string(t, out, pos))
        return;
    const size_t colon = xds_tokens_skip_blank(t, out->end);
    if (char_at(t, colon) != ':') {
        unexpected(t, out, colon, "invalid JSON: expected ':' after the key");
        return;
    }
    out->kind = XDS_TOKEN_KEY;
    t->pos = colon + 1;
    t->due = XDS_DUE_VALUE;
}

static void scan_value(struct xds_tokens *t, struct xds_token *out, size_t pos)
{
    const char c = char_at(t, pos);

    if (c == '"') {
        if (scan_string(t, out, pos))
            end_value(t, out, XDS_TOKEN_STRING);
    } else if (c == '{') {
        open_level(t, out, pos, XDS_TOKEN_OBJECT);
    } else if (c == '[') {
        open_level(t, out, pos, XDS_TOKEN_ARRAY);
    } else if (xds_ascii_digit(c) || c == '-' || c == '+' || c == '.') {
        scan_number(t, out, pos);
    } else if (c == 't') {
        scan_word(t, out, pos, "true", XDS_TOKEN_TRUE);
    } else if (c == 'f') {
        scan_word(t, out, pos, "false", XDS_TOKEN_FALSE);
    } else if (c == 'n') {
        scan_word(t, out, pos, "null", XDS_TOKEN_NULL);
    } else {
        unexpected(t, out, pos, no_value);
    }
}

static const char one_comma_too_many[] = "invalid JSON: trailing comma";

static void scan_more_items(struct xds_tokens *t, struct xds_token *out, size_t pos)
{
    if (char_at(t, pos) == ']') {
        close_level(t, out, pos, XDS_TOKEN_ARRAY_END);
        return;
    }
    if (char_at(t, pos) != ',') {
        unexpected(t, out, pos, "invalid JSON: expected ',' or ']'");
        return;
    }
    pos = xds_tokens_skip_blank(t, pos + 1);
    if (char_at(t, pos) == ']')
        unexpected(t, out, pos, one_comma_too_many);
    else
        scan_value(t, out, pos);
}

static void scan_more_members(struct xds_tokens *t, struct xds_token *out, size_t pos)
{
    if (char_at(t, pos) == '}') {
        close_level(t, out, pos, XDS_TOKEN_OBJECT_END);
        return;
    }
    if (char_at(t, pos) != ',') {
        unexpected(t, out, pos, "invalid JSON: expected ',' or '}'");
        return;
    }
    pos = xds_tokens_skip_blank(t, pos + 1);
    if (char_at(t, pos) == '}')
        unexpected(t, out, pos, one_comma_too_many);
    else
        scan_key(t, out, pos);
}

static void scan(struct xds_tokens *t, struct xds_token *out)
{
    const size_t pos = xds_tokens_skip_blank(t, t->pos);

    out->line = out->column = out->end_line = out->end_column = 0;
    switch (t->due) {
    case XDS_DUE_VALUE:
        scan_value(t, out, pos);
        return;
    case XDS_DUE_FIRST_ITEM:
        if (char_at(t, pos) == ']')
            close_level(t, out, pos, XDS_TOKEN_ARRAY_END);
        else
            scan_value(t, out, pos);
        return;
    case XDS_DUE_FIRST_MEMBER:
        if (char_at(t, pos) == '}')
            close_level(t, out, pos, XDS_TOKEN_OBJECT_END);
        else
            scan_key(t, out, pos);
        return;
    case XDS_DUE_MORE_ITEMS:
        scan_more_items(t, out, pos);
        return;
    case XDS_DUE_MORE_MEMBERS:
        scan_more_members(t, out, pos);
        return;
    case XDS_DUE_END:
        out->kind = XDS_TOKEN_END;
        out->begin = pos;
        out->end = pos;
        if (pos < t->len)
            unexpected(t, out, pos, "invalid JSON: expected nothing after the value");
        return;
    }
}

/* ---- recorded ---- */

static void replay(struct xds_tokens *t, struct xds_token *out)
{
    if (t->stream)
        t->stream->next(t->stream, out);
    else
        *out = *t->recorded;
    if (out->kind == XDS_TOKEN_END)
        return;
    if (out->kind == XDS_TOKEN_OBJECT || out->kind == XDS_TOKEN_ARRAY) {
        if (t->depth >= XDS_MAX_NESTING) {
            fail_nesting(t, out);
            return;
        }
        t->depth++;
    }
    if (out->kind == XDS_TOKEN_OBJECT_END || out->kind == XDS_TOKEN_ARRAY_END)
        t->depth--;
    if (!t->stream)
        t->recorded++;
}

void xds_tokens_next(struct xds_tokens *tokens, struct xds_token *out)
{
    if (tokens->format == XDS_FORMAT_JSON)
        scan(tokens, out);
    else
        replay(tokens, out);
}

bool xds_tokens_take_recorded_key(struct xds_tokens *tokens, struct xds_slice quoted)
{
    const struct xds_slice plain = xds_slice_make(quoted.data + 1, quoted.len - 2);

    if (tokens->recorded->kind != XDS_TOKEN_KEY ||
        !xds_slice_eq(tokens->recorded->text, plain))
        return false;
    tokens->recorded++;
    return true;
}

bool xds_tokens_skip(struct xds_tokens *tokens, const struct xds_token *first,
                     struct xds_token *out)
{
    if (first->kind != XDS_TOKEN_OBJECT && first->kind != XDS_TOKEN_ARRAY)
        return true;
    const uint32_t outside = tokens->depth - 1;
    while (tokens->depth > outside) {
        xds_tokens_next(tokens, out);
        if (out->kind == XDS_TOKEN_ERROR || out->kind == XDS_TOKEN_END)
            return false;
    }
    return true;
}

/* ---- text ---- */

struct xds_slice xds_token_unescape(const struct xds_token *token,
                                    struct xds_arena *arena)
{
    char *copy = xds_arena_alloc(arena, token->text.len + 1);
    size_t len = token->text.len;

    if (token->escaped)
        len = unescape(token->text, copy);
    else if (len)
        memcpy(copy, token->text.data, len);
    copy[len] = '\0';
    /* Plain JSON text holds no NUL: the scanner refuses control characters. */
    if ((token->escaped || token->line) && memchr(copy, '\0', len)) {
        char *kept = xds_arena_alloc(arena, 2 * len + 1);

        len = xds_text_keep_nul(xds_slice_make(copy, len), kept);
        kept[len] = '\0';
        copy = kept;
    }
    return xds_slice_make(copy, len);
}

struct xds_slice xds_plain_text(const struct xds_token *token, struct xds_arena *arena)
{
    struct xds_tokens tokens;
    struct xds_token checked = *token;

    if (token->escaped) {
        const struct xds_slice quoted =
            xds_slice_make(token->text.data - 1, token->text.len + 2);

        xds_tokens_json(&tokens, quoted);
        xds_tokens_next(&tokens, &checked);
    }
    if (checked.kind == XDS_TOKEN_ERROR || !xds_utf8_valid(checked.text))
        return XDS_S("");
    return xds_token_unescape(&checked, arena);
}

bool xds_token_is(const struct xds_token *token, const char *text)
{
    char plain[64];

    if (!token->escaped)
        return xds_slice_is(token->text, text);
    return token->text.len <= sizeof plain &&
           xds_slice_eq(xds_slice_make(plain, unescape(token->text, plain)),
                        xds_slice_of(text));
}

static bool skip_json(struct xds_tokens *tokens, size_t begin)
{
    const struct xds_slice rest =
        xds_slice_make(tokens->text + begin, tokens->len - begin);
    struct xds_scan scan;
    size_t used;

    xds_scan_init(&scan);
    if (xds_scan_step(&scan, rest, true, &used) != XDS_SCAN_DONE)
        return false;
    tokens->pos = begin + used;
    tokens->depth--;
    tokens->due = (enum xds_token_due)tokens->behind[tokens->depth];
    return true;
}

bool xds_tokens_skip_valid(struct xds_tokens *tokens, const struct xds_token *first)
{
    struct xds_token ignored;

    if (first->kind != XDS_TOKEN_OBJECT && first->kind != XDS_TOKEN_ARRAY)
        return true;
    if (tokens->format == XDS_FORMAT_JSON)
        return skip_json(tokens, first->begin);
    return xds_tokens_skip(tokens, first, &ignored);
}
