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
    XDS_FIRED_FAILS_RPCS,     /* that alone: it stays CONNECTING */
};

/* When CONNECTING after READY or IDLE starts the timer (PR-e). */
enum xds_priority_restart {
    XDS_RESTART_IF_NOT_PENDING,
    XDS_RESTART_ONCE, /* for one READY or IDLE */
    XDS_RESTART_ON_CHANGE,
    XDS_RESTART_UNLESS_FAILED, /* without READY or IDLE too, until it fails */
};

/* What is wrong with a config (7.3), beside a priority that is not in children. */
enum {
    XDS_REFUSES_IDLE_ENTRIES = 1, /* every child must be in the list of priorities */
    XDS_REFUSES_NO_PRIORITY = 2,
    XDS_REFUSES_DUPLICATES = 4,
};

/* How the clients differ: spec routing 7.3 and 7.6. What counts as seen of a new child,
 * PR-i, has no effect. */
struct xds_priority_ways {
    enum xds_priority_fired fired;
    enum xds_priority_restart restart;
    bool stores_parked; /* PR-g: what a deactivated child reports is stored, no more */
    bool keeps_used;    /* PR-n: until it fails, the one in use remains so */
    bool first_flag; /* PR-j: whether re-resolution is ignored, the first config says */
    bool queues;     /* priority_queue.c: PR-a, PR-b, PR-d, PR-f to PR-h, PR-j to PR-l */
    unsigned refuses;
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
    /* as the child was told */
    bool ignores_reresolution;
    struct xds_priority_addresses told;
    bool was_dropped; /* it left the config, and was kept (PR-j) */
};

/* A report that is still to be heard. */
struct xds_priority_news {
    struct xds_priority_place *child;
    struct xds_lb_report report;
};

struct xds_priority_queue {
    struct xds_priority_news *list;
    size_t at, n, cap;
};

/* Which child is used, and why, as the end of a sentence. */
struct xds_priority_choice {
    struct xds_priority_place *used;
    const char *why;
    bool fails; /* whatever it reports */
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
    bool holds; /* queues: the queue is worked off, and nothing is chosen */
    struct xds_priority_queue queue;
    struct xds_priority_place *listed_twice; /* or NULL */
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
static inline bool xds_priority_is_usable(const struct xds_priority_place *child)
{
    return child->report.state == XDS_STATE_READY ||
           child->report.state == XDS_STATE_IDLE;
}

/* why: after "because". It may report at once. */
void xds_priority_create(struct xds_priority_place *child, struct xds_slice why);
/* Give an existing child what the config has for it. It may report at once. */
void xds_priority_tell(struct xds_priority_place *child);
/* Stop the countdown that deactivation began, if it runs. */
void xds_priority_reactivate(struct xds_priority_place *child);
/* As one of which nothing is known: CONNECTING without a picker, but not for long. */
void xds_priority_begin(struct xds_priority_place *child);
/* What a child has reported counts: its timer follows. */
void xds_priority_hear(struct xds_priority_place *child,
                       const struct xds_lb_report *report);
/* Start its failover timer; end it. */
void xds_priority_wait(struct xds_priority_place *child);
void xds_priority_stop_waiting(struct xds_priority_place *child);
/* Start to count down the life of a child, unless it is running; why: after "because". */
void xds_priority_deactivate(struct xds_priority_place *child, struct xds_slice why);
void xds_priority_destroy(struct xds_priority_place *child);
/* All below the child at this index. */
void xds_priority_deactivate_below(struct xds_priority *p, size_t used);
/* Now, or once the policy is done with what it does. */
void xds_priority_choose(struct xds_priority *p);
/* Why the child at this index is created; after "because". */
struct xds_slice xds_priority_reason(const struct xds_priority *p, size_t index);
/* What the child has said continues unchanged. */
void xds_priority_publish(struct xds_priority *p,
                          const struct xds_priority_choice *choice);

/* ---- clients whose reports wait in a queue ---- */

void xds_priority_queue_report(struct xds_priority_place *child,
                               const struct xds_lb_report *report);
/* The time of a child is over. */
void xds_priority_queue_fired(struct xds_priority *p);
/* Children were told of a new config, the policy is still busy with it. */
void xds_priority_queue_updated(struct xds_priority *p);

#endif
