/*
 * inspect.h - what every check beyond NACK is handed, and how it reports.
 *
 * Clients accept what is reported here: the text says what the RPCs will see.
 */
#ifndef XDS_LINT_INSPECT_H
#define XDS_LINT_INSPECT_H

#include "base/strmap.h"
#include "catalogue/rule.h"

struct xds_inspection {
    struct xds_report *report;
    struct xds_arena *scratch; /* for the time of one resource, or of the finish */
    uint32_t resource;         /* index in the report */
};

/* Report at a path. False when the report has no room for it: then there is nothing to
 * relate to. */
bool xds_lint_fire(const struct xds_inspection *in, const struct xds_path *at,
                   enum xds_rule_id rule, const char *format, ...) XDS_PRINTF(4, 5);
/* The same as a note, where a finding is expected or likely meant so. */
bool xds_lint_fire_note(const struct xds_inspection *in, const struct xds_path *at,
                        enum xds_rule_id rule, const char *format, ...) XDS_PRINTF(4, 5);
/* Tell in the last finding of another place in the same resource. */
#define xds_lint_relate(in, at, ...)                                                     \
    xds_report_relate((in)->report, (in)->resource, (at), NULL, __VA_ARGS__)
/* ", for core, go" where only these of the selected clients do something; else "". */
struct xds_slice xds_lint_for_some(const struct xds_inspection *in, unsigned clients);
/* The clients that are asked about and in the mask, for a text: "grfc and core"; "every
 * client" if that is all of them. In the scratch memory. */
struct xds_slice xds_lint_who(const struct xds_inspection *in, unsigned clients);

#endif
