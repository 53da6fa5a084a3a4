/* baseline_json.c - the findings of a report as a baseline. */
#include "baseline/baseline.h"
#include "print/write/json.h"

struct job {
    const struct xds_report *report;
    struct xds_arena arena;
    struct xds_out out;
};

static void write_member(struct xds_out *out, const char *key, struct xds_slice text)
{
    xds_json_key_string(out, key, text);
}

static void write_baseline(void *arg)
{
    struct job *job = arg;
    struct xds_out *out = &job->out;
    const struct xds_baseline baseline = xds_baseline_of(job->report, &job->arena);

    xds_json_begin_document(out);
    xds_json_key_array(xds_json_line(out), "findings");
    for (size_t i = 0; i < baseline.n && !out->failed; i++) {
        const struct xds_baseline_entry *entry = &baseline.entries[i];

        xds_json_begin_row(out);
        write_member(out, "rule", entry->rule);
        if (entry->shared.len > 0) {
            write_member(out, "shared", entry->shared);
        } else {
            write_member(out, "type", entry->type);
            write_member(out, "name", entry->name);
            write_member(out, "path", entry->path);
        }
        xds_json_key_u64(out, "count", entry->count);
        xds_json_end_object(out);
    }
    xds_json_end_array(out);
    xds_json_end_document(out);
}

enum xds_status xds_print_baseline(const struct xds_printer *to,
                                   const struct xds_report *report)
{
    struct job job = {.report = report};

    return xds_out_run(&job.out, &job.arena, to, write_baseline, &job);
}
