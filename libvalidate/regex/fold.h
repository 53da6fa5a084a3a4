/* fold.h - text without regard to case, in all scripts. */
#ifndef XDS_REGEX_FOLD_H
#define XDS_REGEX_FOLD_H

#include "base/arena.h"

/* One spelling for all texts that differ only in case, by Unicode's simple folding: two
 * texts fold alike when these are equal. What is not UTF-8 stays as it is. */
struct xds_slice xds_fold_case(struct xds_arena *arena, struct xds_slice text);

#endif
