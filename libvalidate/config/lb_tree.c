/*
 * lb_tree.c - the tree of LB policies that a client puts below the cds policy of a
 * cluster.
 *
 * Fails:  with a sentence: no such cluster, a graph too deep, no leaf.
 * Source: gRFC A37, A56, A74, A75, spec routing 8.1, 12 and 14.9, spec cluster 5.2
 * to 5.4.
 */
#include "config/lb_config.h"

#include "route/accepted.h"

/* ---- one leaf ---- */

static bool is_dns(const struct xds_config_leaf *leaf)
{
    return leaf->leaf.cluster->kind == XDS_CLUSTER_LOGICAL_DNS;
}

void xds_priority_add(const struct xds_maker *maker, struct xds_priority_list *list,
                      struct xds_slice name, struct xds_tree config,
                      bool ignore_reresolution)
{
    struct xds_tree child = xds_tree_object();

    xds_tree_put(maker->arena, &child, "config", config);
    if (ignore_reresolution || maker->dialect->always_reresolution)
        xds_tree_put(maker->arena, &child, maker->dialect->ignore_reresolution,
                     xds_tree_bool(ignore_reresolution));
    xds_tree_put_key(maker->arena, &list->children, name, child);
    xds_tree_add(maker->arena, &list->names, xds_tree_string(name));
}

struct xds_tree xds_priority_policy(const struct xds_maker *maker,
                                    const struct xds_priority_list *list)
{
    struct xds_tree config = xds_tree_object();

    xds_tree_put(maker->arena, &config, "children", list->children);
    xds_tree_put(maker->arena, &config, "priorities", list->names);
    return xds_policy_list(maker->arena, maker->dialect->priority, config);
}

static struct xds_tree with_override_host(const struct xds_maker *maker,
                                          const struct xds_config_leaf *leaf,
                                          struct xds_tree child)
{
    struct xds_tree config = xds_tree_object();

    if (!maker->dialect->override_host)
        return child;
    xds_tree_put(maker->arena, &config, "clusterName", xds_tree_string(leaf->leaf.name));
    xds_tree_put(maker->arena, &config, "childPolicy", child);
    return xds_policy_list(maker->arena, maker->dialect->override_host, config);
}

/* Outlier detection around cluster impl. */
static struct xds_tree with_cluster_impl(const struct xds_maker *maker,
                                         const struct xds_config_leaf *leaf,
                                         struct xds_tree child)
{
    const struct xds_dialect *d = maker->dialect;
    const struct xds_outlier_detection *o = leaf->leaf.cluster->outlier_detection;
    const bool ignored = d->outlier_if_set && (!o || is_dns(leaf));
    struct xds_tree impl = xds_tree_object();
    struct xds_tree outlier = xds_outlier_tree(maker, o);

    xds_tree_put(maker->arena, &impl, d->cluster_name, xds_tree_string(leaf->leaf.name));
    xds_tree_put(maker->arena, &impl, d->child_policy, child);
    child = xds_policy_list(maker->arena, d->cluster_impl, impl);
    if (ignored)
        return child;
    xds_tree_put(maker->arena, &outlier, d->child_policy, child);
    return xds_policy_list(maker->arena, d->outlier_detection, outlier);
}

/* One child per priority of the leaf. whole: with outlier detection and cluster impl. */
static void add_priorities(const struct xds_maker *maker,
                           const struct xds_config_leaf *leaf, bool whole,
                           struct xds_priority_list *list)
{
    const struct xds_tree policy =
        xds_differs(maker->options, maker->client, XDS_DIFF_DNS_PICK_FIRST) &&
                is_dns(leaf)
            ? xds_dns_policy_tree(maker)
            : xds_lb_policy_tree(maker, leaf->leaf.policy);

    for (size_t i = 0; i < leaf->numbers.n; i++) {
        xds_priority_add(maker, list, leaf->names[i],
                         whole ? with_cluster_impl(maker, leaf, policy) : policy,
                         !is_dns(leaf));
    }
}

static struct xds_tree leaf_policy(const struct xds_maker *maker,
                                   const struct xds_config_leaf *leaf, bool flattened)
{
    const bool outermost = flattened || xds_differs(maker->options, maker->client,
                                                    XDS_DIFF_PRIORITY_OUTERMOST);
    struct xds_priority_list list = {xds_tree_object(), xds_tree_array()};
    struct xds_tree policy;

    add_priorities(maker, leaf, outermost, &list);
    policy = xds_priority_policy(maker, &list);
    if (outermost)
        return policy;
    return with_cluster_impl(maker, leaf, with_override_host(maker, leaf, policy));
}

/* ---- the root ---- */

/* [{"priority_experimental": ...}] of the leaves' cds policies. */
static struct xds_tree aggregate_policy(const struct xds_maker *maker,
                                        const struct xds_lb_tree *tree)
{
    struct xds_priority_list list = {xds_tree_object(), xds_tree_array()};

    for (size_t i = 0; i < tree->n_leaves; i++)
        xds_priority_add(maker, &list, tree->leaves[i].leaf.name,
                         xds_cds_policy(maker, tree->leaves[i].leaf.name), false);
    return xds_priority_policy(maker, &list);
}

static struct xds_tree flat_policy(const struct xds_maker *maker,
                                   const struct xds_lb_tree *tree)
{
    struct xds_priority_list list = {xds_tree_object(), xds_tree_array()};

    for (size_t i = 0; i < tree->n_leaves; i++)
        if (tree->leaves[i].leaf.cluster)
            add_priorities(maker, &tree->leaves[i], true, &list);
    return xds_priority_policy(maker, &list);
}

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

static const struct xds_slice *names_of(const struct xds_maker *maker,
                                        const struct xds_config_leaf *leaf)
{
    struct xds_slice *names =
        XDS_NEW_ARRAY(maker->arena, struct xds_slice, leaf->numbers.n);

    for (size_t i = 0; i < leaf->numbers.n; i++)
        names[i] = xds_child_name(maker->arena, maker->client, leaf->leaf.cluster,
                                  leaf->mechanism, leaf->numbers.number[i]);
    return names;
}

/* With nothing left, one without localities: what a client that is new would wait with.
 */
static struct xds_child_numbers used_numbers(const struct xds_maker *maker,
                                             const struct xds_child_numbers *all)
{
    struct xds_child_numbers out =
        xds_child_numbers_used(maker->arena, maker->client, all);

    if (out.n > 0 ||
        xds_differs(maker->options, maker->client, XDS_DIFF_LOCALITY_UNUSABLE_UNSEEN))
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
    const char *why;

    if (!cluster)
        return;
    if (cluster->kind == XDS_CLUSTER_EDS)
        out->endpoints = xds_accepted(maker->snapshot, maker->client, XDS_TYPE_ENDPOINT,
                                      cluster->eds_name, &why);
    const struct xds_child_numbers before =
        xds_child_numbers_read(maker, former_of(former, out->leaf.name));

    out->all_numbers = xds_child_priorities(maker->arena, maker->client, out->endpoints);
    xds_child_numbers_assign(maker->arena, maker->options, maker->client, &before,
                             &out->all_numbers);
    out->numbers = used_numbers(maker, &out->all_numbers);
    out->names = names_of(maker, out);
    out->policy = leaf_policy(maker, out, flattened);
}

static void read_leaves(struct xds_maker *maker, const struct xds_leaves *leaves,
                        const struct xds_tree *former, struct xds_lb_tree *out)
{
    const bool flattened = out->is_aggregate && xds_flattens_aggregates(maker->client);

    out->leaves = XDS_NEW_ARRAY(maker->arena, struct xds_config_leaf, leaves->n);
    out->n_leaves = leaves->n;
    for (size_t i = 0; i < leaves->n; i++) {
        out->leaves[i].leaf = leaves->list[i];
        out->leaves[i].mechanism = i;
        read_leaf(maker, former, flattened, &out->leaves[i]);
        if (!leaves->list[i].cluster)
            xds_note(maker, "%.*s", XDS_FMT(leaves->list[i].missing));
    }
}

static void note_skipped(struct xds_maker *maker, const struct xds_leaves *leaves)
{
    for (size_t i = 0; i < leaves->n_skipped; i++)
        xds_note(maker, "%.*s; it is omitted from the aggregate",
                 XDS_FMT(leaves->skipped[i]));
}

static struct xds_leaves leaves_of(const struct xds_maker *maker,
                                   struct xds_slice cluster)
{
    static const struct xds_request none;
    const struct xds_rpc rpc = {.client = maker->client,
                                .options = maker->options,
                                .request = &none,
                                .arena = maker->arena};
    struct xds_lb lb;

    xds_lb_init(&lb, &rpc, maker->snapshot);
    return xds_aggregate_leaves(&lb, cluster);
}

/* gRFC A37: one child that is missing fails the whole. */
static void fill_legacy(const struct xds_maker *maker, const struct xds_cluster *root,
                        struct xds_lb_tree *out)
{
    const struct xds_lb_policy *policy = xds_cluster_policy(root, maker->client);

    for (size_t i = 0; i < out->n_leaves && !out->error.data; i++)
        out->error = out->leaves[i].leaf.missing;
    if (out->error.data)
        return;
    out->policy = xds_resolver_policy(maker, policy, out->leaves, out->n_leaves);
    out->below = xds_resolver_children(maker, policy, out->leaves, out->n_leaves);
}

struct xds_lb_tree xds_lb_tree_of(struct xds_maker *maker, struct xds_slice cluster,
                                  bool legacy, const struct xds_tree *former)
{
    const struct xds_leaves leaves = leaves_of(maker, cluster);
    struct xds_lb_tree out = {.error = leaves.error};

    note_skipped(maker, &leaves);
    if (leaves.error.data)
        return out;
    out.is_aggregate = leaves.root->kind == XDS_CLUSTER_AGGREGATE;
    read_leaves(maker, &leaves, former, &out);
    if (legacy)
        fill_legacy(maker, leaves.root, &out);
    else if (!out.is_aggregate)
        out.policy = out.leaves[0].policy;
    else if (xds_flattens_aggregates(maker->client))
        out.policy = flat_policy(maker, &out);
    else
        out.policy = aggregate_policy(maker, &out);
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
