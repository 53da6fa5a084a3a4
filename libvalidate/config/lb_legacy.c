/*
 * lb_legacy.c - the tree as it was before gRFC A74 and A75: the cluster resolver with its
 *               discovery mechanisms, and the priorities that it makes of them.
 *
 * Source: gRFC A37, A42, A50, A55, spec cluster 5.5.
 */
#include "config/lb_config.h"

#include <inttypes.h>

/* ---- what the mechanism and cluster impl share ---- */

static void put_eds_name(struct xds_arena *arena, const struct xds_cluster *cluster,
                         struct xds_tree *out)
{
    if (cluster->kind == XDS_CLUSTER_EDS &&
        !xds_slice_eq(cluster->eds_name, cluster->name))
        xds_tree_put(arena, out, "edsServiceName", xds_tree_string(cluster->eds_name));
}

/* An empty name stands for the server of the bootstrap. */
static void put_load_reporting(struct xds_arena *arena, const struct xds_cluster *cluster,
                               struct xds_tree *out)
{
    if (cluster->reports_load)
        xds_tree_put(arena, out, "lrsLoadReportingServerName", xds_tree_text(""));
}

/* ---- the cluster resolver ---- */

static void put_telemetry_labels(struct xds_arena *arena,
                                 const struct xds_cluster *cluster, struct xds_tree *out)
{
    struct xds_tree labels = xds_tree_object();

    if (cluster->csm_service_name.data)
        xds_tree_put(arena, &labels, "csm.service_name",
                     xds_tree_string(cluster->csm_service_name));
    if (cluster->csm_service_namespace.data)
        xds_tree_put(arena, &labels, "csm.service_namespace_name",
                     xds_tree_string(cluster->csm_service_namespace));
    if (labels.n > 0)
        xds_tree_put(arena, out, "telemetryLabels", labels);
}

static struct xds_tree mechanism_of(const struct xds_maker *maker,
                                    const struct xds_cluster *cluster)
{
    const bool dns = cluster->kind == XDS_CLUSTER_LOGICAL_DNS;
    struct xds_arena *arena = maker->arena;
    struct xds_tree out = xds_tree_object();
    uint32_t limit;

    xds_tree_put(arena, &out, "clusterName", xds_tree_string(cluster->name));
    xds_tree_put(arena, &out, "type", xds_tree_text(dns ? "LOGICAL_DNS" : "EDS"));
    if (dns)
        xds_tree_put(arena, &out, "dnsHostname", xds_tree_string(cluster->dns_name));
    put_eds_name(arena, cluster, &out);
    put_load_reporting(arena, cluster, &out);
    if (xds_request_limit(maker, cluster, &limit))
        xds_tree_put(arena, &out, "max_concurrent_requests", xds_tree_number(limit));
    if (cluster->outlier_detection)
        xds_tree_put(arena, &out, "outlierDetection",
                     xds_outlier_tree(maker, cluster->outlier_detection));
    xds_tree_put(arena, &out, "overrideHostStatus",
                 xds_override_host_status(arena, cluster));
    put_telemetry_labels(arena, cluster, &out);
    return out;
}

struct xds_tree xds_resolver_policy(const struct xds_maker *maker,
                                    const struct xds_lb_policy *policy,
                                    const struct xds_config_leaf *leaves, size_t n)
{
    struct xds_arena *arena = maker->arena;
    struct xds_tree config = xds_tree_object(), mechanisms = xds_tree_array();

    for (size_t i = 0; i < n; i++)
        xds_tree_add(arena, &mechanisms, mechanism_of(maker, leaves[i].leaf.cluster));
    xds_tree_put(arena, &config, "xdsLbPolicy", xds_lb_policy_tree(maker, policy));
    xds_tree_put(arena, &config, "discoveryMechanisms", mechanisms);
    return xds_policy_list(arena, "xds_cluster_resolver_experimental", config);
}

/* ---- its priorities ---- */

static struct xds_tree cluster_impl(const struct xds_maker *maker,
                                    const struct xds_config_leaf *leaf,
                                    struct xds_tree child)
{
    const struct xds_cluster *cluster = leaf->leaf.cluster;
    struct xds_arena *arena = maker->arena;
    struct xds_tree out = xds_tree_object();
    uint32_t limit;

    xds_tree_put(arena, &out, maker->dialect->cluster_name,
                 xds_tree_string(cluster->name));
    put_eds_name(arena, cluster, &out);
    put_load_reporting(arena, cluster, &out);
    if (xds_request_limit(maker, cluster, &limit))
        xds_tree_put(arena, &out, "maxConcurrentRequests", xds_tree_number(limit));
    if (leaf->endpoints && leaf->endpoints->n_drops > 0)
        xds_tree_put(arena, &out, "dropCategories",
                     xds_drop_categories(maker, leaf->endpoints));
    xds_tree_put(arena, &out, maker->dialect->child_policy, child);
    return xds_policy_list(arena, maker->dialect->cluster_impl, out);
}

static struct xds_tree override_host(const struct xds_maker *maker,
                                     const struct xds_config_leaf *leaf,
                                     struct xds_tree child)
{
    struct xds_arena *arena = maker->arena;
    struct xds_tree out = xds_tree_object();

    if (!maker->dialect->override_host)
        return child;
    /* The texts of A55 do without the name; today's parser wants it. */
    xds_tree_put(arena, &out, "clusterName", xds_tree_string(leaf->leaf.name));
    xds_tree_put(arena, &out, "overrideHostStatus",
                 xds_override_host_status(arena, leaf->leaf.cluster));
    xds_tree_put(arena, &out, "childPolicy", child);
    return xds_policy_list(arena, maker->dialect->override_host, out);
}

static struct xds_tree outlier_detection(const struct xds_maker *maker,
                                         const struct xds_config_leaf *leaf,
                                         struct xds_tree child)
{
    struct xds_tree out = xds_outlier_tree(maker, leaf->leaf.cluster->outlier_detection);

    xds_tree_put(maker->arena, &out, maker->dialect->child_policy, child);
    return xds_policy_list(maker->arena, maker->dialect->outlier_detection, out);
}

static struct xds_slice child_name(const struct xds_maker *maker,
                                   const struct xds_config_leaf *leaf, size_t priority,
                                   bool only_leaf, size_t in_a_row)
{
    const uint64_t number = leaf->numbers.number[priority];

    if (xds_differs(maker->options, maker->client, XDS_DIFF_RESOLVER_CHILDREN_IN_A_ROW))
        return xds_arena_printf(maker->arena, "child%" PRIu64,
                                only_leaf ? number : (uint64_t)in_a_row);
    return xds_child_name(maker->arena, maker->client, leaf->leaf.cluster,
                          leaf->mechanism, number);
}

struct xds_tree xds_resolver_children(const struct xds_maker *maker,
                                      const struct xds_lb_policy *policy,
                                      const struct xds_config_leaf *leaves, size_t n)
{
    struct xds_priority_list list = {xds_tree_object(), xds_tree_array()};

    for (size_t i = 0; i < n; i++) {
        const struct xds_config_leaf *leaf = &leaves[i];
        const bool dns = leaf->leaf.cluster->kind == XDS_CLUSTER_LOGICAL_DNS;
        const struct xds_tree lb =
            dns ? xds_dns_policy_tree(maker) : xds_lb_policy_tree(maker, policy);

        for (size_t p = 0; p < leaf->numbers.n; p++) {
            const struct xds_tree child = outlier_detection(
                maker, leaf, cluster_impl(maker, leaf, override_host(maker, leaf, lb)));

            xds_priority_add(maker, &list,
                             child_name(maker, leaf, p, n == 1, list.names.n), child,
                             !dns);
        }
    }
    return xds_priority_policy(maker, &list);
}
