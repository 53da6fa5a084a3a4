/*
 * scalar.c - the texts that proto3 JSON uses for numbers, bytes and times.
 *
 * Fails:  by false or an enum xds_scalar; what that means is the caller's to say.
 * Source: proto3 JSON mapping, RFC 4648, RFC 3339.
 */
#include "base/scalar.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/ascii.h"
#include "base/base64.h"

/* ---- numbers ---- */

/* (-1)^negative * digits * 10^exponent */
struct decimal {
    bool negative;
    bool inexact;    /* digits does not hold all of them */
    uint64_t digits; /* significant ones, without trailing zeros */
    int64_t exponent;
    int64_t shift; /* the exponent when all written digits are taken as a whole number */
};

#define MOST_EXPONENT 1000000000 /* beyond any double; far from overflow */

/* Append one digit; zeros wait until a significant digit follows them. */
static void add_digit(struct decimal *d, unsigned digit)
{
    d->exponent++;
    if (digit == 0)
        return;
    for (; d->exponent > 0 && !d->inexact; d->exponent--) {
        const unsigned last = d->exponent == 1 ? digit : 0;

        d->inexact = d->digits > (UINT64_MAX - last) / 10;
        if (!d->inexact)
            d->digits = d->digits * 10 + last;
    }
}

static size_t read_digits(struct xds_slice s, size_t at, struct decimal *d)
{
    for (; at < s.len && xds_ascii_digit(s.data[at]); at++)
        add_digit(d, (unsigned)(s.data[at] - '0'));
    return at;
}

static bool read_exponent(struct xds_slice s, size_t at, int64_t *out)
{
    const bool negative = at < s.len && s.data[at] == '-';
    int64_t exponent = 0;

    at += at < s.len && (s.data[at] == '-' || s.data[at] == '+');
    if (at == s.len)
        return false;
    for (; at < s.len && xds_ascii_digit(s.data[at]); at++)
        if (exponent < MOST_EXPONENT)
            exponent = exponent * 10 + (s.data[at] - '0');
    *out = negative ? -exponent : exponent;
    return at == s.len;
}

static bool read_decimal(struct xds_slice s, struct decimal *d)
{
    size_t at = 0, whole, fraction = 0;
    int64_t exponent = 0;

    *d = (struct decimal){.negative = s.len > 0 && s.data[0] == '-'};
    at += s.len > 0 && (s.data[0] == '-' || s.data[0] == '+');
    whole = read_digits(s, at, d) - at;
    at += whole;
    if (at < s.len && s.data[at] == '.') {
        fraction = read_digits(s, at + 1, d) - at - 1;
        at += 1 + fraction;
    }
    if (whole + fraction == 0)
        return false;
    if (at < s.len && (s.data[at] | 0x20) == 'e') {
        if (!read_exponent(s, at + 1, &exponent))
            return false;
        at = s.len;
    }
    d->shift = exponent - (int64_t)fraction;
    d->exponent += d->shift;
    return at == s.len;
}

/* What nearly every number is: a few plain digits. */
static bool read_plain(struct xds_slice text, struct xds_whole *out)
{
    const size_t most = 19; /* digits that surely fit */

    *out = (struct xds_whole){false, 0};
    if (text.len == 0 || text.len > most)
        return false;
    for (size_t i = 0; i < text.len; i++) {
        if (!xds_ascii_digit(text.data[i]))
            return false;
        out->magnitude = out->magnitude * 10 + (uint64_t)(text.data[i] - '0');
    }
    return true;
}

enum xds_scalar xds_scalar_whole(struct xds_slice text, struct xds_whole *out)
{
    struct decimal d;

    if (read_plain(text, out))
        return XDS_SCALAR_OK;
    if (!read_decimal(text, &d))
        return XDS_SCALAR_NO_NUMBER;
    *out = (struct xds_whole){.negative = d.negative, .magnitude = d.digits};
    if (d.digits == 0)
        return XDS_SCALAR_OK;
    if (d.exponent < 0)
        return XDS_SCALAR_NOT_WHOLE;
    for (; d.exponent > 0 && !d.inexact; d.exponent--) {
        d.inexact = out->magnitude > UINT64_MAX / 10;
        out->magnitude *= 10;
    }
    return d.inexact ? XDS_SCALAR_OUT_OF_RANGE : XDS_SCALAR_OK;
}

/* strtod() rounds correctly; without a point its answer depends on no locale. */
static double slow_double(struct xds_slice text, struct xds_arena *arena, int64_t shift)
{
    const size_t room = text.len + 24;
    char *copy = xds_arena_alloc(arena, room);
    size_t n = 0;

    for (size_t i = 0; i < text.len && (text.data[i] | 0x20) != 'e'; i++)
        if (text.data[i] != '.')
            copy[n++] = text.data[i];
    snprintf(copy + n, room - n, "e%" PRId64, shift);
    return strtod(copy, NULL);
}

enum xds_scalar xds_scalar_double(struct xds_slice text, struct xds_arena *arena,
                                  double *out)
{
    /* Products and quotients of two exact doubles round once. */
    static const double tens[] = {1e0,  1e1,  1e2,  1e3,  1e4,  1e5,  1e6,  1e7,
                                  1e8,  1e9,  1e10, 1e11, 1e12, 1e13, 1e14, 1e15,
                                  1e16, 1e17, 1e18, 1e19, 1e20, 1e21, 1e22};
    const int64_t most = (int64_t)XDS_ARRAY_LEN(tens) - 1;
    struct decimal d;

    if (!read_decimal(text, &d))
        return XDS_SCALAR_NO_NUMBER;
    if (d.digits == 0)
        *out = d.negative ? -0.0 : 0.0;
    else if (d.inexact || d.digits > UINT64_C(1) << 53 || d.exponent > most ||
             d.exponent < -most)
        *out = slow_double(text, arena, d.shift);
    else
        *out = (d.negative ? -1.0 : 1.0) * (d.exponent < 0
                                                ? (double)d.digits / tens[-d.exponent]
                                                : (double)d.digits * tens[d.exponent]);
    return isinf(*out) ? XDS_SCALAR_OUT_OF_RANGE : XDS_SCALAR_OK;
}

bool xds_scalar_base64(struct xds_slice text, struct xds_arena *arena,
                       ProtobufCBinaryData *out)
{
    const size_t size = text.len / 4 * 3 + 3;
    char *bytes = xds_arena_alloc(arena, size);

    out->data = (uint8_t *)bytes;
    return xds_base64_decode(text, XDS_BASE64_JSON, bytes, size, &out->len);
}

/* ---- times ---- */

/* Up to nine digits of a fraction as nanoseconds, scaled to nine; false when there are
 * none or more. */
static bool read_nanos(struct xds_slice digits, int32_t *nanos)
{
    int32_t value = 0;

    if (digits.len == 0 || digits.len > 9)
        return false;
    for (size_t i = 0; i < 9; i++) {
        const char c = i < digits.len ? digits.data[i] : '0';

        if (!xds_ascii_digit(c))
            return false;
        value = value * 10 + (c - '0');
    }
    *nanos = value;
    return true;
}

bool xds_scalar_duration(struct xds_slice text, int64_t *seconds, int32_t *nanos)
{
    const bool negative = text.len > 0 && text.data[0] == '-';
    struct xds_slice whole, fraction;
    uint64_t magnitude;

    *nanos = 0;
    if (text.len == 0 || text.data[text.len - 1] != 's')
        return false;
    text.len--;
    fraction = xds_slice_cut(xds_slice_from(text, negative), '.', &whole);
    if (!xds_slice_to_u64(whole, &magnitude) || magnitude > INT64_MAX)
        return false;
    if (fraction.data && !read_nanos(fraction, nanos))
        return false;
    *seconds = negative ? -(int64_t)magnitude : (int64_t)magnitude;
    *nanos = negative ? -*nanos : *nanos;
    return true;
}

/* Reads text from front to back. */
struct reader {
    struct xds_slice rest;
    bool ok;
};

static int64_t take_number(struct reader *r, size_t digits)
{
    uint64_t value = 0;
    const struct xds_slice part = {r->rest.data, digits};

    r->ok = r->ok && r->rest.len >= digits && xds_slice_to_u64(part, &value);
    r->rest = xds_slice_from(r->rest, digits);
    return r->ok ? (int64_t)value : 0;
}

static bool next_is(const struct reader *r, char c)
{
    return r->rest.len > 0 && r->rest.data[0] == c;
}

static void take(struct reader *r, char c)
{
    r->ok = r->ok && next_is(r, c);
    r->rest = xds_slice_from(r->rest, 1);
}

static int32_t take_fraction(struct reader *r)
{
    int32_t nanos = 0;
    size_t n = 0;

    if (!next_is(r, '.'))
        return 0;
    take(r, '.');
    while (n < r->rest.len && xds_ascii_digit(r->rest.data[n]))
        n++;
    r->ok = r->ok && read_nanos(xds_slice_make(r->rest.data, n), &nanos);
    r->rest = xds_slice_from(r->rest, n);
    return nanos;
}

/* Seconds east of UTC, to the end of the text. */
static int64_t take_offset(struct reader *r)
{
    const int64_t sign = next_is(r, '-') ? -1 : 1;

    if (next_is(r, 'Z')) {
        take(r, 'Z');
        return 0;
    }
    take(r, sign < 0 ? '-' : '+');
    const int64_t hours = take_number(r, 2);
    take(r, ':');
    const int64_t minutes = take_number(r, 2);
    r->ok = r->ok && hours < 24 && minutes < 60;
    return sign * (hours * 3600 + minutes * 60);
}

static int64_t days_in_month(int64_t year, int64_t month)
{
    static const char days[] = {31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31};
    const bool leap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0);

    return days[month - 1] + (month == 2 && leap);
}

/* Days from 1970-01-01; years are counted from March so that leap days come last. */
static int64_t days_from_epoch(int64_t year, int64_t month, int64_t day)
{
    const int64_t y = month <= 2 ? year - 1 : year;
    const int64_t m = (month + 9) % 12;

    return y * 365 + y / 4 - y / 100 + y / 400 + (m * 306 + 5) / 10 + day - 1 - 719468;
}

bool xds_scalar_timestamp(struct xds_slice text, int64_t *seconds, int32_t *nanos)
{
    struct reader r = {text, true};
    const int64_t year = take_number(&r, 4);
    take(&r, '-');
    const int64_t month = take_number(&r, 2);
    take(&r, '-');
    const int64_t day = take_number(&r, 2);

    r.ok = r.ok && year >= 1 && month >= 1 && month <= 12 && day >= 1;
    r.ok = r.ok && day <= days_in_month(year, month);

    const int64_t days = r.ok ? days_from_epoch(year, month, day) : 0;

    take(&r, 'T');

    const int64_t hour = take_number(&r, 2);
    take(&r, ':');
    const int64_t minute = take_number(&r, 2);
    take(&r, ':');
    const int64_t second = take_number(&r, 2);

    r.ok = r.ok && hour < 24 && minute < 60 && second < 60;

    const int64_t time = hour * 3600 + minute * 60 + second;
    *nanos = take_fraction(&r);
    *seconds = days * 86400 + time - take_offset(&r);
    return r.ok && r.rest.len == 0;
}
