/*
 * priority.h - what the two algorithms of priority_experimental share: children and their
 *              lives. Private to priority.c and priority_queued.c.
 */
#ifndef XDS_LB_POLICY_PRIORITY_H
#define XDS_LB_POLICY_PRIORITY_H

#include "lb/policy.h"

struct xds_priority;
struct xds_priority_place;

/* What the failover timer does to a child (PR-c). */
enum xds_priority_fired {
    FIRED_NOTHING,        /* only the wait ends */
    FIRED_FAILS,          /* it counts as TRANSIENT_FAILURE */
    FIRED_FAILS_ITS_RPCS, /* and its picker is replaced by one that fails */
    FIRED_FAILS_RPCS,     /* that alone: it stays CONNECTING */
};

/* When CONNECTING after READY or IDLE starts the timer (PR-e). */
enum xds_priority_restart {
    RESTART_IF_NOT_PENDING,
    RESTART_ONCE, /* for one READY or IDLE */
    RESTART_ON_CHANGE,
    RESTART_UNLESS_FAILED, /* without READY or IDLE too, until it fails */
};

/* How the clients differ: spec routing 7.3 and 7.6. What counts as seen of a new child,
 * PR-i, has no effect. */
struct xds_priority_ways {
    enum xds_priority_fired fired;
    enum xds_priority_restart restart;
    bool stores_parked; /* PR-g: what a deactivated child reports is stored, no more */
    bool keeps_used;    /* PR-n: until it fails, the one in use remains so */
    bool first_flag; /* PR-j: whether re-resolution is ignored, the first config says */
};

struct xds_priority_addresses {
    struct xds_path_address *list;
    size_t n, cap;
};

/* A child's place in the table, which it keeps when it is destroyed. */
struct xds_priority_place {
    struct xds_priority *owner;
    struct xds_slice name;
    struct xds_policy *policy;   /* NULL: it does not exist */
    struct xds_lb_report report; /* the last one, as far as it counts */
    struct xds_timer failover, deactivation;
    bool seen;       /* READY or IDLE since it last failed */
    bool failed;     /* since it was last READY, IDLE or new */
    bool own_picker; /* its RPCs fail by the policy's picker, not its own */
    /* by the config */
    bool in_config, in_priorities, ignores_in_config;
    struct xds_priority_addresses addresses;
    /* as the child got them */
    bool ignores_reresolution;
    struct xds_priority_addresses told;
    bool was_dropped; /* it left the config, and was kept (PR-j) */
};

struct xds_priority_queue {
    struct xds_priority_news { /* a report that is still to be heard */
        struct xds_priority_place *child;
        struct xds_lb_report report;
    } * list;
    size_t at, n, cap;
};

/* Which child is used, and why, as the end of a sentence. */
struct xds_priority_choice {
    struct xds_priority_place *used;
    const char *why;
    bool fails; /* whatever it reports */
};

/* How a child is chosen. At once, as the documents say: whatever happens the first child
 * that may be used is looked for. Queued, as go does: priority_queued.c. */
struct xds_priority_algorithm {
    void (*fired)(struct xds_priority *p); /* the failover timer of a child */
    void (*report)(struct xds_priority_place *child, const struct xds_lb_report *report);
    void (*update)(struct xds_priority *p); /* children have the new config */
    bool caches;    /* a deactivated child is in a cache that no config reaches, and is as
                       new when it is used again: PR-a, PR-b, PR-j, PR-k */
    bool exits_all; /* a request to leave IDLE reaches all that are not deactivated */
};

struct xds_priority {
    struct xds_policy policy; /* first */
    struct xds_child_maker maker;
    struct xds_priority_timing timing;
    struct xds_priority_ways ways;
    const struct xds_priority_algorithm *algorithm;
    struct xds_strmap by_name; /* places */
    struct xds_priority_place **places;
    size_t n_places, cap_places;
    struct xds_priority_place **priorities;
    size_t n_priorities, cap_priorities;
    bool has_config;
    bool busy;  /* applying an update, or choosing */
    bool stale; /* something happened that may change the choice */
    bool holds; /* queues: the queue is worked off, and nothing is chosen */
    struct xds_priority_queue queue;
    struct xds_priority_place *listed_twice; /* or NULL */
    struct xds_priority_place *used;
};

static inline bool is_parked(const struct xds_priority_place *child)
{
    return child->deactivation.slot != 0;
}

static inline bool is_pending(const struct xds_priority_place *child)
{
    return child->failover.slot != 0;
}

static inline bool is_usable(const struct xds_priority_place *child)
{
    return child->report.state == XDS_STATE_READY ||
           child->report.state == XDS_STATE_IDLE;
}

extern const struct xds_priority_algorithm xds_priority_queued;

/* ---- the life of a child ---- */

/* why: the end of "is created because". */
void xds_priority_create(struct xds_priority_place *child, struct xds_slice why);
/* As it was when it was created. */
void xds_priority_begin(struct xds_priority_place *child);
/* Give it the config and its addresses. */
void xds_priority_tell(struct xds_priority_place *child);
void xds_priority_reactivate(struct xds_priority_place *child);
void xds_priority_deactivate_below(struct xds_priority *p, size_t used);
/* Why it is the turn of the priority with this index. */
struct xds_slice xds_priority_reason(const struct xds_priority *p, size_t index);
/* What it has reported counts. */
void xds_priority_hear(struct xds_priority_place *child,
                       const struct xds_lb_report *report);
void xds_priority_publish(struct xds_priority *p,
                          const struct xds_priority_choice *choice);

#endif
