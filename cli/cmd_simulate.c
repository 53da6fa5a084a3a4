/* cmd_simulate.c - xdscope simulate: LB policies, sessions and servers over time. */
#include "cli/files/excerpt.h"
#include "cli/files/input.h"

struct simulate_settings {
    struct input_settings input; /* of --init and --from; of the others only env */
    const char *client;
    unsigned format;
    bool init;
};

typedef enum xds_status (*print_fn)(const struct xds_printer *to,
                                    struct xds_simulation *simulation);

static const struct format {
    print_fn print;
    bool color;
} formats[] = {
#define FORMAT_SIMULATE(word, print, color) {print, color},
#include "cli/formats.def"
};

static const char *const format_words[] = {
#define FORMAT_SIMULATE(word, ...) word,
#include "cli/formats.def"
    NULL};

static const struct option rows[] = {
    {FLAG_ROW(simulate_settings, init, "init"),
     .help = "write a first scenario for the snapshot that the operands are: hosts "
             "connect, one goes down and comes back"},
    {VALUE_ROW(TEXT, simulate_settings, client, "client", "NAME"), .words = client_words,
     .help = "client to simulate ({words}); overrides the scenario"},
    {VALUE_ROW(LIST, simulate_settings, input.env, "env", "NAME=VALUE"),
     .help = "set a gRPC environment variable for the client; overrides the scenario; "
             "may be repeated"},
    {VALUE_ROW(TEXT, simulate_settings, input.peer.node, "node", "ID"),
     .reach = NOT_IN_A_FILE,
     .help = "with --from, ask the control plane for this node id"},
    {VALUE_ROW(WORD, simulate_settings, format, "format", "NAME"), .letter = 'f',
     .words = format_words,
     .help = "{words} (default: text); dot has the policies at the end, for Graphviz"},
};

static const struct option_group simulate_options = {.options = rows,
                                                     .n = ARRAY_LEN(rows)};

static int play(const struct command *self, const struct simulate_settings *settings,
                struct xds_simulation *simulation)
{
    const struct format *format = &formats[settings->format];
    struct excerpt_output out;
    int status = excerpt_output_open(&out, self, &settings->input.common, format->color);

    if (status != EXIT_CLEAN)
        return status;
    status = excerpt_output_close(&out, format->print(&out.to.printer, simulation));
    const char *unread = xds_simulation_unread(simulation);

    if (unread)
        status = worse(status, trouble_errno(self, unread));
    const struct xds_simulation_summary sum = xds_simulation_summary(simulation);

    if (sum.unread > 0)
        status = EXIT_TROUBLE;
    return worse(status, sum.failed > 0 ? EXIT_FINDINGS : EXIT_CLEAN);
}

static int run(const struct command *self, void *arg, const struct operands *operands)
{
    const struct simulate_settings *settings = arg;
    struct xds_simulation *simulation;
    struct xds_options options;
    enum xds_client client;

    struct xds_slice held = {NULL, 0};

    if (settings->init && settings->input.from && operands->n > 0)
        return usage_error(self, "--from takes the place of the snapshot PATH");
    if (operands->n == 0 && !(settings->init && settings->input.from))
        return usage_error(self, settings->init
                                     ? "--init needs a snapshot PATH"
                                     : "needs a scenario FILE; - is standard input");
    if (!input_set_env(self, &settings->input.env, &options) ||
        !ask_client(self, settings->client, &options, &client))
        return EXIT_USAGE;
    if (settings->init)
        return first_write(self, &settings->input, operands, &options, client,
                           xds_suite_write_scenario,
                           "goes from an API listener to an endpoint of this "
                           "snapshot, and none is served by a server; xdscope show has "
                           "what is rejected");
    simulation = xds_simulation_new(&options, settings->client ? &client : NULL);
    if (!simulation)
        return trouble(self, "out of memory");
    int status = input_fetch(self, &settings->input, &options, NULL, &held);

    if (status != EXIT_CLEAN) {
        xds_simulation_free(simulation);
        return status;
    }
    if (held.data)
        xds_simulation_set_snapshot(simulation, settings->input.from, held);
    /* A file that cannot be read does not keep us from the others. */
    for (size_t i = 0; i < operands->n; i++)
        if (xds_simulation_add(simulation, operands->items[i]) != XDS_OK)
            status = trouble_errno(self, operands->items[i]);
    status = worse(status, play(self, settings, simulation));
    if (status != EXIT_CLEAN && xds_simulation_summary(simulation).steps == 0)
        status = worse(status,
                       tell_kind_of_each(self, operands,
                                         "a scenario; --init writes one for a snapshot"));
    xds_simulation_free(simulation);
    slurp_free(held);
    return status;
}

const struct command cmd_simulate = {
    .name = "simulate",
    .operands = "FILE...",
    .summary = "play LB policies, session affinity and servers over time",
    .operand_kind = OPERANDS_PATHS,
    .groups = (const struct option_group *const[]){&simulate_options, &from_options,
                                                   &target_options, &ads_options,
                                                   &peer_options, &common_options, NULL},
    .settings_size = sizeof(struct simulate_settings),
    .examples = "simulate failover.yaml\n"
                "simulate --from csds://localhost:50051 failover.yaml",
    .run = run,
};
