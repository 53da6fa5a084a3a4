/*
 * request.h - the options that describe one RPC.
 *
 * Takes:  --target, --path, -H, --cookie and the like.
 * Gives:  struct xds_request; texts are those of the command line or the request's own.
 */
#ifndef XDS_CLI_REQUEST_H
#define XDS_CLI_REQUEST_H

#include "cli/files/input.h"
#include "cli/options/options.h"

/* What the settings of such a command begin with. */
struct request_settings {
    struct input_settings input;
    const char *target, *listener, *route_config, *authority, *path;
    struct text_list headers, cookies, cookie_hosts;
    const char *cookie_cluster, *channel_id, *hash;
    struct text_list random, down, idle, connecting;
    const char *state;
    const char *observed_host, *why_not;
};

extern const struct option_group request_options;

struct request {
    const struct command *command;
    struct xds_request rpc;
    struct xds_header *headers;
    double *random;
    struct xds_assumption *assumptions;
    size_t header_cap, random_cap, assumption_cap;
    char *cookies;             /* the value of the cookie header */
    struct xds_parsed *states; /* of --state: the addresses point there */
    char *cookie_value; /* of the session cookie that is to be named yet, or NULL */
};

/* EXIT_CLEAN, or the exit code after a message. Release it in any case. */
int request_read(struct request *request, const struct command *command,
                 const struct request_settings *settings);
/* Send cookie_value under this name. False when there is no memory. */
bool request_name_cookie(struct request *request, struct xds_slice name);
void request_release(struct request *request);

/* The request of one line. */
struct request_line {
    struct xds_json_requests *reader; /* which has just read it */
    const struct xds_request *rpc;
};

/* What all lines share. */
struct requests {
    const struct command *command;
    const struct request *base;   /* what a line does not say */
    const struct xds_printer *to; /* where the place of a line that is no request stays
                                     taken; NULL: nowhere */
    bool every_route;
    /* The exit code of a request; *complaint: what is wrong with it, if anything is. */
    int (*answer)(const struct requests *requests, const struct request_line *line,
                  const char **complaint);
    void *user;
    const struct xds_inbound *inbound; /* what a line of an RPC at a server does not say;
                                          NULL: the lines are RPCs of clients */
};

/* What is wrong with a request that the explainer answers with XDS_ERR_USAGE. */
#define REQUESTS_NEED_TARGET                                                             \
    "needs \"target\" or \"listener\", as there is not just one listener"

/* Answer the lines of a file, "-" is standard input. The highest exit code of the
 * answers, EXIT_USAGE for a line that is no request, and EXIT_TROUBLE. */
int requests_answer(const struct requests *requests, const char *path);

/* base64 of "ADDR,ADDR;CLUSTER", to be freed; NULL when there is no memory. cluster NULL:
 * no cluster part. */
char *cookie_value(const struct text_list *hosts, const char *cluster);

#endif
