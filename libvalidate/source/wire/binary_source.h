/* binary_source.h - the resources of DiscoveryResponses on the wire. */
#ifndef XDS_SOURCE_WIRE_BINARY_SOURCE_H
#define XDS_SOURCE_WIRE_BINARY_SOURCE_H

#include "report/report.h"
#include "source/buffer.h"

struct xds_binary {
    struct xds_buffer *in;
    struct xds_report *report;
    struct xds_arena *texts;     /* for expected */
    enum xds_resource_type type; /* set: the input is one bare resource of this type */
    size_t pos;
    bool done;
    struct xds_slice expected; /* the type URL that counts up to expected_until */
    size_t expected_until;
};

void xds_binary_open(struct xds_binary *binary, struct xds_buffer *in,
                     struct xds_report *report, struct xds_arena *texts,
                     enum xds_resource_type type);
/* The next resource; false at the end. Runs under a guard of report->arena and texts. */
bool xds_binary_next(struct xds_binary *binary, struct xds_resource *out);
/* Settle the type of a resource whose type_url and bytes are those of its Any; out of a
 * Resource wrapper, it becomes the resource inside. */
void xds_binary_unwrap(struct xds_resource *out);

#endif
