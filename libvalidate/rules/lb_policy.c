/*
 * lb_policy.c - turn Cluster.lb_policy and its config into the model.
 *
 * Source: spec cluster 1.5; gRFC A27, A42, A48.
 */
#include "rules/lb_policy/lb_policy.h"

#define POLICY(name) ENVOY__CONFIG__CLUSTER__V3__CLUSTER__LB_POLICY__##name
#define CONFIG(arm) ENVOY__CONFIG__CLUSTER__V3__CLUSTER__LB_CONFIG_##arm
#define POLICIES envoy__config__cluster__v3__cluster__lb_policy__descriptor
#define HASH_FUNCTIONS                                                                   \
    envoy__config__cluster__v3__cluster__ring_hash_lb_config__hash_function__descriptor
#define XX_HASH                                                                          \
    ENVOY__CONFIG__CLUSTER__V3__CLUSTER__RING_HASH_LB_CONFIG__HASH_FUNCTION__XX_HASH

static void check_ring_size(struct xds_ctx *ctx, const struct xds_path *at,
                            const pb_u_int64_value *pb)
{
    const xds_readers refuse = pb ? xds_ring_size_refused_by(ctx, pb->value) : 0;

    if (refuse)
        xds_fire_for(ctx, at, refuse, XDS_R_LB_ENUM_RING_SIZE,
                     XDS_WITH(xds_lb_size(ctx, pb->value)));
}

static void read_ring_hash(struct xds_ctx *ctx, const pb_cluster *cluster,
                           struct xds_lb_policy *out)
{
    const struct xds_path *at = XDS_AT(NULL, "ring_hash_lb_config");

    out->kind = XDS_LB_RING_HASH;
    out->min_ring_size = XDS_RING_SIZE_MIN_DEFAULT;
    out->max_ring_size = XDS_RING_SIZE_MAX;
    if (cluster->lb_config_case != CONFIG(RING_HASH_LB_CONFIG))
        return;

    const pb_cluster_ring_hash_lb_config *pb = cluster->ring_hash_lb_config;
    /* The parser of the policy looks at the sizes, where there is one. */
    struct xds_ctx *parsing =
        XDS_AMONG(ctx, xds_guarded_by(ctx, XDS_ENV_ENABLE_RING_HASH));

    out->has_min_ring_size = pb->minimum_ring_size != NULL;
    out->has_max_ring_size = pb->maximum_ring_size != NULL;
    if (pb->minimum_ring_size)
        out->min_ring_size = pb->minimum_ring_size->value;
    if (pb->maximum_ring_size)
        out->max_ring_size = pb->maximum_ring_size->value;
    check_ring_size(parsing, XDS_AT(at, "maximum_ring_size"), pb->maximum_ring_size);
    check_ring_size(parsing, XDS_AT(at, "minimum_ring_size"), pb->minimum_ring_size);
    xds_fire_for(parsing, at,
                 xds_ring_order_refused_by(ctx, out) &
                     (pb->minimum_ring_size
                          ? XDS_EVERYONE
                          : xds_who(ctx, XDS_DIFF_RING_DEFAULT_MINIMUM_COMPARED)),
                 XDS_R_LB_ENUM_RING_ORDER,
                 XDS_WITH(xds_lb_size(ctx, out->min_ring_size),
                          xds_lb_size(ctx, out->max_ring_size)));
    if (pb->hash_function != XX_HASH)
        xds_fire_with(
            ctx, at, XDS_R_LB_ENUM_HASH_FUNCTION,
            XDS_WITH(xds_enum_name(ctx, &HASH_FUNCTIONS, (int)pb->hash_function)));
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
    if (out->choice_count < 2 || out->choice_count > INT32_MAX)
        xds_fire_for(ctx, XDS_AT(NULL, "least_request_lb_config"),
                     out->choice_count < 2 ? XDS_EVERYONE
                                           : xds_who(ctx, XDS_DIFF_UINT32_SIGNED),
                     XDS_R_LB_ENUM_CHOICE_COUNT,
                     XDS_WITH(xds_number(ctx, (int64_t)out->choice_count)));
}

/* The readers that know the enum's value. */
static xds_readers supporters(const struct xds_ctx *ctx, const pb_cluster *pb)
{
    if (pb->lb_policy == POLICY(ROUND_ROBIN))
        return XDS_EVERYONE;
    if (pb->lb_policy == POLICY(RING_HASH))
        return xds_guarded_by(ctx, XDS_ENV_ENABLE_RING_HASH) |
               xds_who(ctx, XDS_DIFF_RING_HASH_READ_WHILE_OFF);
    if (pb->lb_policy == POLICY(LEAST_REQUEST))
        return xds_guarded_by(ctx, XDS_ENV_ENABLE_LEAST_REQUEST);
    return 0;
}

static void read_enum(struct xds_ctx *ctx, const pb_cluster *pb,
                      struct xds_lb_policy *out)
{
    const xds_readers supported_by = supporters(ctx, pb);

    const struct xds_client_list others =
        xds_named_list(ctx->options, ~supported_by & XDS_ALL_CLIENTS, " and ");

    if (ctx->live & ~supported_by)
        xds_fire_for(
            ctx, NULL, ~supported_by, XDS_R_LB_ENUM_UNSUPPORTED,
            XDS_WITH(xds_enum_name(ctx, &POLICIES, (int)pb->lb_policy),
                     supported_by ? xds_slice_of(others.text) : XDS_S("any gRPC client"),
                     pb->lb_policy == POLICY(RING_HASH)
                         ? XDS_S("ROUND_ROBIN")
                         : XDS_S("ROUND_ROBIN or RING_HASH")));
    ctx = XDS_AMONG(ctx, supported_by);
    out->wrr_locality = pb->lb_policy != POLICY(RING_HASH);
    out->layers = out->wrr_locality;
    if (pb->lb_policy == POLICY(RING_HASH)) {
        read_ring_hash(ctx, pb, out);
        xds_fire_for(ctx, NULL, ~xds_guarded_by(ctx, XDS_ENV_ENABLE_RING_HASH),
                     XDS_R_LB_ENUM_RING_HASH_OFF, NULL);
    } else if (pb->lb_policy == POLICY(LEAST_REQUEST))
        read_least_request(ctx, pb, out);
}

/* What is written, for checks that compare it with what is read. */
static void name_forms(const pb_cluster *pb, struct xds_cluster *out)
{
    static const char *const configs[] = {
        [CONFIG(RING_HASH_LB_CONFIG)] = "ring_hash_lb_config",
        [CONFIG(LEAST_REQUEST_LB_CONFIG)] = "least_request_lb_config",
    };
    const size_t arm = (size_t)pb->lb_config_case;
    const ProtobufCEnumValue *policy =
        protobuf_c_enum_descriptor_get_value(&POLICIES, (int)pb->lb_policy);

    out->lb_policy_name = policy ? policy->name : NULL;
    out->lb_config_field = arm < XDS_ARRAY_LEN(configs) ? configs[arm] : NULL;
}

void xds_lb_policy_read(struct xds_ctx *ctx, const pb_cluster *pb,
                        struct xds_cluster *out)
{
    struct xds_lb_policy policy = {.kind = XDS_LB_ROUND_ROBIN};
    struct xds_lb_choice choice = {{NULL}};
    const xds_readers list_readers =
        pb->load_balancing_policy
            ? ctx->live & xds_guarded_by(ctx, XDS_ENV_CUSTOM_LB_CONFIG)
            : 0;
    const xds_readers enum_readers =
        ~list_readers | xds_who(ctx, XDS_DIFF_LB_ENUM_ALWAYS_READ);

    if (ctx->live & enum_readers)
        read_enum(XDS_AMONG(ctx, enum_readers), pb, &policy);
    xds_lb_choose(ctx->arena, &choice, XDS_EVERYONE, &policy);
    if (list_readers)
        xds_lb_list_read(&(struct xds_lb_walk){XDS_AMONG(ctx, list_readers), 0, false,
                                               ctx->report->n_findings, &choice},
                         XDS_AT(NULL, "load_balancing_policy"),
                         pb->load_balancing_policy);

    const struct xds_lb_policy *core = choice.of[XDS_CLIENT_CORE];

    out->lb = *core;
    for (size_t i = 0; i < XDS_CLIENTS; i++)
        out->lb_of[i] = choice.of[i] == core ? NULL : choice.of[i];
    name_forms(pb, out);
}
