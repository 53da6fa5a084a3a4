/*
 * route_lookup_config.c - judge grpc.lookup.v1.RouteLookupConfig as the RLS load
 * balancing policy does, to which the clients hand it as JSON.
 *
 * Takes:  the message in a RouteLookupClusterSpecifier, and who knows the plugin.
 * Gives:  nothing: the config is asked of nobody but the policy.
 * Fires:  the rows of route_lookup_config.def, each at most once per plugin.
 * Source: spec CP10, route_lookup_config.proto.
 *
 * The JSON leaves out what has its default value, so that an empty string or list is a
 * field not present. What the policy asks of it stands in lb_policy/registry_rls.c.
 */
#include "base/duration.h"
#include "rules/lb_policy/registry.h"
#include "rules/route_readers.h"

/* Why a duration has no JSON form, or NULL. */
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

/* The encoder stops at the first one. */
static const char *first_not_json(const pb_route_lookup_config *pb)
{
    const pb_duration *const fields[] = {pb->lookup_service_timeout, pb->max_age,
                                         pb->stale_age};
    const char *why = NULL;

    for (size_t i = 0; i < XDS_ARRAY_LEN(fields) && !why; i++)
        why = not_json(fields[i]);
    return why;
}

/* What the client's policy says, data NULL when it takes the config. */
static struct xds_slice policy_faults(const struct xds_ctx *ctx, enum xds_client client,
                                      const struct xds_tree *list)
{
    struct xds_lb_judge judge = {
        .arena = ctx->arena, .options = ctx->options, .client = client};

    return xds_lb_list_faults(&judge, list);
}

/* go asks for less than C-core, and never for more. java asks its policy only once the
 * config is in use. */
void xds_route_lookup_config_check(struct xds_ctx *ctx, const struct xds_path *at,
                                   const struct xds_path *plugin, unsigned clients,
                                   const pb_route_lookup_config *pb)
{
    const char *why = first_not_json(pb);

    if (why) {
        xds_fire_for(ctx, plugin, clients, XDS_R_RLS_CONFIG_DURATION,
                     "failed to dump proto to JSON: %s", why);
        return;
    }

    const struct xds_tree *list = xds_route_lookup_policy(ctx->arena, pb);
    const struct xds_slice faults = policy_faults(ctx, XDS_CLIENT_CORE, list);

    if (!faults.data)
        return;
    if (!policy_faults(ctx, XDS_CLIENT_GO, list).data)
        clients &= ~XDS_GO;
    xds_fire_for(ctx, at, clients, XDS_R_RLS_CONFIG_INVALID,
                 "ClusterSpecifierPlugin returned invalid LB policy config: %.*s",
                 XDS_FMT(faults));
}
