/*
 * least_request.c - the LeastRequest LB policy, which only go and java have.
 *
 * Source: spec cluster 1.6.1; gRFC A48.
 */
#include "rules/lb_policy/lb_policy.h"

static void read_least_request(const struct xds_lb_walk *walk, const struct xds_path *at,
                               const ProtobufCMessage *message, struct xds_lb_policy *out)
{
    const pb_least_request *pb = (const pb_least_request *)message;

    out->kind = XDS_LB_LEAST_REQUEST;
    out->choice_count = XDS_CHOICE_COUNT_DEFAULT;
    if (!pb->choice_count)
        return;
    out->has_choice_count = true;
    out->choice_count = pb->choice_count->value;
    if (out->choice_count < 2 || out->choice_count > INT32_MAX)
        xds_fire_for(walk->ctx, at,
                     out->choice_count == 0
                         ? ~xds_who(walk->ctx, XDS_DIFF_CHOICE_COUNT_ZERO)
                     : out->choice_count < 2 ? XDS_EVERYONE
                                             : xds_who(walk->ctx, XDS_DIFF_UINT32_SIGNED),
                     XDS_R_LB_LEAST_REQUEST_CHOICES,
                     XDS_WITH(xds_number(walk->ctx, (int64_t)out->choice_count)));
}

const struct xds_lb_converter xds_lb_least_request = {
    .type =
        &envoy__extensions__load_balancing_policies__least_request__v3__least_request__descriptor,
    .label = "LeastRequest",
    .clients = XDS_GO | XDS_JAVA,
    .guarded = true,
    .guard = XDS_ENV_ENABLE_LEAST_REQUEST,
    .guards_some = true,
    .guards_for = XDS_DIFF_LEAST_REQUEST_GUARDED,
    .read = read_least_request,
};
