/*
 * ring_hash.c - the RingHash LB policy.
 *
 * Takes:  a RingHash message.
 * Gives:  kind and ring sizes of the model, defaults put in.
 * Fires:  the rows of ring_hash.def.
 * Source: spec cluster 1.6.1, 1.7; gRFC A42, A52.
 */
#include "rules/lb_policy/lb_policy.h"

#define FUNCTION(name)                                                                   \
    ENVOY__EXTENSIONS__LOAD_BALANCING_POLICIES__RING_HASH__V3__RING_HASH__HASH_FUNCTION__##name

static void check_size(const struct xds_lb_walk *walk, const struct xds_path *at,
                       const pb_u_int64_value *pb)
{
    if (!pb)
        return;
    if (walk->depth == 0) /* below WrrLocality node does not look at the config */
        xds_fire(walk->ctx, at, XDS_R_LB_RING_NODE_SIZE,
                 "ring_hash sizes must be a number if provided");
    if (pb->value < 1 || pb->value > XDS_RING_SIZE_MAX)
        xds_fire_for(walk->ctx, at,
                     XDS_GRFC | XDS_CORE | (pb->value > 0 ? XDS_GO : 0) |
                         (xds_ring_size_below_1_in_java(pb->value) ? XDS_JAVA : 0),
                     XDS_R_LB_RING_SIZE, "value must be in the range [1, %u]",
                     XDS_RING_SIZE_MAX);
}

static uint64_t size_or(const pb_u_int64_value *pb, uint64_t unset)
{
    return pb ? pb->value : unset;
}

/* The same for go, which takes an explicit 0 for unset one step later. */
static uint64_t go_size(const pb_u_int64_value *pb, uint64_t unset, uint64_t zero)
{
    return pb && pb->value == 0 ? zero : size_or(pb, unset);
}

/* The clients for which the minimum ends up above the maximum. */
static unsigned sizes_refused_by(const pb_ring_hash *pb, const struct xds_lb_policy *ring)
{
    const uint64_t go_min = go_size(pb->minimum_ring_size, XDS_RING_SIZE_MIN_DEFAULT,
                                    XDS_RING_SIZE_MIN_DEFAULT);
    const uint64_t go_max =
        go_size(pb->maximum_ring_size, XDS_RING_SIZE_MAX, XDS_RING_SIZE_CAP);
    unsigned clients = 0;

    if (ring->min_ring_size > ring->max_ring_size)
        clients |= XDS_GRFC | XDS_CORE;
    if (xds_ring_size_cap(ring->min_ring_size) > xds_ring_size_cap(ring->max_ring_size))
        clients |= XDS_JAVA;
    if (go_min > go_max)
        clients |= XDS_GO;
    return clients;
}

static void check_order(const struct xds_lb_walk *walk, const struct xds_path *at,
                        const pb_ring_hash *pb, const struct xds_lb_policy *ring)
{
    const unsigned refuse = sizes_refused_by(pb, ring);

    if (!refuse || (!pb->minimum_ring_size && ring->max_ring_size == 0))
        return;
    if (pb->minimum_ring_size)
        xds_fire_for(walk->ctx, XDS_AT(at, "minimum_ring_size"), refuse,
                     XDS_R_LB_RING_ORDER, "cannot be greater than maximum_ring_size");
    else /* found by the policy's own parser */
        xds_fire_for(walk->ctx, XDS_AT(NULL, "load_balancing_policy"),
                     xds_lb_parsed_by(walk, refuse), XDS_R_LB_RING_DEFAULT_MIN, "%.*s",
                     XDS_FMT(xds_lb_parser_text(
                         walk, XDS_S("errors validating ring_hash LB policy config: "
                                     "[field: error:maxRingSize cannot be smaller than "
                                     "minRingSize]"))));
}

static void check_function(struct xds_ctx *ctx, const struct xds_path *at,
                           const pb_ring_hash *pb)
{
    if (pb->hash_function == FUNCTION(XX_HASH))
        return;
    xds_fire_for(ctx, XDS_AT(at, "hash_function"),
                 pb->hash_function == FUNCTION(DEFAULT_HASH) ? XDS_ALL_CLIENTS & ~XDS_CORE
                                                             : XDS_ALL_CLIENTS,
                 XDS_R_LB_RING_FUNCTION, "unsupported value (must be XX_HASH)");
}

static void read_ring_hash(const struct xds_lb_walk *walk, const struct xds_path *at,
                           const ProtobufCMessage *message, struct xds_lb_policy *out)
{
    const pb_ring_hash *pb = (const pb_ring_hash *)message;

    out->kind = XDS_LB_RING_HASH;
    out->has_min_ring_size = pb->minimum_ring_size != NULL;
    out->has_max_ring_size = pb->maximum_ring_size != NULL;
    out->min_ring_size = size_or(pb->minimum_ring_size, XDS_RING_SIZE_MIN_DEFAULT);
    out->max_ring_size = size_or(pb->maximum_ring_size, XDS_RING_SIZE_MAX);
    check_function(walk->ctx, at, pb);
    check_size(walk, XDS_AT(at, "maximum_ring_size"), pb->maximum_ring_size);
    check_size(walk, XDS_AT(at, "minimum_ring_size"), pb->minimum_ring_size);
    check_order(walk, at, pb, out);
}

const struct xds_lb_converter xds_lb_ring_hash = {
    .type =
        &envoy__extensions__load_balancing_policies__ring_hash__v3__ring_hash__descriptor,
    .label = "RingHash",
    .clients = XDS_ALL_CLIENTS,
    .read = read_ring_hash,
};
