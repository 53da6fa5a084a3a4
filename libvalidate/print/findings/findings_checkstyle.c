/*
 * findings_checkstyle.c - findings in the XML of Checkstyle, which many CI systems read.
 */
#include "print/findings/findings.h"
#include "print/write/markup.h"

/* Where there are no lines, what it is about. */
static void put_message(struct xds_out *out, const struct xds_report *report,
                        const struct xds_finding *finding)
{
    const struct xds_resource_result *resource = xds_finding_resource(report, finding);

    if (!resource || !xds_report_is_answer(report, finding->at.file)) {
        xds_xml_attribute(out, "message", finding->message);
        return;
    }
    const struct xds_slice version = xds_version_of(resource);
    const struct xds_slice path = finding->path;

    xds_xml_in_attribute(out, " message=\"%.*s &quot;%.*s&quot;%s%.*s%s%s%.*s: %.*s\"",
                         XDS_FMT(xds_type_short(resource->type)), XDS_FMT(resource->name),
                         version.len > 0 ? " (version " : "", XDS_FMT(version),
                         version.len > 0 ? ")" : "", path.len > 0 ? ", " : "",
                         XDS_FMT(path), XDS_FMT(finding->message));
}

enum xds_status xds_print_findings_checkstyle(const struct xds_printer *to,
                                              const struct xds_report *report)
{
    struct xds_out out;

    xds_out_init(&out, to);
    xds_out_line(&out, "<?xml version=\"1.0\" encoding=\"UTF-8\"?>");
    xds_out_line(&out, "<checkstyle version=\"4.3\">");

    const size_t n = xds_report_findings(report);

    for (size_t i = 0; i < n && !out.failed;) {
        const uint32_t file = xds_report_finding(report, i)->at.file;

        xds_out_text(&out, "  <file");
        xds_xml_attribute(&out, "name", xds_report_file(report, file));
        xds_out_line(&out, ">");
        for (; i < n && xds_report_finding(report, i)->at.file == file; i++) {
            const struct xds_finding *finding = xds_report_finding(report, i);
            static const char *const severities[] = {
                [XDS_LEVEL_NOTE] = "info",
                [XDS_LEVEL_WARNING] = "warning",
                [XDS_LEVEL_ERROR] = "error",
            };
            const struct xds_place at = xds_place_or_start(finding->at);

            xds_out_text(&out, "    <error");
            if (!xds_report_is_answer(report, file))
                xds_xml_format(&out, " line=\"%u\" column=\"%u\"", at.line, at.column);
            xds_xml_format(&out, " severity=\"%s\"", severities[finding->level]);
            put_message(&out, report, finding);
            xds_xml_attribute(&out, "source", xds_slice_of(finding->rule->slug));
            xds_out_line(&out, "/>");
        }
        xds_out_line(&out, "  </file>");
    }
    xds_out_line(&out, "</checkstyle>");
    return xds_out_finish(&out);
}
