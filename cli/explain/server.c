/* server.c - explain --server: the options, and the answers. */
#include "cli/explain/server.h"

#include <stdlib.h>

#define OUTPUT_BUFFER ((size_t)64 << 10)

typedef enum xds_status (*print_fn)(const struct xds_printer *to,
                                    const struct xds_served *served);

static const struct format {
    print_fn print;
    bool color;
} formats[] = {
#define FORMAT_EXPLAIN(word, print, color, one_only, served, joint) {served, color},
#include "cli/formats.def"
};

/* ---- options ---- */

/* What is of no use without --server or --end-to-end. */
static const char *first_of(const struct server_settings *settings)
{
    const struct {
        bool given;
        const char *name;
    } options[] = {
        {settings->local, "--local"},
        {settings->peer, "--peer"},
        {settings->sans.n > 0, "--peer-san"},
        {settings->subject, "--peer-subject"},
        {settings->plaintext, "--plaintext"},
        {settings->sni, "--sni"},
        {settings->certificates.peer, "--peer-cert"},
    };

    for (size_t i = 0; i < ARRAY_LEN(options); i++)
        if (options[i].given)
            return options[i].name;
    return NULL;
}

static bool has_certificate(const struct server_settings *settings)
{
    return settings->sans.n > 0 || settings->subject || settings->certificates.peer;
}

/* What neither half takes with the other. */
static int check_end_to_end(const struct command *command,
                            const struct server_settings *settings, bool many)
{
    if (many)
        return usage_error(command, "--end-to-end is for one RPC, not for --requests");
    if (settings->local || settings->sni)
        return usage_error(command, "--end-to-end: %s follows from the client's half",
                           settings->local ? "--local" : "--sni");
    return EXIT_CLEAN;
}

static int check_server(const struct command *command,
                        const struct server_settings *settings, bool many)
{
    if (settings->certificates.server)
        return usage_error(command, "--server-cert is of the client's half: --server "
                                    "takes its certificate from the bootstrap");
    if (!settings->peer && !many)
        return usage_error(command, "--server needs --peer IP[:PORT], the client's side "
                                    "of the connection");
    return EXIT_CLEAN;
}

static int check_certificate(const struct command *command,
                             const struct server_settings *settings, bool tls)
{
    if (tls && settings->plaintext)
        return usage_error(command, "takes --tls or --plaintext, not both");
    if (settings->certificates.peer && (settings->sans.n > 0 || settings->subject))
        return usage_error(command,
                           "takes --peer-cert, or --peer-san and --peer-subject");
    if (settings->plaintext && has_certificate(settings))
        return usage_error(command, "--plaintext: there is no certificate without TLS");
    for (size_t i = 0; i < settings->sans.n; i++) {
        struct xds_san san;

        if (!xds_san_read(slice_of(settings->sans.items[i]), &san))
            return usage_error(command,
                               "--peer-san: '%s' is not TYPE:VALUE with uri, dns, email "
                               "or ip as TYPE",
                               settings->sans.items[i]);
    }
    return EXIT_CLEAN;
}

int server_check(const struct command *command, const struct server_settings *settings,
                 bool tls, bool many)
{
    const char *option = first_of(settings);

    if (settings->server_client && !settings->end_to_end)
        return usage_error(command, "--server-client needs --end-to-end");
    if (!settings->server && !settings->end_to_end)
        return option ? usage_error(command,
                                    "%s needs --server ADDR:PORT or --end-to-end", option)
                      : EXIT_CLEAN;
    int status = check_certificate(command, settings, tls);

    if (status == EXIT_CLEAN)
        status = settings->end_to_end ? check_end_to_end(command, settings, many)
                                      : check_server(command, settings, many);
    return status;
}

/* NULL when there is no memory. */
static struct xds_san *read_sans(const struct text_list *list)
{
    struct xds_san *sans = calloc(list->n + 1, sizeof *sans);

    for (size_t i = 0; sans && i < list->n; i++)
        (void)xds_san_read(slice_of(list->items[i]), &sans[i]);
    return sans;
}

/* At both ends the certificate is one that the client may send, and no choice. */
static enum xds_way way_of(const struct server_settings *settings, bool tls)
{
    if (settings->plaintext)
        return XDS_WAY_PLAINTEXT;
    return tls || (has_certificate(settings) && !settings->end_to_end) ? XDS_WAY_TLS
                                                                       : XDS_WAY_AS_ASKED;
}

bool server_base_read(struct server_base *base, const struct server_settings *settings,
                      const struct certificates *certificates, bool tls)
{
    base->sans = read_sans(&settings->sans);
    base->certificate = (struct xds_certificate){.sans = base->sans,
                                                 .n_sans = settings->sans.n,
                                                 .subject = slice_of(settings->subject)};
    const struct xds_certificate *of_peer =
        certificates->has_peer ? &certificates->peer.names : &base->certificate;

    base->inbound = (struct xds_inbound){
        .server = slice_of(settings->server),
        .local = slice_of(settings->local),
        .peer = slice_of(settings->peer),
        .way = way_of(settings, tls),
        .server_name = slice_of(settings->sni),
        .certificate = has_certificate(settings) ? of_peer : NULL,
    };
    return base->sans != NULL;
}

void server_base_release(struct server_base *base)
{
    free(base->sans);
}

/* ---- answers ---- */

static int wrong_address(const struct serving *s, const struct xds_inbound *inbound)
{
    const char *which;
    const char *fault = xds_inbound_fault(inbound, &which);
    const struct xds_slice text = which[0] == 's'   ? inbound->server
                                  : which[0] == 'p' ? inbound->peer
                                                    : inbound->local;

    return usage_error(s->command, text.data ? "--%s: '%.*s' %s" : "--%s%.*s %s", which,
                       (int)text.len, text.data ? text.data : "", fault);
}

static int answer_line(const struct requests *requests, const struct request_line *line,
                       const char **complaint)
{
    const struct xds_inbound *inbound = xds_json_requests_inbound(line->reader);
    const struct xds_served *served;
    const char *which;

    switch (xds_serve(requests->user, inbound, &served)) {
    case XDS_OK:
        break;
    case XDS_ERR_USAGE:
        (void)xds_inbound_fault(inbound, &which);
        *complaint = which[0] == 's'   ? "\"server\" is not an IP address with a port"
                     : which[0] == 'p' ? "\"peer\" is not an IP address"
                                       : "\"local\" is not an IP address; one is needed "
                                         "where the server listens on all addresses";
        return EXIT_USAGE;
    case XDS_END:
    case XDS_ERR_NO_MEMORY:
    case XDS_ERR_IO:
        return trouble(requests->command, "out of memory");
    }
    if (xds_print_served_json(requests->to, served) != XDS_OK)
        return EXIT_TROUBLE;
    return xds_served_well(served) ? EXIT_CLEAN : EXIT_FINDINGS;
}

static int answer_many(const struct serving *s, struct xds_server *server,
                       const struct xds_inbound *base)
{
    struct output out;
    int status = tell_errors(s->command, s->common, s->input->report, NULL);

    if (status == EXIT_CLEAN)
        status = output_open(&out, s->command, s->common, false);
    if (status != EXIT_CLEAN)
        return status;
    out.printer.one_line = true;
    (void)setvbuf(out.file, NULL, _IOFBF, OUTPUT_BUFFER);
    status =
        requests_answer(&(struct requests){s->command, s->request, &out.printer,
                                           s->every_route, answer_line, server, base},
                        s->requests);
    if (status != EXIT_TROUBLE)
        return worse(status, output_close(&out, XDS_OK));
    output_drop(&out);
    return status;
}

int serving_open(const struct serving *s, bool color, struct output *out)
{
    const int status = output_open(out, s->command, s->common, color);

    out->printer.verbose |= s->every_route;
    return status;
}

static int print(const struct serving *s, const struct xds_served *served)
{
    const struct format *format = &formats[s->format];
    struct output out;
    int status = serving_open(s, format->color, &out);

    if (status != EXIT_CLEAN)
        return status;
    status = output_close(&out, format->print(&out.printer, served));
    return worse(status, xds_served_well(served) ? EXIT_CLEAN : EXIT_FINDINGS);
}

/* Errors of what the RPC meets are reported before others. */
static int answer_one(const struct serving *s, struct xds_server *server,
                      const struct xds_inbound *inbound)
{
    struct xds_report *report = s->input->report;
    const struct xds_served *served;
    const enum xds_status decided = xds_serve(server, inbound, &served);
    bool *met = calloc(xds_report_resources(report) + 1, sizeof *met);
    int status;

    if (!met || (decided != XDS_OK && decided != XDS_ERR_USAGE)) {
        free(met);
        return trouble(s->command, "out of memory");
    }
    if (decided == XDS_OK)
        xds_served_mark_resources(server, served, met);
    status = decided == XDS_OK ? input_answers(s->input, s->common,
                                               xds_served_well(served) ? met : NULL)
                               : wrong_address(s, inbound);
    if (status == EXIT_CLEAN)
        status = tell_errors(s->command, s->common, report, met);
    free(met);
    return status == EXIT_CLEAN ? print(s, served) : status;
}

int server_explain(const struct serving *s)
{
    struct xds_server *server = xds_server_new(s->input->check, s->client);
    struct server_base base;
    const bool known = server_base_read(&base, s->settings, s->certificates, s->tls);
    int status;

    base.inbound.rpc = s->request->rpc;
    if (!known || !server)
        status = trouble(s->command, "out of memory");
    else if (s->requests)
        status = answer_many(s, server, &base.inbound);
    else
        status = answer_one(s, server, &base.inbound);
    xds_server_free(server);
    server_base_release(&base);
    return status;
}
