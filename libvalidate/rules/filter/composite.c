/*
 * composite.c - the composite filter: it runs other filters as a matcher tree says.
 *
 * Gives:  its descriptor.
 * Source: gRFC A103, spec section 9.3.
 */
#include "rules/filter/filter.h"

const struct xds_filter_type xds_filter_composite = {
    .kind = XDS_FILTER_COMPOSITE,
    .type = "envoy.extensions.common.matching.v3.ExtensionWithMatcher",
    .override_type = "envoy.extensions.common.matching.v3.ExtensionWithMatcherPerRoute",
    .guarded = XDS_GRFC | XDS_CORE,
    .guard = XDS_ENV_COMPOSITE_FILTER,
    .server_guard = XDS_ENV_COMPOSITE_FILTER,
    .override_for = XDS_ALL_CLIENTS,
    .on_clients = true,
    .config_words = "composite filter config",
    .override_words = "composite filter override config",
};
