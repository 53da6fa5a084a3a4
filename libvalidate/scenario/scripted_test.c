/* scripted_test.c - children whose states are said, as a policy above them sees them. */
#include <criterion/criterion.h>

#include "scenario/scenario.h"

struct fixture {
    struct xds_arena arena;
    struct xds_play play;
    struct xds_step step;
    struct xds_scripted table;
    struct xds_policy parent;
};

static const struct xds_policy_ops parent_ops = {.name = "parent"};

static void fixture_init(struct fixture *w)
{
    *w = (struct fixture){0};
    xds_arena_init(&w->arena, 0);
    w->play.machine.arena = w->play.machine.step_arena = &w->arena;
    w->play.step = &w->step;
    w->step = (struct xds_step){.arena = &w->arena, .result = xds_tree_object()};
    w->parent = (struct xds_policy){.ops = &parent_ops, .machine = &w->play.machine};
    xds_scripted_init(&w->table, &w->play);
}

static struct xds_policy *create(struct fixture *w, const char *name)
{
    return w->table.maker.create(w->table.maker.user, &w->parent, xds_slice_of(name));
}

static struct xds_tree event_of(struct fixture *w, const char *child, const char *state,
                                const char *picker)
{
    struct xds_tree event = xds_tree_object();

    xds_tree_put(&w->arena, &event, "child", xds_tree_text(child));
    xds_tree_put(&w->arena, &event, "state", xds_tree_text(state));
    if (picker)
        xds_tree_put(&w->arena, &event, "picker", xds_tree_text(picker));
    return event;
}

static void say(struct fixture *w, const char *child, const char *state,
                const char *picker)
{
    const struct xds_tree event = event_of(w, child, state, picker);

    xds_scripted_report(&w->table, &event);
    cr_assert_not(w->play.failed);
}

static struct xds_pick_result pick(struct xds_policy *child)
{
    return child->ops->pick(child, &(struct xds_pick_call){0});
}

Test(scripted, a_new_child_is_connecting_and_queues)
{
    struct fixture w;

    fixture_init(&w);
    struct xds_policy *p0 = create(&w, "p0");

    cr_expect_eq(p0->report.state, XDS_STATE_CONNECTING);
    cr_expect_not(p0->report.has_picker);
    cr_expect_eq(pick(p0).kind, XDS_PICK_QUEUE);
    xds_arena_release(&w.arena);
}

Test(scripted, a_pick_tells_the_state_and_the_name)
{
    struct fixture w;

    fixture_init(&w);
    struct xds_policy *p0 = create(&w, "p0");

    say(&w, "p0", "READY", NULL);
    cr_expect_eq(pick(p0).kind, XDS_PICK_COMPLETE);
    cr_expect(xds_slice_is(pick(p0).address, "p0"));
    say(&w, "p0", "TRANSIENT_FAILURE", NULL);
    cr_expect_eq(pick(p0).kind, XDS_PICK_FAIL);
    cr_expect(xds_slice_is(pick(p0).reason, "p0 fails"));
    say(&w, "p0", "IDLE", NULL);
    cr_expect_eq(pick(p0).kind, XDS_PICK_QUEUE);
    xds_arena_release(&w.arena);
}

Test(scripted, a_label_outlives_its_event_and_is_kept_once)
{
    struct fixture w;
    char text[] = "x";

    fixture_init(&w);
    struct xds_policy *p0 = create(&w, "p0");

    say(&w, "p0", "READY", text);
    *text = 'y';
    cr_expect(xds_slice_is(p0->report.picker, "x"));
    say(&w, "p0", "READY", "x");
    cr_expect_eq(w.table.labels.n, 1);
    xds_arena_release(&w.arena);
}

Test(scripted, a_child_that_is_made_again_has_its_old_place_and_nothing_else)
{
    struct fixture w;

    fixture_init(&w);
    struct xds_policy *old = create(&w, "p0");

    say(&w, "p0", "READY", NULL);
    old->ops->exit_idle(old);
    w.table.maker.destroy(w.table.maker.user, old);
    struct xds_policy *new = create(&w, "p0");
    const struct xds_tree event = event_of(&w, "p0", "READY", NULL);

    cr_expect_eq(new, old);
    cr_expect_eq(new->report.state, XDS_STATE_CONNECTING);
    cr_expect_not(new->report.has_picker);
    cr_expect_eq(new->n_reports, 0);
    cr_expect_eq(xds_scripted_find(&w.table, &event, "child")->told_in, 0);
    cr_expect_eq(xds_tree_member(&w.step.result, "created")->n, 2);
    cr_expect_eq(xds_tree_member(&w.step.result, "deleted")->n, 1);
    xds_arena_release(&w.arena);
}
