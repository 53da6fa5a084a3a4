/* round_robin_test.c - the machine against a model, over the states of its endpoints. */
#include "lb/policy.h"

#include "lb/policy/leaf_test.h"

static struct test_leaf leaf;
static struct xds_round_robin policy;

static void finish(void)
{
    test_leaf_release(&leaf);
}

static void update(const char *text)
{
    const struct test_endpoints *e = test_endpoints_of(&leaf, text);

    xds_leaf_round_robin.update(
        &policy.policy,
        &(struct xds_leaf_update){.group = {.n = e->n}, .endpoints = e->refs});
}

static void begin(const char *text)
{
    test_leaf_init(&leaf, XDS_CLIENT_CORE);
    xds_leaf_round_robin.init(&policy.policy, &leaf.m.machine, &leaf.parent.policy,
                              XDS_S("rr"), &leaf.pool.maker);
    update(text);
}

#define expect_state(s) cr_expect_eq(policy.policy.report.state, XDS_STATE_##s)
#define expect_asked(text) cr_expect_str_eq(test_leaf_heard(&leaf), text)

static bool picks(double number, const char *address)
{
    const struct xds_pick_result got = test_pick(&policy.policy, number);

    return got.kind == XDS_PICK_COMPLETE && xds_slice_is(got.address, address);
}

Test(round_robin, all_endpoints_connect_at_once_and_are_picked_alike, .fini = finish)
{
    begin("a b+c d");
    expect_asked("a b d ");
    expect_state(CONNECTING);
    cr_expect_eq(test_pick(&policy.policy, 0).kind, XDS_PICK_QUEUE);
    test_leaf_set(&leaf, "d", XDS_STATE_READY);
    cr_expect(picks(0.99, "d"));
    test_leaf_set(&leaf, "b", XDS_STATE_TRANSIENT_FAILURE);
    test_leaf_set(&leaf, "c", XDS_STATE_READY);
    cr_expect(picks(0.49, "c"));
    cr_expect(picks(0.5, "d"));
    struct xds_random none = {NULL, 0, 0};
    cr_expect_eq(
        xds_policy_pick(&policy.policy, &(struct xds_pick_call){.random = &none}).kind,
        XDS_PICK_OPEN);
}

Test(round_robin, an_endpoint_that_falls_idle_connects_again_at_once, .fini = finish)
{
    begin("a");
    test_leaf_set(&leaf, "a", XDS_STATE_READY);
    test_leaf_heard(&leaf);
    const uint64_t before = policy.policy.n_reports;

    test_leaf_set(&leaf, "a", XDS_STATE_IDLE);
    expect_asked("a ");
    expect_state(CONNECTING);
    cr_expect_eq(policy.policy.n_reports, before + 1);
}

Test(round_robin, an_update_keeps_the_endpoints_it_names, .fini = finish)
{
    begin("a b+c d");
    test_leaf_set(&leaf, "b", XDS_STATE_READY);
    test_leaf_set(&leaf, "d", XDS_STATE_READY);
    test_leaf_heard(&leaf);
    const uint64_t before = policy.policy.n_reports;

    update("e c+b");
    cr_expect_eq(policy.policy.n_reports, before + 1);
    expect_state(READY);
    expect_asked("e ");
    cr_expect(picks(0, "b"));
    cr_expect_null(xds_subchannel_pool_find(&leaf.pool, XDS_S("d")));
    update("d");
    expect_state(CONNECTING);
}

Test(round_robin, the_same_addresses_are_one_endpoint, .fini = finish)
{
    begin("a+b a b+a a");
    cr_expect_eq(policy.children.in_use.n, 2);
    test_leaf_set(&leaf, "a", XDS_STATE_READY);
    cr_expect_eq(policy.children.count[XDS_STATE_READY], 2);
}

Test(round_robin, without_endpoints_it_fails, .fini = finish)
{
    begin("a");
    test_leaf_set(&leaf, "a", XDS_STATE_READY);
    update("");
    expect_state(TRANSIENT_FAILURE);
    cr_expect(xds_slice_is(test_pick(&policy.policy, 0).reason, "empty address list"));
    update("a");
    expect_state(CONNECTING);
    test_leaf_set(&leaf, "a", XDS_STATE_TRANSIENT_FAILURE);
    cr_expect(xds_slice_is(test_pick(&policy.policy, 0).reason,
                           "connections to all backends failing"));
}

/* ---- the model: one connection per endpoint, each as pick_first keeps it ---- */

static const char *const names[] = {"a", "b", "c", "d", "e"};

enum { NAMES = XDS_ARRAY_LEN(names) };

struct model {
    bool in_use[NAMES], failing[NAMES];
    enum xds_connectivity state[NAMES];
};

/* A connection that is lost is let go, so that the next attempt begins with IDLE. */
static void model_set(struct model *m, uint32_t i, enum xds_connectivity state)
{
    const bool was_ready = m->state[i] == XDS_STATE_READY;

    if (state == XDS_STATE_TRANSIENT_FAILURE)
        m->failing[i] |= !was_ready;
    if (state == XDS_STATE_READY)
        m->failing[i] = false;
    m->state[i] = was_ready && state != XDS_STATE_READY ? XDS_STATE_IDLE : state;
}

static enum xds_connectivity model_of(const struct model *m, uint32_t i)
{
    if (m->failing[i])
        return XDS_STATE_TRANSIENT_FAILURE;
    return m->state[i] == XDS_STATE_READY ? XDS_STATE_READY : XDS_STATE_CONNECTING;
}

static unsigned model_count(const struct model *m, enum xds_connectivity state)
{
    unsigned n = 0;

    for (uint32_t i = 0; i < NAMES; i++)
        n += m->in_use[i] && model_of(m, i) == state;
    return n;
}

static enum xds_connectivity model_state(const struct model *m)
{
    if (model_count(m, XDS_STATE_READY))
        return XDS_STATE_READY;
    return model_count(m, XDS_STATE_CONNECTING) ? XDS_STATE_CONNECTING
                                                : XDS_STATE_TRANSIENT_FAILURE;
}

static void do_update(struct test_chance *chance, struct model *m)
{
    char text[16] = "";

    for (uint32_t i = 0; i < NAMES; i++) {
        const bool named = test_draw(chance, 2);

        if (named && !m->in_use[i]) {
            m->state[i] = XDS_STATE_IDLE;
            m->failing[i] = false;
        }
        m->in_use[i] = named;
        if (named)
            snprintf(text + strlen(text), sizeof text - strlen(text), "%s%s",
                     *text ? " " : "", names[i]);
    }
    update(text);
}

static void play(uint32_t seed)
{
    struct test_chance chance = {seed};
    struct model m = {.in_use = {false}};

    test_machine_again(&leaf.m, test_client_that_shares(seed));
    test_leaf_begin(&leaf);
    xds_leaf_round_robin.init(&policy.policy, &leaf.m.machine, NULL, XDS_S("rr"),
                              &leaf.pool.maker);
    do_update(&chance, &m);
    for (int k = 0; k < 16; k++) {
        const uint32_t i = test_draw(&chance, NAMES);
        const enum xds_connectivity state = test_draw_state(&chance);

        if (test_draw(&chance, 8) == 0)
            do_update(&chance, &m);
        if (m.in_use[i]) {
            model_set(&m, i, state);
            cr_assert(test_leaf_set(&leaf, names[i], state));
        }
        leaf.asked[0] = '\0';
        cr_assert_eq(policy.policy.report.state, model_state(&m), "seed %u step %d", seed,
                     k);
        cr_assert_eq(policy.children.count[XDS_STATE_READY],
                     model_count(&m, XDS_STATE_READY));
    }
    policy.policy.ops->destroy(&policy.policy);
    for (uint32_t i = 0; i < NAMES; i++)
        cr_assert_null(xds_subchannel_pool_find(&leaf.pool, xds_slice_of(names[i])));
}

Test(round_robin, does_what_the_model_does)
{
    test_leaf_init(&leaf, XDS_CLIENT_CORE);
    for (uint32_t seed = 0; seed < 100000; seed++)
        play(seed);
    finish();
}
