/*
 * findings_text.c - findings for people; with verbose, after the last one of a resource,
 * what C-core would log.
 */
#include "catalogue/rule.h"
#include "catalogue/spec.h"
#include "print/inner.h"

struct job {
    const struct xds_report *report;
    bool seen[XDS_RULES]; /* rules that a finding was printed of */
    struct xds_arena arena;
    struct xds_out out;
};

static void print_resource(struct xds_out *out, const struct xds_report *report,
                           const struct xds_resource_result *resource,
                           const struct xds_finding *finding)
{
    const struct xds_slice type = xds_type_short(resource->type);

    xds_out_format(out, "    %.*s", XDS_FMT(type.len > 0 ? type : XDS_S("resource")));
    if (resource->name.len > 0)
        xds_out_format(out, " \"%.*s\"", XDS_FMT(resource->name));
    if (finding->rule->effect != XDS_EFFECT_HYGIENE) {
        xds_out_text(out, ": ");
        xds_out_verdicts(out, report, finding);
    }
    xds_out_char(out, '\n');
}

static void print_see(struct xds_out *out, const struct xds_rule *rule)
{
    const struct xds_grfc *grfc = xds_grfc_of(rule->source);

    if (out->to->verbose)
        xds_out_line(out, "    %s", rule->text);
    xds_out_line(out, "    see: xdscope rule %s%s%s", rule->slug, grfc ? ", " : "",
                 grfc ? grfc->url : "");
}

static bool is_first(struct job *job, const struct xds_rule *rule)
{
    size_t n;
    bool *seen = &job->seen[rule - xds_rules(&n)];
    const bool first = !*seen;

    *seen = true;
    return first;
}

static void print_finding(struct job *job, const struct xds_finding *finding)
{
    const struct xds_report *report = job->report;
    const struct xds_resource_result *resource = xds_finding_resource(report, finding);
    struct xds_out *out = &job->out;

    xds_out_finding_line(out, report, finding);
    if (finding->path.len > 0)
        xds_out_line(out, "    %.*s", XDS_FMT(finding->path));
    xds_out_excerpt(out, xds_report_file(report, finding->at.file), finding->at);
    if (resource)
        print_resource(out, report, resource, finding);
    if (finding->related)
        xds_out_text(out, "    ");
    xds_out_related_line(out, report, finding);
    if (is_first(job, finding->rule))
        print_see(out, finding->rule);
}

/* ---- C-core's log ---- */

/* For each finding whether it is the last one shown of its resource. */
static const bool *find_last(struct job *job)
{
    bool *is_last = XDS_NEW_ARRAY(&job->arena, bool, job->report->n_findings);
    bool *seen = XDS_NEW_ARRAY(&job->arena, bool, job->report->n_resources);

    for (size_t i = job->report->n_findings; i-- > 0;) {
        const uint32_t resource = job->report->findings[i].resource;

        if (resource == XDS_NO_RESOURCE)
            continue;
        is_last[i] = !seen[resource];
        seen[resource] = true;
    }
    return is_last;
}

static void print_nack(struct xds_out *out, const struct xds_nacks *nacks,
                       uint32_t resource)
{
    const struct xds_nack nack = xds_nack_of(nacks, resource);

    if (nack.n == 0)
        return;
    xds_out_text(out, "    C-core's log: ");
    xds_out_nack(out, nack);
    xds_out_char(out, '\n');
}

static void print_findings_and_nacks(struct job *job)
{
    const struct xds_report *report = job->report;
    const bool *is_last = find_last(job);
    struct xds_nacks nacks;

    xds_nacks_init(&nacks, &job->arena, report);
    for (size_t i = 0; i < report->n_findings && !job->out.failed; i++) {
        print_finding(job, &report->findings[i]);
        if (is_last[i])
            print_nack(&job->out, &nacks, report->findings[i].resource);
    }
}

static void print_findings(struct job *job)
{
    for (size_t i = 0; i < job->report->n_findings && !job->out.failed; i++)
        print_finding(job, &job->report->findings[i]);
}

static void print_all(void *arg)
{
    struct job *job = arg;
    const struct xds_summary sum = xds_report_summary(job->report);

    if (job->out.to->verbose)
        print_findings_and_nacks(job);
    else
        print_findings(job);
    if (!job->out.to->quiet && (job->report->n_findings > 0 || sum.nacked > 0))
        xds_out_summary(&job->out, sum);
}

enum xds_status xds_print_findings_text(const struct xds_printer *to,
                                        const struct xds_report *report)
{
    struct job job = {.report = report};

    return xds_out_run(&job.out, &job.arena, to, print_all, &job);
}

/* Findings have a writer of their own. */
enum xds_status xds_out_findings(struct xds_out *out, const struct xds_report *report)
{
    struct xds_printer to = *out->to;
    enum xds_status status;

    to.quiet = true; /* their summary counts resources */
    status = xds_out_finish(out);
    if (status == XDS_OK)
        status = xds_print_findings_text(&to, report);
    xds_out_init(out, out->to);
    return status;
}
