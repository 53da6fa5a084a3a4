/*
 * cover_path.c - what the path of a route says of the routes that may take all of it.
 *
 * Takes:  a route whose path could be read.
 * Gives:  the text that begins whatever it takes.
 */
#include "lint/cover_path.h"

#include "lint/regex_text.h"
#include "lint/within.h"

static struct xds_slice stem_of(struct xds_arena *arena,
                                const struct xds_path_matcher *path)
{
    struct xds_slice stem = path->text;

    if (path->kind == XDS_MATCH_REGEX)
        stem = xds_regex_stem(arena, path->text);
    if (stem.len > XDS_COVER_STEM)
        stem.len = XDS_COVER_STEM;
    return stem;
}

struct xds_cover_path xds_cover_path_of(struct xds_arena *arena,
                                        const struct xds_route *route, size_t position)
{
    const struct xds_path_matcher *path = &route->match.path;
    struct xds_cover_path out = {
        .route = route, .position = (uint32_t)position, .stem = XDS_S("")};

    if (xds_path_takes_all(path))
        return out;
    out.stem = stem_of(arena, path);
    if (path->kind != XDS_MATCH_PREFIX)
        out.kind = path->kind == XDS_MATCH_EXACT ? XDS_COVERS_EXACT : XDS_COVERS_REGEX;
    return out;
}

uint64_t xds_cover_hash(struct xds_slice text)
{
    uint64_t hash = XDS_COVER_BASIS;

    for (size_t i = 0; i < text.len; i++)
        hash = xds_cover_step(hash, text.data[i]);
    return hash;
}
