/*
 * regex.c - turn the text of a RegexMatcher into a compiled regex.
 *
 * Takes:  the pattern, and the words that C-core puts before RE2's.
 * Gives:  a regex of the run's cache, or NULL: node keeps what does not compile.
 * Fires:  the rows of regex.def.
 * Source: gRFC A28, spec G34, G39, G47, RB15, RB20.
 */
#include "rules/readers.h"

/* node compiles while it validates only in RBAC, and then ^pattern$: "*" becomes a
 * pattern that RE2 takes. */
static bool node_refuses(struct xds_ctx *ctx, const char *pattern)
{
    const struct xds_slice anchored = xds_arena_printf(ctx->arena, "^%s$", pattern);
    struct xds_slice ignored;

    return ctx->rbac && !xds_regex_get(ctx->regexes, anchored, &ignored);
}

static const struct xds_regex *refuse(struct xds_ctx *ctx, const struct xds_path *at,
                                      const char *pattern, const char *prefix,
                                      struct xds_slice error)
{
    const unsigned clients =
        node_refuses(ctx, pattern) ? XDS_ALL_CLIENTS : XDS_ALL_CLIENTS & ~XDS_NODE;

    xds_fire_for(ctx, at, clients, XDS_R_REGEX_INVALID, "%s%.*s", prefix, XDS_FMT(error));
    return NULL;
}

/* What compiles here may still be refused, or its size be in doubt. */
static void fire_fault(struct xds_ctx *ctx, const struct xds_path *at, const char *prefix,
                       enum xds_regex_fault fault, struct xds_slice error)
{
    switch (fault) {
    case XDS_REGEX_GOOD:
    case XDS_REGEX_INVALID:
        break;
    case XDS_REGEX_NAMED_NEWLY:
        xds_fire(ctx, at, XDS_R_REGEX_NAMED_GROUP, "%s%.*s", prefix, XDS_FMT(error));
        break;
    case XDS_REGEX_TOO_LARGE:
        xds_fire(ctx, at, XDS_R_REGEX_TOO_LARGE, "%s%.*s", prefix, XDS_FMT(error));
        break;
    case XDS_REGEX_MAYBE_TOO_LARGE:
        xds_fire(ctx, at, XDS_R_REGEX_SIZE_UNKNOWN,
                 "cannot say whether RE2's program for the regex fits into its 8 MiB");
        break;
    }
}

const struct xds_regex *xds_regex_read(struct xds_ctx *ctx, const struct xds_path *at,
                                       const char *pattern, const char *prefix)
{
    struct xds_slice error = {NULL, 0};
    const struct xds_regex *regex =
        xds_regex_get(ctx->regexes, xds_slice_of(pattern), &error);

    if (!regex)
        return refuse(ctx, at, pattern, prefix, error);
    fire_fault(ctx, at, prefix, xds_regex_fault(regex), error);
    if (xds_regex_any_byte(regex))
        xds_fire(ctx, at, XDS_R_REGEX_ANY_BYTE, "%sinvalid escape sequence: \\C", prefix);
    return regex;
}
