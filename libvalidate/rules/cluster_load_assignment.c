/*
 * cluster_load_assignment.c - turn ClusterLoadAssignment into the model.
 *
 * Source: spec cluster 2; gRFC A27.
 */
#include "rules/endpoint_readers.h"

#define MILLION 1000000u

/* Indexed by FractionalPercent.denominator. */
static const uint32_t per_million[] = {MILLION / 100, MILLION / 10000, 1};

static uint32_t read_percentage(struct xds_ctx *ctx, const struct xds_path *at,
                                const pb_fractional_percent *pb)
{
    const unsigned denominator = (unsigned)pb->denominator;

    if (denominator >= XDS_ARRAY_LEN(per_million)) {
        xds_fire_with(ctx, at, XDS_R_DROP_DENOMINATOR,
                      XDS_WITH(xds_number(ctx, pb->denominator)));
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

        drops[i].category = xds_arena_dup(ctx->arena, xds_slice_of(drop->category));
        if (!*drop->category)
            xds_fire(ctx, here, XDS_R_DROP_CATEGORY);
        if (drop->drop_percentage)
            drops[i].per_million = read_percentage(ctx, XDS_AT(here, "drop_percentage"),
                                                   drop->drop_percentage);
        else
            xds_fire_with(ctx, here, XDS_R_DROP_PERCENTAGE, XDS_WITH(drops[i].category));
    }
    out->drops = drops;
    out->n_drops = pb->n_drop_overloads;
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

bool xds_endpoints_read(struct xds_ctx *ctx, const pb_cluster_load_assignment *pb,
                        struct xds_endpoints *out)
{
    const xds_readers always = xds_who(ctx, XDS_DIFF_METADATA_ALWAYS_READ);
    const xds_readers some = ~xds_who(ctx, XDS_DIFF_METADATA_UNREAD);
    const xds_readers proxied = some & xds_guarded_by(ctx, XDS_ENV_HTTP_CONNECT);
    const xds_readers hashed =
        some & ~xds_guarded_by(ctx, XDS_ENV_ENDPOINT_HASH_KEY_BACKWARD_COMPAT);
    struct xds_eds_walk walk = {
        .ctx = ctx,
        .dualstack = xds_guarded_by(ctx, XDS_ENV_DUALSTACK_ENDPOINTS),
        .locality_metadata = always | proxied,
        .endpoint_metadata = always | proxied | hashed,
    };
    size_t n_endpoints = 0;

    *out = (struct xds_endpoints){
        .cluster_name = xds_arena_dup(ctx->arena, xds_slice_of(pb->cluster_name)),
    };
    if (!*pb->cluster_name)
        xds_fire(ctx, NULL, XDS_R_ASSIGNMENT_NAME_EMPTY);
    if (pb->n_endpoints > 0) {
        for (size_t i = 0; i < pb->n_endpoints; i++)
            n_endpoints += pb->endpoints[i]->n_lb_endpoints;
        xds_address_set_init(&walk.addresses, ctx, n_endpoints);
        xds_strmap_init(&walk.localities, ctx->arena);
        read_localities(&walk, pb, out);
    }
    read_drops(ctx, pb->policy, out);
    return true;
}
