/*
 * reread.c - one resource once more: its bytes, or its tokens together or one by one.
 *
 * Fails:  where its place is not known or its file has changed: read the file from its
 *         start then.
 */
#include <errno.h>
#include <stdlib.h>
#include <unistd.h>

#include "source/source.h"

/* A resource of YAML that is further to the right is not cut out: the blanks in front
 * of it come with it. */
#define MOST_COLUMNS 4096

/* A column that was too large to be counted may be that of several. */
static const struct xds_extent *find(const struct xds_extents *extents,
                                     const struct xds_place *at)
{
    const struct xds_extent key = {
        .file = at->file, .line = at->line, .column = at->column};

    if (extents->n == 0 || extents->mixed || at->line == UINT32_MAX ||
        at->column == UINT32_MAX)
        return NULL;
    const struct xds_extent *found =
        bsearch(&key, extents->items, extents->n, sizeof key, xds_extent_cmp);
    return found && found->size > 0 ? found : NULL;
}

static bool read_all(int fd, char *to, size_t size, uint64_t offset)
{
    while (size > 0) {
        const ssize_t n = pread(fd, to, size, (off_t)offset);

        if (n < 0 && errno == EINTR)
            continue;
        if (n <= 0)
            return false;
        to += n;
        size -= (size_t)n;
        offset += (uint64_t)n;
    }
    return true;
}

void xds_reread_init(struct xds_reread *reread, const struct xds_source *source)
{
    *reread = (struct xds_reread){.source = source, .fd = -1, .text = {.fd = -1}};
}

static void close_file(struct xds_reread *reread)
{
    if (reread->fd >= 0)
        close(reread->fd);
    reread->fd = -1;
}

void xds_reread_release(struct xds_reread *reread)
{
    close_file(reread);
    xds_yaml_release(&reread->yaml);
    xds_reread_init(reread, reread->source);
}

static bool open_file(struct xds_reread *reread, uint32_t file)
{
    if (reread->fd >= 0 && reread->file == file)
        return true;
    close_file(reread);
    reread->file = file;
    reread->fd = xds_source_reopen(reread->source, file);
    return reread->fd >= 0;
}

/* A mapping that was cut out, with as many blanks before its first line as there were
 * bytes, means alone what it meant in its document: indentation tells what belongs to it.
 */
static bool begin_yaml(struct xds_reread *reread, struct xds_slice text,
                       const struct xds_place *at, struct xds_arena *arena,
                       struct xds_token *first)
{
    struct xds_yaml *yaml = &reread->yaml;
    struct xds_reader *reader = &yaml->recorder.reader;

    xds_buffer_open_bytes(&reread->text, text, at->file);
    xds_yaml_open(yaml, &reread->text, arena);
    yaml->events.chunk.lines = at->line - 1;
    if (!reader->ops->begin(reader))
        return false;
    reader->ops->next(reader, first);
    return first->kind == XDS_TOKEN_OBJECT && first->line == at->line &&
           first->column == at->column;
}

struct parsing {
    struct xds_reread *reread;
    struct xds_slice text;
    struct xds_arena *arena;
    struct xds_resource *out;
    bool good;
};

static void take_yaml(void *arg)
{
    struct parsing *parsing = arg;
    struct xds_reader *reader = &parsing->reread->yaml.recorder.reader;
    struct xds_taken taken;
    struct xds_token first;

    parsing->good = begin_yaml(parsing->reread, parsing->text, &parsing->out->at,
                               parsing->arena, &first) &&
                    reader->ops->take(reader, &first, &taken);
    if (parsing->good)
        parsing->out->tokens = taken.tokens;
}

static bool take_whole(struct parsing *parsing)
{
    struct xds_yaml *yaml = &parsing->reread->yaml;
    struct xds_arena *const arenas[] = {&yaml->document, &yaml->recorder.queued,
                                        &yaml->recorder.tokens};

    return xds_arena_guard(arenas, XDS_ARRAY_LEN(arenas), take_yaml, parsing) == XDS_OK &&
           parsing->good;
}

static void next_streamed(struct xds_token_stream *stream, struct xds_token *out)
{
    struct xds_reread *reread = (struct xds_reread *)stream;
    struct xds_reader *reader = &reread->yaml.recorder.reader;

    if (reread->first_is_due)
        *out = reread->first;
    else
        reader->ops->next(reader, out);
    reread->first_is_due = false;
    stream->broke |= out->kind == XDS_TOKEN_ERROR;
}

static bool begin_stream(const struct parsing *parsing)
{
    struct xds_reread *reread = parsing->reread;
    struct xds_recorder *recorder = &reread->yaml.recorder;

    if (!begin_yaml(reread, parsing->text, &parsing->out->at, parsing->arena,
                    &reread->first))
        return false;
    recorder->ops->renew(recorder);
    reread->first_is_due = true;
    reread->stream = (struct xds_token_stream){.next = next_streamed};
    return true;
}

/* stream: NULL where the tokens of YAML are wanted together. */
static bool reread_at(struct xds_reread *reread, const struct xds_place *at,
                      struct xds_arena *arena, struct xds_resource *out,
                      struct xds_token_stream **stream)
{
    const struct xds_extent *extent = find(xds_source_extents(reread->source), at);
    const bool yaml = extent && extent->format == XDS_FORMAT_YAML;
    const size_t blanks = yaml ? at->column - 1 : 0;

    if (!extent || blanks >= MOST_COLUMNS || !open_file(reread, at->file))
        return false;
    const size_t size = blanks + extent->size;
    char *bytes = xds_arena_alloc(arena, size);

    memset(bytes, ' ', blanks);
    *out = (struct xds_resource){.format = extent->format, .at = *at};
    if (!read_all(reread->fd, bytes + blanks, extent->size, extent->offset))
        return false;
    if (!yaml) {
        out->bytes = xds_slice_make(bytes, size);
        return true;
    }
    struct parsing parsing = {reread, xds_slice_make(bytes, size), arena, out, false};

    if (!stream)
        return take_whole(&parsing);
    if (!begin_stream(&parsing))
        return false;
    *stream = &reread->stream;
    return true;
}

bool xds_reread_at(struct xds_reread *reread, const struct xds_place *at,
                   struct xds_arena *arena, struct xds_resource *out)
{
    return reread_at(reread, at, arena, out, NULL);
}

bool xds_reread_stream_at(struct xds_reread *reread, const struct xds_place *at,
                          struct xds_arena *arena, struct xds_resource *out,
                          struct xds_token_stream **stream)
{
    *stream = NULL;
    return reread_at(reread, at, arena, out, stream);
}
