/*
 * registry_number.c - the numbers and durations in the JSON of LB policies.
 *
 * Takes:  a value of the tree, the kind of number wanted, and the client that reads it.
 * Gives:  the number as a double, or what is wrong with it in C-core's words.
 * Source: spec cluster 1.7/39; gRFC A24.
 */
#include "base/duration.h"
#include "base/number.h"
#include "decode/scalar.h"
#include "rules/lb_policy/registry_schema.h"

/* C-core's loader reads a number as it was printed, and from here on it is printed with
 * an exponent. */
#define FIRST_WITH_EXPONENT 1e15

#define MAX_DECIMALS 9

static const char failed[] = "failed to parse number";

static struct xds_slice trim(struct xds_slice s)
{
    while (s.len > 0 && (s.data[0] == ' ' || (s.data[0] >= '\t' && s.data[0] <= '\r')))
        s = xds_slice_from(s, 1);
    while (s.len > 0 && (s.data[s.len - 1] == ' ' ||
                         (s.data[s.len - 1] >= '\t' && s.data[s.len - 1] <= '\r')))
        s.len--;
    return s;
}

static bool is_by(const struct xds_lb_judge *judge, unsigned clients)
{
    return (XDS_CLIENT_BIT(judge->client) & clients) != 0;
}

static double most_of(enum xds_lb_field_kind kind)
{
    return kind == XDS_LB_FIELD_UINT32 ? (double)UINT32_MAX : (double)UINT64_MAX;
}

/* A whole number in a string. */
static const char *whole_text(struct xds_slice text, double most, double *number)
{
    uint64_t whole;

    text = trim(text);
    if (xds_slice_starts(text, XDS_S("+")))
        text = xds_slice_from(text, 1);
    if (!xds_slice_to_u64(text, &whole) || (double)whole > most)
        return failed;
    *number = (double)whole;
    return NULL;
}

static bool is_whole(double number)
{
    return xds_floor(number) >= number;
}

static const char *whole(const struct xds_lb_judge *judge, double most,
                         const struct xds_tree *value, double *number)
{
    if (value->kind == XDS_TREE_STRING)
        return whole_text(value->text, most, number);
    *number = value->number;
    if (is_by(judge, XDS_NODE)) /* a JavaScript number is a number */
        return NULL;
    return value->number >= 0 && value->number <= most &&
                   value->number < FIRST_WITH_EXPONENT && is_whole(value->number)
               ? NULL
               : failed;
}

/* The readers of messages take exponents. */
static const char *whole_i64(const struct xds_lb_judge *judge,
                             const struct xds_tree *value, double *number)
{
    const double beyond = is_by(judge, C_ONLY) ? FIRST_WITH_EXPONENT : -(double)INT64_MIN;
    int64_t whole_number;

    *number = value->number;
    if (value->kind == XDS_TREE_NUMBER)
        return value->number > -beyond && value->number < beyond &&
                       is_whole(value->number)
                   ? NULL
                   : failed;
    if (!xds_slice_to_i64(trim(value->text), &whole_number))
        return failed;
    *number = (double)whole_number;
    return NULL;
}

static const char *decimal(const struct xds_lb_judge *judge, const struct xds_tree *value,
                           double *number)
{
    if (value->kind == XDS_TREE_STRING)
        return xds_scalar_double(trim(value->text), judge->arena, number) == XDS_SCALAR_OK
                   ? NULL
                   : failed;
    *number = value->number;
    return NULL;
}

/* The digits behind the point as a part of a second. */
static const char *decimals(struct xds_slice digits, double *part)
{
    uint64_t number;

    if (!xds_slice_to_u64(digits, &number))
        return "Not a duration (not a number of nanoseconds)";
    if (digits.len > MAX_DECIMALS)
        return "Not a duration (too many digits after decimal)";
    *part = (double)number;
    for (size_t i = 0; i < digits.len; i++)
        *part /= 10;
    return NULL;
}

/* go and java read negative durations too; who minds them has a bound for it. */
static const char *duration(const struct xds_lb_judge *judge, struct xds_slice text,
                            double *number)
{
    const int64_t least = is_by(judge, XDS_GO | XDS_JAVA) ? -XDS_DURATION_MAX_SECONDS : 0;
    struct xds_slice whole_part;
    int64_t seconds;
    double part = 0;

    if (!xds_slice_ends(text, XDS_S("s")))
        return "Not a duration (no s suffix)";
    text = trim(xds_slice_make(text.data, text.len - 1));

    const struct xds_slice digits = xds_slice_cut(text, '.', &whole_part);
    const char *fault = digits.data ? decimals(digits, &part) : NULL;

    if (fault)
        return fault;
    if (!xds_slice_to_i64(whole_part, &seconds))
        return "Not a duration (not a number of seconds)";
    if (seconds < least || seconds > XDS_DURATION_MAX_SECONDS)
        return "seconds must be in the range [0, 315576000000]";
    *number = (double)seconds + (xds_slice_starts(text, XDS_S("-")) ? -part : part);
    return NULL;
}

const char *xds_lb_number(const struct xds_lb_judge *judge, enum xds_lb_field_kind kind,
                          const struct xds_tree *value, double *number)
{
    const bool is_text = value->kind == XDS_TREE_STRING;

    if (kind == XDS_LB_FIELD_DURATION)
        return is_text ? duration(judge, value->text, number) : "is not a string";
    /* go and node take no number from a string, but where it reads a message. */
    if (value->kind != XDS_TREE_NUMBER &&
        (!is_text || (is_by(judge, XDS_GO | XDS_NODE) && kind != XDS_LB_FIELD_INT64)))
        return "is not a number";
    if (kind == XDS_LB_FIELD_INT64)
        return whole_i64(judge, value, number);
    if (kind == XDS_LB_FIELD_FLOAT)
        return decimal(judge, value, number);
    return whole(judge, most_of(kind), value, number);
}
