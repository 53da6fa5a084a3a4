/* cmd_show.c - xdscope show: what is in a snapshot, and what leads to what. */
#include "cli/files/input.h"
#include "cli/files/output.h"
#include "cli/show.h"

struct show_settings {
    struct input_settings input;
    const char *client;
    struct text_list names;
    unsigned format;
    bool listeners, routes, clusters, endpoints;
};

static const struct format {
    enum xds_status (*print)(const struct xds_printer *to, struct xds_check *check,
                             const struct xds_snapshot_view *view);
    bool color;
} formats[] = {
#define FORMAT_SHOW(word, print, color) {print, color},
#include "cli/formats.def"
};

static const char *const format_words[] = {
#define FORMAT_SHOW(word, ...) word,
#include "cli/formats.def"
    NULL};

static const struct option rows[] = {
    {FLAG_ROW(show_settings, listeners, "listeners"),
     .help = "a table of listeners instead of the tree"},
    {FLAG_ROW(show_settings, routes, "routes"), .help = "a table of routes"},
    {FLAG_ROW(show_settings, clusters, "clusters"), .help = "a table of clusters"},
    {FLAG_ROW(show_settings, endpoints, "endpoints"), .help = "a table of endpoints"},
    {VALUE_ROW(LIST, show_settings, names, "name", "GLOB"), .argument = ARGUMENT_NAME,
     .help = "only resources, virtual hosts, domains and addresses of this name, where * "
             "is any text; may be repeated"},
    {VALUE_ROW(TEXT, show_settings, client, "client", "NAME"), .words = client_words,
     .help = "client that reads the snapshot: {words} (default: core)"},
    {VALUE_ROW(WORD, show_settings, format, "format", "NAME"), .letter = 'f',
     .words = format_words,
     .help = "{words} (default: text); dot is for Graphviz, names are one a line"},
};

static const struct option_group show_options = {.options = rows, .n = ARRAY_LEN(rows)};

/* names: where to write names, or NULL for the output of the settings. */
static int print(const struct command *self, const struct show_settings *settings,
                 struct input *input, enum xds_client client, FILE *names)
{
    const struct format *format = &formats[settings->format];
    const struct xds_snapshot_view view = {
        .client = client,
        .tables = (settings->listeners ? 1u << XDS_TYPE_LISTENER : 0) |
                  (settings->routes ? 1u << XDS_TYPE_ROUTE : 0) |
                  (settings->clusters ? 1u << XDS_TYPE_CLUSTER : 0) |
                  (settings->endpoints ? 1u << XDS_TYPE_ENDPOINT : 0),
        .names = settings->names.items,
        .n_names = settings->names.n,
    };
    struct output out;

    if (names) {
        const struct xds_printer printer = {.write = write_file, .user = names};

        if (xds_print_snapshot_names(&printer, input->check, &view) == XDS_OK)
            return EXIT_CLEAN;
        rewind(names); /* nothing rather than a part */
        return trouble(self, "out of memory");
    }
    const int status = output_open(&out, self, &settings->input.common, format->color);

    if (status != EXIT_CLEAN)
        return status;
    return output_close(&out, format->print(&out.printer, input->check, &view));
}

/* What can be read of a broken input is shown. */
static int read_and_print(const struct command *self, struct show_settings *settings,
                          const struct operands *operands, FILE *names)
{
    struct xds_options asked = {.clients = 0};
    enum xds_client client;
    struct input input;

    if (!ask_client(self, settings->client, &asked, &client))
        return EXIT_USAGE;
    asked.clients = XDS_ALL_CLIENTS; /* who rejects a resource is shown for all */
    settings->input.ask_dump = !settings->client;
    settings->input.versions = true;
    settings->input.side = "";
    int status = input_read(&input, self, &settings->input, operands, &asked, true);

    if (status != EXIT_USAGE && input.check && !input.no_memory &&
        xds_report_resources(input.report) + (status == EXIT_CLEAN) > 0)
        status = worse(status, print(self, settings, &input,
                                     input.dumped ? *input.dumped : client, names));
    input_release(&input);
    return status;
}

static int run(const struct command *self, void *arg, const struct operands *operands)
{
    return read_and_print(self, arg, operands, NULL);
}

int show_names(char **paths, size_t n, unsigned types, FILE *to)
{
    struct show_settings settings = {.format = 0};
    struct operands operands;
    char error[OPTIONS_ERROR_SIZE];
    int status = EXIT_TROUBLE;

    if (options_parse(&cmd_show, (int)n, paths, &settings, &operands, error)) {
        settings.listeners = types & 1u << XDS_TYPE_LISTENER;
        settings.routes = types & 1u << XDS_TYPE_ROUTE;
        settings.clusters = types & 1u << XDS_TYPE_CLUSTER;
        settings.endpoints = types & 1u << XDS_TYPE_ENDPOINT;
        settings.input.common.quiet = true;
        status = read_and_print(&cmd_show, &settings, &operands, to);
    } else
        (void)trouble(&cmd_show, "%s", *error ? error : "out of memory");
    options_release(&operands);
    return status;
}

const struct command cmd_show = {
    .name = "show",
    .operands = "PATH...",
    .summary = "show what is in a snapshot, and what leads to what",
    .operand_kind = OPERANDS_PATHS,
    .groups =
        (const struct option_group *const[]){&show_options, &input_options, &jobs_options,
                                             &from_options, &target_options, &ads_options,
                                             &peer_options, &common_options, NULL},
    .settings_size = sizeof(struct show_settings),
    .examples = "show config_dump.json\n"
                "show --routes --name 'shop*' snapshot/",
    .run = run,
};
