/* client.h - clients by name, as options take them. */
#ifndef XDS_CLI_CLIENT_H
#define XDS_CLI_CLIENT_H

#include "cli/common.h"
#include "include/xdscope.h"

/* The names of all clients, and the same and "all"; up to NULL. */
extern const char *const client_words[];
extern const char *const client_or_all_words[];

/* Whom an option asks, see xds_options_ask(): lists of clients and releases; without any,
 * the documents. False after a message. */
bool ask_clients(const struct command *command, const struct text_list *lists,
                 struct xds_options *asked);
/* The same of one client at one release; without a name, C-core. What else is in *asked
 * stays. */
bool ask_client(const struct command *command, const char *name,
                struct xds_options *asked, enum xds_client *client);

/* A line for each client: its name, what it was judged from, the newest release run. */
void print_clients(FILE *to);

#endif
