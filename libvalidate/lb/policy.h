/*
 * policy.h - an LB policy as a machine: what it receives, what it reports to its parent.
 *
 * A machine lives on a virtual clock. Events come from above (a new config, leave IDLE),
 * from below (a child has reported) and from its own timers; each is worked off at once
 * and completely. What a policy has reported last is its picker: a pick walks down from
 * the root and asks each policy what it has published, so no picker is ever copied.
 *
 * All memory is that of the machine. A child that is destroyed leaves its place in the
 * parent's table, and a child of the same name that comes later takes it again: memory
 * grows with the names that were ever seen, not with the events.
 */
#ifndef XDS_LB_POLICY_H
#define XDS_LB_POLICY_H

#include "base/clock.h"
#include "clients/environment.h"
#include "base/random.h"
#include "base/number.h"

/* ---- the world of all policies of one client ---- */

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
};

/* Timers due at the same instant fire in this order, and of one rank by name; with some
 * clients in the order in which they were set. */
enum xds_timer_rank {
    XDS_TIMER_FAILOVER,
    XDS_TIMER_DEACTIVATION,
    XDS_TIMER_SWEEP,
    XDS_TIMER_ATTEMPT,
    XDS_TIMER_CONNECT, /* after all that may ask for a connection */
};

void xds_machine_init(struct xds_machine *machine, struct xds_arena *arena,
                      struct xds_arena *step_arena, const struct xds_options *options,
                      enum xds_client client);
void xds_machine_say(const struct xds_machine *machine, struct xds_slice who,
                     const char *format, ...) XDS_PRINTF(3, 4);

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

struct xds_policy;

struct xds_policy_ops {
    const char *name; /* "priority_experimental" */
    /* A child has reported: see child->report. NULL: the policy has no children. */
    void (*child_report)(struct xds_policy *self, struct xds_policy *child);
    /* A child asks for names to be resolved again; NULL: the request continues upwards.
     */
    void (*reresolution)(struct xds_policy *self, struct xds_policy *child);
    void (*exit_idle)(struct xds_policy *self);
    /* There is nothing new, but an error that status tells of; NULL: nothing happens. */
    void (*resolver_error)(struct xds_policy *self, struct xds_slice status);
    /* Only what has been published counts. */
    struct xds_pick_result (*pick)(struct xds_policy *self,
                                   const struct xds_pick_call *call);
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

#endif
