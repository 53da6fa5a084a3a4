/*
 * round_robin.c - the RoundRobin LB policy.
 *
 * Source: spec cluster 1.6.1; gRFC A52.
 */
#include "rules/lb_policy/lb_policy.h"

static void read_round_robin(const struct xds_lb_walk *walk, const struct xds_path *at,
                             const ProtobufCMessage *message, struct xds_lb_policy *out)
{
    (void)walk;
    (void)at;
    (void)message;
    out->kind = XDS_LB_ROUND_ROBIN;
}

const struct xds_lb_converter xds_lb_round_robin = {
    .type =
        &envoy__extensions__load_balancing_policies__round_robin__v3__round_robin__descriptor,
    .clients = XDS_ALL_CLIENTS,
    .read = read_round_robin,
};
