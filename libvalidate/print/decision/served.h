/* served.h - the words that the formats of a server's answer share. */
#ifndef XDS_PRINT_DECISION_SERVED_H
#define XDS_PRINT_DECISION_SERVED_H

#include "explain/decision.h"
#include "print/write/out.h"
#include "server/rbac.h"

/* "served", "denied", "failed", "closed", "no_handshake", "not_serving", "crash",
 * "undecided". */
const char *xds_served_name(enum xds_served_outcome outcome);
/* "template", "usual_template", "address". */
const char *xds_listener_by_name(enum xds_listener_by by);
/* What virtual host and routes are printed of. */
struct xds_decision xds_served_approach(const struct xds_served *d);
/* "#2 \"internal\"", "default". */
void xds_out_chain(struct xds_out *out, const struct xds_filter_chain *chain,
                   size_t index);
/* What becomes of the RPC. */
void xds_text_served_answer(struct xds_out *out, const struct xds_served *d);
/* How the RPC comes to its end, step by step; the title is that of the first line. The
 * answer as one JSON object. */
void xds_print_served_sections(struct xds_out *out, const char *title,
                               const struct xds_served *d);
void xds_json_served(struct xds_out *out, const struct xds_served *d);
/* What an RBAC filter saw: lines below its own; the key "rbac", whose value is null of
 * other filters. */
void xds_print_rbac_text(struct xds_out *out, const struct xds_rbac_answer *rbac);
void xds_json_rbac(struct xds_out *out, const struct xds_rbac_answer *rbac);

#endif
