/*
 * retry_policy.c - envoy.config.route.v3.RetryPolicy.
 *
 * Source: gRFC A44, spec listener 6.4.
 */
#include "base/ascii.h"
#include "base/number.h"
#include "rules/inner.h"

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

/* An interval as int32 milliseconds, counted as a double: less than 1 ms is 0, and what
 * does not fit wraps around. */
static int32_t in_ms(const pb_duration *pb)
{
    const double ms = (double)pb->seconds * 1000 + (double)pb->nanos / (double)NS_PER_MS;
    const double whole = ms < 0 ? -xds_floor(-ms) : xds_floor(ms);
    const double wraps = xds_floor(whole / 4294967296.0) * 4294967296.0;
    const uint32_t low = (uint32_t)(whole - wraps);

    return low <= INT32_MAX ? (int32_t)low : (int32_t)((int64_t)low - (INT64_C(1) << 32));
}

/* Follows what is a fault in milliseconds only. */
static const char in_node_ms[] = " in node's 32 bits of whole milliseconds";

static struct xds_slice text_of(struct xds_ctx *ctx, const pb_duration *pb)
{
    return xds_arena_printf(ctx->arena, "%.9gs",
                            (double)pb->seconds + 1e-9 * (double)pb->nanos);
}

/* cutting: who cuts what is over 64 bits of nanoseconds. */
static void read_base(struct xds_ctx *ctx, const struct xds_path *at,
                      const pb_duration *pb, xds_readers cutting, int64_t *ns)
{
    const xds_readers by_ms = xds_who(ctx, XDS_DIFF_RETRY_IN_MS);

    xds_duration_read_cut(ctx, at, pb, XDS_EVERYONE, cutting, ns);
    const xds_readers who = (*ns <= 0 ? ~by_ms : 0) | (in_ms(pb) <= 0 ? by_ms : 0);
    if (who)
        xds_fire_for(ctx, at, who, XDS_R_RETRY_BASE_INTERVAL_NOT_POSITIVE,
                     XDS_WITH(text_of(ctx, pb), xds_slice_of(*ns > 0 ? in_node_ms : "")));
}

static bool is_less(const pb_duration *a, const pb_duration *b)
{
    return a->seconds < b->seconds || (a->seconds == b->seconds && a->nanos < b->nanos);
}

static xds_readers rejects_max(const struct xds_ctx *ctx,
                               const pb_retry_policy_retry_back_off *pb, int64_t max_ns)
{
    const xds_readers by_ms = xds_who(ctx, XDS_DIFF_RETRY_IN_MS);
    const xds_readers comparing = ~xds_who(ctx, XDS_DIFF_RETRY_MAX_BELOW_BASE);
    xds_readers who = max_ns <= 0 ? ~xds_who(ctx, XDS_DIFF_RETRY_MAX_NOT_POSITIVE) : 0;

    if (!pb->base_interval)
        return who;
    if (is_less(pb->max_interval, pb->base_interval))
        who |= comparing & ~by_ms;
    if (in_ms(pb->max_interval) < in_ms(pb->base_interval))
        who |= comparing & by_ms;
    return who;
}

static void read_max(struct xds_ctx *ctx, const struct xds_path *at,
                     const pb_retry_policy_retry_back_off *pb, int64_t *ns)
{
    xds_duration_read_cut(ctx, at, pb->max_interval, XDS_EVERYONE,
                          xds_who(ctx, XDS_DIFF_DURATION_CUT), ns);
    const xds_readers who = rejects_max(ctx, pb, *ns);
    const bool is_in_ms_only =
        *ns > 0 && !(pb->base_interval && is_less(pb->max_interval, pb->base_interval));
    if (who)
        xds_fire_for(ctx, at, who, XDS_R_RETRY_MAX_INTERVAL_TOO_SMALL,
                     XDS_WITH(text_of(ctx, pb->max_interval),
                              xds_slice_of(is_in_ms_only ? in_node_ms : "")));
}

static void read_back_off(struct xds_ctx *ctx, const struct xds_path *at,
                          const pb_retry_policy_retry_back_off *pb,
                          struct xds_retry_policy *out)
{
    /* Ten times what it cannot count is not cut. */
    const xds_readers cutting =
        pb->max_interval ? xds_who(ctx, XDS_DIFF_DURATION_CUT) : 0;

    if (pb->base_interval)
        read_base(ctx, XDS_AT(at, "base_interval"), pb->base_interval, cutting,
                  &out->base_interval_ns);
    else
        xds_fire(ctx, at, XDS_R_RETRY_BASE_INTERVAL_ABSENT);
    out->has_max_interval = pb->max_interval != NULL;
    if (pb->max_interval)
        read_max(ctx, XDS_AT(at, "max_interval"), pb, &out->max_interval_ns);
    else if (out->base_interval_ns > 0)
        out->max_interval_ns = out->base_interval_ns > INT64_MAX / DEFAULT_MAX_FACTOR
                                   ? INT64_MAX
                                   : out->base_interval_ns * DEFAULT_MAX_FACTOR;
}

const struct xds_retry_policy *xds_retry_policy_read(struct xds_ctx *ctx,
                                                     const struct xds_path *at,
                                                     const pb_retry_policy *pb)
{
    if (!pb)
        return NULL;
    const struct xds_slice names = xds_slice_of(pb->retry_on);
    struct xds_retry_policy *out = XDS_NEW(ctx->arena, struct xds_retry_policy);
    *out = (struct xds_retry_policy){
        .retry_on = xds_arena_dup(ctx->arena, names),
        .codes = read_codes(names, EXACT),
        .go_codes = read_codes(names, TRIMMED),
        .java_codes = read_codes(names, WITH_UNDERSCORES),
        .num_retries = pb->num_retries ? pb->num_retries->value : 1,
        .base_interval_ns = DEFAULT_BASE_NS,
        .max_interval_ns = DEFAULT_BASE_NS * DEFAULT_MAX_FACTOR,
    };
    ctx = XDS_AMONG(ctx, xds_guarded_by(ctx, XDS_ENV_ENABLE_RETRY));
    if (out->num_retries == 0)
        xds_fire(ctx, at, XDS_R_RETRY_NUM_RETRIES_ZERO);
    if (pb->retry_back_off)
        read_back_off(ctx, XDS_AT(at, "retry_back_off"), pb->retry_back_off, out);
    return out;
}
