/*
 * findings_github.c - findings as commands that GitHub Actions shows beside the lines.
 *
 * Source: "Workflow commands for GitHub Actions"; columns only count within one line.
 */
#include "print/findings/findings.h"

/* property: between the commas, where ':' and ',' have a meaning too. */
static const char *escape_of(char c, bool property)
{
    switch (c) {
    case '%':
        return "%25";
    case '\r':
        return "%0D";
    case '\n':
        return "%0A";
    case ':':
        return property ? "%3A" : NULL;
    case ',':
        return property ? "%2C" : NULL;
    default: /* all other characters of an open set */
        return NULL;
    }
}

static void put(struct xds_out *out, struct xds_slice text, bool property)
{
    size_t from = 0;

    for (size_t i = 0; i < text.len; i++) {
        const char *escape = escape_of(text.data[i], property);

        if (!escape)
            continue;
        xds_out_format(out, "%.*s%s", XDS_FMT(xds_slice_make(text.data + from, i - from)),
                       escape);
        from = i + 1;
    }
    xds_out_clean(out, xds_slice_from(text, from));
}

static void put_details(struct xds_out *out, const struct xds_report *report,
                        const struct xds_finding *finding)
{
    const struct xds_resource_result *resource = xds_finding_resource(report, finding);

    if (!resource)
        return;
    const struct xds_slice version = xds_version_of(resource);

    xds_out_text(out, "%0A");
    put(out, xds_type_short(resource->type), false);
    xds_out_text(out, " \"");
    put(out, resource->name, false);
    xds_out_char(out, '"');
    if (version.len > 0) {
        xds_out_text(out, " (version ");
        put(out, version, false);
        xds_out_char(out, ')');
    }
    if (finding->path.len > 0) {
        xds_out_text(out, ", ");
        put(out, finding->path, false);
    }
    if (finding->rule->effect != XDS_EFFECT_HYGIENE) {
        xds_out_text(out, "%0A");
        xds_out_verdicts(out, report, finding);
    }
}

/* What a server has sent is in no file that GitHub could show. */
static void put_place(struct xds_out *out, const struct xds_report *report,
                      struct xds_place at)
{
    if (xds_report_is_answer(report, at.file))
        return;
    xds_out_text(out, "file=");
    put(out, xds_file_from_root(xds_report_file(report, at.file)), true);
    /* The last column is part of the mark here, elsewhere it is one past the end. */
    xds_out_format(out, ",line=%u", at.line);
    if (at.end_line != at.line)
        xds_out_format(out, ",endLine=%u", at.end_line);
    else
        xds_out_format(out, ",col=%u,endLine=%u,endColumn=%u", at.column, at.end_line,
                       at.end_column > at.column ? at.end_column - 1 : at.column);
    xds_out_char(out, ',');
}

enum xds_status xds_print_findings_github(const struct xds_printer *to,
                                          const struct xds_report *report)
{
    struct xds_out out;

    xds_out_init(&out, to);
    for (size_t i = 0; i < xds_report_findings(report) && !out.failed; i++) {
        const struct xds_finding *finding = xds_report_finding(report, i);
        static const char *const commands[] = {
            [XDS_LEVEL_NOTE] = "::notice ",
            [XDS_LEVEL_WARNING] = "::warning ",
            [XDS_LEVEL_ERROR] = "::error ",
        };
        const struct xds_place at = xds_place_or_start(finding->at);

        xds_out_text(&out, commands[finding->level]);
        put_place(&out, report, at);
        xds_out_format(&out, "title=%s::", finding->rule->slug);
        if (xds_report_is_answer(report, at.file)) {
            put(&out, xds_report_file(report, at.file), false);
            xds_out_text(&out, ": ");
        }
        put(&out, finding->message, false);
        put_details(&out, report, finding);
        xds_out_char(&out, '\n');
    }
    return xds_out_finish(&out);
}
