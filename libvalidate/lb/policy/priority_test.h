/* priority_test.h - a small world for tests of priority_experimental. */
#ifndef XDS_LB_PRIORITY_TEST_H
#define XDS_LB_PRIORITY_TEST_H

#include "lb/policy.h"

enum { KIDS = 5, LABELS = 4 };

static const char *const kid_names[KIDS] = {"a", "b", "c", "d", "e"};
static const char *const labels[LABELS] = {"x", "y", "z", "w"};

/* ---- children that say what they are asked to ---- */

struct kid {
    struct xds_policy policy; /* first */
    int says;                 /* a state that it reports when it is updated, or -1 */
    int woken;
};

struct fixture {
    struct xds_options options;
    struct xds_arena arena;
    struct xds_machine machine;
    struct xds_policy top;
    struct kid kids[KIDS];
    struct xds_policy *priority;
    int requests; /* for re-resolution, that arrived at the top */
};

static inline struct xds_lb_report as_report(int state, int label)
{
    return (struct xds_lb_report){.state = (enum xds_connectivity)state,
                                  .has_picker = true,
                                  .picker = xds_slice_of(labels[label])};
}

static inline void say(struct kid *kid)
{
    const int state = kid->says;

    kid->says = -1;
    if (state >= 0)
        xds_policy_report(&kid->policy, as_report(state, 0));
}

static inline void wake(struct xds_policy *self)
{
    ((struct kid *)(void *)self)->woken++;
}

static inline struct xds_pick_result pick_self(struct xds_policy *self,
                                               const struct xds_pick_call *call)
{
    (void)call;
    return (struct xds_pick_result){.kind = XDS_PICK_COMPLETE, .address = self->name};
}

static const struct xds_policy_ops kid_ops = {
    .name = "kid", .exit_idle = wake, .pick = pick_self};

static inline struct xds_policy *kid_create(void *user, struct xds_policy *parent,
                                            struct xds_slice name)
{
    struct fixture *w = user;
    struct kid *kid = &w->kids[*name.data - 'a'];

    kid->policy = (struct xds_policy){.ops = &kid_ops,
                                      .machine = &w->machine,
                                      .parent = parent,
                                      .name = name,
                                      .report = XDS_LB_REPORT_NEW};
    say(kid);
    return &kid->policy;
}

static inline void kid_update(void *user, struct xds_policy *child)
{
    (void)user;
    say((struct kid *)(void *)child);
}

static inline void kid_destroy(void *user, struct xds_policy *child)
{
    (void)user;
    child->parent = NULL;
}

static inline void count_request(struct xds_policy *self, struct xds_policy *child)
{
    (void)child;
    ((struct fixture *)(void *)((char *)self - offsetof(struct fixture, top)))
        ->requests++;
}

static const struct xds_policy_ops top_ops = {.name = "top",
                                              .reresolution = count_request};

static inline void fixture_start(struct fixture *w, enum xds_client client,
                                 struct xds_priority_timing timing)
{
    xds_arena_reset(&w->arena);
    xds_machine_init(&w->machine, &w->arena, &w->arena, &w->options, client);
    w->top = (struct xds_policy){.ops = &top_ops, .machine = &w->machine};
    w->requests = 0;
    memset(w->kids, 0, sizeof(w->kids));
    for (int i = 0; i < KIDS; i++)
        w->kids[i].says = -1;
    w->priority = xds_priority_new(
        &w->machine, &w->top, XDS_S("priority"), timing,
        (struct xds_child_maker){w, kid_create, kid_update, kid_destroy});
}

static inline void fixture_init(struct fixture *w, enum xds_client client)
{
    xds_options_init(&w->options);
    xds_arena_init(&w->arena, 0);
    fixture_start(w, client, XDS_PRIORITY_TIMING);
}

static inline void fixture_release(struct fixture *w)
{
    xds_arena_release(&w->arena);
}

/* One that does not exist has no policy. */
static inline struct xds_priority_child child_of(const struct fixture *w, int kid)
{
    struct xds_priority_child child;

    for (size_t i = 0; i < xds_priority_size(w->priority); i++)
        if (xds_priority_at(w->priority, i, &child) &&
            xds_slice_is(child.name, kid_names[kid]))
            return child;
    return (struct xds_priority_child){.policy = NULL};
}

#endif
