/*
 * priority.c - which child of priority_experimental takes the RPCs, as time goes on.
 *
 * Takes:  reports of children, its own timers, a config (see priority_config.c).
 * Gives:  children made, kept, brought back and destroyed; what the chosen one has said,
 *         said to the parent.
 * Source: gRFC A56, A115; spec routing 7.
 */
#include "lb/priority_parts.h"

static const struct xds_priority_ways all_ways[XDS_CLIENTS] = {
    [XDS_CLIENT_GRFC] = {.fired = XDS_FIRED_FAILS, .restart = XDS_RESTART_IF_NOT_PENDING},
    [XDS_CLIENT_CORE] = {.restart = XDS_RESTART_ONCE},
    [XDS_CLIENT_GO] = {.restart = XDS_RESTART_ON_CHANGE,
                       .parked = XDS_PARKED_IS_IGNORED,
                       .forgets = true,
                       .no_second_pass = true,
                       .stops_lower = true,
                       .refuses_idle_entries = true},
    [XDS_CLIENT_JAVA] = {.restart = XDS_RESTART_ON_CHANGE,
                         .parked = XDS_PARKED_IS_STORED},
    [XDS_CLIENT_NODE] = {.fired = XDS_FIRED_FAILS_ITS_RPCS,
                         .restart = XDS_RESTART_IF_NOT_PENDING},
};

/* ---- words ------------------------------------------------------------------------- */

/* "15 min", "10 s", "1500 ms" */
static struct xds_slice time_text(const struct xds_machine *machine, int64_t ms)
{
    static const struct {
        int64_t ms;
        const char *name;
    } units[] = {{60000, "min"}, {1000, "s"}, {1, "ms"}};
    size_t i = 0;

    while (ms % units[i].ms)
        i++;
    return xds_arena_printf(machine->moment, "%lld %s", (long long)(ms / units[i].ms),
                            units[i].name);
}

/* Why a child is passed over, after "because ". */
static struct xds_slice why_passed(const struct xds_priority_place *child)
{
    struct xds_arena *arena = child->owner->policy.machine->moment;

    if (child->report.state == XDS_STATE_CONNECTING)
        return xds_arena_printf(arena, "%.*s did not connect in time",
                                XDS_FMT(child->name));
    return xds_arena_printf(arena, "%.*s is in %s", XDS_FMT(child->name),
                            xds_connectivity_name(child->report.state));
}

/* ---- timers ------------------------------------------------------------------------ */

static bool is_pending(const struct xds_priority_place *child)
{
    return child->failover.slot != 0;
}

static void start_failover(struct xds_priority_place *child)
{
    const struct xds_priority *p = child->owner;
    struct xds_machine *machine = p->policy.machine;

    xds_clock_set(&machine->clock, &child->failover,
                  machine->clock.now_ms + p->timing.failover_ms);
    xds_machine_say(machine, p->policy.name, "%.*s gets %.*s to connect",
                    XDS_FMT(child->name),
                    XDS_FMT(time_text(machine, p->timing.failover_ms)));
}

static void stop_failover(struct xds_priority_place *child)
{
    xds_clock_cancel(&child->owner->policy.machine->clock, &child->failover);
}

/* PR-c */
static void fail_by_timer(struct xds_priority_place *child)
{
    child->report.state = XDS_STATE_TRANSIENT_FAILURE;
    child->report.status = XDS_S("failover timer fired");
    child->seen = false;
    if (child->owner->ways->fired != XDS_FIRED_FAILS_ITS_RPCS)
        return;
    child->own_picker = true;
    child->report.has_picker = true;
    child->report.picker = XDS_S("fail");
}

static void failover_fired(struct xds_timer *timer)
{
    struct xds_priority_place *child = timer->owner;
    struct xds_priority *p = child->owner;
    const bool fails = p->ways->fired != XDS_FIRED_NOTHING;

    xds_machine_say(p->policy.machine, p->policy.name,
                    "%.*s did not connect within %.*s: it %s", XDS_FMT(child->name),
                    XDS_FMT(time_text(p->policy.machine, p->timing.failover_ms)),
                    fails ? "counts as failed" : "stays CONNECTING, but is passed over");
    if (fails)
        fail_by_timer(child);
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

/* ---- the life of a child ----------------------------------------------------------- */

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
    if (p->n_places == p->cap_places) {
        const size_t cap = p->cap_places ? 2 * p->cap_places : 8;
        struct xds_priority_place **list =
            XDS_NEW_ARRAY(p->policy.machine->arena, struct xds_priority_place *, cap);

        if (p->n_places)
            memcpy(list, p->places, p->n_places * sizeof(*list));
        p->places = list;
        p->cap_places = cap;
    }
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

/* As one of which nothing is known: CONNECTING without a picker, but not for long. */
static void begin(struct xds_priority_place *child)
{
    child->report = XDS_LB_REPORT_NEW;
    child->seen = child->own_picker = false;
    start_failover(child);
}

static void create(struct xds_priority *p, size_t i)
{
    struct xds_priority_place *child = p->priorities[i];
    const struct xds_slice why =
        i ? why_passed(p->priorities[i - 1]) : XDS_S("it comes first");

    xds_machine_say(p->policy.machine, p->policy.name, "%.*s is created because %.*s",
                    XDS_FMT(child->name), XDS_FMT(why));
    begin(child);
    child->policy = p->maker.create(p->maker.user, &p->policy, child->name);
}

static void reactivate(struct xds_priority_place *child)
{
    struct xds_priority *p = child->owner;

    if (!xds_priority_is_parked(child))
        return;
    xds_clock_cancel(&p->policy.machine->clock, &child->deactivation);
    xds_machine_say(p->policy.machine, p->policy.name, "%.*s is reactivated%s",
                    XDS_FMT(child->name), p->ways->forgets ? " as if it were new" : "");
    if (!p->ways->forgets)
        return;
    begin(child);
    p->maker.update(p->maker.user, child->policy);
}

void xds_priority_deactivate(struct xds_priority_place *child, struct xds_slice why)
{
    struct xds_priority *p = child->owner;
    struct xds_machine *machine = p->policy.machine;

    if (xds_priority_is_parked(child))
        return;
    if (p->ways->forgets) {
        stop_failover(child);
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

    stop_failover(child);
    xds_clock_cancel(&p->policy.machine->clock, &child->deactivation);
    child->policy = NULL;
    p->maker.destroy(p->maker.user, policy);
}

/* ---- choosing ---------------------------------------------------------------------- */

static bool is_usable(const struct xds_priority_place *child)
{
    return child->report.state == XDS_STATE_READY ||
           child->report.state == XDS_STATE_IDLE;
}

/* Of a name that stands twice the first place counts: the one in use stays. */
static void deactivate_below(struct xds_priority *p, size_t used)
{
    const struct xds_priority_place *winner = p->priorities[used];
    struct xds_slice why = {0};

    for (size_t i = used + 1; i < p->n_priorities; i++) {
        struct xds_priority_place *child = p->priorities[i];

        if (!child->policy || child == winner || xds_priority_is_parked(child))
            continue;
        if (!why.data)
            why = is_usable(winner)
                      ? why_passed(winner)
                      : xds_arena_printf(p->policy.machine->moment,
                                         "%.*s comes before it and gets time to connect",
                                         XDS_FMT(winner->name));
        xds_priority_deactivate(child, why);
    }
}

/* The first child that is usable or still has time, or n. All before it have failed. */
static size_t find_first(struct xds_priority *p)
{
    for (size_t i = 0; i < p->n_priorities; i++) {
        struct xds_priority_place *child = p->priorities[i];

        if (child->policy)
            reactivate(child);
        else
            create(p, i);
        if (is_usable(child) || is_pending(child))
            return i;
    }
    return p->n_priorities;
}

/* When none is usable: the first that may become so, or the last one, whose error is the
 * one to tell. */
static size_t find_least_bad(const struct xds_priority *p)
{
    for (size_t i = 0; i < p->n_priorities && !p->ways->no_second_pass; i++)
        if (p->priorities[i]->report.state == XDS_STATE_CONNECTING)
            return i;
    return p->n_priorities - 1;
}

static struct xds_priority_place *decide(struct xds_priority *p)
{
    if (p->n_priorities == 0)
        return NULL;
    const size_t first = find_first(p);

    if (first == p->n_priorities)
        return p->priorities[find_least_bad(p)];
    if (is_usable(p->priorities[first]) || p->ways->stops_lower)
        deactivate_below(p, first);
    return p->priorities[first];
}

static const char *what_becomes_of_rpcs(const struct xds_lb_report *report)
{
    if (!report->has_picker)
        return "RPCs queue";
    return report->state == XDS_STATE_TRANSIENT_FAILURE ? "RPCs fail"
                                                        : "it takes the RPCs";
}

static bool is_news(const struct xds_priority *p, const struct xds_priority_place *used,
                    const struct xds_lb_report *report)
{
    const struct xds_lb_report *old = &p->policy.report;

    return p->policy.n_reports == 0 || used != p->used || report->state != old->state ||
           report->has_picker != old->has_picker ||
           !xds_slice_eq(report->picker, old->picker);
}

static void publish(struct xds_priority *p, struct xds_priority_place *used)
{
    const struct xds_lb_report report =
        used ? used->report
             : (struct xds_lb_report){
                   .state = XDS_STATE_TRANSIENT_FAILURE,
                   .has_picker = true,
                   .picker = XDS_S("fail"),
                   .status = XDS_S("priority policy has empty priority list"),
               };

    if (is_news(p, used, &report) && used)
        xds_machine_say(p->policy.machine, p->policy.name, "%.*s is used, %s: %s",
                        XDS_FMT(used->name), xds_connectivity_name(report.state),
                        what_becomes_of_rpcs(&report));
    else if (is_news(p, used, &report))
        xds_machine_say(p->policy.machine, p->policy.name,
                        "no child is used: %.*s, RPCs fail", XDS_FMT(report.status));
    p->used = used;
    xds_policy_report(&p->policy, report);
}

/* A child that is created may report at once: then what was decided so far may be wrong,
 * and the same question is asked again. */
void xds_priority_choose(struct xds_priority *p)
{
    struct xds_priority_place *used = NULL;

    p->stale = true;
    if (p->busy || !p->has_config)
        return;
    p->busy = true;
    while (p->stale) {
        p->stale = false;
        used = decide(p);
    }
    p->busy = false;
    publish(p, used);
}

/* ---- what children say ------------------------------------------------------------- */

/* PR-e */
static bool starts_to_wait(const struct xds_priority_place *child,
                           enum xds_connectivity before)
{
    if (!child->seen || is_pending(child))
        return false;
    return child->owner->ways->restart != XDS_RESTART_ON_CHANGE ||
           before != XDS_STATE_CONNECTING;
}

static void follow_connecting(struct xds_priority_place *child,
                              enum xds_connectivity before)
{
    if (!starts_to_wait(child, before))
        return;
    start_failover(child);
    if (child->owner->ways->restart == XDS_RESTART_ONCE)
        child->seen = false;
}

static void follow(struct xds_priority_place *child, enum xds_connectivity before)
{
    if (child->report.state == XDS_STATE_CONNECTING) {
        follow_connecting(child, before);
        return;
    }
    child->seen = is_usable(child);
    stop_failover(child);
}

static void child_report(struct xds_policy *self, struct xds_policy *policy)
{
    struct xds_priority *p = xds_priority_of(self);
    struct xds_priority_place *child = xds_strmap_get(&p->by_name, policy->name);
    const enum xds_connectivity before = child->report.state;
    const bool parked = xds_priority_is_parked(child);

    if (parked && p->ways->parked == XDS_PARKED_IS_IGNORED) {
        xds_machine_say(self->machine, self->name,
                        "what %.*s reports is ignored: it is deactivated",
                        XDS_FMT(child->name));
        return;
    }
    child->report = policy->report;
    child->own_picker = false;
    if (parked && p->ways->parked == XDS_PARKED_IS_STORED)
        return;
    follow(child, before);
    xds_priority_choose(p);
}

static void reresolution(struct xds_policy *self, struct xds_policy *policy)
{
    const struct xds_priority_place *child =
        xds_strmap_get(&xds_priority_of(self)->by_name, policy->name);
    const bool ignores = child->ignores_reresolution;

    xds_machine_say(self->machine, self->name,
                    "%.*s asks to resolve names again: the request is %s",
                    XDS_FMT(child->name), ignores ? "ignored" : "passed on");
    if (!ignores)
        xds_policy_reresolve(self);
}

/* ---- what the parent wants --------------------------------------------------------- */

static void exit_idle(struct xds_policy *self)
{
    const struct xds_priority_place *used = xds_priority_of(self)->used;

    if (used && used->policy->ops->exit_idle)
        used->policy->ops->exit_idle(used->policy);
}

static struct xds_pick_result pick(struct xds_policy *self,
                                   const struct xds_pick_call *call)
{
    const struct xds_priority_place *used = xds_priority_of(self)->used;

    if (!self->report.has_picker)
        return (struct xds_pick_result){.kind = XDS_PICK_QUEUE,
                                        .reason = XDS_S("no priority has a picker yet")};
    if (!used || used->own_picker)
        return (struct xds_pick_result){.kind = XDS_PICK_FAIL,
                                        .reason = self->report.status};
    return used->policy->ops->pick(used->policy, call);
}

static void destroy(struct xds_policy *self)
{
    struct xds_priority *p = xds_priority_of(self);

    p->busy = true; /* nothing is chosen any more */
    p->used = NULL;
    for (size_t i = 0; i < p->n_places; i++)
        if (p->places[i]->policy)
            xds_priority_destroy(p->places[i]);
}

static const struct xds_policy_ops ops = {
    .name = "priority_experimental",
    .child_report = child_report,
    .reresolution = reresolution,
    .exit_idle = exit_idle,
    .pick = pick,
    .destroy = destroy,
};

struct xds_policy *xds_priority_new(struct xds_machine *machine,
                                    struct xds_policy *parent, struct xds_slice name,
                                    struct xds_priority_timing timing,
                                    struct xds_child_maker maker)
{
    struct xds_priority *p = XDS_NEW(machine->arena, struct xds_priority);

    p->policy = (struct xds_policy){.ops = &ops,
                                    .machine = machine,
                                    .parent = parent,
                                    .name = xds_arena_dup(machine->arena, name),
                                    .report = XDS_LB_REPORT_NEW};
    p->maker = maker;
    p->timing = timing;
    p->ways = &all_ways[machine->client];
    xds_strmap_init(&p->by_name, machine->arena);
    return &p->policy;
}

/* ---- looking at it ----------------------------------------------------------------- */

size_t xds_priority_size(const struct xds_policy *self)
{
    return ((const struct xds_priority *)(const void *)self)->n_places;
}

bool xds_priority_at(const struct xds_policy *self, size_t i,
                     struct xds_priority_child *out)
{
    const struct xds_priority *p = (const struct xds_priority *)(const void *)self;
    const struct xds_priority_place *child = p->places[i];

    if (!child->policy)
        return false;
    *out = (struct xds_priority_child){
        .name = child->name,
        .policy = child->policy,
        .report = child->report,
        .in_use = child == p->used,
        .fails_for_it = child->own_picker,
        .failover_pending = is_pending(child),
        .deactivated = xds_priority_is_parked(child),
        .addresses = child->addresses,
        .n_addresses = child->n_addresses,
    };
    return true;
}
