/*
 * route_lookup_config.c - grpc.lookup.v1.RouteLookupConfig, checked as the RLS load
 * balancing policy does, to which the clients pass it as JSON.
 *
 * Source: spec CP10, route_lookup_config.proto.
 *
 * The JSON leaves out what has its default value, so that an empty string or list is a
 * field not present. What the policy requires is in lb_policy/registry_rls.c.
 */
#include "base/number.h"
#include "rules/lb_policy/registry.h"
#include "rules/route_readers.h"

/* Why a duration has no JSON form, in C-core's words; or NULL. */
static const char *not_json(const pb_duration *pb)
{
    if (!pb)
        return NULL;
    if (pb->seconds > XDS_DURATION_MAX_SECONDS ||
        pb->seconds < -XDS_DURATION_MAX_SECONDS || (pb->seconds > 0 && pb->nanos < 0) ||
        (pb->seconds < 0 && pb->nanos > 0))
        return "bad duration";
    if (pb->nanos > XDS_DURATION_MAX_NANOS || pb->nanos < -XDS_DURATION_MAX_NANOS)
        return "error formatting timestamp as JSON: invalid nanos";
    return NULL;
}

/* The encoder stops at the first fault; false when there is one. */
static bool check_durations(struct xds_ctx *ctx, const struct xds_path *at,
                            xds_readers who, const pb_route_lookup_config *pb)
{
    const struct {
        const char *field;
        const pb_duration *value;
    } rows[] = {{"lookup_service_timeout", pb->lookup_service_timeout},
                {"max_age", pb->max_age},
                {"stale_age", pb->stale_age}};

    for (size_t i = 0; i < XDS_ARRAY_LEN(rows); i++) {
        const char *why = not_json(rows[i].value);
        const bool fits = !rows[i].value || xds_duration_fits_nanos(rows[i].value);

        if (why || !fits)
            xds_fire_for(ctx, at,
                         why ? who : who & xds_who(ctx, XDS_DIFF_RLS_DURATION_IN_NS),
                         XDS_R_RLS_CONFIG_DURATION,
                         XDS_WITH(xds_slice_of(rows[i].field),
                                  xds_slice_of(why ? why : "bad duration")));
        if (why)
            return false;
    }
    return true;
}

/* What the policy of reader i says, data NULL when it accepts the config. */
static struct xds_slice policy_faults(const struct xds_ctx *ctx, size_t i,
                                      const struct xds_tree *list)
{
    const struct xds_client_release *reader = &ctx->panel->reader[i];
    const struct xds_options options = xds_options_of(ctx, reader);
    struct xds_lb_judge judge = {
        .arena = ctx->arena, .options = &options, .client = reader->client};

    return xds_lb_list_faults(&judge, list);
}

/* Parsers that say the same share a finding. */
void xds_route_lookup_config_check(struct xds_ctx *ctx, const struct xds_path *at,
                                   const struct xds_path *plugin, xds_readers who,
                                   const pb_route_lookup_config *pb)
{
    struct xds_slice faults[XDS_MAX_READERS];

    if (!xds_part_linked(ctx->options, XDS_PART_RLS)) {
        xds_fire_for(ctx, at, who, XDS_R_RLS_NOT_LINKED, NULL);
        who &= ~xds_who(ctx, XDS_DIFF_RLS_LINKED);
    }
    if (!check_durations(ctx, plugin, who, pb))
        return;

    const struct xds_tree *list = xds_route_lookup_policy(ctx->arena, pb);

    for (size_t r = 0; r < ctx->panel->n; r++)
        faults[r] = policy_faults(ctx, r, list);
    for (size_t r = 0; r < ctx->panel->n; r++) {
        const struct xds_slice text = faults[r];
        xds_readers same = 0;

        for (size_t other = r; text.data && other < ctx->panel->n; other++) {
            if (!faults[other].data || !xds_slice_eq(faults[other], text))
                continue;
            same |= (xds_readers)1 << other;
            faults[other].data = NULL;
        }
        if (same)
            xds_fire_for(ctx, at, who & same, XDS_R_RLS_CONFIG_INVALID, XDS_WITH(text));
    }
}
