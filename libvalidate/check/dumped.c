/* dumped.c - the client that an input is a dump of. */
#include "clients/readers.h"
#include "source/walk.h"

struct xds_client_label xds_source_client(struct xds_source *source)
{
    const struct xds_dumped_client *dumped = xds_source_dumped(source);

    return xds_user_agent_label(xds_slice_of(dumped->name),
                                xds_slice_of(dumped->version));
}
