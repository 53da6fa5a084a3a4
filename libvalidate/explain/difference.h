/* difference.h - the one reading that makes two clients decide otherwise. */
#ifndef XDS_EXPLAIN_DIFFERENCE_H
#define XDS_EXPLAIN_DIFFERENCE_H

#include "explain/decision.h"

/* Two decisions on the same RPC. */
struct xds_pair {
    const struct xds_options *options;
    const struct xds_decision *asked, *other;
    struct xds_arena *scratch;
};

/* Index in both walks of the first route that one takes and the other does not; the
 * shorter length when there is none. */
size_t xds_first_other_route(const struct xds_pair *pair);
/* What one of the two does, a clause such as "it reads an absent case_sensitive as
 * false", where "it" is the other client; absent when no single reading explains it. In
 * scratch. */
struct xds_slice xds_name_difference(const struct xds_pair *pair);

#endif
