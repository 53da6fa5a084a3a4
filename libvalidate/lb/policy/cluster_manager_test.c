/* cluster_manager_test.c - the machine against a model written from the rules. */
#include <stdio.h>

#include "cli/dev/test/sample.h"
#include "lb/policy.h"
#include "lb/policy_test.h"

/* ---- the model: spec routing 6 at its end, 13 L-d and L-e ---- */

struct model_child {
    bool exists, named;
    enum xds_connectivity raw, counted;
    bool has_picker;
    int64_t dies_at;
    unsigned created, destroyed;
};

struct model {
    enum xds_client client;
    int64_t now, keep;
    struct model_child list[TEST_CHILDREN];
    unsigned published;
};

static void model_report(struct model *m, struct model_child *c,
                         enum xds_connectivity state)
{
    bool counts = true;

    if (m->client == XDS_CLIENT_CORE && c->counted == XDS_STATE_TRANSIENT_FAILURE)
        counts = state == XDS_STATE_READY;
    if (m->client == XDS_CLIENT_GO && c->raw == XDS_STATE_TRANSIENT_FAILURE)
        counts = state != XDS_STATE_CONNECTING;
    if (counts)
        c->counted = state;
    c->raw = state;
    c->has_picker = true;
}

static void model_name(struct model *m, struct model_child *c, bool named)
{
    if (c->named && !named) {
        c->exists = m->keep > 0;
        c->destroyed += m->keep == 0;
        c->dies_at = m->now + m->keep;
    }
    if (named && !c->exists) {
        c->created++;
        c->raw = c->counted = XDS_STATE_CONNECTING;
        c->has_picker = false;
    }
    c->exists |= named;
    c->named = named;
}

static void model_advance(struct model *m, int64_t to)
{
    m->now = to;
    for (int i = 0; i < TEST_CHILDREN; i++) {
        struct model_child *c = &m->list[i];
        const bool dies = c->exists && !c->named && c->dies_at <= to;

        c->destroyed += dies;
        c->exists &= !dies;
    }
}

static enum xds_connectivity model_state(const struct model *m)
{
    static const enum xds_connectivity order[] = {XDS_STATE_READY, XDS_STATE_CONNECTING,
                                                  XDS_STATE_IDLE};

    for (size_t k = 0; k < XDS_ARRAY_LEN(order); k++)
        for (int i = 0; i < TEST_CHILDREN; i++)
            if (m->list[i].named && m->list[i].counted == order[k])
                return order[k];
    return XDS_STATE_TRANSIENT_FAILURE;
}

static enum xds_pick_kind model_pick(const struct model_child *c)
{
    if (!c->named)
        return XDS_PICK_FAIL;
    if (!c->has_picker)
        return XDS_PICK_QUEUE;
    return c->raw == XDS_STATE_READY               ? XDS_PICK_COMPLETE
           : c->raw == XDS_STATE_TRANSIENT_FAILURE ? XDS_PICK_FAIL
                                                   : XDS_PICK_QUEUE;
}

/* ---- both side by side ---- */

struct pair {
    struct test_machine *m;
    struct test_children children;
    struct xds_cluster_manager policy;
    struct model model;
    struct test_chance chance;
};

static void do_update(struct pair *p)
{
    struct xds_named_config config[TEST_CHILDREN];
    size_t n = 0;

    for (int i = TEST_CHILDREN - 1; i >= 0; i--) {
        struct test_child *child = &p->children.list[i];
        const bool named = test_draw(&p->chance, 3) != 0;

        child->says = named && test_draw(&p->chance, 3) == 0;
        child->word = test_draw_state(&p->chance);
        model_name(&p->model, &p->model.list[i], named);
        if (child->says)
            model_report(&p->model, &p->model.list[i], child->word);
        if (named)
            config[n++] = (struct xds_named_config){xds_slice_of(test_names[i]), 0};
    }
    p->model.published++;
    xds_cluster_manager_update(&p->policy, config, n);
}

static void do_report(struct pair *p)
{
    const uint32_t i = test_draw(&p->chance, TEST_CHILDREN);
    const enum xds_connectivity state = test_draw_state(&p->chance);

    if (!p->model.list[i].exists)
        return;
    p->model.published += p->model.list[i].named;
    model_report(&p->model, &p->model.list[i], state);
    test_child_report(&p->children.list[i], state);
}

static void do_advance(struct pair *p)
{
    const int64_t to =
        p->m->machine.clock.now_ms + 300000 * (int64_t)test_draw(&p->chance, 4);

    model_advance(&p->model, to);
    xds_clock_advance(&p->m->machine.clock, to);
}

static void compare(struct pair *p)
{
    for (int i = 0; i < TEST_CHILDREN; i++) {
        const struct xds_pick_call call = {.cluster_key = xds_slice_of(test_names[i])};

        cr_assert_eq(p->children.list[i].exists, p->model.list[i].exists);
        cr_assert_eq(p->children.list[i].created, p->model.list[i].created);
        cr_assert_eq(p->children.list[i].destroyed, p->model.list[i].destroyed);
        if (p->model.published)
            cr_assert_eq(xds_policy_pick(&p->policy.policy, &call).kind,
                         model_pick(&p->model.list[i]));
    }
    cr_assert_eq(p->policy.policy.n_reports, p->model.published);
    if (p->model.published)
        cr_assert_eq(p->policy.policy.report.state, model_state(&p->model));
}

static bool keeps(enum xds_client client)
{
    return client != XDS_CLIENT_GO && client != XDS_CLIENT_NODE;
}

static void play(struct test_machine *m, enum xds_client client, uint32_t seed)
{
    static void (*const events[])(struct pair *) = {do_report, do_report, do_report,
                                                    do_update, do_advance};
    struct pair p = {.m = m,
                     .chance = {seed},
                     .model = {.client = client, .keep = keeps(client) ? 900000 : 0}};

    test_machine_again(m, client);
    test_children_init(&p.children, &m->machine);
    xds_cluster_manager_init(&p.policy, &m->machine, NULL, XDS_S("cm"), &p.children.maker,
                             -1);
    for (int i = 0; i < 16; i++) {
        events[test_draw(&p.chance, XDS_ARRAY_LEN(events))](&p);
        compare(&p);
    }
    p.policy.policy.ops->destroy(&p.policy.policy);
}

Test(cluster_manager, does_what_the_rules_say)
{
    struct test_machine m;

    test_machine_init(&m, XDS_CLIENT_CORE);
    for (uint32_t seed = 0; seed < 100000 / SAMPLE_ONE_IN; seed++)
        play(&m, (enum xds_client)(seed % XDS_CLIENTS), seed);
    test_machine_release(&m);
}

/* ---- single rules ---- */

struct small {
    struct test_machine m;
    struct test_children children;
    struct xds_cluster_manager policy;
};

static void small_init(struct small *s, enum xds_client client)
{
    const struct xds_named_config config[] = {{XDS_S("a"), 0}, {XDS_S("b"), 0}};

    test_machine_init(&s->m, client);
    test_children_init(&s->children, &s->m.machine);
    xds_cluster_manager_init(&s->policy, &s->m.machine, NULL, XDS_S("cm"),
                             &s->children.maker, -1);
    xds_cluster_manager_update(&s->policy, config, XDS_ARRAY_LEN(config));
}

Test(cluster_manager, an_unknown_cluster_fails_in_the_words_of_the_client)
{
    static const struct {
        enum xds_client client;
        bool internal;
        const char *reason;
    } rows[] = {
        {XDS_CLIENT_GRFC, true, "xds cluster manager picker: unknown cluster \"x\""},
        {XDS_CLIENT_CORE, true, "xds cluster manager picker: unknown cluster \"x\""},
        {XDS_CLIENT_GO, false, "unknown cluster selected for RPC: \"x\""},
        {XDS_CLIENT_JAVA, false,
         "CDS encountered error: unable to find available subchannel for cluster x"},
        {XDS_CLIENT_NODE, true, "Requested cluster x not found"},
    };

    for (size_t i = 0; i < XDS_ARRAY_LEN(rows); i++) {
        struct small s;

        small_init(&s, rows[i].client);
        const struct xds_pick_result got = xds_policy_pick(
            &s.policy.policy, &(struct xds_pick_call){.cluster_key = XDS_S("x")});

        cr_expect_eq(got.kind, XDS_PICK_FAIL);
        cr_expect_eq(got.internal, rows[i].internal);
        cr_expect(xds_slice_is(got.reason, rows[i].reason), "%s", rows[i].reason);
        test_machine_release(&s.m);
    }
}

Test(cluster_manager, exit_idle_reaches_kept_children_too)
{
    const struct xds_named_config only_b[] = {{XDS_S("b"), 0}};
    struct small s;

    small_init(&s, XDS_CLIENT_CORE);
    xds_cluster_manager_update(&s.policy, only_b, 1);
    xds_policy_exit_idle(&s.policy.policy);
    cr_expect_eq(s.children.list[0].woken, 1);
    cr_expect_eq(s.children.list[1].woken, 1);
    xds_clock_advance(&s.m.machine.clock, 900000);
    xds_policy_exit_idle(&s.policy.policy);
    cr_expect_eq(s.children.list[0].woken, 1);
    test_machine_release(&s.m);
}
