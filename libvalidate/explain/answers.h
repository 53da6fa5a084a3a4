/* answers.h - what becomes of RPCs is worked out once for all that can have no other end.
 */
#ifndef XDS_EXPLAIN_ANSWERS_H
#define XDS_EXPLAIN_ANSWERS_H

#include "explain/decision.h"

/* Fills the decision from the clusters on, if all RPCs of its route do the same there as
 * every other RPC to the same cluster. answers: by cluster, kept in the memory of lb.
 * False: the RPC is to be followed itself. */
bool xds_explain_known(const struct xds_lb *lb, struct xds_strmap *answers,
                       struct xds_decision *d);

#endif
