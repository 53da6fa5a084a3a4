/*
 * config.c - what service-config and lb-config share.
 *
 * Fails:  as explain: a snapshot that could not be read whole gives no config.
 */
#include "cli/generate/config.h"
#include "cli/files/excerpt.h"

static const struct format {
    const char *word;
    enum xds_status (*print)(const struct xds_printer *to,
                             const struct xds_config *config);
    enum xds_status (*check)(const struct xds_printer *to,
                             const struct xds_report *report);
} formats[] = {
#define FORMAT_CONFIG(word, id, print, check) {word, print, check},
#include "cli/formats.def"
};

/* ---- what is wrong with a config ---- */

static int print(const struct command *self, const struct config_settings *settings,
                 const struct xds_report *report)
{
    struct excerpt_output out;
    const int status = excerpt_output_open(&out, self, &settings->input.common,
                                           settings->format == FORMAT_TEXT);

    if (status != EXIT_CLEAN)
        return status;
    out.to.printer.quiet = true; /* its summary counts resources */
    return excerpt_output_close(&out,
                                formats[settings->format].check(&out.to.printer, report));
}

static int judge(const struct command *self, const struct config_settings *settings,
                 enum xds_client client, struct xds_report *report, struct xds_slice text)
{
    if (xds_check_config(report, client, settings->check, text) != XDS_OK)
        return trouble(self,
                       "%s: out of memory, or over the 512 MiB that a config may take",
                       settings->check);
    xds_report_sort(report);
    const size_t n = xds_report_summary(report).errors;
    const int status = print(self, settings, report);

    if (n > 0)
        (void)tell_kind(self, settings->check, "a service config");

    if (!settings->input.common.quiet && n == 0)
        put_remark(stderr, "%s: valid", settings->check);
    else if (!settings->input.common.quiet)
        put_remark(stderr, "%s: not valid, %zu error%s", settings->check, n,
                   n == 1 ? "" : "s");
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

static int config_check(const struct command *self,
                        const struct config_settings *settings,
                        const struct xds_options *asked, enum xds_client client)
{
    struct xds_slice text;

    if (!formats[settings->format].check)
        return usage_error(self, "--check has no format %s",
                           formats[settings->format].word);
    int status = slurp(self, settings->check, &text);

    if (status == EXIT_CLEAN)
        status = with_report(self, settings, asked, client, text);
    slurp_free(text);
    return status;
}

static const char *const format_words[] = {
#define FORMAT_CONFIG(word, ...) word,
#include "cli/formats.def"
    NULL};

static const struct option rows[] = {
    {VALUE_ROW(TEXT, config_settings, client, "client", "NAME"), .words = client_words,
     .help = "client that builds the config: {words} (default: core)"},
    {VALUE_ROW(LIST, config_settings, previous, "previous", "FILE"),
     .argument = ARGUMENT_FILE,
     .help = "output of -f json for the previous update, whose names are kept; the last "
             "one counts"},
    {VALUE_ROW(TEXT, config_settings, check, "check", "FILE"), .argument = ARGUMENT_FILE,
     .help = "validate the service config or list of LB policies in FILE instead"},
    {VALUE_ROW(WORD, config_settings, format, "format", "NAME"), .letter = 'f',
     .words = format_words,
     .help = "{words} (default: text); gcc only with --check, dot only without"},
};

const struct option_group config_options = {.options = rows, .n = ARRAY_LEN(rows)};

/* ---- printing ---- */

static int open_output(struct config_run *run)
{
    int status;

    if (run->is_open)
        return EXIT_CLEAN;
    status = output_open(&run->out, run->command, &run->settings->input.common,
                         run->settings->format == FORMAT_TEXT);
    run->is_open = status == EXIT_CLEAN;
    run->out.printer.one_line = run->one_line;
    if (run->is_open && run->settings->format == FORMAT_HTML &&
        xds_print_page_begin(&run->out.printer, run->command->name,
                             run->command->summary) != XDS_OK)
        return EXIT_TROUBLE; /* output_close() says why */
    return status;
}

static struct xds_slice choice_of(const void *config, size_t i)
{
    return xds_config_choice(config, i);
}

static bool is_graph_of_several(const struct config_run *run)
{
    return run->several && run->settings->format == FORMAT_DOT;
}

static enum xds_status print_one(struct config_run *run, const struct xds_config *config)
{
    const struct xds_printer *to = &run->out.printer;
    enum xds_status status = XDS_OK;

    if (!is_graph_of_several(run))
        return formats[run->settings->format].print(to, config);
    if (run->parts++ == 0)
        status = xds_print_config_dot_begin(to);
    return status == XDS_OK ? xds_print_config_dot_part(to, config, run->parts) : status;
}

int config_print(struct config_run *run, const struct xds_config *config)
{
    const struct xds_slice error = xds_config_error(config);
    const int opened = open_output(run);

    if (opened != EXIT_CLEAN)
        return opened;
    const enum xds_status status = print_one(run, config);

    if (status != XDS_OK)
        return config_failed(run, status);

    struct xds_slice note = xds_config_note(config, 0);

    for (size_t i = 1; note.data && !run->settings->input.common.quiet;
         note = xds_config_note(config, i++)) {
        put_remark(stderr, "note: %.*s", (int)note.len, note.data);
    }
    if (!error.data)
        return EXIT_CLEAN;
    (void)trouble(run->command, "%.*s", (int)error.len, error.data);
    tell_choices(run->command, &run->settings->input.common, choice_of, config);
    return EXIT_FINDINGS;
}

static int usage_failed(const struct config_run *run)
{
    const struct text_list *files = &run->settings->previous;
    const struct xds_slice fault = xds_generator_previous_error(run->generator);

    if (fault.data)
        return usage_error(run->command, "--previous %s: %.*s",
                           files->items[files->n - 1], (int)fault.len, fault.data);
    return input_needs_choice(run->input, &run->settings->input.common,
                              "--target, --listener or --route-config");
}

int config_failed(const struct config_run *run, enum xds_status status)
{
    switch (status) {
    case XDS_ERR_USAGE:
        return usage_failed(run);
    case XDS_ERR_IO:
        return EXIT_TROUBLE; /* output_close() says why */
    case XDS_OK:
    case XDS_END:
    case XDS_ERR_NO_MEMORY:
        break;
    }
    return trouble(run->command, "out of memory");
}

/* ---- the run ---- */

static int with_generator(struct config_run *run, struct input *input,
                          enum xds_client client,
                          int (*generate)(struct config_run *run, const void *settings))
{
    /* The client does without the resources that it rejects. */
    int status =
        tell_errors(run->command, &run->settings->input.common, input->report, NULL);

    if (status != EXIT_CLEAN)
        return status;
    run->input = input;
    run->generator = xds_generator_new(input->check, client);
    status = run->generator ? generate(run, run->settings)
                            : trouble(run->command, "out of memory");
    if (run->is_open && run->settings->format == FORMAT_HTML && status < EXIT_USAGE &&
        xds_print_page_end(&run->out.printer) != XDS_OK)
        status = EXIT_TROUBLE;
    if (run->is_open && run->parts > 0 && status < EXIT_USAGE &&
        xds_print_config_dot_end(&run->out.printer) != XDS_OK)
        status = EXIT_TROUBLE;
    if (run->is_open)
        status = worse(
            status, output_close(&run->out, status < EXIT_USAGE ? XDS_OK : XDS_ERR_IO));
    xds_generator_free(run->generator);
    return status;
}

int config_run(const struct command *self, const struct config_settings *settings,
               const struct operands *operands,
               int (*generate)(struct config_run *run, const void *settings))
{
    struct config_run run = {.command = self, .settings = settings};
    struct xds_options asked = {.clients = 0};
    enum xds_client client;
    struct input input;

    if (!ask_client(self, settings->client, &asked, &client))
        return EXIT_USAGE;
    if (settings->check && operands->n > 0)
        return usage_error(self, "--check takes no PATH");
    if (settings->check)
        return config_check(self, settings, &asked, client);
    if (!formats[settings->format].print)
        return usage_error(self, "--format %s needs --check",
                           formats[settings->format].word);
    struct input_settings reading = settings->input;

    reading.ask_dump = !settings->client;
    int status = input_read(&input, self, &reading, operands, &asked, true);

    if (status == EXIT_CLEAN && settings->previous.n > 0)
        status = slurp(self, settings->previous.items[settings->previous.n - 1],
                       &run.previous);
    if (status == EXIT_CLEAN)
        status =
            with_generator(&run, &input, input.dumped ? *input.dumped : client, generate);
    slurp_free(run.previous);
    input_release(&input);
    return status;
}
