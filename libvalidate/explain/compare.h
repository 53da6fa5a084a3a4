/* compare.h - where two clients decide otherwise on one RPC, and why. */
#ifndef XDS_EXPLAIN_COMPARE_H
#define XDS_EXPLAIN_COMPARE_H

#include "explain/decision.h"

/* Adds to d->others what `other` does, if it differs; the text is in d's arena. scratch:
 * for the time of the call. */
void xds_explain_compare(const struct xds_options *options, struct xds_decision *d,
                         const struct xds_decision *other, struct xds_arena *arena,
                         struct xds_arena *scratch);

#endif
