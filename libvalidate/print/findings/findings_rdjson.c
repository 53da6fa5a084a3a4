/*
 * findings_rdjson.c - findings as reviewdog reads them, which comments on pull requests
 * of many hosts.
 *
 * Source: reviewdog, proto/rdf/reviewdog.proto. Its columns count bytes, ours characters:
 *         they are left out where the line cannot be read once more.
 */
#include "print/findings/findings.h"
#include "print/write/json.h"

struct job {
    const struct xds_report *report;
    struct xds_out out;
    struct xds_place at;   /* whose line was read last; line 0: none was */
    struct xds_slice text; /* of that line, up to XDS_LINE_PART bytes; absent: unknown */
};

/* The line that a place is in. */
static struct xds_slice line_of(struct job *job, struct xds_place at)
{
    const struct xds_printer *to = job->out.to;

    if (job->at.line == at.line && job->at.file == at.file)
        return job->text;
    job->at = at;
    if (!to->line || !to->line(to->line_user, xds_report_file(job->report, at.file),
                               at.line, 1, &job->text))
        job->text = xds_slice_make(NULL, 0);
    return job->text;
}

/* The byte that character number `column` begins with, counted from 1; 0: not known. */
static size_t byte_column(struct xds_slice line, uint32_t column)
{
    size_t at = 0;

    if (!line.data)
        return 0;
    for (; column > 1 && at < line.len; column--)
        do
            at++;
        while (at < line.len && ((unsigned char)line.data[at] & 0xc0) == 0x80);
    return column == 1 && at < XDS_LINE_PART ? at + 1 : 0;
}

static void put_position(struct xds_out *out, const char *key, uint32_t line,
                         size_t column)
{
    xds_json_key_object(out, key);
    xds_json_members(out, "line: %u", line);
    if (column > 0)
        xds_json_members(out, "column: %zu", column);
    xds_json_end_object(out);
}

/* line: what the columns are counted in; absent: the place is whole lines. */
static void put_location(struct job *job, struct xds_place at, struct xds_slice line)
{
    const size_t column = byte_column(line, at.column);
    const size_t end = column > 0 ? byte_column(line, at.end_column) : 0;
    struct xds_out *out = &job->out;

    xds_json_key_object(out, "location");
    xds_json_members(out, "path: %.*s",
                     XDS_FMT(xds_file_from_root(xds_report_file(job->report, at.file))));
    if (!xds_report_is_answer(job->report, at.file)) {
        xds_json_key_object(out, "range");
        put_position(out, "start", at.line, column);
        if (end > column || at.end_line > at.line)
            put_position(out, "end", at.end_line, end);
        xds_json_end_object(out);
    }
    xds_json_end_object(out);
}

static void put_code(struct xds_out *out, const struct xds_rule *rule)
{
    const struct xds_rule_url url = xds_rule_url(rule);

    xds_json_key_object(out, "code");
    xds_json_key_text(out, "value", rule->slug);
    if (*url.text != '\0')
        xds_json_key_text(out, "url", url.text);
    xds_json_end_object(out);
}

/* As whole lines: they may be anywhere, and the input is read forward only. */
static void put_related(struct job *job, const struct xds_related *related)
{
    struct xds_out *out = &job->out;

    if (!related)
        return;
    xds_json_key_array(out, "related_locations");
    xds_json_begin_object(out);
    xds_json_key_string(out, "message", related->message);
    put_location(job, xds_place_or_start(related->at), xds_slice_make(NULL, 0));
    xds_json_end_object(out);
    xds_json_end_array(out);
}

static void put_finding(struct job *job, const struct xds_finding *finding)
{
    static const char *const severities[] = {
        [XDS_LEVEL_NOTE] = "INFO",
        [XDS_LEVEL_WARNING] = "WARNING",
        [XDS_LEVEL_ERROR] = "ERROR",
    };
    const struct xds_place at = xds_place_or_start(finding->at);
    struct xds_out *out = &job->out;

    xds_json_begin_row(out);
    xds_json_key_message(out, "message", job->report, finding);
    put_location(job, at,
                 at.end_line > at.line ? xds_slice_make(NULL, 0) : line_of(job, at));
    xds_json_key_text(out, "severity", severities[finding->level]);
    put_code(out, finding->rule);
    put_related(job, finding->related);
    xds_json_end_object(out);
}

enum xds_status xds_print_findings_rdjson(const struct xds_printer *to,
                                          const struct xds_report *report)
{
    struct job job = {.report = report};
    struct xds_out *out = &job.out;

    xds_out_init(out, to);
    xds_json_begin_object(out);
    xds_json_key(out, "source");
    xds_json_object(out, "name: %s", "xdscope");
    xds_json_key_array(out, "diagnostics");
    for (size_t i = 0; i < xds_report_findings(report) && !out->failed; i++)
        put_finding(&job, xds_report_finding(report, i));
    xds_json_end_array(out);
    xds_json_end_object(out);
    xds_out_char(out, '\n');
    return xds_out_finish(out);
}
