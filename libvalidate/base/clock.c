/* clock.c - virtual time: a binary heap of timers. */
#include "base/clock.h"

void xds_clock_init(struct xds_clock *clock, struct xds_arena *arena)
{
    *clock = (struct xds_clock){.arena = arena};
}

static bool before(const struct xds_clock *clock, const struct xds_timer *a,
                   const struct xds_timer *b)
{
    if (a->at_ms != b->at_ms)
        return a->at_ms < b->at_ms;
    if (clock->as_set)
        return a->nth < b->nth;
    return a->rank != b->rank ? a->rank < b->rank : xds_slice_cmp(a->name, b->name) < 0;
}

static void put(struct xds_clock *clock, size_t i, struct xds_timer *timer)
{
    clock->heap[i] = timer;
    timer->slot = i + 1;
}

static void sift_up(struct xds_clock *clock, size_t i)
{
    struct xds_timer *timer = clock->heap[i];

    while (i > 0 && before(clock, timer, clock->heap[(i - 1) / 2])) {
        put(clock, i, clock->heap[(i - 1) / 2]);
        i = (i - 1) / 2;
    }
    put(clock, i, timer);
}

static void sift_down(struct xds_clock *clock, size_t i)
{
    struct xds_timer *timer = clock->heap[i];

    for (size_t child = 2 * i + 1; child < clock->n; child = 2 * i + 1) {
        if (child + 1 < clock->n &&
            before(clock, clock->heap[child + 1], clock->heap[child]))
            child++;
        if (!before(clock, clock->heap[child], timer))
            break;
        put(clock, i, clock->heap[child]);
        i = child;
    }
    put(clock, i, timer);
}

void xds_clock_set(struct xds_clock *clock, struct xds_timer *timer, int64_t at_ms)
{
    xds_clock_cancel(clock, timer);
    timer->at_ms = at_ms;
    timer->nth = clock->n_set++;
    clock->heap = xds_arena_room(clock->arena, clock->heap, clock->n, &clock->cap,
                                 sizeof *clock->heap);
    put(clock, clock->n++, timer);
    sift_up(clock, clock->n - 1);
}

void xds_clock_cancel(struct xds_clock *clock, struct xds_timer *timer)
{
    if (!timer->slot)
        return;
    const size_t i = timer->slot - 1;
    struct xds_timer *last = clock->heap[--clock->n];

    timer->slot = 0;
    if (last == timer)
        return;
    put(clock, i, last);
    sift_up(clock, i);
    sift_down(clock, last->slot - 1);
}

void xds_clock_advance(struct xds_clock *clock, int64_t to_ms)
{
    if (to_ms > clock->until_ms)
        clock->until_ms = to_ms;
    while (clock->n && clock->heap[0]->at_ms <= to_ms) {
        struct xds_timer *timer = clock->heap[0];

        if (timer->at_ms > clock->now_ms)
            clock->now_ms = timer->at_ms;
        xds_clock_cancel(clock, timer);
        timer->fire(timer);
    }
    if (to_ms > clock->now_ms)
        clock->now_ms = to_ms;
}
