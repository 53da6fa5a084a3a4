/*
 * memo.h - what was judged, for runs that come later.
 *
 * Owns: the workers that judged, and their batches, in a store; each report that has
 * taken something from a store holds on to it.
 */
#ifndef XDS_CHECK_MEMO_H
#define XDS_CHECK_MEMO_H

#include "check/batch.h"

/* What a resource is but for its place, and what a dump says of it. */
struct xds_memo_key xds_memo_key(const struct xds_store *store,
                                 const struct xds_resource *in);
/* The same resource as it was judged before, or NULL. */
const struct xds_batch_item *xds_store_find(const struct xds_store *store,
                                            const struct xds_resource *in,
                                            struct xds_memo_key key);
/* Keep a batch whose items are merged; it is the store's from now on. */
void xds_store_keep(struct xds_store *store, struct xds_batch *batch);

/* A worker for a check; NULL when there is no memory. It goes back to the store. */
struct xds_check *xds_store_worker(struct xds_store *store,
                                   const struct xds_check *check);
void xds_store_give_back(struct xds_store *store, struct xds_check *worker);

#endif
