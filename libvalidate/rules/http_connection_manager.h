/* http_connection_manager.h - the reader that listeners call. */
#ifndef XDS_RULES_HTTP_CONNECTION_MANAGER_H
#define XDS_RULES_HTTP_CONNECTION_MANAGER_H

#include "rules/readers.h"

/* Fills the parts of a client's listener that an HttpConnectionManager holds. Fires
 * other_type where the Any holds something else, and unparsable where nothing can be
 * read. filters_only: the readers that look at http_filters and at nothing else. False
 * when it names no routes. */
bool xds_http_connection_manager_read(struct xds_ctx *ctx,
                                      const struct xds_extension *ext,
                                      enum xds_rule_id other_type,
                                      enum xds_rule_id unparsable,
                                      xds_readers filters_only, struct xds_listener *out);

#endif
