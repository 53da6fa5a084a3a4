/* share.h - exact fractions, so that the shares of hosts sum to 1 and not to nearly 1. */
#ifndef XDS_LB_SHARE_H
#define XDS_LB_SHARE_H

#include "base/slice.h"
#include "base/number.h"

/* The arcs of a ring are integers over 2^64, which 64 bits cannot hold. */

/* num/den in lowest terms. den 0: the fraction does not fit, value alone counts. */
struct xds_share {
    xds_u128 num, den;
    double value;
};

#define XDS_SHARE_NONE ((struct xds_share){0, 1, 0})
#define XDS_SHARE_ALL ((struct xds_share){1, 1, 1})

/* den > 0. */
struct xds_share xds_share_of(xds_u128 num, xds_u128 den);
/* Of a double there is no fraction. */
struct xds_share xds_share_about(double value);
bool xds_share_is_exact(struct xds_share share);
struct xds_share xds_share_times(struct xds_share a, struct xds_share b);
struct xds_share xds_share_plus(struct xds_share a, struct xds_share b);
/* part / whole, for a part that is no larger; whole > 0. */
struct xds_share xds_share_within(struct xds_share part, struct xds_share whole);
/* 1 - share. */
struct xds_share xds_share_rest(struct xds_share share);

#endif
