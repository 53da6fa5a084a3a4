/* text.h - text that grows piece by piece, in an arena. */
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
void xds_text_add_number(struct xds_text *text, uint64_t number);

#endif
