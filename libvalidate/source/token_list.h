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

void xds_token_list_add(struct xds_token_list *list, const struct xds_token *token);

#endif
