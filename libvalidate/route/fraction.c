/*
 * fraction.c - decide a runtime_fraction.
 *
 * Source: gRFC A28, spec routing 2.6, F-a to F-e.
 */
#include "route/route.h"

enum { MILLION = 1000000 };

/* The numbers below the result match; it is at most bound. */
static uint64_t matching_numbers(const struct xds_rpc *rpc, struct xds_fraction fraction,
                                 uint64_t bound)
{
    const uint64_t denominator = fraction.denominator ? fraction.denominator : 100;
    const uint64_t parts = fraction.numerator * (bound / denominator);
    const uint64_t matching = parts + (xds_reads(rpc, XDS_READS_FRACTION_UP_TO) ? 1 : 0);

    return matching < bound ? matching : bound;
}

struct xds_fraction_result xds_fraction_test(const struct xds_rpc *rpc,
                                             const struct xds_route_match *match)
{
    const struct xds_fraction nothing = {0, 100};
    struct xds_fraction_result r = {.chance = XDS_CHANCE_YES, .probability = 1};

    if (!match->has_fraction)
        return r;
    if (!match->fraction_is_set && !xds_reads(rpc, XDS_READS_FRACTION_UNSET_IS_ZERO))
        return r;
    const bool is_negative = match->fraction.numerator > INT32_MAX &&
                             xds_reads(rpc, XDS_READS_FRACTION_SIGNED);
    const struct xds_fraction fraction =
        match->fraction_is_set && !is_negative ? match->fraction : nothing;
    r.bound =
        xds_reads(rpc, XDS_READS_FRACTION_OWN_SCALE) ? fraction.denominator : MILLION;
    r.matching = matching_numbers(rpc, fraction, r.bound);
    r.probability = (double)r.matching / (double)r.bound;
    r.drawn = xds_random_draw(rpc->random, r.bound, &r.number);
    if (r.drawn)
        r.chance = r.number < r.matching ? XDS_CHANCE_YES : XDS_CHANCE_NO;
    else if (r.matching == 0)
        r.chance = XDS_CHANCE_NO;
    else
        r.chance = r.matching == r.bound ? XDS_CHANCE_YES : XDS_CHANCE_OPEN;
    return r;
}
