/* text.h - text that grows piece by piece, in an arena; the name that was probably meant.
 */
#ifndef XDS_BASE_TEXT_H
#define XDS_BASE_TEXT_H

#include "base/arena.h"

/* Start with {.arena = ...}; data is NUL-terminated after the first piece. */
struct xds_text {
    struct xds_arena *arena;
    char *data;
    size_t len, cap;
};

void xds_text_add(struct xds_text *text, struct xds_slice piece);
void xds_text_printf(struct xds_text *text, const char *format, ...) XDS_PRINTF(2, 3);
/* A number as protobuf's wire has it. */
void xds_text_add_varint(struct xds_text *text, uint64_t number);
void xds_text_add_number(struct xds_text *text, uint64_t number);

/* A value: it lasts as long as the expression it is in. */
struct xds_short_text {
    char text[40];
};

/* value / one, a power of ten, without zeros at the end; and the unit: "2.5 s". */
struct xds_short_text xds_decimal(uint64_t value, uint64_t one, const char *unit);

struct xds_nearest {
    struct xds_slice name;
    size_t distance;
    const char *best; /* NULL: nothing is near */
};

struct xds_nearest xds_nearest_to(struct xds_slice name);
void xds_nearest_offer(struct xds_nearest *nearest, const char *candidate);
/* "; did you mean "priority"?", or nothing when nothing is near. */
struct xds_slice xds_nearest_words(struct xds_arena *arena, const char *best);

#endif
