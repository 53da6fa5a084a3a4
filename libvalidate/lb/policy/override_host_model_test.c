/*
 * override_host_model_test.c - the machine against the pseudo-code of A55 and A75.
 *
 * The model of override_host_model_test.h and the machine live through the same random
 * events; after each they must agree on everything.
 */
#include <criterion/criterion.h>
#include <math.h>

#include "lb/policy/override_host_model_test.h"

enum { EVENTS = 20, SEQUENCES = 100000, MANY_SECONDS = 100000 };

static const char *const names[ADDRESSES] = {"a", "b", "c", "d", "e", "f"};

/* ---- one update, for both ---- */

struct endpoint {
    int addresses[ADDRESSES], n;
    enum xds_health health;
};

struct update {
    struct endpoint endpoints[ADDRESSES];
    int n;
    unsigned set;
    int idle;
    bool lazy;
};

static bool passes(const struct endpoint *p)
{
    return p->health == XDS_HEALTH_UNKNOWN || p->health == XDS_HEALTH_HEALTHY;
}

static void enter(struct model *m, const struct endpoint *p, int k)
{
    struct entry *e = &m->map[p->addresses[k]];

    if (e->listed)
        return;
    if (!e->known)
        *e = (struct entry){.known = true, .last_used = -INFINITY};
    e->listed = true;
    e->health = p->health;
    e->n_equivalents = 0;
    for (int i = 0; i < p->n; i++)
        if (i != k)
            e->equivalents[e->n_equivalents++] = p->addresses[i];
}

static void forget_vanished(struct model *m)
{
    for (int i = 0; i < ADDRESSES; i++) {
        struct entry *e = &m->map[i];
        if (e->listed)
            continue;
        e->n_equivalents = 0;
        if (m->a75)
            forget(m, e);
    }
}

static void update_model(struct model *m, const struct update *u)
{
    bool passed[ADDRESSES] = {false};

    m->set = u->set;
    m->idle = u->idle;
    for (int i = 0; i < ADDRESSES; i++)
        m->map[i].listed = false;
    for (int i = 0; i < u->n; i++) {
        const struct endpoint *p = &u->endpoints[i];
        const bool drained = p->health == XDS_HEALTH_DRAINING &&
                             (!m->a75 || (u->set & XDS_HEALTH_BIT(XDS_HEALTH_DRAINING)));
        for (int k = 0; k < p->n && (passes(p) || drained); k++) {
            enter(m, p, k);
            passed[p->addresses[k]] |= passes(p);
        }
    }
    forget_vanished(m);
    if (m->a75)
        start_timer(m);
    for (int i = 0; i < ADDRESSES && !u->lazy; i++) {
        if (passed[i])
            child_creates(m, i);
        else
            child_releases(m, i);
    }
    for (int i = 0; i < ADDRESSES && !m->a75; i++) {
        if (m->map[i].subchannel != STRONGLY || drains(m, &m->map[i]))
            continue;
        m->map[i].subchannel = NOT_HELD;
        m->dropped++;
    }
}

static void update_machine(struct test_host *t, const struct update *u)
{
    struct xds_slice addresses[ADDRESSES][ADDRESSES];
    struct xds_endpoint endpoints[ADDRESSES];
    const struct xds_endpoint *list[ADDRESSES];

    for (int i = 0; i < u->n; i++) {
        for (int k = 0; k < u->endpoints[i].n; k++)
            addresses[i][k] = xds_slice_of(names[u->endpoints[i].addresses[k]]);
        endpoints[i] = (struct xds_endpoint){.addresses = addresses[i],
                                             .n_addresses = (size_t)u->endpoints[i].n,
                                             .health = u->endpoints[i].health};
        list[i] = &endpoints[i];
    }
    const struct xds_override_update update = {list, (size_t)u->n, u->set, u->idle};

    t->child_lazy = u->lazy;
    xds_override_host_update(t->host, &update);
}

/* ---- both, side by side ---- */

struct pair {
    struct test_host t;
    struct model m;
    int created, connected, dropped; /* by the machine */
    struct xds_slice connects_to;
    uint64_t seed;
};

static unsigned draw(struct pair *p, unsigned bound)
{
    p->seed ^= p->seed << 13;
    p->seed ^= p->seed >> 7;
    p->seed ^= p->seed << 17;
    return (unsigned)((p->seed >> 20) % bound);
}

static void on_create(void *user, struct xds_slice address)
{
    (void)address;
    ((struct pair *)user)->created++;
}

static void on_connect(void *user, struct xds_slice address)
{
    struct pair *p = user;

    p->connected++;
    p->connects_to = address;
}

static void on_drop(void *user, struct xds_slice address)
{
    (void)address;
    ((struct pair *)user)->dropped++;
}

static enum held held_by(const struct xds_override_entry *e)
{
    switch (e->owner) {
    case XDS_SUBCHANNEL_NONE:
        return NOT_HELD;
    case XDS_SUBCHANNEL_CHILD:
        return WEAKLY;
    case XDS_SUBCHANNEL_OURS:
        return STRONGLY;
    }
    return NOT_HELD;
}

static bool same_entry(const struct xds_override_entry *got, const struct entry *want)
{
    if (!got || !want->known)
        return !got && !want->known;
    const double used =
        got->last_used_ms == XDS_NEVER_USED ? -INFINITY : (double)got->last_used_ms;

    return got->health == want->health && held_by(got) == want->subchannel &&
           (want->subchannel == NOT_HELD || got->state == want->state) &&
           !(used < want->last_used) && !(used > want->last_used);
}

static bool same_fixture(const struct pair *p)
{
    const struct xds_timer *sweep = &p->t.host->sweep;

    for (int i = 0; i < ADDRESSES; i++)
        if (!same_entry(xds_override_host_find(p->t.host, xds_slice_of(names[i])),
                        &p->m.map[i]))
            return false;
    return p->created == p->m.created && p->connected == p->m.connected &&
           p->dropped == p->m.dropped &&
           (p->connected == 0 || xds_slice_is(p->connects_to, names[p->m.connects_to])) &&
           (sweep->slot != 0) == (p->m.timer >= 0) &&
           (!sweep->slot || sweep->at_ms == (int64_t)p->m.timer);
}

/* Never out of the map, never against the status set. */
static bool is_allowed(const struct pair *p, const struct xds_override_choice *d)
{
    return d->rank == XDS_RANK_UNUSABLE ||
           (d->best->in_map && xds_override_admits(p->t.host->status, d->best->health));
}

static struct xds_override_choice decide(struct pair *p, const struct xds_pick_call *call,
                                         char what)
{
    static const char letters[] = {[XDS_RANK_READY] = 'c',
                                   [XDS_RANK_IDLE] = 'q',
                                   [XDS_RANK_CONNECTING] = 'q',
                                   [XDS_RANK_NONE] = 'q',
                                   [XDS_RANK_UNUSABLE] = 'd'};
    const struct xds_override_choice d = xds_override_host_decide(p->t.host, call);

    cr_assert_eq(letters[d.rank], what);
    cr_assert(is_allowed(p, &d));
    return d;
}

static struct outcome pick_model(struct model *m, const int *cookie, int n)
{
    return m->a75 ? pick_a75(m, cookie, n) : pick_a55(m, cookie, n);
}

static void play_pick(struct pair *p)
{
    int cookie[3];
    struct xds_slice list[3], actual = {0};
    const int n = (int)draw(p, 4);

    for (int i = 0; i < n; i++) {
        cookie[i] = (int)draw(p, ADDRESSES);
        list[i] = xds_slice_of(names[cookie[i]]);
    }
    const struct xds_pick_call call = {.has_override = true,
                                       .overridden = list,
                                       .n_overridden = (size_t)n,
                                       .actual = &actual};
    struct outcome o = pick_model(&p->m, cookie, n);
    const struct xds_override_choice d = decide(p, &call, o.what);

    if (d.rank == XDS_RANK_READY)
        cr_assert(xds_slice_is(d.best->address, names[o.host]));
    cr_assert_eq(actual.data != NULL, o.what == 'c');
    /* Once more: the same, but a connection that was just made is now asked to connect.
     */
    o = pick_model(&p->m, cookie, n);
    const struct xds_override_choice again = decide(p, &call, o.what);

    cr_assert_eq(again.best, d.best);
    if (o.what == 'd' && n > 0 && draw(p, 2)) {
        xds_override_host_picked(p->t.host, &call, list[0]);
        if (p->m.map[cookie[0]].known)
            touch(&p->m, cookie[0]);
    }
}

static void play_update(struct pair *p)
{
    static const enum xds_health healths[] = {XDS_HEALTH_UNKNOWN, XDS_HEALTH_HEALTHY,
                                              XDS_HEALTH_DRAINING, XDS_HEALTH_UNHEALTHY};
    static const int idles[] = {0, 1, 4999, 5000, 7000, 20000};
    struct update u = {.n = (int)draw(p, 4),
                       .set = draw(p, 1u << XDS_HEALTHS),
                       .idle = idles[draw(p, XDS_ARRAY_LEN(idles))],
                       .lazy = draw(p, 3) == 0};

    for (int i = 0; i < u.n; i++) {
        u.endpoints[i].n = 1 + (int)draw(p, 3);
        u.endpoints[i].health = healths[draw(p, XDS_ARRAY_LEN(healths))];
        const int first = (int)draw(p, ADDRESSES);
        for (int k = 0; k < u.endpoints[i].n; k++)
            u.endpoints[i].addresses[k] = (first + k) % ADDRESSES;
    }
    update_model(&p->m, &u);
    update_machine(&p->t, &u);
}

static void play_time(struct pair *p)
{
    const unsigned ms = draw(p, 8) ? draw(p, 10001) : draw(p, MANY_SECONDS);

    pass_time(&p->m, p->m.now + ms);
    xds_clock_advance(&p->t.machine.clock, (int64_t)p->m.now);
}

static void play_subchannel(struct pair *p)
{
    const int i = (int)draw(p, ADDRESSES);
    const struct xds_slice address = xds_slice_of(names[i]);
    const enum xds_connectivity state = (enum xds_connectivity)draw(p, 4);
    struct entry *e = &p->m.map[i];

    switch (draw(p, 6)) {
    case 0:
        child_releases(&p->m, i);
        xds_override_host_child_releases(p->t.host, address);
        break;
    case 1:
        child_creates(&p->m, i);
        cr_assert_eq(xds_override_host_child_creates(p->t.host, address), e->known);
        break;
    default:
        cr_assert_eq(xds_override_host_state(p->t.host, address, state),
                     e->subchannel != NOT_HELD);
        if (!p->m.a75 && e->subchannel == STRONGLY && e->state == XDS_STATE_READY &&
            state != XDS_STATE_READY) {
            e->subchannel = NOT_HELD; /* the connection closes */
            p->m.dropped++;
        }
        if (e->subchannel != NOT_HELD)
            e->state = state;
        break;
    }
}

static void play(struct pair *p)
{
    const unsigned kind = draw(p, 12);

    if (kind == 0)
        play_update(p);
    else if (kind < 3)
        play_time(p);
    else if (kind < 8)
        play_subchannel(p);
    else
        play_pick(p);
}

static void compare_generation(enum xds_override_generation generation, bool a75)
{
    static struct pair p;

    p = (struct pair){.seed = UINT64_C(0x9E3779B97F4A7C15)};
    for (int i = 0; i < SEQUENCES; i++) {
        test_host_init(&p.t, generation);
        p.t.host->hooks =
            (struct xds_override_hooks){&p, on_create, on_connect, on_drop, NULL};
        p.created = p.connected = p.dropped = 0;
        p.m = (struct model){.a75 = a75, .timer = -1};
        for (int k = 0; k < ADDRESSES; k++)
            p.m.map[k].last_used = -INFINITY;
        play_update(&p);
        for (int k = 0; k < EVENTS; k++) {
            play(&p);
            cr_assert(same_fixture(&p), "sequence %d, event %d", i, k);
        }
        test_host_release(&p.t);
    }
}

Test(override_host_model, the_machine_is_the_pseudo_code_of_a55)
{
    compare_generation(XDS_OVERRIDE_A55, false);
}

Test(override_host_model, the_machine_is_the_pseudo_code_of_a75)
{
    compare_generation(XDS_OVERRIDE_A75, true);
}
