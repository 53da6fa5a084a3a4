/* faults.h - what fault injection may do to an RPC, over all its branches. */
#ifndef XDS_EXPLAIN_FAULTS_H
#define XDS_EXPLAIN_FAULTS_H

#include "explain/branches.h"

/* Fills d->faults, and notes what is left to chance. */
void xds_explain_faults(const struct xds_rpc *rpc, const struct xds_branches *branches,
                        struct xds_decision *d);

#endif
