/* decision_parts.h - pieces of the page and of the document that a decision becomes. */
#ifndef XDS_PRINT_DECISION_PARTS_H
#define XDS_PRINT_DECISION_PARTS_H

#include <math.h>

#include "print/decision.h"
#include "print/picture.h"

/* Writes something about a decision. */
typedef void (*xds_section_fn)(struct xds_out *out, const struct xds_decision *d);

/* The request, its listener and its virtual host, as sections of the page. */
void xds_text_way(struct xds_out *out, const struct xds_decision *d);
void xds_text_cluster(struct xds_out *out, const struct xds_decision *d);
void xds_text_drops(struct xds_out *out, const struct xds_decision *d);
/* How the host is chosen, and the hosts. */
void xds_text_policy(struct xds_out *out, const struct xds_decision *d);
void xds_text_hosts(struct xds_out *out, const struct xds_decision *d);
/* Of an RPC that ends before balancing only those after it would learn about hosts. */
bool xds_comes_to_balancing(const struct xds_decision *d);
/* The method config as one JSON value; null when there is none. */
void xds_json_method_config(struct xds_out *out, const struct xds_decision *d);
/* What the matched route configures. */
void xds_text_config(struct xds_out *out, const struct xds_decision *d);
/* What an RPC without a route has just missed. */
void xds_text_nearest(struct xds_out *out, const struct xds_decision *d);
/* Session affinity: the cookie of the request, and that of the response. */
void xds_text_session(struct xds_out *out, const struct xds_decision *d);
void xds_text_set_cookie(struct xds_out *out, const struct xds_decision *d);
/* What is worth knowing besides, and what becomes of the RPC. */
void xds_text_notes(struct xds_out *out, const struct xds_decision *d);
void xds_text_answer(struct xds_out *out, const struct xds_decision *d);

/* Add the decision to an empty picture. Of more hosts than these their number is
 * reported. */
void xds_decision_draw(struct xds_picture *picture, const struct xds_decision *decision,
                       size_t most_hosts);

/* ---- JSON ---- */

/* What cannot be computed is null in JSON. */
static inline double xds_json_probability(double probability)
{
    return probability == XDS_NOT_COMPUTABLE ? (double)NAN : probability;
}

#endif
