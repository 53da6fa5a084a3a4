/* shared_walk.h - what core's one walk over all clusters may take from an aggregate. */
#ifndef XDS_EXPLAIN_SHARED_WALK_H
#define XDS_EXPLAIN_SHARED_WALK_H

#include "explain/decision.h"

/* Adds a note for each aggregate among d->clusters that core may not see whole. */
void xds_explain_shared_walk(const struct xds_lb *lb, struct xds_decision *d);

#endif
