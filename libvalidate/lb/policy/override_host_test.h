/* override_host_test.h - xds_override_host over a child that a test moves by hand. */
#ifndef XDS_LB_OVERRIDE_HOST_TEST_H
#define XDS_LB_OVERRIDE_HOST_TEST_H

#include "lb/policy.h"

enum { TEST_MOST = 8 }; /* addresses in one list */

/* What was asked of the hooks, in order: "create a:1", one after the other. */
struct test_host {
    struct xds_arena arena, step_arena;
    struct xds_options options;
    struct xds_machine machine;
    struct xds_policy parent, child;
    struct xds_override_host *host;
    struct xds_slice told;
    size_t n_parent_reports;
    int64_t sweep_delay_ms; /* as last set; -1: not since it was put there */
    struct xds_slice child_picks;
    bool child_lazy; /* creates and lets go of nothing by itself */
    size_t n_updates, n_exit_idle, n_destroyed;
};

static inline void test_host_tell(struct test_host *t, const char *what,
                                  struct xds_slice address)
{
    t->told = xds_arena_printf(&t->arena, "%.*s%s%s %.*s", XDS_FMT(t->told),
                               t->told.len ? ", " : "", what, XDS_FMT(address));
}

static inline void test_host_create(void *user, struct xds_slice address)
{
    test_host_tell(user, "create", address);
}

static inline void test_host_connect(void *user, struct xds_slice address)
{
    test_host_tell(user, "connect", address);
}

static inline void test_host_drop(void *user, struct xds_slice address)
{
    test_host_tell(user, "drop", address);
}

static inline void test_host_sweep_set(void *user, int64_t delay_ms)
{
    ((struct test_host *)user)->sweep_delay_ms = delay_ms;
}

/* ---- above and below ---- */

static inline struct test_host *test_host_of_parent(struct xds_policy *parent)
{
    return (struct test_host *)(void *)((char *)parent -
                                        offsetof(struct test_host, parent));
}

static inline struct test_host *test_host_of_child(struct xds_policy *child)
{
    return (struct test_host *)(void *)((char *)child -
                                        offsetof(struct test_host, child));
}

static inline void test_host_hear(struct xds_policy *parent, struct xds_policy *child)
{
    (void)child;
    test_host_of_parent(parent)->n_parent_reports++;
}

static inline void test_host_exit_idle(struct xds_policy *child)
{
    test_host_of_child(child)->n_exit_idle++;
}

static inline struct xds_pick_result test_host_child_pick(struct xds_policy *child,
                                                          const struct xds_pick_call *c)
{
    const struct xds_slice address = test_host_of_child(child)->child_picks;

    (void)c;
    if (address.data)
        return (struct xds_pick_result){.kind = XDS_PICK_COMPLETE, .address = address};
    return (struct xds_pick_result){.kind = XDS_PICK_FAIL, .reason = XDS_S("down")};
}

/* As round_robin: it holds a subchannel to all that it is given, and to nothing else. */
static inline void test_host_child_follows(struct test_host *t)
{
    struct xds_override_host *host = t->host;

    t->n_updates++;
    for (size_t i = 0; !t->child_lazy && i < host->n_all; i++) {
        if (!host->all[i]->passed)
            xds_override_host_child_releases(host, host->all[i]->address);
        else
            xds_override_host_child_creates(host, host->all[i]->address);
    }
    xds_policy_report(&t->child, (struct xds_lb_report){.state = XDS_STATE_CONNECTING,
                                                        .has_picker = true});
}

static inline struct xds_policy *
test_host_make_child(void *user, struct xds_policy *parent, struct xds_slice name)
{
    static const struct xds_policy_ops ops = {
        .name = "child", .exit_idle = test_host_exit_idle, .pick = test_host_child_pick};
    struct test_host *t = user;

    t->child = (struct xds_policy){
        .ops = &ops, .machine = &t->machine, .parent = parent, .name = name};
    test_host_child_follows(t);
    return &t->child;
}

static inline void test_host_update_child(void *user, struct xds_policy *child)
{
    (void)child;
    test_host_child_follows(user);
}

static inline void test_host_destroy_child(void *user, struct xds_policy *child)
{
    (void)child;
    ((struct test_host *)user)->n_destroyed++;
}

static inline void test_host_init(struct test_host *t,
                                  enum xds_override_generation generation)
{
    static const struct xds_policy_ops parent_ops = {.name = "parent",
                                                     .child_report = test_host_hear};

    *t = (struct test_host){.sweep_delay_ms = -1};
    xds_arena_init(&t->arena, 0);
    xds_arena_init(&t->step_arena, 0);
    xds_options_init(&t->options);
    xds_machine_init(&t->machine, &t->arena, &t->step_arena, &t->options,
                     XDS_CLIENT_CORE);
    t->parent = (struct xds_policy){.ops = &parent_ops, .machine = &t->machine};
    const struct xds_override_host_setup setup = {
        .generation = generation,
        .name = XDS_S("host"),
        .child_name = XDS_S("child"),
        .maker = {t, test_host_make_child, test_host_update_child,
                  test_host_destroy_child},
        .hooks = {t, test_host_create, test_host_connect, test_host_drop,
                  test_host_sweep_set},
    };
    t->host = xds_override_host_new(&t->machine, &t->parent, &setup);
}

static inline void test_host_release(struct test_host *t)
{
    xds_arena_release(&t->arena);
    xds_arena_release(&t->step_arena);
}

/* ---- what a test says ---- */

/* "a:1 a:2" of the health; the list ends with addresses NULL. */
struct test_host_row {
    const char *addresses;
    enum xds_health health;
};

static inline size_t test_host_split(const char *text, struct xds_slice *out)
{
    struct xds_slice rest = xds_slice_of(text);
    size_t n = 0;

    while (rest.len && n < TEST_MOST)
        rest = xds_slice_cut(rest, ' ', &out[n++]);
    return n;
}

static inline void test_host_update(struct test_host *t, unsigned status, int64_t idle_ms,
                                    const struct test_host_row *rows)
{
    struct xds_endpoint endpoints[TEST_MOST];
    const struct xds_endpoint *list[TEST_MOST];
    struct xds_slice addresses[TEST_MOST][TEST_MOST];
    size_t n = 0;

    for (; rows[n].addresses; n++) {
        endpoints[n] = (struct xds_endpoint){
            .addresses = addresses[n],
            .n_addresses = test_host_split(rows[n].addresses, addresses[n]),
            .health = rows[n].health};
        list[n] = &endpoints[n];
    }
    const struct xds_override_update update = {list, n, status, idle_ms};

    xds_override_host_update(t->host, &update);
}

/* An RPC whose cookie lists these; NULL: it is of no session. */
static inline struct xds_pick_result
test_host_pick(struct test_host *t, const char *cookie, struct xds_slice *actual)
{
    struct xds_slice list[TEST_MOST];
    const struct xds_pick_call call = {
        .has_override = cookie != NULL,
        .overridden = list,
        .n_overridden = cookie ? test_host_split(cookie, list) : 0,
        .actual = actual,
    };

    return t->host->policy.ops->pick(&t->host->policy, &call);
}

static inline bool test_host_say(struct test_host *t, const char *address,
                                 enum xds_connectivity state)
{
    return xds_override_host_state(t->host, xds_slice_of(address), state);
}

#endif
