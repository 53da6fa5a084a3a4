/* baseline_json.c - the findings of a report as a baseline. */
#include "baseline/baseline.h"
#include "print/write/json.h"

static void write_member(struct xds_out *out, const char *key, struct xds_slice text)
{
    xds_json_key_string(out, key, text);
}

static void write_baseline(void *arg)
{
    struct xds_answer *answer = arg;
    struct xds_out *out = &answer->out;
    const struct xds_baseline baseline = xds_baseline_of(answer->of, &answer->arena);

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
    return xds_answer_write(to, write_baseline, report);
}
