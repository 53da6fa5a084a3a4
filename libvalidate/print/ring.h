/* ring.h - printing exact shares, priorities, and the rings of ring_hash. */
#ifndef XDS_PRINT_RING_H
#define XDS_PRINT_RING_H

#include "explain/decision.h"
#include "print/out.h"

/* "num/den"; nothing is written for a share that is no exact fraction. */
void xds_out_fraction(struct xds_out *out, struct xds_share share);
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

#endif
