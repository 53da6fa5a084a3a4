/*
 * override_host_machine.h - xds_override_host_experimental as a machine: session
 * affinity.
 *
 * The policy is between those that make connections and those that open them: its
 * child tells it of every subchannel that it creates or lets go, and what the policy
 * wants for sessions alone it asks of its own hooks. Per address there is one connection,
 * which changes hands but is never made twice.
 */
#ifndef XDS_LB_OVERRIDE_HOST_MACHINE_H
#define XDS_LB_OVERRIDE_HOST_MACHINE_H

#include "base/strmap.h"
#include "lb/override_choice.h"
#include "lb/policy.h"

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
    bool passed; /* the child has it */
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
/* What the child may get; false: the policy keeps it for sessions, or ignores it. */
bool xds_override_host_passes(const struct xds_endpoint *endpoint);

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
/* False: the policy knows of no subchannel to the address. */
bool xds_override_host_state(struct xds_override_host *self, struct xds_slice address,
                             enum xds_connectivity state);

enum xds_override_verdict {
    XDS_OVERRIDE_COMPLETE,
    XDS_OVERRIDE_QUEUE,
    XDS_OVERRIDE_DELEGATE, /* the child picks */
};

enum xds_override_action {
    XDS_OVERRIDE_NO_ACTION,
    XDS_OVERRIDE_CONNECT,
    XDS_OVERRIDE_CREATE_SUBCHANNEL,
};

/* What the policy makes of one RPC before it asks its child. */
struct xds_override_decision {
    enum xds_override_verdict verdict;
    enum xds_override_action action;
    const struct xds_override_entry *host; /* COMPLETE, QUEUE */
    struct xds_slice reason;               /* a sentence */
};

/* The policy's own half of a pick; the action has been taken when it returns. */
struct xds_override_decision xds_override_host_decide(struct xds_override_host *self,
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
