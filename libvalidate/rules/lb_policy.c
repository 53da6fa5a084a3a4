/*
 * lb_policy.c - turn Cluster.lb_policy and its config into the model.
 *
 * Takes:  the whole Cluster. With load_balancing_policy set only go looks at the enum.
 * Gives:  the policy of each client; sizes and counts with their defaults in.
 * Fires:  the rows of lb_policy.def, and those of lb_policy/ through xds_lb_list_read().
 * Source: spec cluster 1.5; gRFC A27, A42, A48.
 */
#include "rules/lb_policy/lb_policy.h"

#define POLICY(name) ENVOY__CONFIG__CLUSTER__V3__CLUSTER__LB_POLICY__##name
#define CONFIG(arm) ENVOY__CONFIG__CLUSTER__V3__CLUSTER__LB_CONFIG_##arm
#define XX_HASH                                                                          \
    ENVOY__CONFIG__CLUSTER__V3__CLUSTER__RING_HASH_LB_CONFIG__HASH_FUNCTION__XX_HASH

static void check_ring_size(struct xds_ctx *ctx, const struct xds_path *at,
                            const pb_u_int64_value *pb)
{
    if (!pb || (pb->value >= 1 && pb->value <= XDS_RING_SIZE_MAX))
        return;
    xds_fire_for(ctx, at,
                 XDS_GRFC | XDS_CORE | (pb->value > 0 ? XDS_NODE : 0) |
                     (xds_ring_size_below_1_in_java(pb->value) ? XDS_JAVA : 0),
                 XDS_R_LB_ENUM_RING_SIZE, "must be in the range of 1 to %u",
                 XDS_RING_SIZE_MAX);
}

/* core compares only a minimum that was set; java caps both sizes first and then
 * compares in any case. */
static unsigned sizes_refused_by(const pb_cluster_ring_hash_lb_config *pb,
                                 const struct xds_lb_policy *ring)
{
    unsigned clients = 0;

    if (pb->minimum_ring_size && ring->min_ring_size > ring->max_ring_size)
        clients |= XDS_GRFC | XDS_CORE;
    if (xds_ring_size_cap(ring->min_ring_size) > xds_ring_size_cap(ring->max_ring_size))
        clients |= XDS_JAVA;
    return clients;
}

static void read_ring_hash(struct xds_ctx *ctx, const pb_cluster *cluster,
                           struct xds_lb_policy *out)
{
    const struct xds_path *at = XDS_AT(NULL, "ring_hash_lb_config");
    const struct xds_path *min_at = XDS_AT(at, "minimum_ring_size");

    out->kind = XDS_LB_RING_HASH;
    out->min_ring_size = XDS_RING_SIZE_MIN_DEFAULT;
    out->max_ring_size = XDS_RING_SIZE_MAX;
    if (cluster->lb_config_case != CONFIG(RING_HASH_LB_CONFIG))
        return;

    const pb_cluster_ring_hash_lb_config *pb = cluster->ring_hash_lb_config;

    out->has_min_ring_size = pb->minimum_ring_size != NULL;
    out->has_max_ring_size = pb->maximum_ring_size != NULL;
    if (pb->minimum_ring_size)
        out->min_ring_size = pb->minimum_ring_size->value;
    if (pb->maximum_ring_size)
        out->max_ring_size = pb->maximum_ring_size->value;
    check_ring_size(ctx, XDS_AT(at, "maximum_ring_size"), pb->maximum_ring_size);
    check_ring_size(ctx, min_at, pb->minimum_ring_size);

    const unsigned refuse = sizes_refused_by(pb, out);

    if (refuse)
        xds_fire_for(ctx, min_at, refuse, XDS_R_LB_ENUM_RING_ORDER,
                     "cannot be greater than maximum_ring_size");
    if (pb->hash_function != XX_HASH)
        xds_fire(ctx, XDS_AT(at, "hash_function"), XDS_R_LB_ENUM_HASH_FUNCTION,
                 "invalid hash function");
}

static void read_least_request(struct xds_ctx *ctx, const pb_cluster *cluster,
                               struct xds_lb_policy *out)
{
    out->kind = XDS_LB_LEAST_REQUEST;
    out->choice_count = XDS_CHOICE_COUNT_DEFAULT;
    if (cluster->lb_config_case != CONFIG(LEAST_REQUEST_LB_CONFIG) ||
        !cluster->least_request_lb_config->choice_count)
        return;
    out->has_choice_count = true;
    out->choice_count = cluster->least_request_lb_config->choice_count->value;
    if (out->choice_count < 2)
        xds_fire(ctx, XDS_AT(NULL, "least_request_lb_config.choice_count"),
                 XDS_R_LB_ENUM_CHOICE_COUNT, "must be at least 2");
}

/* The clients that know the enum's value. */
static unsigned supporters(const struct xds_ctx *ctx, const pb_cluster *pb)
{
    if (pb->lb_policy == POLICY(ROUND_ROBIN))
        return XDS_ALL_CLIENTS;
    if (pb->lb_policy == POLICY(RING_HASH))
        return xds_env_mask(ctx->options, XDS_ENV_ENABLE_RING_HASH);
    if (pb->lb_policy == POLICY(LEAST_REQUEST))
        return xds_env_mask(ctx->options, XDS_ENV_ENABLE_LEAST_REQUEST);
    return 0;
}

static void read_enum(struct xds_ctx *ctx, const pb_cluster *pb,
                      struct xds_lb_policy *out)
{
    const unsigned live = ctx->live;
    const unsigned supported_by = supporters(ctx, pb);

    if (live & ~supported_by)
        xds_fire_for(ctx, XDS_AT(NULL, "lb_policy"), ~supported_by & XDS_ALL_CLIENTS,
                     XDS_R_LB_ENUM_UNSUPPORTED, "LB policy is not supported");
    ctx->live &= supported_by;
    out->wrr_locality = pb->lb_policy != POLICY(RING_HASH);
    out->layers = out->wrr_locality;
    if (pb->lb_policy == POLICY(RING_HASH))
        read_ring_hash(ctx, pb, out);
    else if (pb->lb_policy == POLICY(LEAST_REQUEST))
        read_least_request(ctx, pb, out);
    ctx->live = live;
}

/* What is written beside what is read, for checks that compare the two. */
static void name_forms(const pb_cluster *pb, struct xds_cluster *out)
{
    static const char *const configs[] = {
        [CONFIG(RING_HASH_LB_CONFIG)] = "ring_hash_lb_config",
        [CONFIG(LEAST_REQUEST_LB_CONFIG)] = "least_request_lb_config",
    };
    const size_t arm = (size_t)pb->lb_config_case;
    const ProtobufCEnumValue *policy = protobuf_c_enum_descriptor_get_value(
        &envoy__config__cluster__v3__cluster__lb_policy__descriptor, (int)pb->lb_policy);

    out->lb_policy_name = policy ? policy->name : NULL;
    out->lb_config_field = arm < XDS_ARRAY_LEN(configs) ? configs[arm] : NULL;
}

static void keep_choice(const struct xds_lb_choice *choice, struct xds_cluster *out)
{
    const struct xds_lb_policy *core = choice->of[XDS_CLIENT_CORE];

    out->lb = *core;
    for (size_t i = 0; i < XDS_CLIENTS; i++)
        out->lb_of[i] = choice->of[i] == core ? NULL : choice->of[i];
}

void xds_lb_policy_read(struct xds_ctx *ctx, const pb_cluster *pb,
                        struct xds_cluster *out)
{
    struct xds_lb_policy policy = {.kind = XDS_LB_ROUND_ROBIN};
    struct xds_lb_choice choice = {{NULL}};
    const unsigned live = ctx->live;
    const unsigned list_readers =
        pb->load_balancing_policy
            ? live & xds_env_mask(ctx->options, XDS_ENV_CUSTOM_LB_CONFIG)
            : 0;

    ctx->live = live & ~(list_readers & ~XDS_GO);
    if (ctx->live)
        read_enum(ctx, pb, &policy);
    xds_lb_choose(ctx->arena, &choice, XDS_ALL_CLIENTS, &policy);
    ctx->live = list_readers;
    if (list_readers)
        xds_lb_list_read(
            &(struct xds_lb_walk){ctx, 0, false, ctx->report->n_findings, &choice},
            XDS_AT(NULL, "load_balancing_policy"), pb->load_balancing_policy);
    ctx->live = live;
    keep_choice(&choice, out);
    name_forms(pb, out);
}
