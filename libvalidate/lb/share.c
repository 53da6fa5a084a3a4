/* share.c - arithmetic on fractions that are kept in lowest terms. */
#include "lb/lb.h"

static uint64_t common_divisor_64(uint64_t a, uint64_t b)
{
    while (b) {
        const uint64_t rest = a % b;
        a = b;
        b = rest;
    }
    return a;
}

static xds_u128 common_divisor(xds_u128 a, xds_u128 b)
{
    if (a <= UINT64_MAX && b <= UINT64_MAX) /* much faster, and nearly always so */
        return common_divisor_64((uint64_t)a, (uint64_t)b);
    while (b) {
        const xds_u128 rest = a % b;
        a = b;
        b = rest;
    }
    return a;
}

bool xds_share_is_all(struct xds_share share)
{
    return share.den == 1 && share.num == 1;
}

struct xds_share xds_share_about(double value)
{
    return (struct xds_share){0, 0, value};
}

bool xds_share_is_exact(struct xds_share share)
{
    return share.den != 0;
}

struct xds_share xds_share_of(xds_u128 num, xds_u128 den)
{
    const xds_u128 d = common_divisor(den, num);
    struct xds_share out = {num / d, den / d, 0};

    out.value = (double)out.num / (double)out.den;
    return out;
}

struct xds_share xds_share_times(struct xds_share a, struct xds_share b)
{
    if (!a.den || !b.den)
        return xds_share_about(a.value * b.value);
    if (a.num == a.den)
        return b;
    if (b.num == b.den)
        return a;
    /* Both are in lowest terms, so what can be cancelled is crosswise, and is all. */
    const xds_u128 left = common_divisor(b.den, a.num);
    const xds_u128 right = common_divisor(a.den, b.num);
    xds_u128 num, den;

    if (__builtin_mul_overflow(a.num / left, b.num / right, &num) ||
        __builtin_mul_overflow(a.den / right, b.den / left, &den))
        return xds_share_about(a.value * b.value);
    return (struct xds_share){num, den, (double)num / (double)den};
}

struct xds_share xds_share_plus(struct xds_share a, struct xds_share b)
{
    if (a.num == 0 && a.den != 0) /* every sum begins so */
        return b;
    if (!a.den || !b.den)
        return xds_share_about(a.value + b.value);
    const xds_u128 d = common_divisor(a.den, b.den);
    xds_u128 left, right, num, den;

    if (__builtin_mul_overflow(a.num, b.den / d, &left) ||
        __builtin_mul_overflow(b.num, a.den / d, &right) ||
        __builtin_add_overflow(left, right, &num) ||
        __builtin_mul_overflow(a.den, b.den / d, &den))
        return xds_share_about(a.value + b.value);
    return xds_share_of(num, den);
}

struct xds_share xds_share_within(struct xds_share part, struct xds_share whole)
{
    if (!part.den || !whole.den)
        return xds_share_about(part.value / whole.value);
    return xds_share_times(part,
                           (struct xds_share){whole.den, whole.num, 1 / whole.value});
}

struct xds_share xds_share_rest(struct xds_share share)
{
    if (!share.den)
        return xds_share_about(1 - share.value);
    if (share.num == share.den)
        return XDS_SHARE_NONE;
    return xds_share_of(share.den - share.num, share.den);
}
