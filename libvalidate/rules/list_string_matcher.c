/*
 * list_string_matcher.c - check an envoy.type.matcher.v3.ListStringMatcher.
 *
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
