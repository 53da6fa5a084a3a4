/* client.h - clients by name, as options take them. */
#ifndef XDS_CLI_CLIENT_H
#define XDS_CLI_CLIENT_H

#include "cli/common.h"
#include "include/xdscope.h"

/* The names of all clients, and the same and "all"; up to NULL. */
extern const char *const client_words[];
extern const char *const client_or_all_words[];

/* By name or alias. False after a message. */
bool parse_client(const struct command *command, struct xds_slice name,
                  enum xds_client *client);

/* A line for each client: its name, what it was judged from, the newest release run. */
void print_clients(FILE *to);

#endif
