/* report_json.c - what came of a suite, as one JSON document. */
#include "print/findings.h"
#include "print/json_member.h"
#include "suite/report.h"

#include <string.h>

static void write_place(struct xds_out *out, uint32_t line, uint32_t column)
{
    xds_json_members(out, "line: %u, column: %u", line, column);
}

/* A value that is JSON already. */
static void key_value(struct xds_out *out, const char *key, struct xds_slice json)
{
    xds_json_key(out, key);
    if (json.data)
        xds_json_value(out, json);
    else
        xds_json_null(out);
}

/* ---- cases ---- */

static void write_mismatch(struct xds_out *out, const struct xds_suite_mismatch *m)
{
    xds_json_line(out);
    xds_json_begin_object(out);
    xds_json_key_string_or_null(out, "path", m->path);
    key_value(out, "want", m->want);
    key_value(out, "got", m->got);
    xds_json_key_bool(out, "exists", m->exists);
    write_place(out, m->line, m->column);
    xds_json_end_object(out);
}

static void write_client(struct xds_out *out, enum xds_client client,
                         struct xds_release release)
{
    const struct xds_client_release who = {client, release};

    xds_json_key_string_or_null(out, "client", xds_slice_of(xds_client_label(who).text));
}

static void write_case(struct xds_out *out, const struct xds_suite_case *c)
{
    xds_json_line(out);
    xds_json_begin_object(out);
    xds_json_key_string_or_null(out, "name", c->name);
    write_client(out, c->client, c->release);
    xds_json_key_bool(out, "ok", c->ok);
    write_place(out, c->line, c->column);
    xds_json_key_array(out, "mismatches");
    for (size_t i = 0; i < c->n_mismatches; i++)
        write_mismatch(out, &c->mismatches[i]);
    xds_json_end_array(out);
    xds_json_members(out, "more_mismatches: %zu, ending: %.*s, explanation: %.*s",
                     c->n_more_mismatches, XDS_FMT_OR_NULL(c->ending),
                     XDS_FMT_OR_NULL(c->explanation));
    xds_json_end_object(out);
}

/* ---- files ---- */

static void write_clients(struct xds_out *out, const struct xds_suite_rejected *r)
{
    xds_json_key_array(out, "clients");
    for (enum xds_client c = 0; c < XDS_CLIENTS; c++)
        if (r->clients & XDS_CLIENT_BIT(c)) {
            const struct xds_client_release who = {c, r->release};

            xds_json_text(out, xds_client_label(who).text);
        }
    xds_json_end_array(out);
}

static void write_rejected(struct xds_out *out, const struct xds_suite_rejected *r)
{
    xds_json_line(out);
    xds_json_begin_object(out);
    xds_json_members(out, "type: %.*s, name: %.*s", XDS_FMT_OR_NULL(r->type),
                     XDS_FMT_OR_NULL(r->name));
    write_clients(out, r);
    xds_json_members(out, "rule: %.*s, message: %.*s, file: %.*s",
                     XDS_FMT_OR_NULL(r->rule), XDS_FMT_OR_NULL(r->message),
                     XDS_FMT_OR_NULL(r->file));
    write_place(out, r->line, r->column);
    xds_json_end_object(out);
}

static void write_error(struct xds_out *out, const struct xds_suite_file *file)
{
    if (!xds_json_object_or_null(out, "error", file->unread.data))
        return;
    xds_json_members(out, "path: %.*s, message: %s", XDS_FMT_OR_NULL(file->unread),
                     strerror(file->error));
    xds_json_end_object(out);
}

static void write_file(struct xds_out *out, const struct xds_suite_file *file,
                       const struct xds_suite_view *view)
{
    xds_json_line(out);
    xds_json_begin_object(out);
    xds_json_members(out, "file: %.*s, snapshot: %.*s, client: %.*s",
                     XDS_FMT_OR_NULL(file->name), XDS_FMT_OR_NULL(file->snapshot),
                     XDS_FMT_OR_NULL(file->client));
    write_error(out, file);
    xds_json_key_array(out, "rejected");
    for (size_t i = 0; i < file->n_rejected; i++)
        write_rejected(out, &file->rejected[i]);
    xds_json_end_array(out);
    xds_json_key_array(out, "cases");
    for (size_t i = 0; i < file->n_cases; i++)
        if (!view->only_failures || !file->cases[i].ok)
            write_case(out, &file->cases[i]);
    xds_json_end_array(out);
    xds_json_end_object(out);
}

/* ---- the whole ---- */

static void write_findings(struct xds_out *out, const struct xds_suite_results *results)
{
    xds_json_line(out);
    xds_json_key_array(out, "findings");
    for (size_t i = 0; i < results->n_faults; i++)
        xds_json_brief_finding(out, results->faults,
                               xds_report_finding(results->faults, i));
    xds_json_end_array(out);
}

static void write_summary(struct xds_out *out, const struct xds_suite_results *results)
{
    xds_json_line(out);
    xds_json_key_object(out, "summary");
    xds_json_members(out,
                     "cases: %zu, passed: %zu, failed: %zu, not_run: %zu, findings: %zu",
                     results->cases, results->cases - results->failed, results->failed,
                     results->not_run, results->n_faults);
    xds_json_end_object(out);
}

enum xds_status xds_print_suite_json(const struct xds_printer *to,
                                     const struct xds_suite_results *results,
                                     const struct xds_suite_view *view)
{
    struct xds_out out;

    xds_out_init(&out, to);
    xds_json_begin_document(&out);
    xds_json_tool(&out);
    xds_json_line(&out);
    xds_json_key_array(&out, "files");
    for (size_t i = 0; i < results->n_files; i++)
        write_file(&out, &results->files[i], view);
    xds_json_end_array(&out);
    write_findings(&out, results);
    xds_json_coverage(&out, results, view);
    write_summary(&out, results);
    xds_json_end_document(&out);
    return xds_out_finish(&out);
}
