/*
 * rbac.h - what the files of the RBAC filter share: a walk through trees of rules.
 *
 * Nothing of it reaches the model: RBAC runs on servers only, and no RPC of a client is
 * decided by it.
 */
#ifndef XDS_RULES_FILTER_RBAC_H
#define XDS_RULES_FILTER_RBAC_H

#include "rules/readers.h"

struct xds_rbac_walk {
    struct xds_ctx *ctx;
    unsigned depth;      /* of the current rule; an entry of the policy has 0 */
    xds_readers skimmed; /* by these, with action LOG: they check conditions and names of
                            headers only (RB2) */
};

/* One permission, one principal, with all below it. The depth is bounded by the nesting
 * that decode/ accepts. */
void xds_rbac_permission_read(struct xds_rbac_walk *walk, const struct xds_path *at,
                              const pb_permission *pb);
void xds_rbac_principal_read(struct xds_rbac_walk *walk, const struct xds_path *at,
                             const pb_principal *pb);

/* Around each rule. Enter takes those out of ctx->live who find it nested too deep
 * (RB14), and returns what leave puts back. */
xds_readers xds_rbac_enter(struct xds_rbac_walk *walk, const struct xds_path *at);
void xds_rbac_leave(struct xds_rbac_walk *walk, xds_readers live);

/* What not_rule or not_id at this path holds is known to gRFC A41, or not. */
void xds_rbac_negated_check(struct xds_rbac_walk *walk, const struct xds_path *at,
                            bool is_known);

/* What rules are made of; at is the path of the matcher. */
void xds_rbac_cidr_read(struct xds_rbac_walk *walk, const struct xds_path *at,
                        const pb_cidr_range *pb);
void xds_rbac_header_read(struct xds_rbac_walk *walk, const struct xds_path *at,
                          const pb_header_matcher *pb);
void xds_rbac_string_read(struct xds_rbac_walk *walk, const struct xds_path *at,
                          const pb_string_matcher *pb);
void xds_rbac_url_path_read(struct xds_rbac_walk *walk, const struct xds_path *at,
                            const pb_path_matcher *pb);

/* RBAC.audit_logging_options at its path, NULL when it was not set (gRFC A59). */
void xds_audit_logging_read(struct xds_ctx *ctx, const struct xds_path *at,
                            const pb_rbac_audit_logging_options *pb);

#endif
