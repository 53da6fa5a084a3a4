/* outcome.h - the end of an RPC. */
#ifndef XDS_EXPLAIN_OUTCOME_H
#define XDS_EXPLAIN_OUTCOME_H

#include "explain/branches.h"

/* Fills d->outcome, d->code and d->error. */
void xds_explain_outcome(const struct xds_rpc *rpc, const struct xds_branches *branches,
                         struct xds_decision *d);

#endif
