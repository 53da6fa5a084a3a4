/*
 * hashing.c - routes and clusters that do not agree on whether RPCs are hashed.
 *
 * Source: gRFC A42, A76; spec routing 3.4.
 */
#include "lint/checks.h"

/* The first route to a cluster that makes a hash, or that makes none; NULL: there is no
 * such route. */
static const struct xds_site *first_route(const struct xds_ref *ref, bool hashed)
{
    if (ref->name->type != XDS_TYPE_CLUSTER)
        return NULL;
    return ref->is_hashed == hashed ? &ref->site : ref->otherwise;
}

/* ---- a ring without hashes ---- */

static void check_hashless(const struct xds_inspection *in, const struct xds_ref *ref)
{
    const struct xds_site *hashless = first_route(ref, false);
    const bool mixed = first_route(ref, true) != NULL;
    struct xds_site_frames frames;

    if (!hashless || !(ref->name->ring_hash & in->report->options.clients))
        return;
    (void)xds_lint_fire(in, xds_site_path(*hashless, XDS_S(""), &frames),
                        XDS_R_LINT_RING_HASH_WITHOUT_POLICY,
                        "cluster \"%.*s\" picks hosts by ring_hash, but %s has no "
                        "hash_policy that gives a hash: each RPC gets a random one",
                        XDS_FMT(ref->name->text),
                        mixed ? "this route, unlike others to it," : "the route");
}

/* ---- hashes without a ring ---- */

/* Nobody looks at the hash of these RPCs. */
static bool is_wasted(const struct xds_inspection *in, const struct xds_ref *ref)
{
    const struct xds_node *to = xds_ref_to(ref);

    return first_route(ref, true) && to &&
           !(to->cluster->may_hash & in->report->options.clients);
}

/* Of a split one cluster that hashes is reason enough. */
static bool splits_may_hash(const struct xds_inspection *in, const struct xds_node *node)
{
    for (const struct xds_ref *ref = node->refs; ref < xds_refs_end(node); ref++)
        if (first_route(ref, true) && !ref->hashed_alone && !is_wasted(in, ref))
            return true;
    return false;
}

static void report_wasted(const struct xds_inspection *in, const struct xds_ref *first,
                          const struct xds_site *route, size_t more)
{
    struct xds_site site = *route;
    struct xds_site_frames frames;
    const struct xds_slice others =
        more == 0
            ? XDS_S("")
            : xds_arena_printf(in->scratch,
                               "; so %s %zu more cluster%s of routes like this",
                               more == 1 ? "does" : "do", more, more == 1 ? "" : "s");

    site.kind = XDS_SITE_HASH_POLICY;
    (void)xds_lint_fire(
        in, xds_site_path(site, XDS_S(""), &frames), XDS_R_LINT_HASH_POLICY_UNUSED,
        "hash_policy has no effect: the policy of cluster \"%.*s\" is not ring_hash%.*s",
        XDS_FMT(first->name->text), XDS_FMT(others));
}

static void check_hashed(const struct xds_inspection *in, const struct xds_node *node)
{
    const bool splits_hash = splits_may_hash(in, node);
    const struct xds_ref *first = NULL;
    const struct xds_site *route = NULL;
    size_t more = 0;

    for (const struct xds_ref *ref = node->refs; ref < xds_refs_end(node); ref++) {
        if (!is_wasted(in, ref) || (!ref->hashed_alone && splits_hash))
            continue;
        if (route) {
            more++;
            continue;
        }
        first = ref;
        route = first_route(ref, true);
    }
    if (route)
        report_wasted(in, first, route, more);
}

static void check_node(struct xds_inspection *in, const struct xds_node *node)
{
    bool hashed = false;

    in->resource = node->resource;
    for (const struct xds_ref *ref = node->refs; ref < xds_refs_end(node); ref++) {
        check_hashless(in, ref);
        hashed = hashed || first_route(ref, true);
    }
    if (hashed)
        check_hashed(in, node);
}

/* There are many references, and few clusters. */
static void copy_to_names(const struct xds_graph *graph)
{
    for (const struct xds_node *n = graph->first[XDS_TYPE_CLUSTER]; n; n = n->next)
        if (n->name->node == n)
            n->name->ring_hash = n->cluster->ring_hash;
}

void xds_check_hashing(struct xds_inspection *in, const struct xds_graph *graph)
{
    static const enum xds_resource_type types[] = {XDS_TYPE_LISTENER, XDS_TYPE_ROUTE};

    if (!graph->holds_hashes)
        return;
    copy_to_names(graph);
    for (size_t i = 0; i < XDS_ARRAY_LEN(types); i++)
        for (const struct xds_node *n = graph->first[types[i]]; n; n = n->next)
            check_node(in, n);
}
