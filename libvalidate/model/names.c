/*
 * names.c - the words for the values of the model.
 *
 * Source: gRFC A6, A44, A52.
 */
#include "model/names.h"

#include "model/route_config.h"

const struct xds_retry_name xds_retry_names[XDS_RETRY_CODES] = {
    {XDS_RETRY_CANCELLED, "CANCELLED"},
    {XDS_RETRY_DEADLINE_EXCEEDED, "DEADLINE_EXCEEDED"},
    {XDS_RETRY_INTERNAL, "INTERNAL"},
    {XDS_RETRY_RESOURCE_EXHAUSTED, "RESOURCE_EXHAUSTED"},
    {XDS_RETRY_UNAVAILABLE, "UNAVAILABLE"},
};

struct xds_slice xds_lb_title(const struct xds_lb_policy *policy)
{
    static const char *const kinds[] = {
        [XDS_LB_ROUND_ROBIN] = "round_robin",
        [XDS_LB_RING_HASH] = "ring_hash",
        [XDS_LB_LEAST_REQUEST] = "least_request",
        [XDS_LB_PICK_FIRST] = "pick_first",
        [XDS_LB_WEIGHTED_ROUND_ROBIN] = "weighted_round_robin",
        [XDS_LB_OTHER] = "another policy",
    };

    return policy->name.len > 0 ? policy->name : xds_slice_of(kinds[policy->kind]);
}

static const char *const connectivities[] = {
    [XDS_STATE_TRANSIENT_FAILURE] = "TRANSIENT_FAILURE",
    [XDS_STATE_IDLE] = "IDLE",
    [XDS_STATE_CONNECTING] = "CONNECTING",
    [XDS_STATE_READY] = "READY",
};

const char *xds_connectivity_name(enum xds_connectivity state)
{
    return connectivities[state];
}

bool xds_connectivity_from_name(struct xds_slice name, enum xds_connectivity *out)
{
    for (unsigned i = 0; i <= XDS_STATE_READY; i++) {
        if (xds_slice_is(name, connectivities[i])) {
            *out = (enum xds_connectivity)i;
            return true;
        }
    }
    return false;
}
