/*
 * state.h - --state: the connection states that an answer assumes.
 *
 * Takes:  a JSON object of addresses and states.
 * Gives:  assumptions of the request.
 */
#ifndef XDS_CLI_STATE_H
#define XDS_CLI_STATE_H

#include "cli/request.h"

/* Add what the file says. The addresses stay in *json, which the caller deletes behind
 * the request. EXIT_CLEAN, or the exit code after a message. */
int state_read(struct request *request, const char *path, struct xds_parsed **json);

#endif
