/* metadata.h - what the header matchers and hash policies of a client can see. */
#ifndef XDS_ROUTE_METADATA_H
#define XDS_ROUTE_METADATA_H

#include "route/rpc.h"

/* The value of a header, several values joined with ','; false when it is absent for
 * this client. name is the one in the resource, verbatim. */
bool xds_metadata_get(const struct xds_rpc *rpc, struct xds_slice name,
                      struct xds_slice *value);
/* The same for a hash policy, which reads no binary header. */
bool xds_metadata_get_hashed(const struct xds_rpc *rpc, struct xds_slice name,
                             struct xds_slice *value);
/* Why this client sees no header of that name, whatever the request carries; NULL when it
 * can. */
const char *xds_metadata_hidden(const struct xds_rpc *rpc, struct xds_slice name);
/* The i-th request header named `name` (lower case), counting from 0. */
bool xds_metadata_nth(const struct xds_rpc *rpc, struct xds_slice name, size_t i,
                      struct xds_slice *value);

#endif
