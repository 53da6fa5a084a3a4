/* shares.h - how the shares of clusters and hosts differ between two decisions. */
#ifndef XDS_DIFF_SHARES_H
#define XDS_DIFF_SHARES_H

#include "diff/diff.h"

/* Of the whole RPC, by cluster; and of each cluster that both sides have, by host. In
 * arena, sorted. */
void xds_shares_compare(struct xds_arena *arena, const struct xds_decision *old,
                        const struct xds_decision *now,
                        struct xds_share_changes *clusters,
                        struct xds_share_changes *hosts);

#endif
