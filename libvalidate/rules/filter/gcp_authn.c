/*
 * gcp_authn.c - the GCP authentication filter.
 *
 * Gives:  its descriptor.
 * Source: gRFC A83, spec section 9.2.
 */
#include "rules/filter/filter.h"

/* Its override has no type of its own: gRFC A83 reads one like the config; core has
 * none. */
const struct xds_filter_type xds_filter_gcp_authn = {
    .kind = XDS_FILTER_GCP_AUTHN,
    .type = "envoy.extensions.filters.http.gcp_authn.v3.GcpAuthnFilterConfig",
    .override_type = "envoy.extensions.filters.http.gcp_authn.v3.GcpAuthnFilterConfig",
    .known_to = XDS_CORE | XDS_JAVA,
    .guarded = XDS_GRFC,
    .guard = XDS_ENV_GCP_AUTHENTICATION_FILTER,
    .server_guard = XDS_ENV_GCP_AUTHENTICATION_FILTER,
    .override_for = XDS_GRFC | XDS_JAVA,
    .on_clients = true,
    .config_words = "GCP auth filter config",
    .override_words = "GCP auth filter config",
};
