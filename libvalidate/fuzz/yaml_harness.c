/*
 * yaml_harness.c - YAML that is read line by line where that can be done, beside YAML
 * that only libyaml reads.
 */
#include "fuzz/yaml_harness.h"

#include <fcntl.h>
#include <inttypes.h>
#include <unistd.h>

#include "report/report.h"
#include "fuzz/harness.h"
#include "source/yaml/yaml.h"

struct way {
    struct xds_buffer in;
    struct xds_arena document;
    struct xds_yaml_events events;
    struct xds_report *report;
    struct xds_token token;
};

struct ways {
    struct xds_slice text;
    struct way lines, libyaml;
    size_t tokens; /* that came without libyaml */
};

/* ---- what differs ---- */

static void print_token(struct xds_memory *out, const char *way,
                        const struct xds_token *token)
{
    xds_memory_print(out, "%s: kind %d at %" PRIu32 ":%" PRIu32 "-%" PRIu32 ":%" PRIu32,
                     way, (int)token->kind, token->line, token->column, token->end_line,
                     token->end_column);
    xds_memory_print(out, " [%zu-%zu] \"%.*s\"\n", token->begin, token->end,
                     XDS_FMT(token->text));
}

static void print_comments(struct xds_memory *out, const char *way,
                           const struct xds_comment *c)
{
    for (; c; c = c->next)
        xds_memory_print(out, "%s: at %" PRIu32 ":%" PRIu32 " of %" PRIu32 " \"%.*s\"\n",
                         way, c->at.line, c->at.column, c->line, XDS_FMT(c->text));
}

static _Noreturn void fail(const struct ways *w, const char *what)
{
    struct xds_memory said = {NULL, 0, 0};

    print_token(&said, "by lines", &w->lines.token);
    print_token(&said, "by libyaml", &w->libyaml.token);
    print_comments(&said, "comment by lines", w->lines.report->comments.first);
    print_comments(&said, "comment by libyaml", w->libyaml.report->comments.first);
    xds_fuzz_fail("%s\n%.*sof:\n%.*s", what, XDS_FMT(xds_memory_text(&said)),
                  XDS_FMT(w->text));
}

static bool same_place(const struct xds_token *a, const struct xds_token *b)
{
    return a->line == b->line && a->column == b->column && a->end_line == b->end_line &&
           a->end_column == b->end_column;
}

/* libyaml forgets where a mapping begins when it has read far ahead: how far depends on
 * where it has begun. */
static bool same_offset(const struct ways *w, size_t lines, size_t libyaml)
{
    return lines == libyaml || libyaml == XDS_YAML_NOWHERE ||
           (lines == XDS_YAML_NOWHERE && w->lines.events.has_parser);
}

static void compare_tokens(const struct ways *w)
{
    const struct xds_token *a = &w->lines.token, *b = &w->libyaml.token;

    if (a->kind != b->kind || a->escaped != b->escaped || !xds_slice_eq(a->text, b->text))
        fail(w, "another token");
    if (!same_place(a, b))
        fail(w, "another place");
    if (!same_offset(w, a->begin, b->begin) || !same_offset(w, a->end, b->end))
        fail(w, "another offset");
}

/* To libyaml a line ends at a lone CR, NEL, LS or PS too. The lines of comments end at LF
 * alone, so that after such a break they are not known to be before an event. */
static bool is_other_break(const char *at, size_t left)
{
    if (*at == '\r')
        return left == 1 || at[1] != '\n';
    return (left >= 2 && memcmp(at, "\xC2\x85", 2) == 0) ||
           (left >= 3 && memcmp(at, "\xE2\x80\xA8", 3) == 0) ||
           (left >= 3 && memcmp(at, "\xE2\x80\xA9", 3) == 0);
}

static bool has_other_break(struct xds_slice text)
{
    size_t i = 0;

    while (i < text.len && !is_other_break(text.data + i, text.len - i))
        i++;
    return i < text.len;
}

static void compare_comments(const struct ways *w)
{
    if (has_other_break(w->text))
        return;
    const struct xds_comment *a = w->lines.report->comments.first;
    const struct xds_comment *b = w->libyaml.report->comments.first;

    for (; a && b; a = a->next, b = b->next)
        if (a->at.line != b->at.line || a->at.column != b->at.column ||
            a->line != b->line || a->on_top != b->on_top ||
            !xds_slice_eq(a->text, b->text))
            break;
    if (a || b)
        fail(w, "another comment");
}

/* ---- both ways ---- */

static void open_way(struct way *way, struct xds_slice text, const char *path)
{
    struct xds_options options;

    xds_options_init(&options);
    *way = (struct way){.report = xds_report_new(&options)};
    xds_arena_init(&way->document, 0);
    if (path)
        xds_buffer_open(&way->in, open(path, O_RDONLY | O_CLOEXEC), 0);
    else
        xds_buffer_open_bytes(&way->in, text, 0);
    xds_yaml_events_open(&way->events, &way->in, &way->document);
    way->events.anchors.budget = XDS_MAX_ALIAS_TOKENS;
    way->events.chunk.comments.report = way->report;
}

static void close_way(struct way *way)
{
    if (way->in.fd >= 0)
        close(way->in.fd);
    xds_yaml_events_close(&way->events);
    xds_buffer_release(&way->in);
    xds_arena_release(&way->document);
    xds_report_free(way->report);
}

/* libyaml fails at such bytes when it has read the block that they are in, which does not
 * begin at the same place both ways: not all that is before them is known. */
static bool is_unreadable(const struct way *way)
{
    return way->events.failed && way->events.parser.error == YAML_READER_ERROR;
}

static void expect_error(const struct ways *w, struct way *way)
{
    bool more = true;

    while (more && !way->events.failed) {
        xds_yaml_events_next(&way->events, &way->token);
        more = way->token.kind != XDS_TOKEN_END || xds_yaml_events_begin(&way->events);
    }
    if (!way->events.failed)
        fail(w, "no error");
}

/* False when there is nothing more to be compared. */
static bool compare_document(struct ways *w)
{
    do {
        xds_yaml_events_next(&w->lines.events, &w->lines.token);
        xds_yaml_events_next(&w->libyaml.events, &w->libyaml.token);
        if (is_unreadable(&w->lines) || is_unreadable(&w->libyaml)) {
            expect_error(w, &w->lines);
            expect_error(w, &w->libyaml);
            return false;
        }
        w->tokens += !w->lines.events.has_parser;
        compare_tokens(w);
    } while (!w->libyaml.events.failed && w->libyaml.token.kind != XDS_TOKEN_END);
    return true;
}

static void compare(void *arg)
{
    struct ways *w = arg;

    w->libyaml.events.libyaml_only = true;
    while (xds_yaml_events_begin(&w->libyaml.events)) {
        if (!xds_yaml_events_begin(&w->lines.events))
            fail(w, "no document");
        if (!compare_document(w))
            return;
    }
    if (xds_yaml_events_begin(&w->lines.events))
        fail(w, "one more document");
    compare_comments(w);
}

size_t xds_yaml_compare(struct xds_slice text, const char *path)
{
    struct ways w = {.text = text};

    open_way(&w.lines, text, path);
    open_way(&w.libyaml, text, path);
    struct xds_arena *const arenas[] = {&w.lines.document, &w.libyaml.document,
                                        &w.lines.report->arena, &w.libyaml.report->arena};
    if (xds_arena_guard(arenas, XDS_ARRAY_LEN(arenas), compare, &w) != XDS_OK)
        xds_fuzz_fail("no memory");
    close_way(&w.lines);
    close_way(&w.libyaml);
    return w.tokens;
}

void xds_fuzz_yaml(const uint8_t *data, size_t size)
{
    xds_yaml_compare(xds_slice_make((const char *)data, size), NULL);
}
