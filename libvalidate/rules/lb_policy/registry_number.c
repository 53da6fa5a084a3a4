/*
 * registry_number.c - numbers and durations in the JSON of LB policies, as each client
 *                     reads them.
 *
 * Source: spec cluster 1.7/39; runs of go 1.85.0, java 1.85.1, node 1.14.1.
 */
#include <math.h>

#include "base/ascii.h"
#include "base/number.h"
#include "base/scalar.h"
#include "rules/lb_policy/registry.h"

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

/* "0x1.8p3"; the exponent may be missing. */
static bool read_hex(struct xds_slice text, bool bare, double *number)
{
    bool has_point = false, has_digit = false;
    int64_t power = 0, shift = 0;

    *number = 0;
    if (!starts_folded(text, XDS_S("0x")))
        return false;
    for (text = xds_slice_from(text, 2); text.len > 0; text = xds_slice_from(text, 1)) {
        const int digit = xds_ascii_hex(text.data[0]);

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

/* What strtof() of C reads: also "nan", "inf" and "0x1p3"; what is too large is infinite.
 */
static bool float_of_c(struct xds_slice text, struct xds_arena *arena, double *number)
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

/* What Float.parseFloat() of Java does: "NaN", "Infinity", "0x1p3" and "1f". */
static bool float_of_java(struct xds_slice text, struct xds_arena *arena, double *number)
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

static const char failed[] = "failed to parse number";
static const char failed_unsigned[] = "failed to parse non-negative number";
static const char failed_decimal[] = "failed to parse floating-point number";

static struct xds_slice trim(struct xds_slice s)
{
    while (s.len > 0 && (s.data[0] == ' ' || (s.data[0] >= '\t' && s.data[0] <= '\r')))
        s = xds_slice_from(s, 1);
    while (s.len > 0 && (s.data[s.len - 1] == ' ' ||
                         (s.data[s.len - 1] >= '\t' && s.data[s.len - 1] <= '\r')))
        s.len--;
    return s;
}

/* ---- numbers ---- */

static bool is_whole(double number)
{
    return xds_floor(number) >= number;
}

/* C-core's loader reads a number as it was printed: with 15 digits, or with 17 where the
 * number is another one. What has more is printed with an exponent. */
static bool has_exponent(double number)
{
    const double size = fabs(number);

    if (size < 1e15 || size >= 1e17)
        return size >= 1e17;
    const uint64_t unit = size < 1e16 ? 10 : 100;
    const uint64_t rounded = ((uint64_t)size + unit / 2) / unit * unit;

    return (uint64_t)(double)rounded == (uint64_t)size;
}

static bool read_signed(struct xds_slice text, double *number)
{
    int64_t whole_number;

    if (!xds_slice_to_i64(text, &whole_number))
        return false;
    *number = (double)whole_number;
    return true;
}

static const char *whole(const struct xds_lb_judge *judge, double most,
                         const struct xds_tree *value, double *number)
{
    const bool has_sign =
        xds_differs(judge->options, judge->client, XDS_DIFF_LB_NUMBER_SIGNED);

    if (has_sign && most <= UINT32_MAX) {
        *number = value->number;
        if (value->kind == XDS_TREE_STRING && !read_signed(value->text, number))
            return failed_unsigned;
        return *number >= INT32_MIN && *number <= INT32_MAX && is_whole(*number)
                   ? NULL
                   : failed_unsigned;
    }
    if (has_sign && value->kind == XDS_TREE_STRING)
        return read_signed(value->text, number) ? NULL : failed_unsigned;
    if (value->kind == XDS_TREE_STRING) {
        /* A whole number in a string. */
        struct xds_slice text = value->text;
        uint64_t whole;

        text = trim(text);
        if (xds_slice_starts(text, XDS_S("+")))
            text = xds_slice_from(text, 1);
        if (!xds_slice_to_u64(text, &whole) || (double)whole > most)
            return failed_unsigned;
        *number = (double)whole;
        return NULL;
    }
    *number = value->number;
    if (xds_differs(judge->options, judge->client, XDS_DIFF_LB_NUMBER_ANY))
        return NULL;
    return value->number >= 0 && value->number <= most && !has_exponent(value->number) &&
                   is_whole(value->number)
               ? NULL
               : failed_unsigned;
}

/* An int64 of a message. */
static const char *whole_i64(const struct xds_lb_judge *judge,
                             const struct xds_tree *value, double *number)
{
    const bool exactly =
        xds_differs(judge->options, judge->client, XDS_DIFF_LB_INT64_WHOLE);
    const bool as_json =
        xds_differs(judge->options, judge->client, XDS_DIFF_LB_INT64_OF_JSON);
    const double beyond = -(double)INT64_MIN;
    struct xds_whole read;

    *number = value->number;
    if (value->kind == XDS_TREE_NUMBER)
        return value->number > -beyond && value->number < beyond &&
                       is_whole(value->number) && (exactly || !has_exponent(*number))
                   ? NULL
                   : failed;
    if (!as_json)
        return read_signed(exactly ? value->text : trim(value->text), number) ? NULL
                                                                              : failed;
    if (!xds_json_number(value->text) ||
        xds_scalar_whole(value->text, &read) != XDS_SCALAR_OK ||
        read.magnitude > (uint64_t)INT64_MAX + read.negative)
        return failed;
    *number = read.negative ? -(double)read.magnitude : (double)read.magnitude;
    return NULL;
}

static const char *decimal(const struct xds_lb_judge *judge, const struct xds_tree *value,
                           double *number)
{
    if (value->kind != XDS_TREE_STRING &&
        xds_differs(judge->options, judge->client, XDS_DIFF_LB_PENALTY_IN_TEXT))
        return failed_decimal;
    if (value->kind == XDS_TREE_STRING &&
        xds_differs(judge->options, judge->client, XDS_DIFF_LB_FLOAT_OF_C))
        return float_of_c(trim(value->text), judge->arena, number) ? NULL
                                                                   : failed_decimal;
    if (value->kind == XDS_TREE_STRING &&
        xds_differs(judge->options, judge->client, XDS_DIFF_LB_FLOAT_OF_JAVA))
        return float_of_java(trim(value->text), judge->arena, number) ? NULL
                                                                      : failed_decimal;
    if (value->kind == XDS_TREE_STRING)
        return xds_scalar_double(trim(value->text), judge->arena, number) == XDS_SCALAR_OK
                   ? NULL
                   : failed_decimal;
    *number = value->number;
    return NULL;
}

/* ---- durations ---- */

#define MAX_DECIMALS 9

/* How a parser reads "-1.5s". */
struct duration_form {
    bool trims;         /* blanks around each number */
    bool negative;      /* is read */
    bool signed_part;   /* "1.-5s", which is 0.5 s and more */
    bool minus_twice;   /* "--1s", which is 1 s */
    bool plus;          /* "+1s" */
    bool point_alone;   /* ".5s" */
    bool point_last;    /* "1.s" */
    bool more_decimals; /* than nine */
    bool only_nine;     /* of these are looked at */
    bool unbounded;     /* seconds of any number */
    bool seconds_nanos; /* {seconds, nanos} too */
};

static struct duration_form form_of(const struct xds_lb_judge *judge)
{
#define FORM(difference) xds_differs(judge->options, judge->client, XDS_DIFF_##difference)
    return (struct duration_form){.trims = !FORM(LB_DURATION_UNTRIMMED),
                                  .negative = FORM(LB_DURATION_NEGATIVE),
                                  .signed_part = FORM(LB_DURATION_PART_SIGNED),
                                  .minus_twice = FORM(LB_DURATION_MINUS_TWICE),
                                  .plus = !FORM(LB_DURATION_PLUS_REFUSED),
                                  .point_alone = FORM(LB_DURATION_POINT_FIRST),
                                  .point_last = FORM(LB_DURATION_POINT_LAST),
                                  .more_decimals = FORM(LB_DURATION_LONG),
                                  .only_nine = FORM(LB_DURATION_NINE_DECIMALS),
                                  .unbounded = FORM(LB_DURATION_UNBOUNDED),
                                  .seconds_nanos = FORM(LB_DURATION_AS_MESSAGE)};
#undef FORM
}

static bool are_digits(struct xds_slice text)
{
    for (size_t i = 0; i < text.len; i++)
        if (!xds_ascii_digit(text.data[i]))
            return false;
    return true;
}

/* The digits after the point as a part of a second. */
static const char *decimals(const struct duration_form *form, struct xds_slice digits,
                            double *part)
{
    struct xds_slice counted = digits;
    int64_t number = 0;

    if (digits.len > MAX_DECIMALS) {
        if (!form->more_decimals)
            return "Not a duration (too many digits after decimal)";
        counted = xds_slice_make(digits.data, MAX_DECIMALS);
        if (!form->only_nine && !are_digits(digits))
            return "Not a duration (not a number of nanoseconds)";
    }
    if ((digits.len > 0 || !form->point_last) &&
        (!(form->signed_part || are_digits(counted)) ||
         !xds_slice_to_i64(form->trims ? trim(counted) : counted, &number)))
        return "Not a duration (not a number of nanoseconds)";
    *part = (double)number;
    for (size_t i = 0; i < counted.len; i++)
        *part /= 10;
    return NULL;
}

static const char *seconds_of(const struct duration_form *form, struct xds_slice digits,
                              bool has_part, double *number)
{
    int64_t seconds = 0;

    digits = form->trims ? trim(digits) : digits;
    if (form->unbounded) {
        if (digits.len == 0 || !are_digits(digits))
            return "Not a duration (not a number of seconds)";
        *number = 0;
        for (size_t i = 0; i < digits.len; i++)
            *number = *number * 10 + (digits.data[i] - '0');
        return NULL;
    }
    if ((digits.len > 0 || !(form->point_alone && has_part)) &&
        !xds_slice_to_i64(digits, &seconds))
        return "Not a duration (not a number of seconds)";
    if (!form->plus && xds_slice_starts(digits, XDS_S("+")))
        return "Not a duration (not a number of seconds)";
    if ((seconds < 0 && !form->minus_twice) || seconds > XDS_DURATION_MAX_SECONDS)
        return "seconds must be in the range [0, 315576000000]";
    *number = (double)seconds;
    return NULL;
}

/* A negative one that the client reads may still be out of a bound. */
static const char *duration_text(const struct duration_form *form, struct xds_slice text,
                                 double *number)
{
    struct xds_slice whole_part;
    double part = 0;

    if (!xds_slice_ends(text, XDS_S("s")))
        return "Not a duration (no s suffix)";
    text = xds_slice_make(text.data, text.len - 1);
    text = form->trims ? trim(text) : text;

    const bool minus = form->negative && xds_slice_starts(text, XDS_S("-"));
    const struct xds_slice digits =
        xds_slice_cut(minus ? xds_slice_from(text, 1) : text, '.', &whole_part);
    const char *fault = digits.data ? decimals(form, digits, &part) : NULL;

    if (!fault)
        fault = seconds_of(form, whole_part, digits.len > 0, number);
    if (!fault)
        *number = minus ? -(*number + part) : *number + part;
    return fault;
}

/* The seconds may be a text where the whole is taken for a message. */
static const char *seconds_nanos(const struct xds_tree *value, bool strict)
{
    const struct xds_tree *seconds = xds_tree_member(value, "seconds");
    const struct xds_tree *nanos = xds_tree_member(value, "nanos");

    if (value->kind != XDS_TREE_OBJECT || !seconds || !nanos ||
        nanos->kind != XDS_TREE_NUMBER ||
        (seconds->kind != XDS_TREE_NUMBER &&
         (strict || seconds->kind != XDS_TREE_STRING)))
        return "is not a duration";
    if (strict && !(seconds->number >= 0 && seconds->number <= XDS_DURATION_MAX_SECONDS &&
                    nanos->number >= 0 && nanos->number <= XDS_DURATION_MAX_NANOS))
        return "is out of range for a duration";
    return NULL;
}

static const char *duration(const struct xds_lb_judge *judge,
                            const struct xds_tree *value, double *number)
{
    const struct duration_form form = form_of(judge);

    *number = 0;
    if (value->kind == XDS_TREE_STRING)
        return duration_text(&form, value->text, number);
    return form.seconds_nanos ? seconds_nanos(value, false) : "is not a string";
}

const char *xds_lb_number(const struct xds_lb_judge *judge, enum xds_lb_field_kind kind,
                          const struct xds_tree *value, double *number)
{
    const bool is_text = value->kind == XDS_TREE_STRING;

    *number = 0;
    /* An observer is given what the client makes itself, with durations as texts. */
    if (kind == XDS_LB_FIELD_DURATION ||
        (judge->observer && is_text && kind == XDS_LB_FIELD_SECONDS_NANOS))
        return duration(judge, value, number);
    if (kind == XDS_LB_FIELD_SECONDS_NANOS)
        return seconds_nanos(value, true);
    /* An int64 is one of a message, which may always be a text. */
    if (value->kind != XDS_TREE_NUMBER &&
        (!is_text ||
         (xds_differs(judge->options, judge->client, XDS_DIFF_LB_NUMBER_NOT_TEXT) &&
          kind != XDS_LB_FIELD_INT64)))
        return "is not a number";
    if (kind == XDS_LB_FIELD_INT64)
        return whole_i64(judge, value, number);
    if (kind == XDS_LB_FIELD_FLOAT)
        return decimal(judge, value, number);
    return whole(judge,
                 kind == XDS_LB_FIELD_UINT32 ? (double)UINT32_MAX : (double)UINT64_MAX,
                 value, number);
}
