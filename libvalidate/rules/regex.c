/*
 * regex.c - turn the text of a RegexMatcher into a compiled regex.
 *
 * Takes:  the pattern, and the words that C-core puts before RE2's.
 * Gives:  a regex of the run's cache, or NULL: node keeps what does not compile.
 * Fires:  the row of regex.def.
 * Source: gRFC A28, spec G34, G39, G47, RB15, RB20.
 */
#include "rules/readers.h"

/* node compiles while it validates only in RBAC, and then ^pattern$: "*" becomes a
 * pattern that RE2 takes. */
static bool node_refuses(struct xds_ctx *ctx, const char *pattern)
{
    const struct xds_slice anchored = xds_arena_printf(ctx->arena, "^%s$", pattern);
    struct xds_slice ignored;

    return !xds_regex_get(ctx->regexes, anchored, &ignored);
}

const struct xds_regex *xds_regex_read(struct xds_ctx *ctx, const struct xds_path *at,
                                       const char *pattern, const char *prefix)
{
    struct xds_slice error = {NULL, 0};
    const struct xds_regex *regex =
        xds_regex_get(ctx->regexes, xds_slice_of(pattern), &error);
    unsigned clients = XDS_ALL_CLIENTS;

    if (regex)
        return regex;
    if (!ctx->rbac || !node_refuses(ctx, pattern))
        clients &= ~XDS_NODE;
    xds_fire_for(ctx, at, clients, XDS_R_REGEX_INVALID, "%s%.*s", prefix, XDS_FMT(error));
    return NULL;
}
