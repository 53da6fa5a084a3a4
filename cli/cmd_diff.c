/* cmd_diff.c - xdscope diff: what changes for whom between two snapshots. */
#include "cli/files/output.h"
#include "cli/explain/request.h"

#include <string.h>

enum { OLD, NEW, SIDES };

struct diff_settings {
    struct input_settings input;
    const char *client, *requests, *route_config;
    unsigned format;
    bool exit_zero;
};

static const struct format {
    enum xds_status (*print)(const struct xds_printer *to, const struct xds_diff *diff);
    bool color;
    bool remark; /* whether "no difference" is said, as the format does not */
} formats[] = {
    {xds_print_diff_text, true, true},
    {xds_print_diff_json, false, false},
    {xds_print_diff_html, false, false},
};

static const char *const format_words[] = {"text", "json", "html", NULL};

static const struct option rows[] = {
    {VALUE_ROW(TEXT, diff_settings, client, "client", "NAME"), .words = client_words,
     .help = "client whose RPCs are compared: {words} (default: core)"},
    {VALUE_ROW(TEXT, diff_settings, requests, "requests", "FILE"),
     .argument = ARGUMENT_FILE,
     .help = "compare the RPCs of a file of JSON lines instead of one per route"},
    {VALUE_ROW(TEXT, diff_settings, route_config, "route-config", "NAME"),
     .argument = ARGUMENT_ROUTE_CONFIG,
     .help = "compare only RPCs that start at this route configuration, as if an API "
             "listener named it"},
    {VALUE_ROW(WORD, diff_settings, format, "format", "NAME"), .letter = 'f',
     .words = format_words, .help = "text (default), json or html"},
    {FLAG_ROW(diff_settings, exit_zero, "exit-zero"),
     .help = "exit with 0 even if there are differences"},
};

static const struct option_group diff_options = {rows, ARRAY_LEN(rows)};

static int failed(const struct command *self, enum xds_status status)
{
    switch (status) {
    case XDS_OK:
        return EXIT_CLEAN;
    case XDS_ERR_IO:
        return trouble(self, "the input changed while it was read");
    case XDS_END:
    case XDS_ERR_USAGE:
    case XDS_ERR_NO_MEMORY:
        break;
    }
    return trouble(self, "out of memory");
}

static int compare_line(const struct requests *requests, const struct request_line *line,
                        const char **complaint)
{
    if (xds_json_requests_name_host(line->reader)) {
        *complaint = "\"cookie_host\" is not supported: diff compares the session "
                     "cookies of each RPC itself";
        return EXIT_USAGE;
    }
    const enum xds_status status = xds_diff_request(requests->user, line->rpc);

    if (status != XDS_ERR_USAGE)
        return failed(requests->command, status);
    *complaint = REQUESTS_NEED_TARGET;
    return EXIT_USAGE;
}

static int print(const struct command *self, const struct diff_settings *settings,
                 const struct xds_diff *diff)
{
    const struct format *format = &formats[settings->format];
    struct output out;
    const int status = output_open(&out, self, &settings->input.common, format->color);

    if (status != EXIT_CLEAN)
        return status;
    return output_close(&out, format->print(&out.printer, diff));
}

static void remark(const struct diff_settings *settings, const struct input *now)
{
    const size_t n = xds_report_resources(now->report);

    if (!settings->input.common.quiet && formats[settings->format].remark)
        (void)fprintf(stderr, "%zu resource%s: no difference\n", n, n == 1 ? "" : "s");
}

static struct xds_source *open_again(void *user, struct xds_report *report)
{
    return input_open_again(user, report);
}

static struct xds_diff_side side_of(struct input *input)
{
    return (struct xds_diff_side){input->check, input->report, open_again, input};
}

static int compare(const struct command *self, const struct diff_settings *settings,
                   struct input sides[SIDES], enum xds_client client)
{
    const struct xds_diff_side old = side_of(&sides[OLD]), now = side_of(&sides[NEW]);
    const struct xds_slice route_config = slice_of(settings->route_config);
    const struct request base = {.command = self, .rpc = {.route_config = route_config}};
    struct xds_diff *diff = xds_diff_new(&old, &now, client);
    int status;

    if (!diff)
        return trouble(self, "out of memory");
    status = failed(self, xds_diff_resources(diff));
    if (status == EXIT_CLEAN && settings->requests)
        status = requests_answer(
            &(struct requests){
                .command = self, .base = &base, .answer = compare_line, .user = diff},
            settings->requests);
    else if (status == EXIT_CLEAN)
        status = failed(self, xds_diff_derive(diff, route_config));
    if (status < EXIT_TROUBLE)
        status = worse(status, print(self, settings, diff));
    if (status == EXIT_CLEAN && !xds_diff_found(diff))
        remark(settings, &sides[NEW]);
    if (xds_diff_found(diff) && !settings->exit_zero)
        status = worse(status, EXIT_FINDINGS);
    xds_diff_free(diff);
    return status;
}

/* What --from names is the new one. */
static int read_side(const struct command *self, const struct input_settings *settings,
                     unsigned side, const struct operands *operands,
                     const struct xds_options *asked, struct input *out)
{
    struct input_settings reading = *settings;

    if (side == OLD)
        input_settings_local(&reading);
    reading.side = side == OLD ? "OLD cannot be read: " : "NEW cannot be read: ";
    return input_read_twice(out, self, &reading, operands, asked);
}

static int run(const struct command *self, void *arg, const struct operands *operands)
{
    const struct diff_settings *settings = arg;
    struct xds_options asked = {.clients = 0};
    enum xds_client client;

    if (!ask_client(self, settings->client, &asked, &client))
        return EXIT_USAGE;
    asked.clients = XDS_ALL_CLIENTS; /* findings name all clients */
    const size_t given = operands->n + (settings->input.from != NULL);

    if (given != SIDES)
        return usage_error(self, "needs two operands, OLD and NEW; - is standard input, "
                                 "and --from is NEW");
    if (operands->n == SIDES && strcmp(operands->items[OLD], "-") == 0 &&
        strcmp(operands->items[NEW], "-") == 0)
        return usage_error(self, "only one of OLD and NEW can be standard input");

    /* A snapshot that could not be read whole is not compared. */
    const struct operands each[SIDES] = {
        {.items = operands->items, .n = 1},
        {.items = operands->items + 1, .n = operands->n - 1}};
    struct input sides[SIDES] = {{.command = self}, {.command = self}};
    int status = EXIT_CLEAN;

    for (unsigned side = OLD; side < SIDES && status != EXIT_USAGE; side++)
        status = worse(status, read_side(self, &settings->input, side, &each[side],
                                         &asked, &sides[side]));
    if (status == EXIT_CLEAN)
        status = compare(self, settings, sides, client);
    for (unsigned side = OLD; side < SIDES; side++)
        input_release(&sides[side]);
    return status;
}

const struct command cmd_diff = {
    .name = "diff",
    .operands = "OLD NEW",
    .summary = "say what changes between two snapshots, and for which RPCs",
    .operand_kind = OPERANDS_PATHS,
    .groups =
        (const struct option_group *const[]){&diff_options, &input_options, &jobs_options,
                                             &from_options, &target_options, &ads_options,
                                             &peer_options, &common_options, NULL},
    .settings_size = sizeof(struct diff_settings),
    .examples = "diff old/ new/\n"
                "diff snapshot/ --from csds://localhost:50051",
    .run = run,
};
