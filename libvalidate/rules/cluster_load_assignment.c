/*
 * cluster_load_assignment.c - turn ClusterLoadAssignment into the model.
 *
 * Source: spec cluster 2; gRFC A27, A61.
 */
#include "rules/inner.h"

#include <inttypes.h>
#include <stdlib.h>

/* ---- repeated addresses ---- */

#define FIRST_CAP 32

static void make_slots(struct xds_address_set *set, size_t cap)
{
    set->cap = cap;
    set->slots = XDS_NEW_ARRAY(set->arena, struct xds_address_slot, cap);
}

void xds_address_set_init(struct xds_address_set *set, const struct xds_ctx *ctx,
                          size_t expected)
{
    const xds_readers by_text = xds_who(ctx, XDS_DIFF_ADDRESSES_AS_TEXT);
    size_t cap = FIRST_CAP;

    *set = (struct xds_address_set){
        .arena = ctx->scratch,
        .by_text = by_text,
        .by_value = ~(by_text | xds_who(ctx, XDS_DIFF_ADDRESSES_NOT_COMPARED)),
    };
    xds_strmap_init(&set->texts, ctx->scratch);
    while (cap < expected + expected / 2)
        cap *= 2;
    make_slots(set, cap);
    /* The author of the input cannot know where the table is, so no input can aim at one
     * slot; what is found never depends on it. */
    set->seed = (uint64_t)(uintptr_t)set->slots * UINT64_C(0x9e3779b97f4a7c15);
}

static uint64_t mix(uint64_t x)
{
    x = (x ^ (x >> 32)) * UINT64_C(0xd6e8feb86659fd93);
    x = (x ^ (x >> 32)) * UINT64_C(0xd6e8feb86659fd93);
    return x ^ (x >> 32);
}

static uint64_t hash_of(const struct xds_sockaddr *address, uint64_t seed)
{
    uint64_t ip[2];

    memcpy(ip, address->ip, sizeof ip);
    seed = mix(seed ^ ip[0] ^ (uint64_t)address->port << 40);
    if (address->family == 6)
        seed = mix(seed ^ ip[1] ^ address->scope);
    return seed;
}

static struct xds_address_slot *find_slot(const struct xds_address_set *set,
                                          const struct xds_sockaddr *address)
{
    size_t i = (size_t)hash_of(address, set->seed) & (set->cap - 1);

    while (set->slots[i].address.family != 0 &&
           memcmp(&set->slots[i].address, address, sizeof *address) != 0)
        i = (i + 1) & (set->cap - 1);
    return &set->slots[i];
}

static uint32_t group_of(struct xds_address_set *set, xds_readers readers)
{
    size_t i = 0;

    while (i < set->n_groups && set->groups[i] != readers)
        i++;
    if (i == set->n_groups) {
        set->groups = xds_arena_room(set->arena, set->groups, set->n_groups,
                                     &set->cap_groups, sizeof *set->groups);
        set->groups[set->n_groups++] = readers;
    }
    return (uint32_t)i + 1;
}

/* Returns those of the readers that have met the address before. */
static xds_readers meet(struct xds_address_set *set, struct xds_address_slot *slot,
                        xds_readers readers)
{
    const xds_readers seen_by = slot->seen_by ? set->groups[slot->seen_by - 1] : 0;
    const xds_readers repeated = seen_by & readers;

    if (seen_by == 0)
        slot->first = set->here;
    if (repeated)
        set->first = slot->first;
    if (readers & ~seen_by)
        slot->seen_by = group_of(set, seen_by | readers);
    return repeated;
}

static xds_readers add_address(struct xds_address_set *set,
                               const struct xds_sockaddr *address, xds_readers readers)
{
    if (set->n * 4 >= set->cap * 3) {
        const struct xds_address_slot *old = set->slots;
        const size_t n = set->cap;

        make_slots(set, n * 2);
        for (size_t i = 0; i < n; i++)
            if (old[i].address.family != 0)
                *find_slot(set, &old[i].address) = old[i];
    }

    struct xds_address_slot *slot = find_slot(set, address);

    if (slot->address.family == 0) {
        slot->address = *address;
        set->n++;
    }
    return meet(set, slot, readers);
}

static xds_readers add_text(struct xds_address_set *set, struct xds_slice host,
                            uint32_t port, xds_readers readers)
{
    void **slot = xds_strmap_at(
        &set->texts, xds_arena_printf(set->arena, "%.*s:%u", XDS_FMT(host), port));

    if (!*slot)
        *slot = XDS_NEW(set->arena, struct xds_address_slot);
    return meet(set, *slot, readers);
}

xds_readers xds_address_set_add(struct xds_address_set *set,
                                const struct xds_sockaddr *address, struct xds_slice host,
                                uint32_t port, xds_readers readers)
{
    const xds_readers by_text = readers & set->by_text;
    const xds_readers by_value = readers & set->by_value;
    xds_readers repeated = 0;

    if (address->family == 4)
        return add_address(set, address, by_text | by_value);
    if (address->family == 6 && by_value)
        repeated |= add_address(set, address, by_value);
    if (by_text)
        repeated |= add_text(set, host, port, by_text);
    return repeated;
}

/* ---- endpoints ---- */

#define HOST(arm) ENVOY__CONFIG__ENDPOINT__V3__LB_ENDPOINT__HOST_IDENTIFIER_##arm
#define PORT(arm) ENVOY__CONFIG__CORE__V3__SOCKET_ADDRESS__PORT_SPECIFIER_##arm
#define PROTOCOL(arm) ENVOY__CONFIG__CORE__V3__SOCKET_ADDRESS__PROTOCOL__##arm

/* DRAINING only for session affinity. */
#define USABLE_HEALTH                                                                    \
    ((1u << XDS_HEALTH_UNKNOWN) | (1u << XDS_HEALTH_HEALTHY) |                           \
     (1u << XDS_HEALTH_DRAINING))

static struct xds_slice address_text(struct xds_arena *arena,
                                     const struct xds_sockaddr *address,
                                     const pb_socket_address *pb)
{
    if (!pb)
        return xds_arena_dup(arena, XDS_S(":0"));
    if (address->family == 0) {
        /* The text of an address that is not an IP, for those that accept it. */
        const bool bare_v6 = strchr(pb->address, ':') && *pb->address != '[';

        return xds_arena_printf(arena, bare_v6 ? "[%s]:%u" : "%s:%u", pb->address,
                                xds_port_value(pb));
    }
    return xds_sockaddr_text(arena, address, xds_slice_of(pb->address));
}

static void report_duplicate(const struct xds_eds_walk *walk, const struct xds_path *at,
                             xds_readers repeated, const struct xds_sockaddr *address,
                             struct xds_slice text)
{
    struct xds_ctx *ctx = walk->ctx;
    const size_t findings = ctx->report->n_findings;
    const struct xds_endpoint_place first = walk->addresses.first;

    if (repeated)
        xds_fire_for(ctx, at, repeated, XDS_R_ENDPOINT_DUPLICATE,
                     XDS_WITH(address->family == 0
                                  ? text
                                  : xds_sockaddr_uri(ctx->arena, address)));
    if (ctx->report->n_findings == findings)
        return;
    if (first.endpoint == at->index && first.locality == at->up->index)
        xds_report_relate(ctx->report, ctx->resource,
                          XDS_AT(at, "endpoint.additional_addresses"), NULL,
                          "the endpoint itself already has this address");
    else
        xds_report_relate(ctx->report, ctx->resource,
                          XDS_AT_I(XDS_AT_I(NULL, "endpoints", first.locality),
                                   "lb_endpoints", first.endpoint),
                          NULL, "the first endpoint with this address");
}

/* at is the path of the LbEndpoint, address_at that of the Address. */
static struct xds_slice read_address(struct xds_eds_walk *walk, const struct xds_path *at,
                                     const struct xds_path *address_at,
                                     const pb_address *pb)
{
    struct xds_ctx *ctx = walk->ctx;
    const pb_socket_address *socket = xds_socket_address(pb);
    const size_t findings = ctx->report->n_findings;
    struct xds_sockaddr address;

    (void)xds_address_read(ctx, address_at, pb, &address);
    /* It is an address only to those that can read it. */
    const xds_readers readers =
        ctx->live & ~ctx->silent & ~xds_report_rejecting(ctx->report, findings);

    if (socket && socket->port_specifier_case != PORT(PORT_VALUE))
        xds_fire_with(ctx, address_at, XDS_R_ENDPOINT_PORT,
                      XDS_WITH(xds_slice_of(socket->address)));
    if (socket && socket->protocol != PROTOCOL(TCP))
        xds_fire_with(
            ctx, address_at, XDS_R_ENDPOINT_PROTOCOL,
            XDS_WITH(xds_slice_of(socket->address),
                     xds_enum_name(
                         ctx,
                         &envoy__config__core__v3__socket_address__protocol__descriptor,
                         (int)socket->protocol)));

    const struct xds_slice text = address_text(ctx->arena, &address, socket);
    const xds_readers repeated = xds_address_set_add(
        &walk->addresses, &address, xds_slice_of(socket ? socket->address : ""),
        socket ? xds_port_value(socket) : 0, readers);

    report_duplicate(walk, at, repeated, &address, text);
    return text;
}

/* Here some take an absent address for an empty one, too. */
static struct xds_slice read_additional(struct xds_eds_walk *walk,
                                        const struct xds_path *endpoint,
                                        const struct xds_path *at, const pb_address *pb)
{
    struct xds_ctx *ctx = walk->ctx;
    const xds_readers live = ctx->live;
    struct xds_slice text;

    ctx->live &= pb ? XDS_EVERYONE : ~xds_who(ctx, XDS_DIFF_ADDRESS_OTHER_EMPTY);
    text = read_address(walk, endpoint, XDS_AT(at, "address"), pb);
    ctx->live = live;
    return text;
}

/* gRFC A76: metadata.filter_metadata["envoy.lb"].hash_key, when it is a string. */
static struct xds_slice hash_key(struct xds_arena *arena, const pb_metadata *pb)
{
    const pb_struct *lb = NULL;

    for (size_t i = 0; !lb && i < pb->n_filter_metadata; i++)
        if (strcmp(pb->filter_metadata[i]->key, "envoy.lb") == 0)
            lb = pb->filter_metadata[i]->value;
    for (size_t i = 0; lb && i < lb->n_fields; i++) {
        const pb_value *value = lb->fields[i]->value;

        if (strcmp(lb->fields[i]->key, "hash_key") == 0 && value &&
            value->kind_case == GOOGLE__PROTOBUF__VALUE__KIND_STRING_VALUE)
            return xds_arena_dup(arena, xds_slice_of(value->string_value));
    }
    return (struct xds_slice){NULL, 0};
}

static void read_endpoint(struct xds_eds_walk *walk, const struct xds_path *at,
                          const pb_endpoint *pb, struct xds_slice *address,
                          struct xds_endpoint *out)
{
    const pb_socket_address *socket = xds_socket_address(pb->address);

    *address = read_address(walk, at, XDS_AT(at, "endpoint.address"), pb->address);
    out->lacks_port = !socket || socket->port_specifier_case != PORT(PORT_VALUE);
    out->addresses = address;
    out->n_addresses = 1;
    if (*pb->hostname)
        out->hostname = xds_text(walk->ctx, pb->hostname);
    if (pb->n_additional_addresses > 0) {
        /* The model lists these addresses when some reader reads them. */
        struct xds_ctx *ctx = walk->ctx;
        const xds_readers live = ctx->live;
        const size_t n = pb->n_additional_addresses;
        struct xds_slice *addresses = XDS_NEW_ARRAY(ctx->arena, struct xds_slice, n + 1);

        ctx->live &= walk->dualstack;
        addresses[0] = out->addresses[0];
        for (size_t i = 0; ctx->live && i < n; i++)
            addresses[i + 1] = read_additional(
                walk, at, XDS_AT_I(XDS_AT(at, "endpoint"), "additional_addresses", i),
                pb->additional_addresses[i]->address);
        if (ctx->live) {
            out->addresses = addresses;
            out->n_addresses = n + 1;
        }
        ctx->live = live;
    }
}

static void read_no_endpoint(struct xds_eds_walk *walk, const struct xds_path *at)
{
    const struct xds_sockaddr none = {0};
    struct xds_ctx *ctx = walk->ctx;

    xds_fire(ctx, at, XDS_R_ENDPOINT_ABSENT);

    const xds_readers repeated =
        xds_address_set_add(&walk->addresses, &none, XDS_S(""), 0,
                            ctx->live & xds_who(ctx, XDS_DIFF_NO_ENDPOINT_IS_PORT_0));

    report_duplicate(walk, at, repeated, &none, XDS_S(":0"));
}

/* address is where out->addresses may point when there is just one. */
static void read_lb_endpoint(struct xds_eds_walk *walk, const struct xds_path *at,
                             const pb_lb_endpoint *pb, struct xds_slice *address,
                             struct xds_endpoint *out)
{
    struct xds_ctx *ctx = walk->ctx;
    const xds_readers live = ctx->live;
    const pb_u_int32_value *weight = pb->load_balancing_weight;

    walk->addresses.here =
        (struct xds_endpoint_place){(uint32_t)at->up->index, (uint32_t)at->index};

    /* An unknown number is treated as UNHEALTHY is: never used. */
    const unsigned health = (unsigned)pb->health_status;
    out->health = health < XDS_HEALTHS ? (enum xds_health)health : XDS_HEALTH_UNHEALTHY;
    if (!(USABLE_HEALTH & (1u << out->health)))
        ctx->live &= xds_who(ctx, XDS_DIFF_UNUSABLE_ENDPOINT_CHECKED);
    else if (out->health == XDS_HEALTH_DRAINING)
        ctx->live &= ~xds_who(ctx, XDS_DIFF_DRAINING_GUARDED) |
                     xds_guarded_by(ctx, XDS_ENV_OVERRIDE_HOST);
    if (weight && weight->value == 0)
        xds_fire(ctx, at, XDS_R_ENDPOINT_WEIGHT);
    out->weight = weight && weight->value > 0 ? weight->value : 1;
    if (pb->metadata) {
        xds_metadata_read(XDS_AMONG(ctx, walk->endpoint_metadata),
                          XDS_AT_UNSAID(at, "metadata"), pb->metadata);
        out->hash_key = hash_key(ctx->arena, pb->metadata);
    }
    if (pb->host_identifier_case == HOST(ENDPOINT))
        read_endpoint(walk, at, pb->endpoint, address, out);
    else
        read_no_endpoint(walk, at);
    ctx->live = live;
}

/* ---- localities ---- */

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
    void **slot = xds_strmap_at(&walk->localities, locality_key(ctx->scratch, locality));

    if (!*slot) {
        struct kept *fresh = XDS_NEW(ctx->scratch, struct kept);

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
        read_lb_endpoint(walk, XDS_AT_I(at, "lb_endpoints", i), pb->lb_endpoints[i],
                         &addresses[i], &endpoints[i]);
        weight += endpoints[i].weight;
    }
    if (weight > UINT32_MAX)
        xds_fire_with(ctx, at, XDS_R_LOCALITY_ENDPOINT_WEIGHTS,
                      XDS_WITH(xds_number(ctx, (int64_t)weight)));
    out->endpoints = endpoints;
    out->n_endpoints = n;
}

/* The priority, for those readers that find nothing else wrong in the locality. Returns
 * those of them that keep it; *too_high_for: those that only say that it is too high. */
static xds_readers check_priority(const struct xds_eds_walk *walk,
                                  const struct xds_path *at, uint32_t priority,
                                  xds_readers readers, xds_readers *too_high_for)
{
    struct xds_ctx *ctx = walk->ctx;
    const struct xds_slice number = xds_number(ctx, priority);
    const xds_readers strict = ~xds_who(ctx, XDS_DIFF_FAULTY_LOCALITY_COUNTS);
    size_t findings = ctx->report->n_findings;

    if (priority < walk->n_localities)
        return readers;
    if (priority > INT32_MAX)
        xds_fire_for(ctx, at, readers, XDS_R_LOCALITY_PRIORITY, XDS_WITH(number));
    readers &= ~(xds_report_rejecting(ctx->report, findings) & strict);
    findings = ctx->report->n_findings;
    xds_fire_for(ctx, at, readers, XDS_R_LOCALITY_PRIORITY_HIGH,
                 XDS_WITH(number, xds_number(ctx, (int64_t)walk->n_localities)));
    *too_high_for = xds_report_rejecting(ctx->report, findings);
    return readers;
}

/* What those do that look into the locality; returns those of them that keep it. */
static xds_readers read_inside(struct xds_eds_walk *walk, const struct xds_path *at,
                               const pb_locality_lb_endpoints *pb,
                               struct xds_locality *out, xds_readers *too_high_for,
                               size_t findings)
{
    struct xds_ctx *ctx = walk->ctx;
    const xds_readers live = ctx->live;
    const xds_readers strict = ~xds_who(ctx, XDS_DIFF_FAULTY_LOCALITY_COUNTS);

    if (pb->locality) {
        out->region = xds_text(ctx, pb->locality->region);
        out->zone = xds_text(ctx, pb->locality->zone);
        out->sub_zone = xds_text(ctx, pb->locality->sub_zone);
    }
    xds_metadata_read(XDS_AMONG(ctx, walk->locality_metadata),
                      XDS_AT_UNSAID(at, "metadata"), pb->metadata);

    const xds_readers leds = read_leds(ctx, at, pb);

    report_other_hosts(ctx, at, pb, leds);
    ctx->live &= ~leds;
    read_endpoints(walk, at, pb, out);
    ctx->live = live;

    xds_readers keep = live & ~(xds_report_rejecting(ctx->report, findings) & strict);

    keep = check_priority(walk, at, pb->priority, keep, too_high_for);
    return keep & ~(check_duplicate(walk, at, out, keep) & strict);
}

/* Fills *out and *share. */
static void read_locality(struct xds_eds_walk *walk, const struct xds_path *at,
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
    ctx->silent = xds_report_rejecting(ctx->report, findings) &
                  ~xds_who(ctx, XDS_DIFF_FAULTY_LOCALITY_COUNTS);
    ctx->live = weighed | (live & xds_who(ctx, XDS_DIFF_WEIGHTLESS_LOCALITY_READ));
    if (ctx->live)
        share->counted_by =
            read_inside(walk, at, pb, out, &share->too_high_for, findings);
    ctx->silent = 0;
    ctx->live = live;
}

/* ---- priorities ---- */

/* core keeps no more messages for one field; further gaps are reported as one. */
#define MAX_GAPS 20

/* What each reader has met so far, in order of priorities. */
struct gaps {
    struct xds_ctx *ctx;
    uint64_t next[XDS_MAX_READERS]; /* the priority that the reader waits for */
    uint64_t sum[XDS_MAX_READERS];  /* of the weights that it counts in this priority */
    unsigned n;
    uint64_t first_unreported, unreported; /* after MAX_GAPS */
    xds_readers unreported_by;
};

static int by_priority(const void *a, const void *b)
{
    const uint32_t x = ((const struct xds_priority_share *)a)->priority;
    const uint32_t y = ((const struct xds_priority_share *)b)->priority;

    return (x > y) - (x < y);
}

/* Those of the readers that have met neither this priority nor a later one. */
static xds_readers without(const struct gaps *gaps, xds_readers readers,
                           uint64_t priority)
{
    xds_readers late = 0;

    for (size_t r = 0; r < gaps->ctx->panel->n; r++)
        if ((readers >> r & 1u) && gaps->next[r] <= priority)
            late |= (xds_readers)1 << r;
    return late;
}

static void report(struct gaps *gaps, uint64_t priority, uint64_t more,
                   xds_readers readers)
{
    struct xds_arena *arena = gaps->ctx->arena;

    xds_fire_for(
        gaps->ctx, NULL, readers, XDS_R_PRIORITY_GAP,
        XDS_WITH(xds_number(gaps->ctx, (int64_t)priority),
                 more ? xds_arena_printf(arena, ", and %" PRIu64 " more above it", more)
                      : XDS_S("")));
}

/* Readers that miss the same priority share one finding. */
static void step(struct gaps *gaps, uint64_t priority, xds_readers counted_by)
{
    uint64_t p = priority;

    for (size_t r = 0; r < gaps->ctx->panel->n; r++)
        if ((counted_by >> r & 1u) && gaps->next[r] < p)
            p = gaps->next[r];
    for (; p < priority && gaps->n < MAX_GAPS; p++, gaps->n++)
        report(gaps, p, 0, without(gaps, counted_by, p));
    if (p < priority) {
        if (gaps->unreported == 0)
            gaps->first_unreported = p;
        gaps->unreported += priority - p;
        gaps->unreported_by |= without(gaps, counted_by, priority - 1);
    }
    for (size_t r = 0; r < gaps->ctx->panel->n; r++)
        if (counted_by >> r & 1u)
            gaps->next[r] = priority + 1;
}

static void check_sums(struct gaps *gaps, uint32_t priority)
{
    xds_readers overflows = 0;
    uint64_t sum = 0;

    for (size_t r = 0; r < gaps->ctx->panel->n; r++) {
        if (gaps->sum[r] > UINT32_MAX)
            overflows |= (xds_readers)1 << r;
        if (gaps->sum[r] > sum)
            sum = gaps->sum[r];
        gaps->sum[r] = 0;
    }
    if (overflows)
        xds_fire_for(gaps->ctx, NULL, overflows, XDS_R_PRIORITY_WEIGHT_SUM,
                     XDS_WITH(xds_number(gaps->ctx, priority),
                              xds_number(gaps->ctx, (int64_t)sum)));
}

uint32_t xds_priorities_check(struct xds_ctx *ctx, struct xds_priority_share *shares,
                              size_t n)
{
    struct gaps gaps = {.ctx = ctx};
    uint32_t in_use = 0;

    qsort(shares, n, sizeof *shares, by_priority);
    for (size_t i = 0; i < n;) {
        const uint32_t priority = shares[i].priority;
        xds_readers counted_by = 0;
        bool has_weight = false;

        ctx->silent = shares[i].too_high_for;

        for (; i < n && shares[i].priority == priority; i++) {
            has_weight |= shares[i].weight > 0;
            counted_by |= shares[i].counted_by;
            for (size_t r = 0; r < ctx->panel->n; r++)
                gaps.sum[r] += shares[i].counted_by >> r & 1u ? shares[i].weight : 0;
        }
        step(&gaps, priority, counted_by);
        check_sums(&gaps, priority);
        if (has_weight && in_use == priority)
            in_use++;
    }
    ctx->silent = XDS_EVERYONE; /* core has no room for it */
    if (gaps.unreported > 0)
        report(&gaps, gaps.first_unreported, gaps.unreported - 1, gaps.unreported_by);
    ctx->silent = 0;
    return in_use;
}

/* ---- the resource ---- */

#define MILLION 1000000u

static uint32_t read_percentage(struct xds_ctx *ctx, const struct xds_path *at,
                                const pb_fractional_percent *pb)
{
    const uint32_t denominator = xds_denominator(pb);

    if (!denominator) {
        xds_fire_with(ctx, at, XDS_R_DROP_DENOMINATOR,
                      XDS_WITH(xds_number(ctx, pb->denominator)));
        return 0;
    }

    const uint64_t share = (uint64_t)pb->numerator * (MILLION / denominator);

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

        drops[i].category = xds_text(ctx, drop->category);
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
        .n_localities = pb->n_endpoints,
        .dualstack = xds_guarded_by(ctx, XDS_ENV_DUALSTACK_ENDPOINTS),
        .locality_metadata = always | proxied,
        .endpoint_metadata = always | proxied | hashed,
    };
    size_t n_endpoints = 0;

    *out = (struct xds_endpoints){
        .cluster_name = xds_text(ctx, pb->cluster_name),
    };
    if (!*pb->cluster_name)
        xds_fire(ctx, NULL, XDS_R_ASSIGNMENT_NAME_EMPTY);
    if (pb->n_endpoints > 0) {
        for (size_t i = 0; i < pb->n_endpoints; i++)
            n_endpoints += pb->endpoints[i]->n_lb_endpoints;
        xds_address_set_init(&walk.addresses, ctx, n_endpoints);
        xds_strmap_init(&walk.localities, ctx->scratch);

        struct xds_arena *arena = walk.ctx->arena;
        struct xds_locality *localities =
            XDS_NEW_ARRAY(arena, struct xds_locality, pb->n_endpoints);
        struct xds_priority_share *shares =
            XDS_NEW_ARRAY(ctx->scratch, struct xds_priority_share, pb->n_endpoints);
        size_t n = 0;
        size_t end = pb->n_endpoints; /* localities of weight 0 fill up from the end */

        for (size_t i = 0; i < pb->n_endpoints; i++) {
            struct xds_locality *locality = &localities[n];

            read_locality(&walk, XDS_AT_I(NULL, "endpoints", i), pb->endpoints[i],
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
        out->n_priorities = xds_priorities_check(walk.ctx, shares, pb->n_endpoints);
    }
    read_drops(ctx, pb->policy, out);
    return true;
}
