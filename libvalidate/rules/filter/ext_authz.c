/*
 * ext_authz.c - the external authorization filter.
 *
 * Gives:  its descriptor.
 * Source: gRFC draft A92, spec section 9.4.
 */
#include "rules/filter/filter.h"

const struct xds_filter_type xds_filter_ext_authz = {
    .kind = XDS_FILTER_EXT_AUTHZ,
    .type = "envoy.extensions.filters.http.ext_authz.v3.ExtAuthz",
    .override_type = "envoy.extensions.filters.http.ext_authz.v3.ExtAuthzPerRoute",
    .guarded = XDS_GRFC,
    .guard = XDS_ENV_EXT_AUTHZ_ON_CLIENT,
    .server_guard = XDS_ENV_EXT_AUTHZ_ON_SERVER,
    .override_for = XDS_ALL_CLIENTS,
    .on_clients = true,
    .on_servers = true,
    .config_words = "external authorization filter config",
    .override_words = "external authorization filter override config",
};
