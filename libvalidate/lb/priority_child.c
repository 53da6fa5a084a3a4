/*
 * priority_child.c - the life of a child of priority_experimental: made, waited for, kept
 * for a while, brought back, destroyed.
 *
 * Source: gRFC A56, A115; spec routing 7.2, PR-b, PR-c.
 */
#include "lb/priority_parts.h"

/* ---- words ---- */

/* "15 min", "10 s", "1500 ms", "0 s" */
static struct xds_slice time_text(const struct xds_machine *machine, int64_t ms)
{
    static const struct {
        int64_t ms;
        const char *name;
    } units[] = {{60000, "min"}, {1000, "s"}, {1, "ms"}};
    size_t i = ms == 0;

    while (ms % units[i].ms)
        i++;
    return xds_arena_printf(machine->step_arena, "%lld %s", (long long)(ms / units[i].ms),
                            units[i].name);
}

/* ---- timers ---- */

void xds_priority_wait(struct xds_priority_place *child)
{
    const struct xds_priority *p = child->owner;
    struct xds_machine *machine = p->policy.machine;

    xds_clock_set(&machine->clock, &child->failover,
                  machine->clock.now_ms + p->timing.failover_ms);
    xds_machine_say(machine, p->policy.name, "%.*s gets %.*s to connect",
                    XDS_FMT(child->name),
                    XDS_FMT(time_text(machine, p->timing.failover_ms)));
}

void xds_priority_stop_waiting(struct xds_priority_place *child)
{
    xds_clock_cancel(&child->owner->policy.machine->clock, &child->failover);
}

/* PR-c */
static void fail_by_timer(struct xds_priority_place *child)
{
    const enum xds_priority_fired fired = child->owner->ways->fired;

    child->report.status = XDS_S("failover timer fired");
    if (fired != XDS_FIRED_FAILS_RPCS) {
        child->report.state = XDS_STATE_TRANSIENT_FAILURE;
        child->seen = false;
    }
    if (fired == XDS_FIRED_FAILS)
        return;
    child->own_picker = true;
    child->report.has_picker = true;
    child->report.only_sessions = false;
    child->report.picker = XDS_S("fail");
}

static void failover_fired(struct xds_timer *timer)
{
    struct xds_priority_place *child = timer->owner;
    struct xds_priority *p = child->owner;
    const bool fails = p->ways->fired != XDS_FIRED_NOTHING;

    if (p->ways->keeps_used) {
        if (xds_priority_is_parked(child))
            return;
        p->used = NULL;
    }
    xds_machine_say(p->policy.machine, p->policy.name,
                    "%.*s did not connect within %.*s: it %s", XDS_FMT(child->name),
                    XDS_FMT(time_text(p->policy.machine, p->timing.failover_ms)),
                    fails ? "counts as failed" : "stays CONNECTING, but is skipped");
    if (fails)
        fail_by_timer(child);
    if (p->ways->queues)
        xds_priority_queue_fired(p);
    else
        xds_priority_choose(p);
}

static int64_t retention_of(const struct xds_priority *p)
{
    return p->timing.retention_ms ? p->timing.retention_ms : XDS_PRIORITY_RETENTION_MS;
}

static void deactivation_fired(struct xds_timer *timer)
{
    struct xds_priority_place *child = timer->owner;
    struct xds_priority *p = child->owner;

    xds_machine_say(p->policy.machine, p->policy.name,
                    "%.*s is destroyed because it was not needed for %.*s",
                    XDS_FMT(child->name),
                    XDS_FMT(time_text(p->policy.machine, retention_of(p))));
    xds_priority_destroy(child);
}

/* ---- the life of a child ---- */

static struct xds_priority_place *new_place(struct xds_priority *p, struct xds_slice name)
{
    struct xds_priority_place *child =
        XDS_NEW(p->policy.machine->arena, struct xds_priority_place);

    child->owner = p;
    child->name = xds_arena_dup(p->policy.machine->arena, name);
    child->failover = (struct xds_timer){.rank = XDS_TIMER_FAILOVER,
                                         .name = child->name,
                                         .fire = failover_fired,
                                         .owner = child};
    child->deactivation = (struct xds_timer){.rank = XDS_TIMER_DEACTIVATION,
                                             .name = child->name,
                                             .fire = deactivation_fired,
                                             .owner = child};
    return child;
}

static void append_place(struct xds_priority *p, struct xds_priority_place *child)
{
    p->places = xds_arena_room(p->policy.machine->arena, p->places, p->n_places,
                               &p->cap_places, sizeof *p->places);
    p->places[p->n_places++] = child;
}

struct xds_priority_place *xds_priority_place(struct xds_priority *p,
                                              struct xds_slice name)
{
    void **slot = xds_strmap_at(&p->by_name, name);

    if (!*slot) {
        *slot = new_place(p, name);
        append_place(p, *slot);
    }
    return *slot;
}

static void copy_addresses(struct xds_priority_place *child)
{
    struct xds_arena *arena = child->owner->policy.machine->arena;
    struct xds_priority_addresses *to = &child->told;

    to->n = 0;
    for (size_t i = 0; i < child->addresses.n; i++) {
        to->list = xds_arena_room(arena, to->list, to->n, &to->cap, sizeof *to->list);
        to->list[to->n++] = child->addresses.list[i];
    }
}

void xds_priority_begin(struct xds_priority_place *child)
{
    child->report = XDS_LB_REPORT_NEW;
    child->seen = child->own_picker = child->failed = false;
    xds_priority_wait(child);
}

void xds_priority_create(struct xds_priority_place *child, struct xds_slice why)
{
    struct xds_priority *p = child->owner;

    xds_machine_say(p->policy.machine, p->policy.name, "%.*s is created because %.*s",
                    XDS_FMT(child->name), XDS_FMT(why));
    xds_priority_begin(child);
    child->was_dropped = false;
    child->ignores_reresolution = child->ignores_in_config;
    copy_addresses(child);
    child->policy = p->maker.create(p->maker.user, &p->policy, child->name);
}

void xds_priority_tell(struct xds_priority_place *child)
{
    struct xds_priority *p = child->owner;

    if (!p->ways->first_flag && !child->was_dropped)
        child->ignores_reresolution = child->ignores_in_config;
    copy_addresses(child);
    p->maker.update(p->maker.user, child->policy);
}

void xds_priority_reactivate(struct xds_priority_place *child)
{
    struct xds_priority *p = child->owner;

    if (!xds_priority_is_parked(child))
        return;
    xds_clock_cancel(&p->policy.machine->clock, &child->deactivation);
    xds_machine_say(p->policy.machine, p->policy.name, "%.*s is reactivated",
                    XDS_FMT(child->name));
}

void xds_priority_deactivate(struct xds_priority_place *child, struct xds_slice why)
{
    struct xds_priority *p = child->owner;
    struct xds_machine *machine = p->policy.machine;

    if (xds_priority_is_parked(child))
        return;
    if (p->ways->queues) {
        xds_priority_stop_waiting(child);
        child->report = XDS_LB_REPORT_NEW;
    }
    xds_clock_set(&machine->clock, &child->deactivation,
                  machine->clock.now_ms + retention_of(p));
    xds_machine_say(
        machine, p->policy.name, "%.*s is deactivated because %.*s; it is kept for %.*s",
        XDS_FMT(child->name), XDS_FMT(why), XDS_FMT(time_text(machine, retention_of(p))));
}

void xds_priority_destroy(struct xds_priority_place *child)
{
    struct xds_priority *p = child->owner;
    struct xds_policy *policy = child->policy;

    xds_priority_stop_waiting(child);
    xds_clock_cancel(&p->policy.machine->clock, &child->deactivation);
    child->policy = NULL;
    p->maker.destroy(p->maker.user, policy);
}
