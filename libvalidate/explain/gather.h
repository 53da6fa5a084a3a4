/* gather.h - sum up what the branches of an RPC have in common. */
#ifndef XDS_EXPLAIN_GATHER_H
#define XDS_EXPLAIN_GATHER_H

#include "explain/branches.h"

/* Some notes are kept, in order; further ones are left out. */
void xds_explain_note(const struct xds_rpc *rpc, struct xds_decision *d,
                      struct xds_slice text);
/* Fills the decision from the clusters on. There is at least one branch. */
void xds_explain_gather(const struct xds_rpc *rpc, const struct xds_branches *branches,
                        struct xds_decision *d);

#endif
