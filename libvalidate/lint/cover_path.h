/*
 * cover_path.h - what the path of a route says of the routes that may take all of it.
 *
 * A route takes all RPCs of another one only if its path begins the other's path. Hashes
 * of beginnings tell most pairs apart; letters count in any case, as some client may.
 */
#ifndef XDS_LINT_COVER_PATH_H
#define XDS_LINT_COVER_PATH_H

#include "model/route_config.h"

/* Longer beginnings of paths are found by as much of them. */
enum { XDS_COVER_STEM = 255 };

struct xds_cover_path {
    const struct xds_route *route;
    uint32_t position; /* in the virtual host */
    enum xds_cover_kind {
        XDS_COVERS_PREFIX, /* also a regex that takes every path */
        XDS_COVERS_EXACT,
        XDS_COVERS_REGEX, /* takes an exact path, or another regex of its text */
    } kind;
    struct xds_slice stem;               /* begins whatever the route takes */
    uint64_t regex;                      /* hash of its text */
    uint64_t hashes[XDS_COVER_STEM + 1]; /* of each beginning of stem, by length */
};

/* Fills *out; scratch: as long as that is used. */
void xds_cover_path_init(struct xds_cover_path *out, struct xds_arena *scratch,
                         const struct xds_route *route, size_t position);
/* As it is in hashes; of any text. */
uint64_t xds_cover_hash(struct xds_slice text);

static inline uint64_t xds_cover_stem_hash(const struct xds_cover_path *path)
{
    return path->hashes[path->stem.len];
}

#endif
