/* select.h - the walk over the routes of a virtual host. */
#ifndef XDS_ROUTE_SELECT_H
#define XDS_ROUTE_SELECT_H

#include "route/index.h"

/* One route that was tried. */
struct xds_route_try {
    size_t index;
    const struct xds_route *route;
    enum xds_chance matched;
    double probability;  /* that the RPC takes this route */
    uint64_t takes, of;  /* OPEN: so many of the numbers that may be drawn match */
    size_t drawn_before; /* random numbers, when it was tried */
    size_t passed;       /* criteria that match: the path, then headers in order */
    bool undecided;      /* the one after them hit a limit */
    bool drawn;          /* a number was, for the fraction: */
    uint64_t number;
    struct xds_slice reason; /* once xds_route_reasons() has said it */
};

struct xds_route_walk {
    struct xds_route_try *tries; /* in order */
    size_t n_tries;
    double unmatched; /* probability that no route takes the RPC */
};

/* Fill in a try whose route is set, but for its reason; passed: 1 when the path is known
 * to match, else 0. left: the probability that the RPC comes this far. */
void xds_route_try_one(const struct xds_rpc *rpc, double left, struct xds_route_try *try);
/* Tries the routes in order until one certainly matches. A fraction whose number is not
 * given splits the walk; both ways are followed with their probabilities. With an index
 * of this host and client only the routes that it names are among the tries. */
struct xds_route_walk xds_route_select(const struct xds_rpc *rpc,
                                       const struct xds_virtual_host *host,
                                       const struct xds_route_index *index);
/* Say of each try why it ended as it did: apart, since texts cost more than the walk. */
void xds_route_reasons(const struct xds_rpc *rpc, const struct xds_route_walk *walk);

#endif
