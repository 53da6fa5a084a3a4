/*
 * ends.h - explain --end-to-end: both ends of one RPC.
 */
#ifndef XDS_CLI_EXPLAIN_ENDS_H
#define XDS_CLI_EXPLAIN_ENDS_H

#include "cli/explain/server.h"

struct ends {
    const struct command *command;
    struct xds_joiner *joiner; /* NULL: it is not asked for */
    struct server_base base;
};

/* --server-client, into what is asked. Without it the server is the same as the client.
 * EXIT_CLEAN, or EXIT_USAGE after a message. */
int ends_ask(const struct command *command, const struct server_settings *settings,
             enum xds_client client, struct xds_options *asked, enum xds_client *server);

/* Of --end-to-end; else nothing is done, and ends_join() gives NULL. EXIT_CLEAN, or the
 * exit code after a message. Release it in any case. */
int ends_begin(struct ends *ends, const struct serving *serving, enum xds_client server);
int ends_join(struct ends *ends, const struct xds_decision *decision,
              const struct xds_joint **joint);
void ends_release(struct ends *ends);

/* Prints the answer. */
int ends_print(const struct serving *serving, const struct xds_joint *joint);

#endif
