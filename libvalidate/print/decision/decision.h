/* decision.h - the words that the formats of a decision share. */
#ifndef XDS_PRINT_DECISION_H
#define XDS_PRINT_DECISION_H

#include "explain/decision.h"
#include "print/write/out.h"

/* "routed", "no_listener" ... */
const char *xds_outcome_name(enum xds_outcome outcome);
/* "only", "weighted", "cookie", "specifier_plugin". */
const char *xds_cluster_why_name(enum xds_cluster_why why);
/* "override", "only", "random", or the policy that chose among several. */
const char *xds_host_why_name(const struct xds_decision *d);
/* "outcome", "route" ... */
const char *xds_difference_name(enum xds_answer_difference difference);
/* The address that the RPC uses. */
struct xds_slice xds_host_address(const struct xds_host *host);

#endif
