/*
 * cmd_diff.c - xdscope diff: what changes for whom between two snapshots, or between two
 * clients or releases that read one.
 *
 * Fails:  an input that could not be read whole is not compared.
 */
#include "cli/files/output.h"
#include "cli/explain/request.h"

#include <string.h>

enum { OLD, NEW, SIDES };

/* For xds_memo_new(). */
enum { REMEMBERED = 64 << 20 };

struct diff_settings {
    struct input_settings input;
    struct text_list clients;
    const char *requests, *route_config;
    unsigned format;
    bool exit_zero;
};

static const struct format {
    enum xds_status (*print)(const struct xds_printer *to, const struct xds_diff *diff);
    bool color;
    bool remark;  /* whether "no difference" is said, as the format does not */
    bool several; /* whether one comparison may follow another */
} formats[] = {
#define FORMAT_DIFF(word, print, color, remark, several) {print, color, remark, several},
#include "cli/formats.def"
};

static const char *const format_words[] = {
#define FORMAT_DIFF(word, ...) word,
#include "cli/formats.def"
    NULL};

static const struct option rows[] = {
    {VALUE_ROW(LIST, diff_settings, clients, "client", "NAME"), .words = client_words,
     .help =
         "clients whose RPCs are compared: {words} (default: core); with one snapshot: "
         "the clients or releases that are compared"},
    {VALUE_ROW(TEXT, diff_settings, requests, "requests", "FILE"),
     .argument = ARGUMENT_FILE,
     .help = "compare the RPCs of a file of JSON lines instead of one per route"},
    {VALUE_ROW(TEXT, diff_settings, route_config, "route-config", "NAME"),
     .argument = ARGUMENT_ROUTE_CONFIG,
     .help = "compare only RPCs that start at this route configuration, as if an API "
             "listener named it"},
    {VALUE_ROW(WORD, diff_settings, format, "format", "NAME"), .letter = 'f',
     .words = format_words, .help = "{words} (default: text)"},
    {FLAG_ROW(diff_settings, exit_zero, "exit-zero"),
     .help = "exit with 0 even if there are differences"},
};

static const struct option_group diff_options = {.options = rows, .n = ARRAY_LEN(rows)};

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

/* What the comparisons of one run have in common. */
struct run {
    const struct command *self;
    const struct diff_settings *settings;
    struct output out;
    bool is_open; /* out: what is compared first may be an unreadable input */
    size_t n_resources, n_found;
    enum xds_status status; /* of what was printed */
};

static int print(struct run *run, const struct xds_diff *diff)
{
    const struct format *format = &formats[run->settings->format];

    if (!run->is_open) {
        const int status = output_open(&run->out, run->self, &run->settings->input.common,
                                       format->color);

        if (status != EXIT_CLEAN)
            return status;
        run->is_open = true;
    } else if (format->remark) {
        (void)run->out.printer.write(run->out.printer.user, "\n", 1);
    }
    if (run->status == XDS_OK)
        run->status = format->print(&run->out.printer, diff);
    return EXIT_CLEAN;
}

static int finish(struct run *run, int status)
{
    const struct diff_settings *settings = run->settings;
    const size_t n = run->n_resources;

    if (run->is_open)
        status = worse(status, output_close(&run->out, run->status));
    if (status == EXIT_CLEAN && run->n_found == 0 && !settings->input.common.quiet &&
        formats[settings->format].remark)
        (void)fprintf(stderr, "%zu resource%s: no difference\n", n, n == 1 ? "" : "s");
    if (run->n_found > 0 && !settings->exit_zero)
        status = worse(status, EXIT_FINDINGS);
    return status;
}

static struct xds_source *open_again(void *user, struct xds_report *report)
{
    return input_open_again(user, report);
}

/* operand: its name, or NULL where it is no file or folder. */
static struct xds_diff_side side_of(struct input *input, enum xds_client client,
                                    const char *operand)
{
    const bool is_path = operand && strcmp(operand, "-") != 0;

    return (struct xds_diff_side){input->check, input->report,
                                  open_again,   input,
                                  client,       slice_of(is_path ? operand : NULL),
                                  input->source};
}

/* Two snapshots, and the same two for one more client; or one snapshot of which each side
 * was read by another client or release. */
enum subject { TWO_SNAPSHOTS, ANOTHER_CLIENT, TWO_READERS, SEVERAL_READERS };

/* linted: of two readers, their sides once more, as lint sees them; else NULL. */
static int compare(struct run *run, struct input sides[SIDES], struct input linted[SIDES],
                   const enum xds_client client[SIDES], const char *operand,
                   enum subject subject)
{
    const struct command *self = run->self;
    const struct diff_settings *settings = run->settings;
    const struct xds_diff_side old = side_of(&sides[OLD], client[OLD], NULL);
    const struct xds_diff_side now = side_of(&sides[NEW], client[NEW], operand);
    const struct xds_slice route_config = slice_of(settings->route_config);
    const struct request base = {.command = self, .rpc = {.route_config = route_config}};
    struct xds_diff *diff = xds_diff_new(&old, &now);
    int status;

    if (!diff)
        return trouble(self, "out of memory");
    if (subject == ANOTHER_CLIENT)
        xds_diff_again(diff);
    status = failed(self, subject <= ANOTHER_CLIENT ? xds_diff_resources(diff)
                                                    : xds_diff_readers(diff));
    if (status == EXIT_CLEAN && linted)
        status =
            failed(self, xds_diff_warnings(diff, linted[OLD].report, linted[NEW].report));
    if (status == EXIT_CLEAN && settings->requests)
        status = requests_answer(
            &(struct requests){
                .command = self, .base = &base, .answer = compare_line, .user = diff},
            settings->requests);
    else if (status == EXIT_CLEAN)
        status = failed(self, xds_diff_derive(diff, route_config));
    /* Of several comparisons only those that find something are printed. */
    const bool is_first = subject == TWO_SNAPSHOTS || subject == TWO_READERS;
    if (status < EXIT_TROUBLE && (is_first || xds_diff_found(diff)))
        status = worse(status, print(run, diff));
    run->n_found += xds_diff_found(diff);
    run->n_resources = xds_report_resources(sides[NEW].report);
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

/* ---- whose RPCs are compared ---- */

struct readers {
    struct xds_client_release list[XDS_RELEASES + XDS_CLIENTS];
    size_t n;
};

/* Two stay in the order in which they were given; of more the order is that of their
 * age. *asked gets the release of each. False after a message. */
static bool ask_readers(const struct command *self, const struct text_list *lists,
                        struct xds_options *asked, struct readers *out)
{
    struct xds_options all = {.clients = 0};
    struct xds_slice item;
    struct xds_client_release given[SIDES] = {{.client = 0}};
    size_t n_given = 0;

    if (!ask_clients(self, lists, &all))
        return false;
    /* "all" means the clients; the documents are one only where they are named. */
    if (!all.documents && all.clients != XDS_CLIENT_BIT(XDS_CLIENT_GRFC))
        all.clients &= ~XDS_CLIENT_BIT(XDS_CLIENT_GRFC);
    out->n = xds_options_asked(&all, out->list);
    asked->documents = all.documents;
    memcpy(asked->asked, all.asked, sizeof asked->asked);
    for (size_t i = 0; i < out->n; i++)
        asked->release[out->list[i].client] = out->list[i].release;
    for (size_t i = 0; i < lists->n; i++)
        for (const char *rest = lists->items[i]; next_piece(&rest, &item); n_given++) {
            struct xds_options one = {.clients = 0};
            struct xds_ask_note note;
            enum xds_client client;

            if (n_given == SIDES ||
                xds_options_ask_one(&one, item, &client, &note) != XDS_OK)
                return true;
            given[n_given] = (struct xds_client_release){client, one.release[client]};
        }
    if (n_given == SIDES) {
        memcpy(out->list, given, sizeof given);
        out->n = SIDES;
    }
    return true;
}

/* ---- two snapshots ---- */

static int compare_snapshots(struct run *run, const struct readers *readers,
                             struct xds_options *asked, const struct operands *operands)
{
    const struct command *self = run->self;
    const struct input_settings *settings = &run->settings->input;

    asked->clients = XDS_ALL_CLIENTS; /* findings name all clients */
    if (operands->n + (settings->from != NULL) != SIDES)
        return usage_error(self, "needs two operands, OLD and NEW; - is standard input, "
                                 "and --from is NEW");
    if (operands->n == SIDES && strcmp(operands->items[OLD], "-") == 0 &&
        strcmp(operands->items[NEW], "-") == 0)
        return usage_error(self, "only one of OLD and NEW can be standard input");

    const struct operands each[SIDES] = {
        {.items = operands->items, .n = 1},
        {.items = operands->items + 1, .n = operands->n - 1}};
    struct input sides[SIDES] = {{.command = self}, {.command = self}};
    struct input_settings reading = *settings;
    int status = EXIT_CLEAN;

    /* Most resources are the same in both, large ones too, and both keep their models. */
    reading.memo = xds_memo_new(REMEMBERED);
    if (!reading.memo)
        return trouble(self, "out of memory");
    for (unsigned side = OLD; side < SIDES && status != EXIT_USAGE; side++)
        status = worse(status,
                       read_side(self, &reading, side, &each[side], asked, &sides[side]));
    for (size_t i = 0; i < readers->n && status < EXIT_FINDINGS; i++) {
        const enum xds_client client = readers->list[i].client;

        status = compare(run, sides, NULL, (const enum xds_client[]){client, client},
                         operands->n == SIDES ? operands->items[NEW] : NULL,
                         i == 0 ? TWO_SNAPSHOTS : ANOTHER_CLIENT);
    }
    for (unsigned side = OLD; side < SIDES; side++)
        input_release(&sides[side]);
    xds_memo_free(reading.memo);
    return status;
}

/* ---- one snapshot, several readers ---- */

static int compare_pair(struct run *run, const struct xds_client_release pair[SIDES],
                        const struct operands *operands, enum subject subject)
{
    struct input sides[SIDES] = {{.command = run->self}, {.command = run->self}};
    struct input linted[SIDES] = {{.command = run->self}, {.command = run->self}};
    enum xds_client client[SIDES];
    int status = EXIT_CLEAN;

    for (unsigned side = OLD; side < SIDES && status == EXIT_CLEAN; side++) {
        struct xds_options asked = {.clients = 0};

        if (!ask_client(run->self, xds_client_label(pair[side]).text, &asked,
                        &client[side]))
            return EXIT_USAGE;
        /* What cannot be read is the same for both. */
        status = input_read_twice(&sides[side], run->self, &run->settings->input,
                                  operands, &asked);
        if (status == EXIT_CLEAN)
            status = input_read(&linted[side], run->self, &run->settings->input, operands,
                                &asked, false);
    }
    if (status == EXIT_CLEAN)
        status = compare(run, sides, linted, client, operands->items[0], subject);
    for (unsigned side = OLD; side < SIDES; side++) {
        input_release(&sides[side]);
        input_release(&linted[side]);
    }
    return status;
}

static int compare_readers(struct run *run, const struct readers *readers,
                           const struct operands *operands)
{
    const struct input_settings *settings = &run->settings->input;
    const enum subject subject = readers->n == SIDES ? TWO_READERS : SEVERAL_READERS;
    int status = EXIT_CLEAN;
    size_t n = 0;

    if (operands->n != 1 || settings->from || strcmp(operands->items[0], "-") == 0)
        return usage_error(run->self, "several clients or releases are compared on one "
                                      "snapshot, which is a file or a folder");
    if (subject == SEVERAL_READERS && !formats[run->settings->format].several)
        return usage_error(run->self, "--format html shows two clients or releases");
    for (size_t i = 1; i < readers->n && status < EXIT_TROUBLE; i++) {
        const struct xds_client_release *pair = &readers->list[i - 1];

        if (subject == SEVERAL_READERS && pair[OLD].client != pair[NEW].client)
            continue;
        status = worse(status, compare_pair(run, pair, operands, subject));
        n++;
    }
    if (n == 0)
        return usage_error(run->self, "of more than two clients the releases of each are "
                                      "compared, such as all@2y");
    return status;
}

/* Of two snapshots the RPCs of several clients are compared, each at one release. */
static bool has_one_release_each(const struct readers *readers)
{
    unsigned seen = 0;

    for (size_t i = 0; i < readers->n; i++) {
        const unsigned bit = XDS_CLIENT_BIT(readers->list[i].client);

        if (seen & bit)
            return false;
        seen |= bit;
    }
    return true;
}

static int run(const struct command *self, void *arg, const struct operands *operands)
{
    const struct diff_settings *settings = arg;
    const bool two = operands->n + (settings->input.from != NULL) >= SIDES;
    struct run run = {.self = self, .settings = settings};
    struct xds_options asked = {.clients = 0};
    struct readers readers = {.n = 1};

    if (settings->clients.n > 0
            ? !ask_readers(self, &settings->clients, &asked, &readers)
            : !ask_client(self, NULL, &asked, &readers.list[0].client))
        return EXIT_USAGE;
    if (readers.n > 1 && !two)
        return finish(&run, compare_readers(&run, &readers, operands));
    if (!has_one_release_each(&readers))
        return usage_error(self, "two releases of one client are compared on one "
                                 "snapshot, which is a file or a folder");
    if (readers.n > 1 && !formats[settings->format].several)
        return usage_error(self, "--format html shows one client");
    return finish(&run, compare_snapshots(&run, &readers, &asked, operands));
}

const struct command cmd_diff = {
    .name = "diff",
    .operands = "OLD NEW | SNAPSHOT",
    .summary = "say what changes between two snapshots, and for which RPCs",
    .operand_kind = OPERANDS_PATHS,
    .groups =
        (const struct option_group *const[]){&diff_options, &input_options, &jobs_options,
                                             &from_options, &target_options, &ads_options,
                                             &peer_options, &common_options, NULL},
    .settings_size = sizeof(struct diff_settings),
    .examples = "diff old/ new/\n"
                "diff --client go@1.61 --client go@1.62 snapshot/\n"
                "diff snapshot/ --from csds://localhost:50051",
    .run = run,
};
