/*
 * yaml_lines.c - documents of YAML as programs write it, line by line.
 *
 * Fails:  never: what is not known here is left to libyaml.
 * Source: YAML 1.2.2, chapter 8; libyaml's scanner and parser.
 */
#include "source/yaml/yaml.h"

#include "base/ascii.h"

#ifdef __SSE2__
#include <emmintrin.h>
#endif

/* What is read of the line, and where. */
struct cursor {
    const char *text;
    size_t at, len; /* len: XDS_YAML_LINE_MOST at most */
    bool last;
};

/* ---- characters ---- */

/* Control characters, the ends of lines among them, what is not ASCII, comments; and two
 * of the caller's. */
static inline bool is_stop(char c, char a, char b)
{
    return (signed char)c < 0x20 || c == 0x7F || c == '#' || c == a || c == b;
}

#ifdef __SSE2__
#define STEP ((size_t)16)

/* One bit for each stop in a step. As signed numbers, bytes of UTF-8 sequences are less
 * than any ASCII character. */
static inline unsigned find_stops(const char *text, char a, char b)
{
    const __m128i bytes = _mm_loadu_si128((const __m128i *)(const void *)text);
    const __m128i control = _mm_cmplt_epi8(bytes, _mm_set1_epi8(0x20));
    const __m128i delete = _mm_cmpeq_epi8(bytes, _mm_set1_epi8(0x7F));
    const __m128i comment = _mm_cmpeq_epi8(bytes, _mm_set1_epi8('#'));
    const __m128i first = _mm_cmpeq_epi8(bytes, _mm_set1_epi8(a));
    const __m128i second = _mm_cmpeq_epi8(bytes, _mm_set1_epi8(b));
    const __m128i own = _mm_or_si128(first, second);

    return (unsigned)_mm_movemask_epi8(
        _mm_or_si128(_mm_or_si128(control, delete), _mm_or_si128(comment, own)));
}

/* One bit for each byte of a step that is another one. */
static inline unsigned find_others(const char *text, char c)
{
    const __m128i bytes = _mm_loadu_si128((const __m128i *)(const void *)text);

    return 0xFFFF ^ (unsigned)_mm_movemask_epi8(_mm_cmpeq_epi8(bytes, _mm_set1_epi8(c)));
}
#endif

/* The first stop from `at` on, or len. */
static inline size_t stop_from(const struct cursor *c, size_t at, char a, char b)
{
#ifdef __SSE2__
    for (; c->len - at >= STEP; at += STEP) {
        const unsigned stops = find_stops(c->text + at, a, b);

        if (stops)
            return at + (size_t)__builtin_ctz(stops);
    }
#endif
    while (at < c->len && !is_stop(c->text[at], a, b))
        at++;
    return at;
}

static inline bool ends_line(const struct cursor *c, size_t at)
{
    return at < c->len ? c->text[at] == '\n' : c->last;
}

/* A blank or the end of the line: what makes a ':' or '-' in front of it an indicator. */
static inline bool is_blank(const struct cursor *c, size_t at)
{
    return at < c->len ? c->text[at] == ' ' || c->text[at] == '\n' : c->last;
}

/* Lines are mostly indented by many spaces. */
static inline void skip_spaces(struct cursor *c)
{
#ifdef __SSE2__
    while (c->len - c->at >= STEP) {
        const unsigned others = find_others(c->text + c->at, ' ');

        c->at += others ? (size_t)__builtin_ctz(others) : STEP;
        if (others)
            return;
    }
#endif
    while (c->at < c->len && c->text[c->at] == ' ')
        c->at++;
}

/* With these a plain scalar of programs begins. The only indicators among them are the
 * minus of a number and the colon of :path; the '<' of a merge key is not. */
static bool begins_plain(const struct cursor *c)
{
    const char first = c->text[c->at];
    const char second = c->at + 1 < c->len ? c->text[c->at + 1] : '\0';

    if (xds_ascii_alpha(first) || xds_ascii_digit(first))
        return true;
    if (first == '-')
        return xds_ascii_digit(second) || second == '.';
    if (first == ':')
        return xds_ascii_alpha(second);
    return first != '\0' && strchr("/_.+~$(;=^\\", first) != NULL;
}

/* ---- scalars ---- */

static inline bool set_part(struct xds_yaml_part *part, enum xds_yaml_part_kind kind,
                            size_t begin, size_t end)
{
    *part = (struct xds_yaml_part){kind, (uint32_t)begin, (uint32_t)end};
    return true;
}

/* Up to the end of the line or the ':' after a key. */
static bool read_plain(struct cursor *c, struct xds_yaml_part *out)
{
    const size_t begin = c->at;
    size_t end = stop_from(c, begin, ':', ':');

    while (end < c->len && c->text[end] == ':' && !is_blank(c, end + 1))
        end = stop_from(c, end + 1, ':', ':');
    c->at = end;
    while (c->text[end - 1] == ' ')
        end--;
    return set_part(out, XDS_YAML_PLAIN, begin, end);
}

/* What the character after a backslash stands for; 0 for what only libyaml knows. */
static char escaped_by(char c)
{
    static const char by[] = "\\\"/nrt", stands_for[] = "\\\"/\n\r\t";
    const char *found = c != '\0' ? strchr(by, c) : NULL;

    return found ? stands_for[found - by] : '\0';
}

/* At a quote or a backslash: is it an escape? In single quotes a second quote escapes the
 * first. */
static bool is_escape(const struct cursor *c, size_t at, char quote)
{
    if (at + 1 >= c->len)
        return false;
    return quote == '"' ? c->text[at] == '\\' && escaped_by(c->text[at + 1])
                        : c->text[at + 1] == quote;
}

/* In quotes a '#' begins no comment. Text that looks like one that speaks to xdscope is
 * left to libyaml, whose lines are searched for comments. */
static bool is_plain_hash(const struct cursor *c, size_t at)
{
    if (c->text[at++] != '#')
        return false;
    while (at < c->len && c->text[at] == ' ')
        at++;
    return !xds_slice_starts(xds_slice_make(c->text + at, c->len - at), XDS_S("xdscope"));
}

static bool read_quoted(struct cursor *c, struct xds_yaml_part *out)
{
    const size_t begin = c->at;
    const char quote = c->text[begin], other = quote == '"' ? '\\' : quote;
    enum xds_yaml_part_kind kind = XDS_YAML_QUOTED;
    size_t end = stop_from(c, begin + 1, quote, other);

    while (end < c->len) {
        if (is_plain_hash(c, end)) {
            end = stop_from(c, end + 1, quote, other);
            continue;
        }
        if ((c->text[end] != quote && c->text[end] != other) || !is_escape(c, end, quote))
            break;
        kind = XDS_YAML_ESCAPED;
        end = stop_from(c, end + 2, quote, other);
    }
    c->at = end + 1;
    return end < c->len && c->text[end] == quote &&
           (kind == XDS_YAML_QUOTED || end - begin <= XDS_YAML_ESCAPED_MOST) &&
           set_part(out, kind, begin, end + 1);
}

/* What is between the quotes of an XDS_YAML_ESCAPED, into XDS_YAML_ESCAPED_MOST
 * bytes; gives its length. */
static size_t unescape(struct xds_slice text, char quote, char *out)
{
    const char mark = quote == '"' ? '\\' : quote;
    size_t n = 0;

    for (size_t i = 0; i < text.len; i++) {
        const bool escape = text.data[i] == mark;

        i += escape;
        out[n++] = escape && quote == '"' ? escaped_by(text.data[i]) : text.data[i];
    }
    return n;
}

static bool read_flow(struct cursor *c, struct xds_yaml_part *out);

static bool read_part(struct cursor *c, struct xds_yaml_part *out)
{
    const char first = c->text[c->at];

    if (begins_plain(c))
        return read_plain(c, out);
    if (first == '"' || first == '\'')
        return read_quoted(c, out);
    return (first == '[' || first == '{') && read_flow(c, out);
}

/* ---- lines ---- */

static bool is_indicator(const struct cursor *c, char indicator)
{
    return c->at < c->len && c->text[c->at] == indicator && is_blank(c, c->at + 1);
}

static bool read_dashes(struct cursor *c, struct xds_yaml_line *out)
{
    skip_spaces(c);
    while (is_indicator(c, '-')) {
        if (out->dashes == XDS_YAML_DASHES)
            return false;
        out->dash[out->dashes++] = (uint32_t)c->at++;
        skip_spaces(c);
    }
    return true;
}

/* Nothing, where the line ends. */
static bool read_value(struct cursor *c, struct xds_yaml_line *out)
{
    out->value = (struct xds_yaml_part){XDS_YAML_ABSENT, 0, 0};
    skip_spaces(c);
    return ends_line(c, c->at) || (c->at < c->len && read_part(c, &out->value));
}

/* What was read as a value, when a ':' follows at once. */
static bool take_key(struct cursor *c, struct xds_yaml_line *out)
{
    const struct xds_yaml_part *key = &out->value;

    out->key = *key;
    return key->end == c->at++ && key->end - key->begin <= XDS_YAML_KEY_MOST &&
           (key->kind == XDS_YAML_PLAIN || key->kind == XDS_YAML_QUOTED);
}

static bool read_entry(struct cursor *c, struct xds_yaml_line *out)
{
    if (!read_dashes(c, out) || !read_value(c, out))
        return false;
    if (is_indicator(c, ':') && (!take_key(c, out) || !read_value(c, out)))
        return false;
    skip_spaces(c);
    return ends_line(c, c->at) && (out->dashes > 0 || out->key.kind != XDS_YAML_ABSENT);
}

/* Read the line with which the text begins; last: nothing follows the text. Sets what is
 * neither `number` nor `at`. */
static void line_read(struct xds_slice text, bool last, struct xds_yaml_line *out)
{
    const bool cut = text.len > XDS_YAML_LINE_MOST;
    struct cursor c = {.text = text.data,
                       .len = cut ? XDS_YAML_LINE_MOST : text.len,
                       .last = last && !cut};

    out->dashes = 0;
    out->key.kind = XDS_YAML_ABSENT;
    /* That may end the document. */
    if (xds_slice_starts(text, XDS_S("...")) || !read_entry(&c, out))
        out->kind = XDS_YAML_LINE_OTHER;
    else
        out->kind = XDS_YAML_LINE_ENTRY;
    out->size = (uint32_t)(c.at + (c.at < c.len));
}

void xds_yaml_lines_read(struct xds_yaml_events *e, size_t at, uint32_t number,
                         struct xds_yaml_line *out)
{
    const struct xds_buffer *in = e->chunk.in;
    const struct xds_slice all = xds_yaml_chunk_from(&e->chunk, at, XDS_YAML_LINE_MOST);
    size_t newlines = 0;

    while (newlines < all.len && all.data[newlines] == '\n')
        newlines++;
    const struct xds_slice text = xds_slice_from(all, newlines);

    out->at = at + newlines;
    out->number = number + (uint32_t)newlines;
    out->dashes = 0;
    if ((text.len == 0 && in->eof) || xds_yaml_chunk_ends_at(&e->chunk, out->at))
        out->kind = XDS_YAML_LINE_NONE;
    else
        line_read(text, in->eof, out);
}

/* ---- where a line belongs ---- */

/* The line is in the level's collection, or in the one around a list that is not
 * indented. */
static bool find_level(const struct xds_yaml_events *e, const struct xds_yaml_line *line,
                       unsigned *level)
{
    const uint32_t column = xds_yaml_line_indent(line);
    const bool key = line->dashes == 0;
    unsigned n = e->depth;

    while (n > 0 && e->indent[n - 1] > column)
        n--;
    if (n > 1 && key && !e->is_mapping[n - 1] && e->indent[n - 2] == column)
        n--;
    *level = n;
    return n > 0 && e->indent[n - 1] == column && e->is_mapping[n - 1] == key;
}

/* A list may be in the column of the key it is the value of. */
static bool is_nested(const struct xds_yaml_events *e, const struct xds_yaml_line *line)
{
    const uint32_t column = xds_yaml_line_indent(line);
    const uint32_t outer = e->indent[e->depth - 1];

    return column > outer ||
           (column == outer && line->dashes > 0 && e->is_mapping[e->depth - 1]);
}

static bool fits(const struct xds_yaml_events *e, const struct xds_yaml_line *line)
{
    return xds_yaml_line_innermost(line) <= XDS_YAML_LINES_COLUMN &&
           e->depth + line->dashes + 1 <= XDS_YAML_LINES_DEPTH;
}

/* Where the line is among the open collections, the last of which lacks a value if it
 * is pending. False when it must not be there, or is too deep for this file. */
static bool place_line(struct xds_yaml_events *e, const struct xds_yaml_line *line,
                       bool pending)
{
    struct xds_yaml_lines *l = &e->lines;

    l->level = 0;
    l->nested = false;
    if (line->kind != XDS_YAML_LINE_ENTRY)
        return line->kind == XDS_YAML_LINE_NONE;
    if (!fits(e, line))
        return false;
    l->nested = pending && is_nested(e, line);
    if (!l->nested)
        return find_level(e, line, &l->level);
    l->level = e->depth;
    return true;
}

/* ---- tokens ---- */

static struct xds_token *add_token(struct xds_yaml_lines *l, enum xds_token_kind kind,
                                   uint32_t begin, uint32_t end)
{
    struct xds_token *token = &l->tokens[l->n++];
    const uint32_t line = xds_yaml_from_one(l->line.number);

    *token = (struct xds_token){.kind = kind,
                                .line = line,
                                .column = begin + 1,
                                .end_line = line,
                                .end_column = end + 1};
    return token;
}

static size_t offset_of(const struct xds_yaml_events *e, uint32_t column)
{
    return e->anchors.n == 0 ? e->lines.line.at + column : XDS_YAML_NOWHERE;
}

static void open_level(struct xds_yaml_events *e, bool mapping, uint32_t column)
{
    e->is_mapping[e->depth] = mapping;
    e->indent[e->depth++] = column;
}

/* The place of a list that is not indented is that of its first dash. */
static void open_list(struct xds_yaml_events *e, uint32_t column)
{
    const bool indented = e->depth == 0 || e->indent[e->depth - 1] < column;

    add_token(&e->lines, XDS_TOKEN_ARRAY, column, indented ? column : column + 1);
    open_level(e, false, column);
}

static void close_levels(struct xds_yaml_events *e)
{
    struct xds_yaml_lines *l = &e->lines;
    const bool end = l->line.kind == XDS_YAML_LINE_NONE;
    const uint32_t column = end ? 0 : xds_yaml_line_indent(&l->line);

    while (e->depth > l->level) {
        if (e->is_mapping[--e->depth])
            add_token(l, XDS_TOKEN_OBJECT_END, column, column)->end =
                offset_of(e, column);
        else
            add_token(l, XDS_TOKEN_ARRAY_END, column, column);
    }
}

static struct xds_slice text_of(struct xds_yaml_events *e,
                                const struct xds_yaml_part *part)
{
    const size_t quote = part->kind != XDS_YAML_PLAIN;
    const size_t at = e->lines.line.at;
    const struct xds_slice text =
        xds_buffer_part(e->chunk.in, at + part->begin + quote, at + part->end - quote);

    if (part->kind != XDS_YAML_ESCAPED)
        return text;
    return xds_slice_make(e->lines.text, unescape(text, text.data[-1], e->lines.text));
}

static struct xds_token *add_scalar(struct xds_yaml_events *e,
                                    const struct xds_yaml_part *part, char *number)
{
    struct xds_token *token =
        add_token(&e->lines, XDS_TOKEN_STRING, part->begin, part->end);

    token->text = text_of(e, part);
    if (part->kind == XDS_YAML_PLAIN)
        xds_yaml_resolve(token->text, number, token);
    return token;
}

/* ---- flow ---- */

/* One walk, to check that all of it is known here and to give its tokens. */
struct flow {
    struct cursor *c;
    struct xds_yaml_events *e; /* NULL: only look */
    unsigned tokens, depth;
};

static bool walk_value(struct flow *f);

static bool count_tokens(struct flow *f, unsigned n)
{
    f->tokens += n;
    return f->tokens <= XDS_YAML_FLOW_TOKENS;
}

/* Up to what ends it in flow. A '?' ends it for some releases of libyaml, and a ':'
 * before a bracket is an error. */
static bool read_plain_in_flow(struct cursor *c, struct xds_yaml_part *out)
{
    const size_t begin = c->at;
    size_t end = begin;

    for (; end < c->len && !strchr(",[]{}", c->text[end]); end++) {
        if (is_stop(c->text[end], '?', '?'))
            return false;
        if (c->text[end] == ':' && is_blank(c, end + 1))
            break;
        if (c->text[end] == ':' && end + 1 < c->len && strchr(",[]{}", c->text[end + 1]))
            return false;
    }
    c->at = end;
    while (c->text[end - 1] == ' ')
        end--;
    return set_part(out, XDS_YAML_PLAIN, begin, end);
}

/* A number that JSON writes in another way has no place of its own in a line of many. */
static bool is_as_written(const struct cursor *c, const struct xds_yaml_part *part)
{
    const struct xds_slice text =
        xds_slice_make(c->text + part->begin, part->end - part->begin);
    char number[XDS_YAML_NUMBER];
    struct xds_token token = {.text = text};

    xds_yaml_resolve(text, number, &token);
    return token.text.data == text.data;
}

static bool walk_scalar(struct flow *f, bool is_key)
{
    struct cursor *c = f->c;
    const char first = c->at < c->len ? c->text[c->at] : '\0';
    struct xds_yaml_part part;

    if (first == '"' || first == '\'') {
        if (!read_quoted(c, &part) || part.kind != XDS_YAML_QUOTED)
            return false;
    } else if (first == '\0' || first == ':' || !begins_plain(c) ||
               !read_plain_in_flow(c, &part) || !is_as_written(c, &part))
        return false;
    if ((is_key && part.end - part.begin > XDS_YAML_KEY_MOST) || !count_tokens(f, 1))
        return false;
    if (!f->e)
        return true;
    struct xds_token *token = add_scalar(f->e, &part, f->e->number);

    if (is_key)
        token->kind = XDS_TOKEN_KEY;
    return true;
}

static bool walk_key(struct flow *f)
{
    if (!walk_scalar(f, true) || !is_indicator(f->c, ':'))
        return false;
    f->c->at++;
    skip_spaces(f->c);
    return true;
}

/* After the bracket; the one that closes is next in the end. */
static bool walk_members(struct flow *f, char closing)
{
    struct cursor *c = f->c;

    skip_spaces(c);
    if (c->at < c->len && c->text[c->at] == closing)
        return true;
    for (;;) {
        if ((closing == '}' && !walk_key(f)) || !walk_value(f))
            return false;
        skip_spaces(c);
        if (c->at >= c->len || c->text[c->at] != ',')
            return c->at < c->len && c->text[c->at] == closing;
        c->at++;
        skip_spaces(c);
    }
}

static void add_bracket(struct flow *f, enum xds_token_kind kind)
{
    const uint32_t column = (uint32_t)f->c->at;
    struct xds_token *token;

    if (!f->e)
        return;
    token = add_token(&f->e->lines, kind, column, column + 1);
    if (kind == XDS_TOKEN_OBJECT)
        token->begin = offset_of(f->e, column);
    if (kind == XDS_TOKEN_OBJECT_END)
        token->end = offset_of(f->e, column + 1);
}

static bool walk_collection(struct flow *f)
{
    const bool mapping = f->c->text[f->c->at] == '{';

    if (f->depth == XDS_YAML_FLOW_DEPTH || !count_tokens(f, 2))
        return false;
    add_bracket(f, mapping ? XDS_TOKEN_OBJECT : XDS_TOKEN_ARRAY);
    f->c->at++;
    f->depth++;
    if (!walk_members(f, mapping ? '}' : ']'))
        return false;
    f->depth--;
    add_bracket(f, mapping ? XDS_TOKEN_OBJECT_END : XDS_TOKEN_ARRAY_END);
    f->c->at++;
    return true;
}

static bool walk_value(struct flow *f)
{
    const char first = f->c->at < f->c->len ? f->c->text[f->c->at] : '\0';

    return first == '{' || first == '[' ? walk_collection(f) : walk_scalar(f, false);
}

static bool read_flow(struct cursor *c, struct xds_yaml_part *out)
{
    struct flow flow = {.c = c};
    const size_t begin = c->at;

    return walk_collection(&flow) && set_part(out, XDS_YAML_FLOW, begin, c->at);
}

static void add_flow(struct xds_yaml_events *e, const struct xds_yaml_part *part)
{
    const size_t at = e->lines.line.at;
    const struct xds_slice line = xds_buffer_part(e->chunk.in, at, at + part->end);
    struct cursor c = {.text = line.data, .at = part->begin, .len = line.len};
    struct flow flow = {.c = &c, .e = e};

    (void)walk_collection(&flow);
}

/* The tokens of the line in work, after what it closes. */
static void add_line(struct xds_yaml_events *e)
{
    const struct xds_yaml_line *line = &e->lines.line;
    const bool key = line->key.kind != XDS_YAML_ABSENT;

    for (uint32_t i = 0; i < line->dashes; i++)
        if (i > 0 || e->lines.nested)
            open_list(e, line->dash[i]);
    if (key && (line->dashes > 0 || e->lines.nested)) {
        const uint32_t column = line->key.begin;

        add_token(&e->lines, XDS_TOKEN_OBJECT, column, column)->begin =
            offset_of(e, column);
        open_level(e, true, column);
    }
    if (key)
        add_scalar(e, &line->key, e->lines.number)->kind = XDS_TOKEN_KEY;

    const struct xds_yaml_part *part = &line->value;

    switch (part->kind) {
    case XDS_YAML_ABSENT:
        return;
    case XDS_YAML_PLAIN:
    case XDS_YAML_QUOTED:
    case XDS_YAML_ESCAPED:
        add_scalar(e, part, e->number);
        return;
    case XDS_YAML_FLOW:
        add_flow(e, part);
        return;
    }
}

/* ---- line by line ---- */

/* The line in work is given; this is the next. */
static void go_on(struct xds_yaml_events *e, const struct xds_yaml_line *next)
{
    struct xds_yaml_lines *l = &e->lines;

    xds_yaml_chunk_pass(&e->chunk, l->line.number, next->at, next->number);
    if (l->n > 0) {
        l->end_line = l->tokens[l->n - 1].end_line;
        l->end_column = l->tokens[l->n - 1].end_column;
    }
    l->line = *next;
    l->given++;
}

bool xds_yaml_lines_give(struct xds_yaml_events *e)
{
    struct xds_yaml_lines *l = &e->lines;
    const bool nested = l->nested;
    struct xds_yaml_line next;

    l->n = l->next = 0;
    close_levels(e);
    if (l->line.kind == XDS_YAML_LINE_NONE) {
        add_token(l, XDS_TOKEN_END, 0, 0);
        return false;
    }
    const unsigned n = l->n, depth = e->depth;
    xds_yaml_lines_read(e, l->line.at + l->line.size, l->line.number + 1, &next);
    add_line(e);
    const bool pending = l->line.value.kind == XDS_YAML_ABSENT;
    if (place_line(e, &next, pending)) {
        if (pending && !l->nested) {
            /* A null is after the dash, or the colon, that has no value. */
            const struct xds_yaml_line *line = &e->lines.line;
            const bool key = line->key.kind != XDS_YAML_ABSENT;
            const uint32_t end = (key ? line->key.end : line->dash[line->dashes - 1]) + 1;
            struct xds_token *token = add_token(&e->lines, XDS_TOKEN_NULL, end, end);

            token->text = XDS_S("");
        }
        go_on(e, &next);
        return true;
    }
    l->n = n;
    l->level = e->depth = depth;
    l->nested = nested;
    return false;
}

bool xds_yaml_lines_fill(struct xds_yaml_events *e)
{
    struct xds_yaml_lines *l = &e->lines;

    /* A dash alone in its line gives no token. */
    while (l->next == l->n && l->active)
        if (!xds_yaml_lines_give(e)) {
            l->active = false;
            e->ended = l->line.kind == XDS_YAML_LINE_NONE;
        }
    return l->next < l->n;
}

bool xds_yaml_lines_begin(struct xds_yaml_events *e)
{
    struct xds_yaml_lines *l = &e->lines;
    const struct xds_yaml_chunk *chunk = &e->chunk;
    const bool marker =
        xds_slice_starts(xds_yaml_chunk_from(&e->chunk, chunk->begin, 4), XDS_S("---\n"));

    l->level = 0;
    l->nested = true;
    xds_yaml_lines_read(e, chunk->begin + (marker ? 4 : 0), chunk->lines + marker,
                        &l->line);
    l->active = l->line.kind == XDS_YAML_LINE_ENTRY && fits(e, &l->line) &&
                xds_yaml_lines_give(e);
    return l->active;
}
