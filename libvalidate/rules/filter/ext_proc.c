/*
 * ext_proc.c - the external processing filter.
 *
 * Gives:  its descriptor.
 * Source: gRFC draft A93, spec section 9.5.
 */
#include "rules/filter/filter.h"

const struct xds_filter_type xds_filter_ext_proc = {
    .kind = XDS_FILTER_EXT_PROC,
    .type = "envoy.extensions.filters.http.ext_proc.v3.ExternalProcessor",
    .override_type = "envoy.extensions.filters.http.ext_proc.v3.ExtProcPerRoute",
    .guarded = XDS_GRFC | XDS_GO | XDS_JAVA,
    .guard = XDS_ENV_EXT_PROC_ON_CLIENT,
    .server_guard = XDS_ENV_EXT_PROC_ON_SERVER,
    .override_for = XDS_ALL_CLIENTS & ~XDS_JAVA,
    .on_clients = true,
    .on_servers = true,
    .config_words = "external processing filter config",
    .override_words = "external processing filter override config",
};
