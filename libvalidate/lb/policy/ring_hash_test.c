/* ring_hash_test.c - states and picks against a model; who is made to connect. */
#include "lb/policy.h"

#include "lb/lb.h"
#include "lb/policy/leaf_test.h"

static struct test_leaf leaf;
static struct xds_ring_hash policy;

static void finish(void)
{
    test_leaf_release(&leaf);
}

/* The ring of a test is read off its members: entry i belongs to member i, and its hash
 * is 100 * i. */
static struct xds_ring_over ring_of(const struct test_endpoints *e)
{
    struct xds_arena *arena = &leaf.m.arena;
    struct xds_ring_entry *entries = XDS_NEW_ARRAY(arena, struct xds_ring_entry, e->n);
    struct xds_ring_member *members = XDS_NEW_ARRAY(arena, struct xds_ring_member, e->n);
    struct xds_ring *ring = XDS_NEW(arena, struct xds_ring);

    for (size_t i = 0; i < e->n; i++) {
        entries[i] = (struct xds_ring_entry){100 * i, i};
        members[i] = (struct xds_ring_member){e->list[i].addresses[0], 1, i};
    }
    *ring = (struct xds_ring){.entries = entries, .n = e->n};
    return (struct xds_ring_over){
        .ring = e->n ? ring : NULL, .members = members, .n_members = e->n};
}

static void update(const char *text)
{
    const struct test_endpoints *e = test_endpoints_of(&leaf, text);
    const struct xds_ring_over over = ring_of(e);

    xds_ring_hash_update(&policy, e->refs, e->n, &over);
}

static void begin(enum xds_client client, const char *text)
{
    test_leaf_init(&leaf, client);
    memset(&policy, 0, sizeof policy);
    xds_leaf_ring_hash.init(&policy.policy, &leaf.m.machine, &leaf.parent.policy,
                            XDS_S("ring"), &leaf.pool.maker);
    update(text);
}

static struct xds_pick_result pick_at(uint64_t hash)
{
    return xds_policy_pick(&policy.policy,
                           &(struct xds_pick_call){.has_hash = true, .hash = hash});
}

static struct xds_pick_result pick_any(uint64_t hash)
{
    return xds_policy_pick(
        &policy.policy,
        &(struct xds_pick_call){.has_hash = true, .hash = hash, .any_ready = true});
}

static bool picks(uint64_t hash, const char *address)
{
    const struct xds_pick_result got = pick_at(hash);

    return got.kind == XDS_PICK_COMPLETE && xds_slice_is(got.address, address);
}

#define expect_state(s) cr_expect_eq(policy.policy.report.state, XDS_STATE_##s)
#define expect_asked(text) cr_expect_str_eq(test_leaf_heard(&leaf), text)
#define set(address, s) test_leaf_set(&leaf, address, XDS_STATE_##s)

/* ---- single rules ---- */

Test(ring_hash_machine, it_starts_idle_and_a_pick_makes_one_endpoint_connect,
     .fini = finish)
{
    begin(XDS_CLIENT_CORE, "a b c");
    expect_state(IDLE);
    expect_asked("");
    cr_expect_eq(pick_at(100).kind, XDS_PICK_QUEUE);
    expect_asked("b ");
    expect_state(CONNECTING);
    cr_expect_eq(pick_at(100).kind, XDS_PICK_QUEUE);
    expect_asked("");
    set("b", READY);
    expect_state(READY);
    cr_expect(picks(1, "b"));
    cr_expect_eq(pick_at(101).kind, XDS_PICK_QUEUE);
    expect_asked("c ");
}

Test(ring_hash_machine, a_pick_walks_on_over_endpoints_that_fail, .fini = finish)
{
    begin(XDS_CLIENT_CORE, "a b c");
    pick_at(0);
    set("a", TRANSIENT_FAILURE);
    expect_state(CONNECTING);
    expect_asked("a b ");
    set("b", TRANSIENT_FAILURE);
    expect_state(TRANSIENT_FAILURE);
    expect_asked("c ");
    set("c", READY);
    cr_expect(picks(0, "c"));
    cr_expect(picks(201, "c"), "behind the last entry comes the first");
    set("c", TRANSIENT_FAILURE);
    expect_state(TRANSIENT_FAILURE);
    set("c", TRANSIENT_FAILURE);
    const struct xds_pick_result got = pick_at(0);

    cr_expect_eq(got.kind, XDS_PICK_FAIL);
    cr_expect_not(got.internal);
    cr_expect(xds_slice_starts(
        got.reason,
        XDS_S("ring hash cannot find a connected endpoint; first failure: failed to")));
}

Test(ring_hash_machine, a_single_endpoint_that_fails_is_all_there_is, .fini = finish)
{
    begin(XDS_CLIENT_CORE, "a");
    pick_at(0);
    set("a", TRANSIENT_FAILURE);
    expect_state(TRANSIENT_FAILURE);
    update("a b");
    expect_state(CONNECTING);
    expect_asked("a b ");
}

Test(ring_hash_machine, core_asks_in_the_order_of_addresses_java_in_that_of_the_list)
{
    static const struct {
        enum xds_client client;
        const char *asked;
    } rows[] = {{XDS_CLIENT_CORE, "10.0.0.9:80 "}, {XDS_CLIENT_JAVA, "[::1]:80 "}};

    for (size_t i = 0; i < XDS_ARRAY_LEN(rows); i++) {
        begin(rows[i].client, "1.1.1.1:1 [::1]:80 10.0.0.10:80 10.0.0.9:80 1.0.0.1:443");
        pick_at(0);
        test_leaf_heard(&leaf);
        set("1.1.1.1:1", TRANSIENT_FAILURE);
        expect_asked(rows[i].asked);
        finish();
    }
}

Test(ring_hash_machine, a_chain_of_failures_does_not_go_down_the_stack, .fini = finish)
{
    enum { MANY = 20000 };
    static struct xds_endpoint list[MANY];
    static const struct xds_endpoint *refs[MANY];
    static struct xds_slice addresses[MANY];
    const struct xds_ring_over nothing = {.ring = NULL};

    begin(XDS_CLIENT_GRFC, "");
    for (int i = 0; i < MANY; i++) {
        addresses[i] = xds_arena_printf(&leaf.m.arena, "%d", i);
        list[i] = (struct xds_endpoint){.addresses = &addresses[i], .n_addresses = 1};
        refs[i] = &list[i];
        /* A stranger holds each of them, and each has failed. */
        leaf.pool.maker.create(&leaf.pool, addresses[i], NULL);
        xds_subchannel_pool_set(&leaf.pool, addresses[i], XDS_STATE_TRANSIENT_FAILURE);
    }
    xds_ring_hash_update(&policy, refs, MANY, &nothing);
    expect_state(IDLE);
    xds_endpoint_child_connect(policy.children.in_use.list[0]);
    expect_state(TRANSIENT_FAILURE);
    cr_expect_eq(policy.children.count[XDS_STATE_TRANSIENT_FAILURE], MANY);
}

Test(ring_hash_machine, without_a_hash_an_rpc_is_an_internal_error, .fini = finish)
{
    begin(XDS_CLIENT_CORE, "a");
    const struct xds_pick_result got =
        xds_policy_pick(&policy.policy, &(struct xds_pick_call){0});

    cr_expect_eq(got.kind, XDS_PICK_FAIL);
    cr_expect(got.internal);
    cr_expect(xds_slice_is(got.reason, "hash attribute not present"));
    cr_expect_eq(
        xds_policy_pick(&policy.policy, &(struct xds_pick_call){.any_ready = true}).kind,
        XDS_PICK_OPEN);
}

Test(ring_hash_machine, an_rpc_without_its_header_takes_the_best_there_is, .fini = finish)
{
    begin(XDS_CLIENT_CORE, "a b c");
    cr_expect_eq(pick_any(200).kind, XDS_PICK_QUEUE);
    expect_asked("c ");
    cr_expect_eq(pick_any(0).kind, XDS_PICK_QUEUE);
    expect_asked("");
    set("c", READY);
    cr_expect(xds_slice_is(pick_any(0).address, "c"));
    expect_asked("");
}

Test(ring_hash_machine, without_endpoints_it_fails, .fini = finish)
{
    begin(XDS_CLIENT_CORE, "");
    expect_state(TRANSIENT_FAILURE);
    cr_expect(xds_slice_is(pick_at(0).reason, "empty address list"));
    update("a");
    expect_state(IDLE);
    xds_policy_exit_idle(&policy.policy);
    expect_asked("");
}

Test(ring_hash_machine, endpoints_with_the_same_addresses_are_one, .fini = finish)
{
    begin(XDS_CLIENT_CORE, "a+b b+a c");
    cr_expect_eq(policy.children.in_use.n, 2);
    pick_at(100);
    set("a", READY);
    cr_expect(picks(0, "a"));
    cr_expect(picks(100, "a"));
}

/* ---- the order of addresses ---- */

Test(ring_hash_machine, sets_of_addresses_sort_by_family_port_and_number)
{
    static const char *const sorted[] = {
        "10.0.0.1:80",
        "10.0.0.1:80+10.0.0.2:80",
        "10.0.0.2:80",
        "[::1]:80+10.0.0.9:80", /* a set begins with its smallest address */
        "10.0.0.10:80",
        "1.0.0.0:443",
        "[::1]:80",
        "[fe80::1]:80",
        "[::1]:443",
        "10.0.0.1",
        "10.0.0.1:99999",
        "host:80",
    };

    test_leaf_init(&leaf, XDS_CLIENT_CORE);
    for (size_t i = 1; i < XDS_ARRAY_LEN(sorted); i++) {
        const struct test_endpoints *a = test_endpoints_of(&leaf, sorted[i - 1]);
        const struct test_endpoints *b = test_endpoints_of(&leaf, sorted[i]);

        cr_expect_lt(xds_slice_cmp(xds_address_set_order(&leaf.m.arena, &a->list[0]),
                                   xds_address_set_order(&leaf.m.arena, &b->list[0])),
                     0, "%s before %s", sorted[i - 1], sorted[i]);
    }
    finish();
}

/* ---- the model: spec routing 9.5 and 9.6 ---- */

enum { NAMES = 5 };

static const char *const names[NAMES] = {"a", "b", "c", "d", "e"};

/* One connection per endpoint. An endpoint that was never made to connect holds none. */
struct model {
    size_t n;
    enum xds_connectivity state[NAMES];
    bool held[NAMES];
};

static size_t model_count(const struct model *m, enum xds_connectivity state)
{
    size_t n = 0;

    for (size_t i = 0; i < m->n; i++)
        n += m->state[i] == state;
    return n;
}

static enum xds_connectivity model_state(const struct model *m)
{
    if (model_count(m, XDS_STATE_READY) >= 1)
        return XDS_STATE_READY;
    if (model_count(m, XDS_STATE_TRANSIENT_FAILURE) >= 2)
        return XDS_STATE_TRANSIENT_FAILURE;
    if (model_count(m, XDS_STATE_CONNECTING) >= 1)
        return XDS_STATE_CONNECTING;
    if (model_count(m, XDS_STATE_TRANSIENT_FAILURE) == 1 && m->n > 1)
        return XDS_STATE_CONNECTING;
    return model_count(m, XDS_STATE_IDLE) >= 1 ? XDS_STATE_IDLE
                                               : XDS_STATE_TRANSIENT_FAILURE;
}

static void model_connect(struct model *m, size_t i)
{
    m->state[i] = XDS_STATE_CONNECTING;
    m->held[i] = true;
}

static void model_push(struct model *m)
{
    const enum xds_connectivity state = model_state(m);
    size_t i = 0;

    if (state != XDS_STATE_TRANSIENT_FAILURE && state != XDS_STATE_CONNECTING)
        return;
    if (model_count(m, XDS_STATE_CONNECTING))
        return;
    while (i < m->n && m->state[i] != XDS_STATE_IDLE)
        i++;
    if (i < m->n)
        model_connect(m, i);
}

/* What pick_first makes of a change of its only connection. */
static void model_set(struct model *m, size_t i, enum xds_connectivity state)
{
    if (state == XDS_STATE_READY) {
        m->state[i] = XDS_STATE_READY;
    } else if (m->state[i] == XDS_STATE_READY) {
        m->state[i] = XDS_STATE_IDLE;
        m->held[i] = false;
    } else if (state == XDS_STATE_TRANSIENT_FAILURE) {
        m->state[i] = XDS_STATE_TRANSIENT_FAILURE;
    }
    model_push(m);
}

static enum xds_pick_kind model_pick(struct model *m, size_t first, size_t *chosen)
{
    for (size_t k = 0; k < m->n; k++) {
        *chosen = (first + k) % m->n;
        switch (m->state[*chosen]) {
        case XDS_STATE_READY:
            return XDS_PICK_COMPLETE;
        case XDS_STATE_IDLE:
            model_connect(m, *chosen);
            return XDS_PICK_QUEUE;
        case XDS_STATE_CONNECTING:
            return XDS_PICK_QUEUE;
        case XDS_STATE_TRANSIENT_FAILURE:
            break;
        }
    }
    return XDS_PICK_FAIL;
}

static void do_set(struct model *m, struct test_chance *chance)
{
    const size_t i = test_draw(chance, (uint32_t)m->n);
    const enum xds_connectivity state = test_draw_state(chance);

    cr_assert_eq(xds_subchannel_pool_find(&leaf.pool, xds_slice_of(names[i])) != NULL,
                 m->held[i]);
    if (!m->held[i])
        return;
    model_set(m, i, state);
    test_leaf_set(&leaf, names[i], state);
}

static void do_pick(struct model *m, struct test_chance *chance)
{
    const size_t first = test_draw(chance, (uint32_t)m->n);
    size_t chosen = 0;
    const enum xds_pick_kind want = model_pick(m, first, &chosen);
    const struct xds_pick_result got = pick_at(100 * first);

    cr_assert_eq(got.kind, want);
    if (want == XDS_PICK_COMPLETE)
        cr_assert(xds_slice_is(got.address, names[chosen]));
}

static void play(uint32_t seed)
{
    static const char *const lists[] = {"a", "a b", "a b c", "a b c d", "a b c d e"};
    struct test_chance chance = {seed};
    struct model m = {.n = 1 + test_draw(&chance, NAMES)};

    for (size_t i = 0; i < m.n; i++)
        m.state[i] = XDS_STATE_IDLE;
    test_machine_again(&leaf.m, test_client_that_shares(seed));
    test_leaf_begin(&leaf);
    xds_leaf_ring_hash.init(&policy.policy, &leaf.m.machine, &leaf.parent.policy,
                            XDS_S("ring"), &leaf.pool.maker);
    update(lists[m.n - 1]);
    for (int k = 0; k < 24; k++) {
        if (test_draw(&chance, 3) == 0)
            do_pick(&m, &chance);
        else
            do_set(&m, &chance);
        leaf.asked[0] = '\0';
        cr_assert_eq(policy.policy.report.state, model_state(&m), "seed %u step %d", seed,
                     k);
    }
    policy.policy.ops->destroy(&policy.policy);
    for (size_t i = 0; i < m.n; i++)
        cr_assert_null(xds_subchannel_pool_find(&leaf.pool, xds_slice_of(names[i])));
}

Test(ring_hash_machine, does_what_the_model_does)
{
    test_leaf_init(&leaf, XDS_CLIENT_CORE);
    for (uint32_t seed = 0; seed < 100000; seed++)
        play(seed);
    finish();
}
