/*
 * wrr_locality.c - the WrrLocality LB policy: another list below the locality layer.
 *
 * Takes:  a WrrLocality message.
 * Gives:  the choices of the list below it, with wrr_locality set.
 * Fires:  the row of wrr_locality.def, and what the inner list fires.
 * Source: spec cluster 1.6.1; gRFC A52.
 */
#include "rules/lb_policy/lb_policy.h"

static void read_wrr_locality(const struct xds_lb_walk *walk, const struct xds_path *at,
                              const ProtobufCMessage *message, struct xds_lb_policy *out)
{
    const pb_wrr_locality *pb = (const pb_wrr_locality *)message;
    const struct xds_path *child_at = XDS_AT(at, "endpoint_picking_policy");

    (void)out;
    if (!pb->endpoint_picking_policy) {
        xds_fire(walk->ctx, child_at, XDS_R_LB_WRR_LOCALITY_CHILD, "field not present");
        return;
    }
    xds_lb_list_read(&(struct xds_lb_walk){walk->ctx, walk->depth + 1, true, walk->first,
                                           walk->choice},
                     child_at, pb->endpoint_picking_policy);
}

const struct xds_lb_converter xds_lb_wrr_locality = {
    .type =
        &envoy__extensions__load_balancing_policies__wrr_locality__v3__wrr_locality__descriptor,
    .label = "WrrLocality",
    .clients = XDS_ALL_CLIENTS,
    .nests = true,
    .read = read_wrr_locality,
};
