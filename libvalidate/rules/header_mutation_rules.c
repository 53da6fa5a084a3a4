/*
 * header_mutation_rules.c - judge which headers a service may change.
 *
 * Takes:  a decoded HeaderMutationRules, NULL when the field was not set.
 * Gives:  nothing: which headers change shows only at run time.
 * Fires:  the row of header_mutation_rules.def.
 * Source: gRFC drafts A92, A93, spec section 1.9.
 */
#include "rules/side_channel.h"

static void check_regex(struct xds_ctx *ctx, const struct xds_path *at,
                        const pb_regex_matcher *pb)
{
    struct xds_slice error = {NULL, 0};

    if (pb && !xds_regex_get(ctx->regexes, xds_slice_of(pb->regex), &error))
        xds_fire(ctx, at, XDS_R_HDRMUT_REGEX,
                 "Invalid regex string specified in matcher: %.*s", XDS_FMT(error));
}

/* C-core names the message once more below the field that holds it. */
void xds_header_mutation_rules_read(struct xds_ctx *ctx, const struct xds_path *at,
                                    const pb_header_mutation_rules *pb)
{
    const struct xds_path *rules = XDS_AT_SAID(at, "header_mutation_rules");

    if (!pb)
        return;
    check_regex(ctx, XDS_AT(rules, "allow_expression"), pb->allow_expression);
    check_regex(ctx, XDS_AT(rules, "disallow_expression"), pb->disallow_expression);
}
