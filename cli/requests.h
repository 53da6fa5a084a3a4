/* requests.h - --requests: many RPCs, one JSON decision per line. */
#ifndef XDS_CLI_REQUESTS_H
#define XDS_CLI_REQUESTS_H

#include "cli/request.h"

/* What all lines share. */
struct requests {
    const struct command *command;
    struct xds_explainer *explainer;
    const struct request *base; /* what a line does not say */
    const struct xds_printer *to;
    bool every_route;
};

/* Answer the lines of a file, "-" is standard input. The highest of EXIT_FINDINGS for an
 * RPC that is not routed, EXIT_USAGE for a line that is no request, and EXIT_TROUBLE. */
int requests_answer(const struct requests *requests, const char *path);

#endif
