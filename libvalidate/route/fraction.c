/*
 * fraction.c - decide a runtime_fraction.
 *
 * Takes:  the fraction of a route whose path and headers matched, and the random list.
 * Gives:  matched, not matched, or open with the exact probability.
 * Source: gRFC A28, spec routing 2.6, differences F-a to F-e.
 */
#include "route/fraction.h"

enum { MILLION = 1000000 };

/* Where the clients differ. */
static const struct reading {
    bool up_to_and_with;  /* F-a: random <= N, so N = 0 still matches once in a million */
    bool own_denominator; /* F-c: drawn in [0, denominator) */
    bool unset_is_nothing; /* F-e: no default_value counts as numerator 0 */
} readings[XDS_CLIENTS] = {
    [XDS_CLIENT_GRFC] = {true, false, false},  [XDS_CLIENT_CORE] = {false, false, false},
    [XDS_CLIENT_GO] = {true, false, true},     [XDS_CLIENT_JAVA] = {false, true, true},
    [XDS_CLIENT_NODE] = {false, false, false},
};

/* The numbers below the result match; it is at most bound. */
static uint64_t matching_numbers(const struct reading *as, struct xds_fraction fraction,
                                 uint64_t bound)
{
    const uint64_t denominator = fraction.denominator ? fraction.denominator : 100;
    const uint64_t parts = fraction.numerator * (bound / denominator);
    const uint64_t matching = parts + (as->up_to_and_with ? 1 : 0);

    return matching < bound ? matching : bound;
}

struct xds_fraction_result xds_fraction_test(const struct xds_rpc *rpc,
                                             const struct xds_route_match *match)
{
    const struct reading *as = &readings[rpc->client];
    const struct xds_fraction nothing = {0, 100};
    struct xds_fraction_result r = {.chance = XDS_CHANCE_YES, .probability = 1};

    if (!match->has_fraction || (!match->fraction_is_set && !as->unset_is_nothing))
        return r;
    const struct xds_fraction fraction =
        match->fraction_is_set ? match->fraction : nothing;
    r.bound = as->own_denominator ? fraction.denominator : MILLION;
    const uint64_t matching = matching_numbers(as, fraction, r.bound);

    r.probability = (double)matching / (double)r.bound;
    r.drawn = xds_random_draw(rpc->random, r.bound, &r.number);
    if (r.drawn)
        r.chance = r.number < matching ? XDS_CHANCE_YES : XDS_CHANCE_NO;
    else if (matching == 0)
        r.chance = XDS_CHANCE_NO;
    else
        r.chance = matching == r.bound ? XDS_CHANCE_YES : XDS_CHANCE_OPEN;
    return r;
}
