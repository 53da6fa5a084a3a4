/* clock.h - virtual time: timers that fire when asked to, in order of time, rank, name;
 * or of one time in the order in which they were set. */
#ifndef XDS_BASE_CLOCK_H
#define XDS_BASE_CLOCK_H

#include "base/arena.h"

struct xds_timer {
    int64_t at_ms;         /* absolute virtual time */
    int rank;              /* order of timers due at one instant, lower first */
    struct xds_slice name; /* and of one rank by name; may be absent */
    void (*fire)(struct xds_timer *);
    void *owner;
    size_t slot;  /* position in the heap + 1; 0 = not set */
    uint64_t nth; /* of all that were set */
};

struct xds_clock {
    struct xds_arena *arena;
    int64_t now_ms;
    int64_t until_ms; /* end of the advance in work; set it to advance in parts */
    struct xds_timer **heap;
    size_t n, cap;
    bool as_set; /* neither rank nor name matter */
    uint64_t n_set;
};

void xds_clock_init(struct xds_clock *clock, struct xds_arena *arena);
/* Set or move a timer; the timer's memory is the caller's. */
void xds_clock_set(struct xds_clock *clock, struct xds_timer *timer, int64_t at_ms);
void xds_clock_cancel(struct xds_clock *clock, struct xds_timer *timer);
/* Fire what is due up to and at `to_ms`, then make it the present. */
void xds_clock_advance(struct xds_clock *clock, int64_t to_ms);

#endif
