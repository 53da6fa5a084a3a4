/*
 * policy.h - LB policies as machines: what all have in common, and each one.
 */
#ifndef XDS_LB_POLICY_H
#define XDS_LB_POLICY_H

#include "base/clock.h"
#include "base/random.h"
#include "base/strmap.h"
#include "base/number.h"
#include "clients/environment.h"
#include "lb/lb.h"
#include "model/cluster.h"
#include "model/endpoint.h"
#include "session/session.h"

/* ---- an LB policy as a machine: what it receives, what it reports to its parent ---- */

/* A machine lives on a virtual clock. Events come from above (a new config, leave IDLE),
 * from below (a child has reported) and from its own timers; each is worked off at once
 * and completely. What a policy has reported last is its picker: a pick walks down from
 * the root and asks each policy what it has published, so no picker is ever copied.
 *
 * All memory is that of the machine. A child that is destroyed leaves its place in the
 * parent's table, and a child of the same name that comes later takes it again: memory
 * grows with the names that were ever seen, not with the events. */

/* ---- what all policies of one client share ---- */

/* Told of everything that happens; both may be NULL. */
struct xds_machine_log {
    void *user;
    /* One sentence; who is the name of a policy or a child of it. Both are borrowed. */
    void (*line)(void *user, struct xds_slice who, struct xds_slice what);
};

struct xds_machine {
    struct xds_arena *arena;      /* of everything that lasts */
    struct xds_arena *step_arena; /* forgotten after each step; may be the same */
    struct xds_clock clock;
    const struct xds_options *options;
    enum xds_client client;
    struct xds_machine_log log;
    bool at_rest;  /* connections are in the state that is assumed of them, see rest.c */
    bool sessions; /* at rest: RPCs of sessions are asked about */
};

/* Timers due at the same instant fire in this order, and of one rank by name; with some
 * clients in the order in which they were set. */
enum xds_timer_rank {
    XDS_TIMER_FAILOVER,
    XDS_TIMER_DEACTIVATION,
    XDS_TIMER_SWEEP,
    XDS_TIMER_ATTEMPT,
    XDS_TIMER_CONNECT, /* after all that may ask for a connection */
    XDS_TIMER_PICK,    /* of RPCs that wait, after all that may publish a picker */
};

void xds_machine_init(struct xds_machine *machine, struct xds_arena *arena,
                      struct xds_arena *step_arena, const struct xds_options *options,
                      enum xds_client client);
void xds_machine_say(const struct xds_machine *machine, struct xds_slice who,
                     const char *format, ...) XDS_PRINTF(3, 4);

/* What a policy whose struct has it as member `policy` says of itself. */
#define XDS_SAY(self, ...)                                                               \
    xds_machine_say((self)->policy.machine, (self)->policy.name, __VA_ARGS__)

/* ---- one policy ---- */

/* What a policy tells its parent. A new one is CONNECTING without a picker. */
struct xds_lb_report {
    enum xds_connectivity state;
    bool has_picker;         /* false: RPCs queue */
    bool only_sessions;      /* it has one, and RPCs of no session queue even so */
    struct xds_slice picker; /* tells one picker from another; for a reader, no more */
    struct xds_slice status; /* TRANSIENT_FAILURE: what RPCs fail with; or absent */
};

#define XDS_LB_REPORT_NEW ((struct xds_lb_report){.state = XDS_STATE_CONNECTING})

enum xds_pick_kind {
    XDS_PICK_COMPLETE, /* on the address */
    XDS_PICK_QUEUE,    /* until a policy publishes something new */
    XDS_PICK_FAIL,     /* UNAVAILABLE with the reason; a wait-for-ready RPC queues */
    XDS_PICK_DROP,     /* UNAVAILABLE whatever the RPC is */
    XDS_PICK_OPEN,     /* a random number decides that is not given */
};

struct xds_pick_result {
    enum xds_pick_kind kind;
    bool internal;            /* FAIL: the status is INTERNAL */
    struct xds_slice address; /* COMPLETE; QUEUE: who is waited for, or absent */
    struct xds_slice reason;  /* a sentence for a reader; FAIL and DROP: the message */
};

static inline struct xds_pick_result xds_pick_why(enum xds_pick_kind kind,
                                                  struct xds_slice reason)
{
    return (struct xds_pick_result){.kind = kind, .reason = reason};
}

/* What a pick may know of its RPC. All of it is borrowed. */
struct xds_pick_call {
    struct xds_random *random;
    bool has_override;                  /* the session filter acts on this RPC */
    const struct xds_slice *overridden; /* addresses of its cookie */
    size_t n_overridden;
    struct xds_slice *actual; /* has_override: receives the addresses of the endpoint
                                 used, comma between, that one first */
    bool has_hash;
    xds_u128 hash;
    bool any_ready; /* gRFC A76: its header is absent, any connected endpoint will do */
    struct xds_slice cluster_key; /* for the cluster manager */
};

/* An address that RPCs go to, or whose connection they wait for. */
struct xds_pick_share {
    struct xds_slice address;
    enum xds_connectivity state; /* of the connection; READY: it takes the RPCs */
    struct xds_share share;      /* of the RPCs that the picker was asked about */
    const struct xds_host *host; /* whose address it is, where the policy knows it */
};

/* A picker: what becomes of RPCs that differ in their random numbers only. */
struct xds_pick_shares {
    struct xds_arena *arena;
    struct xds_pick_share *list; /* what is missing to 1 fails, or waits */
    size_t n, cap;
    struct xds_ring_use *rings; /* that were asked */
    size_t n_rings, cap_rings;
};

/* For n of them. */
void xds_pick_shares_room(struct xds_pick_shares *shares, size_t n);
void xds_pick_shares_add(struct xds_pick_shares *shares, struct xds_slice address,
                         enum xds_connectivity state, struct xds_share share);
/* A copy of it, to be filled in until the next one. */
struct xds_ring_use *xds_pick_shares_ring(struct xds_pick_shares *shares,
                                          const struct xds_ring_use *use);

struct xds_policy;

struct xds_policy_ops {
    const char *name; /* "priority_experimental" */
    /* A child has reported: see child->report. NULL: the policy has no children. */
    void (*child_report)(struct xds_policy *self, struct xds_policy *child);
    /* A child asks for names to be resolved again; NULL: the request continues upwards.
     */
    void (*reresolution)(struct xds_policy *self, struct xds_policy *child);
    void (*exit_idle)(struct xds_policy *self); /* NULL: nothing happens */
    /* There is nothing new, but an error that status tells of; NULL: nothing happens. */
    void (*resolver_error)(struct xds_policy *self, struct xds_slice status);
    /* Only what has been published counts. */
    struct xds_pick_result (*pick)(struct xds_policy *self,
                                   const struct xds_pick_call *call);
    /* The picker of now, for `part` of the RPCs. Numbers of the call are drawn as pick
     * draws them, nothing else changes. */
    void (*shares)(struct xds_policy *self, const struct xds_pick_call *call,
                   struct xds_share part, struct xds_pick_shares *out);
    /* Cancel its timers, destroy its children. */
    void (*destroy)(struct xds_policy *self);
};

/* The head of every policy: first member of its struct. */
struct xds_policy {
    const struct xds_policy_ops *ops;
    struct xds_machine *machine;
    struct xds_policy *parent; /* NULL: the root */
    struct xds_slice name;     /* as the parent calls it; of the machine's arena */
    struct xds_lb_report report;
    uint64_t n_reports; /* how often it has reported */
};

/* One that has not reported. */
static inline struct xds_policy xds_policy_new(const struct xds_policy_ops *ops,
                                               struct xds_machine *machine,
                                               struct xds_policy *parent,
                                               struct xds_slice name)
{
    return (struct xds_policy){ops, machine, parent, name, XDS_LB_REPORT_NEW, 0};
}

/* Report, and say so in the log if the state is another one. */
void xds_policy_publish(struct xds_policy *self, struct xds_lb_report report);
/* Publish, and tell the parent. */
void xds_policy_report(struct xds_policy *self, struct xds_lb_report report);
/* Ask the parent, and through it the root. */
void xds_policy_reresolve(struct xds_policy *self);
/* Ask its picker; without one the RPC queues. */
struct xds_pick_result xds_policy_pick(struct xds_policy *self,
                                       const struct xds_pick_call *call);
/* Tell it to leave IDLE. */
void xds_policy_exit_idle(struct xds_policy *self);
/* Tell it of an error of the resolver. */
void xds_policy_resolver_error(struct xds_policy *self, struct xds_slice status);
/* Report TRANSIENT_FAILURE with that error. */
void xds_policy_fail(struct xds_policy *self, struct xds_slice status);
/* The same of a policy that is not READY: one that is continues with its endpoints. */
void xds_policy_fail_unless_ready(struct xds_policy *self, struct xds_slice status);
/* For a maker of children that keeps nothing of them. */
void xds_policy_destroy(void *user, struct xds_policy *policy);

/* ---- where children come from ---- */

/* How a parent gets its children. What a child's config is only the maker knows. */
struct xds_child_maker {
    void *user;
    /* A new child, with config and addresses. It may report at once. name is copied. */
    struct xds_policy *(*create)(void *user, struct xds_policy *parent,
                                 struct xds_slice name);
    /* Give an existing child the config and addresses of now. It may report at once. */
    void (*update)(void *user, struct xds_policy *child);
    void (*destroy)(void *user, struct xds_policy *child);
};

/* ---- connections as leaf policies hold them ---- */

/* A leaf holds one subchannel per address. It may ask for a connection, but what becomes
 * of that comes from outside, as an event: a change of state of which each holder is
 * notified of. All holders of one address share one connection, or each has its own, as
 * the client has it. */

struct xds_connection;

struct xds_subchannel {
    struct xds_slice address;          /* lasts as long as the maker */
    struct xds_connection *connection; /* of the maker's use */
    enum xds_connectivity state;
    void *owner;
    size_t tag;                               /* of the owner's use */
    void (*changed)(struct xds_subchannel *); /* the state is another one now */
    bool held;
    struct xds_subchannel *next; /* of the maker's use */
};

/* How a leaf gets its subchannels. */
struct xds_subchannel_maker {
    void *user;
    /* In the state of its connection, IDLE if that is new. The owner sets changed; it is
     * not called before this returns. */
    struct xds_subchannel *(*create)(void *user, struct xds_slice address, void *owner);
    /* The state does not change by this. */
    void (*connect)(void *user, struct xds_subchannel *subchannel);
    void (*release)(void *user, struct xds_subchannel *subchannel);
    /* At rest: the state that is assumed of connections to the address; false: none is.
     * NULL: a client that runs. */
    bool (*assumed)(void *user, struct xds_slice address, enum xds_connectivity *state);
};

/* ---- the connections of one client ---- */

struct xds_connection {
    struct xds_slice address;
    enum xds_connectivity state;
    bool asked;  /* to be made, and has not begun */
    bool rested; /* at rest: it was connected, and is IDLE since */
    size_t n_held;
    struct xds_subchannel *subchannels; /* the places of released ones are taken again */
    struct xds_connection *next;        /* to the same address, made later */
};

struct xds_subchannel_pool {
    struct xds_machine *machine;
    struct xds_subchannel_maker maker;
    struct xds_strmap connections; /* the first struct xds_connection by address */
    void *user;
    /* To connect; may be NULL. */
    void (*asked)(void *user, struct xds_connection *connection);
};

/* asked may be set afterwards. The pool must not move. */
void xds_subchannel_pool_init(struct xds_subchannel_pool *pool,
                              struct xds_machine *machine);
/* Of several connections to the address those change that can come into the state from
 * theirs. False: there is no subchannel of that address, and nothing happens. */
bool xds_subchannel_pool_set(struct xds_subchannel_pool *pool, struct xds_slice address,
                             enum xds_connectivity state);
/* One that is held now gets into another state. */
void xds_connection_set(struct xds_connection *connection, enum xds_connectivity state);
/* The one in the best state; NULL unless somebody holds one. */
const struct xds_connection *
xds_subchannel_pool_find(const struct xds_subchannel_pool *pool,
                         struct xds_slice address);

/* ---- a policy over endpoints, as the tree knows it ---- */

struct xds_leaf_update {
    const struct xds_lb *lb;
    const struct xds_lb_policy *policy;
    const struct xds_candidates *candidates;
    struct xds_host_group group;                 /* of them */
    const struct xds_endpoint *const *endpoints; /* of the group */
};

/* A file of lb/policy/ has one, and a row XDS_LB_MACHINE for it. */
struct xds_leaf_machine {
    const char *name; /* in paths */
    size_t size;      /* of its struct, which begins with struct xds_policy */
    /* Of memory that is zero, or of one that was destroyed. parent may be NULL; the name
     * must last. */
    void (*init)(struct xds_policy *policy, struct xds_machine *machine,
                 struct xds_policy *parent, struct xds_slice name,
                 const struct xds_subchannel_maker *maker);
    /* New endpoints, whose memory must last until the next update. */
    void (*update)(struct xds_policy *policy, const struct xds_leaf_update *update);
};

#define XDS_LB_MACHINE(machine) extern const struct xds_leaf_machine xds_leaf_##machine;
#include "model/lb_policies.def"

/* ---- pick_first: the first address that can be connected takes all RPCs ---- */

struct xds_pick_first_slot {
    struct xds_subchannel *subchannel; /* NULL: it is made when its turn comes */
    enum xds_connectivity state;       /* of it, before it changed */
    bool failed;                       /* since the attempt began */
    bool failed_once;                  /* and it was not READY since */
};

struct xds_pick_first_slots {
    struct xds_pick_first_slot *list;
    size_t n, n_failed, cap;
    size_t n_again; /* failures since all have failed */
};

/* What becomes of the attempt to connect. */
enum xds_attempt {
    XDS_ATTEMPT_NONE,
    XDS_ATTEMPT_FIRST_PASS, /* one address after the other */
    XDS_ATTEMPT_FAILED,     /* all have failed; each continues by itself */
};

struct xds_pick_first {
    struct xds_policy policy; /* first */
    const struct xds_subchannel_maker *maker;
    struct xds_slice *addresses; /* in the order in which they are tried */
    size_t n, cap;
    enum xds_attempt attempt;
    struct xds_pick_first_slots slots; /* one per address while an attempt is made */
    struct xds_pick_first_slots spare; /* empty, for the next attempt */
    struct xds_pick_first_open {       /* the order was not drawn: any may be first */
        const struct xds_endpoint *const *endpoints;
        const uint64_t *weights; /* NULL: they are equal */
        size_t n;                /* 0: it is as in the list */
    } open;
    size_t at;                       /* the address whose turn it is */
    struct xds_subchannel *selected; /* connected, or kept after that; or NULL */
    bool failing;          /* TRANSIENT_FAILURE was reported, and READY not since */
    struct xds_timer turn; /* set while the next address waits for its turn */
};

/* How the list is to be read. */
struct xds_pick_first_config {
    bool shuffle;              /* gRFC A62 */
    const uint64_t *weights;   /* of the endpoints, gRFC A113; NULL: they are equal */
    struct xds_random *random; /* one number per place; the rest stays in its order */
};

/* New endpoints. The text of the addresses must last until the next update. */
void xds_pick_first_update(struct xds_pick_first *self,
                           const struct xds_endpoint *const *endpoints, size_t n,
                           const struct xds_pick_first_config *config);

/* ---- one pick_first per endpoint, below a policy that balances ---- */

/* round_robin and ring_hash know endpoints, not addresses: which address of an endpoint
 * is connected is the affair of the child. Endpoints are distinguished by their sets of
 * addresses; of the same set the first counts, and in a new list it is the same endpoint.
 */

struct xds_endpoint_children;

struct xds_endpoint_child {
    struct xds_endpoint_policy {
        struct xds_pick_first policy; /* first */
        struct xds_endpoint_child *child;
    } * policy; /* NULL: it was never needed */
    struct xds_endpoint_children *all;
    const struct xds_endpoint *endpoint; /* of the accepted list */
    struct xds_slice name, order;        /* its addresses: to read, and to sort by */
    bool exists;                         /* the policy does; else the child is IDLE */
    enum xds_connectivity state;
    uint64_t round; /* the update that named it last */
    uint64_t met;   /* of use to who walks over the children */
};

struct xds_endpoint_child_list {
    struct xds_endpoint_child **list;
    size_t n, cap;
};

struct xds_endpoint_children {
    struct xds_policy *owner;
    const struct xds_subchannel_maker *maker;
    bool lazy; /* a child connects when it is asked to, not at once */
    struct xds_strmap by_name;
    struct xds_endpoint_child_list in_use, spare; /* in order of the endpoints */
    size_t count[XDS_STATE_READY + 1];            /* children in use, by state */
    uint64_t round;
};

void xds_endpoint_children_init(struct xds_endpoint_children *all,
                                struct xds_policy *owner,
                                const struct xds_subchannel_maker *maker, bool lazy);
/* New endpoints. Their memory must last until the next update. The owner's child_report
 * is called for what children say meanwhile. */
void xds_endpoint_children_update(struct xds_endpoint_children *all,
                                  const struct xds_endpoint *const *endpoints, size_t n);
/* Take what a child has reported: to be called by the owner's child_report. */
struct xds_endpoint_child *xds_endpoint_child_store(struct xds_policy *policy);
/* The child of an endpoint in use; NULL if there is none. */
struct xds_endpoint_child *
xds_endpoint_children_find(const struct xds_endpoint_children *all,
                           const struct xds_endpoint *endpoint);
/* Make an IDLE child connect. */
void xds_endpoint_child_connect(struct xds_endpoint_child *child);
struct xds_pick_result xds_endpoint_child_pick(struct xds_endpoint_child *child,
                                               const struct xds_pick_call *call);
/* An IDLE child that waits to be asked is the address that it would ask. */
void xds_endpoint_child_shares(struct xds_endpoint_child *child,
                               const struct xds_pick_call *call, struct xds_share part,
                               struct xds_pick_shares *out);
void xds_endpoint_children_destroy(struct xds_endpoint_children *all);

/* ---- the children of a policy that its config calls by name ---- */

/* A child that leaves the config is kept for a while: when it comes back in time it is
 * the same child with its state, and nothing has to connect anew. Weighted target and the
 * cluster manager work like this; how a child's state counts for that of the whole is the
 * same in both, too. */

struct xds_named_children;

struct xds_named_child {
    struct xds_slice name;
    struct xds_named_children *all;
    struct xds_policy *policy; /* NULL: does not exist, or is being created */
    bool exists;
    bool in_config;
    uint64_t weight; /* what the config says of it; of use to weighted target */
    enum xds_connectivity last;    /* what it has reported */
    enum xds_connectivity counted; /* what it counts as, see xds_named_child_store */
    struct xds_timer retention;    /* set while it is kept outside the config */
    uint64_t round;                /* the update that named it last */
};

struct xds_named_child_list {
    struct xds_named_child **list;
    size_t n, cap;
};

struct xds_named_children {
    struct xds_policy *owner;
    struct xds_child_maker maker;
    int64_t retention_ms; /* 0: destroyed at once */
    struct xds_strmap by_name;
    struct xds_named_child_list seen;      /* all that ever were, in that order */
    struct xds_named_child_list in_config; /* names in order of their bytes */
    uint64_t round;
    bool updating; /* reports are only stored */
    bool changed;  /* the last update has added or removed a child, or one has reported */
};

void xds_named_children_init(struct xds_named_children *all, struct xds_policy *owner,
                             const struct xds_child_maker *maker, int64_t retention_ms);

/* A child as the config names it. */
struct xds_named_config {
    struct xds_slice name;
    uint64_t weight;
};

/* The config names these, each to be created or updated; of a name that appears twice the
 * last one counts. Children it no longer names are kept or destroyed. */
void xds_named_children_update(struct xds_named_children *all,
                               const struct xds_named_config *config, size_t n);
/* Update all that the config names. */
void xds_named_children_update_again(struct xds_named_children *all);
/* The entry of a child that exists; NULL for any other. */
struct xds_named_child *xds_named_children_find(const struct xds_named_children *all,
                                                struct xds_slice name);
/* Take what the child has reported. One in TRANSIENT_FAILURE may continue counting as
 * that, depending on the client. */
void xds_named_child_store(struct xds_named_child *child, enum xds_connectivity state);
/* READY if one in the config is, else CONNECTING, else IDLE, else TRANSIENT_FAILURE. */
enum xds_connectivity xds_named_children_state(const struct xds_named_children *all);
/* All that exist leave IDLE. */
void xds_named_children_exit_idle(const struct xds_named_children *all);
void xds_named_children_destroy(struct xds_named_children *all);

/* ---- round_robin: RPCs go to all connected endpoints in turn ---- */

struct xds_round_robin {
    struct xds_policy policy; /* first */
    struct xds_endpoint_children children;
    bool updating;
};

/* ---- ring_hash_experimental: the hash of an RPC finds its endpoint ---- */

/* The ring over a list of endpoints, such as xds_host_ring_of gives. All of it must last
 * until the next update. */
struct xds_ring_over {
    const struct xds_ring *ring;           /* NULL: there are no endpoints */
    const struct xds_ring_member *members; /* host: index of an endpoint */
    size_t n_members;
    struct xds_ring_use use; /* the same for a reader; without a ring: no reader */
};

struct xds_ring_hash {
    struct xds_policy policy; /* first */
    struct xds_endpoint_children children;
    struct xds_ring_over over;
    struct xds_endpoint_child **member;   /* the child of each member */
    struct xds_endpoint_child **by_order; /* in the order in which the client asks them */
    size_t cap;
    uint64_t walk; /* number of the last pick */
    bool settling, again;
    bool updating;         /* a new list is applied */
    struct xds_timer push; /* due at once: one is asked when the update is over */
};

/* New endpoints, whose memory must last until the next update. */
void xds_ring_hash_update(struct xds_ring_hash *self,
                          const struct xds_endpoint *const *endpoints, size_t n,
                          const struct xds_ring_over *over);

/* ---- weighted_target_experimental: RPCs spread over children by weight ---- */

struct xds_weighted_target {
    struct xds_policy policy; /* first */
    struct xds_named_children children;
    /* The picker: the children that it chooses from, as they were when it was made. */
    struct xds_picker_target {
        struct xds_named_child *child;
        uint64_t weight;
    } * targets;
    size_t n_targets, cap_targets;
};

/* parent may be NULL; the name must last. A negative retention is the client's own. */
void xds_weighted_target_init(struct xds_weighted_target *self,
                              struct xds_machine *machine, struct xds_policy *parent,
                              struct xds_slice name, const struct xds_child_maker *maker,
                              int64_t retention_ms);
/* A new config: its targets with their weights. Publishes at most once. */
void xds_weighted_target_update(struct xds_weighted_target *self,
                                const struct xds_named_config *targets, size_t n);

/* The children that a pick chooses from, names in order of their bytes. */
struct xds_target_share {
    struct xds_slice name;
    struct xds_share share; /* of all picks */
};

struct xds_target_shares {
    struct xds_target_share *list;
    size_t n; /* 0: there is nothing to choose, RPCs queue or fail */
};

struct xds_target_shares
xds_weighted_target_shares(const struct xds_weighted_target *self,
                           struct xds_arena *arena);
/* The child that the pick goes to, with a number from random if there are several. NULL:
 * there is none, or the number that decides is not given. */
struct xds_named_child *xds_weighted_target_choose(const struct xds_weighted_target *self,
                                                   struct xds_random *random);

/* ---- priority_experimental: the first child that works takes all RPCs ---- */

/* Children are made when they are needed. A child that does not connect in time is
 * skipped; one that is not needed any more is kept for a while. The clients differ in
 * what a timer means and in what becomes of children that are not in use. */

#define XDS_PRIORITY_FAILOVER_MS 10000
#define XDS_PRIORITY_RETENTION_MS 900000

/* An address and the names of the children that it goes through, the outermost first. */
struct xds_path_address {
    struct xds_slice address;
    const struct xds_slice *path;
    size_t n_path;
};

struct xds_priority_entry {
    struct xds_slice name;
    bool ignores_reresolution; /* what the child asks for stays unheard */
};

struct xds_priority_config {
    const struct xds_priority_entry *children;
    size_t n_children;
    const struct xds_slice *priorities; /* names, the most wanted first */
    size_t n_priorities;
    const struct xds_path_address *addresses;
    size_t n_addresses;
};

struct xds_priority_timing {
    int64_t failover_ms;
    int64_t retention_ms; /* 0: a child that leaves the config is destroyed at once, as
                             gRFC A115 has it; others stay for the usual time */
};

#define XDS_PRIORITY_TIMING                                                              \
    ((struct xds_priority_timing){XDS_PRIORITY_FAILOVER_MS, XDS_PRIORITY_RETENTION_MS})

/* The name is copied, the maker is copied. Without a config it is CONNECTING. */
struct xds_policy *xds_priority_new(struct xds_machine *machine,
                                    struct xds_policy *parent, struct xds_slice name,
                                    struct xds_priority_timing timing,
                                    struct xds_child_maker maker);

/* Absent, or why the config is invalid: then the old one stays. What the maker gives its
 * children must be that of this config already. Names are copied; addresses and their
 * paths are borrowed for as long as the policy lives. */
struct xds_slice xds_priority_update(struct xds_policy *self,
                                     const struct xds_priority_config *config);

/* ---- looking at it ---- */

struct xds_priority_child {
    struct xds_slice name;
    struct xds_policy *policy;
    struct xds_lb_report report; /* what counts: after a timer not always its last one */
    bool in_use;
    bool fails_for_it; /* RPCs fail by the policy's picker in the place of its own */
    bool failover_pending;
    bool deactivated;
    int64_t failover_ms, deactivation_ms;     /* when these end */
    const struct xds_path_address *addresses; /* that it was given, with the rest of
                                                 their paths */
    size_t n_addresses;
};

/* All children ever named, in the order in which they first were. */
size_t xds_priority_size(const struct xds_policy *self);
/* False when child i does not exist now. */
bool xds_priority_at(const struct xds_policy *self, size_t i,
                     struct xds_priority_child *out);
/* The one whose picker is used, or that stands in for it; false: there is none. */
bool xds_priority_in_use(const struct xds_policy *self, struct xds_priority_child *out);
/* The child of that name. self may be NULL: it has none. */
bool xds_priority_find(const struct xds_policy *self, struct xds_slice name,
                       struct xds_priority_child *out);

/* ---- xds_cluster_manager_experimental: one child per cluster ---- */

struct xds_cluster_manager {
    struct xds_policy policy; /* first */
    struct xds_named_children children;
};

/* parent may be NULL; the name must last. A negative retention is the client's own. */
void xds_cluster_manager_init(struct xds_cluster_manager *self,
                              struct xds_machine *machine, struct xds_policy *parent,
                              struct xds_slice name, const struct xds_child_maker *maker,
                              int64_t retention_ms);
/* A new config: the keys of its clusters; weights are not read. Publishes once. */
void xds_cluster_manager_update(struct xds_cluster_manager *self,
                                const struct xds_named_config *clusters, size_t n);
/* The same config once more, for what has changed below its children. */
void xds_cluster_manager_update_again(struct xds_cluster_manager *self);

/* ---- which address of a session cookie serves, static or running ---- */

/* Which text a client follows. */
enum xds_override_generation {
    XDS_OVERRIDE_A55, /* one address and its endpoint's others; no connection is made */
    XDS_OVERRIDE_A75, /* all addresses of the cookie; connections are made on demand */
};

enum xds_override_generation xds_override_generation_of(const struct xds_options *options,
                                                        enum xds_client client);

/* Is a host of this health allowed by the status set, a mask of XDS_HEALTH_BIT? */
bool xds_override_admits(unsigned status, enum xds_health health);

/* Better first: gRFC A75's picker goes through the whole list once per kind. */
enum xds_override_rank {
    XDS_RANK_READY,
    XDS_RANK_IDLE,
    XDS_RANK_CONNECTING,
    XDS_RANK_NONE, /* no subchannel yet */
    XDS_RANK_UNUSABLE,
};

/* ---- xds_override_host_experimental as a machine: session affinity ---- */

/* The policy is between those that make connections and those that open them: its
 * child tells it of every subchannel that it creates or lets go, and what the policy
 * wants for sessions alone it asks of its own hooks. Per address there is one connection,
 * which changes hands but is never made twice. */

enum xds_subchannel_owner {
    XDS_SUBCHANNEL_NONE,
    XDS_SUBCHANNEL_CHILD, /* the policy only knows of it */
    XDS_SUBCHANNEL_OURS,  /* kept open for sessions */
};

#define XDS_NEVER_USED INT64_MIN

/* One address that an endpoint has, or once had. */
struct xds_override_entry {
    struct xds_slice address;
    bool in_map;
    bool passed;   /* the child has it */
    bool left_out; /* an endpoint of the update has it whose health keeps it out: */
    enum xds_health left_out_for;
    bool listed; /* in the last update; A55: maybe not, yet in the map */
    enum xds_health health;
    enum xds_subchannel_owner owner;
    enum xds_connectivity state; /* of the subchannel */
    int64_t last_used_ms;        /* by a session, or XDS_NEVER_USED */
    size_t first, n;             /* its endpoint's addresses in listed; A55: maybe 0 */
};

/* What the policy does to connections of its own; the address is borrowed. Each may
 * report a new state at once. */
struct xds_override_hooks {
    void *user;
    void (*create)(void *user, struct xds_slice address); /* it starts IDLE */
    void (*connect)(void *user, struct xds_slice address);
    void (*drop)(void *user, struct xds_slice address);
    void (*sweep_set)(void *user, int64_t delay_ms); /* the sweep timer; may be NULL */
};

struct xds_override_host {
    struct xds_policy policy; /* first */
    enum xds_override_generation generation;
    struct xds_child_maker maker;
    struct xds_override_hooks hooks;
    struct xds_slice child_name;
    struct xds_policy *child; /* NULL before the first update */
    unsigned status;          /* mask of XDS_HEALTH_BIT */
    int64_t idle_timeout_ms;
    struct xds_strmap entries;       /* struct xds_override_entry by address */
    struct xds_override_entry **all; /* the same, as they were first seen */
    size_t n_all, cap_all;
    struct xds_override_entry **listed; /* the last update, endpoint by endpoint */
    size_t n_listed, cap_listed;
    struct xds_timer sweep;
    int64_t
        calm_ms; /* sweeps that find nothing come this often; 0: one may find something */
};

struct xds_override_host_setup {
    enum xds_override_generation generation;
    struct xds_slice name, child_name;
    struct xds_child_maker maker; /* asked for one child at the first update */
    struct xds_override_hooks hooks;
};

struct xds_override_host *
xds_override_host_new(struct xds_machine *machine, struct xds_policy *parent,
                      const struct xds_override_host_setup *setup);

/* What one leaf cluster says. All of it is borrowed until the call returns. */
struct xds_override_update {
    const struct xds_endpoint *const *endpoints; /* of all priorities */
    size_t n_endpoints;
    unsigned status;
    int64_t idle_timeout_ms; /* A55 has none */
};

/* Takes the endpoints over, then lets the maker create or update the child, which must
 * skip those that xds_override_host_passes() rejects. */
void xds_override_host_update(struct xds_override_host *self,
                              const struct xds_override_update *update);

/* NULL: not in the map. */
struct xds_override_entry *xds_override_host_find(const struct xds_override_host *self,
                                                  struct xds_slice address);
/* The child creates a subchannel. One that this policy has is handed over: it keeps its
 * state. False: the address is not in the map. */
bool xds_override_host_child_creates(struct xds_override_host *self,
                                     struct xds_slice address);
/* The child lets go of it. True: this policy keeps the connection. */
bool xds_override_host_child_releases(struct xds_override_host *self,
                                      struct xds_slice address);
/* At rest: an address without a subchannel has one of ours if a state is assumed of it,
 * or (A55) if its endpoint drains. */
void xds_override_host_rest(struct xds_override_host *self,
                            const struct xds_subchannel_maker *maker);
/* False: the policy knows of no subchannel to the address. */
bool xds_override_host_state(struct xds_override_host *self, struct xds_slice address,
                             enum xds_connectivity state);

/* Why the cookie of an RPC leads to a host, or nowhere; the more telling the later. */
enum xds_override_why {
    XDS_OVERRIDE_UNKNOWN,     /* no endpoint has the address */
    XDS_OVERRIDE_UNCONNECTED, /* it has no connection, and A55 makes none */
    XDS_OVERRIDE_STATUS,      /* its health excludes it */
    XDS_OVERRIDE_FAILING,     /* its connection fails */
    XDS_OVERRIDE_USED,        /* the rank says how */
    XDS_OVERRIDE_NO_COOKIE,
    XDS_OVERRIDE_NO_SESSION,
};

/* Where the cookie of one RPC leads, by the best of its addresses. */
struct xds_override_choice {
    enum xds_override_rank rank;     /* UNUSABLE: nowhere, the child picks */
    struct xds_override_entry *best; /* NULL: nowhere */
    enum xds_override_why why;
    const struct xds_override_entry
        *worst;             /* whose reason that is; NULL: nothing known */
    enum xds_health health; /* of worst */
};

#define XDS_OVERRIDE_NOTHING                                                             \
    ((struct xds_override_choice){.rank = XDS_RANK_UNUSABLE, .why = XDS_OVERRIDE_UNKNOWN})

/* The reason as a sentence without the names of hosts. */
struct xds_slice xds_override_words(const struct xds_override_choice *choice);

/* The address that the cookie of the RPC leads to; nothing is done yet. */
struct xds_override_choice xds_override_host_choose(const struct xds_override_host *self,
                                                    const struct xds_pick_call *call);
/* The policy's own half of a pick. By its rank the host is used (READY), the RPC queues
 * (others), and the connection was asked to connect (IDLE) or made (NONE). */
struct xds_override_choice xds_override_host_decide(struct xds_override_host *self,
                                                    const struct xds_pick_call *call);
/* The other half: the child has picked this address. NULL: it is not in the map, or the
 * RPC is of no session. */
const struct xds_override_entry *
xds_override_host_picked(struct xds_override_host *self, const struct xds_pick_call *call,
                         struct xds_slice address);
/* The addresses of the entry's endpoint, its own first. */
size_t xds_override_host_addresses(const struct xds_override_host *self,
                                   const struct xds_override_entry *entry,
                                   struct xds_arena *arena, struct xds_slice **out);

#endif
