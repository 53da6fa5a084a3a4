/*
 * cluster_map.h - the clusters that a channel has children for: those that its routes
 * name, and those that RPCs still use.
 *
 * Every route update makes a config selector, which holds a reference to each key that
 * its routes name: "cluster:A", "cluster_specifier_plugin:P". An RPC goes through
 *
 *     xds_cluster_map_start    the config selector picks a route and a key
 *     xds_cluster_map_select   the cluster selection filter settles the key
 *     xds_cluster_map_release  no attempt can follow, or the RPC has ended
 *
 * and holds between the first two the whole map of its selector (gRFC A60) or its one key
 * (gRFC A31), then its key. The service config names all keys that something refers to.
 */
#ifndef XDS_LB_CLUSTER_MAP_H
#define XDS_LB_CLUSTER_MAP_H

#include "base/strmap.h"
#include "lb/policy.h"
#include "route/route.h"

struct xds_cluster_entry;
struct xds_config_selector;

/* A service config. The keys are borrowed, and sorted by bytes. */
struct xds_cluster_config {
    bool empty; /* {}: the channel has pick_first without addresses, and no children */
    const struct xds_slice *keys; /* of the cluster manager, which may have none */
    size_t n;
};

struct xds_cluster_map;

/* L-f: the channel keeps the LB policies of the config before. */
bool xds_cluster_config_is_refused(const struct xds_cluster_map *map,
                                   const struct xds_cluster_config *config);

/* Told of every service config, in order. */
struct xds_config_sink {
    void *user;
    void (*config)(void *user, const struct xds_cluster_config *config);
};

struct xds_cluster_map {
    struct xds_machine *machine;
    struct xds_config_sink sink;
    struct xds_strmap entries; /* struct xds_cluster_entry by key, also unused ones */
    struct xds_cluster_entry **used; /* those with a reference, sorted */
    size_t n_used, cap_used;
    struct xds_config_selector *current; /* NULL: before the first update */
    bool keeps_map;   /* an RPC holds the map until its cluster is settled, gRFC A60 */
    bool lost;        /* a key has gone since the last config */
    bool has_manager; /* a config with a cluster manager was accepted */
    bool suspended;   /* {} is used whatever RPCs hold, until routes come again */
};

enum xds_cluster_stage {
    XDS_CLUSTER_NOTHING, /* holds nothing: not started, failed or released */
    XDS_CLUSTER_HELD,    /* between config selector and cluster selection filter */
    XDS_CLUSTER_SETTLED, /* holds its key */
};

/* What an RPC holds; start from all zero. */
struct xds_cluster_rpc {
    enum xds_cluster_stage stage;
    const struct xds_route *route;      /* captured with the selector */
    struct xds_config_selector *holder; /* the selector held, or NULL */
    struct xds_cluster_entry *entry;    /* NULL: chance decides, no number was given */
    struct xds_slice key;               /* of entry; absent without one */
    struct xds_slice failure;           /* why the RPC fails, UNAVAILABLE; or absent */
};

enum xds_cluster_start {
    XDS_CLUSTER_START_FAILED, /* see failure */
    XDS_CLUSTER_START_OPEN,   /* chance decides: only a cookie can settle the cluster */
    XDS_CLUSTER_START_PICKED, /* see key */
};

/* The key of a cluster, in the machine's step arena. */
struct xds_slice xds_cluster_key(const struct xds_machine *machine,
                                 struct xds_slice cluster);
/* The cluster that the key stands for, part of it; absent for a plugin. */
struct xds_slice xds_cluster_of_key(const struct xds_machine *machine,
                                    struct xds_slice key);

void xds_cluster_map_init(struct xds_cluster_map *map, struct xds_machine *machine,
                          struct xds_config_sink sink);
/* An accepted update: the virtual host with its routes, which must outlive the map. NULL:
 * there is no such host, or the resource is gone; RPCs fail from now on. */
void xds_cluster_map_update(struct xds_cluster_map *map,
                            const struct xds_virtual_host *host);
/* An RPC arrives; not before the first update. Reasons are of call's arena. */
enum xds_cluster_start xds_cluster_map_start(struct xds_cluster_map *map,
                                             const struct xds_rpc *call,
                                             struct xds_cluster_rpc *rpc);
/* An RPC that is HELD is settled. cookie: the cluster that its session cookie names, or
 * absent; it counts when the captured route names it. False: the cluster is open. */
bool xds_cluster_map_select(struct xds_cluster_map *map, struct xds_cluster_rpc *rpc,
                            struct xds_slice cookie);
/* The RPC lets go of what it holds. */
void xds_cluster_map_release(struct xds_cluster_map *map, struct xds_cluster_rpc *rpc);
/* Does the channel have an LB policy that knows keys? False: RPCs fail, UNAVAILABLE. */
bool xds_cluster_map_serves(const struct xds_cluster_map *map);
/* May new RPCs be given this key? */
bool xds_cluster_map_is_routed(const struct xds_cluster_map *map, struct xds_slice key);

#endif
