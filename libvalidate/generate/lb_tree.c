/*
 * lb_tree.c - the tree of LB policies that a client puts below the cds policy of a
 * cluster.
 *
 * Fails:  with a sentence: no such cluster, a graph too deep, no leaf.
 * Source: gRFC A37, A56, A74, A75, spec routing 8.1, 12 and 14.9, spec cluster 5.2
 * to 5.4.
 */
#include <inttypes.h>

#include "generate/config.h"

struct xds_tree xds_child_numbers_tree(const struct xds_maker *maker,
                                       const struct xds_child_numbers *numbers)
{
    struct xds_arena *arena = maker->arena;
    struct xds_tree out = xds_tree_object(), list = xds_tree_array();

    for (size_t i = 0; i < numbers->n; i++) {
        struct xds_tree entry = xds_tree_object(), localities = xds_tree_array();

        for (size_t k = 0; k < numbers->priorities[i].n; k++) {
            const struct xds_locality *l = numbers->priorities[i].localities[k];
            struct xds_tree locality = xds_tree_object();

            xds_tree_put(arena, &locality, "region", xds_tree_string(l->region));
            xds_tree_put(arena, &locality, "zone", xds_tree_string(l->zone));
            xds_tree_put(arena, &locality, "sub_zone", xds_tree_string(l->sub_zone));
            xds_tree_add(arena, &localities, locality);
        }
        xds_tree_put(arena, &entry, "number",
                     xds_tree_number((double)numbers->number[i]));
        xds_tree_put(arena, &entry, "localities", localities);
        xds_tree_add(arena, &list, entry);
    }
    xds_tree_put(arena, &out, "next", xds_tree_number((double)numbers->next));
    xds_tree_put(arena, &out, "priorities", list);
    return out;
}

static struct xds_slice text_of(const struct xds_tree *object, const char *key)
{
    const struct xds_tree *value = xds_tree_member(object, key);

    return value && value->kind == XDS_TREE_STRING ? value->text : XDS_S("");
}

static bool number_of(const struct xds_tree *object, const char *key, uint64_t *number)
{
    const struct xds_tree *value = xds_tree_member(object, key);

    if (!value || value->kind != XDS_TREE_NUMBER ||
        !(value->number >= 0 && value->number <= (double)UINT32_MAX))
        return false;
    *number = (uint64_t)value->number;
    return true;
}

static struct xds_config_priority read_priority(struct xds_arena *arena,
                                                const struct xds_tree *entry)
{
    const struct xds_tree *list = xds_tree_member(entry, "localities");
    const size_t n = list && list->kind == XDS_TREE_ARRAY ? list->n : 0;
    const struct xds_locality **localities =
        XDS_NEW_ARRAY(arena, const struct xds_locality *, n);

    for (size_t i = 0; i < n; i++) {
        struct xds_locality *l = XDS_NEW(arena, struct xds_locality);

        l->region = text_of(&list->items[i], "region");
        l->zone = text_of(&list->items[i], "zone");
        l->sub_zone = text_of(&list->items[i], "sub_zone");
        localities[i] = l;
    }
    return (struct xds_config_priority){localities, n};
}

/* The number of an entry that has one which no entry before had. */
static bool read_number(struct xds_arena *arena, struct xds_strmap *seen,
                        const struct xds_tree *entry, uint64_t *number)
{
    void **slot;

    if (!number_of(entry, "number", number))
        return false;
    slot = xds_strmap_at(seen, xds_arena_printf(arena, "%" PRIu64, *number));
    const bool is_new = !*slot;

    *slot = seen;
    return is_new;
}

/* For any author of the document: no number comes twice, and next is above all of them.
 */
struct xds_child_numbers xds_child_numbers_read(const struct xds_maker *maker,
                                                const struct xds_tree *tree)
{
    const struct xds_tree *list = tree ? xds_tree_member(tree, "priorities") : NULL;
    const size_t n = list && list->kind == XDS_TREE_ARRAY ? list->n : 0;
    struct xds_child_numbers out = {.n = 0};
    struct xds_strmap seen;

    xds_strmap_init(&seen, maker->arena);
    if (tree)
        (void)number_of(tree, "next", &out.next);
    out.number = XDS_NEW_ARRAY(maker->arena, uint64_t, n);
    out.priorities = XDS_NEW_ARRAY(maker->arena, struct xds_config_priority, n);
    for (size_t i = 0; i < n; i++) {
        uint64_t number;

        if (!read_number(maker->arena, &seen, &list->items[i], &number))
            continue;
        if (out.next <= number)
            out.next = number + 1;
        out.number[out.n] = number;
        out.priorities[out.n++] = read_priority(maker->arena, &list->items[i]);
    }
    return out;
}

/* ---- what the mechanism and cluster impl share ---- */

static void put_shared(const struct xds_maker *maker, const struct xds_cluster *cluster,
                       const char *limit_field, struct xds_tree *out)
{
    struct xds_arena *arena = maker->arena;
    uint32_t limit;

    if (cluster->kind == XDS_CLUSTER_EDS &&
        !xds_slice_eq(cluster->eds_name, cluster->name))
        xds_tree_put(arena, out, "edsServiceName", xds_tree_string(cluster->eds_name));
    if (cluster->reports_load) /* an empty name is the server of the bootstrap */
        xds_tree_put(arena, out, "lrsLoadReportingServerName", xds_tree_text(""));
    if (xds_request_limit(maker, cluster, &limit))
        xds_tree_put(arena, out, limit_field, xds_tree_number(limit));
}

/* ---- the cluster resolver ---- */

static struct xds_tree mechanism_of(const struct xds_maker *maker,
                                    const struct xds_cluster *cluster)
{
    const bool dns = cluster->kind == XDS_CLUSTER_LOGICAL_DNS;
    struct xds_arena *arena = maker->arena;
    struct xds_tree out = xds_tree_object();

    xds_tree_put(arena, &out, "clusterName", xds_tree_string(cluster->name));
    xds_tree_put(arena, &out, "type", xds_tree_text(dns ? "LOGICAL_DNS" : "EDS"));
    if (dns)
        xds_tree_put(arena, &out, "dnsHostname", xds_tree_string(cluster->dns_name));
    put_shared(maker, cluster, "max_concurrent_requests", &out);
    if (cluster->outlier_detection)
        xds_tree_put(arena, &out, "outlierDetection",
                     xds_outlier_tree(maker, cluster->outlier_detection));
    if (XDS_ENV_ON(maker, XDS_ENV_OVERRIDE_HOST))
        xds_tree_put(arena, &out, "overrideHostStatus",
                     xds_override_host_status(arena, cluster));

    struct xds_tree labels = xds_tree_object();

    if (cluster->csm_service_name.data)
        xds_tree_put(arena, &labels, "csm.service_name",
                     xds_tree_string(cluster->csm_service_name));
    if (cluster->csm_service_namespace.data)
        xds_tree_put(arena, &labels, "csm.service_namespace_name",
                     xds_tree_string(cluster->csm_service_namespace));
    if (labels.n > 0)
        xds_tree_put(arena, &out, "telemetryLabels", labels);
    return out;
}

/* ---- its priorities ---- */

static struct xds_tree cluster_impl(const struct xds_maker *maker,
                                    const struct xds_config_leaf *leaf,
                                    struct xds_tree child)
{
    const struct xds_cluster *cluster = leaf->leaf.cluster;
    struct xds_arena *arena = maker->arena;
    struct xds_tree out = xds_tree_object();

    xds_tree_put(arena, &out, maker->dialect.cluster_name,
                 xds_tree_string(cluster->name));
    put_shared(maker, cluster, "maxConcurrentRequests", &out);
    if (leaf->endpoints && leaf->endpoints->n_drops > 0)
        xds_tree_put(arena, &out, "dropCategories",
                     xds_drop_categories(maker, leaf->endpoints));
    xds_tree_put(arena, &out, maker->dialect.child_policy, child);
    return xds_policy_list(maker, XDS_NAMED_CLUSTER_IMPL, out);
}

static struct xds_tree override_host(const struct xds_maker *maker,
                                     const struct xds_config_leaf *leaf,
                                     struct xds_tree child, bool with_status)
{
    struct xds_arena *arena = maker->arena;
    struct xds_tree out = xds_tree_object();

    if (!xds_name_in(maker->client, XDS_NAMED_OVERRIDE_HOST))
        return child;
    /* A55 does without the name; today's parser wants it. */
    if (!XDS_DIFFERS(maker, XDS_DIFF_OVERRIDE_HOST_A55))
        xds_tree_put(arena, &out, "clusterName", xds_tree_string(leaf->leaf.name));
    if (with_status && XDS_ENV_ON(maker, XDS_ENV_OVERRIDE_HOST))
        xds_tree_put(arena, &out, "overrideHostStatus",
                     xds_override_host_status(arena, leaf->leaf.cluster));
    xds_tree_put(arena, &out, "childPolicy", child);
    return xds_policy_list(maker, XDS_NAMED_OVERRIDE_HOST, out);
}

static struct xds_tree outlier_detection(const struct xds_maker *maker,
                                         const struct xds_config_leaf *leaf,
                                         struct xds_tree child)
{
    struct xds_tree out = xds_outlier_tree(maker, leaf->leaf.cluster->outlier_detection);

    xds_tree_put(maker->arena, &out, maker->dialect.child_policy, child);
    return xds_policy_list(maker, XDS_NAMED_OUTLIER_DETECTION, out);
}

static void priority_add(const struct xds_maker *maker, struct xds_priority_list *list,
                         struct xds_slice name, struct xds_tree config,
                         bool ignore_reresolution)
{
    struct xds_tree child = xds_tree_object();

    xds_tree_put(maker->arena, &child, "config", config);
    if (ignore_reresolution || maker->dialect.always_reresolution)
        xds_tree_put(maker->arena, &child, maker->dialect.ignore_reresolution,
                     xds_tree_bool(ignore_reresolution));
    xds_tree_put_key(maker->arena, &list->children, name, child);
    xds_tree_add(maker->arena, &list->names, xds_tree_string(name));
}

/* [{"priority_experimental": ...}] */
static struct xds_tree priority_policy(const struct xds_maker *maker,
                                       const struct xds_priority_list *list)
{
    struct xds_tree config = xds_tree_object();

    xds_tree_put(maker->arena, &config, "children", list->children);
    xds_tree_put(maker->arena, &config, "priorities", list->names);
    return xds_policy_list(maker, XDS_NAMED_PRIORITY, config);
}

static struct xds_slice child_name(const struct xds_maker *maker,
                                   const struct xds_config_leaf *leaf, size_t priority,
                                   bool only_leaf, size_t in_a_row)
{
    const uint64_t number = leaf->numbers.number[priority];

    if (XDS_DIFFERS(maker, XDS_DIFF_RESOLVER_CHILDREN_IN_A_ROW))
        return xds_arena_printf(maker->arena, "child%" PRIu64,
                                only_leaf ? number : (uint64_t)in_a_row);
    return xds_child_name(maker->arena, maker->options, maker->client, leaf->leaf.cluster,
                          leaf->mechanism, number);
}

static bool is_dns(const struct xds_config_leaf *leaf)
{
    return leaf->leaf.cluster->kind == XDS_CLUSTER_LOGICAL_DNS;
}

/* What xds_cluster_resolver_experimental makes of its mechanisms. */
static struct xds_tree resolver_children(const struct xds_maker *maker,
                                         const struct xds_lb_policy *policy,
                                         const struct xds_config_leaf *leaves, size_t n)
{
    struct xds_priority_list list = {xds_tree_object(), xds_tree_array()};

    for (size_t i = 0; i < n; i++) {
        const struct xds_config_leaf *leaf = &leaves[i];
        const struct xds_tree lb =
            is_dns(leaf) ? xds_policy_list(maker, XDS_NAMED_PICK_FIRST, xds_tree_object())
                         : xds_lb_policy_tree(maker, policy);

        for (size_t p = 0; p < leaf->numbers.n; p++) {
            const struct xds_tree child = outlier_detection(
                maker, leaf,
                cluster_impl(maker, leaf, override_host(maker, leaf, lb, true)));

            priority_add(maker, &list, child_name(maker, leaf, p, n == 1, list.names.n),
                         child, !is_dns(leaf));
        }
    }
    return priority_policy(maker, &list);
}

/* ---- one leaf ---- */

/* Outlier detection around cluster impl. */
static struct xds_tree with_cluster_impl(const struct xds_maker *maker,
                                         const struct xds_config_leaf *leaf,
                                         struct xds_tree child)
{
    const struct xds_dialect *d = &maker->dialect;
    const struct xds_outlier_detection *o = leaf->leaf.cluster->outlier_detection;
    const bool ignored =
        (!o || is_dns(leaf)) && XDS_DIFFERS(maker, XDS_DIFF_OUTLIER_IF_SET);
    struct xds_tree impl = xds_tree_object();
    struct xds_tree outlier = xds_outlier_tree(maker, o);

    xds_tree_put(maker->arena, &impl, d->cluster_name, xds_tree_string(leaf->leaf.name));
    xds_tree_put(maker->arena, &impl, d->child_policy, child);
    child = xds_policy_list(maker, XDS_NAMED_CLUSTER_IMPL, impl);
    if (ignored)
        return child;
    xds_tree_put(maker->arena, &outlier, d->child_policy, child);
    return xds_policy_list(maker, XDS_NAMED_OUTLIER_DETECTION, outlier);
}

/* One child per priority of the leaf. whole: with outlier detection and cluster impl. */
static void add_priorities(const struct xds_maker *maker,
                           const struct xds_config_leaf *leaf, bool whole,
                           struct xds_priority_list *list)
{
    const struct xds_tree policy =
        XDS_DIFFERS(maker, XDS_DIFF_DNS_PICK_FIRST) && is_dns(leaf)
            ? xds_policy_list(maker, XDS_NAMED_PICK_FIRST, xds_tree_object())
            : xds_lb_policy_tree(maker, leaf->leaf.policy);

    for (size_t i = 0; i < leaf->numbers.n; i++)
        priority_add(maker, list, leaf->names[i],
                     whole ? with_cluster_impl(maker, leaf, policy) : policy,
                     !is_dns(leaf));
}

static struct xds_tree leaf_policy(const struct xds_maker *maker,
                                   const struct xds_config_leaf *leaf, bool flattened)
{
    const bool outermost = flattened || XDS_DIFFERS(maker, XDS_DIFF_PRIORITY_OUTERMOST);
    struct xds_priority_list list = {xds_tree_object(), xds_tree_array()};
    struct xds_tree policy;

    add_priorities(maker, leaf, outermost, &list);
    policy = priority_policy(maker, &list);
    if (outermost)
        return policy;
    return with_cluster_impl(maker, leaf, override_host(maker, leaf, policy, false));
}

/* ---- the root ---- */

static const struct xds_tree *former_of(const struct xds_tree *former,
                                        struct xds_slice leaf)
{
    const struct xds_tree *numbers =
        former ? xds_tree_member(former, "child_numbers") : NULL;

    for (size_t i = numbers ? numbers->n : 0; i > 0; i--)
        if (xds_slice_eq(numbers->items[i - 1].key, leaf))
            return &numbers->items[i - 1];
    return NULL;
}

/* With nothing left, one without localities: what a client that is new would wait with.
 */
static struct xds_child_numbers used_numbers(const struct xds_maker *maker,
                                             const struct xds_child_numbers *all)
{
    struct xds_child_numbers out =
        xds_child_numbers_used(maker->arena, maker->options, maker->client, all);

    if (out.n > 0 || XDS_DIFFERS(maker, XDS_DIFF_LOCALITY_UNUSABLE_UNSEEN))
        return out;
    out.n = 1;
    out.number = XDS_NEW_ARRAY(maker->arena, uint64_t, 1);
    out.priorities = XDS_NEW_ARRAY(maker->arena, struct xds_config_priority, 1);
    out.number[0] = all->n > 0 ? all->number[0] : all->next;
    return out;
}

static void read_leaf(const struct xds_maker *maker, const struct xds_tree *former,
                      bool flattened, struct xds_config_leaf *out)
{
    const struct xds_cluster *cluster = out->leaf.cluster;

    if (!cluster)
        return;
    if (cluster->kind == XDS_CLUSTER_EDS)
        out->endpoints = xds_accepted(maker->snapshot, maker->client, XDS_TYPE_ENDPOINT,
                                      cluster->eds_name, NULL);
    const struct xds_child_numbers before =
        xds_child_numbers_read(maker, former_of(former, out->leaf.name));

    out->all_numbers = xds_child_numbers_of(maker->arena, maker->options, maker->client,
                                            &before, out->endpoints);
    out->numbers = used_numbers(maker, &out->all_numbers);

    struct xds_slice *names =
        XDS_NEW_ARRAY(maker->arena, struct xds_slice, out->numbers.n);

    for (size_t i = 0; i < out->numbers.n; i++)
        names[i] =
            xds_child_name(maker->arena, maker->options, maker->client, out->leaf.cluster,
                           out->mechanism, out->numbers.number[i]);
    out->names = names;
    out->policy = leaf_policy(maker, out, flattened);
}

static void read_leaves(struct xds_maker *maker, const struct xds_leaves *leaves,
                        const struct xds_tree *former, struct xds_lb_tree *out)
{
    const bool flattened =
        out->is_aggregate && xds_flattens_aggregates(maker->options, maker->client);

    out->leaves = XDS_NEW_ARRAY(maker->arena, struct xds_config_leaf, leaves->n);
    out->n_leaves = leaves->n;
    for (size_t i = 0; i < leaves->n; i++) {
        out->leaves[i].leaf = leaves->list[i];
        out->leaves[i].mechanism = i;
        read_leaf(maker, former, flattened, &out->leaves[i]);
        if (!leaves->list[i].cluster)
            xds_note(maker, "%.*s", XDS_FMT(leaves->list[i].missing.text));
    }
}

/* gRFC A37: one child that is missing fails the whole. */
static void fill_legacy(const struct xds_maker *maker, const struct xds_cluster *root,
                        struct xds_lb_tree *out)
{
    const struct xds_lb_policy *policy = xds_cluster_policy(root, maker->client);

    for (size_t i = 0; i < out->n_leaves && !out->error.data; i++)
        out->error = out->leaves[i].leaf.missing.text;
    if (out->error.data)
        return;

    struct xds_arena *arena = maker->arena;
    struct xds_tree config = xds_tree_object(), mechanisms = xds_tree_array();

    for (size_t i = 0; i < out->n_leaves; i++)
        xds_tree_add(arena, &mechanisms,
                     mechanism_of(maker, out->leaves[i].leaf.cluster));
    xds_tree_put(arena, &config, "xdsLbPolicy", xds_lb_policy_tree(maker, policy));
    xds_tree_put(arena, &config, "discoveryMechanisms", mechanisms);
    out->policy = xds_policy_list(maker, XDS_NAMED_CLUSTER_RESOLVER, config);
    out->below = resolver_children(maker, policy, out->leaves, out->n_leaves);
}

struct xds_lb_tree xds_lb_tree_of(struct xds_maker *maker, struct xds_slice cluster,
                                  bool legacy, const struct xds_tree *former)
{
    static const struct xds_request none;
    struct xds_rpc rpc = xds_maker_rpc(maker);
    struct xds_lb lb;

    rpc.request = &none;
    xds_lb_init(&lb, &rpc, maker->snapshot);

    const struct xds_leaves leaves = xds_aggregate_leaves(&lb, cluster);
    struct xds_lb_tree out = {.error = leaves.error.text};

    for (size_t i = 0; i < leaves.n_skipped; i++)
        xds_note(maker, "%.*s; it is omitted from the aggregate",
                 XDS_FMT(leaves.skipped[i].text));
    if (leaves.error.text.data)
        return out;
    out.is_aggregate = leaves.root->kind == XDS_CLUSTER_AGGREGATE;
    read_leaves(maker, &leaves, former, &out);
    if (legacy)
        fill_legacy(maker, leaves.root, &out);
    else if (!out.is_aggregate)
        out.policy = out.leaves[0].policy;
    if (legacy || !out.is_aggregate)
        return out;

    const bool flattens = xds_flattens_aggregates(maker->options, maker->client);
    struct xds_priority_list list = {xds_tree_object(), xds_tree_array()};

    for (size_t i = 0; i < out.n_leaves; i++) {
        const struct xds_slice name = out.leaves[i].leaf.name;

        if (!flattens)
            priority_add(maker, &list, name, xds_cds_policy(maker, name), false);
        else if (out.leaves[i].leaf.cluster)
            add_priorities(maker, &out.leaves[i], true, &list);
    }
    out.policy = priority_policy(maker, &list);
    return out;
}

struct xds_tree xds_lb_tree_numbers(const struct xds_maker *maker,
                                    const struct xds_lb_tree *tree)
{
    struct xds_tree out = xds_tree_object();

    for (size_t i = 0; i < tree->n_leaves; i++)
        if (tree->leaves[i].leaf.cluster)
            xds_tree_put_key(maker->arena, &out, tree->leaves[i].leaf.name,
                             xds_child_numbers_tree(maker, &tree->leaves[i].all_numbers));
    return out;
}
