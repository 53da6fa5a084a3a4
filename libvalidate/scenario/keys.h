/* keys.h - the keys that an object of a file may have. */
#ifndef XDS_SCENARIO_KEYS_H
#define XDS_SCENARIO_KEYS_H

#include "scenario/scenario.h"

/* The keys that an object may have: two lists, each up to NULL; either may be NULL. */
struct xds_known_keys {
    const char *what; /* "a step" */
    const char *const *own, *const *common;
};

/* The first member with another key, or with one that was before, is a fault; false
 * then. */
bool xds_keys_check(struct xds_play *play, const struct xds_tree *object,
                    const struct xds_known_keys *known);
/* The same of "WHAT TYPE". */
bool xds_keys_check_type(struct xds_play *play, const struct xds_tree *object,
                         const struct xds_known_keys *known, const char *type);
/* The first such member of "WHAT TYPE", and what is wrong with its key; NULL: none. */
const struct xds_tree *xds_keys_find_fault(struct xds_arena *arena,
                                           const struct xds_tree *object,
                                           const struct xds_known_keys *known,
                                           const char *type, struct xds_slice *what);

#endif
