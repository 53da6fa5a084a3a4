/*
 * hashing.c - routes and clusters that do not agree on whether RPCs are hashed.
 *
 * Takes:  the linked graph, after the look at aggregates.
 * Gives:  findings at the route.
 * Fires:  LINT_HASH_POLICY_UNUSED, LINT_RING_HASH_WITHOUT_POLICY.
 * Source: gRFC A42, A76; spec routing 3.4.
 */
#include "lint/checks.h"

/* The frame of the route above a field of it. */
static const struct xds_path *route_of(const struct xds_path *at)
{
    while (at->up && !(at->kind == XDS_STEP_INDEX && strcmp(at->field, "routes") == 0))
        at = at->up;
    return at;
}

/* ---- a ring without hashes ----------------------------------------------------------
 */

static void check_hashless(const struct xds_inspection *in, const struct xds_ref *ref)
{
    const bool mixed = ref->routes.hashed != NULL;

    if (!ref->routes.hashless || !ref->to ||
        !(ref->to->ring_hash & in->report->options.clients))
        return;
    (void)xds_lint_fire(
        in, ref->routes.hashless, XDS_R_LINT_RING_HASH_WITHOUT_POLICY,
        "\"%.*s\" picks hosts by ring_hash, but %s has no hash_policy that "
        "gives a hash: each RPC gets a random one, and none sticks to a "
        "host",
        XDS_FMT(ref->name), mixed ? "this route, unlike others to it," : "the route");
}

/* ---- hashes without a ring ----------------------------------------------------------
 */

/* Nobody looks at the hash of these RPCs. */
static bool is_wasted(const struct xds_inspection *in, const struct xds_ref *ref)
{
    return ref->routes.hashed && ref->to && !ref->to->is_unread &&
           !(ref->to->may_hash & in->report->options.clients);
}

/* Of a split one cluster that hashes is reason enough. */
static bool splits_may_hash(const struct xds_inspection *in, const struct xds_node *node)
{
    for (const struct xds_ref *ref = node->refs; ref; ref = ref->next)
        if (ref->routes.hashed && !ref->routes.hashed_alone && !is_wasted(in, ref))
            return true;
    return false;
}

static void check_hashed(const struct xds_inspection *in, const struct xds_node *node)
{
    const bool splits_hash = splits_may_hash(in, node);
    const struct xds_ref *first = NULL;
    size_t more = 0;

    for (const struct xds_ref *ref = node->refs; ref; ref = ref->next) {
        if (!is_wasted(in, ref) || (!ref->routes.hashed_alone && splits_hash))
            continue;
        if (first)
            more++;
        else
            first = ref;
    }
    if (!first)
        return;

    const struct xds_slice others =
        more == 0
            ? XDS_S("")
            : xds_arena_printf(in->scratch,
                               "; so %s %zu more cluster%s of routes like this",
                               more == 1 ? "does" : "do", more, more == 1 ? "" : "s");

    (void)xds_lint_fire(
        in, XDS_AT_I(route_of(first->routes.hashed), "route.hash_policy", 0),
        XDS_R_LINT_HASH_POLICY_UNUSED,
        "the route makes a hash, but cluster \"%.*s\" picks hosts without one: its "
        "policy is not ring_hash%.*s",
        XDS_FMT(first->name), XDS_FMT(others));
}

static void check_node(struct xds_inspection *in, const struct xds_node *node)
{
    bool hashed = false;

    in->resource = node->resource;
    for (const struct xds_ref *ref = node->refs; ref; ref = ref->next) {
        check_hashless(in, ref);
        hashed = hashed || ref->routes.hashed;
    }
    if (hashed)
        check_hashed(in, node);
}

void xds_check_hashing(struct xds_inspection *in, const struct xds_graph *graph)
{
    static const enum xds_resource_type types[] = {XDS_TYPE_LISTENER, XDS_TYPE_ROUTE};

    if (!graph->holds_hashes)
        return;
    for (size_t i = 0; i < XDS_ARRAY_LEN(types); i++)
        for (const struct xds_node *n = graph->first[types[i]]; n; n = n->next)
            check_node(in, n);
}
