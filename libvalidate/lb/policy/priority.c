/*
 * priority.c - priority_experimental: which child takes the RPCs, as time continues. The
 *              algorithm of the documents; that of go is in priority_queued.c.
 *
 * Events: a child's report, its timers (failover, deactivation), an update, exit idle. An
 *         invalid config changes nothing and is answered with a sentence.
 * Source: gRFC A56, A115; spec routing 7, PR-a to PR-n.
 */
#include "lb/policy/priority.h"

static struct xds_priority *priority_of(struct xds_policy *policy)
{
    return (struct xds_priority *)(void *)policy;
}

static void choose(struct xds_priority *p);

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

static void start_waiting(struct xds_priority_place *child)
{
    const struct xds_priority *p = child->owner;
    struct xds_machine *machine = p->policy.machine;

    xds_clock_set(&machine->clock, &child->failover,
                  machine->clock.now_ms + p->timing.failover_ms);
    XDS_SAY(p, "%.*s gets %.*s to connect", XDS_FMT(child->name),
            XDS_FMT(time_text(machine, p->timing.failover_ms)));
}

static void stop_waiting(struct xds_priority_place *child)
{
    xds_clock_cancel(&child->owner->policy.machine->clock, &child->failover);
}

/* PR-c */
static void failover_fired(struct xds_timer *timer)
{
    struct xds_priority_place *child = timer->owner;
    struct xds_priority *p = child->owner;
    const enum xds_priority_fired fired = p->ways.fired;

    if (p->ways.keeps_used) {
        if (is_parked(child))
            return;
        p->used = NULL;
    }
    XDS_SAY(p, "%.*s did not connect within %.*s: it %s", XDS_FMT(child->name),
            XDS_FMT(time_text(p->policy.machine, p->timing.failover_ms)),
            fired == FIRED_NOTHING ? "stays CONNECTING, but is skipped"
                                   : "counts as failed");
    if (fired != FIRED_NOTHING)
        child->report.status = XDS_S("failover timer fired");
    if (fired == FIRED_FAILS || fired == FIRED_FAILS_ITS_RPCS) {
        child->report.state = XDS_STATE_TRANSIENT_FAILURE;
        child->seen = false;
    }
    if (fired == FIRED_FAILS_RPCS || fired == FIRED_FAILS_ITS_RPCS) {
        child->own_picker = true;
        child->report.has_picker = true;
        child->report.only_sessions = false;
        child->report.picker = XDS_S("fail");
    }
    p->algorithm->fired(p);
}

static int64_t retention_of(const struct xds_priority *p)
{
    return p->timing.retention_ms ? p->timing.retention_ms : XDS_PRIORITY_RETENTION_MS;
}

static void destroy_child(struct xds_priority_place *child)
{
    struct xds_priority *p = child->owner;
    struct xds_policy *policy = child->policy;

    stop_waiting(child);
    xds_clock_cancel(&p->policy.machine->clock, &child->deactivation);
    child->policy = NULL;
    p->maker.destroy(p->maker.user, policy);
}

static void deactivation_fired(struct xds_timer *timer)
{
    struct xds_priority_place *child = timer->owner;
    struct xds_priority *p = child->owner;

    XDS_SAY(p, "%.*s is destroyed because it was not needed for %.*s",
            XDS_FMT(child->name), XDS_FMT(time_text(p->policy.machine, retention_of(p))));
    destroy_child(child);
}

/* ---- the life of a child ---- */

/* The place of that name, made if it is new. */
static struct xds_priority_place *place_of(struct xds_priority *p, struct xds_slice name)
{
    struct xds_arena *arena = p->policy.machine->arena;
    void **slot = xds_strmap_at(&p->by_name, name);
    struct xds_priority_place *child = *slot;

    if (child)
        return child;
    child = XDS_NEW(arena, struct xds_priority_place);
    child->owner = p;
    child->name = xds_arena_dup(arena, name);
    child->failover = (struct xds_timer){.rank = XDS_TIMER_FAILOVER,
                                         .name = child->name,
                                         .fire = failover_fired,
                                         .owner = child};
    child->deactivation = (struct xds_timer){.rank = XDS_TIMER_DEACTIVATION,
                                             .name = child->name,
                                             .fire = deactivation_fired,
                                             .owner = child};
    p->places =
        xds_arena_room(arena, p->places, p->n_places, &p->cap_places, sizeof *p->places);
    p->places[p->n_places++] = child;
    *slot = child;
    return child;
}

static void append(struct xds_arena *arena, struct xds_priority_addresses *to,
                   struct xds_path_address address)
{
    to->list = xds_arena_room(arena, to->list, to->n, &to->cap, sizeof *to->list);
    to->list[to->n++] = address;
}

static void copy_addresses(struct xds_priority_place *child)
{
    child->told.n = 0;
    for (size_t i = 0; i < child->addresses.n; i++)
        append(child->owner->policy.machine->arena, &child->told,
               child->addresses.list[i]);
}

void xds_priority_begin(struct xds_priority_place *child)
{
    child->report = XDS_LB_REPORT_NEW;
    child->seen = child->own_picker = child->failed = false;
    start_waiting(child);
}

void xds_priority_create(struct xds_priority_place *child, struct xds_slice why)
{
    struct xds_priority *p = child->owner;

    XDS_SAY(p, "%.*s is created because %.*s", XDS_FMT(child->name), XDS_FMT(why));
    xds_priority_begin(child);
    child->was_dropped = false;
    child->ignores_reresolution = child->ignores_in_config;
    copy_addresses(child);
    child->policy = p->maker.create(p->maker.user, &p->policy, child->name);
}

void xds_priority_tell(struct xds_priority_place *child)
{
    struct xds_priority *p = child->owner;

    if (!p->ways.first_flag && !child->was_dropped)
        child->ignores_reresolution = child->ignores_in_config;
    copy_addresses(child);
    p->maker.update(p->maker.user, child->policy);
}

void xds_priority_reactivate(struct xds_priority_place *child)
{
    struct xds_priority *p = child->owner;

    if (!is_parked(child))
        return;
    xds_clock_cancel(&p->policy.machine->clock, &child->deactivation);
    XDS_SAY(p, "%.*s is reactivated", XDS_FMT(child->name));
}

static void deactivate(struct xds_priority_place *child, struct xds_slice why)
{
    struct xds_priority *p = child->owner;
    struct xds_machine *machine = p->policy.machine;

    if (is_parked(child))
        return;
    if (p->algorithm->caches) {
        stop_waiting(child);
        child->report = XDS_LB_REPORT_NEW;
    }
    xds_clock_set(&machine->clock, &child->deactivation,
                  machine->clock.now_ms + retention_of(p));
    XDS_SAY(p, "%.*s is deactivated because %.*s; it is kept for %.*s",
            XDS_FMT(child->name), XDS_FMT(why),
            XDS_FMT(time_text(machine, retention_of(p))));
}

/* ---- choosing ---- */

/* What there is to say of a child, after "because ". */
static struct xds_slice say_state(const struct xds_priority_place *child)
{
    static const char *const words[] = {
        [XDS_STATE_TRANSIENT_FAILURE] = "failed",
        [XDS_STATE_IDLE] = "is IDLE",
        [XDS_STATE_CONNECTING] = "did not connect in time",
        [XDS_STATE_READY] = "is READY",
    };

    return xds_arena_printf(child->owner->policy.machine->step_arena, "%.*s %s",
                            XDS_FMT(child->name), words[child->report.state]);
}

struct xds_slice xds_priority_reason(const struct xds_priority *p, size_t index)
{
    return index ? say_state(p->priorities[index - 1]) : XDS_S("it comes first");
}

void xds_priority_deactivate_below(struct xds_priority *p, size_t used)
{
    const struct xds_priority_place *winner = p->priorities[used];
    struct xds_slice why = {0};

    for (size_t i = used + 1; i < p->n_priorities; i++) {
        struct xds_priority_place *child = p->priorities[i];

        if (!child->policy || is_parked(child))
            continue;
        if (!why.data)
            why = is_usable(winner)
                      ? say_state(winner)
                      : xds_arena_printf(p->policy.machine->step_arena,
                                         "%.*s comes before it and gets time to connect",
                                         XDS_FMT(winner->name));
        deactivate(child, why);
    }
}

static bool is_kept(const struct xds_priority *p, const struct xds_priority_place *child)
{
    return p->ways.keeps_used && child == p->used &&
           child->report.state != XDS_STATE_TRANSIENT_FAILURE;
}

/* The first child that is usable or still has time, or n. All before it have failed. */
static size_t find_first(struct xds_priority *p)
{
    for (size_t i = 0; i < p->n_priorities; i++) {
        struct xds_priority_place *child = p->priorities[i];

        if (child->policy) {
            xds_priority_reactivate(child);
        } else {
            p->used = p->ways.keeps_used ? child : p->used; /* PR-n: from the beginning */
            xds_priority_create(child, xds_priority_reason(p, i));
        }
        if (is_usable(child) || is_pending(child) || is_kept(p, child))
            return i;
    }
    return p->n_priorities;
}

/* When none is usable: the first that may become so, or the last one, whose error is the
 * one to tell. */
static struct xds_priority_choice choose_least_bad(const struct xds_priority *p)
{
    for (size_t i = 0; i < p->n_priorities && !p->ways.keeps_used; i++)
        if (p->priorities[i]->report.state == XDS_STATE_CONNECTING)
            return (struct xds_priority_choice){
                p->priorities[i], " because none works and it may yet connect", false};
    return (struct xds_priority_choice){p->priorities[p->n_priorities - 1],
                                        " because none works and it comes last",
                                        p->ways.keeps_used};
}

static struct xds_priority_choice decide(struct xds_priority *p)
{
    if (p->n_priorities == 0)
        return (struct xds_priority_choice){NULL, "", true};
    const size_t first = find_first(p);

    if (first == p->n_priorities)
        return choose_least_bad(p);
    const bool usable = is_usable(p->priorities[first]);

    if (usable)
        xds_priority_deactivate_below(p, first);
    return (struct xds_priority_choice){p->priorities[first],
                                        usable ? ""
                                        : is_pending(p->priorities[first])
                                            ? " as long as it has time to connect"
                                            : " until it fails",
                                        false};
}

/* ---- telling the parent ---- */

static const struct xds_lb_report report_of_none = {
    .state = XDS_STATE_TRANSIENT_FAILURE,
    .has_picker = true,
    .picker = {"fail", 4},
    .status = {"priority policy has empty priority list", 39},
};

static const char *what_becomes_of_rpcs(const struct xds_lb_report *report)
{
    static const char *const words[] = {
        [XDS_STATE_TRANSIENT_FAILURE] = "RPCs fail",
        [XDS_STATE_IDLE] = "RPCs make it connect",
        [XDS_STATE_CONNECTING] = "RPCs wait for it",
        [XDS_STATE_READY] = "RPCs go there",
    };

    return report->has_picker && !report->only_sessions ? words[report->state]
                                                        : "RPCs queue";
}

static bool is_news(const struct xds_priority *p, const struct xds_priority_place *used,
                    const struct xds_lb_report *report)
{
    const struct xds_lb_report *old = &p->policy.report;

    return p->policy.n_reports == 0 || used != p->used || report->state != old->state ||
           report->has_picker != old->has_picker ||
           report->only_sessions != old->only_sessions ||
           !xds_slice_eq(report->picker, old->picker) ||
           !xds_slice_eq(report->status, old->status);
}

void xds_priority_publish(struct xds_priority *p,
                          const struct xds_priority_choice *choice)
{
    const struct xds_priority_place *used = choice->used;
    struct xds_lb_report report = used ? used->report : report_of_none;

    if (choice->fails)
        report.state = XDS_STATE_TRANSIENT_FAILURE;
    if (is_news(p, used, &report) && used)
        XDS_SAY(p, "%.*s is used%s: %s, %s", XDS_FMT(used->name), choice->why,
                xds_connectivity_name(report.state), what_becomes_of_rpcs(&report));
    else if (is_news(p, used, &report))
        XDS_SAY(p, "no child is used because there is no priority: RPCs fail");
    p->used = choice->used;
    xds_policy_report(&p->policy, report);
}

/* A child that is created may report at once: then what was decided so far may be wrong,
 * and the same question is asked again. */
static void choose(struct xds_priority *p)
{
    struct xds_priority_choice choice = {0};

    p->stale = true;
    if (p->busy || !p->has_config)
        return;
    p->busy = true;
    while (p->stale) {
        p->stale = false;
        choice = decide(p);
    }
    p->busy = false;
    xds_priority_publish(p, &choice);
}

/* ---- what children say ---- */

/* PR-e */
static bool starts_to_wait(const struct xds_priority_place *child,
                           enum xds_connectivity before)
{
    const enum xds_priority_restart restart = child->owner->ways.restart;

    if (is_pending(child))
        return false;
    if (restart == RESTART_UNLESS_FAILED)
        return !child->failed;
    return child->seen &&
           (restart != RESTART_ON_CHANGE || before != XDS_STATE_CONNECTING);
}

/* What a child has reported counts: its timer follows. */
void xds_priority_hear(struct xds_priority_place *child,
                       const struct xds_lb_report *report)
{
    const struct xds_priority_ways *ways = &child->owner->ways;
    const enum xds_connectivity before = child->report.state;

    child->report = *report;
    child->own_picker = false;
    if (is_parked(child) && ways->stores_parked)
        return;
    if (report->state != XDS_STATE_CONNECTING) {
        child->seen = is_usable(child);
        child->failed = !child->seen;
        stop_waiting(child);
    } else if (starts_to_wait(child, before)) {
        start_waiting(child);
        if (ways->restart == RESTART_ONCE)
            child->seen = false;
    }
}

static void report_at_once(struct xds_priority_place *child,
                           const struct xds_lb_report *report)
{
    xds_priority_hear(child, report);
    if (!is_parked(child) || !child->owner->ways.stores_parked)
        choose(child->owner);
}

static const struct xds_priority_algorithm at_once = {
    .fired = choose, .report = report_at_once, .update = choose};

static void child_report(struct xds_policy *self, struct xds_policy *policy)
{
    struct xds_priority *p = priority_of(self);
    struct xds_priority_place *child = xds_strmap_get(&p->by_name, policy->name);

    p->algorithm->report(child, &policy->report);
}

static void reresolution(struct xds_policy *self, struct xds_policy *policy)
{
    const struct xds_priority_place *child =
        xds_strmap_get(&priority_of(self)->by_name, policy->name);
    const bool ignores = child->ignores_reresolution;

    xds_machine_say(self->machine, self->name,
                    "%.*s asks to resolve names again: the request is %s",
                    XDS_FMT(child->name), ignores ? "ignored" : "passed on");
    if (!ignores)
        xds_policy_reresolve(self);
}

/* ---- what the parent wants ---- */

/* To the child in use, or (7.2/8) to all that are not deactivated. */
static void exit_idle(struct xds_policy *self)
{
    const struct xds_priority *p = priority_of(self);

    for (size_t i = 0; i < p->n_places; i++) {
        const struct xds_priority_place *child = p->places[i];

        if (child->policy && !is_parked(child) &&
            (child == p->used || p->algorithm->exits_all))
            xds_policy_exit_idle(child->policy);
    }
}

/* To all that the list of priorities names. */
static void resolver_error(struct xds_policy *self, struct xds_slice status)
{
    const struct xds_priority *p = priority_of(self);
    bool any = false;

    for (size_t i = 0; i < p->n_priorities; i++) {
        if (!p->priorities[i]->policy)
            continue;
        any = true;
        xds_policy_resolver_error(p->priorities[i]->policy, status);
    }
    if (!any)
        xds_policy_fail(self, status);
}

static struct xds_pick_result pick(struct xds_policy *self,
                                   const struct xds_pick_call *call)
{
    const struct xds_priority_place *used = priority_of(self)->used;

    if (!self->report.has_picker)
        return (struct xds_pick_result){.kind = XDS_PICK_QUEUE,
                                        .reason = XDS_S("no priority has a picker yet")};
    if (!used || used->own_picker)
        return (struct xds_pick_result){.kind = XDS_PICK_FAIL,
                                        .reason = self->report.status};
    return used->policy->ops->pick(used->policy, call);
}

static void shares(struct xds_policy *self, const struct xds_pick_call *call,
                   struct xds_share part, struct xds_pick_shares *out)
{
    const struct xds_priority_place *used = priority_of(self)->used;

    if (used && used->policy && !used->own_picker)
        used->policy->ops->shares(used->policy, call, part, out);
}

static void destroy(struct xds_policy *self)
{
    struct xds_priority *p = priority_of(self);

    p->busy = true; /* nothing is chosen any more */
    p->used = NULL;
    for (size_t i = 0; i < p->n_places; i++)
        if (p->places[i]->policy)
            destroy_child(p->places[i]);
}

static const struct xds_policy_ops ops = {
    .name = "priority_experimental",
    .child_report = child_report,
    .reresolution = reresolution,
    .exit_idle = exit_idle,
    .resolver_error = resolver_error,
    .pick = pick,
    .shares = shares,
    .destroy = destroy,
};

static enum xds_priority_restart restart_of(const struct xds_machine *machine)
{
    if (XDS_DIFFERS(machine, XDS_DIFF_PRIORITY_TIMED_AGAIN))
        return RESTART_UNLESS_FAILED;
    if (XDS_DIFFERS(machine, XDS_DIFF_PRIORITY_TIMED_ON_CHANGE))
        return RESTART_ON_CHANGE;
    return XDS_DIFFERS(machine, XDS_DIFF_PRIORITY_TIMED_ONCE) ? RESTART_ONCE
                                                              : RESTART_IF_NOT_PENDING;
}

/* Those of the release that was asked for. */
static struct xds_priority_ways ways_of(const struct xds_machine *machine)
{
    struct xds_priority_ways ways = {
        .fired = XDS_DIFFERS(machine, XDS_DIFF_PRIORITY_TIMER_SKIPS) ? FIRED_NOTHING
                 : XDS_DIFFERS(machine, XDS_DIFF_PRIORITY_TIMER_FAILS_RPCS)
                     ? FIRED_FAILS_ITS_RPCS
                     : FIRED_FAILS,
        .restart = restart_of(machine),
        .stores_parked = XDS_DIFFERS(machine, XDS_DIFF_PRIORITY_PARKED_STORED),
        .first_flag = XDS_DIFFERS(machine, XDS_DIFF_PRIORITY_FIRST_FLAG),
        .keeps_used = XDS_DIFFERS(machine, XDS_DIFF_PRIORITY_KEPT),
    };

    if (ways.keeps_used) {
        ways.fired = FIRED_FAILS_RPCS;
        ways.restart = RESTART_IF_NOT_PENDING;
    }
    return ways;
}

struct xds_policy *xds_priority_new(struct xds_machine *machine,
                                    struct xds_policy *parent, struct xds_slice name,
                                    struct xds_priority_timing timing,
                                    struct xds_child_maker maker)
{
    struct xds_priority *p = XDS_NEW(machine->arena, struct xds_priority);

    p->policy =
        xds_policy_new(&ops, machine, parent, xds_arena_dup(machine->arena, name));
    p->maker = maker;
    p->timing = timing;
    p->ways = ways_of(machine);
    p->algorithm =
        XDS_DIFFERS(machine, XDS_DIFF_PRIORITY_QUEUES) ? &xds_priority_queued : &at_once;
    xds_strmap_init(&p->by_name, machine->arena);
    return &p->policy;
}

/* ---- a config ---- */

/* Absent, or why the config is invalid. */
static struct xds_slice check(const struct xds_priority *p,
                              const struct xds_priority_config *config)
{
    struct xds_machine *machine = p->policy.machine;
    const bool lists_all = XDS_DIFFERS(machine, XDS_DIFF_PRIORITY_IDLE_ENTRIES_REFUSED);
    const struct xds_slice *duplicate = NULL;
    struct xds_strmap children, listed;

    xds_strmap_init(&children, machine->step_arena);
    xds_strmap_init(&listed, machine->step_arena);
    for (size_t i = 0; i < config->n_children; i++)
        *xds_strmap_at(&children, config->children[i].name) = &children;
    for (size_t i = 0; i < config->n_priorities; i++) {
        const struct xds_slice *name = &config->priorities[i];
        void **slot = xds_strmap_at(&listed, *name);

        if (!xds_strmap_get(&children, *name))
            return xds_arena_printf(machine->step_arena,
                                    "priority \"%.*s\" has no entry in children",
                                    XDS_FMT(*name));
        if (*slot && !duplicate)
            duplicate = name;
        *slot = &listed;
    }
    if (config->n_priorities == 0 &&
        XDS_DIFFERS(machine, XDS_DIFF_PRIORITY_EMPTY_REFUSED))
        return XDS_S("the list of priorities is empty");
    if (duplicate && XDS_DIFFERS(machine, XDS_DIFF_PRIORITY_DUPLICATES_REFUSED))
        return xds_arena_printf(machine->step_arena, "priority \"%.*s\" is listed twice",
                                XDS_FMT(*duplicate));
    for (size_t i = 0; lists_all && i < config->n_children; i++)
        if (!xds_strmap_get(&listed, config->children[i].name))
            return xds_arena_printf(machine->step_arena,
                                    "child \"%.*s\" is in no priority",
                                    XDS_FMT(config->children[i].name));
    return (struct xds_slice){0};
}

/* Of a name that appears twice the first place counts. */
static void take_names(struct xds_priority *p, const struct xds_priority_config *config)
{
    for (size_t i = 0; i < p->n_places; i++)
        p->places[i]->in_config = p->places[i]->in_priorities = false;
    p->n_priorities = 0;
    p->listed_twice = NULL;
    for (size_t i = 0; i < config->n_children; i++) {
        struct xds_priority_place *child = place_of(p, config->children[i].name);

        child->in_config = true;
        child->ignores_in_config = config->children[i].ignores_reresolution;
        child->addresses.n = 0;
    }
    for (size_t i = 0; i < config->n_priorities; i++) {
        struct xds_priority_place *child = place_of(p, config->priorities[i]);

        if (child->in_priorities) {
            p->listed_twice = child;
            continue;
        }
        child->in_priorities = true;
        p->priorities =
            xds_arena_room(p->policy.machine->arena, p->priorities, p->n_priorities,
                           &p->cap_priorities, sizeof(struct xds_priority_place *));
        p->priorities[p->n_priorities++] = child;
    }
}

/* The first name of a path is that of the child, which gets the rest of it. What belongs
 * to no child of the config is dropped. */
static void take_addresses(struct xds_priority *p,
                           const struct xds_priority_config *config)
{
    for (size_t i = 0; i < config->n_addresses; i++) {
        const struct xds_path_address *a = &config->addresses[i];
        struct xds_priority_place *child =
            a->n_path ? xds_strmap_get(&p->by_name, a->path[0]) : NULL;

        if (child && child->in_config)
            append(p->policy.machine->arena, &child->addresses,
                   (struct xds_path_address){a->address, a->path + 1, a->n_path - 1});
    }
}

/* PR-a. Where reports queue a deactivated child is in a cache that no config reaches. */
static void remove_child(struct xds_priority_place *child)
{
    struct xds_priority *p = child->owner;
    const struct xds_machine *machine = p->policy.machine;
    const bool cached = p->algorithm->caches && is_parked(child);
    const bool keeps = p->timing.retention_ms &&
                       XDS_ENV_ON(machine, XDS_ENV_PRIORITY_CHILD_POLICY_CACHE);

    if (cached || keeps) {
        child->was_dropped = p->algorithm->caches;
        deactivate(child, XDS_S("it is no longer in the config"));
        return;
    }
    XDS_SAY(p, "%.*s is destroyed because it is no longer in the config",
            XDS_FMT(child->name));
    destroy_child(child);
}

static void tell_children(struct xds_priority *p)
{
    for (size_t i = 0; i < p->n_places; i++) {
        struct xds_priority_place *child = p->places[i];

        if (!child->policy)
            continue;
        if (!child->in_config)
            remove_child(child);
        else if (!p->algorithm->caches || !is_parked(child))
            xds_priority_tell(child);
    }
}

struct xds_slice xds_priority_update(struct xds_policy *self,
                                     const struct xds_priority_config *config)
{
    struct xds_priority *p = priority_of(self);
    const struct xds_slice error = check(p, config);

    if (error.data) {
        xds_machine_say(self->machine, self->name,
                        "the new config is rejected, the old one is kept: %.*s",
                        XDS_FMT(error));
        return error;
    }
    p->busy = true;
    p->has_config = true;
    take_names(p, config);
    take_addresses(p, config);
    tell_children(p);
    p->busy = false;
    p->algorithm->update(p);
    return error;
}

/* ---- looking at it ---- */

size_t xds_priority_size(const struct xds_policy *self)
{
    return ((const struct xds_priority *)(const void *)self)->n_places;
}

static bool look_at(const struct xds_priority_place *child,
                    struct xds_priority_child *out)
{
    if (!child || !child->policy)
        return false;
    *out = (struct xds_priority_child){
        .name = child->name,
        .policy = child->policy,
        .report = child->report,
        .in_use = child == child->owner->used,
        .fails_for_it = child->own_picker,
        .failover_pending = is_pending(child),
        .deactivated = is_parked(child),
        .failover_ms = child->failover.at_ms,
        .deactivation_ms = child->deactivation.at_ms,
        .addresses = child->told.list,
        .n_addresses = child->told.n,
    };
    return true;
}

bool xds_priority_at(const struct xds_policy *self, size_t i,
                     struct xds_priority_child *out)
{
    return look_at(((const struct xds_priority *)(const void *)self)->places[i], out);
}

bool xds_priority_in_use(const struct xds_policy *self, struct xds_priority_child *out)
{
    return look_at(((const struct xds_priority *)(const void *)self)->used, out);
}

bool xds_priority_find(const struct xds_policy *self, struct xds_slice name,
                       struct xds_priority_child *out)
{
    const struct xds_priority *p = (const struct xds_priority *)(const void *)self;

    return p && look_at(xds_strmap_get(&p->by_name, name), out);
}
