/* http_connection_manager.h - the reader that listeners call. */
#ifndef XDS_RULES_HTTP_CONNECTION_MANAGER_H
#define XDS_RULES_HTTP_CONNECTION_MANAGER_H

#include "rules/readers.h"

/* Fills the parts of a client's listener that the HttpConnectionManager holds; at is its
 * own path. False when it names no routes. */
bool xds_http_connection_manager_read(struct xds_ctx *ctx, const struct xds_path *at,
                                      const pb_http_connection_manager *pb,
                                      struct xds_listener *out);

#endif
