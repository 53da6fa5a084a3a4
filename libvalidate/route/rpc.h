/* rpc.h - the RPC that is decided, and under whose reading. */
#ifndef XDS_ROUTE_RPC_H
#define XDS_ROUTE_RPC_H

#include "base/arena.h"
#include "base/random.h"

struct xds_rpc {
    enum xds_client client;
    const struct xds_options *options;
    const struct xds_request *request;
    struct xds_random *random;   /* the only source of chance */
    struct xds_arena *arena;     /* of the decision */
    struct xds_slice *undecided; /* what a regex that hit its limit left unanswered; NULL:
                                    none is set */
    const struct xds_rule **killed_by; /* of which the client dies on the way; NULL: none
                                          is set */
    uint64_t flipped; /* readings to be taken the other way, see readings.h; else 0 */
};

/* Remember that no answer can be given, and why. The first reason stays. */
void xds_rpc_undecided(const struct xds_rpc *rpc, struct xds_slice why);
bool xds_rpc_is_undecided(const struct xds_rpc *rpc);

/* Remember that the client dies. The first rule stays. */
void xds_rpc_kills(const struct xds_rpc *rpc, const struct xds_rule *rule);

/* What chance may do to a test: settled, or left open because no number was given. */
enum xds_chance { XDS_CHANCE_NO, XDS_CHANCE_YES, XDS_CHANCE_OPEN };

/* Text in quotes for a reason; long text is cut and ends in "...". */
struct xds_slice xds_excerpt(struct xds_arena *arena, struct xds_slice text);

#endif
