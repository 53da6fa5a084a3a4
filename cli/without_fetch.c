/* without_fetch.c - in place of the network, for a program built without one. */
#include "cli/fetch.h"

int fetch(const struct command *command, const struct peer_common *settings,
          const struct fetch_request *request, struct xds_slice *bytes)
{
    const char *address = request->address ? request->address : "localhost:1";
    struct peer peer;
    int status = peer_read(&peer, command, &settings->peer, address);

    if (status == EXIT_CLEAN)
        status = usage_error(
            command, "%s: this program was built without a network (WITHOUT_FETCH=1)",
            request->address ? address : "bootstrap");
    peer_release(&peer);
    *bytes = (struct xds_slice){NULL, 0};
    return status;
}
