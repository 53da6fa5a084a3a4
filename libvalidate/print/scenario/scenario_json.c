/* scenario_json.c - scenarios as one JSON document, written while they are played. */
#include "print/findings/findings.h"
#include "print/write/json.h"
#include "scenario/scenario.h"

static void member(struct xds_out *out, const char *key, const struct xds_tree *value)
{
    xds_json_key(out, key);
    if (value)
        xds_json_tree(out, value);
    else
        xds_json_null(out);
}

static void print_step(struct xds_out *out, const struct xds_played *step)
{
    xds_json_begin_row(out);
    xds_json_key_string(out, "at", step->at);
    member(out, "event", step->event);
    member(out, "result", step->result);
    xds_json_key_array(out, "mismatches");
    for (size_t i = 0; i < step->mismatches.n; i++) {
        const struct xds_mismatch *mismatch = &step->mismatches.list[i];

        xds_json_begin_object(out);
        xds_json_key_string(out, "path", mismatch->path);
        member(out, "want", mismatch->want);
        member(out, "got", mismatch->got);
        xds_json_end_object(out);
    }
    xds_json_end_array(out);
    xds_json_end_object(out);
}

static void print_end(struct xds_out *out, const struct xds_entry *entry)
{
    const size_t n = xds_report_findings(entry->report);

    xds_json_end_array(out);
    if (n > 0) {
        xds_json_key_array(out, "findings");
        for (size_t i = 0; i < n; i++)
            xds_json_brief_finding(out, entry->report,
                                   xds_report_finding(entry->report, i));
        xds_json_end_array(out);
    }
    xds_json_key_bool(out, "ok", entry->ok);
    xds_json_end_object(out);
}

enum xds_status xds_print_simulation_json(const struct xds_printer *to,
                                          struct xds_simulation *simulation)
{
    enum xds_status status;
    struct xds_entry entry;
    struct xds_out out;

    xds_out_init(&out, to);
    xds_json_begin_document(&out);
    xds_json_key_array(&out, "scenarios");
    while ((status = xds_simulation_next(simulation, false, XDS_WRITE_JSON, &entry)) ==
               XDS_OK &&
           !out.failed) {
        switch (entry.kind) {
        case XDS_ENTRY_BEGIN:
            xds_json_begin_row(&out);
            xds_json_members(&out, "scenario: %.*s, subject: %.*s, client: %s",
                             XDS_FMT(entry.name), XDS_FMT_OR_NULL(entry.subject),
                             entry.as.text);
            xds_json_key_array(&out, "steps");
            break;
        case XDS_ENTRY_STEP:
            print_step(&out, entry.step);
            break;
        case XDS_ENTRY_END:
            print_end(&out, &entry);
            break;
        }
    }
    xds_json_end_array(&out);
    xds_json_end_document(&out);
    const enum xds_status written = xds_out_finish(&out);

    return status == XDS_END || status == XDS_OK ? written : status;
}
