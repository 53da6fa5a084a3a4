/* token_list.c - tokens in an arena. */
#include "source/token_list.h"

void xds_token_list_grow(struct xds_token_list *list)
{
    const size_t cap = list->cap ? list->cap * 2 : 256;
    struct xds_token *items = xds_arena_alloc(list->arena, cap * sizeof list->items[0]);

    if (list->n)
        memcpy(items, list->items, list->n * sizeof list->items[0]);
    list->items = items;
    list->cap = cap;
}
