/*
 * yaml_scalar.c - the value of a plain YAML scalar.
 *
 * Source: YAML 1.2.2, 10.3.2 (core schema).
 */
#include "source/yaml/yaml.h"

#include <inttypes.h>
#include <stdio.h>

#include "base/ascii.h"

static const struct word {
    const char *text;
    enum xds_token_kind kind;
    const char *value; /* NULL: as written */
} words[] = {
    {"", XDS_TOKEN_NULL, NULL},
    {"~", XDS_TOKEN_NULL, NULL},
    {"null", XDS_TOKEN_NULL, NULL},
    {"Null", XDS_TOKEN_NULL, NULL},
    {"NULL", XDS_TOKEN_NULL, NULL},
    {"true", XDS_TOKEN_TRUE, NULL},
    {"True", XDS_TOKEN_TRUE, NULL},
    {"TRUE", XDS_TOKEN_TRUE, NULL},
    {"false", XDS_TOKEN_FALSE, NULL},
    {"False", XDS_TOKEN_FALSE, NULL},
    {"FALSE", XDS_TOKEN_FALSE, NULL},
    {".nan", XDS_TOKEN_STRING, "NaN"},
    {".NaN", XDS_TOKEN_STRING, "NaN"},
    {".NAN", XDS_TOKEN_STRING, "NaN"},
    {".inf", XDS_TOKEN_STRING, "Infinity"},
    {".Inf", XDS_TOKEN_STRING, "Infinity"},
    {".INF", XDS_TOKEN_STRING, "Infinity"},
    {"+.inf", XDS_TOKEN_STRING, "Infinity"},
    {"+.Inf", XDS_TOKEN_STRING, "Infinity"},
    {"+.INF", XDS_TOKEN_STRING, "Infinity"},
    {"-.inf", XDS_TOKEN_STRING, "-Infinity"},
    {"-.Inf", XDS_TOKEN_STRING, "-Infinity"},
    {"-.INF", XDS_TOKEN_STRING, "-Infinity"},
};

#define LONGEST_WORD 5

/* Nearly all scalars begin with a letter with which no word and no number does. */
static bool is_only_text(struct xds_slice text)
{
    const char first = text.len ? xds_ascii_lower(text.data[0]) : '~';

    if (first >= 'a' && first <= 'z')
        return first != 'n' && first != 't' && first != 'f';
    return !strchr("~.+-0123456789", first);
}

static const struct word *find_word(struct xds_slice text)
{
    if (text.len > LONGEST_WORD || (text.len && xds_ascii_digit(text.data[0])))
        return NULL;
    const char first = text.len ? text.data[0] : '\0';

    for (size_t i = 0; i < XDS_ARRAY_LEN(words); i++) {
        if (words[i].text[0] == first && xds_slice_is(text, words[i].text))
            return &words[i];
    }
    return NULL;
}

static size_t digits_from(struct xds_slice s, size_t at)
{
    size_t n = 0;

    while (at + n < s.len && xds_ascii_digit(s.data[at + n]))
        n++;
    return n;
}

/* The parts of [-+]? ( \. [0-9]+ | [0-9]+ ( \. [0-9]* )? ) ( [eE] [-+]? [0-9]+ )? */
struct decimal {
    bool minus;
    struct xds_slice whole, fraction, exponent; /* exponent with its e */
};

static bool read_exponent(struct xds_slice s, size_t at, struct decimal *out)
{
    size_t i = at + 1;

    if (at == s.len)
        return true;
    if (s.data[at] != 'e' && s.data[at] != 'E')
        return false;
    if (i < s.len && (s.data[i] == '+' || s.data[i] == '-'))
        i++;
    const size_t n = digits_from(s, i);
    out->exponent = xds_slice_from(s, at);
    return n > 0 && i + n == s.len;
}

static bool read_decimal(struct xds_slice s, struct decimal *out)
{
    size_t i = 0;

    *out = (struct decimal){.minus = s.len && s.data[0] == '-'};
    if (s.len && (s.data[0] == '-' || s.data[0] == '+'))
        i++;
    const size_t whole = digits_from(s, i);
    out->whole = xds_slice_make(s.data + i, whole);
    i += whole;
    if (i < s.len && s.data[i] == '.') {
        const size_t fraction = digits_from(s, i + 1);

        out->fraction = xds_slice_make(s.data + i + 1, fraction);
        i += 1 + fraction;
    }
    if (whole == 0 && out->fraction.len == 0)
        return false;
    return read_exponent(s, i, out);
}

static struct xds_slice without_leading_zeros(struct xds_slice digits)
{
    size_t zeros = 0;

    while (zeros + 1 < digits.len && digits.data[zeros] == '0')
        zeros++;
    return xds_slice_from(digits, zeros);
}

/* As JSON writes it: no plus, no leading zeros, digits on both sides of the point. */
static struct xds_slice write_decimal(const struct decimal *d, char out[XDS_YAML_NUMBER])
{
    const struct xds_slice zero = XDS_S("0");
    const struct xds_slice whole = d->whole.len ? without_leading_zeros(d->whole) : zero;
    const int n = snprintf(out, XDS_YAML_NUMBER, "%s%.*s%s%.*s%.*s", d->minus ? "-" : "",
                           XDS_FMT(whole), d->fraction.len ? "." : "",
                           XDS_FMT(d->fraction), XDS_FMT(d->exponent));

    return xds_slice_make(out, (size_t)n);
}

static int digit_value(char c)
{
    const char low = xds_ascii_lower(c);

    if (xds_ascii_digit(c))
        return c - '0';
    return low >= 'a' && low <= 'f' ? low - 'a' + 10 : 16;
}

/* 0x1F and 0o17; the core schema allows no sign there. */
static bool read_based(struct xds_slice s, uint64_t *out)
{
    const uint64_t base = xds_slice_starts(s, XDS_S("0x"))   ? 16
                          : xds_slice_starts(s, XDS_S("0o")) ? 8
                                                             : 0;
    uint64_t value = 0;

    if (!base || s.len < 3)
        return false;
    for (size_t i = 2; i < s.len; i++) {
        const uint64_t digit = (uint64_t)digit_value(s.data[i]);

        if (digit >= base || value > (UINT64_MAX - digit) / base)
            return false;
        value = value * base + digit;
    }
    *out = value;
    return true;
}

static bool may_be_number(struct xds_slice text)
{
    const char c = text.len ? text.data[0] : 'x';

    return xds_ascii_digit(c) || c == '-' || c == '+' || c == '.';
}

static bool read_number(struct xds_slice text, char number[XDS_YAML_NUMBER],
                        struct xds_slice *out)
{
    struct decimal decimal;
    uint64_t value;

    if (!may_be_number(text))
        return false;
    *out = text;
    if (read_based(text, &value)) {
        const int n = snprintf(number, XDS_YAML_NUMBER, "%" PRIu64, value);

        *out = xds_slice_make(number, (size_t)n);
        return true;
    }
    if (!read_decimal(text, &decimal))
        return false;
    if (!xds_json_number(text) && text.len + 2 < XDS_YAML_NUMBER)
        *out = write_decimal(&decimal, number);
    return true;
}

void xds_yaml_resolve(struct xds_slice text, char number[XDS_YAML_NUMBER],
                      struct xds_token *out)
{
    out->kind = XDS_TOKEN_STRING;
    out->text = text;
    if (is_only_text(text))
        return;
    const struct word *word = find_word(text);
    if (word) {
        out->kind = word->kind;
        if (word->value)
            out->text = xds_slice_of(word->value);
    } else if (read_number(text, number, &out->text)) {
        out->kind = XDS_TOKEN_NUMBER;
    }
}
