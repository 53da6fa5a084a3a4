/* nack.h - what C-core logs. */
#ifndef XDS_PRINT_FINDINGS_NACK_H
#define XDS_PRINT_FINDINGS_NACK_H

#include "print/write/out.h"
#include "report/report.h"

/* The text that C-core puts into its NACK.
 * Takes:  a report; hidden findings count, as C-core rejects whether we report or not.
 * Gives:  the text of a resource, and the message of the response that holds it.
 * Source: spec listener 0.3, G1 to G8; spec cluster 0.3, 0.4. */

/* What C-core rejects, by resource and path, in order of discovery. Syntax is not among
 * it: what is no xDS never gets to a client. */
struct xds_nacks {
    const struct xds_report *report;
    const struct xds_finding **list;
    size_t n;
};

/* The part of the list that is about one resource. */
struct xds_nack {
    const struct xds_resource_result *resource;
    const struct xds_finding *const *at;
    size_t n; /* 0: C-core accepts */
};

/* Must run under a guard of arena. */
void xds_nacks_init(struct xds_nacks *nacks, struct xds_arena *arena,
                    const struct xds_report *report);
struct xds_nack xds_nack_of(const struct xds_nacks *nacks, uint32_t resource);

/* The text of the resource as a JSON string, null when C-core accepts. */
void xds_json_nack(struct xds_out *out, struct xds_nack nack);
/* "xDS response validation errors: [resource index 0: NAME: INVALID_ARGUMENT: ...]", of
 * a response in which nothing else is wrong. Not for an empty nack. */
void xds_out_nack(struct xds_out *out, struct xds_nack nack);
/* What is between the brackets, byte by byte as C-core sends it; or the text of the
 * resource alone. */
void xds_out_nack_part(struct xds_out *out, struct xds_nack nack, bool in_response);

#endif
