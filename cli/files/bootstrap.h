/* bootstrap.h - the gRPC bootstrap of an option. */
#ifndef XDS_CLI_BOOTSTRAP_H
#define XDS_CLI_BOOTSTRAP_H

#include "cli/options/common.h"

/* EXIT_CLEAN, or EXIT_USAGE after a message. The name is that of the file, for
 * messages. */
int bootstrap_is_json(const struct command *command, const char *name,
                      const struct xds_parsed *bootstrap);
/* EXIT_CLEAN, or EXIT_USAGE or EXIT_TROUBLE after a line for each reason why the client
 * refuses it. */
int bootstrap_check(const struct command *command, const char *name,
                    struct xds_parsed *bootstrap, struct xds_client_release who,
                    const struct xds_options *options);
/* The same of each client that is asked about; of all of them it is no more than said. */
int bootstrap_check_asked(const struct command *command, const char *name,
                          struct xds_parsed *bootstrap,
                          const struct xds_options *options);

#endif
