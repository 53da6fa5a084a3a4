/* keys.h - names that are known, and the one that was probably meant. */
#ifndef XDS_SCENARIO_KEYS_H
#define XDS_SCENARIO_KEYS_H

#include "scenario/subject.h"

struct xds_nearest {
    struct xds_slice name;
    size_t distance;
    const char *best; /* NULL: nothing is near */
};

struct xds_nearest xds_nearest_to(struct xds_slice name);
void xds_nearest_offer(struct xds_nearest *nearest, const char *candidate);
/* "; did you mean "priority"?", or nothing when nothing is near. */
struct xds_slice xds_nearest_words(struct xds_arena *arena, const char *best);

/* The keys that an object may have: two lists, each up to NULL; either may be NULL. */
struct xds_known_keys {
    const char *what; /* "a step" */
    const char *const *own, *const *common;
};

/* The first member with another key, or with one that stood before, is a fault; false
 * then. */
bool xds_keys_check(struct xds_play *play, const struct xds_tree *object,
                    const struct xds_known_keys *known);
/* The same of "WHAT TYPE". */
bool xds_keys_check_type(struct xds_play *play, const struct xds_tree *object,
                         const struct xds_known_keys *known, const char *type);

#endif
