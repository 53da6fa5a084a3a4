/*
 * retry_policy.c - turn envoy.config.route.v3.RetryPolicy into the model.
 *
 * Takes:  a decoded message, of a virtual host or a route action; NULL when unset.
 * Gives:  the policy in ctx->arena, with gRFC A44's defaults; intervals as written, not
 *         raised to 1 ms. Codes as core finds them, which compares exactly; as go does,
 *         which trims and folds case; as java does, to which '_' is a '-' besides.
 * Fires:  the rows of retry_policy.def and duration.def.
 * Source: spec 6.4, gRFC A44.
 */
#include "base/ascii.h"
#include "rules/route_readers.h"

#define NS_PER_MS 1000000
#define DEFAULT_BASE_NS (25 * (int64_t)NS_PER_MS)
#define DEFAULT_MAX_FACTOR 10

static const struct code {
    const char *name;
    unsigned bit;
} codes[] = {
    {"cancelled", XDS_RETRY_CANCELLED},
    {"deadline-exceeded", XDS_RETRY_DEADLINE_EXCEEDED},
    {"internal", XDS_RETRY_INTERNAL},
    {"resource-exhausted", XDS_RETRY_RESOURCE_EXHAUSTED},
    {"unavailable", XDS_RETRY_UNAVAILABLE},
};

enum spelling { EXACT, TRIMMED, WITH_UNDERSCORES };

static bool same_code(struct xds_slice token, const char *name, enum spelling spelling)
{
    const struct xds_slice wanted = xds_slice_of(name);

    if (spelling == EXACT)
        return xds_slice_eq(token, wanted);
    if (token.len != wanted.len)
        return false;
    for (size_t i = 0; i < token.len; i++) {
        const bool dash = spelling == WITH_UNDERSCORES && token.data[i] == '_';
        if ((dash ? '-' : xds_ascii_lower(token.data[i])) != wanted.data[i])
            return false;
    }
    return true;
}

static unsigned code_bit(struct xds_slice token, enum spelling spelling)
{
    for (size_t i = 0; i < XDS_ARRAY_LEN(codes); i++)
        if (same_code(token, codes[i].name, spelling))
            return codes[i].bit;
    return 0;
}

static unsigned read_codes(struct xds_slice rest, enum spelling spelling)
{
    unsigned bits = 0;

    while (rest.data) {
        struct xds_slice token;

        rest = xds_slice_cut(rest, ',', &token);
        bits |= code_bit(spelling == EXACT ? token : xds_slice_trim(token), spelling);
    }
    return bits;
}

/* node keeps an interval as int32 milliseconds: less than 1 ms is 0, and what does not
 * fit wraps around. Exact for every valid Duration. */
static int32_t node_ms(const pb_duration *pb)
{
    const uint64_t ms =
        (uint64_t)pb->seconds * 1000u + (uint64_t)(int64_t)(pb->nanos / NS_PER_MS);
    const uint32_t low = (uint32_t)ms;

    return low <= INT32_MAX ? (int32_t)low : (int32_t)((int64_t)low - (INT64_C(1) << 32));
}

/* Behind what holds but for node's way of counting. */
static const char in_node_ms[] = " in node's 32 bits of whole milliseconds";

static void read_base(struct xds_ctx *ctx, const struct xds_path *at,
                      const pb_duration *pb, int64_t *ns)
{
    xds_duration_read(ctx, at, pb, XDS_GRFC | XDS_CORE | XDS_JAVA, ns);
    const unsigned minding =
        (*ns <= 0 ? ~XDS_NODE : 0) | (node_ms(pb) <= 0 ? XDS_NODE : 0);
    if (minding)
        xds_fire_for(ctx, at, minding & XDS_ALL_CLIENTS,
                     XDS_R_RETRY_BASE_INTERVAL_NOT_POSITIVE, "must be greater than 0%s",
                     *ns > 0 ? in_node_ms : "");
}

/* go minds only what is not positive, java and node only what is less than base. */
static unsigned too_small(const pb_retry_policy_retry_back_off *pb, int64_t base_ns,
                          int64_t max_ns)
{
    unsigned minding = max_ns <= 0 ? XDS_GRFC | XDS_GO : 0;

    if (!pb->base_interval)
        return minding;
    if (max_ns < base_ns)
        minding |= XDS_GRFC | XDS_JAVA;
    if (node_ms(pb->max_interval) < node_ms(pb->base_interval))
        minding |= XDS_NODE;
    return minding;
}

static void read_max(struct xds_ctx *ctx, const struct xds_path *at,
                     const pb_retry_policy_retry_back_off *pb, int64_t base_ns,
                     int64_t *ns)
{
    xds_duration_read(ctx, at, pb->max_interval, XDS_GRFC | XDS_CORE | XDS_JAVA, ns);
    const unsigned minding = too_small(pb, base_ns, *ns);
    if (minding)
        xds_fire_for(ctx, at, minding, XDS_R_RETRY_MAX_INTERVAL_TOO_SMALL,
                     "must be greater than 0 and not less than base_interval%s",
                     minding == XDS_NODE && *ns >= base_ns ? in_node_ms : "");
}

static int64_t default_max(int64_t base_ns)
{
    return base_ns > INT64_MAX / DEFAULT_MAX_FACTOR ? INT64_MAX
                                                    : base_ns * DEFAULT_MAX_FACTOR;
}

static void read_back_off(struct xds_ctx *ctx, const struct xds_path *at,
                          const pb_retry_policy_retry_back_off *pb,
                          struct xds_retry_policy *out)
{
    const struct xds_path *base = XDS_AT(at, "base_interval");

    if (pb->base_interval)
        read_base(ctx, base, pb->base_interval, &out->base_interval_ns);
    else
        xds_fire(ctx, base, XDS_R_RETRY_BASE_INTERVAL_ABSENT, "field not present");

    if (pb->max_interval)
        read_max(ctx, XDS_AT(at, "max_interval"), pb, out->base_interval_ns,
                 &out->max_interval_ns);
    else if (out->base_interval_ns > 0)
        out->max_interval_ns = default_max(out->base_interval_ns);
}

static void read_num_retries(struct xds_ctx *ctx, const struct xds_path *at,
                             const pb_u_int32_value *pb, struct xds_retry_policy *out)
{
    if (!pb)
        return;
    out->num_retries = pb->value;
    if (pb->value == 0)
        xds_fire(ctx, at, XDS_R_RETRY_NUM_RETRIES_ZERO, "must be greater than 0");
}

const struct xds_retry_policy *xds_retry_policy_read(struct xds_ctx *ctx,
                                                     const struct xds_path *at,
                                                     const pb_retry_policy *pb)
{
    const unsigned live = ctx->live;

    if (!pb)
        return NULL;
    const struct xds_slice names = xds_slice_of(pb->retry_on);
    struct xds_retry_policy *out = XDS_NEW(ctx->arena, struct xds_retry_policy);
    *out = (struct xds_retry_policy){
        .retry_on = xds_arena_dup(ctx->arena, names),
        .codes = read_codes(names, EXACT),
        .go_codes = read_codes(names, TRIMMED),
        .java_codes = read_codes(names, WITH_UNDERSCORES),
        .num_retries = 1,
        .base_interval_ns = DEFAULT_BASE_NS,
        .max_interval_ns = DEFAULT_BASE_NS * DEFAULT_MAX_FACTOR,
    };
    if (!xds_env_on(ctx->options, XDS_ENV_ENABLE_RETRY, XDS_CLIENT_NODE))
        ctx->live &= ~XDS_NODE;
    read_num_retries(ctx, XDS_AT(at, "num_retries"), pb->num_retries, out);
    if (pb->retry_back_off)
        read_back_off(ctx, XDS_AT(at, "retry_back_off"), pb->retry_back_off, out);
    ctx->live = live;
    return out;
}
