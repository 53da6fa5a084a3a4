/*
 * comments.c - comments of an input that speak to xdscope: "# xdscope: ...".
 *
 * Source: YAML 1.2.2, 6.6: a blank or the begin of the line is before the '#'.
 */
#include "source/comments.h"

#include "base/limits.h"

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

/* ---- finding one ---- */

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

/* What separates documents of YAML, and what its parser is asked. */
static bool is_marker(struct xds_slice line)
{
    return xds_slice_is(xds_slice_trim(line), "---") ||
           xds_slice_is(xds_slice_trim(line), "...") ||
           xds_slice_starts(line, XDS_S("%"));
}

static void give_line(struct xds_comments *comments, uint32_t line)
{
    for (struct xds_comment *c = comments->waiting; c; c = c->waiting)
        c->line = line;
    comments->waiting = NULL;
}

static void add(struct xds_comments *comments, struct xds_comment comment, bool alone)
{
    struct xds_report *report = comments->report;
    struct xds_comment *copy;

    if (report->n_comments == XDS_MAX_COMMENTS) {
        if (report->too_many.line == 0)
            report->too_many = comment.at;
        return;
    }
    report->n_comments++;
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
    give_line(comments, line);
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

    if (begin < here.len && !alone && !is_marker(here))
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
    *(report->last_comment ? &report->last_comment->next : &report->comments) = c;
    report->last_comment = c;
}
