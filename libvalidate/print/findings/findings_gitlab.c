/*
 * findings_gitlab.c - findings as GitLab's report of code quality, which it shows in
 * merge requests.
 *
 * Source: GitLab, "Code Quality", "Code Quality report format".
 */
#include "print/findings/findings.h"
#include "print/write/json.h"

struct job {
    const struct xds_report *report;
    struct xds_arena arena;
    struct xds_out out;
    struct xds_strmap fingerprints;
};

/* GitLab has more words than there are levels: the highest one is for what a client dies
 * of. */
static const char *severity_of(const struct xds_finding *finding)
{
    static const char *const severities[] = {
        [XDS_LEVEL_NOTE] = "info",
        [XDS_LEVEL_WARNING] = "minor",
        [XDS_LEVEL_ERROR] = "major",
    };

    for (size_t c = 0; c < XDS_CLIENTS; c++)
        if (finding->verdict[c] == XDS_CRASH && finding->level == XDS_LEVEL_ERROR)
            return "critical";
    return severities[finding->level];
}

static void put_finding(struct job *job, const struct xds_finding *finding)
{
    const struct xds_place at = xds_place_or_start(finding->at);
    struct xds_out *out = &job->out;

    xds_json_begin_row(out);
    xds_json_members(out, "type: %s, check_name: %s, severity: %s", "issue",
                     finding->rule->slug, severity_of(finding));
    xds_json_key_message(out, "description", job->report, finding);
    xds_json_key_text(out, "fingerprint",
                      xds_fingerprint(&job->fingerprints, job->report, finding).text);
    xds_json_key_object(out, "location");
    xds_json_members(out, "path: %.*s",
                     XDS_FMT(xds_file_from_root(xds_report_file(job->report, at.file))));
    xds_json_key(out, "lines");
    xds_json_object(out, "begin: %u, end: %u", at.line,
                    at.end_line > at.line ? at.end_line : at.line);
    xds_json_end_object(out);
    xds_json_end_object(out);
}

static void put_document(void *arg)
{
    struct job *job = arg;

    xds_strmap_init(&job->fingerprints, &job->arena);
    xds_json_begin_array(&job->out);
    for (size_t i = 0; i < xds_report_findings(job->report) && !job->out.failed; i++)
        put_finding(job, xds_report_finding(job->report, i));
    xds_json_end_array(&job->out);
    xds_out_char(&job->out, '\n');
}

enum xds_status xds_print_findings_gitlab(const struct xds_printer *to,
                                          const struct xds_report *report)
{
    struct job job = {.report = report};

    return xds_out_run(&job.out, &job.arena, to, put_document, &job);
}
