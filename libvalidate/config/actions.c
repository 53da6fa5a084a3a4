/*
 * actions.c - the actions of routes in the form of gRFC A28, and their names over
 * updates.
 *
 * Source: gRFC A28, spec routing 14.2 and 14.3.
 */
#include "config/a28.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

void xds_actions_init(struct xds_actions *actions, struct xds_arena *arena,
                      size_t n_routes)
{
    *actions = (struct xds_actions){.arena = arena};
    actions->list = XDS_NEW_ARRAY(arena, struct xds_action *, n_routes);
    xds_strmap_init(&actions->by_content, arena);
}

/* ---- targets ---- */

static int by_cluster(const void *left, const void *right)
{
    const struct xds_action_target *a = left, *b = right;

    return xds_slice_cmp(a->cluster, b->cluster);
}

/* Sorted, the weights of one cluster added up. */
static void tidy(struct xds_action *action)
{
    size_t n = 0;

    if (action->n_targets > 1)
        qsort(action->targets, action->n_targets, sizeof *action->targets, by_cluster);
    for (size_t i = 0; i < action->n_targets; i++) {
        const struct xds_action_target *t = &action->targets[i];

        if (n > 0 && xds_slice_eq(action->targets[n - 1].cluster, t->cluster))
            action->targets[n - 1].weight += t->weight;
        else
            action->targets[n++] = *t;
    }
    action->n_targets = n;
}

/* Text that grows in a room which was measured before. */
struct text {
    char *data;
    size_t len;
};

static void put(struct text *text, struct xds_slice part)
{
    if (part.len > 0)
        memcpy(text->data + text->len, part.data, part.len);
    text->len += part.len;
}

static void put_number(struct text *text, uint64_t number, const char *behind)
{
    char digits[32];
    const int n = snprintf(digits, sizeof digits, "%" PRIu64 "%s", number, behind);

    put(text, xds_slice_make(digits, (size_t)n));
}

/* A text for each target can have its cluster's name and two numbers. */
static struct text new_text(struct xds_arena *arena, const struct xds_action *action)
{
    size_t room = 1;

    for (size_t i = 0; i < action->n_targets; i++)
        room += action->targets[i].cluster.len + 48;
    return (struct text){xds_arena_alloc(arena, room), 0};
}

/* The texts by which actions are compared; lengths keep names apart. */
static void describe(struct xds_arena *arena, struct xds_action *action)
{
    struct text content = new_text(arena, action), set = new_text(arena, action);

    put(&content, action->weighted ? XDS_S("w") : XDS_S("c"));
    for (size_t i = 0; i < action->n_targets; i++) {
        const struct xds_action_target *t = &action->targets[i];

        put_number(&set, t->cluster.len, ":");
        put(&set, t->cluster);
        put_number(&content, t->cluster.len, ":");
        put(&content, t->cluster);
        put_number(&content, t->weight, ";");
    }
    action->content = xds_slice_make(content.data, content.len);
    action->set = xds_slice_make(set.data, set.len);
}

static struct xds_action *read_route(struct xds_arena *arena,
                                     const struct xds_route *route)
{
    const bool weighted = route->action == XDS_ACTION_WEIGHTED;
    const size_t n = weighted ? route->n_weighted : 1;
    struct xds_action *action = XDS_NEW(arena, struct xds_action);

    action->weighted = weighted;
    action->targets = XDS_NEW_ARRAY(arena, struct xds_action_target, n);
    if (!weighted)
        action->targets[action->n_targets++].cluster = route->cluster;
    for (size_t i = 0; weighted && i < n; i++)
        if (route->weighted[i].weight > 0)
            action->targets[action->n_targets++] = (struct xds_action_target){
                route->weighted[i].name, route->weighted[i].weight};
    tidy(action);
    describe(arena, action);
    return action;
}

struct xds_action *xds_actions_add(struct xds_actions *actions,
                                   const struct xds_route *route)
{
    struct xds_action *action = read_route(actions->arena, route);
    void **slot = xds_strmap_at(&actions->by_content, action->content);

    if (!*slot) {
        *slot = action;
        actions->list[actions->n++] = action;
    }
    return *slot;
}

/* ---- the update before ---- */

/* One weighted action of it. */
struct former {
    struct xds_action action;
    bool taken; /* its name has an owner in this update */
};

/* The former actions of one set of clusters, by name, and the numbers tried so far. */
struct stock {
    struct former *next, *end;
    size_t number;
};

struct naming {
    struct xds_actions *actions;
    struct former *formers;
    size_t n_formers;
    struct xds_strmap by_content; /* struct former */
    struct xds_strmap by_set;     /* struct stock */
    struct xds_strmap used;       /* names of the old and of the new update */
};

static struct stock *stock_of(struct naming *naming, struct xds_slice set)
{
    void **slot = xds_strmap_at(&naming->by_set, set);

    if (!*slot)
        *slot = XDS_NEW(naming->actions->arena, struct stock);
    return *slot;
}

/* The targets below {"childPolicy": [{"weighted_target_experimental": ...}]}, or NULL. */
static const struct xds_tree *targets_of(const struct xds_tree *action)
{
    const struct xds_tree *list = xds_tree_field(action, "childPolicy");

    if (!list || list->n != 1 || list->items[0].n != 1 ||
        !xds_slice_is(list->items[0].items[0].key, "weighted_target_experimental"))
        return NULL;
    return xds_tree_field(&list->items[0].items[0], "targets");
}

static void read_former(struct naming *naming, const struct xds_tree *member)
{
    struct xds_arena *arena = naming->actions->arena;
    const struct xds_tree *targets = targets_of(member);
    struct former *former = &naming->formers[naming->n_formers];
    void **used = xds_strmap_at(&naming->used, member->key);
    const bool is_repeated = *used != NULL;

    *used = naming;
    /* In a document of another origin a name may come twice, or be like that of a cluster
     * action. */
    if (is_repeated || !targets || targets->n == 0 ||
        !xds_slice_starts(member->key, XDS_S("weighted:")))
        return;
    former->action.weighted = true;
    former->action.name = member->key;
    former->action.targets = XDS_NEW_ARRAY(arena, struct xds_action_target, targets->n);
    for (size_t i = 0; i < targets->n; i++) {
        const struct xds_tree *weight = xds_tree_field(&targets->items[i], "weight");
        const bool usable = weight && weight->kind == XDS_TREE_NUMBER &&
                            weight->number >= 0 && weight->number <= (double)UINT32_MAX;

        former->action.targets[former->action.n_targets++] = (struct xds_action_target){
            targets->items[i].key, usable ? (uint64_t)weight->number : 0};
    }
    tidy(&former->action);
    describe(arena, &former->action);
    naming->n_formers++;
}

/* Names of one set differ in their number, so the shorter one is the smaller. */
static int by_set_and_name(const void *left, const void *right)
{
    const struct former *a = left, *b = right;
    const int c = xds_slice_cmp(a->action.set, b->action.set);

    if (c)
        return c;
    if (a->action.name.len != b->action.name.len)
        return a->action.name.len < b->action.name.len ? -1 : 1;
    return xds_slice_cmp(a->action.name, b->action.name);
}

static void read_formers(struct naming *naming, const struct xds_tree *previous)
{
    naming->formers = XDS_NEW_ARRAY(naming->actions->arena, struct former, previous->n);
    for (size_t i = 0; i < previous->n; i++)
        read_former(naming, &previous->items[i]);
    if (naming->n_formers > 1)
        qsort(naming->formers, naming->n_formers, sizeof *naming->formers,
              by_set_and_name);
    for (size_t i = naming->n_formers; i-- > 0;) {
        struct former *former = &naming->formers[i];
        struct stock *stock = stock_of(naming, former->action.set);

        *xds_strmap_at(&naming->by_content, former->action.content) = former;
        if (!stock->end)
            stock->end = former + 1;
        stock->next = former;
    }
}

/* ---- names ---- */

static void give(struct naming *naming, struct xds_action *action, struct xds_slice name)
{
    action->name = name;
    *xds_strmap_at(&naming->used, name) = naming;
}

/* What has not changed keeps its name, whichever route uses it. */
static void keep_names(struct naming *naming)
{
    for (size_t i = 0; i < naming->actions->n; i++) {
        struct xds_action *action = naming->actions->list[i];
        struct former *same = xds_strmap_get(&naming->by_content, action->content);

        if (!action->weighted) {
            give(naming, action,
                 xds_arena_concat(naming->actions->arena, XDS_S("cds:"),
                                  action->targets[0].cluster));
        } else if (same) {
            same->taken = true;
            give(naming, action, same->action.name);
        }
    }
}

/* The smallest name that is free of an action with the same clusters. */
static struct former *find_free(struct stock *stock)
{
    while (stock->next < stock->end && stock->next->taken)
        stock->next++;
    return stock->next < stock->end ? stock->next : NULL;
}

/* "weighted:A_B_N" with the smallest N from 1 that is not in use. */
static struct xds_slice new_name(struct naming *naming, struct stock *stock,
                                 const struct xds_action *action)
{
    struct xds_arena *arena = naming->actions->arena;
    struct text stem = new_text(arena, action);
    struct xds_slice name;

    for (size_t i = 0; i < action->n_targets; i++) {
        put(&stem, action->targets[i].cluster);
        put(&stem, XDS_S("_"));
    }
    do
        name = xds_arena_printf(arena, "weighted:%.*s%zu", (int)stem.len, stem.data,
                                ++stock->number);
    while (xds_strmap_get(&naming->used, name));
    return name;
}

void xds_actions_name(struct xds_actions *actions, const struct xds_tree *previous)
{
    struct naming naming = {.actions = actions};

    xds_strmap_init(&naming.by_content, actions->arena);
    xds_strmap_init(&naming.by_set, actions->arena);
    xds_strmap_init(&naming.used, actions->arena);
    if (previous && previous->kind == XDS_TREE_OBJECT)
        read_formers(&naming, previous);
    keep_names(&naming);
    for (size_t i = 0; i < actions->n; i++) {
        struct xds_action *action = actions->list[i];

        if (action->name.data)
            continue;
        struct stock *stock = stock_of(&naming, action->set);
        struct former *former = find_free(stock);
        if (former)
            former->taken = true;
        give(&naming, action,
             former ? former->action.name : new_name(&naming, stock, action));
    }
}
