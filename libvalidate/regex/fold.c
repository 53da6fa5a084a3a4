/*
 * fold.c - fold the case of text in all scripts.
 *
 * Source: Unicode, CaseFolding.txt, as regex/re2_fold.c has it. go, java and node change
 * to lower or upper case instead, which parts from folding only for a few letters such as
 * the long s.
 */
#include "regex/fold.h"

#include "regex/re2_runes.h"

static uint32_t first_of_orbit(uint32_t rune)
{
    uint32_t first = rune;

    for (uint32_t r = xds_rune_next_fold(rune); r != rune; r = xds_rune_next_fold(r))
        if (r < first)
            first = r;
    return first;
}

struct xds_slice xds_fold_case(struct xds_arena *arena, struct xds_slice text)
{
    uint8_t *out = xds_arena_alloc(arena, text.len + 1);
    size_t n = 0;

    while (text.len > 0) {
        const char byte = text.data[0];
        uint32_t rune;

        if (xds_utf8_next(&text, &rune)) {
            n += xds_utf8_encode(first_of_orbit(rune), out + n);
            continue;
        }
        out[n++] = (uint8_t)byte;
        text = xds_slice_from(text, 1);
    }
    return xds_slice_make((const char *)out, n);
}
