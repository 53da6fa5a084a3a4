/* channel.h - the inside of subject channel: the client, and the RPCs that it has. */
#ifndef XDS_SCENARIO_CHANNEL_H
#define XDS_SCENARIO_CHANNEL_H

#include "explain/decision.h"
#include "scenario/scenario.h"

struct xds_channel_rpc;

/* Connections to be made, if they are held still. */
struct xds_channel_asked {
    struct xds_connection **list;
    size_t n, cap;
};

struct xds_channel {
    struct xds_policy top; /* first; hears of each new picker of the cluster manager */
    struct xds_play *play;
    struct xds_tree_shared shared;
    struct xds_explainer *explainer; /* of the resources of now; NULL: there are none */
    struct xds_cluster_map map;
    struct xds_cluster_manager manager;
    size_t n_configs;                    /* that it was given */
    struct xds_strmap roots;             /* struct xds_tree_root by key */
    const struct xds_virtual_host *host; /* accepted; NULL: RPCs fail */
    struct xds_strmap cookies;           /* "NAME=VALUE" of set-cookie, by step */
    struct xds_channel_asked asked;
    struct xds_timer connect; /* due at once when a timer has fired for them */
    struct xds_live live;

    struct xds_strmap rpcs;           /* struct xds_channel_rpc by id */
    struct xds_channel_rpc **waiting; /* in the order in which they began to wait */
    size_t n_waiting, cap_waiting;
    struct xds_timer pick; /* due at once when there is a new picker for them */
    bool picking;          /* an RPC is in work, whose decision must last */
    bool pick_later;       /* a new picker came meanwhile */
};

/* Connect what was asked for, and let everything happen that is due now. */
void xds_channel_settle(struct xds_channel *self);

/* ---- channel_rpc.c ---- */

void xds_channel_rpcs_init(struct xds_channel *self);
/* The ids of the RPCs that wait for a pick. */
struct xds_tree xds_channel_waiting(const struct xds_channel *self,
                                    struct xds_arena *arena);

/* Events. */
void xds_channel_rpc(void *channel, const struct xds_tree *event);
void xds_channel_rpc_start(void *channel, const struct xds_tree *event);
void xds_channel_rpc_end(void *channel, const struct xds_tree *event);
void xds_channel_attempt_fails(void *channel, const struct xds_tree *event);

#endif
