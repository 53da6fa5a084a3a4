/*
 * text_source.c - a text proto as tokens, in the form in which JSON has them.
 *
 * Fails:  with one fault, after which nothing is read: it is not known where the next
 *         field begins.
 * Source: Protocol Buffers text format; the header is that of txtpb files.
 */
#include "source/text/text_token.h"

#include "base/ascii.h"

static struct xds_text *text_of(struct xds_recorder *recorder)
{
    return (struct xds_text *)recorder;
}

static struct xds_text_level *top(struct xds_text *t)
{
    return &t->level[t->depth - 1];
}

static bool in_list(struct xds_text *t)
{
    return top(t)->kind == XDS_TEXT_LIST || top(t)->kind == XDS_TEXT_MESSAGES;
}

/* ---- levels ---- */

static bool push(struct xds_text *t, struct xds_token *out, enum xds_text_open kind,
                 char end)
{
    if (t->depth == XDS_TEXT_LEVELS) {
        xds_text_fault(t, out, true, "nested more than 512 levels deep");
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
    t->due = in_list(t) ? XDS_TEXT_DUE_COMMA : XDS_TEXT_DUE_FIELD;
    t->may_separate = true;
    t->fresh = false;
}

static char closing(int c)
{
    return c == '{' ? '}' : c == '<' ? '>' : ']';
}

static void open_message(struct xds_text *t, struct xds_token *out, int c)
{
    xds_text_begin(t, out);
    t->pos++;
    xds_text_end(t, out);
    out->kind = XDS_TOKEN_OBJECT;
    push(t, out, XDS_TEXT_MESSAGE, closing(c));
}

static void open_list(struct xds_text *t, struct xds_token *out, enum xds_text_open kind)
{
    xds_text_begin(t, out);
    t->pos++;
    xds_text_end(t, out);
    out->kind = XDS_TOKEN_ARRAY;
    if (push(t, out, kind, ']'))
        t->due = XDS_TEXT_DUE_FIRST;
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
    const int c = xds_text_next_char(t);

    if (c != ',' && c != ';')
        return c;
    t->pos++;
    return xds_text_next_char(t);
}

/* Behind the message of an Any, the message around it ends too. */
static bool close_any(struct xds_text *t, struct xds_token *out)
{
    const struct xds_text_level *around = top(t);

    if (around->kind == XDS_TEXT_ANYS)
        return true;
    if (skip_separator(t) != around->end) {
        xds_text_fault(t, out, false, "expected the end of the Any: it has one message");
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
        xds_text_fault(t, out, false, what_is_due(level.end));
        return;
    }
    xds_text_begin(t, out);
    t->pos++;
    t->depth--;
    if (level.kind == XDS_TEXT_ANY && !close_any(t, out))
        return;
    xds_text_end(t, out);
    out->kind = XDS_TOKEN_OBJECT_END;
    value_done(t);
}

/* The file ends: so must its message, or its list of Anys. */
static void close_file(struct xds_text *t, struct xds_token *out)
{
    const struct xds_text_level level = *top(t);

    if (level.end != '\0') {
        xds_text_fault(t, out, false, "the text ends before the message does");
        return;
    }
    xds_text_begin(t, out);
    xds_text_end(t, out);
    out->kind = level.kind == XDS_TEXT_ANYS ? XDS_TOKEN_ARRAY_END : XDS_TOKEN_OBJECT_END;
    t->depth--;
    t->due = XDS_TEXT_DUE_END;
}

/* ---- an Any that is written out ---- */

static bool may_stand_in_url(int c)
{
    return c > ' ' && c < 0x7f && !strchr("\"'<>[]{}#,;:", c);
}

/* The URL between brackets, without the blanks that may be in it. */
static bool read_url(struct xds_text *t, struct xds_token *out, struct xds_slice *url)
{
    size_t n = 0, room = 0;
    char *text = NULL;

    xds_arena_reset(&t->texts);
    for (t->pos++;; t->pos++) {
        const int c = xds_text_next_char(t);

        if (c == ']')
            break;
        if (c == XDS_TEXT_NO_CHAR || !may_stand_in_url(c)) {
            xds_text_fault(t, out, false, "expected the type URL of an Any and ']'");
            return false;
        }
        if (n == room) {
            room = room ? room * 2 : 128;
            char *more = xds_arena_alloc(&t->texts, room);
            if (n)
                memcpy(more, text, n);
            text = more;
        }
        text[n++] = (char)c;
    }
    t->pos++;
    xds_text_end(t, out);
    *url = xds_slice_make(text, n);
    return true;
}

static bool begin_any(struct xds_text *t, struct xds_token *out)
{
    const bool on_top = top(t)->kind == XDS_TEXT_ANYS;
    struct xds_slice url;

    xds_text_begin(t, out);
    if (!read_url(t, out, &url))
        return false;
    if (xds_slice_find(url, '/') == url.len) {
        xds_text_fault(t, out, true,
                       "xDS messages have no extensions: only the type URL of an Any, "
                       "such as [type.googleapis.com/...], is allowed in brackets");
        return false;
    }
    if (top(t)->kind == XDS_TEXT_ANY) {
        xds_text_fault(t, out, true,
                       "an Any in an Any must be written with type_url and value");
        return false;
    }
    if (!t->fresh && !on_top) {
        xds_text_fault(t, out, true, "expected the end of the Any: it has one message");
        return false;
    }
    if (on_top) {
        xds_text_add_pending(t, XDS_TOKEN_KEY, XDS_S("@type"), out);
        out->kind = XDS_TOKEN_OBJECT;
    } else {
        out->kind = XDS_TOKEN_KEY;
        out->text = XDS_S("@type");
    }
    xds_text_add_pending(t, XDS_TOKEN_STRING, url, out);
    return true;
}

/* "[URL] {": what comes next are the fields of the message in the Any. */
static void open_any(struct xds_text *t, struct xds_token *out)
{
    struct xds_token ignored;

    if (!begin_any(t, out))
        return;
    int c = xds_text_next_char(t);
    if (c == ':') {
        t->pos++;
        c = xds_text_next_char(t);
    }
    if (c != '{' && c != '<') {
        xds_text_fault(t, out, false, "expected '{' and the message of the Any");
        return;
    }
    xds_text_begin(t, &ignored);
    t->pos++;
    push(t, out, XDS_TEXT_ANY, closing(c));
}

/* ---- fields and lists ---- */

static void scan_field(struct xds_text *t, struct xds_token *out)
{
    const int c = t->may_separate ? skip_separator(t) : xds_text_next_char(t);
    const bool anys = top(t)->kind == XDS_TEXT_ANYS;

    t->may_separate = false;
    if (c == XDS_TEXT_NO_CHAR) {
        close_file(t, out);
    } else if (c == '}' || c == '>') {
        close_message(t, out, c);
    } else if (c == '[') {
        open_any(t, out);
    } else if (!anys && (xds_ascii_alpha((char)c) || c == '_')) {
        xds_text_begin(t, out);
        const size_t len = xds_text_name(t);
        out->kind = XDS_TOKEN_KEY;
        out->text = xds_buffer_part(t->recorder.in, t->pos, t->pos + len);
        t->pos += len;
        xds_text_end(t, out);
        t->due = XDS_TEXT_DUE_COLON;
    } else {
        xds_text_fault(t, out, false,
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
        xds_text_fault(t, out, false, "a list must not contain a list");
    } else if (bodies) {
        xds_text_fault(t, out, false,
                       "expected a message; a list of other values needs ':' before it");
    } else {
        xds_text_scalar(t, out, c);
        value_done(t);
    }
}

static void scan_colon(struct xds_text *t, struct xds_token *out)
{
    int c = xds_text_next_char(t);
    const bool colon = c == ':';

    if (colon) {
        t->pos++;
        c = xds_text_next_char(t);
    }
    if (c == '[')
        open_list(t, out, colon ? XDS_TEXT_LIST : XDS_TEXT_MESSAGES);
    else if (c == '{' || c == '<')
        open_message(t, out, c);
    else if (!colon)
        xds_text_fault(t, out, false, "expected ':' after the name of the field");
    else
        scan_item(t, out, c);
}

static void close_list(struct xds_text *t, struct xds_token *out)
{
    xds_text_begin(t, out);
    t->pos++;
    xds_text_end(t, out);
    out->kind = XDS_TOKEN_ARRAY_END;
    t->depth--;
    value_done(t);
}

static void scan_first(struct xds_text *t, struct xds_token *out)
{
    const int c = xds_text_next_char(t);

    if (c == ']')
        close_list(t, out);
    else
        scan_item(t, out, c);
}

static void scan_comma(struct xds_text *t, struct xds_token *out)
{
    const int c = xds_text_next_char(t);

    if (c == ']') {
        close_list(t, out);
    } else if (c == ',') {
        t->pos++;
        scan_item(t, out, xds_text_next_char(t));
    } else {
        xds_text_fault(t, out, false, "expected ',' or ']'");
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
        scan_first(t, out);
        return;
    case XDS_TEXT_DUE_COMMA:
        scan_comma(t, out);
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

/* The first token of the file, which is not written. */
static void open_file(struct xds_text *t, enum xds_text_open kind)
{
    struct xds_token first;

    xds_text_begin(t, &first);
    first.end_line = first.line;
    first.end_column = first.column + 1;
    push(t, &first, kind, '\0');
    first.kind = kind == XDS_TEXT_ANYS ? XDS_TOKEN_ARRAY : XDS_TOKEN_OBJECT;
    t->pending[2] = t->pending[1];
    t->pending[1] = t->pending[0];
    t->pending[0] = first;
    t->n_pending++;
}

static bool text_begin(struct xds_recorder *recorder)
{
    struct xds_text *t = text_of(recorder);

    if (t->begun)
        return false;
    t->begun = true;
    xds_text_read_header(t);
    const int c = xds_text_peek(t, 0);
    if (c == XDS_TEXT_NO_CHAR && !t->n_pending)
        return false;
    if (c == '[')
        t->n_pending = 0; /* each Any says what it holds */
    open_file(t, c == '[' ? XDS_TEXT_ANYS : XDS_TEXT_MESSAGE);
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
