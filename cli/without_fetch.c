/* without_fetch.c - in place of the network, for a program built without one. */
#include "cli/fetch.h"

int fetch(const struct command *command, const struct peer_common *settings,
          enum fetch_kind kind, const char *address, struct xds_slice *bytes)
{
    struct peer peer;
    int status = peer_read(&peer, command, &settings->peer, address);

    (void)kind;
    if (status == EXIT_CLEAN)
        status = usage_error(
            command, "%s: this program was built without a network (WITHOUT_FETCH=1)",
            address);
    peer_release(&peer);
    *bytes = (struct xds_slice){NULL, 0};
    return status;
}
