/*
 * override_host_model_test.h - the pseudo-code of A55 and A75, for the test of the
 * machine.
 *
 * It is written from the texts, loop by loop, and knows nothing of ranks, arenas or
 * timers that are left out.
 */
#ifndef XDS_LB_OVERRIDE_HOST_MODEL_TEST_H
#define XDS_LB_OVERRIDE_HOST_MODEL_TEST_H

#include "lb/policy/override_host_test.h"

enum { ADDRESSES = 6 };

enum held { NOT_HELD, WEAKLY, STRONGLY };

struct entry {
    bool known, listed;
    enum xds_health health;
    int equivalents[ADDRESSES + 1], n_equivalents;
    enum held subchannel;
    enum xds_connectivity state;
    double last_used;
};

struct model {
    bool a75;
    struct entry map[ADDRESSES];
    unsigned set;
    double now, idle, timer; /* timer < 0: not set */
    int created, connected, dropped;
    int connects_to; /* the last one that was asked to connect */
};

struct outcome {
    char what; /* 'c'omplete, 'q'ueue, 'd'elegate */
    int host;  /* complete */
};

static inline bool in_set(const struct model *m, const struct entry *e)
{
    return m->set & XDS_HEALTH_BIT(e->health);
}

static inline void touch(struct model *m, int address)
{
    m->map[address].last_used = m->now;
}

static inline bool has(const struct model *m, int address, enum xds_connectivity state)
{
    const struct entry *e = &m->map[address];

    return e->known && in_set(m, e) && e->subchannel != NOT_HELD && e->state == state;
}

/* A75: four walks through the list of the cookie. */
static inline struct outcome pick_a75(struct model *m, const int *cookie, int n)
{
    for (int i = 0; i < n; i++) {
        if (has(m, cookie[i], XDS_STATE_READY)) {
            touch(m, cookie[i]);
            return (struct outcome){'c', cookie[i]};
        }
    }
    for (int i = 0; i < n; i++) {
        if (has(m, cookie[i], XDS_STATE_IDLE)) {
            m->connected++;
            m->connects_to = cookie[i];
            return (struct outcome){'q', 0};
        }
    }
    for (int i = 0; i < n; i++)
        if (has(m, cookie[i], XDS_STATE_CONNECTING))
            return (struct outcome){'q', 0};
    for (int i = 0; i < n; i++) {
        struct entry *e = &m->map[cookie[i]];
        if (e->known && in_set(m, e) && e->subchannel == NOT_HELD) {
            e->subchannel = STRONGLY;
            e->state = XDS_STATE_IDLE;
            m->created++;
            return (struct outcome){'q', 0};
        }
    }
    return (struct outcome){'d', 0};
}

/* A55: the entry of the one address, then its equivalent addresses. */
static inline struct outcome pick_a55(struct model *m, const int *cookie, int n)
{
    const struct entry *entry = n > 0 ? &m->map[cookie[0]] : NULL;
    bool connecting = false;
    int idle = -1;

    if (!entry || !entry->known)
        return (struct outcome){'d', 0};
    if (has(m, cookie[0], XDS_STATE_READY)) {
        touch(m, cookie[0]);
        return (struct outcome){'c', cookie[0]};
    }
    if (has(m, cookie[0], XDS_STATE_IDLE))
        idle = cookie[0];
    connecting |= has(m, cookie[0], XDS_STATE_CONNECTING);
    for (int i = 0; i < entry->n_equivalents; i++) {
        const int other = entry->equivalents[i];
        if (has(m, other, XDS_STATE_READY)) {
            touch(m, other);
            return (struct outcome){'c', other};
        }
        if (has(m, other, XDS_STATE_IDLE))
            idle = other;
        connecting |= has(m, other, XDS_STATE_CONNECTING);
    }
    if (idle >= 0) {
        m->connected++;
        m->connects_to = idle;
    }
    return (struct outcome){idle >= 0 || connecting ? 'q' : 'd', 0};
}

static inline void start_timer(struct model *m)
{
    double next = m->idle;

    for (int i = 0; i < ADDRESSES; i++) {
        const struct entry *e = &m->map[i];
        if (e->known && e->last_used > m->now - m->idle)
            next = fmin(next, e->last_used + m->idle - m->now);
    }
    m->timer = m->now + fmax(next, 5000);
}

static inline void forget(struct model *m, struct entry *e)
{
    m->dropped += e->subchannel == STRONGLY;
    *e = (struct entry){.last_used = -INFINITY};
}

static inline void fire(struct model *m)
{
    bool empty = true;

    m->timer = -1;
    for (int i = 0; i < ADDRESSES; i++) {
        struct entry *e = &m->map[i];
        empty = empty && !e->known;
        if (e->subchannel == STRONGLY && e->last_used <= m->now - m->idle) {
            e->subchannel = NOT_HELD;
            m->dropped++;
        }
    }
    if (!empty)
        start_timer(m);
}

static inline void pass_time(struct model *m, double to)
{
    while (m->timer >= 0 && m->timer <= to) {
        m->now = m->timer;
        fire(m);
    }
    m->now = to;
}

static inline bool drains(const struct model *m, const struct entry *e)
{
    return e->listed && e->health == XDS_HEALTH_DRAINING && in_set(m, e);
}

static inline void child_releases(struct model *m, int address)
{
    struct entry *e = &m->map[address];

    if (e->subchannel != WEAKLY)
        return;
    if (m->a75 ? e->last_used >= m->now - m->idle : drains(m, e))
        e->subchannel = STRONGLY;
    else
        e->subchannel = NOT_HELD;
}

static inline void child_creates(struct model *m, int address)
{
    struct entry *e = &m->map[address];

    if (!e->known)
        return;
    if (e->subchannel == NOT_HELD)
        e->state = XDS_STATE_IDLE;
    e->subchannel = WEAKLY;
}

#endif
