/*
 * cover_list.c - find the routes whose paths begin a path among a few.
 *
 * Takes:  the routes of a small virtual host, one after the other.
 * Gives:  the earlier ones in question.
 */
#include "lint/cover_list.h"

void xds_cover_list_add(struct xds_cover_list *list, const struct xds_cover_path *path)
{
    list->items[list->n++] = (struct xds_cover_item){
        .cover = {.route = path->route, .position = path->position},
        .stem = xds_cover_hash(path->stem),
        .text = path->kind == XDS_COVERS_REGEX
                    ? xds_cover_hash(path->route->match.path.text)
                    : 0,
        .stem_len = (uint16_t)path->stem.len,
        .kind = (uint8_t)path->kind,
    };
}

/* The later path: a hash of each of its beginnings. */
struct beginnings {
    size_t len;
    unsigned kind;
    uint64_t text;
    uint64_t hashes[XDS_COVER_STEM + 1];
};

static void hash_all(struct beginnings *b, const struct xds_cover_path *path)
{
    uint64_t hash = XDS_COVER_BASIS;

    b->kind = path->kind;
    b->len = path->stem.len;
    b->hashes[0] = hash;
    for (size_t i = 0; i < b->len; i++)
        b->hashes[i + 1] = hash = xds_cover_step(hash, path->stem.data[i]);
    b->text =
        b->kind == XDS_COVERS_REGEX ? xds_cover_hash(path->route->match.path.text) : 0;
}

static bool may_cover(const struct xds_cover_item *item, const struct beginnings *b)
{
    const bool begins =
        item->stem_len <= b->len && item->stem == b->hashes[item->stem_len];

    if (item->kind == XDS_COVERS_PREFIX)
        return begins;
    if (item->kind == XDS_COVERS_EXACT)
        return begins && b->kind == XDS_COVERS_EXACT && item->stem_len == b->len;
    return b->kind == XDS_COVERS_REGEX ? item->text == b->text
                                       : begins && b->kind == XDS_COVERS_EXACT;
}

void xds_cover_list_find(const struct xds_cover_list *list,
                         const struct xds_cover_path *path, xds_cover_visit *visit,
                         void *user)
{
    struct beginnings b;

    if (list->n == 0)
        return;
    hash_all(&b, path);
    for (size_t i = 0; i < list->n; i++)
        if (may_cover(&list->items[i], &b) && !visit(user, &list->items[i].cover))
            return;
}
