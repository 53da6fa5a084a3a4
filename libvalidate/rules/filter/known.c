/*
 * known.c - the HTTP filters that are recognised by type, their content not judged.
 *
 * Gives:  one descriptor each.
 * Source: gRFC A33, A41, A83, A103, drafts A92, A93, spec section 4.1.
 */
#include "rules/filter/filter.h"

#define HTTP "envoy.extensions.filters.http."

const struct xds_filter_type xds_filter_composite = {
    .kind = XDS_FILTER_COMPOSITE,
    .type = "envoy.extensions.common.matching.v3.ExtensionWithMatcher",
    .override_type = "envoy.extensions.common.matching.v3.ExtensionWithMatcherPerRoute",
    .guarded = XDS_GRFC | XDS_CORE,
    .guard = XDS_ENV_COMPOSITE_FILTER,
    .override_for = XDS_ALL_CLIENTS,
    .on_clients = true,
    .config_words = "composite filter config",
    .override_words = "composite filter override config",
};

const struct xds_filter_type xds_filter_ext_authz = {
    .kind = XDS_FILTER_EXT_AUTHZ,
    .type = HTTP "ext_authz.v3.ExtAuthz",
    .override_type = HTTP "ext_authz.v3.ExtAuthzPerRoute",
    .guarded = XDS_GRFC,
    .guard = XDS_ENV_EXT_AUTHZ_ON_CLIENT,
    .override_for = XDS_ALL_CLIENTS,
    .on_clients = true,
    .config_words = "external authorization filter config",
    .override_words = "external authorization filter override config",
};

const struct xds_filter_type xds_filter_ext_proc = {
    .kind = XDS_FILTER_EXT_PROC,
    .type = HTTP "ext_proc.v3.ExternalProcessor",
    .override_type = HTTP "ext_proc.v3.ExtProcPerRoute",
    .guarded = XDS_GRFC | XDS_GO | XDS_JAVA,
    .guard = XDS_ENV_EXT_PROC_ON_CLIENT,
    .override_for = XDS_ALL_CLIENTS & ~XDS_JAVA,
    .on_clients = true,
    .config_words = "external processing filter config",
    .override_words = "external processing filter override config",
};

const struct xds_filter_type xds_filter_fault = {
    .kind = XDS_FILTER_FAULT,
    .type = HTTP "fault.v3.HTTPFault",
    .override_type = HTTP "fault.v3.HTTPFault",
    .known_to = XDS_ALL_CLIENTS,
    .override_for = XDS_ALL_CLIENTS,
    .on_clients = true,
    .config_words = "fault injection filter config",
    .override_words = "fault injection filter config",
};

/* Its override has no type of its own: gRFC A83 reads one like the config; core has
 * none. */
const struct xds_filter_type xds_filter_gcp_authn = {
    .kind = XDS_FILTER_GCP_AUTHN,
    .type = HTTP "gcp_authn.v3.GcpAuthnFilterConfig",
    .override_type = HTTP "gcp_authn.v3.GcpAuthnFilterConfig",
    .known_to = XDS_CORE | XDS_JAVA,
    .guarded = XDS_GRFC,
    .guard = XDS_ENV_GCP_AUTHENTICATION_FILTER,
    .override_for = XDS_GRFC | XDS_JAVA,
    .on_clients = true,
    .config_words = "GCP auth filter config",
    .override_words = "GCP auth filter config",
};

/* node takes no override, whatever its guard says (P5). */
const struct xds_filter_type xds_filter_rbac = {
    .kind = XDS_FILTER_RBAC,
    .type = HTTP "rbac.v3.RBAC",
    .override_type = HTTP "rbac.v3.RBACPerRoute",
    .known_to = XDS_ALL_CLIENTS & ~XDS_NODE,
    .guarded = XDS_NODE,
    .guard = XDS_ENV_RBAC,
    .override_for = XDS_ALL_CLIENTS & ~XDS_NODE,
    .config_words = "HTTP RBAC filter config",
    .override_words = "RBACPerRoute",
};
