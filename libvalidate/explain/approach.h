/* approach.h - the way to the virtual host, once for all RPCs in a row that have the
 * same. */
#ifndef XDS_EXPLAIN_APPROACH_H
#define XDS_EXPLAIN_APPROACH_H

#include "explain/decision.h"

/* The way of the RPC before. */
struct xds_approach {
    struct xds_arena arena; /* of what is here */
    bool is_known;
    struct xds_slice target, listener, authority; /* that were asked for */
    struct xds_decision d;                        /* up to the virtual host */
    struct xds_kept_json json;
};

void xds_approach_init(struct xds_approach *approach);
void xds_approach_release(struct xds_approach *approach);
/* As xds_explain_virtual_host(), for RPCs of one client to one snapshot. Runs under a
 * guard of the way's arena, too. */
bool xds_explain_approach(struct xds_approach *approach, const struct xds_lb *lb,
                          struct xds_decision *d);

#endif
