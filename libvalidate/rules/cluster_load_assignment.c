/*
 * cluster_load_assignment.c - turn ClusterLoadAssignment into the model.
 *
 * Takes:  a decoded message, borrowed.
 * Gives:  *out in the model's arena: the localities with weight, and the drops.
 * Fires:  ASSIGNMENT_NAME_EMPTY and the DROP_ rows of cluster_load_assignment.def; the
 * others through the readers of endpoint_readers.h. Source: spec cluster 2; gRFC A27.
 */
#include "rules/endpoint_readers.h"

#define MILLION 1000000u

/* Indexed by FractionalPercent.denominator. */
static const uint32_t per_million[] = {MILLION / 100, MILLION / 10000, 1};

static uint32_t read_percentage(struct xds_ctx *ctx, const struct xds_path *at,
                                const pb_fractional_percent *pb)
{
    if (!pb) {
        xds_fire(ctx, at, XDS_R_DROP_PERCENTAGE, "field not present");
        return 0;
    }

    const unsigned denominator = (unsigned)pb->denominator;

    if (denominator >= XDS_ARRAY_LEN(per_million)) {
        xds_fire(ctx, XDS_AT(at, "denominator"), XDS_R_DROP_DENOMINATOR,
                 "unknown denominator type");
        return 0;
    }

    const uint64_t share = (uint64_t)pb->numerator * per_million[denominator];

    return share < MILLION ? (uint32_t)share : MILLION;
}

static void read_drops(struct xds_ctx *ctx, const pb_cluster_load_assignment_policy *pb,
                       struct xds_endpoints *out)
{
    const struct xds_path *at = XDS_AT(NULL, "policy");

    if (!pb || pb->n_drop_overloads == 0)
        return;

    struct xds_drop *drops =
        XDS_NEW_ARRAY(ctx->arena, struct xds_drop, pb->n_drop_overloads);

    for (size_t i = 0; i < pb->n_drop_overloads; i++) {
        const pb_cluster_load_assignment_policy_drop_overload *drop =
            pb->drop_overloads[i];
        const struct xds_path *here = XDS_AT_I(at, "drop_overloads", i);

        if (!*drop->category)
            xds_fire(ctx, XDS_AT(here, "category"), XDS_R_DROP_CATEGORY,
                     "empty drop category name");
        drops[i].category = xds_arena_dup(ctx->arena, xds_slice_of(drop->category));
        drops[i].per_million =
            read_percentage(ctx, XDS_AT(here, "drop_percentage"), drop->drop_percentage);
    }
    out->drops = drops;
    out->n_drops = pb->n_drop_overloads;
}

static size_t count_endpoints(const pb_cluster_load_assignment *pb)
{
    size_t n = 0;

    for (size_t i = 0; i < pb->n_endpoints; i++)
        n += pb->endpoints[i]->n_lb_endpoints;
    return n;
}

static void read_localities(struct xds_eds_walk *walk,
                            const pb_cluster_load_assignment *pb,
                            struct xds_endpoints *out)
{
    struct xds_arena *arena = walk->ctx->arena;
    struct xds_locality *localities =
        XDS_NEW_ARRAY(arena, struct xds_locality, pb->n_endpoints);
    struct xds_priority_share *shares =
        XDS_NEW_ARRAY(arena, struct xds_priority_share, pb->n_endpoints);
    size_t n = 0, end = pb->n_endpoints; /* localities of weight 0 fill up from the end */

    for (size_t i = 0; i < pb->n_endpoints; i++) {
        struct xds_locality *locality = &localities[n];

        xds_locality_read(walk, XDS_AT_I(NULL, "endpoints", i), pb->endpoints[i],
                          locality, &shares[i]);
        locality->index = (uint32_t)i;
        if (locality->weight > 0)
            n++;
        else
            localities[--end] = *locality;
    }
    out->localities = localities;
    out->n_localities = n;
    out->weightless = localities + end;
    out->n_weightless = pb->n_endpoints - end;
    out->n_priorities = xds_priorities_check(walk->ctx, shares, pb->n_endpoints);
}

/* java always looks into metadata, node never; the others when a feature needs it. */
static unsigned metadata_readers(const struct xds_options *options, bool of_endpoint)
{
    const unsigned featured = XDS_GRFC | XDS_CORE | XDS_GO;
    unsigned clients = featured & xds_env_mask(options, XDS_ENV_HTTP_CONNECT);

    if (of_endpoint)
        clients |=
            featured & ~xds_env_mask(options, XDS_ENV_ENDPOINT_HASH_KEY_BACKWARD_COMPAT);
    return clients | XDS_JAVA;
}

bool xds_endpoints_read(struct xds_ctx *ctx, const pb_cluster_load_assignment *pb,
                        struct xds_endpoints *out)
{
    struct xds_eds_walk walk = {
        .ctx = ctx,
        .dualstack = xds_env_mask(ctx->options, XDS_ENV_DUALSTACK_ENDPOINTS),
        .locality_metadata = metadata_readers(ctx->options, false),
        .endpoint_metadata = metadata_readers(ctx->options, true),
    };

    *out = (struct xds_endpoints){
        .cluster_name = xds_arena_dup(ctx->arena, xds_slice_of(pb->cluster_name)),
    };
    if (!*pb->cluster_name)
        xds_fire(ctx, XDS_AT(NULL, "cluster_name"), XDS_R_ASSIGNMENT_NAME_EMPTY,
                 "empty resource name");
    if (pb->n_endpoints > 0) {
        xds_address_set_init(&walk.addresses, ctx->arena, count_endpoints(pb));
        xds_strmap_init(&walk.localities, ctx->arena);
        read_localities(&walk, pb, out);
    }
    read_drops(ctx, pb->policy, out);
    return true;
}
