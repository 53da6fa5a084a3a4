/*
 * priority_queue.c - priority_experimental of a client in which reports wait in a queue.
 *
 * A child is started or stopped (deactivated). What it reports is heard after all that is
 * being done, and only if it is started then; but the last report of a stopped child is
 * kept with it, and is what it says first when it is started again. Whichever child is
 * used, those below it are stopped before it is started.
 *
 * Events: a report leaves the queue, a failover timer fires, an update is applied.
 * Source: grpc-go's internal/xds/balancer/priority and internal/balancergroup; spec
 *         routing 7.6.
 */
#include "lb/priority_parts.h"

static bool is_started(const struct xds_priority_place *child)
{
    return child->policy && !xds_priority_is_parked(child);
}

static void push(struct xds_priority_place *child, const struct xds_lb_report *report)
{
    struct xds_priority_queue *queue = &child->owner->queue;

    queue->list = xds_arena_room(child->owner->policy.machine->arena, queue->list,
                                 queue->n, &queue->cap, sizeof *queue->list);
    queue->list[queue->n++] = (struct xds_priority_news){child, *report};
}

/* ---- choosing ---- */

/* The first that is new, usable or has time, or else the last. */
static size_t find(const struct xds_priority *p)
{
    size_t i = 0;

    while (i + 1 < p->n_priorities && is_started(p->priorities[i]) &&
           !xds_priority_is_usable(p->priorities[i]) &&
           !xds_priority_is_pending(p->priorities[i]))
        i++;
    return i;
}

static const char *why(const struct xds_priority_place *child)
{
    if (is_started(child) && xds_priority_is_usable(child))
        return "";
    if (!is_started(child) || xds_priority_is_pending(child))
        return " as long as it has time to connect";
    return " because none works and it comes last";
}

static void start(struct xds_priority *p, size_t index)
{
    struct xds_priority_place *child = p->priorities[index];

    if (!child->policy) {
        xds_priority_create(child, xds_priority_reason(p, index));
        return;
    }
    xds_priority_reactivate(child);
    if (child->policy->n_reports > 0)
        push(child, &child->policy->report);
    xds_priority_begin(child);
    xds_priority_tell(child);
}

/* 7.3/4: whenever it is used it stops itself as one of those below, is started again, and
 * repeats its last report, which makes the policy choose again. */
static void tell_of_livelock(struct xds_priority *p,
                             const struct xds_priority_place *used)
{
    if (used != p->listed_twice || !is_started(used) || used->policy->n_reports == 0 ||
        used->report.state == XDS_STATE_TRANSIENT_FAILURE)
        return;
    p->listed_twice = NULL;
    xds_machine_say(p->policy.machine, p->policy.name,
                    "%.*s is listed twice: from now on the client stops and starts it "
                    "without end",
                    XDS_FMT(used->name));
}

static void choose(struct xds_priority *p, const struct xds_priority_place *updating)
{
    if (p->n_priorities == 0)
        return;
    const size_t index = find(p);
    struct xds_priority_place *child = p->priorities[index];
    const struct xds_priority_choice choice = {child, why(child), false};

    if (!is_started(child))
        child->report = XDS_LB_REPORT_NEW;
    if (child != p->used || child == updating)
        xds_priority_publish(p, &choice);
    p->used = child;
    xds_priority_deactivate_below(p, index);
    tell_of_livelock(p, child);
    if (!is_started(child))
        start(p, index);
}

/* ---- events ---- */

static void hear(struct xds_priority *p, const struct xds_priority_news *news)
{
    struct xds_priority_place *child = news->child;

    if (!child->in_config || !is_started(child)) {
        xds_machine_say(p->policy.machine, p->policy.name,
                        "what %.*s reports is kept until it is used again: it is "
                        "deactivated",
                        XDS_FMT(child->name));
        return;
    }
    xds_priority_hear(child, &news->report);
    if (!p->holds)
        choose(p, child);
}

static void work_off(struct xds_priority *p)
{
    struct xds_priority_queue *queue = &p->queue;

    while (queue->at < queue->n) {
        const struct xds_priority_news news = queue->list[queue->at++];

        hear(p, &news);
    }
    queue->at = queue->n = 0;
}

void xds_priority_queue_report(struct xds_priority_place *child,
                               const struct xds_lb_report *report)
{
    struct xds_priority *p = child->owner;

    push(child, report);
    if (p->busy)
        return;
    p->busy = true;
    work_off(p);
    p->busy = false;
}

void xds_priority_queue_fired(struct xds_priority *p)
{
    p->busy = true;
    choose(p, NULL);
    work_off(p);
    p->busy = false;
}

void xds_priority_queue_updated(struct xds_priority *p)
{
    static const struct xds_priority_choice none = {NULL, "", true};

    p->holds = true;
    work_off(p);
    p->holds = false;
    if (p->n_priorities == 0)
        xds_priority_publish(p, &none);
    choose(p, p->used);
    work_off(p);
    p->busy = false;
}
