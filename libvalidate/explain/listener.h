/* listener.h - from a request to the virtual host: LDS, RDS, domains. */
#ifndef XDS_EXPLAIN_LISTENER_H
#define XDS_EXPLAIN_LISTENER_H

#include "explain/decision.h"

/* Fills the record up to the virtual host. False: the RPC ends here, outcome and error
 * say how. */
bool xds_explain_virtual_host(const struct xds_lb *lb, struct xds_decision *d);
/* Of a client that does not fail RPCs then: it ended, but the RPC goes on waiting. */
void xds_explain_waiting(const struct xds_lb *lb, struct xds_decision *d);
/* Of a client that refuses a virtual host without a route to a cluster: true, and every
 * RPC ends here. */
bool xds_explain_childless(const struct xds_lb *lb, struct xds_decision *d);
/* End the decision: outcome, and the message of its status. Always returns false. */
bool xds_explain_end(const struct xds_lb *lb, struct xds_decision *d,
                     enum xds_outcome outcome, const char *format, ...) XDS_PRINTF(4, 5);

/* The same for a rule of which the client dies. */
bool xds_explain_crash(const struct xds_lb *lb, struct xds_decision *d,
                       const struct xds_rule *rule);

#endif
