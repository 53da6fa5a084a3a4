/*
 * text_source.c - a text proto as tokens, in the form in which JSON has them.
 *
 * Fails:  with one fault, after which nothing is read: it is not known where the next
 *         field begins.
 * Source: Protocol Buffers text format; the header is that of txtpb files.
 */
#include "base/ascii.h"
#include "source/text/text_source.h"

/* ---- characters ---- */

/* The character that is `ahead` after the present one, or XDS_TEXT_NO_CHAR. */
static int peek(struct xds_text *t, size_t ahead)
{
    struct xds_buffer *in = t->recorder.in;

    if (!xds_buffer_need(in, t->pos, ahead + 1))
        return XDS_TEXT_NO_CHAR;
    return (unsigned char)in->data[t->pos + ahead - in->begin];
}

/* A '#' outside of a text. */
static void meet_comment(struct xds_text *t)
{
    struct xds_buffer *in = t->recorder.in;

    if (!t->comments.report)
        return;
    const struct xds_place at = xds_buffer_count(in, t->pos);

    (void)xds_buffer_need(in, t->pos, XDS_COMMENT_REACH);
    xds_comments_met(&t->comments, at, at.line != t->last_line,
                     xds_buffer_from(in, t->pos));
}

/* Go on to the next character that is neither white space nor comment, and give it. */
static int next_char(struct xds_text *t)
{
    bool comment = false;

    for (;; t->pos++) {
        t->recorder.in->keep = t->pos;
        const int c = peek(t, 0);

        if (c == XDS_TEXT_NO_CHAR)
            return c;
        if (c == '#' && !comment) {
            meet_comment(t);
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

/* The present place becomes the begin of a token, and what follows it is kept. */
static void begin_document(struct xds_text *t, struct xds_token *out)
{
    t->recorder.in->keep = t->pos;
    const struct xds_place at = xds_buffer_count(t->recorder.in, t->pos);

    *out = (struct xds_token){.line = at.line, .column = at.column};
    t->token = t->pos;
}

/* The same of a comment, which is no token of the message. */
static void end_comment(struct xds_text *t, struct xds_token *out)
{
    const struct xds_place at = xds_buffer_count(t->recorder.in, t->pos);

    out->end_line = at.line;
    out->end_column = at.column;
}

/* The present place becomes its end. */
static void end_document(struct xds_text *t, struct xds_token *out)
{
    end_comment(t, out);
    t->last_line = out->end_line;
    if (t->pos > t->token) /* the message of the file has no brace that is written */
        xds_comments_content(&t->comments, out->end_line);
}

/* The character at the present place is the token. */
static void take_mark(struct xds_text *t, struct xds_token *out, enum xds_token_kind kind)
{
    begin_document(t, out);
    t->pos++;
    end_document(t, out);
    out->kind = kind;
}

/* *out becomes an error that ends the document. Its place is the next character, or, with
 * `begun`, what was read of *out. */
static void set_fault(struct xds_text *t, struct xds_token *out, bool begun,
                      const char *what)
{
    const struct xds_source_fault too_large =
        xds_fault_too_large((struct xds_place){0}, XDS_TOO_MANY_BYTES);
    const bool full = t->recorder.in->full;

    if (!begun) {
        begin_document(t, out);
        t->pos += peek(t, 0) != XDS_TEXT_NO_CHAR;
    }
    end_document(t, out);
    out->kind = XDS_TOKEN_ERROR;
    out->text = full ? xds_slice_of(too_large.text)
                     : xds_arena_printf(&t->document, "invalid text proto: %s", what);
    out->begin = full ? too_large.rule : XDS_R_SRC_TEXT;
    t->error = *out;
    t->recorder.over = true;
}

/* A token that is not written as such comes next, in the place of `at`. */
static void add_pending(struct xds_text *t, enum xds_token_kind kind,
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
    const int quote = peek(t, 0);

    for (size_t n = 1;; n++) {
        const int c = peek(t, n);

        if (c == XDS_TEXT_NO_CHAR || c == '\n')
            return 0;
        if (c == quote)
            return n + 1;
        n += c == '\\';
    }
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
        set_fault(t, out, false, "the string has no closing quote on its line");
        return false;
    }
    const struct xds_slice inside = xds_slice_from(text_at(t, len - 1), 1);
    string->n += xds_text_unescape(inside, grow(t, string, inside.len), &fault);
    if (fault < inside.len) {
        t->pos += 1 + fault;
        begin_document(t, out);
        t->pos++;
        t->pos += peek(t, 0) != XDS_TEXT_NO_CHAR;
        set_fault(t, out, true,
                  "a backslash must be followed by one of a b f n r t v \\ ' \" ?, by up "
                  "to three octal digits, or by x, u or U and hexadecimal digits");
        return false;
    }
    t->pos += len;
    end_document(t, out);
    t->recorder.in->full = string->n > XDS_MAX_RESOURCE_BYTES;
    if (t->recorder.in->full)
        set_fault(t, out, true, "");
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
        c = next_char(t);
    } while (c == '"' || c == '\'');
    out->text = xds_slice_make(string.data, string.n);
}

/* ---- words and numbers ---- */

/* The bytes of a name at the present place: letters, digits and underscores. */
static size_t read_name(struct xds_text *t)
{
    size_t n = 0;

    for (;; n++) {
        const int c = peek(t, n);

        if (c == XDS_TEXT_NO_CHAR ||
            (!xds_ascii_alpha((char)c) && c != '_' && !xds_ascii_digit((char)c)))
            return n;
    }
}

/* A number continues over points, and over signs after an e that is no digit. */
static size_t number_len(struct xds_text *t)
{
    const bool hex = peek(t, 0) == '0' && (peek(t, 1) | 0x20) == 'x';
    size_t n = 0;
    int before = 0;

    for (;; n++) {
        const int c = peek(t, n);
        const bool sign = (c == '+' || c == '-') && (before | 0x20) == 'e' && !hex;

        if (c == XDS_TEXT_NO_CHAR || (!xds_ascii_word((char)c) && c != '.' && !sign))
            return n;
        before = c;
    }
}

static void scan_number(struct xds_text *t, struct xds_token *out)
{
    const size_t len = number_len(t);
    const bool is_hex = len > 2 && (text_at(t, len).data[1] | 0x20) == 'x';
    const bool good = xds_text_number(text_at(t, len), &t->texts, &out->text);

    t->pos += len;
    if (good)
        end_document(t, out);
    else
        set_fault(t, out, true,
                  "not a number: decimal numbers have no leading zeros, octal ones "
                  "begin with 0, hexadecimal ones with 0x");
    if (!good)
        return;
    out->kind = XDS_TOKEN_NUMBER;
    out->begin = is_hex ? len - 2 : 0;
}

static void scan_plain(struct xds_text *t, struct xds_token *out, int c)
{
    if (xds_ascii_digit((char)c) || c == '.')
        scan_number(t, out);
    else if (xds_ascii_alpha((char)c) || c == '_') {
        const size_t len = read_name(t);

        out->kind = XDS_TOKEN_WORD;
        out->text = text_at(t, len);
        t->pos += len;
        end_document(t, out);
    } else
        set_fault(t, out, false,
                  "expected a value: a string in quotes, a number, a name, a "
                  "message or a list");
}

/* A string, number or word, whose first character is c. */
static void scalar(struct xds_text *t, struct xds_token *out, int c)
{
    xds_arena_reset(&t->texts);
    begin_document(t, out);
    if (c == '"' || c == '\'') {
        scan_string(t, out);
        return;
    }
    if (c != '-') {
        scan_plain(t, out, c);
        return;
    }
    t->pos++;
    scan_plain(t, out, next_char(t));
    if (out->kind != XDS_TOKEN_ERROR)
        out->text = xds_arena_concat(&t->texts, XDS_S("-"), out->text);
}

/* The name after "# proto-message:", or an absent text. */
static struct xds_slice header_of(struct xds_slice line)
{
    const struct xds_slice mark = XDS_S("proto-message:");
    struct xds_slice rest = line;

    while (rest.len && (rest.data[0] == '#' || rest.data[0] == ' '))
        rest = xds_slice_from(rest, 1);
    if (!xds_slice_starts(rest, mark))
        return xds_slice_make(NULL, 0);
    return xds_slice_trim(xds_slice_from(rest, mark.len));
}

bool xds_text_has_header(struct xds_slice begin)
{
    struct xds_slice line;

    while (begin.len) {
        begin = xds_slice_cut(begin, '\n', &line);
        line = xds_slice_trim(line);
        if (line.len && line.data[0] != '#')
            return false;
        if (line.len && header_of(line).len)
            return true;
    }
    return false;
}

/* The bytes of the name of a field, or of an Any's type in brackets. */
static size_t name_len(struct xds_slice line)
{
    const char *bracket = line.len ? memchr(line.data, ']', line.len) : NULL;
    size_t n = 0;

    if (line.len && line.data[0] == '[')
        return bracket && memchr(line.data, '/', (size_t)(bracket - line.data))
                   ? (size_t)(bracket - line.data) + 1
                   : 0;
    while (n < line.len && (xds_ascii_alpha(line.data[n]) || line.data[n] == '_' ||
                            (n > 0 && xds_ascii_digit(line.data[n]))))
        n++;
    return n;
}

enum look { LOOK_NO, LOOK_MAYBE, LOOK_YES };

/* A line that is not in braces. YAML has a blank after the colon, and no key without. */
static enum look look_at(struct xds_slice line)
{
    const size_t n = name_len(line);
    struct xds_slice rest = xds_slice_from(line, n);

    if (n == 0)
        return LOOK_NO;
    if (line.data[0] == '[')
        return LOOK_YES;
    if (xds_slice_starts(rest, XDS_S(":")) && rest.len > 1 && rest.data[1] == ' ')
        return LOOK_MAYBE;
    if (xds_slice_starts(rest, XDS_S(":")))
        return rest.len < 2 || rest.data[1] == '/' ? LOOK_NO : LOOK_YES;
    rest = xds_slice_trim(rest);
    return rest.len > 0 && rest.data[0] == '{' && line.data[line.len - 1] != ','
               ? LOOK_YES
               : LOOK_NO;
}

bool xds_text_looks(struct xds_slice begin)
{
    struct xds_slice line;
    char before = '\0'; /* the last byte of the line before */
    int braces = 0;

    while (begin.len) {
        begin = xds_slice_cut(begin, '\n', &line);
        line = xds_slice_trim(line);
        if (line.len == 0 || line.data[0] == '#')
            continue;
        const char first = line.data[0], last = line.data[line.len - 1];

        /* In the braces of YAML a comma is between two fields. */
        if (braces > 0 && before != '{' && first != '}')
            return before != ',' && before != '[' && name_len(line) > 0;
        if (braces == 0 && first != '}') {
            const enum look look = look_at(line);

            if (look != LOOK_MAYBE)
                return look == LOOK_YES;
        }
        braces += (last == '{') - (first == '}');
        before = last;
    }
    return false;
}

static size_t line_len(struct xds_text *t)
{
    size_t n = 0;

    for (;; n++) {
        const int c = peek(t, n);

        if (c == XDS_TEXT_NO_CHAR || c == '\n')
            return n;
    }
}

/* The comment at the present place, up to the end of its line. */
static void read_comment(struct xds_text *t)
{
    struct xds_token at;

    begin_document(t, &at);
    meet_comment(t);
    const size_t len = line_len(t);
    const struct xds_slice name =
        header_of(xds_buffer_part(t->recorder.in, t->pos, t->pos + len));
    t->pos += len;
    end_comment(t, &at);
    if (name.len == 0 || t->n_pending)
        return;
    add_pending(t, XDS_TOKEN_KEY, XDS_S("@type"), &at);
    add_pending(t, XDS_TOKEN_STRING,
                xds_arena_concat(&t->document, XDS_S("type.googleapis.com/"), name), &at);
}

/* Read the comments in front. A header in them becomes two tokens to come:
 * the "@type" of the message. */
static void read_header(struct xds_text *t)
{
    for (;;) {
        t->recorder.in->keep = t->pos;
        const int c = peek(t, 0);

        if (c == '#')
            read_comment(t);
        else if (c != XDS_TEXT_NO_CHAR && xds_ascii_blank((char)c))
            t->pos++;
        else
            return;
    }
}

static struct xds_text *text_of(struct xds_recorder *recorder)
{
    return (struct xds_text *)recorder;
}

static struct xds_text_level *top(struct xds_text *t)
{
    return &t->level[t->depth - 1];
}

/* ---- levels ---- */

static bool push(struct xds_text *t, struct xds_token *out, enum xds_text_open kind,
                 char end)
{
    if (t->depth == XDS_TEXT_LEVELS) {
        set_fault(t, out, true, "nested more than 512 levels deep");
        return false;
    }
    t->level[t->depth++] = (struct xds_text_level){kind, end};
    t->may_separate = false;
    t->fresh = true;
    t->due = XDS_TEXT_DUE_FIELD;
    return true;
}

static void value_done(struct xds_text *t)
{
    t->due = (top(t)->kind == XDS_TEXT_LIST || top(t)->kind == XDS_TEXT_MESSAGES)
                 ? XDS_TEXT_DUE_COMMA
                 : XDS_TEXT_DUE_FIELD;
    t->may_separate = true;
    t->fresh = false;
}

static char closing(int c)
{
    return c == '{' ? '}' : c == '<' ? '>' : ']';
}

static void open_message(struct xds_text *t, struct xds_token *out, int c)
{
    take_mark(t, out, XDS_TOKEN_OBJECT);
    push(t, out, XDS_TEXT_MESSAGE, closing(c));
}

static const char *what_is_due(char end)
{
    switch (end) {
    case '}':
        return "expected '}' or the name of a field";
    case '>':
        return "expected '>' or the name of a field";
    default:
        return "nothing to close here";
    }
}

/* The separator that may be between two fields. */
static int skip_separator(struct xds_text *t)
{
    const int c = next_char(t);

    if (c != ',' && c != ';')
        return c;
    t->pos++;
    return next_char(t);
}

/* After the message of an Any, the message around it ends too. */
static bool close_any(struct xds_text *t, struct xds_token *out)
{
    const struct xds_text_level *around = top(t);

    if (around->kind == XDS_TEXT_ANYS)
        return true;
    if (skip_separator(t) != around->end) {
        set_fault(t, out, false, "expected the end of the Any: it has one message");
        return false;
    }
    t->pos++;
    t->depth--;
    return true;
}

static void close_message(struct xds_text *t, struct xds_token *out, int c)
{
    const struct xds_text_level level = *top(t);

    if (c != level.end) {
        set_fault(t, out, false, what_is_due(level.end));
        return;
    }
    begin_document(t, out);
    t->pos++;
    t->depth--;
    if (level.kind == XDS_TEXT_ANY && !close_any(t, out))
        return;
    end_document(t, out);
    out->kind = XDS_TOKEN_OBJECT_END;
    value_done(t);
}

/* The file ends: so must its message, or its list of Anys. */
static void close_file(struct xds_text *t, struct xds_token *out)
{
    const struct xds_text_level level = *top(t);

    if (level.end != '\0') {
        set_fault(t, out, false, "the text ends before the message does");
        return;
    }
    begin_document(t, out);
    end_document(t, out);
    out->kind = level.kind == XDS_TEXT_ANYS ? XDS_TOKEN_ARRAY_END : XDS_TOKEN_OBJECT_END;
    t->depth--;
    t->due = XDS_TEXT_DUE_END;
}

/* ---- an Any that is written out ---- */

/* The URL between brackets, without the blanks that may be in it. */
static bool read_url(struct xds_text *t, struct xds_token *out, struct xds_slice *url)
{
    struct grown text = {NULL, 0, 0};

    xds_arena_reset(&t->texts);
    for (t->pos++;; t->pos++) {
        const int c = next_char(t);

        if (c == ']')
            break;
        if (c == XDS_TEXT_NO_CHAR ||
            !(c > ' ' && c < 0x7f && !strchr("\"'<>[]{}#,;:", c))) {
            set_fault(t, out, false, "expected the type URL of an Any and ']'");
            return false;
        }
        *grow(t, &text, 1) = (char)c;
        text.n++;
    }
    t->pos++;
    end_document(t, out);
    *url = xds_slice_make(text.data, text.n);
    return true;
}

static bool begin_any(struct xds_text *t, struct xds_token *out)
{
    const bool on_top = top(t)->kind == XDS_TEXT_ANYS;
    struct xds_slice url;

    begin_document(t, out);
    if (!read_url(t, out, &url))
        return false;
    if (xds_slice_find(url, '/') == url.len) {
        set_fault(t, out, true,
                  "xDS messages have no extensions: only the type URL of an Any, "
                  "such as [type.googleapis.com/...], is allowed in brackets");
        return false;
    }
    if (top(t)->kind == XDS_TEXT_ANY) {
        set_fault(t, out, true,
                  "an Any in an Any must be written with type_url and value");
        return false;
    }
    if (!t->fresh && !on_top) {
        set_fault(t, out, true, "expected the end of the Any: it has one message");
        return false;
    }
    if (on_top) {
        add_pending(t, XDS_TOKEN_KEY, XDS_S("@type"), out);
        out->kind = XDS_TOKEN_OBJECT;
    } else {
        out->kind = XDS_TOKEN_KEY;
        out->text = XDS_S("@type");
    }
    add_pending(t, XDS_TOKEN_STRING, url, out);
    return true;
}

/* "[URL] {": what comes next are the fields of the message in the Any. */
static void open_any(struct xds_text *t, struct xds_token *out)
{
    struct xds_token ignored;

    if (!begin_any(t, out))
        return;
    int c = next_char(t);
    if (c == ':') {
        t->pos++;
        c = next_char(t);
    }
    if (c != '{' && c != '<') {
        set_fault(t, out, false, "expected '{' and the message of the Any");
        return;
    }
    begin_document(t, &ignored);
    t->pos++;
    push(t, out, XDS_TEXT_ANY, closing(c));
}

/* ---- fields and lists ---- */

static void scan_field(struct xds_text *t, struct xds_token *out)
{
    const int c = t->may_separate ? skip_separator(t) : next_char(t);
    const bool anys = top(t)->kind == XDS_TEXT_ANYS;

    t->may_separate = false;
    if (c == XDS_TEXT_NO_CHAR) {
        close_file(t, out);
    } else if (c == '}' || c == '>') {
        close_message(t, out, c);
    } else if (c == '[') {
        open_any(t, out);
    } else if (!anys && xds_ascii_word((char)c)) {
        begin_document(t, out);
        const size_t len = read_name(t);
        out->kind = XDS_TOKEN_KEY;
        out->text = xds_buffer_part(t->recorder.in, t->pos, t->pos + len);
        t->pos += len;
        end_document(t, out);
        t->due = XDS_TEXT_DUE_COLON;
    } else {
        set_fault(t, out, false,
                  anys ? "expected another Any, [type.googleapis.com/...]"
                       : "expected the name of a field");
    }
}

static void scan_item(struct xds_text *t, struct xds_token *out, int c)
{
    const bool bodies = top(t)->kind == XDS_TEXT_MESSAGES;

    if (c == '{' || c == '<') {
        open_message(t, out, c);
    } else if (c == '[') {
        set_fault(t, out, false, "a list must not contain a list");
    } else if (bodies) {
        set_fault(t, out, false,
                  "expected a message; a list of other values needs ':' before it");
    } else {
        scalar(t, out, c);
        value_done(t);
    }
}

static void scan_colon(struct xds_text *t, struct xds_token *out)
{
    int c = next_char(t);
    const bool colon = c == ':';

    if (colon) {
        t->pos++;
        c = next_char(t);
    }
    if (c == '[') {
        take_mark(t, out, XDS_TOKEN_ARRAY);
        if (push(t, out, colon ? XDS_TEXT_LIST : XDS_TEXT_MESSAGES, ']'))
            t->due = XDS_TEXT_DUE_FIRST;
    } else if (c == '{' || c == '<')
        open_message(t, out, c);
    else if (!colon)
        set_fault(t, out, false, "expected ':' after the name of the field");
    else
        scan_item(t, out, c);
}

/* An item, after a comma if it is not the first, or the end of the list. */
static void scan_next(struct xds_text *t, struct xds_token *out)
{
    const int c = next_char(t);

    if (c == ']') {
        take_mark(t, out, XDS_TOKEN_ARRAY_END);
        t->depth--;
        value_done(t);
    } else if (t->due == XDS_TEXT_DUE_FIRST) {
        scan_item(t, out, c);
    } else if (c == ',') {
        t->pos++;
        scan_item(t, out, next_char(t));
    } else {
        set_fault(t, out, false, "expected ',' or ']'");
    }
}

static void scan(struct xds_text *t, struct xds_token *out)
{
    switch (t->due) {
    case XDS_TEXT_DUE_FIELD:
        scan_field(t, out);
        return;
    case XDS_TEXT_DUE_COLON:
        scan_colon(t, out);
        return;
    case XDS_TEXT_DUE_FIRST:
    case XDS_TEXT_DUE_COMMA:
        scan_next(t, out);
        return;
    case XDS_TEXT_DUE_END:
        *out = (struct xds_token){.kind = XDS_TOKEN_END};
        return;
    }
}

static void text_next(struct xds_recorder *recorder, struct xds_token *out)
{
    struct xds_text *t = text_of(recorder);

    if (recorder->over) {
        *out = t->error;
    } else if (t->n_pending) {
        *out = t->pending[0];
        t->pending[0] = t->pending[1];
        t->pending[1] = t->pending[2];
        t->n_pending--;
    } else {
        scan(t, out);
        recorder->oversize = recorder->in->full;
    }
}

/* ---- the file ---- */

static bool text_begin(struct xds_recorder *recorder)
{
    struct xds_text *t = text_of(recorder);

    if (t->begun)
        return false;
    t->begun = true;
    read_header(t);
    const int c = peek(t, 0);
    if (c == XDS_TEXT_NO_CHAR && !t->n_pending)
        return false;
    if (c == '[')
        t->n_pending = 0; /* each Any says what it holds */

    /* The first token of the file, which is not written. */
    const enum xds_text_open kind = c == '[' ? XDS_TEXT_ANYS : XDS_TEXT_MESSAGE;
    struct xds_token first;

    begin_document(t, &first);
    first.end_line = first.line;
    first.end_column = first.column + 1;
    push(t, &first, kind, '\0');
    first.kind = kind == XDS_TEXT_ANYS ? XDS_TOKEN_ARRAY : XDS_TOKEN_OBJECT;
    t->pending[2] = t->pending[1];
    t->pending[1] = t->pending[0];
    t->pending[0] = first;
    t->n_pending++;
    return true;
}

/* No limit is one of a resource here. */
static void text_renew(struct xds_recorder *recorder)
{
    (void)recorder;
}

static size_t text_pos(const struct xds_recorder *recorder)
{
    return ((const struct xds_text *)recorder)->pos;
}

void xds_text_open(struct xds_text *text, struct xds_buffer *in,
                   struct xds_arena *scratch)
{
    static const struct xds_recorder_ops ops = {
        .begin = text_begin,
        .next = text_next,
        .renew = text_renew,
        .pos = text_pos,
    };

    xds_recorder_open(&text->recorder, &ops, in, scratch);
    text->recorder.reader.repeats = true;
    xds_arena_reset(&text->texts);
    xds_arena_reset(&text->document);
    text->pos = xds_buffer_skip_mark(in);
    text->begun = false;
    text->depth = text->n_pending = 0;
    text->comments = (struct xds_comments){.report = NULL};
    text->last_line = 0;
}

void xds_text_release(struct xds_text *text)
{
    xds_arena_release(&text->texts);
    xds_arena_release(&text->document);
    xds_recorder_release(&text->recorder);
}
