/* share_test.c - fractions stay in lowest terms, and give way to doubles. */
#include <criterion/criterion.h>

#include "lb/lb.h"

static bool is(struct xds_share s, uint64_t num, uint64_t den)
{
    return s.num == num && s.den == den;
}

Test(share, fractions_are_kept_in_lowest_terms)
{
    const struct xds_share third = xds_share_of(2, 6), half = xds_share_of(1, 2);

    cr_expect(is(third, 1, 3));
    cr_expect(is(xds_share_times(third, half), 1, 6));
    cr_expect(is(xds_share_plus(third, half), 5, 6));
    cr_expect(is(xds_share_rest(third), 2, 3));
    cr_expect(is(xds_share_plus(xds_share_plus(third, third), third), 1, 1));
    cr_expect(is(xds_share_of(0, 7), 0, 1));
    cr_expect(is(xds_share_times(XDS_SHARE_ALL, third), 1, 3));
    cr_expect_float_eq(third.value, 1.0 / 3, 0);
}

Test(share, one_over_2_to_the_64_is_exact)
{
    const xds_u128 all = (xds_u128)1 << 64;
    const struct xds_share least = xds_share_of(1, all);

    cr_expect(xds_share_is_exact(least));
    cr_expect_eq(least.den, all);
    const struct xds_share sum = xds_share_plus(least, xds_share_rest(least));
    cr_expect(is(sum, 1, 1));
}

Test(share, what_does_not_fit_becomes_a_double)
{
    const xds_u128 prime = (xds_u128)18446744073709551557u; /* the largest below 2^64 */
    struct xds_share s = xds_share_of(1, prime);
    const struct xds_share other = xds_share_of(1, (xds_u128)18446744073709551533u);

    s = xds_share_times(s, other);
    cr_expect(xds_share_is_exact(s), "128 bits hold two of them");
    s = xds_share_times(s, xds_share_of(2, 3));
    cr_expect_not(xds_share_is_exact(s));
    cr_expect_gt(s.value, 0);
    cr_expect_not(xds_share_is_exact(xds_share_rest(s)));
    cr_expect_not(xds_share_is_exact(xds_share_plus(s, other)));
    cr_expect_not(xds_share_is_exact(xds_share_plus(
        xds_share_times(xds_share_of(1, prime), other), xds_share_of(1, 3))));
    cr_expect_float_eq(xds_share_times(xds_share_about(0.5), other).value,
                       0.5 * other.value, 1e-30);
}

Test(share, a_part_of_a_part_is_exact_while_both_are)
{
    const struct xds_share part = xds_share_of(3, 14), whole = xds_share_of(6, 7);

    cr_expect(is(xds_share_within(part, whole), 1, 4));
    cr_expect(is(xds_share_within(whole, whole), 1, 1));
    cr_expect(is(xds_share_within(XDS_SHARE_NONE, whole), 0, 1));
    const struct xds_share rough = xds_share_within(xds_share_about(0.25), whole);
    cr_expect_not(xds_share_is_exact(rough));
    cr_expect_float_eq(rough.value, 0.25 / (6.0 / 7), 1e-15);
    cr_expect_not(xds_share_is_exact(xds_share_within(part, xds_share_about(0.5))));
}

Test(share, sums_that_do_not_fit_become_doubles)
{
    const struct xds_share third = xds_share_of(1, 3);
    const struct xds_share tiny = xds_share_of(1, ~(xds_u128)0 / 2);

    cr_expect_not(xds_share_is_exact(xds_share_plus(third, tiny)));
    cr_expect_not(xds_share_is_exact(xds_share_plus(tiny, third)));
    cr_expect_not(xds_share_is_exact(xds_share_times(tiny, third)));
    cr_expect_not(xds_share_is_exact(xds_share_plus(xds_share_about(0.5), third)));
}
