/* aspects.h - what becomes of an RPC, as texts that can be compared. */
#ifndef XDS_DIFF_ASPECTS_H
#define XDS_DIFF_ASPECTS_H

#include "diff/diff.h"

/* Absent: chance leaves it open, or there is no such thing to compare. */
struct xds_slice xds_aspect_text(struct xds_arena *arena, enum xds_aspect aspect,
                                 const struct xds_decision *d);
/* "1.5" of 1500000000. */
struct xds_slice xds_billionths_text(struct xds_arena *arena, uint64_t billionths);

#endif
