/* override_host_test.c - the machine between a parent, a child and connections. */
#include <criterion/criterion.h>

#include "lb/policy/override_host_test.h"

enum {
    USUAL = XDS_HEALTH_BIT(XDS_HEALTH_UNKNOWN) | XDS_HEALTH_BIT(XDS_HEALTH_HEALTHY),
    DRAINS = USUAL | XDS_HEALTH_BIT(XDS_HEALTH_DRAINING),
    HOUR = 3600000,
};

static const struct test_host_row three[] = {
    {"a:1 a:2", XDS_HEALTH_HEALTHY}, {"b:1", XDS_HEALTH_UNKNOWN}, {"c:1", 0}, {NULL, 0}};

/* Three endpoints, all of the child's connections READY. */
static void start(struct test_host *t, enum xds_override_generation generation,
                  unsigned status, int64_t idle_ms)
{
    static const char *const addresses[] = {"a:1", "a:2", "b:1", "c:1"};

    test_host_init(t, generation);
    test_host_update(t, status, idle_ms, three);
    for (size_t i = 0; i < XDS_ARRAY_LEN(addresses); i++)
        cr_assert(test_host_say(t, addresses[i], XDS_STATE_READY));
}

static enum xds_subchannel_owner owner(const struct test_host *t, const char *address)
{
    const struct xds_override_entry *e =
        xds_override_host_find(t->host, xds_slice_of(address));

    cr_assert_not_null(e, "%s is not in the map", address);
    return e->owner;
}

static void expect_told(struct test_host *t, const char *told)
{
    cr_expect(xds_slice_is(t->told, told), "told \"%.*s\", not \"%s\"", XDS_FMT(t->told),
              told);
    t->told = (struct xds_slice){0};
}

/* ---- picks ---- */

Test(override_host_machine, a_pick_before_the_first_update_waits)
{
    struct test_host t;

    test_host_init(&t, XDS_OVERRIDE_A75);
    cr_expect_eq(test_host_pick(&t, NULL, NULL).kind, XDS_PICK_QUEUE);
    cr_expect_eq(test_host_pick(&t, "a:1", NULL).kind, XDS_PICK_QUEUE);
    cr_expect_not(test_host_say(&t, "a:1", XDS_STATE_READY));
    t.host->policy.ops->exit_idle(&t.host->policy);
    cr_expect_eq(t.n_exit_idle, 0);
    t.host->policy.ops->destroy(&t.host->policy);
    cr_expect_eq(t.n_destroyed, 0);
    test_host_release(&t);
}

Test(override_host_machine, the_address_used_leads_the_list_for_the_next_cookie)
{
    struct test_host t;
    struct xds_slice actual = {0};

    start(&t, XDS_OVERRIDE_A75, USUAL, HOUR);
    const struct xds_pick_result r = test_host_pick(&t, "a:2", &actual);
    cr_expect_eq(r.kind, XDS_PICK_COMPLETE);
    cr_expect(xds_slice_is(r.address, "a:2"));
    cr_expect(xds_slice_is(actual, "a:2,a:1"));
    test_host_release(&t);
}

Test(override_host_machine, what_the_child_picks_counts_as_use_only_for_a_session)
{
    struct test_host t;
    struct xds_slice actual = {0};

    start(&t, XDS_OVERRIDE_A75, USUAL, HOUR);
    t.child_picks = XDS_S("b:1");
    const struct xds_override_entry *b = xds_override_host_find(t.host, XDS_S("b:1"));
    cr_expect_eq(test_host_pick(&t, NULL, &actual).kind, XDS_PICK_COMPLETE);
    cr_expect_eq(b->last_used_ms, XDS_NEVER_USED);
    cr_expect_null(actual.data);
    cr_expect_eq(test_host_pick(&t, "", &actual).kind, XDS_PICK_COMPLETE);
    cr_expect_eq(b->last_used_ms, 0);
    cr_expect(xds_slice_is(actual, "b:1"));
    test_host_release(&t);
}

Test(override_host_machine, a_child_that_picks_an_unknown_address_leaves_the_list_alone)
{
    struct test_host t;
    struct xds_slice actual = {0};

    start(&t, XDS_OVERRIDE_A75, USUAL, HOUR);
    t.child_picks = XDS_S("z:1");
    cr_expect(xds_slice_is(test_host_pick(&t, "y:1", &actual).address, "z:1"));
    cr_expect_null(actual.data);
    t.child_picks = (struct xds_slice){0};
    cr_expect_eq(test_host_pick(&t, "y:1", &actual).kind, XDS_PICK_FAIL);
    cr_expect_null(actual.data);
    test_host_release(&t);
}

Test(override_host_machine, a_connection_made_for_a_session_is_published_at_once)
{
    struct test_host t;

    test_host_init(&t, XDS_OVERRIDE_A75);
    t.child_lazy = true;
    test_host_update(&t, USUAL, HOUR, three);
    const size_t before = t.n_parent_reports;
    cr_expect_eq(test_host_pick(&t, "b:1", NULL).kind, XDS_PICK_QUEUE);
    cr_expect_eq(t.n_parent_reports, before + 1);
    cr_expect_eq(owner(&t, "b:1"), XDS_SUBCHANNEL_OURS);
    cr_expect_eq(test_host_pick(&t, "b:1", NULL).kind, XDS_PICK_QUEUE);
    cr_expect_eq(t.n_parent_reports, before + 1);
    expect_told(&t, "create b:1, connect b:1");
    test_host_release(&t);
}

/* ---- reports ---- */

Test(override_host_machine, only_news_of_its_own_connections_are_published)
{
    struct test_host t;

    start(&t, XDS_OVERRIDE_A75, USUAL, HOUR);
    const size_t before = t.n_parent_reports;
    test_host_say(&t, "b:1", XDS_STATE_IDLE);
    cr_expect_eq(t.n_parent_reports, before, "the child itself reports those");
    test_host_say(&t, "b:1", XDS_STATE_READY);
    test_host_pick(&t, "b:1", NULL);
    cr_expect(xds_override_host_child_releases(t.host, XDS_S("b:1")));
    test_host_say(&t, "b:1", XDS_STATE_READY);
    cr_expect_eq(t.n_parent_reports, before, "nothing is new");
    test_host_say(&t, "b:1", XDS_STATE_IDLE);
    cr_expect_eq(t.n_parent_reports, before + 1);
    test_host_release(&t);
}

Test(override_host_machine, the_child_speaks_for_the_policy)
{
    struct test_host t;

    start(&t, XDS_OVERRIDE_A75, USUAL, HOUR);
    xds_policy_report(&t.child, (struct xds_lb_report){.state = XDS_STATE_READY,
                                                       .has_picker = true,
                                                       .picker = XDS_S("p7")});
    cr_expect_eq(t.host->policy.report.state, XDS_STATE_READY);
    cr_expect(xds_slice_is(t.host->policy.report.picker, "p7"));
    t.host->policy.ops->exit_idle(&t.host->policy);
    cr_expect_eq(t.n_exit_idle, 1);
    test_host_release(&t);
}

/* ---- whose connection it is ---- */

Test(override_host_machine, a_kept_connection_goes_back_to_the_child_as_it_is)
{
    struct test_host t;
    const struct test_host_row drained[] = {
        {"a:1 a:2", XDS_HEALTH_HEALTHY}, {"b:1", XDS_HEALTH_DRAINING}, {NULL, 0}};

    start(&t, XDS_OVERRIDE_A75, DRAINS, HOUR);
    test_host_pick(&t, "b:1", NULL);
    test_host_update(&t, DRAINS, HOUR, drained);
    cr_expect_eq(owner(&t, "b:1"), XDS_SUBCHANNEL_OURS);
    cr_expect_null(xds_override_host_find(t.host, XDS_S("c:1")));
    test_host_update(&t, DRAINS, HOUR, three);
    cr_expect_eq(owner(&t, "b:1"), XDS_SUBCHANNEL_CHILD);
    cr_expect_eq(test_host_pick(&t, "b:1", NULL).kind, XDS_PICK_COMPLETE);
    cr_expect_eq(test_host_pick(&t, "c:1", NULL).kind, XDS_PICK_QUEUE);
    expect_told(&t, "connect c:1");
    test_host_release(&t);
}

Test(override_host_machine, an_erased_address_takes_its_kept_connection_along)
{
    struct test_host t;
    const struct test_host_row rest[] = {{"a:1 a:2", XDS_HEALTH_HEALTHY}, {NULL, 0}};

    start(&t, XDS_OVERRIDE_A75, USUAL, HOUR);
    test_host_pick(&t, "b:1", NULL);
    xds_override_host_child_releases(t.host, XDS_S("b:1"));
    test_host_update(&t, USUAL, HOUR, rest);
    expect_told(&t, "drop b:1");
    cr_expect_null(xds_override_host_find(t.host, XDS_S("b:1")));
    cr_expect_not(xds_override_host_child_creates(t.host, XDS_S("b:1")));
    cr_expect_not(xds_override_host_child_releases(t.host, XDS_S("b:1")));
    test_host_update(&t, USUAL, HOUR, three);
    cr_expect_eq(xds_override_host_find(t.host, XDS_S("b:1"))->last_used_ms,
                 XDS_NEVER_USED);
    test_host_release(&t);
}

Test(override_host_machine, a55_keeps_what_drains_and_only_while_it_drains)
{
    struct test_host t;
    const struct test_host_row drained[] = {
        {"b:1", XDS_HEALTH_DRAINING}, {"c:1", 0}, {NULL, 0}};

    start(&t, XDS_OVERRIDE_A55, DRAINS, HOUR);
    cr_expect_eq(t.sweep_delay_ms, -1, "no sweep in A55");
    test_host_update(&t, DRAINS, HOUR, drained);
    cr_expect_eq(owner(&t, "b:1"), XDS_SUBCHANNEL_OURS);
    t.child_lazy = true;
    test_host_update(&t, DRAINS, HOUR, three);
    cr_expect_eq(owner(&t, "b:1"), XDS_SUBCHANNEL_NONE);
    expect_told(&t, "drop b:1");
    test_host_release(&t);
}

Test(override_host_machine, an_address_of_a55_stays_without_its_subchannel)
{
    struct test_host t;
    const struct test_host_row rest[] = {{"a:1", XDS_HEALTH_HEALTHY}, {NULL, 0}};
    struct xds_slice actual;

    start(&t, XDS_OVERRIDE_A55, USUAL, HOUR);
    t.child_lazy = true;
    test_host_update(&t, USUAL, HOUR, rest);
    cr_expect(xds_slice_is(test_host_pick(&t, "a:2", &actual).address, "a:2"));
    cr_expect(xds_slice_is(actual, "a:2"), "its endpoint is forgotten");
    xds_override_host_child_releases(t.host, XDS_S("a:2"));
    cr_expect_eq(owner(&t, "a:2"), XDS_SUBCHANNEL_NONE);
    test_host_release(&t);
}

Test(override_host_machine, its_end_closes_what_it_kept)
{
    struct test_host t;

    start(&t, XDS_OVERRIDE_A75, USUAL, HOUR);
    test_host_pick(&t, "b:1", NULL);
    xds_override_host_child_releases(t.host, XDS_S("b:1"));
    t.host->policy.ops->destroy(&t.host->policy);
    expect_told(&t, "drop b:1");
    cr_expect_eq(t.n_destroyed, 1);
    cr_expect_eq(t.machine.clock.n, 0);
    test_host_release(&t);
}

/* ---- the sweep ---- */

static const struct delay_row {
    int64_t idle_ms, used_at_ms, updated_at_ms, delay_ms;
} delay_rows[] = {
    {HOUR, -1, 0, HOUR},
    {0, -1, 0, 5000},
    {4999, -1, 0, 5000},
    {5000, -1, 0, 5000},
    {5001, -1, 0, 5001},
    {60000, 1000, 1000, 60000},
    {60000, 1000, 2000, 59000},
    {60000, 1000, 56000, 5000},
    {60000, 1000, 55999, 5001},
    {60000, 1000, 61000, 60000},
    {60000, 1000, 60999, 5000},
    {-7, -1, 0, 5000},
    {INT64_MAX, 0, 0, INT64_C(315576000000000)},
};

Test(override_host_machine, the_sweep_comes_when_the_first_used_entry_may_go)
{
    for (size_t i = 0; i < XDS_ARRAY_LEN(delay_rows); i++) {
        const struct delay_row *row = &delay_rows[i];
        struct test_host t;

        start(&t, XDS_OVERRIDE_A75, USUAL, HOUR);
        if (row->used_at_ms >= 0) {
            xds_clock_advance(&t.machine.clock, row->used_at_ms);
            test_host_pick(&t, "b:1", NULL);
        }
        xds_clock_advance(&t.machine.clock, row->updated_at_ms);
        test_host_update(&t, USUAL, row->idle_ms, three);
        cr_expect_eq(t.sweep_delay_ms, row->delay_ms, "row %zu: %lld", i,
                     (long long)t.sweep_delay_ms);
        cr_expect_eq(t.host->sweep.at_ms, row->updated_at_ms + row->delay_ms);
        test_host_release(&t);
    }
}

Test(override_host_machine, an_empty_map_is_swept_once)
{
    struct test_host t;
    const struct test_host_row none[] = {{NULL, 0}};

    test_host_init(&t, XDS_OVERRIDE_A75);
    test_host_update(&t, USUAL, 60000, none);
    cr_expect_eq(t.machine.clock.n, 1);
    xds_clock_advance(&t.machine.clock, 60000);
    cr_expect_eq(t.machine.clock.n, 0);
    test_host_release(&t);
}

/* 10,000 years of sweeps every five seconds, in no time. */
Test(override_host_machine, sweeps_that_find_nothing_cost_nothing)
{
    struct test_host t;
    const int64_t end = INT64_C(315576000000000) + 1;

    start(&t, XDS_OVERRIDE_A75, USUAL, 1);
    xds_clock_advance(&t.machine.clock, end);
    cr_expect_eq(t.machine.clock.now_ms, end);
    cr_expect_eq(t.host->sweep.at_ms, (end / 5000 + 1) * 5000);
    cr_expect_eq(t.sweep_delay_ms, 5000);
    test_host_release(&t);
}

/* A timer of somebody else, halfway of a long advance: a session uses b:1. */
static void use_b(struct xds_timer *timer)
{
    struct test_host *t = timer->owner;

    test_host_pick(t, "b:1", NULL);
    xds_override_host_child_releases(t->host, XDS_S("b:1"));
}

Test(override_host_machine,
     a_sweep_that_was_left_out_comes_back_when_it_may_find_something)
{
    struct test_host t;

    start(&t, XDS_OVERRIDE_A75, USUAL, 20000);
    struct xds_timer other = {.fire = use_b, .owner = &t};
    xds_clock_set(&t.machine.clock, &other, 30000);
    t.machine.clock.until_ms = 100001;
    xds_clock_advance(&t.machine.clock, 30000);
    cr_expect_eq(owner(&t, "b:1"), XDS_SUBCHANNEL_OURS);
    cr_expect_eq(t.host->sweep.at_ms, 40000, "not at 100000");
    xds_clock_advance(&t.machine.clock, 40000);
    cr_expect_eq(t.host->sweep.at_ms, 50000, "10000 are left");
    xds_clock_advance(&t.machine.clock, 50000);
    expect_told(&t, "drop b:1");
    test_host_release(&t);
}

/* ---- size ---- */

Test(override_host_machine, memory_grows_with_names_not_with_events)
{
    struct test_host t;
    const struct test_host_row other[] = {{"b:1 c:1", XDS_HEALTH_HEALTHY}, {NULL, 0}};

    start(&t, XDS_OVERRIDE_A75, DRAINS, HOUR);
    test_host_update(&t, DRAINS, HOUR, other);
    const size_t used = t.arena.used;
    for (int i = 0; i < 1000; i++) {
        test_host_update(&t, DRAINS, HOUR, i % 2 ? other : three);
        test_host_pick(&t, "b:1", NULL);
        xds_arena_reset(&t.step_arena);
    }
    t.told = (struct xds_slice){0};
    cr_expect_leq(t.arena.used, used + 512 * 1024, "only what the test itself notes");
    cr_expect_eq(t.host->n_all, 4);
    cr_expect_leq(t.host->cap_listed, 16);
    test_host_release(&t);
}

/* One endpoint with very many addresses: nothing is kept per pair of them. */
Test(override_host_machine, an_endpoint_may_have_very_many_addresses)
{
    enum { MANY = 100000 };
    struct test_host t;
    struct xds_slice actual;

    test_host_init(&t, XDS_OVERRIDE_A55);
    struct xds_slice *addresses = XDS_NEW_ARRAY(&t.arena, struct xds_slice, MANY);
    for (size_t i = 0; i < MANY; i++)
        addresses[i] = xds_arena_printf(&t.arena, "h:%zu", i);
    const struct xds_endpoint endpoint = {.addresses = addresses, .n_addresses = MANY};
    const struct xds_endpoint *const list[] = {&endpoint};
    const struct xds_override_update update = {list, 1, USUAL, 0};
    xds_override_host_update(t.host, &update);
    test_host_say(&t, "h:99999", XDS_STATE_READY);
    cr_expect(xds_slice_is(test_host_pick(&t, "h:5", &actual).address, "h:99999"));
    cr_expect(xds_slice_starts(actual, XDS_S("h:99999,h:0,h:1,")));
    test_host_release(&t);
}
