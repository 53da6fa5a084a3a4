/*
 * priority_model_test.c - priority_experimental against a second model of it, over random
 * events. That of go, which is another machine, is compared with the real one:
 * make check-clients-lb.
 */
#include <criterion/criterion.h>

#include "lb/policy/priority_test.h"

enum { LENGTH = 14, SEQUENCES = 20000 };

/* ---- the second model: the text of A56 and of the table of differences, nothing shared
 * ---- */

enum { NONE = -1 };

struct toy_kid {
    bool exists, in_config, seen, has_picker, fails;
    enum xds_connectivity state;
    int label;
    int64_t failover, deactivation; /* NONE, or when */
    int says;
};

struct toy {
    enum xds_client client;
    int64_t now, retention;
    bool configured;
    struct toy_kid kid[KIDS];
    int priorities[KIDS + 1], n;
    int used;
    enum xds_connectivity state;
    bool has_picker;
    int label;
};

static const int64_t ten_seconds = 10000, quarter_hour = 900000;

static void toy_hear(struct toy *t, int k, enum xds_connectivity state, int label)
{
    struct toy_kid *kid = &t->kid[k];
    const bool was_connecting = kid->state == XDS_STATE_CONNECTING;
    const bool parked = kid->deactivation != NONE;

    kid->state = state;
    kid->label = label;
    kid->has_picker = true;
    kid->fails = false;
    if (parked && t->client == XDS_CLIENT_JAVA)
        return;
    if (state == XDS_STATE_READY || state == XDS_STATE_IDLE) {
        kid->seen = true;
        kid->failover = NONE;
    } else if (state == XDS_STATE_TRANSIENT_FAILURE) {
        kid->seen = false;
        kid->failover = NONE;
    } else if (kid->seen && kid->failover == NONE) {
        if (t->client == XDS_CLIENT_JAVA && was_connecting)
            return;
        kid->failover = t->now + ten_seconds;
        if (t->client == XDS_CLIENT_CORE)
            kid->seen = false;
    }
}

static void toy_say(struct toy *t, int k)
{
    const int state = t->kid[k].says;

    t->kid[k].says = -1;
    if (state >= 0)
        toy_hear(t, k, (enum xds_connectivity)state, 0);
}

static void toy_be_new(struct toy *t, int k)
{
    struct toy_kid *kid = &t->kid[k];

    kid->exists = true;
    kid->seen = kid->has_picker = kid->fails = false;
    kid->state = XDS_STATE_CONNECTING;
    kid->deactivation = NONE;
    kid->failover = t->now + ten_seconds;
    toy_say(t, k);
}

static void toy_deactivate(struct toy *t, int k)
{
    struct toy_kid *kid = &t->kid[k];

    if (!kid->exists || kid->deactivation != NONE)
        return;
    kid->deactivation = t->now + (t->retention ? t->retention : quarter_hour);
}

static bool toy_usable(const struct toy *t, int k)
{
    return t->kid[k].state == XDS_STATE_READY || t->kid[k].state == XDS_STATE_IDLE;
}

static void toy_use(struct toy *t, int i)
{
    const struct toy_kid *kid = &t->kid[t->priorities[i]];

    t->used = t->priorities[i];
    t->state = kid->state;
    t->has_picker = kid->has_picker || kid->fails;
    t->label = kid->label;
}

static void toy_drop_below(struct toy *t, int i)
{
    for (int j = i + 1; j < t->n; j++)
        toy_deactivate(t, t->priorities[j]);
}

static void toy_choose(struct toy *t)
{
    if (!t->configured)
        return;
    if (t->n == 0) {
        t->used = NONE;
        t->state = XDS_STATE_TRANSIENT_FAILURE;
        t->has_picker = true;
        return;
    }
    for (int i = 0; i < t->n; i++) {
        const int k = t->priorities[i];
        struct toy_kid *kid = &t->kid[k];

        if (!kid->exists)
            toy_be_new(t, k);
        kid->deactivation = NONE;
        if (toy_usable(t, k)) {
            toy_drop_below(t, i);
            toy_use(t, i);
            return;
        }
        if (kid->failover != NONE) {
            toy_use(t, i);
            return;
        }
    }
    for (int i = 0; i < t->n; i++) {
        if (t->kid[t->priorities[i]].state == XDS_STATE_CONNECTING) {
            toy_use(t, i);
            return;
        }
    }
    toy_use(t, t->n - 1);
}

static void toy_failover_fires(struct toy *t, int k)
{
    struct toy_kid *kid = &t->kid[k];

    kid->failover = NONE;
    if (t->client == XDS_CLIENT_GRFC || t->client == XDS_CLIENT_NODE) {
        kid->state = XDS_STATE_TRANSIENT_FAILURE;
        kid->seen = false;
        kid->fails = t->client == XDS_CLIENT_NODE;
    }
    toy_choose(t);
}

/* Fire the first timer up to that time: by time, failover before deactivation, name. */
static bool toy_fire(struct toy *t, int64_t until)
{
    int best = NONE;
    bool is_failover = false;
    int64_t at = until + 1;

    for (int k = 0; k < KIDS; k++)
        if (t->kid[k].exists && t->kid[k].failover != NONE && t->kid[k].failover < at) {
            at = t->kid[k].failover;
            best = k;
            is_failover = true;
        }
    for (int k = 0; k < KIDS; k++)
        if (t->kid[k].exists && t->kid[k].deactivation != NONE &&
            t->kid[k].deactivation < at) {
            at = t->kid[k].deactivation;
            best = k;
            is_failover = false;
        }
    if (best == NONE)
        return false;
    t->now = at;
    if (is_failover)
        toy_failover_fires(t, best);
    else
        t->kid[best].exists = false;
    return true;
}

static void toy_advance(struct toy *t, int64_t until)
{
    while (toy_fire(t, until))
        ;
    t->now = until;
}

/* A name that appears twice has its first place. */
static void toy_add_priority(struct toy *t, int k)
{
    for (int i = 0; i < t->n; i++)
        if (t->priorities[i] == k)
            return;
    t->priorities[t->n++] = k;
}

/* Each child is in the list, once; and there is one. */
static bool toy_is_strict(const bool *children, const int *priorities, int n)
{
    for (int k = 0; k < KIDS; k++) {
        int times = 0;

        for (int i = 0; i < n; i++)
            times += priorities[i] == k;
        if (times != children[k])
            return false;
    }
    return n > 0;
}

static bool toy_update(struct toy *t, const bool *children, const int *priorities, int n)
{
    const bool caches = t->client != XDS_CLIENT_JAVA;

    for (int i = 0; i < n; i++)
        if (!children[priorities[i]])
            return false;
    if (t->client == XDS_CLIENT_JAVA && !toy_is_strict(children, priorities, n))
        return false;
    t->configured = true;
    t->n = 0;
    for (int i = 0; i < n; i++)
        toy_add_priority(t, priorities[i]);
    for (int k = 0; k < KIDS; k++) {
        if (!t->kid[k].exists)
            continue;
        if (!children[k] && (!caches || t->retention == 0))
            t->kid[k].exists = false;
        else if (!children[k])
            toy_deactivate(t, k);
        else
            toy_say(t, k);
    }
    toy_choose(t);
    return true;
}

static void toy_start(struct toy *t, enum xds_client client, int64_t retention)
{
    *t = (struct toy){.client = client,
                      .retention = retention,
                      .used = NONE,
                      .state = XDS_STATE_CONNECTING};
    for (int k = 0; k < KIDS; k++)
        t->kid[k].says = -1;
}

/* ---- the same events for both ---- */

struct dice {
    uint64_t state;
};

static int roll(struct dice *dice, int sides)
{
    dice->state ^= dice->state << 13;
    dice->state ^= dice->state >> 7;
    dice->state ^= dice->state << 17;
    return (int)((dice->state >> 33) % (uint64_t)sides);
}

static void shuffle(struct dice *dice, int *list, int n)
{
    for (int i = n; i > 1; i--) {
        const int j = roll(dice, i), kept = list[j];

        list[j] = list[i - 1];
        list[i - 1] = kept;
    }
}

/* Most configs are valid; some name a child twice, none, or one that is not there. */
static int random_config(struct dice *dice, bool *children, int *priorities)
{
    int n = 0;

    for (int k = 0; k < KIDS; k++) {
        children[k] = roll(dice, 5) < 3;
        if (children[k] && roll(dice, 12))
            priorities[n++] = k;
    }
    if (roll(dice, 20) == 0)
        priorities[n++] = roll(dice, KIDS);
    shuffle(dice, priorities, n);
    return n;
}

static bool machine_update(struct fixture *w, const bool *children, const int *priorities,
                           int n)
{
    struct xds_priority_entry entries[KIDS];
    struct xds_slice names[KIDS + 1];
    struct xds_priority_config config = {.children = entries, .priorities = names};

    for (int k = 0; k < KIDS; k++)
        if (children[k])
            entries[config.n_children++] =
                (struct xds_priority_entry){.name = xds_slice_of(kid_names[k])};
    for (int i = 0; i < n; i++)
        names[config.n_priorities++] = xds_slice_of(kid_names[priorities[i]]);
    return !xds_priority_update(w->priority, &config).data;
}

static void both_update(struct fixture *w, struct toy *t, struct dice *dice)
{
    bool children[KIDS];
    int priorities[KIDS + 1];
    const int n = random_config(dice, children, priorities);

    for (int k = 0; k < KIDS; k++)
        w->kids[k].says = t->kid[k].says = roll(dice, 4) ? -1 : roll(dice, 4);
    cr_assert_eq(machine_update(w, children, priorities, n),
                 toy_update(t, children, priorities, n));
    for (int k = 0; k < KIDS; k++)
        w->kids[k].says = t->kid[k].says = -1;
}

static void both_report(struct fixture *w, struct toy *t, struct dice *dice)
{
    const int k = roll(dice, KIDS), state = roll(dice, 4), label = roll(dice, LABELS);

    if (!t->kid[k].exists)
        return;
    xds_policy_report(&w->kids[k].policy, as_report(state, label));
    toy_hear(t, k, (enum xds_connectivity)state, label);
    toy_choose(t);
}

static void both_advance(struct fixture *w, struct toy *t, struct dice *dice)
{
    static const int64_t spans[] = {1, 4000, 5000, 6000, 10000, 300000, 890000, 900000};
    const int64_t until = t->now + spans[roll(dice, XDS_ARRAY_LEN(spans))];

    xds_clock_advance(&w->machine.clock, until);
    toy_advance(t, until);
}

static void both_step(struct fixture *w, struct toy *t, struct dice *dice)
{
    const int kind = roll(dice, 10);

    if (kind < 2)
        both_update(w, t, dice);
    else if (kind < 8)
        both_report(w, t, dice);
    else
        both_advance(w, t, dice);
}

static void expect_same_kid(const struct fixture *w, const struct toy *t, int k)
{
    const struct xds_priority_child child = child_of(w, k);
    const struct toy_kid *kid = &t->kid[k];

    cr_assert_eq(child.policy != NULL, kid->exists, "%s", kid_names[k]);
    if (!kid->exists)
        return;
    cr_assert_eq(child.report.state, kid->state, "%s", kid_names[k]);
    cr_assert_eq(child.failover_pending, kid->failover != NONE, "%s", kid_names[k]);
    cr_assert_eq(child.deactivated, kid->deactivation != NONE, "%s", kid_names[k]);
    if (kid->failover != NONE)
        cr_assert_eq(child.failover_ms, kid->failover, "%s", kid_names[k]);
    if (kid->deactivation != NONE)
        cr_assert_eq(child.deactivation_ms, kid->deactivation, "%s", kid_names[k]);
}

static void expect_same(const struct fixture *w, const struct toy *t)
{
    const struct xds_lb_report *told = &w->priority->report;

    for (int k = 0; k < KIDS; k++) {
        expect_same_kid(w, t, k);
        cr_assert_eq(child_of(w, k).in_use, t->used == k);
    }
    cr_assert_eq(told->state, t->state);
    cr_assert_eq(told->has_picker, t->has_picker);
    if (t->used == NONE || !t->has_picker)
        return;
    const char *label = t->kid[t->used].fails ? "fail" : labels[t->label];

    cr_assert(xds_slice_is(told->picker, label));
}

/* What must hold whatever happened: nothing better than the one in use, and its picker is
 * what the parent has. */
static void expect_sound(const struct fixture *w, const struct toy *t)
{
    const struct xds_lb_report *told = &w->priority->report;

    if (t->used == NONE)
        return;
    const struct xds_priority_child used = child_of(w, t->used);

    cr_assert_eq(told->state, used.report.state);
    cr_assert(xds_slice_eq(told->picker, used.report.picker));
    cr_assert_not(used.deactivated);
    for (int i = 0; i < t->n && t->priorities[i] != t->used; i++) {
        const struct xds_priority_child better = child_of(w, t->priorities[i]);

        cr_assert_not_null(better.policy);
        cr_assert_neq(better.report.state, XDS_STATE_READY);
        cr_assert_neq(better.report.state, XDS_STATE_IDLE);
    }
}

static void compare_models(enum xds_client client)
{
    struct fixture w;
    struct toy t;
    struct dice dice = {.state = 0x9e3779b97f4a7c15u + (uint64_t)client};

    fixture_init(&w, client);
    for (int s = 0; s < SEQUENCES; s++) {
        const struct xds_priority_timing timing = {ten_seconds,
                                                   roll(&dice, 4) ? quarter_hour : 0};

        fixture_start(&w, client, timing);
        w.machine.clock.as_set = false; /* the model has one order for all */
        toy_start(&t, client, timing.retention_ms);
        both_update(&w, &t, &dice);
        for (int i = 0; i < LENGTH; i++) {
            expect_same(&w, &t);
            expect_sound(&w, &t);
            both_step(&w, &t, &dice);
        }
        expect_same(&w, &t);
    }
    fixture_release(&w);
}

Test(priority, the_machine_does_what_the_text_of_grfc_says)
{
    compare_models(XDS_CLIENT_GRFC);
}

Test(priority, the_machine_does_what_core_does)
{
    compare_models(XDS_CLIENT_CORE);
}

Test(priority, the_machine_does_what_java_does)
{
    compare_models(XDS_CLIENT_JAVA);
}

Test(priority, the_machine_does_what_node_does)
{
    compare_models(XDS_CLIENT_NODE);
}
