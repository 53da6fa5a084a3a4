/* cover_list.c - find the routes whose paths begin a path among a few. */
#include "lint/cover_list.h"

void xds_cover_list_add(struct xds_cover_list *list, const struct xds_cover_path *path)
{
    list->items[list->n++] = (struct xds_cover_item){
        .cover = {.route = path->route, .position = path->position},
        .stem = xds_cover_stem_hash(path),
        .regex = path->regex,
        .stem_len = path->stem.len,
        .kind = path->kind,
    };
}

static bool may_cover(const struct xds_cover_item *item,
                      const struct xds_cover_path *path)
{
    const bool begins =
        item->stem_len <= path->stem.len && item->stem == path->hashes[item->stem_len];

    switch (item->kind) {
    case XDS_COVERS_PREFIX:
        return begins;
    case XDS_COVERS_EXACT:
        return begins && path->kind == XDS_COVERS_EXACT &&
               item->stem_len == path->stem.len;
    case XDS_COVERS_REGEX:
        return path->kind == XDS_COVERS_REGEX ? item->regex == path->regex
                                              : begins && path->kind == XDS_COVERS_EXACT;
    }
    return false;
}

void xds_cover_list_find(const struct xds_cover_list *list,
                         const struct xds_cover_path *path, xds_cover_visit *visit,
                         void *user)
{
    for (size_t i = 0; i < list->n; i++)
        if (may_cover(&list->items[i], path) && !visit(user, &list->items[i].cover))
            return;
}
