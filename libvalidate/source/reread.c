/*
 * reread.c - one resource of a source that was read, once more and alone.
 *
 * Fails:  by false, without a word: there is a slower way.
 */
#include "source/reread.h"

#include <errno.h>
#include <stdlib.h>
#include <unistd.h>

#include "base/limits.h"

/* A resource of YAML that is further to the right is not cut out: the blanks in front
 * of it come with it. */
#define MOST_COLUMNS 4096

/* ---- where resources are ---- */

static int cmp_u32(uint32_t a, uint32_t b)
{
    return (a > b) - (a < b);
}

static int by_place(const void *left, const void *right)
{
    const struct xds_extent *a = left, *b = right;
    int c = cmp_u32(a->file, b->file);

    if (c == 0)
        c = cmp_u32(a->line, b->line);
    return c ? c : cmp_u32(a->column, b->column);
}

void xds_extents_add(struct xds_extents *extents, struct xds_arena *arena,
                     struct xds_extent extent)
{
    if (extents->n == extents->cap) {
        const size_t cap = extents->cap ? extents->cap * 2 : 64;

        extents->items =
            xds_arena_realloc(arena, extents->items, cap, sizeof *extents->items);
        extents->cap = cap;
    }
    if (extents->n > 0 && by_place(&extents->items[extents->n - 1], &extent) >= 0)
        extents->mixed = true;
    extents->items[extents->n++] = extent;
}

void xds_extents_release(struct xds_extents *extents)
{
    free(extents->items);
    *extents = (struct xds_extents){.items = NULL};
}

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
        bsearch(&key, extents->items, extents->n, sizeof key, by_place);
    return found && found->size > 0 ? found : NULL;
}

/* ---- files ---- */

struct xds_stamp xds_stamp_of(int fd)
{
    struct stat info;

    if (fstat(fd, &info) != 0 || !S_ISREG(info.st_mode))
        return (struct xds_stamp){.known = false};
    return (struct xds_stamp){.known = true,
                              .device = info.st_dev,
                              .inode = info.st_ino,
                              .size = info.st_size,
                              .changed = info.st_mtim};
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
    *reread = (struct xds_reread){.source = source, .fd = -1};
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

/* ---- YAML ---- */

/* A mapping that was cut out, with as many blanks before its first line as there were
 * bytes, means alone what it meant in its document: indentation tells what belongs to it.
 */
struct parsing {
    struct xds_reread *reread;
    struct xds_slice text;
    struct xds_arena *arena;
    struct xds_resource *out;
    bool good;
};

static bool is_at(const struct xds_token *token, const struct xds_place *at)
{
    return token->kind == XDS_TOKEN_OBJECT && token->line == at->line &&
           token->column == at->column;
}

static void parse_yaml(void *arg)
{
    struct parsing *parsing = arg;
    struct xds_yaml *yaml = &parsing->reread->yaml;
    struct xds_reader *reader = &yaml->recorder.reader;
    const struct xds_place *at = &parsing->out->at;
    struct xds_taken taken;
    struct xds_token first;

    xds_buffer_open_bytes(&parsing->reread->text, parsing->text, at->file);
    xds_yaml_open(yaml, &parsing->reread->text, parsing->arena);
    yaml->events.chunk.lines = at->line - 1;
    if (!reader->ops->begin(reader))
        return;
    reader->ops->next(reader, &first);
    parsing->good = is_at(&first, at) && reader->ops->take(reader, &first, &taken);
    if (parsing->good)
        parsing->out->tokens = taken.tokens;
}

static bool read_yaml(struct xds_reread *reread, struct xds_slice text,
                      struct xds_arena *arena, struct xds_resource *out)
{
    struct parsing parsing = {reread, text, arena, out, false};
    struct xds_arena *const arenas[] = {&reread->yaml.document,
                                        &reread->yaml.recorder.queued,
                                        &reread->yaml.recorder.tokens};

    return xds_arena_guard(arenas, XDS_ARRAY_LEN(arenas), parse_yaml, &parsing) ==
               XDS_OK &&
           parsing.good;
}

/* ---- one resource ---- */

bool xds_reread_at(struct xds_reread *reread, const struct xds_place *at,
                   struct xds_arena *arena, struct xds_resource *out)
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
    if (yaml)
        return read_yaml(reread, xds_slice_make(bytes, size), arena, out);
    out->bytes = xds_slice_make(bytes, size);
    return true;
}
