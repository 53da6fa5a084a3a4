/*
 * tree.h - the LB policies of a cluster, as the resources of a client ask for them.
 *
 *     cluster manager
 *       cds of a key               struct xds_tree_root
 *         [priority over leaves]     of an aggregate
 *           leaf cluster           struct xds_tree_cluster
 *             [override host]        of a client that has it (gRFC A75)
 *               priority
 *                 one priority     struct xds_tree_priority
 *                   [override host]  gRFC A55
 *                   [weighted_target over localities]
 *                     endpoints    struct xds_tree_leaf
 *
 * Each of them stands for whatever is below it: it passes on what that reports, so that
 * what is below can be changed by an update.
 */
#ifndef XDS_LB_TREE_H
#define XDS_LB_TREE_H

#include "lb/policy.h"

/* ---- standing for another policy ---- */

struct xds_stand_in {
    struct xds_policy policy; /* first */
    struct xds_policy *inner; /* NULL: it says by itself what is wrong */
    bool held_ready;          /* whatever inner reports */
    bool paused, pending;     /* reports wait; and there is one */
    struct xds_slice path;    /* where it is, for a reader: "cluster:a/p0" */
};

void xds_stand_in_init(struct xds_stand_in *self, struct xds_policy *parent,
                       struct xds_slice name);
/* Put another policy below, after the old one was destroyed; NULL: none. */
void xds_stand_in_for(struct xds_stand_in *self, struct xds_policy *inner);
/* Report nothing until it continues, then once what inner has reported last. */
void xds_stand_in_pause(struct xds_stand_in *self);
void xds_stand_in_continue(struct xds_stand_in *self);
/* Report READY from now on, or again what the inner policy does. */
void xds_stand_in_hold_ready(struct xds_stand_in *self, bool hold);
/* Report TRANSIENT_FAILURE by itself. */
void xds_stand_in_fail(struct xds_stand_in *self, struct xds_slice status);
/* Report that no RPC gets through a ring, by itself. */
void xds_stand_in_fault(struct xds_stand_in *self, const struct xds_ring_fault *fault);

/* ---- what all of them share ---- */

struct xds_tree_shared {
    struct xds_machine *machine;
    const struct xds_snapshot *snapshot;
    const struct xds_lb *at_rest; /* what is assumed; NULL: a client that runs */
    struct xds_subchannel_pool pool;
};

/* lb for looking into the snapshot: nothing can be drawn. */
struct xds_tree_view {
    struct xds_random none;
    struct xds_request request;
    struct xds_rpc rpc;
    struct xds_lb lb;
};
void xds_tree_view_init(struct xds_tree_view *view, const struct xds_tree_shared *shared);

/* ---- endpoints ---- */

struct xds_tree_leaf {
    struct xds_stand_in stand_in;            /* first */
    const struct xds_leaf_machine *machine;  /* of inner */
    struct xds_policy *policy[XDS_LB_KINDS]; /* memory for it, once it is needed */
};

/* ---- one priority ---- */

struct xds_tree_cluster;

struct xds_tree_locality {
    struct xds_tree_leaf leaf;   /* first */
    struct xds_host_group group; /* of the accepted update */
};

struct xds_tree_priority {
    struct xds_stand_in stand_in; /* first */
    struct xds_tree_cluster *cluster;
    struct xds_slice name;
    size_t index; /* among the priorities of the accepted update */
    struct xds_candidates candidates;
    struct xds_override_host *override; /* gRFC A55; or NULL */
    struct xds_stand_in below;          /* what the override host policy is above */
    bool by_locality;                   /* what `below` stands for is targets */
    struct xds_weighted_target targets;
    struct xds_strmap localities; /* struct xds_tree_locality by name */
    struct xds_tree_leaf leaf;    /* of a policy without locality layer */
};

/* Of a cluster that is still to be set. */
struct xds_tree_priority *xds_tree_priority_new(struct xds_arena *arena,
                                                struct xds_slice name);
void xds_tree_priority_begin(struct xds_tree_priority *self, struct xds_policy *parent);
void xds_tree_priority_update(struct xds_tree_priority *self);

/* ---- a leaf cluster ---- */

struct xds_tree_held {
    size_t by_children;         /* subchannels to the address */
    struct xds_subchannel *own; /* of the override host policy; or NULL */
};

struct xds_tree_cluster {
    struct xds_stand_in stand_in; /* first */
    struct xds_tree_shared *shared;
    struct xds_slice name;
    size_t mechanism; /* its place among the leaves of its root */
    struct xds_leaf leaf;
    struct xds_slice why; /* it has no endpoints */
    const void *raw_endpoints;
    const struct xds_endpoints *endpoints;
    struct xds_locality_list localities;  /* of the endpoints */
    bool drops_make_ready;                /* xds_drops_make_ready() of the endpoints */
    struct xds_child_numbers all_numbers; /* with those of priorities that are dropped */
    struct xds_child_numbers numbers;     /* of those that have a child */
    struct xds_slice *names;              /* of the priorities of the accepted update */
    struct xds_strmap by_name;            /* the same, each its entry of names */
    struct xds_strmap children;           /* struct xds_tree_priority by name */
    struct xds_override_host *override;   /* NULL: none above the priority policy */
    struct xds_policy *priority;          /* NULL: the root's, or not yet made */
    bool known;                           /* the leaf was looked up */
    bool is_empty;                        /* no priority has a child */
    bool begun;                           /* the policies exist */
    struct xds_strmap held;               /* struct xds_tree_held by address */
    struct xds_subchannel_maker maker;
};

/* Where the client has xds_override_host_experimental. */
enum xds_tree_affinity {
    XDS_AFFINITY_NOWHERE,
    XDS_AFFINITY_IN_PRIORITY,    /* gRFC A55 */
    XDS_AFFINITY_ABOVE_PRIORITY, /* gRFC A75 */
};
enum xds_tree_affinity xds_tree_affinity(const struct xds_machine *machine);

/* What leaf policies make their connections with. */
struct xds_subchannel_maker xds_tree_connections(struct xds_tree_cluster *self);
/* An override host policy below the stand-in, whose own connections are the cluster's; it
 * is for the caller to put it there. */
struct xds_override_host *xds_tree_override_new(struct xds_tree_cluster *self,
                                                struct xds_stand_in *stand_in,
                                                struct xds_slice child_name,
                                                const struct xds_child_maker *maker);
/* The override host policy that knows the address, or NULL. */
struct xds_override_host *xds_tree_cluster_override(struct xds_tree_cluster *self,
                                                    struct xds_slice address);
/* It gets all endpoints of the leaf, or (priority not NULL) of one of its priorities. */
void xds_tree_override_update(const struct xds_tree_cluster *self,
                              struct xds_override_host *host, const uint32_t *priority);

struct xds_tree_cluster *xds_tree_cluster_new(struct xds_tree_shared *shared,
                                              struct xds_slice name);
/* The leaf as the snapshot has it now. True: something has changed, and is to be pushed.
 */
bool xds_tree_cluster_update(struct xds_tree_cluster *self, const struct xds_leaf *leaf,
                             size_t mechanism);
/* Its policies, with their own priority policy. */
struct xds_policy *xds_tree_cluster_begin(struct xds_tree_cluster *self,
                                          struct xds_policy *parent,
                                          struct xds_slice path);
/* Tell its policies, if it exists, what the last update found. */
void xds_tree_cluster_push(struct xds_tree_cluster *self);
void xds_tree_cluster_end(struct xds_tree_cluster *self);
/* Is it one of the priorities of the accepted update? Its index. */
bool xds_tree_cluster_index(const struct xds_tree_cluster *self, struct xds_slice name,
                            size_t *index);

/* ---- a key of the cluster manager ---- */

struct xds_tree_root {
    struct xds_stand_in stand_in; /* first */
    struct xds_tree_shared *shared;
    struct xds_slice cluster;   /* absent: a key of another kind */
    struct xds_strmap clusters; /* struct xds_tree_cluster by name */
    struct xds_tree_cluster **leaves;
    size_t n_leaves;
    bool is_aggregate;
    bool is_lost;
    bool is_flat;                /* one list of the priorities of all leaves, as go has */
    struct xds_policy *priority; /* of an aggregate */
    struct xds_strmap flat;      /* struct xds_tree_priority by name; each may go from
                                    one leaf to another, as names go by the leaf's place */
};

struct xds_tree_root *xds_tree_root_new(struct xds_tree_shared *shared,
                                        struct xds_slice key);
void xds_tree_root_begin(struct xds_tree_root *self, struct xds_policy *parent);
/* The resources have changed, or may have. */
void xds_tree_root_update(struct xds_tree_root *self);
/* Tell a state to the override host policies, before others are notified: they are
 * between the connections and those. */
void xds_tree_root_state(struct xds_tree_root *self, struct xds_slice address,
                         enum xds_connectivity state);
/* Its cluster is no longer among the resources; it fails until it is updated again. */
void xds_tree_root_lose(struct xds_tree_root *self);
void xds_tree_root_end(struct xds_tree_root *self);

/* ---- at rest ---- */

/* The policies of one cluster when all that was begun is over: an address is in the state
 * that the RPC assumes, or connects when it is asked to. No timer has fired. All memory
 * is of the RPC's arena. */
struct xds_tree_root *xds_tree_rest(const struct xds_lb *lb, struct xds_slice cluster,
                                    bool sessions);

/* ---- which leaf and which of its priorities an RPC uses ---- */

struct xds_failover {
    struct xds_failed error;               /* present: the cluster has no leaf */
    struct xds_tree_root *root;            /* its policies */
    const struct xds_tree_cluster *leaf;   /* in use, or the last one */
    const struct xds_lb_policy *policy;    /* of the leaf */
    const struct xds_endpoints *endpoints; /* of the leaf; NULL: see why */
    struct xds_failed why;
    struct xds_slice code; /* of the RPCs then; absent: UNAVAILABLE */
    bool works;            /* false: every priority fails */
    bool ready;            /* it works, and is not just on its way to */
    bool holds;            /* it fails, but passes for ready: no leaf after it is tried */
    const struct xds_tree_priority *used; /* in use, or the last one; or NULL */
    struct xds_candidates candidates;     /* of that priority */
    const struct xds_priority_try *tries;
    size_t n_tries;
};

/* Depends on the cluster, the snapshot and the assumptions, on nothing else of the RPC
 * but that it may be of a session. */
const struct xds_failover *xds_failover_of(const struct xds_lb *lb,
                                           struct xds_slice cluster, bool sessions);
/* The status of an RPC when no endpoint can be used: of a failover that has a leaf and
 * does not work. */
struct xds_failed xds_failing_text(const struct xds_lb *lb,
                                   const struct xds_failover *failover);

/* ---- the host that a session cookie leads to ---- */

/* Fills what the pick says of affinity. True: it is decided, by the host of the cookie.
 */
bool xds_override_host_pick(const struct xds_lb *lb, const struct xds_failover *failover,
                            const struct xds_cookie *cookie, struct xds_pick *out);

#endif
