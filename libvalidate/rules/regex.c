/*
 * regex.c - turn the text of a RegexMatcher into a compiled regex.
 *
 * Takes:  the pattern, and the words that C-core puts before RE2's.
 * Gives:  a regex of the run's cache, or NULL: node keeps what does not compile.
 * Fires:  the row of regex.def.
 * Source: gRFC A28, spec G34, G39.
 */
#include "rules/readers.h"

const struct xds_regex *xds_regex_read(struct xds_ctx *ctx, const struct xds_path *at,
                                       const char *pattern, const char *prefix)
{
    struct xds_slice error = {NULL, 0};
    const struct xds_regex *regex =
        xds_regex_get(ctx->regexes, xds_slice_of(pattern), &error);

    if (!regex)
        xds_fire(ctx, at, XDS_R_REGEX_INVALID, "%s%.*s", prefix, XDS_FMT(error));
    return regex;
}
