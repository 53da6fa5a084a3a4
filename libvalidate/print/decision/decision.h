/* decision.h - the words and sections that the formats of a decision share. */
#ifndef XDS_PRINT_DECISION_DECISION_H
#define XDS_PRINT_DECISION_DECISION_H

#include <math.h>

#include "explain/decision.h"
#include "print/write/out.h"

/* "routed", "no_listener" ... */
const char *xds_outcome_name(enum xds_outcome outcome);
/* "only", "weighted", "cookie", "specifier_plugin". */
const char *xds_cluster_why_name(enum xds_cluster_why why);
/* "override", "only", "random", or the policy that chose among several. */
const char *xds_host_why_name(const struct xds_decision *d);
/* "outcome", "route" ... */
const char *xds_difference_name(enum xds_answer_difference difference);
/* The address that the RPC uses. */
struct xds_slice xds_host_address(const struct xds_host *host);

/* "1/3 (33.3%)" where people can read the fraction, else "33.333%" of its value. */
struct xds_short_text xds_share_text(struct xds_share share, double value);
/* The text in quotes as a JSON value, or null. */
void xds_json_share(struct xds_out *out, struct xds_share share);

/* The section "priorities", where there is anything to tell, and the JSON list. */
void xds_print_priorities_text(struct xds_out *out, const struct xds_decision *d);
void xds_print_priorities_json(struct xds_out *out, const struct xds_decision *d);
/* The sections "ring" of the page; every endpoint when `all` is set. */
void xds_print_rings_text(struct xds_out *out, const struct xds_decision *d, bool all);
/* The value of "rings": a list, or null when it was not requested. */
void xds_print_rings_json(struct xds_out *out, const struct xds_decision *d);

/* All sections of the page; the decision as one JSON object. */
void xds_print_decision_sections(struct xds_out *out, const struct xds_decision *d);
void xds_json_decision(struct xds_out *out, const struct xds_decision *d);

/* Sections after the page; nothing when nothing was asked. */
void xds_print_observed_text(struct xds_out *out, const struct xds_decision *d);
/* The keys "observed" and "why_not". */
void xds_print_observed_json(struct xds_out *out, const struct xds_decision *d);

/* The sections on virtual host and routes; in JSON the keys "virtual_host", and "routes"
 * and "route". */
void xds_print_approach_text(struct xds_out *out, const struct xds_decision *d);
void xds_json_virtual_host(struct xds_out *out, const struct xds_decision *d);
void xds_json_routes(struct xds_out *out, const struct xds_decision *d);

/* The section "connection", where there is anything to tell or all is asked for, and the
 * key "security", which is there under the same conditions. */
void xds_print_security_text(struct xds_out *out, const struct xds_decision *d);
void xds_json_security(struct xds_out *out, const struct xds_decision *d);

/* What becomes of the RPC. */
void xds_text_answer(struct xds_out *out, const struct xds_decision *d);

/* Writes something about a decision. */
typedef void (*xds_section_fn)(struct xds_out *out, const struct xds_decision *d);

/* The method config as one JSON value; null when there is none. */
void xds_json_method_config(struct xds_out *out, const struct xds_decision *d);

/* "weighted cluster", "route" ... */
const char *xds_config_level_words(enum xds_config_level level);
/* region/zone/sub_zone without what is not set; false when nothing is. */
bool xds_out_locality(struct xds_out *out, xds_put_fn *put, const struct xds_locality *l);
/* The key "locality"; null without one. */
void xds_json_locality(struct xds_out *out, const struct xds_locality *l);

/* As a section of a page. */
void xds_decision_svg(struct xds_out *page, struct xds_arena *arena,
                      const struct xds_decision *d);

/* What cannot be computed is null in JSON. */
static inline double xds_json_probability(double probability)
{
    return probability == XDS_NOT_COMPUTABLE ? (double)NAN : probability;
}

#endif
