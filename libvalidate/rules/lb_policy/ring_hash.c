/*
 * ring_hash.c - the RingHash LB policy.
 *
 * Source: spec cluster 1.6.1, 1.7; gRFC A42, A52.
 */
#include <inttypes.h>

#include "rules/lb_policy/lb_policy.h"

#define FUNCTIONS                                                                        \
    envoy__extensions__load_balancing_policies__ring_hash__v3__ring_hash__hash_function__descriptor
#define FUNCTION(name)                                                                   \
    ENVOY__EXTENSIONS__LOAD_BALANCING_POLICIES__RING_HASH__V3__RING_HASH__HASH_FUNCTION__##name

xds_readers xds_ring_size_refused_by(const struct xds_ctx *ctx, uint64_t size)
{
    if (size == 0)
        return ~xds_who(ctx, XDS_DIFF_RING_SIZE_ZERO);
    if (size <= XDS_RING_SIZE_MAX)
        return 0;
    return size > INT64_MAX ? XDS_EVERYONE : ~xds_who(ctx, XDS_DIFF_RING_SIZE_CUT);
}

static uint64_t cut_size(uint64_t size)
{
    return size < XDS_RING_SIZE_CAP ? size : XDS_RING_SIZE_CAP;
}

xds_readers xds_ring_order_refused_by(const struct xds_ctx *ctx,
                                      const struct xds_lb_policy *ring)
{
    const xds_readers cut = xds_who(ctx, XDS_DIFF_RING_SIZE_CUT);

    return (ring->min_ring_size > ring->max_ring_size ? ~cut : 0) |
           (cut_size(ring->min_ring_size) > cut_size(ring->max_ring_size) ? cut : 0);
}

struct xds_slice xds_lb_size(const struct xds_ctx *ctx, uint64_t size)
{
    return xds_arena_printf(ctx->arena, "%" PRIu64, size);
}

static void check_size(const struct xds_lb_walk *walk, const struct xds_path *at,
                       const pb_u_int64_value *pb)
{
    struct xds_ctx *ctx = walk->ctx;

    if (!pb)
        return;
    const struct xds_slice size = xds_lb_size(ctx, pb->value);

    xds_fire_for(ctx, at, xds_lb_config_readers(walk), XDS_R_LB_RING_NODE_SIZE,
                 XDS_WITH(size));
    xds_fire_for(ctx, at, xds_ring_size_refused_by(ctx, pb->value), XDS_R_LB_RING_SIZE,
                 XDS_WITH(size));
}

/* The size for those that take an explicit 0 for unset, but only one step later. */
static uint64_t size_or(const pb_u_int64_value *pb, uint64_t unset, uint64_t zero)
{
    if (!pb)
        return unset;
    return pb->value == 0 ? zero : pb->value;
}

static void check_order(const struct xds_lb_walk *walk, const struct xds_path *at,
                        const pb_ring_hash *pb, const struct xds_lb_policy *ring)
{
    struct xds_ctx *ctx = walk->ctx;
    const xds_readers zero = xds_who(ctx, XDS_DIFF_RING_SIZE_ZERO);
    const uint64_t min = size_or(pb->minimum_ring_size, XDS_RING_SIZE_MIN_DEFAULT,
                                 XDS_RING_SIZE_MIN_DEFAULT);
    const uint64_t max =
        size_or(pb->maximum_ring_size, XDS_RING_SIZE_MAX, XDS_RING_SIZE_CAP);
    xds_readers refuse =
        (xds_ring_order_refused_by(ctx, ring) & ~zero) | (min > max ? zero : 0);
    const struct xds_slice shown = xds_lb_size(ctx, ring->max_ring_size);

    /* C-core converts both sizes in any case. */
    const xds_readers converting = xds_who(ctx, XDS_DIFF_FAULTS_ALL_READ);

    if (!pb->minimum_ring_size)
        refuse &= converting | (ring->max_ring_size > 0 ? xds_lb_parsed_by(walk) : 0);
    if (!refuse)
        return;
    if (pb->minimum_ring_size)
        xds_fire_for(ctx, at, refuse, XDS_R_LB_RING_ORDER,
                     XDS_WITH(xds_lb_size(ctx, ring->min_ring_size), shown));
    else /* go and java find it with the policy's own parser */
        xds_fire_for(ctx, at, refuse, XDS_R_LB_RING_DEFAULT_MIN, XDS_WITH(shown));
}

static void check_function(struct xds_ctx *ctx, const struct xds_path *at,
                           const ProtobufCMessage *message)
{
    const pb_ring_hash *pb = (const pb_ring_hash *)message;

    if (pb->hash_function != FUNCTION(XX_HASH))
        xds_fire_for(ctx, at,
                     pb->hash_function == FUNCTION(DEFAULT_HASH)
                         ? ~xds_who(ctx, XDS_DIFF_RING_HASH_FUNCTION_DEFAULT)
                         : XDS_EVERYONE,
                     XDS_R_LB_RING_FUNCTION,
                     XDS_WITH(xds_enum_name(ctx, &FUNCTIONS, (int)pb->hash_function)));
}

static void read_ring_hash(const struct xds_lb_walk *walk, const struct xds_path *at,
                           const ProtobufCMessage *message, struct xds_lb_policy *out)
{
    const pb_ring_hash *pb = (const pb_ring_hash *)message;

    out->kind = XDS_LB_RING_HASH;
    out->has_min_ring_size = pb->minimum_ring_size != NULL;
    out->has_max_ring_size = pb->maximum_ring_size != NULL;
    out->min_ring_size = size_or(pb->minimum_ring_size, XDS_RING_SIZE_MIN_DEFAULT, 0);
    out->max_ring_size = size_or(pb->maximum_ring_size, XDS_RING_SIZE_MAX, 0);
    check_function(walk->ctx, at, message);
    check_size(walk, XDS_AT(at, "maximum_ring_size"), pb->maximum_ring_size);
    check_size(walk, XDS_AT(at, "minimum_ring_size"), pb->minimum_ring_size);
    check_order(walk, at, pb, out);
}

const struct xds_lb_converter xds_lb_ring_hash = {
    .type =
        &envoy__extensions__load_balancing_policies__ring_hash__v3__ring_hash__descriptor,
    .label = "RingHash",
    .clients = XDS_ALL_CLIENTS,
    .guarded = true,
    .guard = XDS_ENV_ENABLE_RING_HASH,
    .read = read_ring_hash,
    .convert = check_function,
};
