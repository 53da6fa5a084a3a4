/*
 * config.h - a generated config, and what the files that make it share: the world that it
 * is made for, the names that the client has for its policies, and notes on what a config
 * cannot say.
 *
 * What does not exist is NULL, an absent slice or a tree of kind NULL.
 */
#ifndef XDS_CONFIG_CONFIG_H
#define XDS_CONFIG_CONFIG_H

#include "base/strmap.h"
#include "clients/readers.h"
#include "lb/lb.h"
#include "model/child_numbers.h"
#include "model/listener.h"
#include "model/snapshot.h"
#include "model/tree.h"
#include "route/route.h"

/* Which sizes and counts a client writes into the config of an LB policy. */
enum xds_written {
    XDS_WRITES_ALL,
    XDS_WRITES_NONZERO,
    XDS_WRITES_SET,
};

/* What a client calls the fields of its policies, and which of them it writes. */
struct xds_dialect {
    const char *manager_children, *manager_child;
    bool bare_clusters; /* the children have the names of clusters, without "cluster:" */
    const char *child_policy, *cluster_name; /* of cluster_impl */
    const char *ignore_reresolution;
    const char *drop_share; /* requests_per_million of a drop category */
    enum xds_written written;
    bool always_reresolution; /* ignore_reresolution is written even if it is false */
    bool snake_case;          /* all other fields too */
};

struct xds_dialect xds_dialect_of(const struct xds_options *options,
                                  enum xds_client client);

struct xds_notes {
    struct xds_slice *list;
    size_t n;
};

struct xds_maker {
    struct xds_arena *arena;
    const struct xds_options *options;
    const struct xds_snapshot *snapshot;
    enum xds_client client;
    struct xds_dialect dialect;
    struct xds_notes notes; /* what the form has no words for, each a sentence */
    size_t n_filter_uses;   /* filters of all routes so far */
};

/* An RPC of this client, for what a route gives to every one of them. */
static inline struct xds_rpc xds_maker_rpc(const struct xds_maker *maker)
{
    return (struct xds_rpc){
        .client = maker->client, .options = maker->options, .arena = maker->arena};
}

/* Remember a note, once. */
void xds_note(struct xds_maker *maker, const char *format, ...) XDS_PRINTF(2, 3);

/* Does the client compare this path without regard to case? java does so unless
 * case_sensitive is set. */
static inline bool xds_folds_path(const struct xds_maker *maker,
                                  const struct xds_path_matcher *path)
{
    return !path->case_sensitive ||
           (XDS_DIFFERS(maker, XDS_DIFF_PATH_UNSET_CASE) && !path->case_set);
}
/* Nanoseconds as a duration, as exact as the client keeps them: core cuts to
 * milliseconds. */
struct xds_tree xds_time_tree(const struct xds_maker *maker, int64_t ns);
/* What the client calls a policy; NULL: it has none. */
static inline const char *xds_name_in(enum xds_client client, enum xds_lb_named named)
{
    return xds_lb_names[named].of[xds_client_as(client)];
}
/* [{POLICY: CONFIG}] in its words. */
struct xds_tree xds_policy_list(const struct xds_maker *maker, enum xds_lb_named named,
                                struct xds_tree config);
/* [{"cds_experimental": {"cluster": NAME}}], in the client's words. */
struct xds_tree xds_cds_policy(const struct xds_maker *maker, struct xds_slice cluster);

/* The numbers as the document keeps them for the next update, and back; what cannot be
 * read is as if there were none. */
struct xds_tree xds_child_numbers_tree(const struct xds_maker *maker,
                                       const struct xds_child_numbers *numbers);
struct xds_child_numbers xds_child_numbers_read(const struct xds_maker *maker,
                                                const struct xds_tree *tree);

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

/* A route, or one entry of its weighted clusters. */
struct xds_config_route {
    size_t index;
    const struct xds_route *route;
    const struct xds_weighted_cluster *entry; /* NULL: no weighted route */
    struct xds_tree method_config;            /* NULL kind: nothing to say */
    const struct xds_filter_use *filters;
    size_t n_filters;
};

struct xds_config_routes {
    struct xds_config_route *list;
    size_t n;
};

/* {"loadBalancingConfig": [{"xds_cluster_manager_experimental": ...}]}; config may be
 * NULL where no route names a plugin. */
struct xds_tree xds_manager_config(struct xds_maker *maker,
                                   const struct xds_virtual_host *host,
                                   const struct xds_route_config *config);
/* What each route that forwards gives its RPCs. listener may be NULL. */
struct xds_config_routes xds_config_routes_of(struct xds_maker *maker,
                                              const struct xds_listener *listener,
                                              const struct xds_virtual_host *host);
/* {"methodConfig": [...]} for clients without xDS; what it cannot say becomes notes. */
struct xds_tree xds_methods_config(struct xds_maker *maker,
                                   const struct xds_listener *listener,
                                   const struct xds_virtual_host *host);

/* What one route does, and what every route with the same targets shares. */
struct xds_action_target {
    struct xds_slice cluster;
    uint64_t weight; /* of all its entries */
};

struct xds_action {
    struct xds_slice name;             /* "cds:X", "weighted:A_B_1" */
    bool weighted;                     /* targets[0] alone else */
    struct xds_action_target *targets; /* by cluster name */
    size_t n_targets;
    struct xds_slice content, set; /* equal for equal targets with and without weights */
};

struct xds_actions {
    struct xds_arena *arena;
    struct xds_strmap by_content;
    struct xds_action **list; /* in order of first use */
    size_t n;
};

/* {"loadBalancingConfig": [{"xds_routing_experimental": ...}]} of a virtual host.
 * previous: the service config of the update before, or NULL. single_route: where one
 * route takes every RPC, its action's policy alone. *places: for each route of the config
 * its index in the virtual host, as some are left out. */
struct xds_tree xds_a28_config(struct xds_maker *maker,
                               const struct xds_virtual_host *host,
                               const struct xds_tree *previous, bool single_route,
                               const size_t **places);

struct xds_previous {
    struct xds_arena arena; /* reset when another text comes */
    struct xds_slice text;
    bool is_read;
    struct xds_slice error;      /* where and why the text is no such JSON, or absent */
    const struct xds_tree *last; /* its last document; NULL: none */
    struct xds_strmap clusters;  /* its documents about LB policies, by cluster */
};

void xds_previous_init(struct xds_previous *previous);
void xds_previous_release(struct xds_previous *previous);
/* One document, or one per line; absent text is none. False with `error` filled when it
 * cannot be used. The text is borrowed; the one of the last call is not read again. */
bool xds_previous_read(struct xds_previous *previous, struct xds_slice text);
/* The service config in the last document, or that document itself; NULL: none. */
const struct xds_tree *xds_previous_service_config(const struct xds_previous *previous);
/* The document about a cluster; NULL: none. */
const struct xds_tree *xds_previous_cluster(const struct xds_previous *previous,
                                            struct xds_slice cluster);

struct xds_config {
    enum xds_config_form form;
    enum xds_client client;
    struct xds_client_label as; /* the client, with its release if one was asked for */
    bool is_lb_config;
    struct xds_slice subject; /* what was asked for, for a heading */
    struct xds_slice error;   /* why there is nothing */
    struct xds_tree document; /* what -f json prints */
    struct xds_tree policies; /* the list of LB policies */
    struct xds_tree methods;  /* METHODS: the list of method configs */
    struct xds_tree facts;    /* LB configs: what each leaf's resources add */
    struct xds_lb_tree lb;    /* LB configs */
    const struct xds_virtual_host *host;
    const size_t *places;            /* A28: in the host, of each route of the config */
    struct xds_config_routes routes; /* CURRENT */
    struct xds_notes notes;
    const struct xds_slice *choices; /* as in a decision */
    size_t n_choices;
};

#endif
