/* priority_parts.h - the inside of priority_experimental, shared by its files. */
#ifndef XDS_LB_PRIORITY_PARTS_H
#define XDS_LB_PRIORITY_PARTS_H

#include "base/strmap.h"
#include "lb/priority.h"

/* What the failover timer does to a child (PR-c). */
enum xds_priority_fired {
    XDS_FIRED_NOTHING,        /* it is no longer waited for, that is all */
    XDS_FIRED_FAILS,          /* it counts as TRANSIENT_FAILURE */
    XDS_FIRED_FAILS_ITS_RPCS, /* and its picker is replaced by one that fails */
};

/* When CONNECTING after READY or IDLE starts the timer (PR-e). */
enum xds_priority_restart {
    XDS_RESTART_IF_NOT_PENDING,
    XDS_RESTART_ONCE, /* for one READY or IDLE */
    XDS_RESTART_ON_CHANGE,
};

/* What a report of a deactivated child is worth (PR-g). */
enum xds_priority_parked {
    XDS_PARKED_COUNTS, /* as that of any child, timers included */
    XDS_PARKED_IS_STORED,
    XDS_PARKED_IS_IGNORED,
};

/* How the clients differ: spec routing 7.6, PR-d to PR-i. What counts as seen of a new
 * child, PR-i, has no effect. */
struct xds_priority_ways {
    enum xds_priority_fired fired;
    enum xds_priority_restart restart;
    enum xds_priority_parked parked;
    bool forgets;        /* PR-b: a deactivated child comes back as if it were new */
    bool no_second_pass; /* PR-d: with none usable, the last one is used */
    bool stops_lower;    /* PR-f: also below a child that is merely waited for */
    bool refuses_idle_entries; /* 7.3: every child must be in the list of priorities */
};

/* A child's place in the table, which it keeps when it is destroyed. */
struct xds_priority_place {
    struct xds_priority *owner;
    struct xds_slice name;
    struct xds_policy *policy;   /* NULL: it does not exist */
    struct xds_lb_report report; /* the last one, as far as it counts */
    struct xds_timer failover, deactivation;
    bool seen;       /* READY or IDLE since it last failed */
    bool own_picker; /* its RPCs fail by the policy's picker, not its own */
    /* by the config */
    bool in_config, in_priorities, ignores_reresolution;
    struct xds_path_address *addresses;
    size_t n_addresses, cap_addresses;
};

struct xds_priority {
    struct xds_policy policy; /* first */
    struct xds_child_maker maker;
    struct xds_priority_timing timing;
    const struct xds_priority_ways *ways;
    struct xds_strmap by_name; /* places */
    struct xds_priority_place **places;
    size_t n_places, cap_places;
    struct xds_priority_place **priorities;
    size_t n_priorities, cap_priorities;
    bool has_config;
    bool busy;  /* applying an update, or choosing */
    bool stale; /* something happened that may change the choice */
    struct xds_priority_place *used;
};

static inline struct xds_priority *xds_priority_of(struct xds_policy *policy)
{
    return (struct xds_priority *)(void *)policy;
}

static inline bool xds_priority_is_parked(const struct xds_priority_place *child)
{
    return child->deactivation.slot != 0;
}

static inline bool xds_priority_is_pending(const struct xds_priority_place *child)
{
    return child->failover.slot != 0;
}

/* The place of that name, made if it is new. */
struct xds_priority_place *xds_priority_place(struct xds_priority *p,
                                              struct xds_slice name);
/* why: after "because". It may report at once. */
void xds_priority_create(struct xds_priority_place *child, struct xds_slice why);
/* Stop the countdown that deactivation began, if it runs. */
void xds_priority_reactivate(struct xds_priority_place *child);
/* Start its failover timer; end it. */
void xds_priority_wait(struct xds_priority_place *child);
void xds_priority_stop_waiting(struct xds_priority_place *child);
/* Start to count down the life of a child, unless it is running; why: after "because". */
void xds_priority_deactivate(struct xds_priority_place *child, struct xds_slice why);
void xds_priority_destroy(struct xds_priority_place *child);
/* Now, or once the policy is done with what it does. */
void xds_priority_choose(struct xds_priority *p);

#endif
