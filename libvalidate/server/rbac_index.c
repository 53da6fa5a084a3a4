/*
 * rbac_index.c - the policies of an RBAC filter by the paths that they ask for, in the
 * order in which the client asks them.
 *
 * A policy whose permissions all ask for an exact path, or for a prefix with a service in
 * it, is looked at only for RPCs of such a path. Built once for each filter.
 */
#include "server/rbac.h"

#include <stdlib.h>

struct xds_rbac_index {
    const struct xds_rbac *rbac;
    const struct xds_rbac_policy **order;
    struct xds_strmap by_path, by_service; /* struct xds_rbac_positions */
    struct xds_rbac_positions others;
};

/* ---- what a policy asks for ---- */

/* Of "/package.Service/Method" "/package.Service/"; absent: it is none. */
static struct xds_slice service_of(struct xds_slice path)
{
    const size_t slash =
        path.len > 1 ? xds_slice_find(xds_slice_from(path, 1), '/') + 1 : path.len;

    return slash < path.len ? xds_slice_make(path.data, slash + 1)
                            : (struct xds_slice){NULL, 0};
}

enum { MOST_KEYS = 64 };

struct keys {
    struct xds_slice list[MOST_KEYS];
    bool is_path[MOST_KEYS]; /* else a service */
    size_t n;
};

static bool add_key(struct keys *keys, const struct xds_string_matcher *m)
{
    const bool is_path = m && m->kind == XDS_MATCH_EXACT;
    const struct xds_slice key = !m || m->fold_case ? (struct xds_slice){NULL, 0}
                                 : is_path          ? m->text
                                 : m->kind == XDS_MATCH_PREFIX
                                     ? service_of(m->text)
                                     : (struct xds_slice){NULL, 0};

    if (!key.data || keys->n == MOST_KEYS)
        return false;
    keys->list[keys->n] = key;
    keys->is_path[keys->n++] = is_path;
    return true;
}

/* True: the rule matches only RPCs of the keys that were added. */
static bool keys_of(const struct xds_rbac_rule *rule, struct keys *keys)
{
    const size_t before = keys->n;

    if (rule->kind == XDS_RBAC_URL_PATH)
        return add_key(keys, rule->string);
    for (size_t i = 0; rule->kind == XDS_RBAC_AND && i < rule->n_rules; i++) {
        if (keys_of(&rule->rules[i], keys))
            return true;
        keys->n = before;
    }
    for (size_t i = 0; rule->kind == XDS_RBAC_OR && i < rule->n_rules; i++)
        if (!keys_of(&rule->rules[i], keys))
            return false;
    return rule->kind == XDS_RBAC_OR && rule->n_rules > 0;
}

/* ---- building ---- */

static void append(struct xds_arena *arena, struct xds_rbac_positions *list,
                   uint32_t position)
{
    if (list->n > 0 && list->items[list->n - 1] == position)
        return;
    list->items =
        xds_arena_room(arena, list->items, list->n, &list->cap, sizeof *list->items);
    list->items[list->n++] = position;
}

static void add_policy(struct xds_arena *arena, struct xds_rbac_index *index,
                       const struct xds_rbac_policy *policy, uint32_t position)
{
    struct keys keys = {.n = 0};
    bool all = policy->n_permissions > 0;

    for (size_t i = 0; i < policy->n_permissions && all; i++)
        all = keys_of(&policy->permissions[i], &keys);
    if (!all) {
        append(arena, &index->others, position);
        return;
    }
    for (size_t i = 0; i < keys.n; i++) {
        void **slot = xds_strmap_at(
            keys.is_path[i] ? &index->by_path : &index->by_service, keys.list[i]);

        if (!*slot)
            *slot = XDS_NEW(arena, struct xds_rbac_positions);
        append(arena, *slot, position);
    }
}

static int by_name(const void *a, const void *b)
{
    const struct xds_rbac_policy *const *x = a, *const *y = b;

    return xds_slice_cmp((*x)->name, (*y)->name);
}

const struct xds_rbac_policy **xds_rbac_order(struct xds_arena *arena,
                                              const struct xds_rpc *rpc,
                                              const struct xds_rbac *rbac)
{
    const struct xds_rbac_policy **order =
        XDS_NEW_ARRAY(arena, const struct xds_rbac_policy *, rbac->n_policies);

    for (size_t i = 0; i < rbac->n_policies; i++)
        order[i] = &rbac->policies[i];
    if (XDS_DIFFERS(rpc, XDS_DIFF_RBAC_POLICIES_SORTED))
        qsort(order, rbac->n_policies, sizeof(const struct xds_rbac_policy *), by_name);
    return order;
}

struct xds_rbac_index *xds_rbac_index_build(struct xds_arena *arena,
                                            const struct xds_rpc *rpc,
                                            const struct xds_rbac *rbac)
{
    struct xds_rbac_index *index = XDS_NEW(arena, struct xds_rbac_index);

    index->rbac = rbac;
    if (!xds_rbac_is_enforced(rbac))
        return index;
    index->order = xds_rbac_order(arena, rpc, rbac);
    xds_strmap_init(&index->by_path, arena);
    xds_strmap_init(&index->by_service, arena);
    for (size_t i = 0; i < rbac->n_policies; i++)
        add_policy(arena, index, index->order[i], (uint32_t)i);
    return index;
}

/* ---- looking up ---- */

struct xds_rbac_turn xds_rbac_index_begin(const struct xds_rbac_index *index,
                                          struct xds_slice path)
{
    const struct xds_slice service = service_of(path);

    return (struct xds_rbac_turn){
        .index = index,
        .lists = {&index->others, xds_strmap_get(&index->by_path, path),
                  service.data ? xds_strmap_get(&index->by_service, service) : NULL},
    };
}

const struct xds_rbac_policy *xds_rbac_index_next(struct xds_rbac_turn *turn)
{
    const struct xds_rbac_positions *const *lists = turn->lists;
    size_t best = XDS_RBAC_LISTS;

    for (size_t i = 0; i < XDS_RBAC_LISTS; i++)
        if (lists[i] && turn->at[i] < lists[i]->n &&
            (best == XDS_RBAC_LISTS ||
             lists[i]->items[turn->at[i]] < lists[best]->items[turn->at[best]]))
            best = i;
    return best < XDS_RBAC_LISTS
               ? turn->index->order[lists[best]->items[turn->at[best]++]]
               : NULL;
}

const struct xds_rbac *xds_rbac_index_of(const struct xds_rbac_index *index)
{
    return index->rbac;
}
