/*
 * baseline.c - findings that were there before: --baseline and --write-baseline.
 *
 * Fails:  with the place on a file that is no baseline.
 */
#include "cli/lint/lint.h"
#include "cli/files/output.h"

int baseline_apply_text(const struct command *self, const struct lint_settings *settings,
                        struct xds_slice text, struct xds_report *report)
{
    const char *name = settings->baseline;
    struct xds_slice fault;
    struct xds_place at;

    if (!name)
        return EXIT_CLEAN;
    switch (xds_report_apply_baseline(report, name, text, &fault, &at)) {
    case XDS_OK:
        return EXIT_CLEAN;
    case XDS_ERR_USAGE:
        (void)usage_error(self, "%s:%u:%u: %.*s", name, at.line, at.column,
                          (int)fault.len, fault.data);
        (void)tell_kind(self, name, "a baseline");
        return EXIT_USAGE;
    case XDS_END:
    case XDS_ERR_NO_MEMORY:
    case XDS_ERR_IO:
        break;
    }
    return trouble(self, "%s: out of memory", name);
}

int baseline_read(const struct command *self, const struct lint_settings *settings,
                  struct xds_slice *text)
{
    *text = (struct xds_slice){NULL, 0};
    return settings->baseline ? slurp(self, settings->baseline, text) : EXIT_CLEAN;
}

int baseline_apply(const struct command *self, const struct lint_settings *settings,
                   struct xds_report *report)
{
    struct xds_slice text;
    int status = baseline_read(self, settings, &text);

    if (status == EXIT_CLEAN)
        status = baseline_apply_text(self, settings, text, report);
    slurp_free(text);
    return status;
}

int baseline_write(const struct command *self, const struct lint_settings *settings,
                   const struct xds_report *report)
{
    struct common common = settings->input.common;
    struct output out;
    int status;

    common.output = settings->write_baseline;
    status = output_open(&out, self, &common, false);
    if (status != EXIT_CLEAN)
        return status;
    status = output_close(&out, xds_print_baseline(&out.printer, report));
    if (status == EXIT_CLEAN && !common.quiet) {
        /* What is of no resource is in no baseline, nor what cannot be read. */
        const size_t n = xds_report_findings(report);
        size_t known = 0;

        for (size_t i = 0; i < n; i++) {
            const struct xds_finding *finding = xds_report_finding(report, i);

            known += finding->resource != XDS_NO_RESOURCE &&
                     finding->rule->effect != XDS_EFFECT_SYNTAX;
        }
        char left_out[80] = "";

        if (known < n)
            (void)snprintf(left_out, sizeof left_out,
                           "; left out, as no resource that could be read has them: %zu",
                           n - known);
        put_remark(stderr, "%s: %zu finding%s%s", settings->write_baseline, known,
                   known == 1 ? "" : "s", left_out);
    }
    return status;
}
