/*
 * priority.c - which child of priority_experimental takes the RPCs, as time continues.
 *
 * Source: gRFC A56, A115; spec routing 7.
 */
#include "clients/readers.h"
#include "lb/priority_parts.h"

static const struct xds_priority_ways all_ways[XDS_CLIENTS] = {
    [XDS_CLIENT_GRFC] = {.fired = XDS_FIRED_FAILS, .restart = XDS_RESTART_IF_NOT_PENDING},
    [XDS_CLIENT_CORE] = {.restart = XDS_RESTART_ONCE},
    [XDS_CLIENT_GO] = {.restart = XDS_RESTART_ON_CHANGE,
                       .queues = true,
                       .refuses = XDS_REFUSES_IDLE_ENTRIES},
    [XDS_CLIENT_JAVA] = {.restart = XDS_RESTART_ON_CHANGE,
                         .stores_parked = true,
                         .first_flag = true,
                         .refuses = XDS_REFUSES_IDLE_ENTRIES | XDS_REFUSES_NO_PRIORITY |
                                    XDS_REFUSES_DUPLICATES},
    [XDS_CLIENT_NODE] = {.fired = XDS_FIRED_FAILS_ITS_RPCS,
                         .restart = XDS_RESTART_IF_NOT_PENDING,
                         .first_flag = true},
};

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

        if (!child->policy || xds_priority_is_parked(child))
            continue;
        if (!why.data)
            why = xds_priority_is_usable(winner)
                      ? say_state(winner)
                      : xds_arena_printf(p->policy.machine->step_arena,
                                         "%.*s comes before it and gets time to connect",
                                         XDS_FMT(winner->name));
        xds_priority_deactivate(child, why);
    }
}

/* PR-n: a new one is in use from the beginning. */
static void begin_with(struct xds_priority *p, size_t index)
{
    if (p->ways->keeps_used)
        p->used = p->priorities[index];
    xds_priority_create(p->priorities[index], xds_priority_reason(p, index));
}

static bool is_kept(const struct xds_priority *p, const struct xds_priority_place *child)
{
    return p->ways->keeps_used && child == p->used &&
           child->report.state != XDS_STATE_TRANSIENT_FAILURE;
}

/* The first child that is usable or still has time, or n. All before it have failed. */
static size_t find_first(struct xds_priority *p)
{
    for (size_t i = 0; i < p->n_priorities; i++) {
        struct xds_priority_place *child = p->priorities[i];

        if (child->policy)
            xds_priority_reactivate(child);
        else
            begin_with(p, i);
        if (xds_priority_is_usable(child) || xds_priority_is_pending(child) ||
            is_kept(p, child))
            return i;
    }
    return p->n_priorities;
}

/* When none is usable: the first that may become so, or the last one, whose error is the
 * one to tell. */
static struct xds_priority_choice choose_least_bad(const struct xds_priority *p)
{
    for (size_t i = 0; i < p->n_priorities && !p->ways->keeps_used; i++)
        if (p->priorities[i]->report.state == XDS_STATE_CONNECTING)
            return (struct xds_priority_choice){
                p->priorities[i], " because none works and it may yet connect", false};
    return (struct xds_priority_choice){p->priorities[p->n_priorities - 1],
                                        " because none works and it comes last",
                                        p->ways->keeps_used};
}

static struct xds_priority_choice decide(struct xds_priority *p)
{
    if (p->n_priorities == 0)
        return (struct xds_priority_choice){NULL, "", true};
    const size_t first = find_first(p);

    if (first == p->n_priorities)
        return choose_least_bad(p);
    const bool usable = xds_priority_is_usable(p->priorities[first]);

    if (usable)
        xds_priority_deactivate_below(p, first);
    return (struct xds_priority_choice){p->priorities[first],
                                        usable ? ""
                                        : xds_priority_is_pending(p->priorities[first])
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
           !xds_slice_eq(report->picker, old->picker);
}

static void explain(const struct xds_priority *p,
                    const struct xds_priority_choice *choice,
                    const struct xds_lb_report *report)
{
    if (choice->used)
        xds_machine_say(p->policy.machine, p->policy.name, "%.*s is used%s: %s, %s",
                        XDS_FMT(choice->used->name), choice->why,
                        xds_connectivity_name(report->state),
                        what_becomes_of_rpcs(report));
    else
        xds_machine_say(p->policy.machine, p->policy.name,
                        "no child is used because there is no priority: RPCs fail");
}

/* What the child has said continues unchanged. */
void xds_priority_publish(struct xds_priority *p,
                          const struct xds_priority_choice *choice)
{
    struct xds_lb_report report = choice->used ? choice->used->report : report_of_none;

    if (choice->fails)
        report.state = XDS_STATE_TRANSIENT_FAILURE;
    if (is_news(p, choice->used, &report))
        explain(p, choice, &report);
    p->used = choice->used;
    xds_policy_report(&p->policy, report);
}

/* A child that is created may report at once: then what was decided so far may be wrong,
 * and the same question is asked again. */
void xds_priority_choose(struct xds_priority *p)
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
    const enum xds_priority_restart restart = child->owner->ways->restart;

    if (xds_priority_is_pending(child))
        return false;
    if (restart == XDS_RESTART_UNLESS_FAILED)
        return !child->failed;
    return child->seen &&
           (restart != XDS_RESTART_ON_CHANGE || before != XDS_STATE_CONNECTING);
}

static void follow_connecting(struct xds_priority_place *child,
                              enum xds_connectivity before)
{
    if (!starts_to_wait(child, before))
        return;
    xds_priority_wait(child);
    if (child->owner->ways->restart == XDS_RESTART_ONCE)
        child->seen = false;
}

static void follow(struct xds_priority_place *child, enum xds_connectivity before)
{
    if (child->report.state == XDS_STATE_CONNECTING) {
        follow_connecting(child, before);
        return;
    }
    child->seen = xds_priority_is_usable(child);
    child->failed = !child->seen;
    xds_priority_stop_waiting(child);
}

void xds_priority_hear(struct xds_priority_place *child,
                       const struct xds_lb_report *report)
{
    const enum xds_connectivity before = child->report.state;

    child->report = *report;
    child->own_picker = false;
    if (!xds_priority_is_parked(child) || !child->owner->ways->stores_parked)
        follow(child, before);
}

static void child_report(struct xds_policy *self, struct xds_policy *policy)
{
    struct xds_priority *p = xds_priority_of(self);
    struct xds_priority_place *child = xds_strmap_get(&p->by_name, policy->name);

    if (p->ways->queues) {
        xds_priority_queue_report(child, &policy->report);
        return;
    }
    xds_priority_hear(child, &policy->report);
    if (!xds_priority_is_parked(child) || !p->ways->stores_parked)
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

/* ---- what the parent wants ---- */

/* To the child in use, or (7.2/8) to all that are not deactivated. */
static void exit_idle(struct xds_policy *self)
{
    const struct xds_priority *p = xds_priority_of(self);

    for (size_t i = 0; i < p->n_places; i++) {
        const struct xds_priority_place *child = p->places[i];

        if (child->policy && !xds_priority_is_parked(child) &&
            (child == p->used || p->ways->queues))
            xds_policy_exit_idle(child->policy);
    }
}

/* To all that the list of priorities names. */
static void resolver_error(struct xds_policy *self, struct xds_slice status)
{
    const struct xds_priority *p = xds_priority_of(self);
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
    .resolver_error = resolver_error,
    .pick = pick,
    .destroy = destroy,
};

/* Those of the release that was asked for. */
static const struct xds_priority_ways *ways_of(const struct xds_machine *machine)
{
    struct xds_priority_ways *ways = XDS_NEW(machine->arena, struct xds_priority_ways);

    *ways = all_ways[xds_client_as(machine->client)];
    if (xds_differs(machine->options, machine->client, XDS_DIFF_PRIORITY_TIMED_AGAIN))
        ways->restart = XDS_RESTART_UNLESS_FAILED;
    if (xds_differs(machine->options, machine->client, XDS_DIFF_PRIORITY_KEPT)) {
        ways->fired = XDS_FIRED_FAILS_RPCS;
        ways->restart = XDS_RESTART_IF_NOT_PENDING;
        ways->keeps_used = true;
    }
    return ways;
}

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
    p->ways = ways_of(machine);
    xds_strmap_init(&p->by_name, machine->arena);
    return &p->policy;
}

/* ---- looking at it ---- */

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
        .failover_pending = xds_priority_is_pending(child),
        .deactivated = xds_priority_is_parked(child),
        .addresses = child->told.list,
        .n_addresses = child->told.n,
    };
    return true;
}
