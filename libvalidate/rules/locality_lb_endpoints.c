/*
 * locality_lb_endpoints.c - turn LocalityLbEndpoints into the model.
 *
 * Source: spec cluster 2.1; gRFC A27.
 */
#include "rules/endpoint_readers.h"

#define LB_CONFIG(arm) ENVOY__CONFIG__ENDPOINT__V3__LOCALITY_LB_ENDPOINTS__LB_CONFIG_##arm
#define SELF ENVOY__CONFIG__CORE__V3__CONFIG_SOURCE__CONFIG_SOURCE_SPECIFIER_SELF

static char *put_bytes(char *to, const void *from, size_t n)
{
    if (n > 0)
        memcpy(to, from, n);
    return to + n;
}

/* Priority and names as one key that no other combination spells. */
static struct xds_slice locality_key(struct xds_arena *arena,
                                     const struct xds_locality *locality)
{
    const struct xds_slice names[] = {locality->region, locality->zone,
                                      locality->sub_zone};
    size_t size = sizeof locality->priority;

    for (size_t i = 0; i < XDS_ARRAY_LEN(names); i++)
        size += sizeof names[i].len + names[i].len;

    char *key = xds_arena_alloc(arena, size);
    char *to = put_bytes(key, &locality->priority, sizeof locality->priority);

    for (size_t i = 0; i < XDS_ARRAY_LEN(names); i++) {
        to = put_bytes(to, &names[i].len, sizeof names[i].len);
        to = put_bytes(to, names[i].data, names[i].len);
    }
    return xds_slice_make(key, size);
}

/* A locality of one priority: where it is first, and the readers that keep it. */
struct kept {
    size_t first;
    xds_readers by;
};

/* Returns the readers that have met the locality in this priority before. */
static xds_readers check_duplicate(struct xds_eds_walk *walk, const struct xds_path *at,
                                   const struct xds_locality *locality,
                                   xds_readers readers)
{
    struct xds_ctx *ctx = walk->ctx;
    const size_t findings = ctx->report->n_findings;
    void **slot = xds_strmap_at(&walk->localities, locality_key(ctx->arena, locality));

    if (!*slot) {
        struct kept *fresh = XDS_NEW(ctx->arena, struct kept);

        fresh->first = at->index;
        *slot = fresh;
    }

    struct kept *kept = *slot;
    const xds_readers repeated = kept->by & readers;

    kept->by |= readers;
    if (repeated)
        xds_fire_for(ctx, at, repeated, XDS_R_LOCALITY_DUPLICATE,
                     XDS_WITH(xds_arena_printf(
                                  ctx->arena,
                                  "{region=\"%.*s\", zone=\"%.*s\", sub_zone=\"%.*s\"}",
                                  XDS_FMT(locality->region), XDS_FMT(locality->zone),
                                  XDS_FMT(locality->sub_zone)),
                              xds_number(ctx, locality->priority)));
    if (ctx->report->n_findings > findings)
        xds_report_relate(ctx->report, ctx->resource,
                          XDS_AT_I(NULL, "endpoints", kept->first), NULL,
                          "the first entry of this locality");
    return repeated;
}

/* Hosts outside lb_endpoints; reported once. */
static void report_other_hosts(struct xds_ctx *ctx, const struct xds_path *at,
                               const pb_locality_lb_endpoints *pb, xds_readers readers)
{
    const bool leds = pb->lb_config_case == LB_CONFIG(LEDS_CLUSTER_LOCALITY_CONFIG);
    const char *field = leds ? "leds_cluster_locality_config" : "load_balancer_endpoints";

    if (pb->lb_config_case != LB_CONFIG(_NOT_SET) &&
        xds_report_is_first(ctx->report, xds_slice_of(field)))
        xds_fire_for(ctx, XDS_AT(at, field), ~readers, XDS_R_LOCALITY_OTHER_HOSTS, NULL);
}

/* gRFC A95: the readers that fetch the endpoints of this locality over LEDS, and so
 * ignore those in place. No client has built it yet. */
static xds_readers read_leds(struct xds_ctx *ctx, const struct xds_path *at,
                             const pb_locality_lb_endpoints *pb)
{
    const xds_readers readers = xds_guarded_by(ctx, XDS_ENV_ENDPOINT_FALLBACK) &
                                ~xds_who(ctx, XDS_DIFF_LEDS_UNREAD);
    const struct xds_path *here = XDS_AT(at, "leds_cluster_locality_config");

    if (pb->lb_config_case != LB_CONFIG(LEDS_CLUSTER_LOCALITY_CONFIG) || !readers)
        return 0;

    const pb_leds_cluster_locality_config *leds = pb->leds_cluster_locality_config;
    const struct xds_slice name = xds_slice_of(leds->leds_collection_name);

    if (!leds->leds_config || leds->leds_config->config_source_specifier_case != SELF)
        xds_fire_for(ctx, here, readers, XDS_R_LOCALITY_LEDS_SOURCE,
                     XDS_WITH(leds->leds_config ? xds_source_name(leds->leds_config)
                                                : XDS_S("not set")));
    if (xds_slice_ends(name, XDS_S("/*")))
        xds_fire_for(ctx, here, readers, XDS_R_LOCALITY_LEDS_NAME, XDS_WITH(name));
    return readers;
}

static void read_endpoints(struct xds_eds_walk *walk, const struct xds_path *at,
                           const pb_locality_lb_endpoints *pb, struct xds_locality *out)
{
    struct xds_ctx *ctx = walk->ctx;
    const size_t n = pb->n_lb_endpoints;
    uint64_t weight = 0;

    if (n == 0)
        return;

    struct xds_endpoint *endpoints = XDS_NEW_ARRAY(ctx->arena, struct xds_endpoint, n);
    struct xds_slice *addresses = XDS_NEW_ARRAY(ctx->arena, struct xds_slice, n);

    for (size_t i = 0; i < n; i++) {
        xds_lb_endpoint_read(walk, XDS_AT_I(at, "lb_endpoints", i), pb->lb_endpoints[i],
                             &addresses[i], &endpoints[i]);
        weight += endpoints[i].weight;
    }
    if (weight > UINT32_MAX)
        xds_fire_with(ctx, at, XDS_R_LOCALITY_ENDPOINT_WEIGHTS,
                      XDS_WITH(xds_number(ctx, (int64_t)weight)));
    out->endpoints = endpoints;
    out->n_endpoints = n;
}

/* What those do that look into the locality; returns those of them that keep it. */
static xds_readers read_inside(struct xds_eds_walk *walk, const struct xds_path *at,
                               const pb_locality_lb_endpoints *pb,
                               struct xds_locality *out, size_t findings)
{
    struct xds_ctx *ctx = walk->ctx;
    const xds_readers live = ctx->live;
    const xds_readers strict = ~xds_who(ctx, XDS_DIFF_FAULTY_LOCALITY_COUNTS);

    if (pb->locality) {
        out->region = xds_arena_dup(ctx->arena, xds_slice_of(pb->locality->region));
        out->zone = xds_arena_dup(ctx->arena, xds_slice_of(pb->locality->zone));
        out->sub_zone = xds_arena_dup(ctx->arena, xds_slice_of(pb->locality->sub_zone));
    }
    if (pb->priority > INT32_MAX)
        xds_fire_with(ctx, at, XDS_R_LOCALITY_PRIORITY,
                      XDS_WITH(xds_number(ctx, pb->priority)));
    ctx->live &= walk->locality_metadata;
    xds_metadata_read(ctx, XDS_AT_UNSAID(at, "metadata"), pb->metadata);
    ctx->live = live;

    const xds_readers leds = read_leds(ctx, at, pb);

    report_other_hosts(ctx, at, pb, leds);
    ctx->live &= ~leds;
    read_endpoints(walk, at, pb, out);
    ctx->live = live;

    const xds_readers keep = live & ~(xds_rejecting_since(ctx, findings) & strict);

    return keep & ~(check_duplicate(walk, at, out, keep) & strict);
}

void xds_locality_read(struct xds_eds_walk *walk, const struct xds_path *at,
                       const pb_locality_lb_endpoints *pb, struct xds_locality *out,
                       struct xds_priority_share *share)
{
    struct xds_ctx *ctx = walk->ctx;
    const xds_readers live = ctx->live;
    const size_t findings = ctx->report->n_findings;
    const uint32_t weight =
        pb->load_balancing_weight ? pb->load_balancing_weight->value : 0;
    xds_readers weighed = weight > 0 ? live : 0;

    *out = (struct xds_locality){.priority = pb->priority,
                                 .weight = weight,
                                 .weight_set = pb->load_balancing_weight != NULL};
    *share = (struct xds_priority_share){.priority = pb->priority, .weight = weight};
    if (weight > INT32_MAX)
        weighed &= ~xds_fire_skip(ctx, at, XDS_R_LOCALITY_WEIGHT,
                                  XDS_WITH(xds_number(ctx, weight)));
    ctx->live = weighed | (live & xds_who(ctx, XDS_DIFF_WEIGHTLESS_LOCALITY_NAMED));
    if (!pb->locality)
        xds_fire(ctx, at, XDS_R_LOCALITY_ABSENT);
    ctx->live = weighed | (live & xds_who(ctx, XDS_DIFF_WEIGHTLESS_LOCALITY_READ));
    if (ctx->live)
        share->counted_by = read_inside(walk, at, pb, out, findings);
    ctx->live = live;
}
