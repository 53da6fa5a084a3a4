/*
 * child_numbers.c - number the priorities of a cluster so that a priority which continues
 *                   under another place keeps its child policy.
 *
 * Gives:  localities by priority, sorted by name or in the order of the resource, at
 * least one priority; a number for each. Source: gRFC A56, A115, spec routing 7.8, spec
 * cluster 2.1, 5.4 and 5.6.
 */
#include "model/child_numbers.h"

#include <stdlib.h>

#include "base/strmap.h"
#include "clients/readers.h"

/* ---- localities in order ---- */

/* All are of one array, in the order of the resource. */
static int as_listed(const void *left, const void *right)
{
    const struct xds_locality *a = *(const struct xds_locality *const *)left;
    const struct xds_locality *b = *(const struct xds_locality *const *)right;
    const int c = (a->priority > b->priority) - (a->priority < b->priority);

    return c ? c : (a > b) - (a < b);
}

static int by_name(const void *left, const void *right)
{
    const struct xds_locality *a = *(const struct xds_locality *const *)left;
    const struct xds_locality *b = *(const struct xds_locality *const *)right;
    int c = (a->priority > b->priority) - (a->priority < b->priority);

    if (c == 0)
        c = xds_slice_cmp(a->region, b->region);
    if (c == 0)
        c = xds_slice_cmp(a->zone, b->zone);
    return c ? c : xds_slice_cmp(a->sub_zone, b->sub_zone);
}

struct xds_slice xds_locality_key(struct xds_arena *arena, const struct xds_locality *l)
{
    /* Lengths keep the parts apart. */
    const size_t lengths[] = {l->region.len, l->zone.len};
    const struct xds_slice pieces[] = {
        {(const char *)lengths, sizeof lengths}, l->region, l->zone, l->sub_zone};

    return xds_arena_join(arena, pieces, XDS_ARRAY_LEN(pieces));
}

/* The last entry of each locality, where only that counts. */
static size_t keep_last(struct xds_arena *arena, const struct xds_locality **list,
                        size_t n)
{
    struct xds_strmap last; /* by name: the entry of the list */
    size_t kept = 0, alike = 0;

    while (alike < n && list[alike]->priority == list[0]->priority)
        alike++;
    if (alike == n) /* inside of one priority each is there once */
        return n;
    xds_strmap_init(&last, arena);
    for (size_t i = 0; i < n; i++)
        *xds_strmap_at(&last, xds_locality_key(arena, list[i])) = &list[i];
    for (size_t i = 0; i < n; i++)
        if (xds_strmap_get(&last, xds_locality_key(arena, list[i])) == &list[i])
            list[kept++] = list[i];
    return kept;
}

static struct xds_locality_list
sorted(struct xds_arena *arena, const struct xds_options *options, enum xds_client client,
       const struct xds_endpoints *endpoints, bool only_usable)
{
    const bool is_signed = xds_differs(options, client, XDS_DIFF_LOCALITY_WEIGHT_SIGNED);
    struct xds_locality_list out = {
        XDS_NEW_ARRAY(arena, const struct xds_locality *, endpoints->n_localities), 0};

    for (size_t i = 0; i < endpoints->n_localities; i++) {
        const struct xds_locality *locality = &endpoints->localities[i];

        if ((!is_signed || locality->weight <= INT32_MAX) &&
            (!only_usable || xds_locality_serves(locality)))
            out.list[out.n++] = locality;
    }
    if (xds_differs(options, client, XDS_DIFF_LOCALITY_LAST_PRIORITY))
        out.n = keep_last(arena, out.list, out.n);
    if (out.n > 1)
        qsort(out.list, out.n, sizeof *out.list,
              xds_differs(options, client, XDS_DIFF_LOCALITIES_AS_LISTED) ? as_listed
                                                                          : by_name);
    return out;
}

struct xds_locality_list xds_localities_in_order(struct xds_arena *arena,
                                                 const struct xds_options *options,
                                                 enum xds_client client,
                                                 const struct xds_endpoints *endpoints)
{
    return sorted(arena, options, client, endpoints, false);
}

/* ---- numbers ---- */

#define NONE SIZE_MAX

/* The old priority that held a locality, and whether it still counts. */
struct known {
    size_t old;
    bool gone;
};

struct numbering {
    struct xds_arena *arena;
    const struct xds_child_numbers *former;
    struct xds_child_numbers *now;
    struct xds_strmap known; /* struct known by locality */
    bool *taken;             /* old priorities whose number was given again */
    bool *given;             /* of this update's */
};

static struct known *find_known(const struct numbering *w, const struct xds_locality *l)
{
    return xds_strmap_get(&w->known, xds_locality_key(w->arena, l));
}

static void remember(struct numbering *w)
{
    struct xds_arena *arena = w->arena;

    for (size_t i = 0; i < w->former->n; i++) {
        const struct xds_config_priority *p = &w->former->priorities[i];

        for (size_t k = 0; k < p->n; k++) {
            struct known *known = XDS_NEW(arena, struct known);

            known->old = i;
            *xds_strmap_at(&w->known, xds_locality_key(arena, p->localities[k])) = known;
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

/* ---- core ---- */

static void forget_all_of(struct numbering *w, size_t old)
{
    const struct xds_config_priority *p = &w->former->priorities[old];

    for (size_t k = 0; k < p->n; k++)
        find_known(w, p->localities[k])->gone = true;
}

/* The first locality that is known brings its number along; the others of that old
 * priority are then unassigned, also those that another one had as well. */
static void assign_by_locality(struct numbering *w)
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

/* ---- the others ---- */

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

/* Same place first, then greedily, then new numbers. */
static void assign_by_place(struct numbering *w)
{
    for (size_t i = 0; i < w->now->n && i < w->former->n; i++)
        if (holds_one_of(w, i, i))
            give(w, i, i);
    for (size_t i = 0; i < w->now->n; i++) {
        const size_t old = w->given[i] ? NONE : first_free(w, i);

        if (old != NONE)
            give(w, i, old);
    }
    for (size_t i = 0; i < w->now->n; i++)
        if (!w->given[i])
            give_new(w, i);
}

/* The first free number of its localities, or a new one. */
static void assign_in_turn(struct numbering *w)
{
    for (size_t i = 0; i < w->now->n; i++) {
        const size_t old = first_free(w, i);

        if (old != NONE)
            give(w, i, old);
        else
            give_new(w, i);
    }
}

static void assign_nearest(struct numbering *w)
{
    for (size_t i = 0; i < w->now->n; i++) {
        /* The nearest old priority from the same place on that held one of the
         * localities. */
        const struct xds_config_priority *p = &w->now->priorities[i];
        size_t old = NONE;

        for (size_t k = 0; k < p->n; k++) {
            const struct known *known = find_known(w, p->localities[k]);

            if (known && known->old >= i && known->old < old)
                old = known->old;
        }

        if (old != NONE && !w->taken[old])
            give(w, i, old);
        else
            give_new(w, i);
    }
}

void xds_child_numbers_assign(struct xds_arena *arena, const struct xds_options *options,
                              enum xds_client client,
                              const struct xds_child_numbers *former,
                              struct xds_child_numbers *now)
{
    struct numbering w = {.arena = arena, .former = former, .now = now};

    xds_strmap_init(&w.known, arena);
    w.taken = XDS_NEW_ARRAY(arena, bool, former->n);
    w.given = XDS_NEW_ARRAY(arena, bool, now->n);
    now->number = XDS_NEW_ARRAY(arena, uint64_t, now->n);
    now->next = former->next;
    if (former->n == 0 && former->next == 0 &&
        xds_differs(options, client, XDS_DIFF_CHILD_NUMBERS_FROM_ONE))
        now->next = 1;
    remember(&w);
    if (xds_differs(options, client, XDS_DIFF_CHILD_NUMBERS_IN_TURN))
        assign_in_turn(&w);
    else if (xds_differs(options, client, XDS_DIFF_CHILD_NUMBERS_BY_PLACE))
        assign_by_place(&w);
    else if (xds_differs(options, client, XDS_DIFF_CHILD_NUMBERS_NEAREST))
        assign_nearest(&w);
    else
        assign_by_locality(&w);
}

struct xds_child_numbers xds_child_numbers_of(struct xds_arena *arena,
                                              const struct xds_options *options,
                                              enum xds_client client,
                                              const struct xds_child_numbers *former,
                                              const struct xds_endpoints *endpoints)
{
    static const struct xds_endpoints none;
    const bool unseen = xds_differs(options, client, XDS_DIFF_LOCALITY_UNUSABLE_UNSEEN);
    const bool may_be_none =
        endpoints &&
        (unseen || xds_differs(options, client, XDS_DIFF_LOCALITY_UNUSABLE_DROPPED));
    const struct xds_locality_list all =
        sorted(arena, options, client, endpoints ? endpoints : &none, unseen);
    struct xds_child_numbers now = {.n = 0};

    now.priorities = XDS_NEW_ARRAY(arena, struct xds_config_priority, all.n + 1);
    for (size_t i = 0; i < all.n; i++) {
        if (i == 0 || all.list[i]->priority != all.list[i - 1]->priority)
            now.priorities[now.n++].localities = &all.list[i];
        now.priorities[now.n - 1].n++;
    }
    if (now.n == 0 && !may_be_none)
        now.n = 1; /* without localities */
    xds_child_numbers_assign(arena, options, client, former, &now);
    return now;
}

/* ---- what is dropped afterwards ---- */

struct xds_child_numbers xds_child_numbers_used(struct xds_arena *arena,
                                                const struct xds_options *options,
                                                enum xds_client client,
                                                const struct xds_child_numbers *all)
{
    struct xds_child_numbers out = {.next = all->next};

    if (!xds_differs(options, client, XDS_DIFF_LOCALITY_UNUSABLE_DROPPED))
        return *all;
    out.number = XDS_NEW_ARRAY(arena, uint64_t, all->n);
    out.priorities = XDS_NEW_ARRAY(arena, struct xds_config_priority, all->n);
    for (size_t i = 0; i < all->n; i++) {
        const struct xds_config_priority *p = &all->priorities[i];
        const struct xds_locality **list =
            XDS_NEW_ARRAY(arena, const struct xds_locality *, p->n);
        struct xds_config_priority used = {.localities = list};

        for (size_t k = 0; k < p->n; k++)
            if (xds_locality_serves(p->localities[k]))
                list[used.n++] = p->localities[k];
        if (used.n == 0 && p->n > 0)
            continue;
        out.number[out.n] = all->number[i];
        out.priorities[out.n++] = used;
    }
    return out;
}
