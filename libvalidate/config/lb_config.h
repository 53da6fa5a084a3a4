/* lb_config.h - the tree of LB policies below a cluster. */
#ifndef XDS_CONFIG_LB_CONFIG_H
#define XDS_CONFIG_LB_CONFIG_H

#include "config/child_names.h"
#include "lb/lb.h"

/* A leaf after the root, with its priorities. */
struct xds_config_leaf {
    struct xds_leaf leaf;
    size_t mechanism;
    const struct xds_endpoints *endpoints; /* NULL: no data, or LOGICAL_DNS */
    struct xds_child_numbers numbers;
    struct xds_child_numbers all_numbers; /* with those of priorities that are dropped */
    const struct xds_slice *names;        /* of the children for its priorities */
    struct xds_tree policy;               /* the list below cds of the leaf */
};

struct xds_lb_tree {
    struct xds_slice error; /* why there is none, or absent */
    struct xds_tree policy; /* the list below cds of the root */
    struct xds_tree below;  /* LEGACY: the list that xds_cluster_resolver makes */
    struct xds_config_leaf *leaves;
    size_t n_leaves;
    bool is_aggregate;
};

/* The tree of a cluster. former: the document of the update before, or NULL. */
struct xds_lb_tree xds_lb_tree_of(struct xds_maker *maker, struct xds_slice cluster,
                                  bool legacy, const struct xds_tree *former);
/* {LEAF: numbers}: what the next update needs to know. */
struct xds_tree xds_lb_tree_numbers(const struct xds_maker *maker,
                                    const struct xds_lb_tree *tree);

/* The list of policies that the cluster's own configuration stands for. */
struct xds_tree xds_lb_policy_tree(const struct xds_maker *maker,
                                   const struct xds_lb_policy *policy);
/* What LOGICAL_DNS clusters had in its place before gRFC A61. */
struct xds_tree xds_dns_policy_tree(const struct xds_maker *maker);
/* The members of outlier detection but the child policy; empty when it is off. */
struct xds_tree xds_outlier_tree(const struct xds_maker *maker,
                                 const struct xds_outlier_detection *outlier);
/* What the policies of a leaf read from its resources. */
struct xds_tree xds_leaf_facts(const struct xds_maker *maker,
                               const struct xds_config_leaf *leaf);
/* False where the client has no limit on RPCs in flight. */
bool xds_request_limit(const struct xds_maker *maker, const struct xds_cluster *cluster,
                       uint32_t *limit);
struct xds_tree xds_override_host_status(struct xds_arena *arena,
                                         const struct xds_cluster *cluster);
struct xds_tree xds_drop_categories(const struct xds_maker *maker,
                                    const struct xds_endpoints *endpoints);
/* {CHILD: {config, ignore...}} and the names in order, for one more priority. */
struct xds_priority_list {
    struct xds_tree children, names;
};
void xds_priority_add(const struct xds_maker *maker, struct xds_priority_list *list,
                      struct xds_slice name, struct xds_tree config,
                      bool ignore_reresolution);
/* [{"priority_experimental": ...}] */
struct xds_tree xds_priority_policy(const struct xds_maker *maker,
                                    const struct xds_priority_list *list);

/* [{"xds_cluster_resolver_experimental": ...}], and what it makes of its mechanisms. */
struct xds_tree xds_resolver_policy(const struct xds_maker *maker,
                                    const struct xds_lb_policy *policy,
                                    const struct xds_config_leaf *leaves, size_t n);
struct xds_tree xds_resolver_children(const struct xds_maker *maker,
                                      const struct xds_lb_policy *policy,
                                      const struct xds_config_leaf *leaves, size_t n);

#endif
