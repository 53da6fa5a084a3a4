/*
 * fault.c - the fault injection filter.
 *
 * Gives:  its descriptor.
 * Source: gRFC A33, spec section 8.2.
 */
#include "rules/filter/filter.h"

const struct xds_filter_type xds_filter_fault = {
    .kind = XDS_FILTER_FAULT,
    .type = "envoy.extensions.filters.http.fault.v3.HTTPFault",
    .override_type = "envoy.extensions.filters.http.fault.v3.HTTPFault",
    .known_to = XDS_ALL_CLIENTS,
    .override_for = XDS_ALL_CLIENTS,
    .on_clients = true,
    .config_words = "fault injection filter config",
    .override_words = "fault injection filter config",
};
