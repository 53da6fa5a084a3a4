/*
 * cover_list.h - the earlier routes of a virtual host that may take all of a later one,
 * where they are few: held against it one by one, which costs less than an index.
 */
#ifndef XDS_LINT_COVER_LIST_H
#define XDS_LINT_COVER_LIST_H

#include "lint/cover_index.h"

enum { XDS_COVER_FEW = 48 };

struct xds_cover_list {
    size_t n;
    struct xds_cover_item {
        struct xds_cover cover;
        uint64_t stem, regex; /* hashes */
        size_t stem_len;
        enum xds_cover_kind kind;
    } items[XDS_COVER_FEW];
};

void xds_cover_list_add(struct xds_cover_list *list, const struct xds_cover_path *path);
/* As xds_cover_index_find(), in the order of their positions. */
void xds_cover_list_find(const struct xds_cover_list *list,
                         const struct xds_cover_path *path, xds_cover_visit *visit,
                         void *user);

#endif
