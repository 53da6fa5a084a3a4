/*
 * clusters.c - what a cluster says and no client does.
 *
 * Source: gRFC A32, A37, A42, A50, A52; spec cluster 1.3, 1.5, 1.8, 1.9, 7.1.
 */
#include "lint/checks.h"

#include <inttypes.h>

#include "clients/environment.h"
#include "clients/readers.h"
#include "model/names.h"

/* gRFC A42: what clients cut ring sizes to. go takes another one from its environment. */
#define RING_SIZE_CAP 4096u
/* The maximum that is meant where there is none. */
#define RING_SIZE_MAX_DEFAULT 8388608u

static bool holds_endpoints(const struct xds_cluster *cluster)
{
    return cluster->kind == XDS_CLUSTER_EDS || cluster->kind == XDS_CLUSTER_LOGICAL_DNS;
}

static unsigned selected(const struct xds_inspection *in)
{
    return in->report->options.clients;
}

/* ---- forms of the LB policy ---- */

/* The enum's values that have a config beside them. */
static const struct form {
    const char *policy, *config;
    enum xds_lb_kind kind;
} forms[] = {
    {"RING_HASH", "ring_hash_lb_config", XDS_LB_RING_HASH},
    {"LEAST_REQUEST", "least_request_lb_config", XDS_LB_LEAST_REQUEST},
};

static const struct form *form_of_policy(const char *name)
{
    for (size_t i = 0; name && i < XDS_ARRAY_LEN(forms); i++)
        if (xds_slice_is(xds_slice_of(name), forms[i].policy))
            return &forms[i];
    return NULL;
}

static const struct form *form_of_config(const char *field)
{
    for (size_t i = 0; field && i < XDS_ARRAY_LEN(forms); i++)
        if (xds_slice_is(xds_slice_of(field), forms[i].config))
            return &forms[i];
    return NULL;
}

void xds_check_lb_forms(const struct xds_inspection *in,
                        const struct xds_cluster *cluster)
{
    const struct xds_lb_policy *policy = &cluster->lb;
    const struct form *by_enum = form_of_policy(cluster->lb_policy_name);
    const struct form *sized = form_of_config(cluster->lb_config_field);

    if (!holds_endpoints(cluster))
        return;
    if (policy->from_typed_config && by_enum && by_enum->kind != policy->kind)
        (void)xds_lint_fire(
            in, XDS_AT(NULL, "lb_policy"), XDS_R_LINT_LB_POLICY_OVERRIDDEN,
            "lb_policy is %s, but clients use load_balancing_policy, which is %.*s",
            by_enum->policy, XDS_FMT(xds_lb_title(policy)));
    else if (sized && sized->kind != policy->kind)
        (void)xds_lint_fire(in, XDS_AT(NULL, sized->config), XDS_R_LINT_LB_CONFIG_UNUSED,
                            "the policy is %.*s, so no client reads %s; %s%s",
                            XDS_FMT(xds_lb_title(policy)), sized->config,
                            policy->from_typed_config ? "load_balancing_policy is used"
                                                      : "it belongs to lb_policy ",
                            policy->from_typed_config ? "" : sized->policy);
}

/* ---- ring sizes ---- */

static uint64_t cap_of(const struct xds_inspection *in, enum xds_client client)
{
    return xds_env_row(XDS_ENV_RING_HASH_CAP)->read_by & XDS_CLIENT_BIT(client)
               ? xds_env_number(&in->report->options, XDS_ENV_RING_HASH_CAP,
                                RING_SIZE_CAP)
               : RING_SIZE_CAP;
}

/* The clients that cut this size, and the smallest of their caps. */
static unsigned cut_by(const struct xds_inspection *in, const struct xds_cluster *cluster,
                       uint64_t size, uint64_t *cap)
{
    unsigned clients = 0;

    *cap = UINT64_MAX;
    for (enum xds_client c = 0; c < XDS_CLIENTS; c++) {
        const uint64_t own = cap_of(in, c);

        if (!(selected(in) & XDS_CLIENT_BIT(c)) || size <= own ||
            xds_cluster_policy(cluster, c)->kind != XDS_LB_RING_HASH)
            continue;
        clients |= XDS_CLIENT_BIT(c);
        *cap = own < *cap ? own : *cap;
    }
    return clients;
}

static bool check_size(const struct xds_inspection *in, const struct xds_cluster *cluster,
                       const char *field, uint64_t size)
{
    uint64_t cap;
    const unsigned clients = cut_by(in, cluster, size, &cap);
    const struct xds_path *at = cluster->lb.from_typed_config
                                    ? XDS_AT(NULL, "load_balancing_policy")
                                    : XDS_AT(XDS_AT(NULL, "ring_hash_lb_config"), field);

    return clients &&
           xds_lint_fire(in, at, XDS_R_LINT_RING_SIZE_CUT,
                         "%s %" PRIu64 " is silently cut to %" PRIu64
                         "%.*s: with more hosts some get no RPCs",
                         field, size, cap, XDS_FMT(xds_lint_for_some(in, clients)));
}

void xds_check_ring_sizes(const struct xds_inspection *in,
                          const struct xds_cluster *cluster)
{
    const struct xds_lb_policy *policy = &cluster->lb;

    if (!holds_endpoints(cluster) || policy->kind != XDS_LB_RING_HASH)
        return;
    if (policy->has_min_ring_size &&
        check_size(in, cluster, "minimum_ring_size", policy->min_ring_size))
        return;
    if (policy->has_max_ring_size && policy->max_ring_size != RING_SIZE_MAX_DEFAULT)
        (void)check_size(in, cluster, "maximum_ring_size", policy->max_ring_size);
}

/* ---- limits ---- */

void xds_check_max_requests(const struct xds_inspection *in,
                            const struct xds_cluster *cluster)
{
    unsigned clients = 0;

    for (enum xds_client c = 0; c < XDS_CLIENTS; c++)
        if (cluster->max_requests[c] == 0)
            clients |= XDS_CLIENT_BIT(c) & selected(in);
    if (clients && holds_endpoints(cluster))
        (void)xds_lint_fire(
            in,
            XDS_AT(XDS_AT_I(NULL, "circuit_breakers.thresholds", cluster->zero_threshold),
                   "max_requests"),
            XDS_R_LINT_MAX_REQUESTS_ZERO,
            "max_requests is 0%.*s: every RPC fails with UNAVAILABLE; remove the field "
            "for the default of 1024",
            XDS_FMT(xds_lint_for_some(in, clients)));
}

/* ---- outlier detection ---- */

/* What an unset percentage says: spec cluster 1.9/10, 1.9/14. */
static bool ejects(const struct xds_outlier_detection *outlier, enum xds_client client)
{
    const bool success = outlier->has_success_rate
                             ? outlier->enforcing_success_rate > 0
                             : !xds_newest_differs(client, XDS_DIFF_SUCCESS_RATE_IF_SET);
    const bool failures =
        outlier->has_failure_percentage
            ? outlier->enforcing_failure_percentage > 0
            : xds_newest_differs(client, XDS_DIFF_FAILURE_PERCENTAGE_BY_DEFAULT);

    return success || failures;
}

void xds_check_outlier_detection(const struct xds_inspection *in,
                                 const struct xds_cluster *cluster)
{
    unsigned clients = 0;

    if (!cluster->outlier_detection || !holds_endpoints(cluster))
        return;
    for (enum xds_client c = 0; c < XDS_CLIENTS; c++)
        if (!ejects(cluster->outlier_detection, c))
            clients |= XDS_CLIENT_BIT(c) & selected(in);
    if (clients)
        (void)xds_lint_fire(
            in, XDS_AT(NULL, "outlier_detection"), XDS_R_LINT_OUTLIER_NEVER_EJECTS,
            "outlier_detection never ejects a host%.*s: neither enforcing_success_rate "
            "nor enforcing_failure_percentage is above 0",
            XDS_FMT(xds_lint_for_some(in, clients)));
}

/* ---- LOGICAL_DNS ---- */

void xds_check_dns_name(const struct xds_inspection *in,
                        const struct xds_cluster *cluster)
{
    if (cluster->dns_host_is_ip)
        (void)xds_lint_fire(
            in,
            XDS_AT(NULL, "load_assignment.endpoints[0].lb_endpoints[0].endpoint.address"),
            XDS_R_LINT_DNS_HOST_IS_IP,
            "\"%.*s\" is an IP address, not a host name: there is nothing to resolve, "
            "and the host never changes; type EDS can change it",
            XDS_FMT(cluster->dns_name));
}
