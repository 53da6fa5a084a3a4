/*
 * suite_tap.c - what came of a suite, in the Test Anything Protocol.
 *
 * A case is a test; what is wrong with a file is a test that failed; coverage is in
 * comments, and below its limit a test that failed.
 * Source: testanything.org, TAP version 13.
 */
#include "print/suite/suite.h"
#include "print/write/json.h"

#include <string.h>

struct tap {
    struct xds_out out;
    size_t n; /* tests so far */
};

/* "#" would begin a directive. */
static void out_name(struct xds_out *out, struct xds_slice name)
{
    struct xds_slice piece;

    while (name.data) {
        name = xds_slice_cut(name, '#', &piece);
        xds_out_clean(out, piece);
        if (name.data)
            xds_out_text(out, "\\#");
    }
}

static void begin_test(struct tap *tap, bool ok, struct xds_slice name)
{
    xds_out_format(&tap->out, "%s%zu - ", ok ? "ok " : "not ok ", ++tap->n);
    out_name(&tap->out, name);
    xds_out_char(&tap->out, '\n');
}

/* What follows a test that failed is YAML, of which JSON's strings are a part. */
static void print_case(struct tap *tap, const struct xds_suite_file *file,
                       const struct xds_suite_case *c)
{
    struct xds_out *out = &tap->out;

    begin_test(tap, c->ok, c->name);
    if (c->ok)
        return;
    const struct xds_client_release who = {c->client, c->release};

    xds_json_parts(out, "  ---\n  file: \"%.*s\"\n  client: \"%s\"\n  mismatches:\n",
                   XDS_FMT(file->name), xds_client_label(who).text);
    for (size_t i = 0; i < c->n_mismatches; i++) {
        const struct xds_suite_mismatch *m = &c->mismatches[i];

        xds_json_parts(out, "    - path: \"%.*s\"\n      want: ", XDS_FMT(m->path));
        xds_out_raw(out, m->want.data ? m->want : XDS_S("null"));
        xds_out_text(out, "\n      got: ");
        xds_out_raw(out, m->got.data ? m->got : XDS_S("null"));
        xds_out_line(out, "\n      line: %u\n      column: %u", m->line, m->column);
    }
    if (c->n_more_mismatches)
        xds_out_line(out, "  more_mismatches: %zu", c->n_more_mismatches);
    if (c->ending.data)
        xds_json_parts(out, "  ending: \"%.*s\"\n", XDS_FMT(c->ending));
    if (c->explanation.data)
        xds_json_parts(out, "  explanation: \"%.*s\"\n", XDS_FMT(c->explanation));
    xds_out_line(out, "  ...");
}

static void print_file(struct tap *tap, const struct xds_suite_file *file)
{
    struct xds_out *out = &tap->out;

    xds_out_line(out, "# %.*s", XDS_FMT(file->name));
    for (size_t i = 0; i < file->n_cases; i++)
        print_case(tap, file, &file->cases[i]);
    if (!file->unread.data)
        return;
    begin_test(tap, false, file->unread);
    xds_json_parts(out, "  ---\n  message: \"%.*s\"\n  ...\n", XDS_FMT(file->why));
}

static size_t count_tests(const struct xds_suite_results *results,
                          const struct xds_suite_view *view)
{
    size_t n = results->cases + results->n_faults + view->has_limit;

    for (size_t i = 0; i < results->n_files; i++)
        n += results->files[i].unread.data != NULL;
    return n;
}

enum xds_status xds_print_suite_tap(const struct xds_printer *to,
                                    const struct xds_suite_results *results,
                                    const struct xds_suite_view *view)
{
    struct tap tap = {.n = 0};
    struct xds_out *out = &tap.out;

    xds_out_init(out, to);
    xds_out_line(out, "TAP version 13");
    xds_out_line(out, "1..%zu", count_tests(results, view));
    for (size_t i = 0; i < results->n_files; i++)
        print_file(&tap, &results->files[i]);
    for (size_t i = 0; i < results->n_faults; i++) {
        const struct xds_finding *finding = xds_report_finding(results->faults, i);

        begin_test(&tap, false, xds_report_file(results->faults, finding->at.file));
        xds_json_parts(out,
                       "  ---\n  message: \"%.*s\"\n  rule: \"%s\"\n  line: %u\n"
                       "  column: %u\n  ...\n",
                       XDS_FMT(finding->message), finding->rule->slug, finding->at.line,
                       finding->at.column);
    }
    if (view->coverage) {
        xds_out_text(out, "# coverage: ");
        xds_out_covered(out, results);
        xds_out_char(out, '\n');
        if (view->has_limit)
            begin_test(&tap, !xds_suite_under_limit(results, view),
                       XDS_S("coverage is not under its limit"));
    }
    return xds_out_finish(out);
}
