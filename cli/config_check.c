/* config_check.c - --check of service-config and lb-config: judge the config in a file.
 */
#include "cli/config.h"
#include "cli/excerpt_output.h"
#include "cli/slurp.h"

typedef enum xds_status (*findings_fn)(const struct xds_printer *to,
                                       const struct xds_report *report);

static const findings_fn formats[] = {[FORMAT_TEXT] = xds_print_findings_text,
                                      [FORMAT_JSON] = xds_print_findings_json,
                                      [FORMAT_DOT] = NULL,
                                      [FORMAT_HTML] = xds_print_findings_html,
                                      [FORMAT_GCC] = xds_print_findings_gcc};

static int print(const struct command *self, const struct config_settings *settings,
                 const struct xds_report *report)
{
    const findings_fn print_all = formats[settings->format];
    struct excerpt_output out;
    const int status = excerpt_output_open(&out, self, &settings->input.common,
                                           settings->format == FORMAT_TEXT);

    if (status != EXIT_CLEAN)
        return status;
    out.to.printer.quiet = true; /* its summary counts resources */
    return excerpt_output_close(&out, print_all(&out.to.printer, report));
}

static void sum_up(const struct config_settings *settings, size_t n)
{
    if (settings->input.common.quiet)
        return;
    if (n == 0)
        (void)fprintf(stderr, "%s: valid\n", settings->check);
    else
        (void)fprintf(stderr, "%s: not valid, %zu error%s\n", settings->check, n,
                      n == 1 ? "" : "s");
}

static int judge(const struct command *self, const struct config_settings *settings,
                 enum xds_client client, struct xds_report *report, struct xds_slice text)
{
    if (xds_check_config(report, client, settings->check, text) != XDS_OK)
        return trouble(self,
                       "%s: out of memory, or over the 512 MiB that a config may take",
                       settings->check);
    xds_report_sort(report);
    const size_t n = xds_report_findings(report);
    const int status = print(self, settings, report);

    sum_up(settings, n);
    return worse(status, n > 0 ? EXIT_FINDINGS : EXIT_CLEAN);
}

static int with_report(const struct command *self, const struct config_settings *settings,
                       const struct xds_options *asked, enum xds_client client,
                       struct xds_slice text)
{
    struct xds_options options;
    struct xds_report *report;
    int status;

    status = input_options_read(self, &settings->input, asked, &options);
    if (status != EXIT_CLEAN)
        return status;
    report = xds_report_new(&options);
    status = report ? judge(self, settings, client, report, text)
                    : trouble(self, "out of memory");
    xds_report_free(report);
    return status;
}

int config_check(const struct command *self, const struct config_settings *settings,
                 const struct xds_options *asked, enum xds_client client)
{
    struct xds_slice text;

    if (!formats[settings->format])
        return usage_error(self, "--check has no format dot; use text, json or gcc");
    int status = slurp(self, settings->check, &text);

    if (status == EXIT_CLEAN)
        status = with_report(self, settings, asked, client, text);
    slurp_free(text);
    return status;
}
