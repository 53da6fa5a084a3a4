/* forms_harness.h - one resource in every format, and what is said of it. */
#ifndef XDS_FUZZ_FORMS_HARNESS_H
#define XDS_FUZZ_FORMS_HARNESS_H

#include "report/report.h"
#include "fuzz/memory.h"

#define XDS_FORMATS (XDS_FORMAT_TEXT_PROTO + 1)

/* File names whose endings tell the formats. */
extern const char *const xds_forms_names[XDS_FORMATS];

/* A report on all clients that lets unknown fields pass. */
struct xds_report *xds_forms_report(void);
/* The resource as a text of its own, to be freed; *lost parts of it no text can say. */
struct xds_memory xds_forms_write(enum xds_format format, const struct xds_resource *in,
                                  size_t *lost);
/* "slug path: message (verdicts)" on a line. */
void xds_forms_say(struct xds_memory *out, const struct xds_finding *finding);
/* What is said of all resources of a text, except of how they are in a response; to be
 * freed. */
struct xds_memory xds_forms_judge(const char *name, struct xds_slice text);

#endif
