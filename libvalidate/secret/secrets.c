/*
 * secrets.c - where the secrets of a text are, by the tokens of its syntax.
 *
 * A text in which no name of a secret occurs is looked through once and not read. In any
 * other the values of these names, and of headers with such names, are spans that are
 * hidden. Where the syntax is broken, the tokens say nothing: after a secret of the same
 * document, and from the next name of one on, no line is shown until they do again.
 */
#include "include/xdscope.h"

#include <errno.h>
#include <stdlib.h>
#include <unistd.h>
#include <xxhash.h>

#include "secret/secret.h"
#include "source/json/json_source.h"
#include "source/source.h"
#include "source/text/text_source.h"

/* More of them, or of lines that may have one, and nothing of the text is shown. */
#define MOST_SPANS ((size_t)1 << 20)
/* Shorter secrets are not looked for elsewhere. */
#define LEAST_COPY 4
/* Nesting that is followed: that of the readers. */
#define LEVELS 513
/* Values of a message that may come before the name that they are of. */
#define HELD 4

struct at {
    uint32_t line, column;
};

struct span {
    struct at begin, end;
    struct at reach; /* the last end so far, in the order of begins */
    bool is_broken;  /* lines of a broken part */
    bool is_dark;    /* of which none is shown */
    bool is_around;  /* a secret: only its comments are hidden */
};

struct spans {
    struct span *items;
    size_t n, cap;
};

struct xds_secrets {
    struct spans spans;
    struct {
        uint32_t *items;
        size_t n, cap;
    } lines;      /* that may have the name of a secret */
    bool is_dark; /* nothing is shown */
};

struct level {
    bool is_object;
    bool has_name; /* the name of a secret: values beside it are */
    bool begun;    /* a list: its first item was seen */
    unsigned n_held;
    struct span held[HELD];
};

/* Lines of a key of PEM without an end: more than any key has. */
#define KEY_LINES 200

struct job {
    const char *name;
    struct xds_slice text; /* or: */
    int fd;
    enum xds_status status;
    struct xds_secrets *secrets;
    bool has_name;     /* of a secret, as far as can be seen without tokens */
    bool has_anchor;   /* a secret may be written where no name of one is */
    uint32_t key_line; /* where a key of PEM began, up to its end; or 0 */
    struct at due_at;  /* the last key that is the name of a secret */
    struct {
        uint64_t *items;
        size_t n, cap;
    } hashes;         /* of secrets */
    bool find_copies; /* the second time, of these */

    struct xds_arena scratch;
    struct xds_buffer buffer;
    struct xds_json json;
    struct xds_yaml yaml;
    struct xds_text proto;
    struct xds_reader *reader;
    bool is_json;

    unsigned depth, hidden; /* hidden: the depth at which a secret began; 0: in none */
    struct level level[LEVELS];
    bool is_due;             /* the next value is a secret */
    bool is_value, is_namer; /* it is the value, or the name, of a header */
    bool is_leaf;            /* below a secret, and may be shown */
    struct at last;          /* the end of the last token */
    bool is_broken,
        has_met; /* the tokens say nothing; a secret was met in the document */
};

/* ---- lists ---- */

static void *room(struct job *job, void *items, size_t n, size_t *cap, size_t size)
{
    if (n < *cap)
        return items;
    *cap = *cap ? *cap * 2 : 64;
    return xds_arena_realloc(&job->scratch, items, *cap, size);
}

static void add_span(struct job *job, const struct span *span)
{
    struct spans *spans = &job->secrets->spans;

    if (spans->n == MOST_SPANS) {
        job->secrets->is_dark = true;
        return;
    }
    spans->items = room(job, spans->items, spans->n, &spans->cap, sizeof *spans->items);
    spans->items[spans->n++] = *span;
}

static void add_line(struct job *job, uint32_t line)
{
    struct xds_secrets *s = job->secrets;

    if (s->lines.n == MOST_SPANS) {
        s->is_dark = true;
        return;
    }
    s->lines.items =
        room(job, s->lines.items, s->lines.n, &s->lines.cap, sizeof *s->lines.items);
    s->lines.items[s->lines.n++] = line;
}

static uint64_t hash_of(const struct xds_token *token)
{
    return XXH3_64bits(token->text.data, token->text.len);
}

static void add_hash(struct job *job, const struct xds_token *token)
{
    if (!job->has_anchor || job->find_copies || token->text.len < LEAST_COPY)
        return;
    job->hashes.items = room(job, job->hashes.items, job->hashes.n, &job->hashes.cap,
                             sizeof *job->hashes.items);
    job->hashes.items[job->hashes.n++] = hash_of(token);
}

static int compare_hashes(const void *left, const void *right)
{
    const uint64_t a = *(const uint64_t *)left, b = *(const uint64_t *)right;

    return (a > b) - (a < b);
}

static bool is_copy(const struct job *job, const struct xds_token *token)
{
    if (!job->find_copies || token->text.len < LEAST_COPY)
        return false;
    const uint64_t hash = hash_of(token);

    return bsearch(&hash, job->hashes.items, job->hashes.n, sizeof hash,
                   compare_hashes) != NULL;
}

/* ---- tokens ---- */

static struct span span_of(const struct job *job, const struct xds_token *token)
{
    struct xds_buffer *in = (struct xds_buffer *)(uintptr_t)&job->buffer;

    if (!job->is_json)
        return (struct span){.begin = {token->line, token->column},
                             .end = {token->end_line, token->end_column}};
    const struct xds_place begin = xds_buffer_count(in, token->begin);
    const struct xds_place end = xds_buffer_count(in, token->end);

    return (struct span){.begin = {begin.line, begin.column},
                         .end = {end.line, end.column}};
}

static struct xds_slice name_of(struct job *job, const struct xds_token *token)
{
    return token->escaped ? xds_token_unescape(token, &job->scratch) : token->text;
}

static void take_key(struct job *job, const struct xds_token *key,
                     const struct span *span)
{
    const struct xds_slice name = name_of(job, key);

    job->is_due = job->is_value = job->is_namer = job->is_leaf = false;
    if (job->hidden > 0) {
        if (!xds_secret_shows(name, &job->is_leaf))
            add_span(job, span);
        return;
    }
    if (is_copy(job, key))
        add_span(job, span);
    job->is_due = xds_secret_name(name);
    if (job->is_due)
        job->due_at = span->begin;
    job->is_value = xds_secret_is_value(name);
    job->is_namer = xds_secret_is_namer(name);
    job->has_met |= job->is_due;
}

static bool is_item(const struct level *level)
{
    return !level->is_object && level->begun;
}

/* The name of a header is next to its value, before or after it. */
static void take_name(struct job *job, struct level *level, const struct xds_token *token)
{
    if (!xds_secret_name(name_of(job, token)))
        return;
    level->has_name = job->has_met = true;
    for (unsigned i = 0; i < level->n_held; i++)
        add_span(job, &level->held[i]);
    level->n_held = 0;
}

/* From the name of a secret to the end of the line that it ends in. */
static void add_around(struct job *job, struct at end)
{
    const struct span span = {
        .begin = job->due_at, .end = {end.line + 1, 1}, .is_around = true};

    if (job->due_at.line > 0)
        add_span(job, &span);
    job->due_at.line = 0;
}

static void hide_scalar(struct job *job, const struct xds_token *token,
                        const struct span *span)
{
    add_span(job, span);
    add_hash(job, token);
}

static void take_scalar(struct job *job, const struct xds_token *token,
                        const struct span *span)
{
    struct level *level = &job->level[job->depth];

    if (job->hidden > 0 || job->is_due) {
        if (!job->is_leaf)
            hide_scalar(job, token, span);
        if (job->hidden == 0)
            add_around(job, span->end);
    } else if ((level->has_name && (job->is_value || is_item(level))) ||
               xds_secret_has_credentials(token->text))
        hide_scalar(job, token, span);
    else if (is_copy(job, token))
        add_span(job, span);
    else if (job->is_namer || (!level->is_object && !level->begun && job->depth > 0))
        take_name(job, level, token);
    else if (job->is_value && level->n_held < HELD)
        level->held[level->n_held++] = *span;
    level->begun = true;
    job->is_due = job->is_value = job->is_namer = job->is_leaf = false;
}

static void open_level(struct job *job, bool is_object)
{
    const struct level *outer = &job->level[job->depth];
    const bool is_secret =
        job->is_due || (outer->has_name && (job->is_value || is_item(outer)));

    if (job->depth + 1 == LEVELS) {
        job->secrets->is_dark = true;
        return;
    }
    job->level[job->depth].begun = true;
    struct level *level = &job->level[++job->depth];

    level->is_object = is_object;
    level->has_name = level->begun = false;
    level->n_held = 0;
    if (is_secret && job->hidden == 0)
        job->hidden = job->depth;
    job->is_due = job->is_value = job->is_namer = job->is_leaf = false;
}

static void close_level(struct job *job, struct at end)
{
    if (job->hidden > 0 && job->hidden == job->depth) {
        job->hidden = 0;
        add_around(job, end);
    }
    if (job->depth > 0)
        job->depth--;
    job->is_due = job->is_value = job->is_namer = job->is_leaf = false;
}

/* Is there the name of a secret in these lines? */
static bool has_name_in(const struct xds_secrets *s, uint32_t from, uint32_t to)
{
    size_t low = 0, high = s->lines.n;

    while (low < high) {
        const size_t mid = low + (high - low) / 2;

        if (s->lines.items[mid] < from)
            low = mid + 1;
        else
            high = mid;
    }
    return low < s->lines.n && s->lines.items[low] <= to;
}

/* What was not read by tokens begins after the last one. A value that
 * stands alone after it may be that of its last name. */
static void end_broken(struct job *job, struct at end, bool is_alone)
{
    if (!job->is_broken)
        return;
    const struct span span = {
        .begin = job->last, .end = end, .is_broken = true, .is_dark = job->has_met};

    add_span(job, &span);
    job->is_broken = false;
    job->is_due |= is_alone && has_name_in(job->secrets, span.begin.line, end.line);
}

static void take_token(struct job *job, const struct xds_token *token)
{
    job->is_broken |= token->kind == XDS_TOKEN_ERROR;
    if (token->kind == XDS_TOKEN_ERROR || token->kind == XDS_TOKEN_END)
        return;
    const struct span span = span_of(job, token);

    end_broken(job, span.begin,
               job->depth == 0 && token->kind != XDS_TOKEN_OBJECT &&
                   token->kind != XDS_TOKEN_ARRAY);
    job->last = span.end;
    switch (token->kind) {
    case XDS_TOKEN_OBJECT:
    case XDS_TOKEN_ARRAY:
        open_level(job, token->kind == XDS_TOKEN_OBJECT);
        break;
    case XDS_TOKEN_OBJECT_END:
    case XDS_TOKEN_ARRAY_END:
        close_level(job, span.end);
        break;
    case XDS_TOKEN_KEY:
        take_key(job, token, &span);
        break;
    case XDS_TOKEN_STRING:
    case XDS_TOKEN_NUMBER:
    case XDS_TOKEN_TRUE:
    case XDS_TOKEN_FALSE:
    case XDS_TOKEN_NULL:
    case XDS_TOKEN_WORD:
        take_scalar(job, token, &span);
        break;
    case XDS_TOKEN_END:
    case XDS_TOKEN_ERROR:
        break;
    }
}

/* ---- a text ---- */

static void open_buffer(struct job *job)
{
    if (job->fd < 0)
        xds_buffer_open_bytes(&job->buffer, job->text, 0);
    else if (lseek(job->fd, 0, SEEK_SET) == 0)
        xds_buffer_open(&job->buffer, job->fd, 0);
    else
        job->status = XDS_ERR_IO;
}

static void open_reader(struct job *job)
{
    const enum xds_ending ending = xds_input_format(job->name, &job->buffer);

    job->is_json = ending == XDS_ENDING_JSON || ending == XDS_ENDING_JSON_LINES;
    if (job->is_json) {
        xds_json_open(&job->json, &job->buffer, &job->scratch,
                      ending == XDS_ENDING_JSON_LINES);
        job->reader = &job->json.reader;
    } else if (ending == XDS_ENDING_TEXT_PROTO) {
        xds_text_open(&job->proto, &job->buffer, &job->scratch);
        job->reader = &job->proto.recorder.reader;
    } else {
        xds_yaml_open(&job->yaml, &job->buffer, &job->scratch);
        job->reader = &job->yaml.recorder.reader;
    }
}

static void read_document(struct job *job)
{
    struct xds_token token;

    job->depth = job->hidden = 0;
    job->level[0] = (struct level){.is_object = true};
    job->is_due = job->is_value = job->is_namer = job->is_leaf = false;
    do {
        job->reader->ops->next(job->reader, &token);
        take_token(job, &token);
        if (token.kind == XDS_TOKEN_KEY || token.kind == XDS_TOKEN_STRING)
            xds_arena_reset(&job->scratch);
    } while (token.kind != XDS_TOKEN_END && !job->reader->failed &&
             !job->secrets->is_dark);
}

static void read_tokens(struct job *job)
{
    job->last = (struct at){1, 1};
    job->is_broken = job->has_met = false;
    open_buffer(job);
    if (job->status != XDS_OK)
        return;
    open_reader(job);
    while (!job->secrets->is_dark && job->reader->ops->begin(job->reader)) {
        read_document(job);
        /* What a broken document leaves open belongs to it. */
        if (!job->is_broken)
            job->has_met = false;
    }
    job->is_broken |= job->reader->failed;
    end_broken(job, (struct at){UINT32_MAX, 1}, false);
    if (xds_buffer_failed(&job->buffer))
        job->status = job->buffer.error == ENOMEM ? XDS_ERR_NO_MEMORY : XDS_ERR_IO;
}

/* ---- lines that may have the name of a secret ---- */

/* In blocks whose count fits a byte, of which compilers look at many at a time. */
static uint32_t count_lines(struct xds_slice text)
{
    enum { BLOCK = 128 };
    uint32_t sum = 0;

    while (text.len > 0) {
        const size_t len = text.len < BLOCK ? text.len : BLOCK;
        uint8_t n = 0;

        for (size_t i = 0; i < len; i++)
            n = (uint8_t)(n + (text.data[i] == '\n'));
        sum += n;
        text = xds_slice_from(text, len);
    }
    return sum;
}

/* The line that is around a byte of a text. */
static struct xds_slice line_around(struct xds_slice text, size_t at)
{
    size_t begin = at;

    while (begin > 0 && text.data[begin - 1] != '\n')
        begin--;
    const struct xds_slice rest = xds_slice_from(text, begin);

    return xds_slice_make(rest.data, xds_slice_find(rest, '\n'));
}

static bool has(struct xds_slice text, struct xds_slice word)
{
    return xds_slice_search(text, word) < text.len;
}

/* No line of a key is shown from its first one on to its last, whatever it is in. */
static void end_key(struct job *job, uint32_t end)
{
    const struct span span = {.begin = {job->key_line + 1, 1},
                              .end = {end + 1, 1},
                              .is_broken = true,
                              .is_dark = true};

    if (job->key_line > 0 && end > job->key_line)
        add_span(job, &span);
    job->key_line = 0;
}

static void find_key(struct job *job, struct xds_slice text, uint32_t line)
{
    const bool is_end = has(text, XDS_S("-----END "));

    if (!has(text, XDS_S("PRIVATE KEY-----")))
        return;
    if (is_end)
        end_key(job, line);
    else if (job->key_line == 0 && has(text, XDS_S("-----BEGIN ")))
        job->key_line = line;
}

/* Of a text at hand, of which `done` bytes were looked at; line: that of these. */
static void find_lines(struct job *job, const struct xds_secret_search *search,
                       struct xds_slice text, size_t *done, uint32_t *line)
{
    size_t at = *done;

    while ((at = xds_secret_root(search, text, at)) < text.len) {
        const uint32_t before = *line;

        *line += count_lines(xds_slice_make(text.data + *done, at - *done));
        if (*done == 0 || *line > before) {
            add_line(job, *line);
            find_key(job, line_around(text, at), *line);
        }
        *done = at;

        const struct xds_slice rest = xds_slice_from(text, at);
        const size_t other = job->has_name ? 0 : xds_secret_other(rest);

        job->has_name = other == 0;
        /* The rest of a line with a name adds nothing. */
        at += job->has_name ? xds_slice_find(rest, '\n') : other;
    }
    *line += count_lines(xds_slice_from(text, *done));
    *done = text.len;
}

static void look_through(struct job *job)
{
    struct xds_secret_search search;
    struct xds_buffer *in = &job->buffer;
    uint32_t line = 1;
    size_t done = 0;

    xds_secret_search_init(&search);
    open_buffer(job);
    /* The name may be in pieces there, one string after the other. */
    job->has_name =
        job->status == XDS_OK && xds_input_format(job->name, in) == XDS_ENDING_TEXT_PROTO;
    in->has_lines = false; /* they are counted here */
    while (job->status == XDS_OK) {
        const struct xds_slice text = xds_buffer_from(in, in->keep);

        job->has_anchor |= text.len > 0 && memchr(text.data, '&', text.len);
        find_lines(job, &search, text, &done, &line);
        const size_t kept = done < XDS_SECRET_OVERLAP ? done : XDS_SECRET_OVERLAP;

        if (kept > 0) /* an empty file has no text at all */
            line -= count_lines(xds_slice_make(text.data + done - kept, kept));
        in->keep += done - kept;
        done = 0;
        if (!xds_buffer_more(in))
            break;
    }
    end_key(job, job->key_line + KEY_LINES);
    if (xds_buffer_failed(in))
        job->status = in->error == ENOMEM ? XDS_ERR_NO_MEMORY : XDS_ERR_IO;
}

static int compare_places(const struct at *a, const struct at *b)
{
    if (a->line != b->line)
        return a->line < b->line ? -1 : 1;
    return (a->column > b->column) - (a->column < b->column);
}

static int compare_spans(const void *left, const void *right)
{
    const struct span *a = left, *b = right;
    const int c = compare_places(&a->begin, &b->begin);

    return c ? c : compare_places(&a->end, &b->end);
}

static void sort_spans(struct spans *spans)
{
    struct at reach = {0, 0};

    if (spans->n > 0)
        qsort(spans->items, spans->n, sizeof *spans->items, compare_spans);
    for (size_t i = 0; i < spans->n; i++) {
        if (compare_places(&spans->items[i].end, &reach) > 0)
            reach = spans->items[i].end;
        spans->items[i].reach = reach;
    }
}

static void find_all(void *arg)
{
    struct job *job = arg;
    struct spans *spans = &job->secrets->spans;

    look_through(job);
    const size_t of_lines = spans->n;

    if (job->status != XDS_OK || !job->has_name)
        return;
    read_tokens(job);
    if (job->status == XDS_OK && job->hashes.n > 0) {
        qsort(job->hashes.items, job->hashes.n, sizeof *job->hashes.items,
              compare_hashes);
        job->find_copies = true;
        spans->n = of_lines;
        read_tokens(job);
    }
    sort_spans(spans);
}

static void release(struct job *job)
{
    xds_buffer_release(&job->buffer);
    xds_yaml_release(&job->yaml);
    xds_text_release(&job->proto);
    xds_arena_release(&job->scratch);
    free(job->hashes.items);
}

static enum xds_status find(const char *name, struct xds_slice text, int fd,
                            struct xds_secrets **out)
{
    struct job *job = calloc(1, sizeof *job);
    struct xds_secrets *secrets = calloc(1, sizeof *secrets);
    enum xds_status status = XDS_ERR_NO_MEMORY;

    *out = NULL;
    if (job && secrets) {
        struct xds_arena *const arenas[] = {
            &job->scratch,
            &job->yaml.document,
            &job->yaml.recorder.queued,
            &job->yaml.recorder.tokens,
            &job->proto.recorder.queued,
            &job->proto.recorder.tokens,
            &job->proto.texts,
            &job->proto.document,
        };

        job->name = name;
        job->text = text;
        job->fd = fd;
        job->secrets = secrets;
        status = xds_arena_guard(arenas, XDS_ARRAY_LEN(arenas), find_all, job);
        if (status == XDS_OK)
            status = job->status;
        release(job);
    }
    if (status == XDS_OK && job->has_name) {
        *out = secrets;
        secrets = NULL;
    }
    free(job);
    xds_secrets_free(secrets);
    return status;
}

enum xds_status xds_secrets_of_text(const char *name, struct xds_slice text,
                                    struct xds_secrets **out)
{
    return find(name, text, -1, out);
}

enum xds_status xds_secrets_of_file(const char *name, int fd, struct xds_secrets **out)
{
    return find(name, (struct xds_slice){NULL, 0}, fd, out);
}

void xds_secrets_free(struct xds_secrets *secrets)
{
    if (!secrets)
        return;
    free(secrets->spans.items);
    free(secrets->lines.items);
    free(secrets);
}

/* ---- what is shown ---- */

/* The first span that ends after a place. */
static size_t first_behind(const struct spans *spans, const struct at *at)
{
    size_t low = 0, high = spans->n;

    while (low < high) {
        const size_t mid = low + (high - low) / 2;

        if (compare_places(&spans->items[mid].reach, at) <= 0)
            low = mid + 1;
        else
            high = mid;
    }
    return low;
}

static bool is_quote(char c)
{
    return c == '"' || c == '\'';
}

struct line {
    char *text;
    size_t len, at, n; /* read, written */
    uint32_t number, column;
    bool is_blank; /* so far */
    bool is_around, in_comment;
};

/* Copy one character. Those that a span begins and ends with may be its quotes. */
static void copy_character(struct line *line, bool is_hidden, bool is_edge)
{
    const char c = line->text[line->at];

    line->in_comment |= line->is_around && !is_hidden && c == '#' &&
                        (line->at == 0 || line->text[line->at - 1] == ' ');
    const bool stays = (c == ' ' && line->is_blank) || (is_edge && is_quote(c)) ||
                       !(is_hidden || line->in_comment);

    line->is_blank = line->is_blank && c == ' ';
    line->text[line->n++] = stays ? c : '*';
    while (++line->at < line->len && ((unsigned char)line->text[line->at] & 0xc0) == 0x80)
        if (stays)
            line->text[line->n++] = line->text[line->at];
    line->column += line->column < UINT32_MAX;
}

/* Up to the end of the span, or of the line. */
static void hide_span(struct line *line, const struct span *span)
{
    const uint32_t from = span->begin.line < line->number ? 0 : span->begin.column;
    const uint32_t to = span->end.line > line->number ? UINT32_MAX : span->end.column;

    while (line->at < line->len && line->column < to)
        copy_character(line, line->column >= from,
                       line->column == from || line->column + 1 == to);
}

bool xds_secrets_hide(const struct xds_secrets *secrets, uint32_t number, uint32_t column,
                      struct xds_slice text, char *to, size_t *len)
{
    struct line line = {
        .text = to, .number = number, .column = column, .is_blank = column == 1};

    if (secrets && secrets->is_dark)
        return false;
    *len = line.len = xds_redact(text, to);
    if (!secrets)
        return true;
    const struct spans *spans = &secrets->spans;

    for (size_t i = first_behind(spans, &(struct at){number, 0});
         i < spans->n && spans->items[i].begin.line <= number; i++) {
        const struct span *span = &spans->items[i];

        if (span->end.line < number ||
            (span->end.line == number && span->end.column == 1))
            continue; /* it reaches to the end of the line before */
        if (span->is_around)
            line.is_around = true;
        else if (!span->is_broken)
            hide_span(&line, span);
        else if (span->is_dark || has_name_in(secrets, span->begin.line, number))
            return false;
    }
    while (line.at < line.len)
        copy_character(&line, false, false);
    *len = line.n;
    return true;
}
