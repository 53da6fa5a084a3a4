/*
 * policy_list.c - choose from a LoadBalancingPolicy as the clients do: the first entry
 *                 that a client supports decides, whether its config is good or bad.
 *
 * Takes:  a list of typed policies and the clients that look at it (ctx->live).
 * Gives:  the model of the policy that each client chooses.
 * Fires:  the rows of policy_list.def, those of any.def and of the chosen policies.
 * Source: spec cluster 1.6; gRFC A52.
 */
#include "rules/lb_policy/lb_policy.h"

#define MAX_DEPTH 16

static const struct xds_lb_converter *const converters[] = {
    &xds_lb_client_side_weighted_round_robin,
    &xds_lb_least_request,
    &xds_lb_pick_first,
    &xds_lb_ring_hash,
    &xds_lb_round_robin,
    &xds_lb_wrr_locality,
};

/* The state of one scan. */
struct scan {
    const struct xds_lb_walk *walk;
    unsigned searching; /* clients that have not decided yet */
};

static const struct xds_lb_converter *find_converter(struct xds_slice type)
{
    for (size_t i = 0; i < XDS_ARRAY_LEN(converters); i++)
        if (xds_slice_is(type, converters[i]->type->name))
            return converters[i];
    return NULL;
}

/* The clients that see the type behind this URL: go and node know one spelling, java
 * asks for a '/'. */
static unsigned readers_of_type(const pb_any *any)
{
    const struct xds_slice url = xds_slice_of(any->type_url);
    const struct xds_slice prefix = XDS_S("type.googleapis.com/");

    if (xds_type_name(url).len == 0)
        return XDS_ALL_CLIENTS & ~(XDS_GO | XDS_JAVA | XDS_NODE);
    if (xds_slice_starts(url, prefix) &&
        xds_slice_eq(xds_slice_from(url, prefix.len), xds_type_name(url)))
        return XDS_ALL_CLIENTS;
    return XDS_ALL_CLIENTS & ~(XDS_GO | XDS_NODE);
}

static unsigned supporters(const struct xds_ctx *ctx, const struct xds_lb_converter *c)
{
    return c->guarded ? c->clients & xds_env_mask(ctx->options, c->guard) : c->clients;
}

void xds_lb_choose(struct xds_arena *arena, struct xds_lb_choice *choice,
                   unsigned clients, const struct xds_lb_policy *policy)
{
    struct xds_lb_policy *kept = XDS_NEW(arena, struct xds_lb_policy);

    *kept = *policy;
    for (unsigned client = 0; client < XDS_CLIENTS; client++)
        if (clients & XDS_CLIENT_BIT(client))
            choice->of[client] = kept;
}

static void keep(struct scan *scan, unsigned deciding, const struct xds_lb_policy *policy)
{
    xds_lb_choose(scan->walk->ctx->arena, scan->walk->choice, deciding, policy);
    scan->searching &= ~deciding;
}

static void convert(struct scan *scan, const struct xds_lb_converter *converter,
                    const struct xds_extension *extension, unsigned readers)
{
    struct xds_ctx *ctx = scan->walk->ctx;
    const unsigned deciding = scan->searching & readers & supporters(ctx, converter);
    struct xds_lb_policy policy = {
        .kind = XDS_LB_OTHER,
        .wrr_locality = scan->walk->wrr_locality,
        .layers = scan->walk->depth,
        .from_typed_config = true,
    };

    if (!deciding)
        return;
    ctx->live = deciding;
    if (extension->message || !converter->label)
        converter->read(scan->walk, extension->at, extension->message, &policy);
    else
        xds_fire(ctx, extension->at, XDS_R_LB_LIST_UNDECODABLE,
                 "can't decode %s LB policy config", converter->label);
    if (converter->nests)
        scan->searching &= ~deciding;
    else
        keep(scan, deciding, &policy);
}

/* Which policy stands below a locality layer depends on what each client has. */
static void keep_followed(struct scan *scan, unsigned deciding,
                          const struct xds_lb_policy *policy)
{
    for (unsigned c = 0; c < XDS_CLIENTS; c++) {
        struct xds_lb_policy own = *policy;

        if (!(deciding & XDS_CLIENT_BIT(c)))
            continue;
        xds_lb_config_follow(scan->walk->ctx->arena, (enum xds_client)c, &own);
        keep(scan, XDS_CLIENT_BIT(c), &own);
    }
}

/* Both spellings of TypedStruct have the same two fields. */
static const pb_struct *struct_value(const pb_any *any)
{
    const pb_xds_typed_struct *xds =
        xds_any_message(any, &xds__type__v3__typed_struct__descriptor);
    const pb_udpa_typed_struct *udpa =
        xds_any_message(any, &udpa__type__v1__typed_struct__descriptor);

    if (xds)
        return xds->value;
    return udpa ? udpa->value : NULL;
}

/* go makes JSON of it once it has found the policy; C-core has by then, and has said so
 * (rules/any.c). */
static void check_json(struct xds_ctx *ctx, const struct xds_path *at,
                       const pb_struct *value)
{
    const char *fault = xds_struct_fault(value);

    if (fault)
        xds_fire(ctx, at, XDS_R_LB_LIST_STRUCT_JSON,
                 "error converting custom lb policy: %s", fault);
}

static void read_typed_struct(struct scan *scan, const struct xds_path *at,
                              const pb_any *any, const struct xds_extension *extension)
{
    struct xds_ctx *ctx = scan->walk->ctx;
    const unsigned readers = readers_of_type(any);
    const pb_struct *value = struct_value(any);
    struct xds_lb_policy policy = {
        .wrr_locality = scan->walk->wrr_locality,
        .layers = scan->walk->depth,
        .from_typed_config = true,
    };

    enum xds_lb_kind kind = XDS_LB_OTHER;

    if (!value &&
        (readers & XDS_NODE)) { /* node looks there first, whatever the policy */
        ctx->live = scan->searching;
        xds_fire(ctx, at, XDS_R_LB_LIST_STRUCT_VALUE, "TypedStruct has no value");
        scan->searching &= ~XDS_NODE;
    }

    const unsigned deciding =
        scan->searching & readers & xds_lb_registered(extension->type, &kind);

    if (!deciding)
        return;
    ctx->live = deciding;
    check_json(ctx, extension->at, value);
    xds_lb_config_read(scan->walk, kind, extension->type, value, &policy);
    if (kind == XDS_LB_OTHER)
        keep_followed(scan, deciding, &policy);
    else
        keep(scan, deciding, &policy);
}

static void read_entry(struct scan *scan, const struct xds_path *at,
                       const pb_load_balancing_policy_policy *pb)
{
    const struct xds_path *here = XDS_AT(at, "typed_extension_config");
    const struct xds_path *config_at = XDS_AT(here, "typed_config");
    struct xds_ctx *ctx = scan->walk->ctx;
    struct xds_extension extension;

    ctx->live = scan->searching;
    if (!pb->typed_extension_config) {
        xds_fire(ctx, here, XDS_R_LB_LIST_ENTRY, "field not present");
        scan->searching &= ~(XDS_GRFC | XDS_CORE);
        return;
    }

    const pb_any *any = pb->typed_extension_config->typed_config;

    if (!any) /* node passes over it here, unlike elsewhere */
        ctx->live &= ~XDS_NODE;
    if (!xds_extension_read(ctx, config_at, any, true, &extension) || !any) {
        scan->searching &= extension.skipped_by | ~ctx->live;
        return;
    }
    if (extension.typed_struct) {
        read_typed_struct(scan, config_at, any, &extension);
        return;
    }

    const struct xds_lb_converter *converter = find_converter(extension.type);

    if (converter)
        convert(scan, converter, &extension, readers_of_type(any));
}

/* False when nobody may go deeper. */
static bool check_depth(const struct xds_lb_walk *walk, const struct xds_path *at)
{
    const unsigned patient = XDS_JAVA | XDS_NODE;

    if (walk->depth < MAX_DEPTH)
        return true;

    const unsigned refuse =
        walk->depth > MAX_DEPTH ? XDS_ALL_CLIENTS : XDS_ALL_CLIENTS & ~patient;

    xds_fire_for(walk->ctx, at, refuse, XDS_R_LB_LIST_DEPTH,
                 "exceeded max recursion depth of %d", MAX_DEPTH);
    walk->ctx->live &= ~refuse;
    return walk->ctx->live != 0;
}

void xds_lb_list_read(const struct xds_lb_walk *walk, const struct xds_path *at,
                      const pb_load_balancing_policy *pb)
{
    struct xds_ctx *ctx = walk->ctx;
    const unsigned live = ctx->live;

    if (check_depth(walk, at)) {
        struct scan scan = {walk, ctx->live};

        for (size_t i = 0; pb && i < pb->n_policies && scan.searching; i++)
            read_entry(&scan, XDS_AT_I(at, "policies", i), pb->policies[i]);
        ctx->live = scan.searching;
        if (scan.searching)
            xds_fire(ctx, at, XDS_R_LB_LIST_NONE,
                     "no supported load balancing policy config found");
    }
    ctx->live = live;
}
