/* findings_gcc.c - one line per finding, as compilers print them and editors read them.
 */
#include "print/findings/findings.h"

enum xds_status xds_print_findings_gcc(const struct xds_printer *to,
                                       const struct xds_report *report)
{
    const struct xds_printer plain = {.write = to->write, .user = to->user};
    struct xds_out out;

    xds_out_init(&out, &plain);
    for (size_t i = 0; i < xds_report_findings(report) && !out.failed; i++) {
        xds_out_finding_line(&out, report, xds_report_finding(report, i));
        xds_out_related_line(&out, report, xds_report_finding(report, i));
    }
    return xds_out_finish(&out);
}
