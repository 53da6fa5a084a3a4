/* text.c - text that grows piece by piece: its room doubles when it is full. */
#include "base/text.h"

#include <inttypes.h>
#include <stdio.h>

#define NUMBER_BYTES 21 /* of 64 bits, with the NUL */

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

void xds_text_add_number(struct xds_text *text, uint64_t number)
{
    char digits[NUMBER_BYTES];
    const int n = snprintf(digits, sizeof digits, "%" PRIu64, number);

    xds_text_add(text, xds_slice_make(digits, (size_t)n));
}
