/* nearest.c - names that are known, and the one that was probably meant. */
#include "base/nearest.h"

/* More edits than these, or than half of the name, are no slip of the pen. */
#define MOST_EDITS 3

struct xds_nearest xds_nearest_to(struct xds_slice name)
{
    const size_t most = name.len / 2 < MOST_EDITS ? name.len / 2 : MOST_EDITS;

    return (struct xds_nearest){.name = name, .distance = most + 1};
}

void xds_nearest_offer(struct xds_nearest *nearest, const char *candidate)
{
    const size_t distance =
        xds_slice_distance(nearest->name, xds_slice_of(candidate), nearest->distance);

    if (distance >= nearest->distance)
        return;
    nearest->distance = distance;
    nearest->best = candidate;
}

struct xds_slice xds_nearest_words(struct xds_arena *arena, const char *best)
{
    return best ? xds_arena_printf(arena, "; did you mean \"%s\"?", best) : XDS_S("");
}
