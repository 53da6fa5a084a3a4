/* cover_path.c - what the path of a route says of the routes that may take all of it. */
#include "lint/cover_path.h"

#include "base/ascii.h"
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

/* FNV-1a. */
static uint64_t step(uint64_t hash, char c)
{
    return (hash ^ (unsigned char)xds_ascii_lower(c)) * UINT64_C(0x100000001b3);
}

#define BASIS UINT64_C(0xcbf29ce484222325)

uint64_t xds_cover_hash(struct xds_slice text)
{
    uint64_t hash = BASIS;

    for (size_t i = 0; i < text.len; i++)
        hash = step(hash, text.data[i]);
    return hash;
}

void xds_cover_path_init(struct xds_cover_path *out, struct xds_arena *scratch,
                         const struct xds_route *route, size_t position)
{
    static const enum xds_cover_kind kinds[] = {
        [XDS_MATCH_PREFIX] = XDS_COVERS_PREFIX,
        [XDS_MATCH_EXACT] = XDS_COVERS_EXACT,
        [XDS_MATCH_REGEX] = XDS_COVERS_REGEX,
    };
    const struct xds_path_matcher *path = &route->match.path;
    const bool takes_all = xds_path_takes_all(path);

    out->route = route;
    out->position = (uint32_t)position;
    out->kind = takes_all ? XDS_COVERS_PREFIX : kinds[path->kind];
    out->stem = takes_all ? XDS_S("") : stem_of(scratch, path);
    out->regex = out->kind == XDS_COVERS_REGEX ? xds_cover_hash(path->text) : 0;
    out->hashes[0] = BASIS;
    for (size_t i = 0; i < out->stem.len; i++)
        out->hashes[i + 1] = step(out->hashes[i], out->stem.data[i]);
}
