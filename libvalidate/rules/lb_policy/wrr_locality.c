/*
 * wrr_locality.c - the WrrLocality LB policy: another list below the locality layer.
 *
 * Source: spec cluster 1.6.1; gRFC A52.
 */
#include "rules/lb_policy/lb_policy.h"

static void read_wrr_locality(const struct xds_lb_walk *walk, const struct xds_path *at,
                              const ProtobufCMessage *message, struct xds_lb_policy *out)
{
    const pb_wrr_locality *pb = (const pb_wrr_locality *)message;

    (void)out;
    if (pb->endpoint_picking_policy)
        xds_lb_list_read(&(struct xds_lb_walk){walk->ctx, walk->depth + 1, true,
                                               walk->first, walk->choice},
                         XDS_AT(at, "endpoint_picking_policy"),
                         pb->endpoint_picking_policy);
    else
        xds_fire(walk->ctx, at, XDS_R_LB_WRR_LOCALITY_CHILD);
}

const struct xds_lb_converter xds_lb_wrr_locality = {
    .type =
        &envoy__extensions__load_balancing_policies__wrr_locality__v3__wrr_locality__descriptor,
    .label = "WrrLocality",
    .clients = XDS_ALL_CLIENTS,
    .nests = true,
    .read = read_wrr_locality,
};
