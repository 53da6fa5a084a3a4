/*
 * route_weights.c - weighted clusters whose shares are not what they seem.
 *
 * Source: gRFC A28, spec routing 3.2.
 */
#include "base/limits.h"
#include "lint/checks.h"

enum { SEEMS_PERCENT = 10 }; /* so near to 100 that percents are meant */

static uint64_t sum_of(const struct xds_route *route)
{
    uint64_t sum = 0;

    for (size_t i = 0; i < route->n_weighted; i++)
        sum += route->weighted[i].weight;
    return sum;
}

static void check_sum(const struct xds_inspection *in, const struct xds_path *at,
                      uint64_t sum)
{
    if (sum != 100 && sum + SEEMS_PERCENT >= 100 && sum <= 100 + SEEMS_PERCENT &&
        xds_report_is_first(in->report, XDS_S("weight-sum")))
        (void)xds_lint_fire(in, XDS_AT(at, "clusters"), XDS_R_LINT_WEIGHT_SUM,
                            "the weights of weighted_clusters sum to %u: each is a share "
                            "of that, not of 100",
                            (unsigned)sum);
}

static void check_only_one(const struct xds_inspection *in, const struct xds_path *at,
                           const struct xds_weighted_cluster *only)
{
    if (only->weight > 1 && only->weight != 100)
        (void)xds_lint_fire(
            in, XDS_AT(at, "weight"), XDS_R_LINT_WEIGHT_ALONE,
            "\"%.*s\" is the only cluster: it gets all RPCs, whatever its weight of %u",
            XDS_FMT(only->name), only->weight);
}

/* The same cluster with other filter configs may be meant. */
static bool is_plain(const struct xds_weighted_cluster *entry)
{
    return entry->weight > 0 && entry->overrides.n == 0;
}

/* The first entry that names the same cluster, or the entry itself. */
static size_t first_of_name(const struct xds_route *route, size_t position)
{
    size_t i = 0;

    while (i < position &&
           !(is_plain(&route->weighted[i]) &&
             xds_slice_eq(route->weighted[i].name, route->weighted[position].name)))
        i++;
    return i;
}

static void check_repeated(const struct xds_inspection *in, const struct xds_path *at,
                           const struct xds_route *route)
{
    for (size_t i = 1; i < route->n_weighted && i < XDS_MAX_COMPARED_CLUSTERS; i++) {
        const struct xds_weighted_cluster *entry = &route->weighted[i];
        const size_t first = is_plain(entry) ? first_of_name(route, i) : i;

        if (first < i &&
            xds_lint_fire(in, XDS_AT(XDS_AT_I(at, "clusters", i), "name"),
                          XDS_R_LINT_WEIGHT_REPEATED,
                          "duplicate cluster \"%.*s\": it gets both shares, %u and %u",
                          XDS_FMT(entry->name), route->weighted[first].weight,
                          entry->weight))
            xds_lint_relate(in, XDS_AT_I(at, "clusters", first), "the other share");
    }
}

void xds_check_route_weights(const struct xds_inspection *in, const struct xds_path *at,
                             const struct xds_virtual_host *host,
                             const struct xds_route *route)
{
    const struct xds_path *here = XDS_AT(at, "route.weighted_clusters");

    (void)host;
    if (route->action != XDS_ACTION_WEIGHTED)
        return;
    if (route->n_weighted == 1)
        check_only_one(in, XDS_AT_I(here, "clusters", 0), &route->weighted[0]);
    else
        check_sum(in, here, sum_of(route));
    check_repeated(in, here, route);
}
