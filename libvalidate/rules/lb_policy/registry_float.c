/*
 * registry_float.c - a number in a text as strtof() of C reads it, in no locale, and as
 *                    Float.parseFloat() of Java does.
 *
 * Source: spec cluster 1.7/39; runs of core 1.85.1, java 1.85.1.
 */
#include <math.h>

#include "base/ascii.h"
#include "decode/scalar.h"
#include "rules/lb_policy/registry_schema.h"

/* Beyond any double; ldexp() takes an int. */
#define MOST_POWER 100000

static bool starts_folded(struct xds_slice text, struct xds_slice head)
{
    return text.len >= head.len &&
           xds_slice_eq_fold(xds_slice_make(text.data, head.len), head);
}

/* "nan" or "nan(letters_1)" */
static bool is_nan(struct xds_slice text)
{
    const size_t open = 3;

    if (!starts_folded(text, XDS_S("nan")))
        return false;
    if (text.len == open)
        return true;
    for (size_t i = open + 1; i + 1 < text.len; i++)
        if (!xds_ascii_alpha(text.data[i]) && !xds_ascii_digit(text.data[i]) &&
            text.data[i] != '_')
            return false;
    return text.len > open + 1 && text.data[open] == '(' &&
           text.data[text.len - 1] == ')';
}

static int hex_digit(char c)
{
    const char lower = xds_ascii_lower(c);

    if (xds_ascii_digit(c))
        return c - '0';
    return lower >= 'a' && lower <= 'f' ? lower - 'a' + 10 : -1;
}

/* "0x1.8p3"; the exponent may be missing. */
static bool read_hex(struct xds_slice text, bool bare, double *number)
{
    bool has_point = false, has_digit = false;
    int64_t power = 0, shift = 0;

    *number = 0;
    if (!starts_folded(text, XDS_S("0x")))
        return false;
    for (text = xds_slice_from(text, 2); text.len > 0; text = xds_slice_from(text, 1)) {
        const int digit = hex_digit(text.data[0]);

        if (digit < 0 && (text.data[0] != '.' || has_point))
            break;
        has_digit |= digit >= 0;
        has_point |= digit < 0;
        shift -= digit >= 0 && has_point ? 4 : 0;
        *number = digit >= 0 ? *number * 16 + digit : *number;
    }
    if (!has_digit || (text.len == 0 && !bare) ||
        (text.len > 0 && (xds_ascii_lower(text.data[0]) != 'p' ||
                          !xds_slice_to_i64(xds_slice_from(text, 1), &power))))
        return false;
    power = power > MOST_POWER ? MOST_POWER : power < -MOST_POWER ? -MOST_POWER : power;
    *number = ldexp(*number, (int)(power + shift));
    return true;
}

bool xds_lb_float_of_c(struct xds_slice text, struct xds_arena *arena, double *number)
{
    const bool minus = xds_slice_starts(text, XDS_S("-"));
    const bool has_sign = minus || xds_slice_starts(text, XDS_S("+"));
    const struct xds_slice rest = has_sign ? xds_slice_from(text, 1) : text;

    if (xds_slice_eq_fold(rest, XDS_S("inf")) ||
        xds_slice_eq_fold(rest, XDS_S("infinity")))
        *number = minus ? -INFINITY : INFINITY;
    else if (is_nan(rest))
        *number = NAN;
    else if (read_hex(rest, true, number))
        *number = minus ? -*number : *number;
    else if (xds_scalar_double(text, arena, number) == XDS_SCALAR_NO_NUMBER)
        return false;
    *number = (float)*number;
    return true;
}

bool xds_lb_float_of_java(struct xds_slice text, struct xds_arena *arena, double *number)
{
    const bool minus = xds_slice_starts(text, XDS_S("-"));
    const bool has_sign = minus || xds_slice_starts(text, XDS_S("+"));
    const char last = text.len > 0 ? xds_ascii_lower(text.data[text.len - 1]) : '\0';
    struct xds_slice rest = has_sign ? xds_slice_from(text, 1) : text;

    if (xds_slice_is(rest, "Infinity")) {
        *number = minus ? -INFINITY : INFINITY;
        return true;
    }
    if (xds_slice_is(rest, "NaN")) {
        *number = NAN;
        return true;
    }
    if (last == 'f' || last == 'd') {
        text.len--;
        rest.len--;
    }
    if (!read_hex(rest, false, number))
        return xds_scalar_double(text, arena, number) != XDS_SCALAR_NO_NUMBER;
    *number = minus ? -*number : *number;
    return true;
}
