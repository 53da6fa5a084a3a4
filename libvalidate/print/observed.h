/* observed.h - what a decision says about one address that was asked for. */
#ifndef XDS_PRINT_OBSERVED_H
#define XDS_PRINT_OBSERVED_H

#include "explain/decision.h"
#include "print/out.h"

/* "weight", "fraction" ... */
const char *xds_cause_kind_name(enum xds_cause_kind kind);
/* Sections after the page; nothing when nothing was asked. */
void xds_print_observed_text(struct xds_out *out, const struct xds_decision *d);
/* The keys "observed" and "why_not". */
void xds_print_observed_json(struct xds_out *out, const struct xds_decision *d);

#endif
