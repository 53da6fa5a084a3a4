/* cmd_convert.c - xdscope convert: resources as JSON, YAML, text proto or binary. */
#include "cli/files/format.h"
#include "cli/files/input.h"
#include "cli/files/output.h"

struct convert_settings {
    struct input_settings input;
    const char *format;
    bool json_names, bare;
};

static const struct option rows[] = {
    {VALUE_ROW(TEXT, convert_settings, format, "format", "NAME"), .letter = 'f',
     .words = format_words,
     .help = "json, yaml, textproto or binary; default: by the extension of --output"},
    {FLAG_ROW(convert_settings, json_names, "json-names"),
     .help = "write JSON and YAML with lowerCamelCase names, as protobuf's own tools do"},
    {FLAG_ROW(convert_settings, bare, "bare"),
     .help = "binary: write the only resource itself, not in a DiscoveryResponse"},
};

static const struct option_group convert_options = {.options = rows,
                                                    .n = ARRAY_LEN(rows)};

static bool read_format(const struct command *self,
                        const struct convert_settings *settings, enum xds_format *format)
{
    if (settings->format)
        return format_of_name(self, settings->format, format);
    if (format_of_ending(settings->input.common.output, format))
        return true;
    (void)usage_error(self, "needs --format: json, yaml, textproto or binary");
    return false;
}

struct run {
    const struct command *self;
    struct xds_convert *convert;
};

static enum xds_status convert_one(void *user, const struct xds_resource *resource)
{
    const struct run *run = user;
    const enum xds_status status = xds_convert_resource(run->convert, resource);

    if (status == XDS_ERR_USAGE)
        (void)usage_error(run->self, "--bare: the input has more than one resource");
    return status;
}

static int report_lost(const struct command *self, const struct input *input,
                       const struct xds_convert *convert)
{
    struct xds_place at;
    struct xds_slice words;
    const size_t lost = xds_convert_lost(convert, &at);
    size_t i = 0;

    for (; xds_convert_lost_part(convert, i, &at, &words); i++) {
        const struct xds_slice file = xds_report_file(input->report, at.file);

        (void)trouble(self, "%.*s:%u: left out: %.*s", (int)file.len, file.data,
                      at.line > 0 ? at.line : 1, (int)words.len, words.data);
    }
    if (i < lost)
        (void)trouble(self, "and %zu more part%s left out", lost - i,
                      lost - i == 1 ? "" : "s");
    return lost == 0 ? EXIT_CLEAN : EXIT_FINDINGS;
}

/* What is read with a warning is converted. */
static int print_findings(const struct command *self,
                          const struct convert_settings *settings,
                          struct xds_report *report)
{
    const struct xds_printer printer = error_printer(&settings->input.common);

    xds_report_sort(report);
    if (xds_print_findings_gcc(&printer, report) != XDS_OK)
        return trouble(self, "standard error cannot be written");
    return xds_report_summary(report).errors > 0 ? EXIT_FINDINGS : EXIT_CLEAN;
}

/* No command takes a file without bytes for a message that is empty. */
static bool is_empty(FILE *spool)
{
    return fflush(spool) == 0 && ftell(spool) == 0;
}

/* Everything into the spool, and what that came to. */
static int fill(struct input *input, const struct convert_settings *settings,
                const struct xds_convert_options *options, FILE *spool)
{
    const struct command *self = input->command;
    const struct xds_printer printer = {.write = write_file, .user = spool};
    struct run run = {self, xds_convert_new(input->report, options, &printer)};

    if (!run.convert)
        return trouble(self, "out of memory");
    int status = input_each(input, convert_one, &run);
    if (status == EXIT_CLEAN && xds_report_findings(input->report) > 0)
        status = print_findings(self, settings, input->report);
    if (status == EXIT_CLEAN && xds_convert_finish(run.convert) != XDS_OK)
        status = trouble_errno(self, "temporary file");
    else if (status == EXIT_CLEAN && is_empty(spool)) {
        (void)trouble(self, "nothing to write: in binary, %s, which cannot be read back",
                      options->bare ? "an empty message is an empty file"
                                    : "no resources are an empty file");
        status = EXIT_FINDINGS;
    } else if (status == EXIT_CLEAN &&
               (status = output_put(self, &settings->input.common, spool)) == 0)
        status = report_lost(self, input, run.convert);
    xds_convert_free(run.convert);
    return status;
}

static int convert(struct input *input, const struct convert_settings *settings,
                   const struct xds_convert_options *options)
{
    FILE *spool = replace_spool(input->command);

    if (!spool)
        return EXIT_TROUBLE;
    const int status = fill(input, settings, options, spool);

    (void)fclose(spool);
    return status;
}

static int run(const struct command *self, void *arg, const struct operands *operands)
{
    const struct convert_settings *settings = arg;
    struct xds_convert_options options = {.json_names = settings->json_names,
                                          .bare = settings->bare};
    struct input input;

    if (operands->n > 1)
        return usage_error(self, "takes one PATH");
    if (!read_format(self, settings, &options.format))
        return EXIT_USAGE;
    const struct xds_options all = {.clients = XDS_ALL_CLIENTS};
    int status = input_open(&input, self, &settings->input, operands, &all);

    if (status == EXIT_CLEAN)
        status = convert(&input, settings, &options);
    input_release(&input);
    return status;
}

const struct command cmd_convert = {
    .name = "convert",
    .operands = "PATH",
    .summary = "convert resources to JSON, YAML, text proto or binary",
    .operand_kind = OPERANDS_PATHS,
    .groups = (const struct option_group *const[]){&convert_options, &reading_options,
                                                   &common_options, NULL},
    .settings_size = sizeof(struct convert_settings),
    .examples = "convert -f textproto route.yaml",
    .run = run,
};
