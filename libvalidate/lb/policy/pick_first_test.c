/* pick_first_test.c - the machine against a model, and the order of its attempts. */
#include "lb/policy.h"

#include "lb/policy/leaf_test.h"

static struct test_leaf leaf;
static struct xds_pick_first policy;

static void finish(void)
{
    test_leaf_release(&leaf);
}

static void update(const char *text)
{
    const struct xds_pick_first_config plain = {.shuffle = false};
    const struct test_endpoints *e = test_endpoints_of(&leaf, text);

    xds_pick_first_update(&policy, e->refs, e->n, &plain);
}

static void begin(enum xds_client client, const char *text)
{
    test_leaf_init(&leaf, client);
    memset(&policy, 0, sizeof policy);
    xds_leaf_pick_first.init(&policy.policy, &leaf.m.machine, &leaf.parent.policy,
                             XDS_S("pf"), &leaf.pool.maker);
    update(text);
}

#define expect_state(s) cr_expect_eq(policy.policy.report.state, XDS_STATE_##s)
#define expect_asked(text) cr_expect_str_eq(test_leaf_heard(&leaf), text)

static bool picks(const char *address)
{
    const struct xds_pick_result got = test_pick(&policy.policy, 0);

    return got.kind == XDS_PICK_COMPLETE && xds_slice_is(got.address, address);
}

/* ---- single rules ---- */

Test(pick_first, the_first_address_that_connects_takes_all, .fini = finish)
{
    begin(XDS_CLIENT_JAVA, "a b c");
    expect_state(CONNECTING);
    expect_asked("a ");
    test_leaf_set(&leaf, "a", XDS_STATE_TRANSIENT_FAILURE);
    expect_asked("b ");
    test_leaf_set(&leaf, "b", XDS_STATE_CONNECTING);
    test_leaf_set(&leaf, "b", XDS_STATE_READY);
    expect_state(READY);
    cr_expect(picks("b"));
    cr_expect_not(test_leaf_set(&leaf, "c", XDS_STATE_READY), "it is let go");
    expect_asked("");
}

Test(pick_first, after_250_ms_the_next_address_tries_too, .fini = finish)
{
    begin(XDS_CLIENT_CORE, "a b c");
    expect_asked("a ");
    test_leaf_set(&leaf, "a", XDS_STATE_CONNECTING);
    xds_clock_advance(&leaf.m.machine.clock, 249);
    expect_asked("");
    xds_clock_advance(&leaf.m.machine.clock, 250);
    expect_asked("b ");
    test_leaf_set(&leaf, "b", XDS_STATE_TRANSIENT_FAILURE);
    expect_asked("c ");
    expect_state(CONNECTING);
    xds_clock_advance(&leaf.m.machine.clock, 10000);
    expect_asked("");
    test_leaf_set(&leaf, "c", XDS_STATE_TRANSIENT_FAILURE);
    expect_state(CONNECTING);
    test_leaf_set(&leaf, "a", XDS_STATE_TRANSIENT_FAILURE);
    expect_state(TRANSIENT_FAILURE);
    cr_expect_eq(leaf.parent.reresolved, 1);
    cr_expect_eq(leaf.m.machine.clock.n, 0);
}

Test(pick_first, java_does_not_hurry, .fini = finish)
{
    begin(XDS_CLIENT_JAVA, "a b");
    xds_clock_advance(&leaf.m.machine.clock, 10000);
    expect_asked("a ");
}

Test(pick_first, failing_lasts_until_ready_and_each_address_tries_again, .fini = finish)
{
    begin(XDS_CLIENT_CORE, "a b");
    test_leaf_set(&leaf, "a", XDS_STATE_TRANSIENT_FAILURE);
    test_leaf_set(&leaf, "b", XDS_STATE_TRANSIENT_FAILURE);
    expect_state(TRANSIENT_FAILURE);
    cr_expect_eq(test_pick(&policy.policy, 0).kind, XDS_PICK_FAIL);
    expect_asked("a b ");
    test_leaf_set(&leaf, "a", XDS_STATE_IDLE);
    expect_asked("a ");
    test_leaf_set(&leaf, "a", XDS_STATE_CONNECTING);
    expect_state(TRANSIENT_FAILURE);
    update("a b c");
    expect_state(TRANSIENT_FAILURE);
    test_leaf_set(&leaf, "c", XDS_STATE_READY);
    expect_state(READY);
}

Test(pick_first, a_lost_connection_is_not_replaced_before_a_pick, .fini = finish)
{
    begin(XDS_CLIENT_CORE, "a b");
    test_leaf_set(&leaf, "a", XDS_STATE_READY);
    test_leaf_heard(&leaf);
    test_leaf_set(&leaf, "a", XDS_STATE_IDLE);
    expect_state(IDLE);
    expect_asked("");
    update("b a");
    expect_state(IDLE);
    cr_expect_eq(test_pick(&policy.policy, 0).kind, XDS_PICK_QUEUE);
    expect_state(CONNECTING);
    expect_asked("b ");
    cr_expect_eq(leaf.parent.reresolved, 1);
}

Test(pick_first, a_connection_that_stands_in_the_new_list_stays, .fini = finish)
{
    begin(XDS_CLIENT_CORE, "a b");
    test_leaf_set(&leaf, "b", XDS_STATE_READY);
    test_leaf_heard(&leaf);
    update("c b");
    expect_state(READY);
    expect_asked("");
    cr_expect(picks("b"));
    cr_expect_null(xds_subchannel_pool_find(&leaf.pool, XDS_S("c")));
}

Test(pick_first, an_old_connection_serves_until_the_new_list_is_decided, .fini = finish)
{
    begin(XDS_CLIENT_CORE, "a");
    test_leaf_set(&leaf, "a", XDS_STATE_READY);
    update("b");
    cr_expect(picks("a"));
    test_leaf_set(&leaf, "b", XDS_STATE_READY);
    cr_expect(picks("b"));
    cr_expect_null(xds_subchannel_pool_find(&leaf.pool, XDS_S("a")));
    update("c");
    test_leaf_set(&leaf, "c", XDS_STATE_TRANSIENT_FAILURE);
    expect_state(TRANSIENT_FAILURE);
    cr_expect_null(xds_subchannel_pool_find(&leaf.pool, XDS_S("b")));
}

Test(pick_first, a_list_without_addresses_fails, .fini = finish)
{
    begin(XDS_CLIENT_CORE, "");
    expect_state(TRANSIENT_FAILURE);
    cr_expect(xds_slice_is(policy.policy.report.status, "empty address list"));
    update("a");
    expect_asked("a ");
    expect_state(TRANSIENT_FAILURE);
    test_leaf_set(&leaf, "a", XDS_STATE_READY);
    expect_state(READY);
    update("");
    expect_state(TRANSIENT_FAILURE);
    cr_expect_null(xds_subchannel_pool_find(&leaf.pool, XDS_S("a")));
}

Test(pick_first, families_take_turns_where_a61_is_on)
{
    static const struct {
        enum xds_client client;
        const char *asked;
    } rows[] = {{XDS_CLIENT_CORE, "1:1 [::1]:1 2:1 [::2]:1 3:1 "},
                {XDS_CLIENT_JAVA, "1:1 2:1 3:1 [::1]:1 [::2]:1 "}};

    for (size_t i = 0; i < XDS_ARRAY_LEN(rows); i++) {
        begin(rows[i].client, "1:1 2:1+3:1 [::1]:1+[::2]:1");
        test_leaf_set(&leaf, "1:1", XDS_STATE_CONNECTING);
        for (int k = 0; k < 5; k++)
            if (policy.at < policy.slots.n)
                test_leaf_set(&leaf,
                              policy.slots.list[policy.at].subchannel->address.data,
                              k < 4 ? XDS_STATE_TRANSIENT_FAILURE : XDS_STATE_CONNECTING);
        expect_asked(rows[i].asked);
        finish();
    }
}

/* ---- the shuffle ---- */

static const uint64_t weights[] = {1, 7, 2};

static void shuffled(const char *numbers_of, const double *numbers, size_t n,
                     const uint64_t *by, const char *order)
{
    struct xds_random random = {numbers, n, 0};
    const struct xds_pick_first_config config = {
        .shuffle = true, .weights = by, .random = &random};
    struct test_endpoints *e;
    char got[32] = "";

    test_leaf_init(&leaf, XDS_CLIENT_CORE);
    memset(&policy, 0, sizeof policy);
    xds_leaf_pick_first.init(&policy.policy, &leaf.m.machine, &leaf.parent.policy,
                             XDS_S("pf"), &leaf.pool.maker);
    e = test_endpoints_of(&leaf, "a b c+d");
    xds_pick_first_update(&policy, e->refs, e->n, &config);
    for (size_t i = 0; i < policy.n; i++)
        snprintf(got + strlen(got), sizeof got - strlen(got), "%.*s",
                 XDS_FMT(policy.addresses[i]));
    cr_expect_str_eq(got, order, "%s", numbers_of);
    test_leaf_release(&leaf);
}

Test(pick_first, a_shuffle_moves_endpoints_not_addresses)
{
    static const double last_then_second[] = {0.99, 0.5}, none[] = {0},
                        weighty[] = {0.1, 0.34};

    shuffled("none: the list stays", none, 0, NULL, "abcd");
    shuffled("last, then the second of the rest", last_then_second, 2, NULL, "cdba");
    shuffled("one number: the rest stays", last_then_second, 1, NULL, "cdab");
    shuffled("10% belong to b, which weighs 7 of 10; a third of the rest is a", weighty,
             2, weights, "bcda");
}

Test(pick_first, the_first_place_is_drawn_by_weight)
{
    unsigned first[3] = {0};

    for (unsigned k = 0; k < 100; k++) {
        const double number = k / 100.0;
        struct xds_random random = {&number, 1, 0};
        const struct xds_pick_first_config config = {
            .shuffle = true, .weights = weights, .random = &random};

        begin(XDS_CLIENT_CORE, "x");
        struct test_endpoints *e = test_endpoints_of(&leaf, "a b c");

        xds_pick_first_update(&policy, e->refs, e->n, &config);
        first[policy.addresses[0].data[0] - 'a']++;
        finish();
    }
    cr_expect_eq(first[0], 10);
    cr_expect_eq(first[1], 70);
    cr_expect_eq(first[2], 20);
}

/* ---- the model ---- */

/* One address after the other, without the clock: who is connected, who has failed. */
struct model {
    bool failed[4], failing, idle;
    int used; /* -1: none */
    size_t n;
};

static void model_set(struct model *m, int i, enum xds_connectivity state)
{
    bool all = true;

    if (m->used == i) {
        m->used = -1;
        m->idle = true;
        return;
    }
    if (state == XDS_STATE_READY) {
        *m = (struct model){.used = i, .n = m->n};
        return;
    }
    m->failed[i] |= state == XDS_STATE_TRANSIENT_FAILURE;
    for (size_t k = 0; k < m->n; k++)
        all &= m->failed[k];
    m->failing |= all;
}

static enum xds_connectivity model_state(const struct model *m)
{
    if (m->used >= 0)
        return XDS_STATE_READY;
    if (m->failing)
        return XDS_STATE_TRANSIENT_FAILURE;
    return m->idle ? XDS_STATE_IDLE : XDS_STATE_CONNECTING;
}

static void play(uint32_t seed)
{
    static const char *const names[] = {"a", "b", "c", "d"};
    static const char *const lists[] = {"", "a", "a b", "a b c", "a b c d"};
    struct test_chance chance = {seed};
    struct model m = {.used = -1, .n = 1 + test_draw(&chance, 4)};

    test_machine_again(&leaf.m, test_client_that_shares(seed));
    test_leaf_begin(&leaf);
    memset(&policy, 0, sizeof policy);
    xds_leaf_pick_first.init(&policy.policy, &leaf.m.machine, &leaf.parent.policy,
                             XDS_S("pf"), &leaf.pool.maker);
    update(lists[m.n]);
    for (int k = 0; k < 16; k++) {
        const int i = (int)test_draw(&chance, (uint32_t)m.n);
        const enum xds_connectivity state = test_draw_state(&chance);
        const struct xds_connection *c =
            xds_subchannel_pool_find(&leaf.pool, xds_slice_of(names[i]));

        if (c && c->state != state) {
            model_set(&m, i, state);
            test_leaf_set(&leaf, names[i], state);
        } else if (m.idle) {
            m.idle = false;
            xds_policy_exit_idle(&policy.policy);
        }
        leaf.asked[0] = '\0';
        xds_clock_advance(&leaf.m.machine.clock,
                          leaf.m.machine.clock.now_ms + test_draw(&chance, 300));
        cr_assert_eq(policy.policy.report.state, model_state(&m), "seed %u step %d", seed,
                     k);
        if (m.used >= 0)
            cr_assert(picks(names[m.used]));
    }
    policy.policy.ops->destroy(&policy.policy);
    for (int i = 0; i < 4; i++)
        cr_assert_null(xds_subchannel_pool_find(&leaf.pool, xds_slice_of(names[i])));
}

Test(pick_first, does_what_the_model_does)
{
    test_leaf_init(&leaf, XDS_CLIENT_CORE);
    for (uint32_t seed = 0; seed < 100000; seed++)
        play(seed);
    finish();
}
