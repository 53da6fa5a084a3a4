/*
 * header_mutation_rules.c - check which headers a service may change.
 *
 * Source: gRFC drafts A92, A93, spec listener 1.9.
 */
#include "rules/side_channel.h"

static void check_regex(struct xds_ctx *ctx, const struct xds_path *at,
                        const pb_regex_matcher *pb)
{
    if (pb)
        (void)xds_regex_read(ctx, at, pb->regex, true,
                             "Invalid regex string specified in matcher: ");
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
