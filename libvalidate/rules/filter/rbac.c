/*
 * rbac.c - the RBAC filter of servers.
 *
 * Gives:  its descriptor.
 * Source: gRFC A41, spec section 8.3.
 */
#include "rules/filter/filter.h"

/* node takes no override, whatever its guard says (P5). */
const struct xds_filter_type xds_filter_rbac = {
    .kind = XDS_FILTER_RBAC,
    .type = "envoy.extensions.filters.http.rbac.v3.RBAC",
    .override_type = "envoy.extensions.filters.http.rbac.v3.RBACPerRoute",
    .known_to = XDS_ALL_CLIENTS & ~XDS_NODE,
    .guarded = XDS_NODE,
    .guard = XDS_ENV_RBAC,
    .server_guard = XDS_ENV_RBAC,
    .override_for = XDS_ALL_CLIENTS & ~XDS_NODE,
    .on_servers = true,
    .config_words = "HTTP RBAC filter config",
    .override_words = "RBACPerRoute",
};
