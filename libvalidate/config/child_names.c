/*
 * child_names.c - number the priorities of a cluster so that a priority which goes on
 *                 under another place keeps its child policy.
 *
 * Takes:  the priorities of this update and those of the one before with their numbers.
 * Gives:  a number for each.
 * Source: gRFC A56, A115, spec routing 7.8, spec cluster 5.4 and 5.6.
 */
#include "config/child_names.h"

#include <inttypes.h>

#define NONE SIZE_MAX

/* The old priority that held a locality, and whether it still counts. */
struct known {
    size_t old;
    bool gone;
};

struct numbering {
    const struct xds_maker *maker;
    const struct xds_child_numbers *former;
    struct xds_child_numbers *now;
    struct xds_strmap known; /* struct known by locality */
    bool *taken;             /* old priorities whose number was given again */
    bool *given;             /* of this update's */
};

static struct xds_slice locality_key(struct xds_arena *arena,
                                     const struct xds_locality *l)
{
    return xds_arena_printf(arena, "%zu:%.*s%zu:%.*s%.*s", l->region.len,
                            XDS_FMT(l->region), l->zone.len, XDS_FMT(l->zone),
                            XDS_FMT(l->sub_zone));
}

static struct known *find_known(const struct numbering *w, const struct xds_locality *l)
{
    return xds_strmap_get(&w->known, locality_key(w->maker->arena, l));
}

static void remember(struct numbering *w)
{
    struct xds_arena *arena = w->maker->arena;

    for (size_t i = 0; i < w->former->n; i++) {
        const struct xds_config_priority *p = &w->former->priorities[i];

        for (size_t k = 0; k < p->n; k++) {
            struct known *known = XDS_NEW(arena, struct known);

            known->old = i;
            *xds_strmap_at(&w->known, locality_key(arena, p->localities[k])) = known;
        }
    }
}

static void give(struct numbering *w, size_t priority, size_t old)
{
    w->now->number[priority] = w->former->number[old];
    w->given[priority] = true;
    w->taken[old] = true;
}

/* next is above every number that was ever given. */
static void give_new(struct numbering *w, size_t priority)
{
    w->now->number[priority] = w->now->next++;
    w->given[priority] = true;
}

/* ---- core ----------------------------------------------------------------------------
 */

static void forget_all_of(struct numbering *w, size_t old)
{
    const struct xds_config_priority *p = &w->former->priorities[old];

    for (size_t k = 0; k < p->n; k++)
        find_known(w, p->localities[k])->gone = true;
}

/* The first locality that is known brings its number along; the others of that old
 * priority then belong to nobody, also those that another one had as well. */
static void assign_core(struct numbering *w)
{
    for (size_t i = 0; i < w->now->n; i++) {
        const struct xds_config_priority *p = &w->now->priorities[i];

        for (size_t k = 0; k < p->n; k++) {
            struct known *known = find_known(w, p->localities[k]);

            if (!known || known->gone)
                continue;
            if (w->given[i]) {
                known->gone = true;
                continue;
            }
            give(w, i, known->old);
            forget_all_of(w, known->old);
        }
        if (!w->given[i])
            give_new(w, i);
    }
}

/* ---- the others ----------------------------------------------------------------------
 */

/* The old priority of the first locality whose number is free, or NONE. */
static size_t first_free(const struct numbering *w, size_t priority)
{
    const struct xds_config_priority *p = &w->now->priorities[priority];

    for (size_t k = 0; k < p->n; k++) {
        const struct known *known = find_known(w, p->localities[k]);

        if (known && !w->taken[known->old])
            return known->old;
    }
    return NONE;
}

static bool holds_one_of(const struct numbering *w, size_t priority, size_t old)
{
    const struct xds_config_priority *p = &w->now->priorities[priority];

    for (size_t k = 0; k < p->n; k++) {
        const struct known *known = find_known(w, p->localities[k]);

        if (known && known->old == old)
            return true;
    }
    return false;
}

static void assign_greedy(struct numbering *w)
{
    for (size_t i = 0; i < w->now->n; i++) {
        const size_t old = w->given[i] ? NONE : first_free(w, i);

        if (old != NONE)
            give(w, i, old);
    }
}

static void assign_rest(struct numbering *w)
{
    for (size_t i = 0; i < w->now->n; i++)
        if (!w->given[i])
            give_new(w, i);
}

/* Same place first, then greedily, then new numbers. */
static void assign_go(struct numbering *w)
{
    for (size_t i = 0; i < w->now->n && i < w->former->n; i++)
        if (holds_one_of(w, i, i))
            give(w, i, i);
    assign_greedy(w);
    assign_rest(w);
}

static void assign_java(struct numbering *w)
{
    for (size_t i = 0; i < w->now->n; i++) {
        const size_t old = first_free(w, i);

        if (old != NONE)
            give(w, i, old);
        else
            give_new(w, i);
    }
}

/* The nearest old priority from the same place on that held one of the localities. */
static size_t nearest_behind(const struct numbering *w, size_t priority)
{
    const struct xds_config_priority *p = &w->now->priorities[priority];
    size_t nearest = NONE;

    for (size_t k = 0; k < p->n; k++) {
        const struct known *known = find_known(w, p->localities[k]);

        if (known && known->old >= priority && known->old < nearest)
            nearest = known->old;
    }
    return nearest;
}

static void assign_node(struct numbering *w)
{
    for (size_t i = 0; i < w->now->n; i++) {
        const size_t old = nearest_behind(w, i);

        if (old != NONE && !w->taken[old])
            give(w, i, old);
        else
            give_new(w, i);
    }
}

static void (*const assign[XDS_CLIENTS])(struct numbering *w) = {
    [XDS_CLIENT_GRFC] = assign_core, [XDS_CLIENT_CORE] = assign_core,
    [XDS_CLIENT_GO] = assign_go,     [XDS_CLIENT_JAVA] = assign_java,
    [XDS_CLIENT_NODE] = assign_node,
};

void xds_child_numbers_assign(const struct xds_maker *maker,
                              const struct xds_child_numbers *former,
                              struct xds_child_numbers *now)
{
    struct numbering w = {.maker = maker, .former = former, .now = now};

    xds_strmap_init(&w.known, maker->arena);
    w.taken = XDS_NEW_ARRAY(maker->arena, bool, former->n);
    w.given = XDS_NEW_ARRAY(maker->arena, bool, now->n);
    now->number = XDS_NEW_ARRAY(maker->arena, uint64_t, now->n);
    now->next = former->next;
    if (former->n == 0 && former->next == 0 && maker->client == XDS_CLIENT_JAVA)
        now->next = 1;
    remember(&w);
    assign[maker->client](&w);
}

/* ---- names ---------------------------------------------------------------------------
 */

struct xds_slice xds_child_name(const struct xds_maker *maker,
                                const struct xds_cluster *cluster, size_t mechanism,
                                uint64_t number)
{
    struct xds_arena *arena = maker->arena;

    switch (maker->client) {
    case XDS_CLIENT_GRFC:
    case XDS_CLIENT_CORE:
        break;
    case XDS_CLIENT_GO:
        return cluster->kind == XDS_CLUSTER_LOGICAL_DNS
                   ? xds_arena_printf(arena, "priority-%zu", mechanism)
                   : xds_arena_printf(arena, "priority-%zu-%" PRIu64, mechanism, number);
    case XDS_CLIENT_JAVA:
        return xds_arena_printf(arena, "%.*s[child%" PRIu64 "]", XDS_FMT(cluster->name),
                                number);
    case XDS_CLIENT_NODE:
        return xds_arena_printf(arena, "cluster=%.*s, child_number=%" PRIu64,
                                XDS_FMT(cluster->name), number);
    case XDS_CLIENTS:
        break;
    }
    return xds_arena_printf(arena, "{cluster=%.*s, child_number=%" PRIu64 "}",
                            XDS_FMT(cluster->name), number);
}
