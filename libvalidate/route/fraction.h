/* fraction.h - the runtime_fraction of a route: drawn, or a probability. */
#ifndef XDS_ROUTE_FRACTION_H
#define XDS_ROUTE_FRACTION_H

#include "model/matcher.h"
#include "route/rpc.h"

struct xds_fraction_result {
    enum xds_chance chance;
    double probability;     /* of a match, before anything is drawn */
    bool drawn;             /* a number was taken */
    uint64_t matching;      /* numbers below it match */
    uint64_t number, bound; /* the number, in [0, bound) */
};

/* Draws one number if the match has a fraction that this client tests. */
struct xds_fraction_result xds_fraction_test(const struct xds_rpc *rpc,
                                             const struct xds_route_match *match);

#endif
