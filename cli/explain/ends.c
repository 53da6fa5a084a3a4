/* ends.c - explain --end-to-end: the options, and the answer. */
#include "cli/explain/ends.h"

#include <string.h>

typedef enum xds_status (*print_fn)(const struct xds_printer *to,
                                    const struct xds_joint *joint);

static const struct format {
    print_fn print; /* NULL: there is none */
    bool color;
    const char *word;
} formats[] = {
#define FORMAT_EXPLAIN(word, print, color, one_only, served, joint) {joint, color, word},
#include "cli/formats.def"
};

int ends_ask(const struct command *command, const struct server_settings *settings,
             enum xds_client client, struct xds_options *asked, enum xds_client *server)
{
    struct xds_options of_server = {.clients = 0};

    *server = client;
    if (!settings->server_client)
        return EXIT_CLEAN;
    if (!ask_client(command, settings->server_client, &of_server, server))
        return EXIT_USAGE;
    if (*server == client)
        return memcmp(&of_server.release[client], &asked->release[client],
                      sizeof asked->release[client]) == 0
                   ? EXIT_CLEAN
                   : usage_error(command, "--server-client: one implementation at two "
                                          "releases; both ends must have the same one");
    asked->clients |= of_server.clients;
    asked->documents = asked->documents || of_server.documents;
    asked->release[*server] = of_server.release[*server];
    for (size_t i = 0; i < ARRAY_LEN(asked->asked); i++)
        asked->asked[i] |= of_server.asked[i];
    return EXIT_CLEAN;
}

int ends_begin(struct ends *ends, const struct serving *s, enum xds_client server)
{
    *ends = (struct ends){.command = s->command};
    if (!s->settings->end_to_end)
        return EXIT_CLEAN;
    if (!formats[s->format].print)
        return usage_error(s->command, "--end-to-end has no format %s",
                           formats[s->format].word);
    ends->joiner = xds_joiner_new(s->input->check, s->client, server);
    return server_base_read(&ends->base, s->settings, s->certificates, s->tls) &&
                   ends->joiner
               ? EXIT_CLEAN
               : trouble(s->command, "out of memory");
}

int ends_join(struct ends *ends, const struct xds_decision *decision,
              const struct xds_joint **joint)
{
    const struct xds_slice peer = ends->base.inbound.peer;

    *joint = NULL;
    if (!ends->joiner)
        return EXIT_CLEAN;
    switch (xds_join(ends->joiner, decision, &ends->base.inbound, joint)) {
    case XDS_OK:
        return EXIT_CLEAN;
    case XDS_ERR_USAGE:
        return usage_error(ends->command,
                           "--peer: '%.*s' is not an IP address, with or without a port",
                           (int)peer.len, peer.data);
    case XDS_END:
    case XDS_ERR_NO_MEMORY:
    case XDS_ERR_IO:
        break;
    }
    return trouble(ends->command, "out of memory");
}

void ends_release(struct ends *ends)
{
    xds_joiner_free(ends->joiner);
    server_base_release(&ends->base);
}

int ends_print(const struct serving *s, const struct xds_joint *joint)
{
    const struct format *format = &formats[s->format];
    struct output out;
    int status = serving_open(s, format->color, &out);

    if (status != EXIT_CLEAN)
        return status;
    status = output_close(&out, format->print(&out.printer, joint));
    return worse(status, xds_joint_well(joint) ? EXIT_CLEAN : EXIT_FINDINGS);
}
