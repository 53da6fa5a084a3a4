/* lb.h - from a cluster and its endpoints to the shares of hosts. */
#ifndef XDS_LB_LB_H
#define XDS_LB_LB_H

#include "base/arena.h"
#include "base/slice.h"
#include "base/strmap.h"
#include "base/number.h"
#include "model/child_numbers.h"
#include "model/cluster.h"
#include "model/endpoint.h"
#include "model/snapshot.h"
#include "route/route.h"
#include "session/session.h"

/* ---- exact fractions, so that the shares of hosts sum to 1 and not to nearly 1 ---- */

/* The arcs of a ring are integers over 2^64, which 64 bits cannot hold. */

/* num/den in lowest terms. den 0: the fraction does not fit, value alone counts. */
struct xds_share {
    xds_u128 num, den;
    double value;
};

#define XDS_SHARE_NONE ((struct xds_share){0, 1, 0})
#define XDS_SHARE_ALL ((struct xds_share){1, 1, 1})

/* den > 0. */
struct xds_share xds_share_of(xds_u128 num, xds_u128 den);
/* Of a double there is no fraction. */
struct xds_share xds_share_about(double value);
bool xds_share_is_exact(struct xds_share share);
bool xds_share_is_all(struct xds_share share);
struct xds_share xds_share_times(struct xds_share a, struct xds_share b);
struct xds_share xds_share_plus(struct xds_share a, struct xds_share b);
/* part / whole, for a part that is no larger; whole > 0. */
struct xds_share xds_share_within(struct xds_share part, struct xds_share whole);
/* 1 - share. */
struct xds_share xds_share_rest(struct xds_share share);

/* ---- the connection states that a static answer assumes ---- */

/* What one RPC may leave for the next: the same snapshot, client and options. Nothing in
 * it depends on the RPC, so it grows with the snapshot alone. */
struct xds_lb_memory {
    struct xds_arena arena;
    struct xds_strmap picks;        /* struct xds_pick by what they depend on */
    struct xds_strmap failovers[2]; /* struct xds_failover by cluster; for sessions */
    struct xds_strmap endpoints;    /* struct xds_endpoints of the client by model */
    struct xds_strmap balances;     /* struct xds_balance by cluster */
    struct xds_strmap maps;         /* addresses of an endpoints resource, by model */
    struct xds_strmap rings;        /* struct xds_host_ring by what it is made of */
    struct xds_strmap addresses;    /* of the snapshot; filled when it is first asked */
};

/* The virtual host that was last asked for endpoints that one client awaits, and these:
 * a name of the model, or absent. */
struct xds_awaited {
    const struct xds_snapshot *snapshot;
    const void *host;
    struct xds_slice endpoints;
};

void xds_lb_memory_init(struct xds_lb_memory *memory);
void xds_lb_memory_release(struct xds_lb_memory *memory);

struct xds_tree_root;
struct xds_decision;

/* A client whose policies run over time, in place of assumptions. */
struct xds_live {
    void *user;
    /* The policies of a cluster; NULL: the client has none. */
    struct xds_tree_root *(*root)(void *user, struct xds_slice cluster);
    /* An RPC that was routed before, which stays with its virtual host; or NULL. */
    const struct xds_decision *routed;
};

/* What all of lb/ works with for one RPC. */
struct xds_lb {
    const struct xds_rpc *rpc;
    const struct xds_snapshot *snapshot;
    struct xds_strmap states;     /* enum xds_connectivity by address */
    struct xds_lb_memory *memory; /* NULL: nothing is kept */
    struct xds_awaited *awaited;  /* the same */
    const struct xds_live *live;  /* NULL: a static answer */
};

void xds_lb_init(struct xds_lb *lb, const struct xds_rpc *rpc,
                 const struct xds_snapshot *snapshot);
/* lb with the memory's arena, for what outlives the RPC: no random number can be drawn.
 * Without memory it is lb itself. */
struct xds_lb_kept {
    struct xds_rpc rpc;
    struct xds_random none;
    struct xds_lb lb;
};
const struct xds_lb *xds_lb_for_memory(const struct xds_lb *lb, struct xds_lb_kept *out);

/* False when the request says nothing about the address. */
bool xds_lb_assumes(const struct xds_lb *lb, struct xds_slice address,
                    enum xds_connectivity *state);
/* The address of an endpoint in use that is connected or comes first to be, and its
 * state: what is not assumed is READY on the first address that has not failed. */
size_t xds_lb_connection(const struct xds_lb *lb, const struct xds_endpoint *endpoint,
                         enum xds_connectivity *state);
/* The number of assumed addresses that no endpoint of the snapshot has; *first is one of
 * them. */
size_t xds_lb_strangers(const struct xds_lb *lb, struct xds_slice *first);

/* A61: connection attempts take turns between the address families, beginning with that
 * of the first. Fills order with the indexes of addresses. False: they stay as they are.
 */
bool xds_interleave(const struct xds_slice *addresses, size_t n, size_t *order);
/* Are the addresses of one endpoint tried in turns (A61)? */
bool xds_lb_interleaves(const struct xds_lb *lb);
/* The addresses of an endpoint, `first` in front, the others in order, comma between. */
struct xds_slice xds_address_list(struct xds_arena *arena,
                                  const struct xds_endpoint *endpoint, size_t first);

/* ---- the leaf clusters after a cluster name ---- */

struct xds_leaf {
    struct xds_slice name;
    const struct xds_cluster *cluster; /* NULL: the leaf always fails */
    const struct xds_lb_policy *policy;
    struct xds_failed missing; /* why cluster is NULL */
};

struct xds_leaves {
    const struct xds_cluster *root; /* NULL: see error */
    const struct xds_leaf *list;
    size_t n;
    const struct xds_failed *skipped; /* why a child that is missing counts for nothing */
    size_t n_skipped;
    const struct xds_rule *killed_by; /* of a cluster or its endpoints, the client dies */
    struct xds_failed error;          /* absent: all is well */
};

/* The leaves of a cluster in order, each once; one for a cluster that is no aggregate. */
struct xds_leaves xds_aggregate_leaves(const struct xds_lb *lb, struct xds_slice name);
/* What the client says of a cluster that it does not get; otherwise: where that is not
 * known, or the cluster is there and rejected. */
struct xds_failed xds_cluster_failure(const struct xds_lb *lb, struct xds_slice cluster,
                                      struct xds_failed otherwise);
/* Does the client put the priorities of all leaves into one list? */
bool xds_flattens_aggregates(const struct xds_options *options, enum xds_client client);
/* How the client calls the priority of a cluster that has this number. mechanism: the
 * place of the cluster among the leaves of its root. */
struct xds_slice xds_child_name(struct xds_arena *arena,
                                const struct xds_options *options, enum xds_client client,
                                const struct xds_cluster *cluster, size_t mechanism,
                                uint64_t number);

/* ---- the endpoints that a leaf cluster balances over ---- */

/* One endpoint, and the address of it that is or will be connected. */
struct xds_host {
    const struct xds_endpoint *endpoint;
    const struct xds_locality *locality;
    size_t address; /* index in the endpoint's addresses */
    enum xds_connectivity state;
    double probability;     /* XDS_NOT_COMPUTABLE where nothing can be said */
    struct xds_share share; /* the same exactly, where it is a fraction */
};

#define XDS_NOT_COMPUTABLE (-1.0)

struct xds_candidates {
    uint32_t priority;
    struct xds_host *hosts; /* by locality, then list order */
    size_t n;
};

/* A run of candidates: those of one locality, or all. */
struct xds_host_group {
    struct xds_host *hosts;
    size_t n;
};

void xds_host_give(struct xds_host *host, struct xds_share share);
struct xds_slice xds_host_address_of(const struct xds_host *host);
/* The candidates of one locality, beginning at `from`. */
struct xds_host_group xds_locality_at(const struct xds_candidates *c, size_t from);

/* The endpoints of a leaf as the client reads them: of its EDS resource, or the one of
 * LOGICAL_DNS. NULL when there are none, *why is then a sentence. */
const struct xds_endpoints *xds_leaf_endpoints(const struct xds_lb *lb,
                                               const struct xds_leaf *leaf,
                                               struct xds_slice *why);
/* UNKNOWN or HEALTHY. */
bool xds_endpoint_usable(const struct xds_endpoint *endpoint);

/* The usable endpoints of one priority. */
struct xds_candidates xds_candidates_of(const struct xds_lb *lb,
                                        const struct xds_locality_list *localities,
                                        uint32_t priority);
/* "region", "zone" and "sub_zone" as C-core names a locality in its configs. */
struct xds_slice xds_locality_name(struct xds_arena *arena,
                                   const struct xds_locality *locality);

/* ---- what cluster_impl refuses: EDS drop categories and the circuit breaker ---- */

struct xds_drop_result {
    enum xds_chance dropped;
    double probability;           /* of any category, before anything is drawn */
    struct xds_share share;       /* the same exactly */
    const struct xds_drop *cause; /* the category that certainly drops, or NULL */
    double before;                /* with a cause: what open categories before it drop */
};

/* Draws one number per category, in list order, until one drops. */
struct xds_drop_result xds_drops_test(const struct xds_rpc *rpc,
                                      const struct xds_endpoints *endpoints);

/* Does one category drop every RPC, and does the client therefore take the leaf for ready
 * whatever its endpoints do? */
bool xds_drops_make_ready(const struct xds_rpc *rpc,
                          const struct xds_endpoints *endpoints);

struct xds_refusal {
    struct xds_drop_result drops;
    struct xds_failed error; /* present: the RPC ends here with this */
};

/* Categories and breaker in the client's order and words. works: false when every
 * priority fails, or none is ready yet. */
struct xds_refusal xds_refuse(const struct xds_rpc *rpc,
                              const struct xds_cluster *cluster,
                              const struct xds_endpoints *endpoints, bool works);

/* ---- the weight that an endpoint has over all localities ---- */

/* One weight per host of the group, which is made of whole localities of the candidates:
 * ring_hash and a weighted shuffle of pick_first go by it. */
const uint64_t *xds_endpoint_weights(const struct xds_lb *lb,
                                     const struct xds_candidates *candidates,
                                     struct xds_host_group group);

/* ---- the order in which C-core keeps endpoints: by their sets of addresses ---- */

/* Bytes that compare as the sets of addresses do: the smallest address first, each by
 * family (IPv4, IPv6, others), port and number; of equals the shorter set is less. */
struct xds_slice xds_address_set_order(struct xds_arena *arena,
                                       const struct xds_endpoint *endpoint);

/* ---- endpoints in a hash map whose keys are their lists of addresses ---- */

/* The address as the client prints it: "/10.0.0.1:80", "/[2001:db8:0:0:0:0:0:1]:80". */
struct xds_slice xds_socket_text(struct xds_arena *arena, struct xds_slice address);
/* Which of n different endpoints comes when a map of them is walked, by its index. */
const size_t *xds_address_map_order(struct xds_arena *arena,
                                    const struct xds_endpoint *const *endpoints,
                                    size_t n);

/* ---- the ring of ring_hash: who sits where, and who a hash leads to ---- */

struct xds_ring_member {
    struct xds_slice key;
    uint64_t weight; /* > 0 */
    size_t host;     /* what it stands for: the user's own number */
};

struct xds_ring_entry {
    uint64_t hash;
    size_t member;
};

struct xds_ring {
    const struct xds_ring_entry *entries; /* in order of the hash */
    size_t n;
    uint64_t min, max; /* size, as the cap leaves them */
    bool rounds;    /* a member's part is no whole number: the order of members matters */
    bool is_signed; /* java compares signed, and does not wrap to the first entry */
};

/* cap: of the client; min and max are those of the config. */
struct xds_ring xds_ring_build(struct xds_arena *arena,
                               const struct xds_ring_member *members, size_t n,
                               uint64_t min, uint64_t max, uint64_t cap, bool is_signed);
/* Index of the first entry at or after the hash, which may have more bits than an entry.
 * The ring is not empty. */
size_t xds_ring_find(const struct xds_ring *ring, xds_u128 hash);
/* How many of the 2^64 hashes lead to entry i. */
xds_u128 xds_ring_arc(const struct xds_ring *ring, size_t i);
/* A number of hashes as a share of all. */
struct xds_share xds_ring_share(xds_u128 hashes);

/* ---- the ring over a group of endpoints, as the client builds it ---- */

struct xds_ring_seat {
    size_t entries;         /* on the ring */
    struct xds_share share; /* of all hashes */
};

struct xds_host_ring {
    struct xds_ring ring;
    const struct xds_ring_member *members; /* in the order in which entries are made */
    const struct xds_ring_seat *seats;     /* of each member */
    size_t n_members;
};

/* group is not empty. Kept in the memory: it does not depend on states. */
const struct xds_host_ring *xds_host_ring_of(const struct xds_lb *lb,
                                             const struct xds_lb_policy *policy,
                                             const struct xds_candidates *candidates,
                                             struct xds_host_group group);

/* ---- who a request hash, known or random, leads to on a ring ---- */

struct xds_request_key {
    bool has_hash;   /* false: the hash is random, for each RPC ... */
    bool of_channel; /* ... or, with this, for each channel */
    xds_u128 hash;
    bool own_header; /* gRFC A76: a header that the policy names decides ... */
    bool any_ready;  /* ... and is absent: any connected endpoint will do */
};

/* The key for this policy: that of the route, unless it names a header of its own. */
struct xds_request_key xds_ring_key(const struct xds_lb *lb,
                                    const struct xds_lb_policy *policy,
                                    struct xds_request_key of_route);

/* An endpoint that the walk over the ring has met. */
struct xds_ring_step {
    size_t index; /* of the ring's entry */
    const struct xds_host *host;
    bool taken; /* connected, or waited for */
};

/* The ring as one RPC uses it. */
struct xds_ring_use {
    const struct xds_host_ring *ring;
    struct xds_host_group group;         /* what the members stand for */
    const struct xds_locality *locality; /* NULL: the whole priority */
    struct xds_request_key key;
    size_t index;               /* found; when the hash is known */
    struct xds_ring_step *walk; /* from there on, each endpoint once */
    size_t n_walk;
    bool older_fails; /* before gRFC A61 the RPC would have failed */
};

enum xds_host_why {
    XDS_HOST_OPEN, /* nothing was drawn */
    XDS_HOST_OVERRIDE,
    XDS_HOST_POLICY, /* it chooses one of several */
    XDS_HOST_ONLY,
    XDS_HOST_RANDOM,
};

/* ---- which leaf and which of its priorities an RPC uses, and why not another ---- */

/* A priority that was looked at. */
struct xds_priority_try {
    struct xds_slice leaf;
    uint32_t priority;
    enum xds_connectivity state; /* what the LB policy below it reports */
    bool chosen;
    struct xds_slice reason; /* a sentence */
};

/* The policy of a leaf as the client has it below its priorities. */
const struct xds_lb_policy *xds_leaf_policy(const struct xds_lb *lb,
                                            const struct xds_leaf *leaf);
/* ---- rings that cannot be used ---- */

/* java's ring_hash takes no two endpoints with the same addresses. */
bool xds_ring_is_refused(const struct xds_lb *lb, const struct xds_lb_policy *policy,
                         struct xds_host_group group);
/* As the client reads them. */
struct xds_ring_sizes {
    uint64_t min, max;
};
struct xds_ring_sizes xds_ring_sizes_of(const struct xds_lb *lb,
                                        const struct xds_lb_policy *policy);
/* Why no RPC gets an endpoint from a ring, whatever its endpoints. */
struct xds_ring_fault {
    struct xds_slice text; /* absent: it can be used */
    bool waits;            /* RPCs end with their deadline only */
    bool holds;            /* the policy passes for one that works */
};
struct xds_ring_fault xds_ring_fault_of(const struct xds_lb *lb,
                                        const struct xds_lb_policy *policy);
/* The addresses of an endpoint as text that is the same for the same set. */
struct xds_slice xds_address_set_text(struct xds_arena *arena,
                                      const struct xds_endpoint *endpoint);

/* ---- one RPC through the LB policies of its cluster ---- */

enum { XDS_PICK_NOTES = 3 };

struct xds_pick {
    struct xds_failed error;               /* present: the RPC fails with this */
    struct xds_slice code;                 /* with which; absent: UNAVAILABLE */
    bool refused;                          /* by a drop category or the circuit breaker */
    const struct xds_leaf *leaf;           /* NULL: there is none */
    const struct xds_lb_policy *policy;    /* of the leaf */
    const struct xds_endpoints *endpoints; /* of the leaf; NULL: it has none */
    const struct xds_priority_try *tries;  /* of all leaves, until one could be used */
    size_t n_tries;
    struct xds_drop_result drops;
    bool has_priority;
    uint32_t priority;
    const struct xds_host *hosts; /* those with a probability, or not computable */
    size_t n_hosts;
    const struct xds_host *host; /* certain, or NULL */
    enum xds_host_why why;
    size_t drawn; /* random numbers, before that of a host */
    bool waits;   /* the RPC waits for a connection to host, or to one of hosts */
    struct xds_request_key key; /* that the ring was asked with */
    const struct xds_ring_use *rings;
    size_t n_rings;
    bool affinity_tried;
    enum xds_session_code affinity; /* when tried */
    struct xds_slice affinity_reason;
    bool affinity_out_of_reach; /* A55: another priority has the host */
    bool kills;    /* the client dies as it connects to the cookie's host ... */
    bool may_kill; /* ... or if it has no connection to it yet */
    struct xds_slice notes[XDS_PICK_NOTES];
    size_t n_notes;
};

/* session: NULL, or the filter's state when it acts. */
struct xds_pick xds_pick_host(const struct xds_lb *lb, struct xds_slice cluster,
                              struct xds_request_key key,
                              const struct xds_session *session);

#endif
