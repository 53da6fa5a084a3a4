/*
 * server.h - explain --server: what becomes of an RPC that arrives.
 */
#ifndef XDS_CLI_EXPLAIN_SERVER_H
#define XDS_CLI_EXPLAIN_SERVER_H

#include "cli/explain/certificates.h"
#include "cli/explain/request.h"
#include "cli/files/output.h"

struct server_settings {
    const char *server, *local, *peer, *subject, *sni;
    struct text_list sans;
    bool plaintext;
    bool end_to_end;           /* server, if any, is the host that is meant */
    const char *server_client; /* of --end-to-end: the implementation of the server */
    struct certificate_settings certificates;
};

/* What is known of the connection, and the memory of it. */
struct server_base {
    struct xds_inbound inbound; /* without the RPC */
    struct xds_certificate certificate;
    struct xds_san *sans;
};

/* False when there is no memory. Release it in any case. */
bool server_base_read(struct server_base *base, const struct server_settings *settings,
                      const struct certificates *certificates, bool tls);
void server_base_release(struct server_base *base);

/* EXIT_CLEAN, or EXIT_USAGE after a message; also where --server is not given. tls: of
 * the option that --from has, too. many: the RPCs are lines, which may say for themselves
 * what is missing. */
int server_check(const struct command *command, const struct server_settings *settings,
                 bool tls, bool many);

/* One run of it. */
struct serving {
    const struct command *command;
    const struct common *common;
    const struct server_settings *settings;
    const struct certificates *certificates;
    bool tls; /* see server_check() */
    struct input *input;
    enum xds_client client;
    struct request *request;
    const char *requests; /* of --requests, or NULL */
    unsigned format;      /* as in formats[] of cmd_explain.c */
    bool every_route;
};

/* What an answer is printed to: EXIT_CLEAN, or the exit code after a message. */
int serving_open(const struct serving *s, bool color, struct output *out);

int server_explain(const struct serving *serving);

#endif
