/*
 * reader.c - what the readers of all formats share: comments that speak to xdscope, and
 * tokens that come one by one.
 *
 * Source: YAML 1.2.2, 6.6: a blank or the begin of the line is before a comment's '#'.
 */
#include "source/reader.h"

/* ---- comments ---- */

static bool is_blank(char c)
{
    return c == ' ' || c == '\t' || c == '\r';
}

static size_t skip_blanks(struct xds_slice text, size_t at)
{
    while (at < text.len && is_blank(text.data[at]))
        at++;
    return at;
}

/* The line alone, as far as it is looked at. */
static struct xds_slice cut_line(struct xds_slice text)
{
    if (text.len > XDS_COMMENT_REACH)
        text.len = XDS_COMMENT_REACH;
    text.len = xds_slice_find(text, '\n');
    return text;
}

static uint32_t columns(struct xds_slice text)
{
    uint32_t n = 0;

    for (size_t i = 0; i < text.len; i++)
        n += ((unsigned char)text.data[i] & 0xC0) != 0x80;
    return n;
}

struct mark {
    size_t at, text; /* of the '#', and after "xdscope:" */
};

static bool find(struct xds_slice line, struct mark *mark)
{
    const struct xds_slice name = XDS_S("xdscope:");

    for (size_t at = xds_slice_find(line, '#'); at < line.len;
         at += 1 + xds_slice_find(xds_slice_from(line, at + 1), '#')) {
        const size_t word = skip_blanks(line, at + 1);

        if ((at > 0 && !is_blank(line.data[at - 1])) ||
            !xds_slice_starts(xds_slice_from(line, word), name))
            continue;
        *mark = (struct mark){at, skip_blanks(line, word + name.len)};
        return true;
    }
    return false;
}

/* ---- lines ---- */

static void add(struct xds_comments *comments, struct xds_comment comment, bool alone)
{
    struct xds_report *report = comments->report;
    struct xds_comment *copy;

    if (report->comments.n == XDS_MAX_COMMENTS) {
        if (report->comments.too_many.line == 0)
            report->comments.too_many = comment.at;
        return;
    }
    report->comments.n++;
    copy = XDS_NEW(&report->arena, struct xds_comment);
    *copy = comment;
    copy->text = xds_arena_dup(&report->arena, comment.text);
    if (alone) {
        copy->waiting = comments->waiting;
        comments->waiting = copy;
    }
    *(comments->first ? comments->behind : &comments->first) = copy;
    comments->behind = &copy->next;
}

void xds_comments_content(struct xds_comments *comments, uint32_t line)
{
    comments->in_content = true;
    for (struct xds_comment *c = comments->waiting; c; c = c->waiting)
        c->line = line;
    comments->waiting = NULL;
}

/* here: the text that begins at `at`. */
static void keep(struct xds_comments *comments, struct xds_place at, bool alone,
                 struct xds_slice here, struct mark mark)
{
    const uint32_t column = at.column + columns(xds_slice_make(here.data, mark.at));
    const uint32_t text_column =
        at.column + columns(xds_slice_make(here.data, mark.text));
    const struct xds_slice said = xds_slice_trim(xds_slice_from(here, mark.text));

    add(comments,
        (struct xds_comment){
            .at = {at.file, at.line, column, at.line, text_column + columns(said)},
            .text_column = text_column,
            .text = said,
            .line = alone ? 0 : at.line,
            .on_top = !comments->in_content,
        },
        alone);
}

void xds_comments_line(struct xds_comments *comments, uint32_t file, uint32_t line,
                       struct xds_slice text)
{
    const struct xds_slice here = cut_line(text);
    const size_t begin = skip_blanks(here, 0);
    const bool alone = begin < here.len && here.data[begin] == '#';
    struct mark mark;

    /* What separates documents of YAML, and what its parser is asked. */
    if (begin < here.len && !alone &&
        !(xds_slice_is(xds_slice_trim(here), "---") ||
          xds_slice_is(xds_slice_trim(here), "...") ||
          xds_slice_starts(here, XDS_S("%"))))
        xds_comments_content(comments, line);
    if (find(here, &mark))
        keep(comments, (struct xds_place){file, line, 1, line, 1}, alone, here, mark);
}

bool xds_comments_want_line(const struct xds_comments *comments)
{
    return !comments->in_content || comments->waiting;
}

void xds_comments_met(struct xds_comments *comments, struct xds_place at, bool alone,
                      struct xds_slice text)
{
    const struct xds_slice here = cut_line(text);
    struct mark mark;

    if (!comments->report || !find(here, &mark) || mark.at > 0)
        return;
    keep(comments, at, alone, here, mark);
    if (comments->first)
        xds_comments_settle(comments, true);
}

void xds_comments_settle(struct xds_comments *comments, bool is_comment)
{
    struct xds_comment *c = comments->first;
    struct xds_report *report = comments->report;

    comments->first = c->next;
    if (!is_comment)
        return;
    c->next = NULL;
    *(report->comments.last ? &report->comments.last->next : &report->comments.first) = c;
    report->comments.last = c;
}

struct xds_source_fault xds_fault_too_large(struct xds_place at, const char *text)
{
    return (struct xds_source_fault){XDS_R_SRC_TOO_LARGE, at, text};
}

/* Tokens of one resource, or seen ahead: they take 4 times as many bytes as usual text.
 */
#define MOST_TOKENS ((size_t)2000000)
#define TOO_MANY_TOKENS "the input has a resource of more than 2000000 tokens"

/* ---- tokens one by one ---- */

static struct xds_recorder *recorder_of(struct xds_reader *reader)
{
    return (struct xds_recorder *)reader;
}

static struct xds_place place_of(const struct xds_recorder *r,
                                 const struct xds_token *token)
{
    return (struct xds_place){r->in->file, token->line, token->column, token->end_line,
                              token->end_column};
}

static void set_fault(struct xds_recorder *r, const struct xds_token *error)
{
    r->reader.fault = (struct xds_source_fault){
        .rule = (enum xds_rule_id)error->begin,
        .at = place_of(r, error),
        .text = error->text.data,
    };
    r->reader.failed = r->over;
}

/* Tokens and their text that would be kept: are they over a limit? Then it is a fault of
 * the value that begins with `at`. */
static bool is_too_large(struct xds_recorder *r, size_t tokens, size_t text,
                         const struct xds_token *at)
{
    if (tokens <= MOST_TOKENS && text <= XDS_MAX_RESOURCE_BYTES)
        return false;
    r->reader.fault = xds_fault_too_large(
        place_of(r, at), tokens > MOST_TOKENS ? TOO_MANY_TOKENS : XDS_TOO_MANY_BYTES);
    return true;
}

static bool from_queue(const struct xds_recorder *r)
{
    return r->next < r->queue.n;
}

static void see_ahead(struct xds_recorder *r, struct xds_token *token)
{
    token->text = xds_arena_dup(&r->queued, token->text);
    xds_token_list_add(&r->queue, token);
    r->next++;
    r->queued_text += token->text.len;
    if (!is_too_large(r, r->queue.n, r->queued_text, &r->queue.items[r->marked]))
        return;
    r->reader.failed = true;
    token->kind = XDS_TOKEN_ERROR;
}

static void next_token(struct xds_recorder *r, struct xds_token *out)
{
    if (from_queue(r)) {
        *out = r->queue.items[r->next++];
        return;
    }
    r->ops->next(r, out);
    if (r->recording && !r->over)
        see_ahead(r, out);
}

static void recorder_next(struct xds_reader *reader, struct xds_token *out)
{
    struct xds_recorder *r = recorder_of(reader);

    if (reader->failed) {
        *out = (struct xds_token){.kind = XDS_TOKEN_ERROR};
        return;
    }
    next_token(r, out);
    if (out->kind == XDS_TOKEN_ERROR && !reader->failed)
        set_fault(r, out);
}

/* How a token changes the number of open brackets. */
static int step_of(enum xds_token_kind kind)
{
    if (kind == XDS_TOKEN_OBJECT || kind == XDS_TOKEN_ARRAY)
        return 1;
    return kind == XDS_TOKEN_OBJECT_END || kind == XDS_TOKEN_ARRAY_END ? -1 : 0;
}

static bool recorder_skip(struct xds_reader *reader, const struct xds_token *first)
{
    struct xds_recorder *r = recorder_of(reader);
    struct xds_token token;
    int open = step_of(first->kind);

    while (open > 0) {
        if (open == 1) /* a list of resources may be skipped as a whole */
            r->ops->renew(r);
        next_token(r, &token);
        if (r->over && token.kind == XDS_TOKEN_ERROR)
            set_fault(r, &token);
        if (reader->failed)
            return false;
        open += step_of(token.kind);
    }
    return true;
}

/* Keep the token that is after those of the resource that is taken; its text may
 * point into an event. */
static size_t keep_token(struct xds_recorder *r, struct xds_token *token, bool queued)
{
    if (!queued)
        token->text = xds_arena_dup(r->reader.scratch, token->text);
    r->taken.n++;
    return token->text.len;
}

static bool recorder_take(struct xds_reader *reader, const struct xds_token *first,
                          struct xds_taken *out)
{
    struct xds_recorder *r = recorder_of(reader);
    const struct xds_token behind = {.kind = XDS_TOKEN_END};
    int open = step_of(first->kind);
    size_t text = 0, end = first->end;
    bool good = true;

    r->taken.n = 0;
    r->ops->renew(r);
    struct xds_token *token = xds_token_list_room(&r->taken);
    *token = *first;
    text += keep_token(r, token, false);
    while (open > 0) {
        const bool queued = from_queue(r);

        token = xds_token_list_room(&r->taken);
        next_token(r, token);
        open += step_of(token->kind);
        end = token->end;
        if (token->kind == XDS_TOKEN_ERROR && good) {
            set_fault(r, token);
            if (r->oversize)
                r->reader.fault.at = place_of(r, first);
            good = false;
        }
        if (reader->failed || r->over)
            break;
        if (good && is_too_large(r, r->taken.n + 1, text + token->text.len, first))
            good = false;
        if (good)
            text += keep_token(r, token, queued);
    }
    reader->failed = r->over;
    xds_token_list_add(&r->taken, &behind);
    r->taken.items[0].end = end;
    *out = (struct xds_taken){.bytes = {NULL, 0}, .tokens = r->taken.items};
    return good;
}

static void recorder_mark(struct xds_reader *reader)
{
    struct xds_recorder *r = recorder_of(reader);

    if (!from_queue(r)) {
        xds_arena_reset(&r->queued);
        r->queue = (struct xds_token_list){.arena = &r->queued};
        r->next = r->queued_text = 0;
    }
    r->marked = r->next;
    r->recording = true;
    r->ops->renew(r);
}

static void recorder_rewind(struct xds_reader *reader)
{
    struct xds_recorder *r = recorder_of(reader);

    r->next = r->marked;
    r->recording = false;
    reader->failed = r->over;
}

static bool recorder_near_end(struct xds_reader *reader)
{
    struct xds_recorder *r = recorder_of(reader);

    return !xds_buffer_need(r->in, r->ops->pos(r), XDS_LOOK_AHEAD + 1);
}

static struct xds_place recorder_place(struct xds_reader *reader,
                                       const struct xds_token *token)
{
    return place_of(recorder_of(reader), token);
}

static bool recorder_begin(struct xds_reader *reader)
{
    struct xds_recorder *r = recorder_of(reader);

    r->queue.n = r->next = 0;
    r->recording = reader->failed = r->over = r->oversize = false;
    return r->ops->begin(r);
}

void xds_recorder_open(struct xds_recorder *recorder, const struct xds_recorder_ops *ops,
                       struct xds_buffer *in, struct xds_arena *scratch)
{
    static const struct xds_reader_ops reader_ops = {
        .begin = recorder_begin,
        .next = recorder_next,
        .skip = recorder_skip,
        .take = recorder_take,
        .mark = recorder_mark,
        .rewind = recorder_rewind,
        .near_end = recorder_near_end,
        .place = recorder_place,
    };

    recorder->reader = (struct xds_reader){.ops = &reader_ops, .scratch = scratch};
    recorder->ops = ops;
    recorder->in = in;
    xds_arena_reset(&recorder->tokens);
    recorder->taken = (struct xds_token_list){.arena = &recorder->tokens};
    recorder->queue = (struct xds_token_list){.arena = &recorder->queued};
    recorder->next = 0;
    recorder->over = recorder->oversize = false;
}

void xds_recorder_release(struct xds_recorder *recorder)
{
    xds_arena_release(&recorder->queued);
    xds_arena_release(&recorder->tokens);
}
