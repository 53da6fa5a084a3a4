/*
 * maker.h - what the files of this folder share: the world that a config is made for, the
 * names that the client has for its policies, and the notes on what a config cannot say.
 */
#ifndef XDS_CONFIG_MAKER_H
#define XDS_CONFIG_MAKER_H

#include "clients/readers.h"
#include "model/snapshot.h"
#include "route/rpc.h"

/* Which sizes and counts a client writes into the config of an LB policy. */
enum xds_written {
    XDS_WRITES_ALL,
    XDS_WRITES_NONZERO,
    XDS_WRITES_SET,
};

/* What a client calls its policies and their fields, and which of them it writes. */
struct xds_dialect {
    const char *cluster_manager, *manager_children, *manager_child;
    bool bare_clusters; /* the children have the names of clusters, without "cluster:" */
    const char *cds, *outlier_detection, *cluster_impl, *priority, *wrr_locality;
    const char *override_host; /* NULL: the client has no session affinity */
    const char *child_policy, *cluster_name; /* of cluster_impl */
    const char *ignore_reresolution;
    const char *ring_hash, *min_ring_size, *max_ring_size;
    const char *drop_share; /* requests_per_million of a drop category */
    enum xds_written written;
    bool always_reresolution; /* ignore_reresolution is written even if it is false */
    bool outlier_if_set;      /* no outlier detection where the cluster has none */
    bool snake_case;          /* all other fields too */
};

const struct xds_dialect *xds_dialect_of(enum xds_client client);

struct xds_notes {
    struct xds_slice *list;
    size_t n;
};

struct xds_maker {
    struct xds_arena *arena;
    const struct xds_options *options;
    const struct xds_snapshot *snapshot;
    enum xds_client client;
    const struct xds_dialect *dialect;
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
           (xds_differs(maker->options, maker->client, XDS_DIFF_PATH_UNSET_CASE) &&
            !path->case_set);
}
/* Nanoseconds as a duration, as exact as the client keeps them: core cuts to
 * milliseconds. */
struct xds_tree xds_time_tree(const struct xds_maker *maker, int64_t ns);
/* [{POLICY: CONFIG}] */
struct xds_tree xds_policy_list(struct xds_arena *arena, const char *policy,
                                struct xds_tree config);
/* [{"cds_experimental": {"cluster": NAME}}], in the client's words. */
struct xds_tree xds_cds_policy(const struct xds_maker *maker, struct xds_slice cluster);

#endif
