/*
 * priority_queued.c - priority_experimental with its reports in a queue.
 *
 * A child is started or stopped (deactivated). What it reports is heard after all that is
 * being done, and only if it is started then; but the last report of a stopped child is
 * kept with it, and is what it says first when it is started again. Whichever child is
 * used, those below it are stopped before it is started.
 *
 * Source: grpc-go's internal/xds/balancer/priority and internal/balancergroup; spec PR-a,
 *         PR-b, PR-d, PR-f to PR-h, PR-j to PR-l.
 */
#include "lb/policy/priority.h"

static bool is_started(const struct xds_priority_place *child)
{
    return child->policy && !is_parked(child);
}

static void push_news(struct xds_priority_place *child,
                      const struct xds_lb_report *report)
{
    struct xds_priority_queue *queue = &child->owner->queue;

    queue->list = xds_arena_room(child->owner->policy.machine->arena, queue->list,
                                 queue->n, &queue->cap, sizeof *queue->list);
    queue->list[queue->n++] = (struct xds_priority_news){child, *report};
}

static const char *why_queued(const struct xds_priority_place *child)
{
    if (is_started(child) && is_usable(child))
        return "";
    if (!is_started(child) || is_pending(child))
        return " as long as it has time to connect";
    return " because none works and it comes last";
}

static void start_child(struct xds_priority *p, size_t index)
{
    struct xds_priority_place *child = p->priorities[index];

    if (!child->policy) {
        xds_priority_create(child, xds_priority_reason(p, index));
        return;
    }
    xds_priority_reactivate(child);
    if (child->policy->n_reports > 0)
        push_news(child, &child->policy->report);
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
    XDS_SAY(p,
            "%.*s is listed twice: from now on the client stops and starts it "
            "without end",
            XDS_FMT(used->name));
}

static void choose_queued(struct xds_priority *p,
                          const struct xds_priority_place *updating)
{
    if (p->n_priorities == 0)
        return;
    size_t index = 0;

    /* The first that is new, usable or has time, or else the last. */
    while (index + 1 < p->n_priorities && is_started(p->priorities[index]) &&
           !is_usable(p->priorities[index]) && !is_pending(p->priorities[index]))
        index++;
    struct xds_priority_place *child = p->priorities[index];
    const struct xds_priority_choice choice = {child, why_queued(child), false};

    if (!is_started(child))
        child->report = XDS_LB_REPORT_NEW;
    if (child != p->used || child == updating)
        xds_priority_publish(p, &choice);
    p->used = child;
    xds_priority_deactivate_below(p, index);
    tell_of_livelock(p, child);
    if (!is_started(child))
        start_child(p, index);
}

static void work_off(struct xds_priority *p)
{
    struct xds_priority_queue *queue = &p->queue;

    while (queue->at < queue->n) {
        const struct xds_priority_news news = queue->list[queue->at++];
        struct xds_priority_place *child = news.child;

        if (!child->in_config || !is_started(child)) {
            XDS_SAY(p,
                    "what %.*s reports is kept until it is used again: it is deactivated",
                    XDS_FMT(child->name));
            continue;
        }
        xds_priority_hear(child, &news.report);
        if (!p->holds)
            choose_queued(p, child);
    }
    queue->at = queue->n = 0;
}

static void fired(struct xds_priority *p)
{
    p->busy = true;
    choose_queued(p, NULL);
    work_off(p);
    p->busy = false;
}

static void update(struct xds_priority *p)
{
    p->busy = true;
    p->holds = true;
    work_off(p);
    p->holds = false;
    if (p->n_priorities == 0)
        xds_priority_publish(p, &(struct xds_priority_choice){NULL, "", true});
    choose_queued(p, p->used);
    work_off(p);
    p->busy = false;
}

static void queue_report(struct xds_priority_place *child,
                         const struct xds_lb_report *report)
{
    struct xds_priority *p = child->owner;

    push_news(child, report);
    if (p->busy)
        return;
    p->busy = true;
    work_off(p);
    p->busy = false;
}

const struct xds_priority_algorithm xds_priority_queued = {.fired = fired,
                                                           .report = queue_report,
                                                           .update = update,
                                                           .caches = true,
                                                           .exits_all = true};
