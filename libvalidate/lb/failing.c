/*
 * failing.c - word the failure of a cluster whose priorities all fail.
 *
 * Source: spec cluster 2.1, 3 and 10.4.
 */
#include "lb/failing.h"

#include "route/failure.h"

/* ---- core's note on the resources ---- */

static bool has_endpoint(const struct xds_locality *locality)
{
    for (size_t i = 0; i < locality->n_endpoints; i++)
        if (xds_endpoint_usable(&locality->endpoints[i]) ||
            locality->endpoints[i].health == XDS_HEALTH_DRAINING)
            return true;
    return false;
}

/* "A; B", those without endpoints; empty if each has some. */
static struct xds_slice empty_localities(const struct xds_lb *lb,
                                         const struct xds_endpoints *endpoints)
{
    struct xds_arena *arena = lb->rpc->arena;
    struct xds_slice text = XDS_S("");

    for (size_t i = 0; i < endpoints->n_localities; i++) {
        const struct xds_locality *locality = &endpoints->localities[i];

        if (has_endpoint(locality))
            continue;
        const struct xds_slice name = xds_locality_name(arena, locality);
        text = text.len == 0
                   ? name
                   : xds_arena_printf(arena, "%.*s; %.*s", XDS_FMT(text), XDS_FMT(name));
    }
    return text;
}

/* Empty where core would name its node id, which no snapshot tells. */
static struct xds_slice resolution_note(const struct xds_lb *lb,
                                        const struct xds_failover *f)
{
    const struct xds_slice name = f->leaf->cluster->eds_name;
    struct xds_arena *arena = lb->rpc->arena;

    if (f->leaf->cluster->kind == XDS_CLUSTER_LOGICAL_DNS)
        return XDS_S("");
    if (!f->endpoints)
        return xds_failure_resource(lb->rpc, lb->snapshot, XDS_TYPE_ENDPOINT, name, "");
    if (f->endpoints->n_localities == 0)
        return xds_arena_printf(arena, "EDS resource %.*s: contains no localities",
                                XDS_FMT(name));
    const struct xds_slice empty = empty_localities(lb, f->endpoints);

    if (empty.len == 0)
        return empty;
    return xds_arena_printf(arena, "EDS resource %.*s: contains empty localities: [%.*s]",
                            XDS_FMT(name), XDS_FMT(empty));
}

static struct xds_slice text_of_core(const struct xds_lb *lb,
                                     const struct xds_failover *f)
{
    const struct xds_slice note = resolution_note(lb, f);
    const struct xds_lb_policy *policy = f->policy;
    const char *text = policy->wrr_locality ? "no children in weighted_target policy"
                                            : "empty address list";

    if (note.len == 0)
        return xds_slice_of(text);
    return xds_arena_printf(lb->rpc->arena,
                            policy->kind == XDS_LB_RING_HASH && !policy->wrr_locality
                                ? "%s: %.*s"
                                : "%s (%.*s)",
                            text, XDS_FMT(note));
}

/* ---- the whole ---- */

struct xds_slice xds_failing_text(const struct xds_lb *lb, const struct xds_failover *f)
{
    const bool nobody = f->candidates.n == 0 && f->leaf->cluster;

    if (xds_speaks_as_core(lb->rpc->client) && nobody && f->policy->kind != XDS_LB_OTHER)
        return text_of_core(lb, f);
    if (!f->endpoints)
        return f->why;
    return xds_arena_printf(lb->rpc->arena, "no usable endpoint in cluster %.*s",
                            XDS_FMT(f->leaf->name));
}
