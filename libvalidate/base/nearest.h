/* nearest.h - names that are known, and the one that was probably meant. */
#ifndef XDS_BASE_NEAREST_H
#define XDS_BASE_NEAREST_H

#include "base/arena.h"

struct xds_nearest {
    struct xds_slice name;
    size_t distance;
    const char *best; /* NULL: nothing is near */
};

struct xds_nearest xds_nearest_to(struct xds_slice name);
void xds_nearest_offer(struct xds_nearest *nearest, const char *candidate);
/* "; did you mean "priority"?", or nothing when nothing is near. */
struct xds_slice xds_nearest_words(struct xds_arena *arena, const char *best);

#endif
