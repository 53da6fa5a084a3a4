/* failing.h - the status of an RPC when no endpoint of its cluster can be used. */
#ifndef XDS_LB_FAILING_H
#define XDS_LB_FAILING_H

#include "lb/failover.h"

/* For a failover that has a leaf and does not work. */
struct xds_slice xds_failing_text(const struct xds_lb *lb,
                                  const struct xds_failover *failover);

#endif
