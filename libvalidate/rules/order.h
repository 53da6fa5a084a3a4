/*
 * order.h - two faults of one resource, of which one kills a client while it reads and
 * the other makes it reject the resource: what it meets first decides.
 */
#ifndef XDS_RULES_ORDER_H
#define XDS_RULES_ORDER_H

#include "rules/ctx.h"

/* What each reader has met first of a resource. Zero before the first finding. */
struct xds_first_met {
    xds_readers any;    /* those that have met something */
    xds_readers killed; /* those of them that it kills */
    struct xds_met {
        struct xds_steps at;
        enum xds_rule_id rule;
    } first[XDS_MAX_READERS];
};

/* A finding was added to the report. Does nothing unless ctx->met is set. */
void xds_order_meet(struct xds_ctx *ctx, const struct xds_path *at, enum xds_rule_id rule,
                    const struct xds_verdict_sets *verdict);

#endif
