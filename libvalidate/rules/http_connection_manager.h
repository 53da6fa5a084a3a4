/* http_connection_manager.h - the readers that listeners call. */
#ifndef XDS_RULES_HTTP_CONNECTION_MANAGER_H
#define XDS_RULES_HTTP_CONNECTION_MANAGER_H

#include "rules/readers.h"

/* Fills the parts of a client's listener that the HttpConnectionManager holds; at is its
 * own path. filters_only: the clients that look at its http_filters and at nothing else.
 * False when it names no routes. */
bool xds_http_connection_manager_read(struct xds_ctx *ctx, const struct xds_path *at,
                                      const pb_http_connection_manager *pb,
                                      unsigned filters_only, struct xds_listener *out);

/* What an Any holds when it is an HttpConnectionManager that was decoded, else NULL. */
const pb_http_connection_manager *
xds_http_connection_manager_of(const struct xds_extension *ext);
/* The clients to which the Any holds something else: go, java and node know only the
 * canonical URL of an HttpConnectionManager (G13). */
unsigned xds_http_connection_manager_foreign_to(const struct xds_extension *ext);

#endif
