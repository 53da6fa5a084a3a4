/*
 * policy_test.h - a machine for tests, scripted children, and chance.
 */
#ifndef XDS_LB_POLICY_TEST_H
#define XDS_LB_POLICY_TEST_H

#include <criterion/criterion.h>

#include "lb/policy.h"

/* The same numbers in every run. */
struct test_chance {
    uint64_t seed;
};

static inline uint32_t test_draw(struct test_chance *chance, uint32_t bound)
{
    chance->seed = chance->seed * 6364136223846793005u + 1442695040888963407u;
    return (uint32_t)((chance->seed >> 33) % bound);
}

static inline enum xds_connectivity test_draw_state(struct test_chance *chance)
{
    return (enum xds_connectivity)test_draw(chance, 4);
}

/* Of the models of leaf policies: clients whose subchannels share connections. The others
 * are compared with the real ones, see make check-clients-lb. */
static inline enum xds_client test_client_that_shares(uint32_t seed)
{
    static const enum xds_client clients[] = {XDS_CLIENT_GRFC, XDS_CLIENT_CORE,
                                              XDS_CLIENT_NODE};

    return clients[seed % XDS_ARRAY_LEN(clients)];
}

/* ---- a machine ---- */

struct test_machine {
    struct xds_arena arena;
    struct xds_options options;
    struct xds_machine machine;
    char said[512]; /* "who what" per line, while there is room */
};

static inline void test_hear(void *user, struct xds_slice who, struct xds_slice what)
{
    struct test_machine *m = user;
    const size_t len = strlen(m->said);

    snprintf(m->said + len, sizeof m->said - len, "%.*s %.*s\n", XDS_FMT(who),
             XDS_FMT(what));
}

static inline void test_machine_init(struct test_machine *m, enum xds_client client)
{
    memset(m, 0, sizeof *m);
    xds_arena_init(&m->arena, 0);
    xds_options_init(&m->options);
    xds_machine_init(&m->machine, &m->arena, &m->arena, &m->options, client);
}

/* Another world in the same memory. */
static inline void test_machine_again(struct test_machine *m, enum xds_client client)
{
    xds_arena_reset(&m->arena);
    xds_machine_init(&m->machine, &m->arena, &m->arena, &m->options, client);
}

static inline void test_machine_listen(struct test_machine *m)
{
    m->machine.log = (struct xds_machine_log){m, test_hear};
}

static inline void test_machine_release(struct test_machine *m)
{
    xds_arena_release(&m->arena);
}

/* ---- children a to h ---- */

enum { TEST_CHILDREN = 8 };

static const char test_names[TEST_CHILDREN][2] = {"a", "b", "c", "d", "e", "f", "g", "h"};

struct test_child {
    struct xds_policy policy; /* first */
    bool exists;
    unsigned created, updated, destroyed, woken;
    bool connects; /* when asked to leave IDLE it reports CONNECTING */
    bool says;     /* when created or updated it reports ... */
    enum xds_connectivity word;
};

struct test_children {
    struct xds_machine *machine;
    struct xds_child_maker maker;
    struct test_child list[TEST_CHILDREN];
};

static inline void test_child_report(struct test_child *child,
                                     enum xds_connectivity state)
{
    xds_policy_report(&child->policy, (struct xds_lb_report){.state = state,
                                                             .has_picker = true,
                                                             .picker = child->policy.name,
                                                             .status = XDS_S("failed")});
}

static inline void test_child_exit_idle(struct xds_policy *policy)
{
    struct test_child *child = (struct test_child *)(void *)policy;

    child->woken++;
    if (child->connects)
        test_child_report(child, XDS_STATE_CONNECTING);
}

static inline struct xds_pick_result test_child_pick(struct xds_policy *policy,
                                                     const struct xds_pick_call *call)
{
    static const enum xds_pick_kind kinds[] = {
        [XDS_STATE_READY] = XDS_PICK_COMPLETE,
        [XDS_STATE_TRANSIENT_FAILURE] = XDS_PICK_FAIL,
        [XDS_STATE_CONNECTING] = XDS_PICK_QUEUE,
        [XDS_STATE_IDLE] = XDS_PICK_QUEUE,
    };

    (void)call;
    return (struct xds_pick_result){.kind = kinds[policy->report.state],
                                    .address = policy->name};
}

static inline void test_child_speak(struct test_child *child)
{
    const bool says = child->says;

    child->says = false;
    if (says)
        test_child_report(child, child->word);
}

static inline struct xds_policy *test_child_create(void *user, struct xds_policy *parent,
                                                   struct xds_slice name)
{
    static const struct xds_policy_ops ops = {
        .name = "test", .exit_idle = test_child_exit_idle, .pick = test_child_pick};
    struct test_children *all = user;
    struct test_child *child = &all->list[name.data[0] - 'a'];

    cr_assert_not(child->exists, "%s exists already", name.data);
    child->policy =
        (struct xds_policy){.ops = &ops,
                            .machine = all->machine,
                            .parent = parent,
                            .name = xds_slice_of(test_names[name.data[0] - 'a']),
                            .report = XDS_LB_REPORT_NEW};
    child->exists = true;
    child->created++;
    test_child_speak(child);
    return &child->policy;
}

static inline void test_child_update(void *user, struct xds_policy *policy)
{
    struct test_child *child = (struct test_child *)(void *)policy;

    (void)user;
    cr_assert(child->exists);
    child->updated++;
    test_child_speak(child);
}

static inline void test_child_destroy(void *user, struct xds_policy *policy)
{
    struct test_child *child = (struct test_child *)(void *)policy;

    (void)user;
    cr_assert(child->exists);
    child->exists = false;
    child->destroyed++;
}

static inline void test_children_init(struct test_children *all,
                                      struct xds_machine *machine)
{
    *all = (struct test_children){.machine = machine};
    all->maker = (struct xds_child_maker){all, test_child_create, test_child_update,
                                          test_child_destroy};
}

#endif
