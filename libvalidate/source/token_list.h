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

/* Where the next token goes, once n counts it. */
static inline struct xds_token *xds_token_list_room(struct xds_token_list *list)
{
    if (list->n == list->cap)
        xds_token_list_grow(list);
    return &list->items[list->n];
}

static inline void xds_token_list_add(struct xds_token_list *list,
                                      const struct xds_token *token)
{
    *xds_token_list_room(list) = *token;
    list->n++;
}

#endif
