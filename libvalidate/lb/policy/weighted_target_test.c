/*
 * weighted_target_test.c - the machine against a model written from the table of rules,
 * and what no scenario can say.
 */
#include <stdio.h>

#include "lb/policy_test.h"
#include "lb/policy.h"

/* ---- the model ---- */

/* Spec routing 6, row by row; nothing is shared with the machine. */
struct model_child {
    bool exists, named;
    uint64_t weight, drawn; /* of the config; as it was when last published */
    enum xds_connectivity raw, counted, picker;
    bool has_picker;
    int64_t dies_at;
    unsigned created, destroyed, woken;
};

struct model {
    enum xds_client client;
    int64_t now, keep;
    struct model_child list[TEST_CHILDREN];
    unsigned published;
};

static int64_t keeps(enum xds_client client)
{
    return client == XDS_CLIENT_GO || client == XDS_CLIENT_JAVA ? 0 : 900000;
}

static bool wakes(enum xds_client client)
{
    return client != XDS_CLIENT_GO && client != XDS_CLIENT_JAVA;
}

static void model_publish(struct model *m)
{
    m->published++;
    for (int i = 0; i < TEST_CHILDREN; i++)
        m->list[i].drawn = m->list[i].weight;
}

static void model_report(struct model *m, struct model_child *c,
                         enum xds_connectivity state, bool in_update)
{
    const bool stays_failed =
        c->counted == XDS_STATE_TRANSIENT_FAILURE &&
        ((m->client == XDS_CLIENT_CORE && state != XDS_STATE_READY) ||
         (m->client == XDS_CLIENT_GO && c->raw == XDS_STATE_TRANSIENT_FAILURE &&
          state == XDS_STATE_CONNECTING));

    c->raw = c->picker = state;
    c->has_picker = true;
    if (!stays_failed)
        c->counted = state;
    c->woken += state == XDS_STATE_IDLE && wakes(m->client);
    if (c->named && !in_update)
        model_publish(m);
}

static void model_update(struct model *m, const bool *named, const uint64_t *weights,
                         const struct test_child *says)
{
    bool changed = false, any = false;

    for (int i = 0; i < TEST_CHILDREN; i++) {
        struct model_child *c = &m->list[i];

        if (c->named && !named[i]) {
            c->exists = m->keep > 0;
            c->destroyed += m->keep == 0;
            c->dies_at = m->now + m->keep;
        }
        changed |= c->named != named[i] || (named[i] && says[i].says);
        any |= named[i];
        c->named = named[i];
        c->weight = weights[i];
        if (!named[i])
            continue;
        if (!c->exists) {
            c->created++;
            c->exists = true;
            c->raw = c->counted = XDS_STATE_CONNECTING;
            c->has_picker = false;
        }
        if (says[i].says)
            model_report(m, c, says[i].word, true);
    }
    if (changed || !any || m->client != XDS_CLIENT_GO)
        model_publish(m);
}

static void model_advance(struct model *m, int64_t to)
{
    m->now = to;
    for (int i = 0; i < TEST_CHILDREN; i++) {
        struct model_child *c = &m->list[i];

        if (c->exists && !c->named && c->dies_at <= to) {
            c->exists = false;
            c->destroyed++;
        }
    }
}

static unsigned model_count(const struct model *m, enum xds_connectivity state)
{
    unsigned n = 0;

    for (int i = 0; i < TEST_CHILDREN; i++)
        n += m->list[i].named && m->list[i].counted == state;
    return n;
}

static enum xds_connectivity model_state(const struct model *m)
{
    if (model_count(m, XDS_STATE_READY))
        return XDS_STATE_READY;
    if (model_count(m, XDS_STATE_CONNECTING))
        return XDS_STATE_CONNECTING;
    return model_count(m, XDS_STATE_IDLE) ? XDS_STATE_IDLE : XDS_STATE_TRANSIENT_FAILURE;
}

/* The child for a number in [0, sum): -1 if none is chosen. */
static int model_choose(const struct model *m, double random)
{
    const enum xds_connectivity state = model_state(m);
    uint64_t sum = 0, running = 0;

    if (state != XDS_STATE_READY && state != XDS_STATE_TRANSIENT_FAILURE)
        return -1;
    for (int i = 0; i < TEST_CHILDREN; i++)
        if (m->list[i].named && m->list[i].counted == state)
            sum += m->list[i].drawn;
    for (int i = 0; i < TEST_CHILDREN; i++) {
        if (!m->list[i].named || m->list[i].counted != state)
            continue;
        running += m->list[i].drawn;
        if ((uint64_t)(random * (double)sum) < running)
            return i;
    }
    return -1;
}

static enum xds_pick_kind model_pick(const struct model *m, int choice)
{
    if (choice < 0)
        return model_state(m) == XDS_STATE_TRANSIENT_FAILURE ? XDS_PICK_FAIL
                                                             : XDS_PICK_QUEUE;
    switch (m->list[choice].picker) {
    case XDS_STATE_READY:
        return XDS_PICK_COMPLETE;
    case XDS_STATE_TRANSIENT_FAILURE:
        return XDS_PICK_FAIL;
    case XDS_STATE_CONNECTING:
    case XDS_STATE_IDLE:
        break;
    }
    return XDS_PICK_QUEUE;
}

/* ---- both side by side ---- */

struct pair {
    struct test_machine *m;
    struct test_children children;
    struct xds_weighted_target policy;
    struct model model;
    struct test_chance chance;
};

static void pair_init(struct pair *p, struct test_machine *m, enum xds_client client)
{
    p->m = m;
    test_children_init(&p->children, &m->machine);
    xds_weighted_target_init(&p->policy, &m->machine, NULL, XDS_S("wt"),
                             &p->children.maker, -1);
    p->model = (struct model){.client = client, .keep = keeps(client)};
}

static void do_update(struct pair *p)
{
    struct xds_named_config config[TEST_CHILDREN];
    bool named[TEST_CHILDREN];
    uint64_t weights[TEST_CHILDREN] = {0};
    size_t n = 0;

    /* Backwards, for the order of the config must not matter. */
    for (int i = TEST_CHILDREN - 1; i >= 0; i--) {
        struct test_child *child = &p->children.list[i];

        named[i] = test_draw(&p->chance, 3) != 0;
        /* java never has a config without targets. */
        if (i == 0 && n == 0 && p->model.client == XDS_CLIENT_JAVA)
            named[i] = true;
        child->says = named[i] && test_draw(&p->chance, 3) == 0;
        child->word = test_draw_state(&p->chance);
        if (!named[i])
            continue;
        weights[i] = test_draw(&p->chance, 5) + 1;
        config[n++] = (struct xds_named_config){xds_slice_of(test_names[i]), weights[i]};
    }
    model_update(&p->model, named, weights, p->children.list);
    xds_weighted_target_update(&p->policy, config, n);
}

static void do_report(struct pair *p)
{
    const uint32_t i = test_draw(&p->chance, TEST_CHILDREN);
    const enum xds_connectivity state = test_draw_state(&p->chance);

    if (!p->model.list[i].exists)
        return;
    model_report(&p->model, &p->model.list[i], state, false);
    test_child_report(&p->children.list[i], state);
}

static void do_advance(struct pair *p)
{
    const int64_t to =
        p->m->machine.clock.now_ms + 300000 * (int64_t)test_draw(&p->chance, 4);

    model_advance(&p->model, to);
    xds_clock_advance(&p->m->machine.clock, to);
}

static void compare_children(struct pair *p)
{
    for (int i = 0; i < TEST_CHILDREN; i++) {
        const struct model_child *want = &p->model.list[i];
        const struct test_child *got = &p->children.list[i];

        cr_assert_eq(got->exists, want->exists);
        cr_assert_eq(got->created, want->created);
        cr_assert_eq(got->destroyed, want->destroyed);
        cr_assert_eq(got->woken, want->woken);
    }
}

static void compare_picks(struct pair *p)
{
    const double number = test_draw(&p->chance, 1000) / 1000.0;
    struct xds_random random = {&number, 1, 0};
    const int want = model_choose(&p->model, number);
    const struct xds_pick_result got =
        xds_policy_pick(&p->policy.policy, &(struct xds_pick_call){.random = &random});

    cr_assert_eq(got.kind, model_pick(&p->model, want));
    if (got.kind == XDS_PICK_COMPLETE)
        cr_assert_eq(got.address.data[0], test_names[want][0]);
}

static void compare(struct pair *p)
{
    compare_children(p);
    cr_assert_eq(p->policy.policy.n_reports, p->model.published);
    if (p->model.published == 0)
        return;
    cr_assert_eq(p->policy.policy.report.state, model_state(&p->model));
    compare_picks(p);
}

static void play(struct test_machine *m, enum xds_client client, uint32_t seed)
{
    static void (*const events[])(struct pair *) = {do_report, do_report, do_report,
                                                    do_update, do_advance};
    struct pair p = {.chance = {seed}};

    test_machine_again(m, client);
    pair_init(&p, m, client);
    for (int i = 0; i < 16; i++) {
        events[test_draw(&p.chance, XDS_ARRAY_LEN(events))](&p);
        compare(&p);
    }
    p.policy.policy.ops->destroy(&p.policy.policy);
    for (int i = 0; i < TEST_CHILDREN; i++)
        cr_assert_not(p.children.list[i].exists);
}

Test(weighted_target, does_what_the_table_of_rules_says)
{
    struct test_machine m;

    test_machine_init(&m, XDS_CLIENT_CORE);
    for (uint32_t seed = 0; seed < 100000; seed++)
        play(&m, (enum xds_client)(seed % XDS_CLIENTS), seed);
    test_machine_release(&m);
}

/* ---- single rules ---- */

static struct test_machine machine;
static struct test_children children;
static struct xds_weighted_target policy;

static void begin(enum xds_client client)
{
    test_machine_init(&machine, client);
    test_children_init(&children, &machine.machine);
    xds_weighted_target_init(&policy, &machine.machine, NULL, XDS_S("wt"),
                             &children.maker, -1);
}

static void finish(void)
{
    test_machine_release(&machine);
}

#define CONFIG(...)                                                                      \
    (const struct xds_named_config[])                                                    \
    {                                                                                    \
        __VA_ARGS__                                                                      \
    }

static struct xds_named_child *choose(const double *numbers, size_t n)
{
    struct xds_random random = {numbers, n, 0};

    return xds_weighted_target_choose(&policy, &random);
}

static enum xds_pick_kind pick_without_number(void)
{
    struct xds_random none = {NULL, 0, 0};

    return xds_policy_pick(&policy.policy, &(struct xds_pick_call){.random = &none}).kind;
}

Test(weighted_target, a_boundary_belongs_to_the_next_target, .fini = finish)
{
    static const struct {
        double number;
        char child;
    } rows[] = {{0, 'a'}, {0.09, 'a'}, {0.1, 'b'}, {0.39, 'b'}, {0.4, 'c'}, {0.99, 'c'}};

    begin(XDS_CLIENT_CORE);
    xds_weighted_target_update(
        &policy, CONFIG({XDS_S("c"), 6}, {XDS_S("a"), 1}, {XDS_S("b"), 3}), 3);
    for (int i = 0; i < 3; i++)
        test_child_report(&children.list[i], XDS_STATE_READY);
    for (size_t i = 0; i < XDS_ARRAY_LEN(rows); i++)
        cr_expect_eq(choose(&rows[i].number, 1)->name.data[0], rows[i].child, "%g",
                     rows[i].number);
}

Test(weighted_target, without_a_number_the_choice_stays_open, .fini = finish)
{
    begin(XDS_CLIENT_CORE);
    xds_weighted_target_update(&policy, CONFIG({XDS_S("a"), 1}, {XDS_S("b"), 3}), 2);
    cr_expect_eq(pick_without_number(), XDS_PICK_QUEUE);
    test_child_report(&children.list[0], XDS_STATE_READY);
    cr_expect_eq(pick_without_number(), XDS_PICK_COMPLETE);
    test_child_report(&children.list[1], XDS_STATE_READY);
    cr_expect_eq(pick_without_number(), XDS_PICK_OPEN);

    const struct xds_target_shares shares =
        xds_weighted_target_shares(&policy, &machine.arena);

    cr_expect_eq(shares.n, 2);
    cr_expect_float_eq(shares.list[1].share.value, 0.75, 0);
}

Test(weighted_target, of_a_name_that_stands_twice_the_last_weight_counts, .fini = finish)
{
    begin(XDS_CLIENT_CORE);
    xds_weighted_target_update(
        &policy, CONFIG({XDS_S("a"), 1}, {XDS_S("b"), 1}, {XDS_S("a"), 3}), 3);
    cr_expect_eq(children.list[0].created, 1);
    test_child_report(&children.list[0], XDS_STATE_READY);
    test_child_report(&children.list[1], XDS_STATE_READY);
    cr_expect_float_eq(
        xds_weighted_target_shares(&policy, &machine.arena).list[0].share.value, 0.75, 0);
}

Test(weighted_target, a_child_that_connects_when_told_to_is_published_once,
     .fini = finish)
{
    begin(XDS_CLIENT_CORE);
    xds_weighted_target_update(&policy, CONFIG({XDS_S("a"), 1}), 1);
    children.list[0].connects = true;
    test_child_report(&children.list[0], XDS_STATE_IDLE);
    cr_expect_eq(policy.policy.report.state, XDS_STATE_CONNECTING);
    cr_expect_eq(policy.policy.n_reports, 2);
}

Test(weighted_target, exit_idle_from_above_goes_no_further, .fini = finish)
{
    begin(XDS_CLIENT_CORE);
    xds_weighted_target_update(&policy, CONFIG({XDS_S("a"), 1}), 1);
    xds_policy_exit_idle(&policy.policy);
    cr_expect_eq(children.list[0].woken, 0);
}

static const struct weightless {
    enum xds_client client;
    enum xds_pick_kind kind; /* of a pick with a number */
    size_t n_shares;
    bool aborts;
} weightless[] = {
    {XDS_CLIENT_GRFC, XDS_PICK_FAIL, 0, false},
    {XDS_CLIENT_CORE, XDS_PICK_FAIL, 0, true},
    {XDS_CLIENT_GO, XDS_PICK_COMPLETE, 2, false},
    {XDS_CLIENT_JAVA, XDS_PICK_COMPLETE, 2, false},
};

Test(weighted_target, targets_that_all_weigh_nothing_are_equal_in_go_and_java)
{
    for (size_t i = 0; i < XDS_ARRAY_LEN(weightless); i++) {
        const struct weightless *row = &weightless[i];
        const double number = 0.5;
        struct xds_random random = {&number, 1, 0};

        begin(row->client);
        test_machine_listen(&machine);
        xds_weighted_target_update(&policy, CONFIG({XDS_S("a"), 0}, {XDS_S("b"), 0}), 2);
        test_child_report(&children.list[0], XDS_STATE_READY);
        test_child_report(&children.list[1], XDS_STATE_READY);
        const struct xds_pick_result got =
            xds_policy_pick(&policy.policy, &(struct xds_pick_call){.random = &random});

        cr_expect_eq(got.kind, row->kind);
        cr_expect_eq(xds_weighted_target_shares(&policy, &machine.arena).n,
                     row->n_shares);
        cr_expect_eq(strstr(machine.said, "aborts") != NULL, row->aborts);
        finish();
    }
}

Test(weighted_target, one_target_of_weight_0_takes_no_share, .fini = finish)
{
    begin(XDS_CLIENT_JAVA);
    xds_weighted_target_update(&policy, CONFIG({XDS_S("a"), 0}, {XDS_S("b"), 7}), 2);
    test_child_report(&children.list[0], XDS_STATE_READY);
    cr_expect_eq(choose(NULL, 0), policy.children.in_config.list[0]);
    test_child_report(&children.list[1], XDS_STATE_READY);
    cr_expect_eq(choose(NULL, 0)->name.data[0], 'b');
}

Test(weighted_target, a_stranger_is_not_listened_to, .fini = finish)
{
    begin(XDS_CLIENT_GO);
    xds_weighted_target_update(&policy, CONFIG({XDS_S("a"), 1}), 1);
    xds_weighted_target_update(&policy, NULL, 0);
    const uint64_t before = policy.policy.n_reports;

    test_child_report(&children.list[0], XDS_STATE_READY);
    cr_expect_eq(policy.policy.n_reports, before);
    cr_expect(xds_slice_is(policy.policy.report.status,
                           "weighted-target: no targets to pick from"));
}
