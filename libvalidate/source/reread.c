/*
 * reread.c - one resource of a source that was read, once more and alone.
 *
 * Takes:  the place of a resource of JSON in a regular file.
 * Gives:  its bytes, in an arena.
 * Fails:  by false, without a word: there is a slower way.
 */
#include "source/reread.h"

#include <errno.h>
#include <stdlib.h>
#include <unistd.h>

/* ---- where resources stand ------------------------------------------------------- */

void xds_extents_add(struct xds_extents *extents, struct xds_arena *arena,
                     struct xds_extent extent)
{
    if (extents->n == extents->cap) {
        const size_t cap = extents->cap ? extents->cap * 2 : 64;

        extents->items =
            xds_arena_realloc(arena, extents->items, cap, sizeof *extents->items);
        extents->cap = cap;
    }
    extents->items[extents->n++] = extent;
}

void xds_extents_release(struct xds_extents *extents)
{
    free(extents->items);
    *extents = (struct xds_extents){NULL, 0, 0};
}

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

/* A column that was too large to be counted may be that of several. */
static const struct xds_extent *find(const struct xds_extents *extents,
                                     const struct xds_place *at)
{
    const struct xds_extent key = {
        .file = at->file, .line = at->line, .column = at->column};

    if (extents->n == 0 || at->line == UINT32_MAX || at->column == UINT32_MAX)
        return NULL;
    return bsearch(&key, extents->items, extents->n, sizeof key, by_place);
}

/* ---- files ----------------------------------------------------------------------- */

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

void xds_reread_release(struct xds_reread *reread)
{
    if (reread->fd >= 0)
        close(reread->fd);
    xds_reread_init(reread, reread->source);
}

static bool open_file(struct xds_reread *reread, uint32_t file)
{
    if (reread->fd >= 0 && reread->file == file)
        return true;
    xds_reread_release(reread);
    reread->file = file;
    reread->fd = xds_source_reopen(reread->source, file);
    return reread->fd >= 0;
}

bool xds_reread_at(struct xds_reread *reread, const struct xds_place *at,
                   struct xds_arena *arena, struct xds_resource *out)
{
    const struct xds_extent *extent = find(xds_source_extents(reread->source), at);

    if (!extent || !open_file(reread, at->file))
        return false;
    char *bytes = xds_arena_alloc(arena, extent->size);

    *out = (struct xds_resource){.format = XDS_FORMAT_JSON,
                                 .bytes = xds_slice_make(bytes, extent->size),
                                 .at = *at};
    return read_all(reread->fd, bytes, extent->size, extent->offset);
}
