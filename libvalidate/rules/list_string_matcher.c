/*
 * list_string_matcher.c - judge an envoy.type.matcher.v3.ListStringMatcher.
 *
 * Takes:  a decoded message, NULL when the field was not set.
 * Gives:  nothing: only filters that never change a route hold one.
 * Fires:  the rows of string_matcher.def, for each pattern.
 * Source: gRFC drafts A92, A93, spec G40.
 */
#include "rules/side_channel.h"

void xds_list_string_matcher_read(struct xds_ctx *ctx, const struct xds_path *at,
                                  const pb_list_string_matcher *pb)
{
    struct xds_string_matcher unused;

    for (size_t i = 0; pb && i < pb->n_patterns; i++)
        (void)xds_string_matcher_read(ctx, XDS_AT_I(at, "patterns", i), pb->patterns[i],
                                      &unused);
}
