/*
 * reread.h - one resource of a source that was read, once more and alone.
 *
 * A source remembers where in its file each resource of JSON or YAML is. Whoever
 * wants to look closer at a few of them need not read what is in front of them.
 */
#ifndef XDS_SOURCE_REREAD_H
#define XDS_SOURCE_REREAD_H

#include <sys/stat.h>

#include "base/arena.h"
#include "source/yaml/yaml_source.h"

/* Where a resource is. */
struct xds_extent {
    uint64_t offset; /* in bytes, from the begin of the file */
    uint32_t size;   /* in bytes: XDS_MAX_RESOURCE_BYTES at most; 0: not known */
    uint32_t file, line, column;
    enum xds_format format;
};

/* In the order in which they were read, and so in that of their places. */
struct xds_extents {
    struct xds_extent *items; /* of malloc() */
    size_t n, cap;
    bool mixed; /* they came in another order: no place tells which one is meant */
};

/* Fails by a jump to the guard of the arena. */
void xds_extents_add(struct xds_extents *extents, struct xds_arena *arena,
                     struct xds_extent extent);
void xds_extents_release(struct xds_extents *extents);

/* What tells that a file is still the one that was read. */
struct xds_stamp {
    bool known; /* it is a regular file */
    dev_t device;
    ino_t inode;
    off_t size;
    struct timespec changed;
};

struct xds_stamp xds_stamp_of(int fd);

/* The file that is open; all zero but fd before the first call. */
struct xds_reread {
    const struct xds_source *source; /* must outlive this */
    int fd;                          /* -1: none */
    uint32_t file;
    struct xds_buffer text;
    struct xds_yaml yaml;
};

void xds_reread_init(struct xds_reread *reread, const struct xds_source *source);
void xds_reread_release(struct xds_reread *reread);
/* The resource at this place: its format, bytes or tokens and place, nothing of what is
 * around it. Bytes are in the arena, under whose guard this runs, tokens live until the
 * next call. False when no resource is
 * known there, or its file has changed, or cannot be read any more: read that file from
 * its start then. */
bool xds_reread_at(struct xds_reread *reread, const struct xds_place *at,
                   struct xds_arena *arena, struct xds_resource *out);

/* ---- what a source knows of its inputs ---- */

const struct xds_extents *xds_source_extents(const struct xds_source *source);
/* A regular file that is still what it was when it was read, opened; or -1. */
int xds_source_reopen(const struct xds_source *source, uint32_t file);

#endif
