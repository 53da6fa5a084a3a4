/* cmd_explain.c - xdscope explain: where does this RPC go, and why. */
#include "cli/files/output.h"
#include "cli/explain/request.h"
#include "cli/explain/ends.h"

#include <stdlib.h>

#define OUTPUT_BUFFER ((size_t)64 << 10)

struct explain_settings {
    struct request_settings request;
    struct server_settings server;
    const char *client, *requests;
    unsigned format;
    bool all, ring;
    struct certificates certificates; /* of the options' files, once they are read */
    enum xds_client server_client;    /* the same of --server-client */
};

typedef enum xds_status (*print_fn)(const struct xds_printer *to,
                                    const struct xds_decision *decision);

static const struct format {
    print_fn print;
    bool color;
    bool one_only; /* not for many RPCs */
} formats[] = {
#define FORMAT_EXPLAIN(word, print, color, one_only, served, joint)                      \
    {print, color, one_only},
#include "cli/formats.def"
};

static const char *const format_words[] = {
#define FORMAT_EXPLAIN(word, ...) word,
#include "cli/formats.def"
    NULL};

static const struct option rows[] = {
    {VALUE_ROW(TEXT, explain_settings, client, "client", "NAME"), .words = client_words,
     .help = "client that sends the RPC: {words} (default: core)"},
    {VALUE_ROW(WORD, explain_settings, format, "format", "NAME"), .letter = 'f',
     .words = format_words, .help = "{words} (default: text); dot is for Graphviz"},
    {FLAG_ROW(explain_settings, all, "all"),
     .help = "show every route and why it was not chosen"},
    {FLAG_ROW(explain_settings, ring, "ring"),
     .help = "describe the ring of ring_hash and the path of the RPC over it"},
    {VALUE_ROW(TEXT, explain_settings, requests, "requests", "FILE"),
     .argument = ARGUMENT_FILE,
     .help = "explain the RPCs of a file of JSON lines, one JSON decision per line"},
    {VALUE_ROW(TEXT, explain_settings, server.server, "server", "ADDR:PORT"),
     .argument = ARGUMENT_ADDRESS,
     .help = "say what the server on this address does to an RPC that arrives"},
    {FLAG_ROW(explain_settings, server.end_to_end, "end-to-end"),
     .help =
         "follow the RPC from its client into the server on the host that it goes to"},
    {VALUE_ROW(TEXT, explain_settings, server.server_client, "server-client", "NAME"),
     .words = client_words,
     .help = "with --end-to-end: the implementation of the server (default: that of the "
             "client)"},
    {VALUE_ROW(TEXT, explain_settings, server.local, "local", "IP[:PORT]"),
     .help = "the server's side of the connection, where --server is on all addresses"},
    {VALUE_ROW(TEXT, explain_settings, server.peer, "peer", "IP[:PORT]"),
     .help = "the client's side of the connection"},
    {VALUE_ROW(LIST, explain_settings, server.sans, "peer-san", "TYPE:VALUE"),
     .help =
         "a SAN of the client's certificate: uri:, dns:, email: or ip:; may be repeated"},
    {VALUE_ROW(TEXT, explain_settings, server.subject, "peer-subject", "NAME"),
     .help = "the subject of the client's certificate, such as CN=shop,O=mesh"},
    {VALUE_ROW(TEXT, explain_settings, server.certificates.peer, "peer-cert", "FILE"),
     .argument = ARGUMENT_FILE,
     .help =
         "the client's certificate in PEM, in place of --peer-san and --peer-subject"},
    {VALUE_ROW(TEXT, explain_settings, server.certificates.server, "server-cert", "FILE"),
     .argument = ARGUMENT_FILE,
     .help =
         "the host's certificate and its chain in PEM: does the client accept it; --ca "
         "has the authorities that it trusts"},
    {FLAG_ROW(explain_settings, server.plaintext, "plaintext"),
     .help =
         "with --server: the client speaks plaintext, or TLS with --tls; without either "
         "as the filter chain asks"},
    {VALUE_ROW(TEXT, explain_settings, server.sni, "sni", "NAME"),
     .help = "the name of the server that the client sends by TLS (SNI)"},
};

static const struct option_group explain_options = {.options = rows,
                                                    .n = ARRAY_LEN(rows)};

static int check_decided(const struct input *input, const struct common *common,
                         enum xds_status decided)
{
    switch (decided) {
    case XDS_OK:
        return EXIT_CLEAN;
    case XDS_ERR_USAGE:
        return input_needs_choice(input, common, "--target or --listener");
    case XDS_END:
    case XDS_ERR_NO_MEMORY:
    case XDS_ERR_IO:
        break;
    }
    return trouble(input->command, "out of memory");
}

/* The name of the session cookie is in the configuration of the route, so the RPC is sent
 * without it first: that is the decision, until the cookie has a name. */
static int name_cookie(const struct input *input, struct xds_explainer *explainer,
                       struct request *request, const struct xds_decision **decision)
{
    const struct command *self = input->command;

    if (!request->cookie_value)
        return EXIT_CLEAN;
    const struct xds_slice name = xds_decision_cookie_name(*decision);

    if (name.len == 0) {
        (void)usage_error(self,
                          "this route has no session cookie; --cookie-host is ignored");
        return EXIT_CLEAN;
    }
    if (!request_name_cookie(request, name))
        return trouble(self, "out of memory");
    const enum xds_status decided = xds_explain(explainer, &request->rpc, decision);

    return decided == XDS_OK ? EXIT_CLEAN : trouble(self, "out of memory");
}

static struct xds_slice choice_of(const void *decision, size_t i)
{
    return xds_decision_choice(decision, i);
}

static int exit_of(const struct xds_decision *decision)
{
    return xds_decision_routed(decision) && xds_decision_observable(decision) &&
                   xds_decision_connected(decision)
               ? EXIT_CLEAN
               : EXIT_FINDINGS;
}

static int print(const struct command *self, const struct explain_settings *settings,
                 const struct xds_decision *decision)
{
    const struct format *format = &formats[settings->format];
    struct output out;
    int status = output_open(&out, self, &settings->request.input.common, format->color);

    if (status != EXIT_CLEAN)
        return status;
    out.printer.verbose |= settings->all;
    status = output_close(&out, format->print(&out.printer, decision));
    tell_choices(self, &settings->request.input.common, choice_of, decision);
    return worse(status, exit_of(decision));
}

static int answer_line(const struct requests *requests, const struct request_line *line,
                       const char **complaint)
{
    const struct xds_decision *decision;

    switch (xds_json_requests_explain(line->reader, requests->user, &decision)) {
    case XDS_OK:
        break;
    case XDS_ERR_USAGE:
        *complaint = REQUESTS_NEED_TARGET;
        return EXIT_USAGE;
    case XDS_END:
    case XDS_ERR_NO_MEMORY:
    case XDS_ERR_IO:
        return trouble(requests->command, "out of memory");
    }
    if (xds_print_decision_json(requests->to, decision) != XDS_OK)
        return EXIT_TROUBLE;
    return exit_of(decision);
}

static int explain_many(const struct command *self,
                        const struct explain_settings *settings,
                        struct xds_explainer *explainer, const struct request *base)
{
    struct output out;
    int status = output_open(&out, self, &settings->request.input.common, false);

    if (status != EXIT_CLEAN)
        return status;
    out.printer.one_line = true;
    (void)setvbuf(out.file, NULL, _IOFBF, OUTPUT_BUFFER);
    status = requests_answer(&(struct requests){self, base, &out.printer, settings->all,
                                                answer_line, explainer, NULL},
                             settings->requests);
    if (status != EXIT_TROUBLE)
        return worse(status, output_close(&out, XDS_OK));
    output_drop(&out);
    return status;
}

/* What of the command line and the input the server's half needs. */
static struct serving serving_of(const struct command *self,
                                 const struct explain_settings *settings,
                                 struct input *input, enum xds_client client,
                                 struct request *request)
{
    return (struct serving){
        .command = self,
        .common = &settings->request.input.common,
        .settings = &settings->server,
        .certificates = &settings->certificates,
        .tls = settings->request.input.peer.tls,
        .input = input,
        .client = client,
        .request = request,
        .requests = settings->requests,
        .format = settings->format,
        .every_route = settings->all,
    };
}

/* The resources that the RPC meets at both ends. */
static int mark(struct ends *ends, struct xds_explainer *explainer,
                const struct xds_decision *decision, bool *met)
{
    const struct xds_joint *joint;
    const int status = ends_join(ends, decision, &joint);

    xds_decision_mark_resources(explainer, decision, met);
    if (joint)
        xds_joint_mark_resources(ends->joiner, joint, met);
    return status;
}

/* Errors of what the RPC meets are reported before others. */
static int tell_what_it_meets(const struct serving *s, struct ends *ends,
                              struct xds_explainer *explainer,
                              const struct xds_decision *decision)
{
    struct xds_report *report = s->input->report;
    bool *met = calloc(xds_report_resources(report) + 1, sizeof *met);
    int status = EXIT_CLEAN;

    if (!met)
        return trouble(s->command, "out of memory");
    if (decision)
        status = mark(ends, explainer, decision, met);
    /* What is missing may be why the RPC fails. */
    const bool routed = decision && xds_decision_routed(decision);

    if (status == EXIT_CLEAN)
        status = input_answers(s->input, s->common, routed ? met : NULL);
    if (status == EXIT_CLEAN)
        status = tell_errors(s->command, s->common, report, met);
    free(met);
    return status;
}

static int explain_one(const struct command *self,
                       const struct explain_settings *settings,
                       struct xds_explainer *explainer, const struct serving *s)
{
    const struct xds_decision *decision = NULL;
    const enum xds_status decided = xds_explain(explainer, &s->request->rpc, &decision);
    const struct xds_joint *joint = NULL;
    struct ends ends;
    int status = ends_begin(
        &ends, s, settings->server.server_client ? settings->server_client : s->client);

    if (status == EXIT_CLEAN)
        status = tell_what_it_meets(s, &ends, explainer, decision);
    if (status == EXIT_CLEAN)
        status = check_decided(s->input, s->common, decided);
    if (status == EXIT_CLEAN)
        status = name_cookie(s->input, explainer, s->request, &decision);
    if (status == EXIT_CLEAN)
        status = ends_join(&ends, decision, &joint);
    if (status == EXIT_CLEAN)
        status = joint ? ends_print(s, joint) : print(self, settings, decision);
    ends_release(&ends);
    return status;
}

static int explain(const struct command *self, const struct explain_settings *settings,
                   struct input *input, enum xds_client client, struct request *request)
{
    const struct serving serving = serving_of(self, settings, input, client, request);

    if (settings->server.server && !settings->server.end_to_end)
        return server_explain(&serving);

    struct xds_explainer *explainer = xds_explainer_new(input->check, client);
    int status;

    if (!explainer)
        return trouble(self, "out of memory");
    if (settings->requests) {
        status = tell_errors(self, &settings->request.input.common, input->report, NULL);
        if (status == EXIT_CLEAN)
            status = explain_many(self, settings, explainer, request);
    } else
        status = explain_one(self, settings, explainer, &serving);
    xds_explainer_free(explainer);
    return status;
}

/* A snapshot that could not be read whole is not explained. */
static int read_and_explain(const struct command *self,
                            const struct explain_settings *settings,
                            const struct operands *operands,
                            const struct xds_options *asked, enum xds_client client,
                            struct request *request)
{
    struct input_settings reading = settings->request.input;
    struct input input;

    reading.ask_dump = !settings->client;
    reading.versions = true;
    reading.one_rpc = !settings->requests;
    int status = input_read(&input, self, &reading, operands, asked, true);

    if (status == EXIT_CLEAN)
        status = explain(self, settings, &input, input.dumped ? *input.dumped : client,
                         request);
    input_release(&input);
    return status;
}

/* What the lines of --requests say for themselves. */
static int check_usage(const struct command *self,
                       const struct explain_settings *settings)
{
    if (!settings->requests && !settings->request.path)
        return usage_error(self, "needs --path /package.Service/Method, or --requests");
    if (settings->requests && settings->request.cookie_hosts.n > 0)
        return usage_error(
            self,
            "--requests: put \"cookie_host\" into the lines instead of --cookie-host");
    if (settings->server.end_to_end &&
        (settings->request.observed_host || settings->request.why_not))
        return usage_error(self, "--end-to-end: %s is asked of one half alone",
                           settings->request.why_not ? "--why-not" : "--observed-host");
    const int status =
        server_check(self, &settings->server, settings->request.input.peer.tls,
                     settings->requests != NULL);

    if (status != EXIT_CLEAN)
        return status;
    if (settings->requests && formats[settings->format].one_only)
        return usage_error(self, "--requests: the format %s shows only one RPC",
                           format_words[settings->format]);
    return EXIT_CLEAN;
}

/* A control plane is asked for the target of the RPC, as the client that sends it. */
static void set_ads(struct request_settings *settings, const char *client)
{
    struct ads_settings *ads = &settings->input.ads;

    if (settings->target)
        ads->targets = (struct text_list){&settings->target, 1};
    if (!ads->as)
        ads->as = client;
}

static int run(const struct command *self, void *arg, const struct operands *operands)
{
    struct explain_settings *settings = arg;
    struct xds_options asked = {.clients = 0};
    enum xds_client client;
    struct request request;

    set_ads(&settings->request, settings->client);
    if (!ask_client(self, settings->client, &asked, &client))
        return EXIT_USAGE;
    int status = request_read(&request, self, &settings->request);

    request.rpc.ring = settings->ring;
    if (status == EXIT_CLEAN)
        status = check_usage(self, settings);
    if (status == EXIT_CLEAN)
        status =
            ends_ask(self, &settings->server, client, &asked, &settings->server_client);
    if (status == EXIT_CLEAN)
        status = certificates_read(&settings->certificates, self,
                                   &settings->server.certificates,
                                   settings->request.input.peer.ca);
    if (settings->certificates.has_server)
        request.rpc.server_certificate = &settings->certificates.server.names;
    if (status == EXIT_CLEAN)
        status = read_and_explain(self, settings, operands, &asked, client, &request);
    certificates_release(&settings->certificates);
    request_release(&request);
    return status;
}

const struct command cmd_explain = {
    .name = "explain",
    .operands = "PATH...",
    .summary = "say where an RPC goes, and why",
    .operand_kind = OPERANDS_PATHS,
    .groups = (const struct option_group *const[]){&request_options, &explain_options,
                                                   &input_options, &jobs_options,
                                                   &from_options, &ads_options,
                                                   &peer_options, &common_options, NULL},
    .settings_size = sizeof(struct explain_settings),
    .examples = "explain --path /shop.Cart/Add -H 'x-user: alice' snapshot/",
    .run = run,
};
