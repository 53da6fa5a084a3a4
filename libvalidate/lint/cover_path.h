/*
 * cover_path.h - what the path of a route says of the routes that may take all of it.
 *
 * A route takes all RPCs of another one only if its path begins the other's path. Hashes
 * of beginnings tell most pairs apart; letters count in any case, as some client may.
 */
#ifndef XDS_LINT_COVER_PATH_H
#define XDS_LINT_COVER_PATH_H

#include "base/ascii.h"
#include "model/route_config.h"

/* Longer beginnings of paths are found by as much of them. */
enum { XDS_COVER_STEM = 255 };

struct xds_cover_path {
    const struct xds_route *route;
    uint32_t position; /* in the virtual host */
    enum {
        XDS_COVERS_PREFIX, /* also a regex that takes every path */
        XDS_COVERS_EXACT,
        XDS_COVERS_REGEX, /* takes an exact path, or another regex of its text */
    } kind;
    struct xds_slice stem; /* begins whatever the route takes */
};

struct xds_cover_path xds_cover_path_of(struct xds_arena *arena,
                                        const struct xds_route *route, size_t position);

/* A hash runs along a path: FNV-1a. */
#define XDS_COVER_BASIS UINT64_C(0xcbf29ce484222325)

static inline uint64_t xds_cover_step(uint64_t hash, char c)
{
    return (hash ^ (unsigned char)xds_ascii_lower(c)) * UINT64_C(0x100000001b3);
}

uint64_t xds_cover_hash(struct xds_slice text);

#endif
