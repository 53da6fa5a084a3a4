/*
 * nack.h - the text that C-core puts into its NACK.
 *
 * Takes:  a report; hidden findings count, as C-core rejects whether we report or not.
 * Gives:  the text of one resource after the other, streamed as a JSON string.
 * Source: spec listener 0.3, spec cluster 0.3.
 */
#ifndef XDS_PRINT_NACK_H
#define XDS_PRINT_NACK_H

#include "print/findings.h"

/* What C-core rejects, by resource, path and message. */
struct xds_nacks {
    const struct xds_report *report;
    const struct xds_finding **list;
    size_t n, next;
};

/* Must run under a guard of arena. */
void xds_nacks_init(struct xds_nacks *nacks, struct xds_arena *arena,
                    const struct xds_report *report);
/* The text of this resource as a JSON string, null when C-core accepts. Resources are
 * asked for in ascending order. */
void xds_nacks_write(struct xds_nacks *nacks, struct xds_out *out, uint32_t resource);

#endif
