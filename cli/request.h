/*
 * request.h - the options that describe one RPC.
 *
 * Takes:  --target, --path, -H, --cookie and the like.
 * Gives:  struct xds_request; texts are those of the command line or the request's own.
 */
#ifndef XDS_CLI_REQUEST_H
#define XDS_CLI_REQUEST_H

#include "cli/input.h"

/* What the settings of such a command begin with. */
struct request_settings {
    struct input_settings input;
    const char *target, *listener, *authority, *path;
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
    struct xds_parsed *states; /* of --state: the addresses stand there */
    char *cookie_value; /* of the session cookie that is to be named yet, or NULL */
};

/* EXIT_CLEAN, or the exit code after a message. Release it in any case. */
int request_read(struct request *request, const struct command *command,
                 const struct request_settings *settings);
/* Add a state to it; text is borrowed. False when there is no memory. */
bool request_assume(struct request *request, struct xds_slice address,
                    enum xds_connectivity state);
/* Send cookie_value under this name. False when there is no memory. */
bool request_name_cookie(struct request *request, struct xds_slice name);
void request_release(struct request *request);

#endif
