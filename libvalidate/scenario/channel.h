/* channel.h - a whole client on a virtual clock: the inside of subject `channel`. */
#ifndef XDS_SCENARIO_CHANNEL_H
#define XDS_SCENARIO_CHANNEL_H

#include "lb/cluster_map.h"
#include "lb/tree.h"
#include "scenario/subject.h"

struct xds_connections {
    struct xds_connection **list;
    size_t n, cap;
};

struct xds_channel {
    struct xds_play *play;
    struct xds_tree_shared shared;
    struct xds_explainer *explainer; /* of the resources of now; NULL: there are none */
    struct xds_cluster_map map;
    struct xds_cluster_manager manager;
    size_t n_configs;                    /* that it was given */
    struct xds_strmap roots;             /* struct xds_tree_root by key */
    const struct xds_virtual_host *host; /* accepted; NULL: RPCs fail */
    struct xds_strmap rpcs;              /* struct xds_channel_rpc by id */
    struct xds_strmap cookies;           /* "NAME=VALUE" of set-cookie, by step */
    struct xds_connections asked;        /* to be made, if they are held still */
    struct xds_timer connect;            /* due at once when a timer has fired for them */
    struct xds_live live;
};

/* An RPC that was started. */
struct xds_channel_rpc {
    bool runs;
    struct xds_cluster_rpc holds;
};

/* ---- the client ---- */

/* The resources have changed: take over what comes of that. False without memory. */
bool xds_channel_refresh(struct xds_channel *self);
/* The connection to the address changes its state, and what follows from that. False:
 * there is no subchannel to it. */
bool xds_channel_connection(struct xds_channel *self, struct xds_slice address,
                            enum xds_connectivity state);
/* L-f: the cluster manager keeps its children, whose clusters are gone. */
void xds_channel_lose_roots(struct xds_channel *self);
/* What was asked to connect begins connecting. */
void xds_channel_settle(struct xds_channel *self);
/* The root of a cluster; NULL unless it exists. */
struct xds_tree_root *xds_channel_root_of(const struct xds_channel *self,
                                          struct xds_slice cluster);

/* ---- events and results ---- */

void xds_channel_play_rpc(void *subject, const struct xds_tree *event);
void xds_channel_play_rpc_start(void *subject, const struct xds_tree *event);
void xds_channel_play_rpc_end(void *subject, const struct xds_tree *event);
struct xds_scene xds_channel_scene(void *subject, struct xds_arena *arena);

#endif
