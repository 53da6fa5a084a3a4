/*
 * pick_first.c - the PickFirst LB policy.
 *
 * Source: spec cluster 1.6.1; gRFC A62.
 */
#include "rules/lb_policy/lb_policy.h"

static void read_pick_first(const struct xds_lb_walk *walk, const struct xds_path *at,
                            const ProtobufCMessage *message, struct xds_lb_policy *out)
{
    const pb_pick_first *pb = (const pb_pick_first *)message;

    (void)walk;
    (void)at;
    out->kind = XDS_LB_PICK_FIRST;
    out->shuffle_address_list = pb->shuffle_address_list;
}

const struct xds_lb_converter xds_lb_pick_first = {
    .type =
        &envoy__extensions__load_balancing_policies__pick_first__v3__pick_first__descriptor,
    .label = "PickFirst",
    .clients = XDS_ALL_CLIENTS,
    .guarded = true,
    .guard = XDS_ENV_PICKFIRST_LB_CONFIG,
    .read = read_pick_first,
};
