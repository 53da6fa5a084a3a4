/* branches.h - every way that an RPC may still take, with its probability. */
#ifndef XDS_EXPLAIN_BRANCHES_H
#define XDS_EXPLAIN_BRANCHES_H

#include "explain/chains.h"
#include "explain/decision.h"
#include "route/fault.h"

/* One route, one entry of weighted_clusters, and what follows from them. */
struct xds_branch {
    const struct xds_route_try *try;
    const struct xds_weighted_cluster *entry; /* NULL: no weighted route */
    double probability;
    struct xds_share share; /* the same exactly, where it is a fraction */
    bool forwards;          /* false: the route has no action for clients */
    bool plugin;
    struct xds_faults faults; /* when one certainly aborts, there is no pick */
    struct xds_slice error; /* present: a composite filter, or an exception, fails the RPC
                               without pick */
    struct xds_slice code;  /* of the error; absent: UNAVAILABLE */
    struct xds_slice unknown; /* present: name of a composite filter not followed */
    struct xds_session session;
    struct xds_session_cluster cluster;
    struct xds_slice key; /* "cluster:NAME" */
    struct xds_request_key hash;
    const struct xds_pick *pick; /* NULL: plugin, not forwarding, failed, too many */
};

struct xds_branches {
    struct xds_branch *list;
    size_t n;
    size_t n_picks;
    bool too_many; /* over XDS_MAX_OPEN_PICKS */
};

/* All branches of a walk, each with its session, cluster, hash and pick. */
struct xds_branches xds_branches_follow(const struct xds_lb *lb,
                                        const struct xds_decision *d);

/* The session filter's state for the pick; NULL when it does not act. */
const struct xds_session *xds_branch_session(const struct xds_branch *b);

#endif
