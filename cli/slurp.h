/* slurp.h - a whole file in memory. */
#ifndef XDS_CLI_SLURP_H
#define XDS_CLI_SLURP_H

#include "cli/common.h"

/* The bytes of a file with a NUL behind them, "-" is standard input; EXIT_CLEAN, or
 * EXIT_TROUBLE after a message. Free text->data with slurp_free() in any case. */
int slurp(const struct command *command, const char *path, struct xds_slice *text);
/* The same for a file that should be one JSON document and nothing else; *json, which the
 * caller frees, is NULL when EXIT_CLEAN was not the answer. */
int slurp_json(const struct command *command, const char *path, struct xds_parsed **json);
void slurp_free(struct xds_slice text);

#endif
