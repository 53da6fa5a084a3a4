/*
 * locality_lb_endpoints.c - turn LocalityLbEndpoints into the model.
 *
 * Takes:  a decoded message, borrowed. Without weight core and java look no further, go
 *         only checks that there is a locality, node checks everything.
 * Gives:  *out, with weight 0 when it takes no part, and its share of the priority.
 * Fires:  the rows of locality_lb_endpoints.def, those of metadata.def, lb_endpoint.def
 *         and address.def.
 * Source: spec cluster 2.1; gRFC A27.
 */
#include "rules/endpoint_readers.h"

#define LB_CONFIG(arm) ENVOY__CONFIG__ENDPOINT__V3__LOCALITY_LB_ENDPOINTS__LB_CONFIG_##arm
#define SELF ENVOY__CONFIG__CORE__V3__CONFIG_SOURCE__CONFIG_SOURCE_SPECIFIER_SELF

/* core, and with it the documents, keeps no locality that has a fault. */
static unsigned droppers_since(const struct xds_report *report, size_t first)
{
    const bool by_core = xds_rejects_since(report, first, XDS_CLIENT_CORE);
    const bool by_grfc = xds_rejects_since(report, first, XDS_CLIENT_GRFC);

    return (by_core ? XDS_CORE : 0) | (by_grfc ? XDS_GRFC : 0);
}

static void read_names(struct xds_arena *arena, const pb_locality *pb,
                       struct xds_locality *out)
{
    if (!pb)
        return;
    out->region = xds_arena_dup(arena, xds_slice_of(pb->region));
    out->zone = xds_arena_dup(arena, xds_slice_of(pb->zone));
    out->sub_zone = xds_arena_dup(arena, xds_slice_of(pb->sub_zone));
}

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

/* A locality of one priority: where it stands first, and the clients that keep it. */
struct kept {
    size_t first;
    unsigned by;
};

static void report_duplicate(struct xds_ctx *ctx, const struct xds_path *at,
                             unsigned clients, const struct xds_locality *locality,
                             size_t first)
{
    const size_t findings = ctx->report->n_findings;

    xds_fire_for(ctx, at, clients, XDS_R_LOCALITY_DUPLICATE,
                 "duplicate locality {region=\"%.*s\", zone=\"%.*s\", "
                 "sub_zone=\"%.*s\"} found in priority %u",
                 XDS_FMT(locality->region), XDS_FMT(locality->zone),
                 XDS_FMT(locality->sub_zone), locality->priority);
    if (ctx->report->n_findings > findings)
        xds_report_relate(ctx->report, ctx->resource, XDS_AT_I(NULL, "endpoints", first),
                          NULL, "the first entry of this locality");
}

/* Returns the clients that have met the locality in this priority before. */
static unsigned check_duplicate(struct xds_eds_walk *walk, const struct xds_path *at,
                                const struct xds_locality *locality, unsigned clients)
{
    struct xds_arena *arena = walk->ctx->arena;
    void **slot = xds_strmap_at(&walk->localities, locality_key(arena, locality));

    if (!*slot) {
        struct kept *fresh = XDS_NEW(arena, struct kept);

        fresh->first = at->index;
        *slot = fresh;
    }

    struct kept *kept = *slot;
    const unsigned repeated = kept->by & clients;

    kept->by |= clients;
    if (repeated)
        report_duplicate(walk->ctx, at, repeated, locality, kept->first);
    return repeated;
}

static void read_metadata(struct xds_eds_walk *walk, const struct xds_path *at,
                          const pb_metadata *pb)
{
    const unsigned live = walk->ctx->live;

    walk->ctx->live &= walk->locality_metadata;
    xds_metadata_read(walk->ctx, XDS_AT_UNSAID(at, "metadata"), pb);
    walk->ctx->live = live;
}

/* Hosts that stand elsewhere than in lb_endpoints; told once. */
static void report_other_hosts(struct xds_ctx *ctx, const struct xds_path *at,
                               const pb_locality_lb_endpoints *pb, unsigned readers)
{
    const bool leds = pb->lb_config_case == LB_CONFIG(LEDS_CLUSTER_LOCALITY_CONFIG);
    const char *field = leds ? "leds_cluster_locality_config" : "load_balancer_endpoints";

    if (pb->lb_config_case != LB_CONFIG(_NOT_SET) &&
        xds_report_is_first(ctx->report, xds_slice_of(field)))
        xds_fire_for(ctx, XDS_AT(at, field), ctx->live & ~readers,
                     XDS_R_LOCALITY_OTHER_HOSTS,
                     "%s is not read: the hosts in it get no RPCs, only those in "
                     "lb_endpoints do",
                     field);
}

/* gRFC A95: the clients that fetch the endpoints of this locality over LEDS, and so pass
 * over the ones in place. No client has built it yet. */
static unsigned read_leds(struct xds_ctx *ctx, const struct xds_path *at,
                          const pb_locality_lb_endpoints *pb)
{
    const unsigned readers =
        XDS_GRFC & xds_env_mask(ctx->options, XDS_ENV_ENDPOINT_FALLBACK);
    const struct xds_path *here = XDS_AT(at, "leds_cluster_locality_config");

    if (pb->lb_config_case != LB_CONFIG(LEDS_CLUSTER_LOCALITY_CONFIG) || !readers)
        return 0;

    const pb_leds_cluster_locality_config *leds = pb->leds_cluster_locality_config;

    if (!leds->leds_config || leds->leds_config->config_source_specifier_case != SELF)
        xds_fire_for(ctx, XDS_AT(here, "leds_config"), readers,
                     XDS_R_LOCALITY_LEDS_SOURCE, "ConfigSource is not self");
    if (xds_slice_ends(xds_slice_of(leds->leds_collection_name), XDS_S("/*")))
        xds_fire_for(ctx, XDS_AT(here, "leds_collection_name"), readers,
                     XDS_R_LOCALITY_LEDS_NAME, "must not end in \"/*\"");
    return readers;
}

static void read_endpoints(struct xds_eds_walk *walk, const struct xds_path *at,
                           const pb_locality_lb_endpoints *pb, struct xds_locality *out)
{
    struct xds_arena *arena = walk->ctx->arena;
    const size_t n = pb->n_lb_endpoints;
    uint64_t weight = 0;

    if (n == 0)
        return;

    struct xds_endpoint *endpoints = XDS_NEW_ARRAY(arena, struct xds_endpoint, n);
    struct xds_slice *addresses = XDS_NEW_ARRAY(arena, struct xds_slice, n);

    for (size_t i = 0; i < n; i++) {
        xds_lb_endpoint_read(walk, XDS_AT_I(at, "lb_endpoints", i), pb->lb_endpoints[i],
                             &addresses[i], &endpoints[i]);
        weight += endpoints[i].weight;
    }
    if (weight > UINT32_MAX)
        xds_fire(walk->ctx, XDS_AT(at, "lb_endpoints"), XDS_R_LOCALITY_ENDPOINT_WEIGHTS,
                 "sum of endpoint weights exceeds uint32 max");
    out->endpoints = endpoints;
    out->n_endpoints = n;
}

/* The clients to which the locality has weight: java reads it as a signed number, and as
 * one below 1 it is none. */
static unsigned weighed_by(struct xds_ctx *ctx, const struct xds_path *at,
                           uint32_t weight)
{
    if (weight <= INT32_MAX)
        return weight > 0 ? ctx->live : 0;
    xds_fire(ctx, XDS_AT(at, "load_balancing_weight"), XDS_R_LOCALITY_WEIGHT,
             "negative weight: the locality is as one without");
    return ctx->live & ~XDS_JAVA;
}

void xds_locality_read(struct xds_eds_walk *walk, const struct xds_path *at,
                       const pb_locality_lb_endpoints *pb, struct xds_locality *out,
                       struct xds_priority_share *share)
{
    struct xds_ctx *ctx = walk->ctx;
    const unsigned live = ctx->live;
    const size_t findings = ctx->report->n_findings;
    const uint32_t weight =
        pb->load_balancing_weight ? pb->load_balancing_weight->value : 0;

    const unsigned weighed = weighed_by(ctx, at, weight);

    *out = (struct xds_locality){.priority = pb->priority,
                                 .weight = weight,
                                 .weight_set = pb->load_balancing_weight != NULL};
    *share = (struct xds_priority_share){.priority = pb->priority, .weight = weight};
    ctx->live = weighed | (live & (XDS_GO | XDS_NODE));
    if (!pb->locality)
        xds_fire(ctx, XDS_AT(at, "locality"), XDS_R_LOCALITY_ABSENT, "field not present");

    const unsigned lookers = weighed | (live & XDS_NODE);

    ctx->live = lookers;
    if (lookers) {
        read_names(ctx->arena, pb->locality, out);
        if (pb->priority > INT32_MAX)
            xds_fire(ctx, XDS_AT(at, "priority"), XDS_R_LOCALITY_PRIORITY,
                     "negative priority");
        read_metadata(walk, at, pb->metadata);
        const unsigned leds = read_leds(ctx, at, pb);

        report_other_hosts(ctx, at, pb, leds);
        ctx->live &= ~leds;
        read_endpoints(walk, at, pb, out);
        ctx->live = lookers;
        share->counted_by = ctx->live & ~droppers_since(ctx->report, findings);
        share->counted_by &=
            ~(check_duplicate(walk, at, out, share->counted_by) & (XDS_GRFC | XDS_CORE));
    }
    ctx->live = live;
}
