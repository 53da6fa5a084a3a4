/* requests.h - --requests: many RPCs, one JSON decision per line. */
#ifndef XDS_CLI_REQUESTS_H
#define XDS_CLI_REQUESTS_H

#include "cli/request.h"

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
};

/* What is wrong with a request that the explainer answers with XDS_ERR_USAGE. */
#define REQUESTS_NEED_TARGET                                                             \
    "needs \"target\" or \"listener\", as there is not just one listener"

/* Answer the lines of a file, "-" is standard input. The highest exit code of the
 * answers, EXIT_USAGE for a line that is no request, and EXIT_TROUBLE. */
int requests_answer(const struct requests *requests, const char *path);

#endif
