/* bootstrap.h - what the gRPC bootstrap file says that changes a verdict. */
#ifndef XDS_CLI_BOOTSTRAP_H
#define XDS_CLI_BOOTSTRAP_H

#include "cli/common.h"

struct cJSON;

struct name_list {
    struct xds_slice *items;
    size_t n;
};

struct bootstrap {
    struct cJSON *json; /* owns the text of the names */
    struct name_list providers, allowed_services;
    struct name_list plugins; /* of providers, one each */
    bool trusted_xds_server;
};

/* EXIT_CLEAN, or the exit code after a message: EXIT_TROUBLE when the file cannot be
 * read, EXIT_USAGE when it is no bootstrap. Release it in any case. */
int bootstrap_read(struct bootstrap *bootstrap, const struct command *command,
                   const char *path);
void bootstrap_release(struct bootstrap *bootstrap);

#endif
