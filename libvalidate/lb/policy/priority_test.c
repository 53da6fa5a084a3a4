/* priority_test.c - what a whole client asks of priority_experimental. */
#include <criterion/criterion.h>

#include "lb/policy/priority_test.h"

/* "ab": two children, in this order of priority. */
static void configure(struct fixture *w, const char *names)
{
    struct xds_priority_entry children[KIDS] = {0};
    struct xds_slice priorities[KIDS];
    const size_t n = strlen(names);

    for (size_t i = 0; i < n; i++)
        children[i].name = priorities[i] = xds_slice_make(names + i, 1);
    xds_priority_update(w->priority, &(struct xds_priority_config){
                                         .children = children,
                                         .n_children = n,
                                         .priorities = priorities,
                                         .n_priorities = n,
                                     });
}

static void report(struct fixture *w, char name, enum xds_connectivity state)
{
    xds_policy_report(&w->kids[name - 'a'].policy, as_report((int)state, 0));
}

static struct xds_pick_result pick(struct fixture *w)
{
    return w->priority->ops->pick(w->priority, &(struct xds_pick_call){0});
}

/* ---- what a whole client asks of it ---- */

Test(priority, rpcs_queue_before_there_is_a_config_or_a_picker)
{
    struct fixture w;

    fixture_init(&w, XDS_CLIENT_CORE);
    cr_expect_eq(pick(&w).kind, XDS_PICK_QUEUE);
    configure(&w, "ab");
    cr_expect_eq(pick(&w).kind, XDS_PICK_QUEUE);
    fixture_release(&w);
}

Test(priority, rpcs_go_where_the_child_in_use_sends_them)
{
    struct fixture w;

    fixture_init(&w, XDS_CLIENT_CORE);
    configure(&w, "ab");
    report(&w, 'a', XDS_STATE_TRANSIENT_FAILURE);
    report(&w, 'b', XDS_STATE_READY);
    cr_expect_eq(pick(&w).kind, XDS_PICK_COMPLETE);
    cr_expect(xds_slice_is(pick(&w).address, "b"));
    fixture_release(&w);
}

Test(priority, rpcs_fail_without_priorities)
{
    struct fixture w;

    fixture_init(&w, XDS_CLIENT_CORE);
    configure(&w, "");
    cr_expect_eq(pick(&w).kind, XDS_PICK_FAIL);
    cr_expect(xds_slice_is(pick(&w).reason, "priority policy has empty priority list"));
    fixture_release(&w);
}

Test(priority, node_fails_the_rpcs_of_a_child_that_is_too_slow)
{
    struct fixture w;

    fixture_init(&w, XDS_CLIENT_NODE);
    configure(&w, "a");
    report(&w, 'a', XDS_STATE_CONNECTING);
    xds_clock_advance(&w.machine.clock, 10000);
    cr_expect_eq(pick(&w).kind, XDS_PICK_FAIL);
    cr_expect(xds_slice_is(pick(&w).reason, "failover timer fired"));
    report(&w, 'a', XDS_STATE_CONNECTING);
    cr_expect_eq(pick(&w).kind, XDS_PICK_COMPLETE, "its own picker counts again");
    fixture_release(&w);
}

Test(priority, only_the_child_in_use_leaves_idle)
{
    struct fixture w;

    fixture_init(&w, XDS_CLIENT_CORE);
    w.priority->ops->exit_idle(w.priority);
    configure(&w, "ab");
    report(&w, 'a', XDS_STATE_TRANSIENT_FAILURE);
    report(&w, 'b', XDS_STATE_IDLE);
    w.priority->ops->exit_idle(w.priority);
    cr_expect_eq(w.kids[0].woken, 0);
    cr_expect_eq(w.kids[1].woken, 1);
    fixture_release(&w);
}

Test(priority, a_request_to_resolve_again_goes_on_unless_the_config_says_no)
{
    struct fixture w;
    const struct xds_priority_entry children[] = {{XDS_S("a"), true},
                                                  {XDS_S("b"), false}};
    const struct xds_slice priorities[] = {XDS_S("a"), XDS_S("b")};

    fixture_init(&w, XDS_CLIENT_CORE);
    xds_priority_update(w.priority,
                        &(struct xds_priority_config){.children = children,
                                                      .n_children = 2,
                                                      .priorities = priorities,
                                                      .n_priorities = 2});
    report(&w, 'a', XDS_STATE_TRANSIENT_FAILURE);
    xds_policy_reresolve(&w.kids[0].policy);
    cr_expect_eq(w.requests, 0);
    xds_policy_reresolve(&w.kids[1].policy);
    cr_expect_eq(w.requests, 1);
    fixture_release(&w);
}

Test(priority, nothing_is_left_running_when_it_is_destroyed)
{
    struct fixture w;

    fixture_init(&w, XDS_CLIENT_CORE);
    configure(&w, "abc");
    report(&w, 'a', XDS_STATE_TRANSIENT_FAILURE);
    report(&w, 'b', XDS_STATE_READY);
    report(&w, 'a', XDS_STATE_READY);
    w.priority->ops->destroy(w.priority);
    cr_expect_eq(w.machine.clock.n, 0);
    cr_expect_null(w.kids[0].policy.parent);
    cr_expect_null(w.kids[1].policy.parent);
    fixture_release(&w);
}

Test(priority, the_cache_of_java_comes_back_with_its_environment_variable)
{
    struct fixture w;

    const char *hint;

    fixture_init(&w, XDS_CLIENT_JAVA);
    cr_assert_eq(xds_options_set_env(&w.options,
                                     XDS_S("GRPC_EXPERIMENTAL_ENABLE_PRIORITY_LB_"
                                           "CHILD_POLICY_CACHE=true"),
                                     &hint),
                 XDS_OK);
    configure(&w, "a");
    configure(&w, "b");
    cr_expect_not_null(child_of(&w, 0).policy);
    cr_expect(child_of(&w, 0).deactivated);
    fixture_release(&w);
}

Test(priority, memory_grows_with_names_not_with_events)
{
    struct fixture w;

    fixture_init(&w, XDS_CLIENT_CORE);
    struct xds_arena step_arena;

    xds_arena_init(&step_arena, 0);
    w.machine.step_arena = &step_arena;
    for (int round = 0; round < 4; round++)
        configure(&w, round % 2 ? "abc" : "edcba");
    const size_t used = w.arena.used;

    for (int round = 0; round < 1000; round++) {
        configure(&w, round % 2 ? "abc" : "edcba");
        report(&w, round % 2 ? 'a' : 'e', XDS_STATE_TRANSIENT_FAILURE);
        xds_clock_advance(&w.machine.clock, 1000000 * (int64_t)round);
    }
    cr_expect_lt(w.arena.used - used, 4096);
    xds_arena_release(&step_arena);
    fixture_release(&w);
}
