/* token_list.h - tokens in an arena. */
#ifndef XDS_SOURCE_TOKEN_LIST_H
#define XDS_SOURCE_TOKEN_LIST_H

#include "source/token.h"

/* n = 0 makes room for new ones. */
struct xds_token_list {
    struct xds_arena *arena;
    struct xds_token *items;
    size_t n, cap;
};

/* Twice as much room, or the first. */
void xds_token_list_grow(struct xds_token_list *list);

static inline void xds_token_list_add(struct xds_token_list *list,
                                      const struct xds_token *token)
{
    if (list->n == list->cap)
        xds_token_list_grow(list);
    list->items[list->n++] = *token;
}

#endif
