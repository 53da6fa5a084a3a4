/*
 * endpoints.c - endpoints that look present and get no RPCs.
 *
 * Source: gRFC A27, A37, A56; spec cluster 2.1, 2.2, 2.3.
 */
#include "lint/checks.h"

#define MILLION 1000000u

static const char *const health_names[XDS_HEALTHS] = {
    "UNKNOWN", "HEALTHY", "UNHEALTHY", "DRAINING", "TIMEOUT", "DEGRADED",
};

static bool is_used(const struct xds_endpoint *endpoint)
{
    return endpoint->health == XDS_HEALTH_UNKNOWN ||
           endpoint->health == XDS_HEALTH_HEALTHY;
}

/* ---- counts ---- */

/* The endpoints of one priority, in localities with weight. */
struct tally {
    size_t of_health[XDS_HEALTHS];
    size_t total, used;
    size_t first; /* index of the first locality */
    bool met;
};

static void count(struct tally *tally, const struct xds_locality *locality)
{
    if (!tally->met)
        tally->first = locality->index;
    tally->met = true;
    for (size_t i = 0; i < locality->n_endpoints; i++) {
        tally->of_health[locality->endpoints[i].health]++;
        tally->used += is_used(&locality->endpoints[i]);
    }
    tally->total += locality->n_endpoints;
}

/* Of each priority. NULL when there is a gap, for which clients reject the resource. */
static struct tally *tallies(const struct xds_inspection *in,
                             const struct xds_endpoints *endpoints)
{
    struct tally *out =
        XDS_NEW_ARRAY(in->scratch, struct tally, endpoints->n_priorities + 1);

    for (size_t i = 0; i < endpoints->n_localities; i++) {
        if (endpoints->localities[i].priority >= endpoints->n_priorities)
            return NULL;
        count(&out[endpoints->localities[i].priority], &endpoints->localities[i]);
    }
    return out;
}

static struct tally sum_of(const struct tally *tallies, size_t n)
{
    struct tally sum = {.total = 0};

    for (size_t i = 0; i < n; i++) {
        sum.total += tallies[i].total;
        sum.used += tallies[i].used;
        for (size_t h = 0; h < XDS_HEALTHS; h++)
            sum.of_health[h] += tallies[i].of_health[h];
    }
    return sum;
}

/* "3 UNHEALTHY, 2 DRAINING"; "it holds none" without endpoints. */
static struct xds_slice causes(const struct xds_inspection *in, const struct tally *tally)
{
    struct xds_slice out = XDS_S("");

    if (tally->total == 0)
        return XDS_S("it has none");
    for (size_t h = XDS_HEALTH_HEALTHY + 1; h < XDS_HEALTHS; h++)
        if (tally->of_health[h] > 0)
            out = xds_arena_printf(in->scratch, "%.*s%s%zu %s", XDS_FMT(out),
                                   out.len > 0 ? ", " : "", tally->of_health[h],
                                   health_names[h]);
    return out;
}

/* ---- nothing to pick ---- */

static bool report_none(const struct xds_inspection *in,
                        const struct xds_endpoints *endpoints, const struct tally *sum)
{
    const bool weightless = endpoints->n_localities == 0 && endpoints->n_weightless > 0;

    if (sum->used > 0 || weightless)
        return sum->used == 0;
    (void)xds_lint_fire(in, XDS_AT(NULL, "endpoints"), XDS_R_LINT_ENDPOINTS_NONE_USED,
                        "ClusterLoadAssignment has no endpoint that gRPC uses (%.*s): "
                        "the RPCs of the cluster fail with UNAVAILABLE",
                        XDS_FMT(causes(in, sum)));
    return true;
}

/* Returns whether there is one. */
static bool report_unused_priorities(const struct xds_inspection *in,
                                     const struct tally *tallies, size_t n)
{
    bool found = false;

    for (size_t p = 0; p < n; p++) {
        if (tallies[p].used > 0)
            continue;
        found = true;
        const struct xds_slice why = causes(in, &tallies[p]);
        (void)xds_lint_fire(
            in, XDS_AT_I(NULL, "endpoints", tallies[p].first), XDS_R_LINT_PRIORITY_UNUSED,
            "priority %zu has no endpoint that gRPC uses (%.*s): %s", p, XDS_FMT(why),
            p == 0 ? "all RPCs go to the next one, at once"
                   : "it gets no RPCs when the priorities before it fail");
    }
    return found;
}

/* gRPC does not spill over: a priority is in use or it is not. */
static void check_top(const struct xds_inspection *in, const struct tally *top,
                      const struct tally *sum)
{
    if (top->used * 10 < sum->used)
        (void)xds_lint_fire(in, XDS_AT_I(NULL, "endpoints", top->first),
                            XDS_R_LINT_TOP_PRIORITY_SMALL,
                            "priority 0 has %zu of %zu endpoints and gets all RPCs until "
                            "it fails: gRPC does not spill over to other priorities",
                            top->used, sum->used);
}

/* ---- health ---- */

static void report_skipped(const struct xds_inspection *in,
                           const struct xds_locality *locality, size_t endpoint,
                           const struct tally *sum)
{
    const struct xds_path *at = XDS_AT_I(NULL, "endpoints", locality->index);
    const struct xds_slice why = causes(in, sum);

    (void)xds_lint_fire(
        in, XDS_AT(XDS_AT_I(at, "lb_endpoints", endpoint), "health_status"),
        XDS_R_LINT_ENDPOINTS_SKIPPED,
        "%zu of %zu endpoints get no new RPCs because of health_status (%.*s)",
        sum->total - sum->used, sum->total, XDS_FMT(why));
}

static void check_health(const struct xds_inspection *in,
                         const struct xds_endpoints *endpoints, const struct tally *sum)
{
    if (sum->used == sum->total)
        return;
    for (size_t i = 0; i < endpoints->n_localities; i++)
        for (size_t k = 0; k < endpoints->localities[i].n_endpoints; k++)
            if (!is_used(&endpoints->localities[i].endpoints[k])) {
                report_skipped(in, &endpoints->localities[i], k, sum);
                return;
            }
}

void xds_check_usable_endpoints(const struct xds_inspection *in,
                                const struct xds_endpoints *endpoints)
{
    const struct tally *priorities = tallies(in, endpoints);

    if (!priorities)
        return;

    const struct tally sum = sum_of(priorities, endpoints->n_priorities);

    if (report_none(in, endpoints, &sum) ||
        report_unused_priorities(in, priorities, endpoints->n_priorities))
        return;
    check_top(in, &priorities[0], &sum);
    check_health(in, endpoints, &sum);
}

/* ---- ports ---- */

/* Where port_value is not set, a rule of its own says so. */
static bool has_port_zero(const struct xds_endpoint *endpoint)
{
    return !endpoint->lacks_port && endpoint->n_addresses > 0 &&
           xds_slice_ends(endpoint->addresses[0], XDS_S(":0"));
}

static void report_port(const struct xds_inspection *in,
                        const struct xds_locality *locality, size_t endpoint, size_t n)
{
    const struct xds_path *at =
        XDS_AT_I(XDS_AT_I(NULL, "endpoints", locality->index), "lb_endpoints", endpoint);
    const struct xds_slice more =
        n == 1 ? XDS_S("")
               : xds_arena_printf(in->scratch, "; %zu more endpoint%s here %s no other",
                                  n - 1, n == 2 ? "" : "s", n == 2 ? "has" : "have");

    (void)xds_lint_fire(in, XDS_AT(at, "endpoint.address.socket_address.port_value"),
                        XDS_R_LINT_ENDPOINT_PORT_ZERO,
                        "port_value of \"%.*s\" is 0: no connection succeeds%.*s",
                        XDS_FMT(locality->endpoints[endpoint].addresses[0]),
                        XDS_FMT(more));
}

void xds_check_ports(const struct xds_inspection *in,
                     const struct xds_endpoints *endpoints)
{
    const struct xds_locality *first = NULL;
    size_t of_first = 0, n = 0;

    for (size_t i = 0; i < endpoints->n_localities; i++) {
        const struct xds_locality *locality = &endpoints->localities[i];

        for (size_t k = 0; k < locality->n_endpoints; k++) {
            if (!has_port_zero(&locality->endpoints[k]))
                continue;
            if (n++ == 0) {
                first = locality;
                of_first = k;
            }
        }
    }
    if (first)
        report_port(in, first, of_first, n);
}

/* ---- drops ---- */

static size_t find_full(const struct xds_endpoints *endpoints)
{
    size_t i = 0;

    while (i < endpoints->n_drops && endpoints->drops[i].per_million < MILLION)
        i++;
    return i;
}

/* Each category is drawn alone, from what those before it have let through. */
static void check_sum(const struct xds_inspection *in,
                      const struct xds_endpoints *endpoints)
{
    double sum = 0, left = 1;

    for (size_t i = 0; i < endpoints->n_drops; i++) {
        const double share = (double)endpoints->drops[i].per_million / MILLION;

        sum += share;
        left *= 1 - share;
    }
    if (sum >= 1)
        (void)xds_lint_fire(
            in, XDS_AT(NULL, "policy.drop_overloads"), XDS_R_LINT_DROPS_SUM,
            "drop_overloads adds up to %.4g %%, but each category applies to what the "
            "ones before it let through: %.4g %% of the RPCs are dropped in total",
            sum * 100, (1 - left) * 100);
}

void xds_check_drops(const struct xds_inspection *in,
                     const struct xds_endpoints *endpoints)
{
    const size_t full = find_full(endpoints);

    if (full < endpoints->n_drops)
        (void)xds_lint_fire(
            in, XDS_AT_I(XDS_AT(NULL, "policy"), "drop_overloads", full),
            XDS_R_LINT_DROPS_ALL,
            "category \"%.*s\" drops 100 %%: every RPC of the cluster fails with "
            "UNAVAILABLE",
            XDS_FMT(endpoints->drops[full].category));
    else
        check_sum(in, endpoints);
}
