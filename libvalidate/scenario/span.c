/* span.c - durations as people write them. */
#include "scenario/scenario.h"

#include "base/ascii.h"
#include "base/number.h"

#include <inttypes.h>

static const struct unit {
    struct xds_slice name;
    int64_t ms;
} units[] = {
    {{"ms", 2}, 1},
    {{"s", 1}, 1000},
    {{"m", 1}, 60000},
    {{"h", 1}, 3600000},
};

/* "ms" is in front of "m". */
static const struct unit *take_unit(struct xds_slice *text)
{
    for (size_t i = 0; i < XDS_ARRAY_LEN(units); i++) {
        if (!xds_slice_starts(*text, units[i].name))
            continue;
        *text = xds_slice_from(*text, units[i].name.len);
        return &units[i];
    }
    return NULL;
}

static struct xds_slice take_digits(struct xds_slice *text)
{
    struct xds_slice digits = {text->data, 0};

    while (digits.len < text->len && xds_ascii_digit(text->data[digits.len]))
        digits.len++;
    *text = xds_slice_from(*text, digits.len);
    return digits;
}

/* The part of a unit after the point; false when it is no whole number of ms. */
static bool add_fraction(struct xds_slice digits, int64_t unit, int64_t *ms)
{
    enum { MOST_DIGITS = 9 };
    int64_t number, parts = 1;

    if (digits.len == 0)
        return true;
    if (digits.len > MOST_DIGITS || !xds_slice_to_i64(digits, &number))
        return false;
    for (size_t i = 0; i < digits.len; i++)
        parts *= 10;
    *ms += number * unit / parts;
    return number * unit % parts == 0;
}

static bool take_part(struct xds_slice *text, int64_t *total)
{
    const struct xds_slice whole = take_digits(text);
    struct xds_slice fraction = {NULL, 0};
    int64_t number, ms;

    if (text->len > 0 && text->data[0] == '.') {
        *text = xds_slice_from(*text, 1);
        fraction = take_digits(text);
        if (fraction.len == 0)
            return false;
    }
    const struct unit *unit = take_unit(text);

    if (!unit || whole.len == 0 || !xds_slice_to_i64(whole, &number) ||
        number > XDS_DURATION_MAX_MS / unit->ms)
        return false;
    ms = number * unit->ms;
    if (!add_fraction(fraction, unit->ms, &ms))
        return false;
    *total += ms;
    return *total <= XDS_DURATION_MAX_MS;
}

bool xds_span_read(struct xds_slice text, int64_t *ms)
{
    int64_t total = 0;

    if (text.len == 0)
        return false;
    while (text.len > 0)
        if (!take_part(&text, &total))
            return false;
    *ms = total;
    return true;
}

struct xds_slice xds_span_text(struct xds_arena *arena, int64_t ms)
{
    return ms % 1000 == 0 ? xds_arena_printf(arena, "%" PRId64 "s", ms / 1000)
                          : xds_arena_printf(arena, "%" PRId64 "ms", ms);
}
