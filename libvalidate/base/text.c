/* text.c - text that grows piece by piece; names that are known, and which was probably
 * meant. */
#include "base/text.h"

#include <inttypes.h>
#include <stdio.h>

#include "base/ascii.h"
#include "base/digits.h"

void xds_text_add(struct xds_text *text, struct xds_slice piece)
{
    if (text->cap - text->len <= piece.len) {
        const size_t cap = 2 * (text->len + piece.len) + 1;
        char *copy = xds_arena_alloc(text->arena, cap);

        if (text->len)
            memcpy(copy, text->data, text->len);
        text->data = copy;
        text->cap = cap;
    }
    if (piece.len)
        memcpy(text->data + text->len, piece.data, piece.len);
    text->len += piece.len;
    text->data[text->len] = '\0';
}

void xds_text_printf(struct xds_text *text, const char *format, ...)
{
    va_list args;

    va_start(args, format);
    xds_text_add(text, xds_arena_vprintf(text->arena, format, args));
    va_end(args);
}

void xds_text_add_varint(struct xds_text *text, uint64_t number)
{
    char bytes[10];
    size_t len = 0;

    for (; number >= 0x80; number >>= 7)
        bytes[len++] = (char)(number | 0x80);
    bytes[len++] = (char)number;
    xds_text_add(text, xds_slice_make(bytes, len));
}

void xds_text_add_number(struct xds_text *text, uint64_t number)
{
    char room[XDS_DIGITS];

    xds_text_add(text, xds_digits(number, room));
}

#define DISTANCE_MAX 64

size_t xds_slice_distance(struct xds_slice a, struct xds_slice b, size_t limit)
{
    size_t row[DISTANCE_MAX + 1];

    if (a.len > DISTANCE_MAX || b.len > DISTANCE_MAX)
        return limit + 1;
    for (size_t j = 0; j <= b.len; j++)
        row[j] = j;
    for (size_t i = 1; i <= a.len; i++) {
        size_t diagonal = row[0];

        row[0] = i;
        for (size_t j = 1; j <= b.len; j++) {
            const size_t change = diagonal + (xds_ascii_lower(a.data[i - 1]) !=
                                              xds_ascii_lower(b.data[j - 1]));
            size_t best = row[j] < row[j - 1] ? row[j] + 1 : row[j - 1] + 1;

            diagonal = row[j];
            row[j] = best < change ? best : change;
        }
    }
    return row[b.len] > limit ? limit + 1 : row[b.len];
}

/* More edits than these, or than half of the name, are no slip of the pen. */
#define MOST_EDITS 3

struct xds_nearest xds_nearest_to(struct xds_slice name)
{
    const size_t most = name.len / 2 < MOST_EDITS ? name.len / 2 : MOST_EDITS;

    return (struct xds_nearest){.name = name, .distance = most + 1};
}

void xds_nearest_offer(struct xds_nearest *nearest, const char *candidate)
{
    const size_t distance =
        xds_slice_distance(nearest->name, xds_slice_of(candidate), nearest->distance);

    if (distance >= nearest->distance)
        return;
    nearest->distance = distance;
    nearest->best = candidate;
}

struct xds_slice xds_nearest_words(struct xds_arena *arena, const char *best)
{
    return best ? xds_arena_printf(arena, "; did you mean \"%s\"?", best) : XDS_S("");
}

/* In integers: no locale can touch it. */
struct xds_short_text xds_decimal(uint64_t value, uint64_t one, const char *unit)
{
    struct xds_short_text out;
    uint64_t rest = value % one;
    size_t n = (size_t)snprintf(out.text, sizeof(out.text), "%" PRIu64, value / one);

    if (rest)
        out.text[n++] = '.';
    for (uint64_t place = one / 10; rest; rest %= place, place /= 10)
        out.text[n++] = (char)('0' + rest / place);
    (void)snprintf(out.text + n, sizeof(out.text) - n, "%s", unit);
    return out;
}
