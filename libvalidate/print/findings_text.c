/*
 * findings_text.c - findings for people.
 *
 * Takes:  a sorted report.
 * Gives:  each finding with its path, its line, who rejects, where to read more; last
 *         the counts.
 */
#include "print/excerpt.h"
#include "print/findings.h"

static const char margin[] = "    ";

static void print_resource(struct xds_out *out,
                           const struct xds_resource_result *resource,
                           const struct xds_finding *finding)
{
    const struct xds_slice type = xds_type_short(resource->type);

    xds_out_text(out, margin);
    xds_out_clean(out, type.len > 0 ? type : XDS_S("resource"));
    if (resource->name.len > 0) {
        xds_out_text(out, " \"");
        xds_out_clean(out, resource->name);
        xds_out_char(out, '"');
    }
    if (finding->rule->effect != XDS_EFFECT_HYGIENE) {
        xds_out_text(out, ": ");
        xds_out_verdicts(out, finding->verdict);
    }
    xds_out_char(out, '\n');
}

static void print_see(struct xds_out *out, const struct xds_rule *rule)
{
    xds_out_text(out, margin);
    if (out->to->verbose) {
        xds_out_text(out, rule->text);
        xds_out_char(out, '\n');
        xds_out_text(out, margin);
    }
    xds_out_text(out, "see: ");
    if (*rule->source != '\0') {
        xds_out_text(out, rule->source);
        xds_out_text(out, ", ");
    }
    xds_out_text(out, "xdscope rule ");
    xds_out_text(out, rule->slug);
    xds_out_char(out, '\n');
}

static void print_finding(struct xds_out *out, const struct xds_report *report,
                          const struct xds_finding *finding)
{
    const struct xds_resource_result *resource = xds_finding_resource(report, finding);

    xds_out_finding_line(out, report, finding);
    if (finding->path.len > 0) {
        xds_out_text(out, margin);
        xds_out_clean(out, finding->path);
        xds_out_char(out, '\n');
    }
    xds_out_excerpt(out, xds_report_file(report, finding->at.file), finding->at);
    if (resource)
        print_resource(out, resource, finding);
    print_see(out, finding->rule);
}

/* The most important line is the last one. */
static void print_summary(struct xds_out *out, struct xds_summary sum)
{
    xds_out_u64(out, sum.nacked);
    xds_out_text(out, " of ");
    xds_out_count(out, sum.resources, "resource");
    xds_out_text(out, " would be rejected: ");
    xds_out_count(out, sum.errors, "error");
    xds_out_text(out, ", ");
    xds_out_count(out, sum.warnings, "warning");
    xds_out_text(out, ", ");
    xds_out_count(out, sum.notes, "note");
    if (sum.dropped) {
        xds_out_text(out, "; not shown: ");
        xds_out_count(out, sum.dropped, "more finding");
    }
    xds_out_char(out, '\n');
}

enum xds_status xds_print_findings_text(const struct xds_printer *to,
                                        const struct xds_report *report)
{
    const struct xds_summary sum = xds_report_summary(report);
    const size_t n = xds_report_findings(report);
    struct xds_out out;

    xds_out_init(&out, to);
    for (size_t i = 0; i < n && !out.failed; i++)
        print_finding(&out, report, xds_report_finding(report, i));
    if (!to->quiet && (n > 0 || sum.nacked > 0))
        print_summary(&out, sum);
    return xds_out_finish(&out);
}
