/* report_text.c - what came of a suite, for people. */
#include "print/findings.h"
#include "suite/report.h"

#include <string.h>

static const char margin[] = "        ";

/* ---- cases ---- */

static void print_mismatch(struct xds_out *out, struct xds_slice file,
                           const struct xds_suite_mismatch *m)
{
    xds_out_line(out, "        %.*s:%u:%u: %.*s", XDS_FMT(file), m->line, m->column,
                 XDS_FMT(m->text));
}

/* The answer of explain as it is, moved to the right. */
static void print_explanation(struct xds_out *out, struct xds_slice text)
{
    struct xds_slice line;

    while (text.len > 0) {
        text = xds_slice_cut(text, '\n', &line);
        if (line.len > 0)
            xds_out_text(out, margin);
        xds_out_raw(out, line);
        xds_out_char(out, '\n');
    }
}

static void print_ending(struct xds_out *out, const struct xds_suite_case *c)
{
    if (!c->ending.data)
        return;
    xds_out_line(out, "        the RPC ends: %.*s", XDS_FMT(c->ending));
}

static void print_case(struct xds_out *out, const struct xds_suite_file *file,
                       const struct xds_suite_case *c)
{
    xds_out_text(out, "  ");
    xds_out_styled(out, c->ok ? XDS_STYLE_GREEN : XDS_STYLE_RED, c->ok ? "ok" : "FAIL");
    xds_out_line(out, "%s%.*s", c->ok ? "    " : "  ", XDS_FMT(c->name));
    for (size_t i = 0; i < c->n_mismatches; i++)
        print_mismatch(out, file->name, &c->mismatches[i]);
    if (c->n_more_mismatches) {
        xds_out_text(out, margin);
        xds_out_more_mismatches(out, c);
    }
    print_ending(out, c);
    print_explanation(out, c->explanation);
}

/* ---- files ---- */

static const char *verb_of(const struct xds_suite_rejected *r)
{
    const bool several = r->clients & (r->clients - 1);

    if (!r->dying)
        return several ? " reject " : " rejects ";
    if (r->dying != r->clients)
        return " reject or crash of ";
    return several ? " crash of " : " crashes of ";
}

static void print_clients(struct xds_out *out, const struct xds_suite_rejected *r)
{
    const char *comma = "";

    for (enum xds_client c = 0; c < XDS_CLIENTS; c++)
        if (r->clients & XDS_CLIENT_BIT(c)) {
            const struct xds_client_release who = {c, r->release};

            xds_out_format(out, "%s%s", comma, xds_client_label(who).text);
            comma = ", ";
        }
}

static void print_rejected(struct xds_out *out, const struct xds_suite_rejected *r)
{
    xds_out_text(out, "  note: ");
    if (r->clients) {
        print_clients(out, r);
        xds_out_format(out, "%s%.*s \"%.*s\": ", verb_of(r),
                       XDS_FMT(xds_type_short(r->type)), XDS_FMT(r->name));
    } else {
        xds_out_text(out, "the snapshot cannot be read completely: ");
    }
    xds_out_line(out, "%.*s:%u:%u: %.*s [%.*s]", XDS_FMT(r->file), r->line, r->column,
                 XDS_FMT(r->message), XDS_FMT(r->rule));
}

static void print_file(struct xds_out *out, const struct xds_suite_file *file,
                       const struct xds_suite_view *view)
{
    if (view->only_failures && file->n_failed == 0)
        return;
    xds_out_clean(out, file->name);
    if (file->snapshot.data) {
        xds_out_format(out, ": %.*s, client %.*s", XDS_FMT(file->snapshot),
                       XDS_FMT(file->client));
    }
    xds_out_char(out, '\n');
    if (file->unread.data) {
        xds_out_line(out, "  not run: %.*s: %s", XDS_FMT(file->unread),
                     strerror(file->error));
    }
    for (size_t i = 0; i < file->n_rejected && !out->to->quiet; i++)
        print_rejected(out, &file->rejected[i]);
    for (size_t i = 0; i < file->n_cases; i++)
        if (!view->only_failures || !file->cases[i].ok)
            print_case(out, file, &file->cases[i]);
}

/* ---- the whole ---- */

/* Findings have a writer of their own. */
static enum xds_status print_faults(struct xds_out *out,
                                    const struct xds_suite_results *results)
{
    struct xds_printer to = *out->to;
    enum xds_status status;

    if (results->n_faults == 0)
        return XDS_OK;
    to.quiet = true; /* their summary counts resources */
    status = xds_out_finish(out);
    if (status == XDS_OK)
        status = xds_print_findings_text(&to, results->faults);
    xds_out_init(out, out->to);
    return status;
}

enum xds_status xds_print_suite_text(const struct xds_printer *to,
                                     const struct xds_suite_results *results,
                                     const struct xds_suite_view *view)
{
    struct xds_out out;

    xds_out_init(&out, to);
    for (size_t i = 0; i < results->n_files; i++)
        print_file(&out, &results->files[i], view);
    const enum xds_status status = print_faults(&out, results);

    if (view->coverage)
        xds_text_coverage(&out, results, view);
    if (!to->quiet) {
        xds_out_cases(&out, results);
        xds_out_char(&out, '\n');
    }
    const enum xds_status written = xds_out_finish(&out);

    return status == XDS_OK ? written : status;
}
