/*
 * names.c - the words for the values of the model.
 *
 * Source: gRFC A6, A44, A52.
 */
#include "model/names.h"

#include <stddef.h>

#include "model/endpoint.h"
#include "model/route_config.h"

const struct xds_retry_name xds_retry_names[XDS_RETRY_CODES] = {
    {XDS_RETRY_CANCELLED, "CANCELLED"},
    {XDS_RETRY_DEADLINE_EXCEEDED, "DEADLINE_EXCEEDED"},
    {XDS_RETRY_INTERNAL, "INTERNAL"},
    {XDS_RETRY_RESOURCE_EXHAUSTED, "RESOURCE_EXHAUSTED"},
    {XDS_RETRY_UNAVAILABLE, "UNAVAILABLE"},
};

const struct xds_lb_name xds_lb_names[XDS_LB_NAMES] = {
#define XDS_LB_NAME(name, core, go, java, node, words, ...)                              \
    {.of = {core, core, go, java, node}, .sentence = (words), .bare = __VA_ARGS__},
#include "model/lb_policies.def"
};

const char *xds_lb_name_in(const struct xds_options *options, enum xds_client client,
                           enum xds_lb_named named)
{
    const struct xds_lb_name *policy = &xds_lb_names[named];

    return policy->former && xds_differs(options, client, policy->before)
               ? policy->former
               : policy->of[xds_client_as(client)];
}

bool xds_lb_goes_by(const struct xds_lb_name *policy, struct xds_slice name)
{
    for (size_t c = 0; c < XDS_ARRAY_LEN(policy->of); c++)
        if (policy->of[c] && xds_slice_is(name, policy->of[c]))
            return true;
    return policy->former && xds_slice_is(name, policy->former);
}

const struct xds_lb_traits xds_lb_kinds[XDS_LB_KINDS] = {
#define XDS_LB_KIND(kind, machine, ...) {.named = XDS_NAMED_##kind, __VA_ARGS__},
#include "model/lb_policies.def"
};

#define AT(member) offsetof(struct xds_lb_policy, member)
const struct xds_lb_member xds_lb_members[] = {
#define XDS_LB_MEMBER(kind, name, of_node, type, member, ...)                            \
    {XDS_LB_##kind, name, of_node, XDS_TREE_##type, AT(member), __VA_ARGS__},
#include "model/lb_policies.def"
};
const size_t xds_lb_n_members = XDS_ARRAY_LEN(xds_lb_members);

struct xds_slice xds_lb_title(const struct xds_lb_policy *policy)
{
    return policy->name.len > 0 ? policy->name
                                : xds_slice_of(xds_lb_traits(policy)->title);
}

const char *xds_lb_hashing(void)
{
    size_t i = 0;

    while (!xds_lb_kinds[i].hashes)
        i++;
    return xds_lb_kinds[i].title;
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

const char *xds_health_name(enum xds_health health)
{
    static const char *const names[] = {
        [XDS_HEALTH_UNKNOWN] = "UNKNOWN",
        [XDS_HEALTH_HEALTHY] = "HEALTHY",
        [XDS_HEALTH_UNHEALTHY] = "UNHEALTHY",
        [XDS_HEALTH_DRAINING] = "DRAINING",
        [XDS_HEALTH_TIMEOUT] = "TIMEOUT",
        [XDS_HEALTH_DEGRADED] = "DEGRADED",
        [XDS_HEALTHS] = "UNKNOWN",
    };
    return names[health];
}
