/*
 * a28.c - the service config that gRFC A28 makes of a virtual host.
 *
 * Source: gRFC A28, spec routing 14.1 to 14.3.
 */
#include "base/text.h"
#include "generate/config.h"

#include <stdlib.h>

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

/* The texts by which actions are compared; lengths keep names apart. */
static void describe(struct xds_arena *arena, struct xds_action *action)
{
    struct xds_text content = {.arena = arena}, set = {.arena = arena};

    xds_text_add(&content, action->weighted ? XDS_S("w") : XDS_S("c"));
    for (size_t i = 0; i < action->n_targets; i++) {
        const struct xds_action_target *t = &action->targets[i];
        const struct xds_slice name =
            xds_arena_printf(arena, "%zu:%.*s", t->cluster.len, XDS_FMT(t->cluster));

        xds_text_add(&set, name);
        xds_text_add(&content, name);
        xds_text_add_number(&content, t->weight);
        xds_text_add(&content, XDS_S(";"));
    }
    action->content = xds_slice_make(content.data, content.len);
    action->set = xds_slice_make(set.data, set.len);
}

static struct xds_action *read_route(struct xds_arena *arena,
                                     const struct xds_route *route, bool keeps_zero)
{
    const bool weighted = route->action == XDS_ACTION_WEIGHTED;
    const size_t n = weighted ? route->n_weighted : 1;
    struct xds_action *action = XDS_NEW(arena, struct xds_action);

    action->weighted = weighted;
    action->targets = XDS_NEW_ARRAY(arena, struct xds_action_target, n);
    if (!weighted)
        action->targets[action->n_targets++].cluster = route->cluster;
    for (size_t i = 0; weighted && i < n; i++)
        if (route->weighted[i].weight > 0 || keeps_zero)
            action->targets[action->n_targets++] = (struct xds_action_target){
                route->weighted[i].name, route->weighted[i].weight};
    tidy(action);
    describe(arena, action);
    return action;
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

/* A member of the config in {LIST: [{POLICY: CONFIG}]}, or NULL. */
static const struct xds_tree *member_in(const struct xds_tree *object, const char *list,
                                        enum xds_lb_named policy, const char *member)
{
    const struct xds_tree *all = xds_tree_field(object, list);

    if (!all || all->n != 1 || all->items[0].n != 1 ||
        !xds_slice_is(all->items[0].items[0].key,
                      xds_lb_names[policy].of[XDS_CLIENT_CORE]))
        return NULL;
    return xds_tree_field(&all->items[0].items[0], member);
}

static void read_former(struct naming *naming, const struct xds_tree *member)
{
    struct xds_arena *arena = naming->actions->arena;
    const struct xds_tree *targets =
        member_in(member, "childPolicy", XDS_NAMED_WEIGHTED_TARGET, "targets");
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

/* "weighted:A_B_N" with the smallest N from 1 that is not in use. */
static struct xds_slice new_name(struct naming *naming, struct stock *stock,
                                 const struct xds_action *action)
{
    struct xds_arena *arena = naming->actions->arena;
    struct xds_text stem = {.arena = arena};
    struct xds_slice name;

    for (size_t i = 0; i < action->n_targets; i++) {
        xds_text_add(&stem, action->targets[i].cluster);
        xds_text_add(&stem, XDS_S("_"));
    }
    do
        name = xds_arena_printf(arena, "weighted:%.*s%zu", (int)stem.len,
                                stem.data ? stem.data : "", ++stock->number);
    while (xds_strmap_get(&naming->used, name));
    return name;
}

/* Names for all; previous is the map of actions of the update before, or NULL: what is in
 * it keeps its name, and names of weighted actions that are gone go to new ones with the
 * same clusters. */
static void actions_name(struct xds_actions *actions, const struct xds_tree *previous)
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
        /* The smallest name that is free of an action with the same clusters. */
        while (stock->next < stock->end && stock->next->taken)
            stock->next++;

        struct former *former = stock->next < stock->end ? stock->next : NULL;
        if (former)
            former->taken = true;
        give(&naming, action,
             former ? former->action.name : new_name(&naming, stock, action));
    }
}

#define MILLION 1000000u

/* A28 has fields for three of the five ways to compare a header's text. */
static const char *const header_fields[] = {
    [XDS_MATCH_EXACT] = "exact_match",   [XDS_MATCH_PREFIX] = "prefix_match",
    [XDS_MATCH_SUFFIX] = "suffix_match", [XDS_MATCH_CONTAINS] = NULL,
    [XDS_MATCH_REGEX] = "regex_match",
};

static const char *const path_fields[] = {
    [XDS_MATCH_EXACT] = "path",
    [XDS_MATCH_PREFIX] = "prefix",
    [XDS_MATCH_REGEX] = "regex",
};

/* ---- headers ---- */

/* The text with a backslash before what means something in a regex. */
static struct xds_slice quote(struct xds_arena *arena, struct xds_slice text)
{
    char *out = xds_arena_alloc(arena, 2 * text.len + 1);
    size_t n = 0;

    for (size_t i = 0; i < text.len; i++) {
        if (text.data[i] != '\0' && strchr("\\.+*?()|[]{}^$", text.data[i]))
            out[n++] = '\\';
        out[n++] = text.data[i];
    }
    return xds_slice_make(out, n);
}

/* What A28 has no field for, as a regex with the same meaning. */
static struct xds_slice regex_for(struct xds_arena *arena,
                                  const struct xds_string_matcher *string)
{
    const char *before =
        string->kind == XDS_MATCH_SUFFIX || string->kind == XDS_MATCH_CONTAINS ? ".*"
                                                                               : "";
    const char *behind =
        string->kind == XDS_MATCH_PREFIX || string->kind == XDS_MATCH_CONTAINS ? ".*"
                                                                               : "";
    const struct xds_slice text = quote(arena, string->text);

    return xds_arena_printf(arena, "%s%s%.*s%s", string->fold_case ? "(?i)" : "", before,
                            XDS_FMT(text), behind);
}

static void put_text(struct xds_maker *maker, size_t index,
                     const struct xds_header_matcher *header, struct xds_tree *out)
{
    const struct xds_string_matcher *string = &header->string;
    const char *field = header_fields[string->kind];

    if (field && !string->fold_case) {
        xds_tree_put(maker->arena, out, field, xds_tree_string(string->text));
        return;
    }
    xds_note(
        maker,
        "route %zu: header \"%.*s\": the config has no field for %s; it is written as "
        "a regular expression",
        index, XDS_FMT(header->name),
        string->fold_case ? "ignore_case" : "contains_match");
    xds_tree_put(maker->arena, out, "regex_match",
                 xds_tree_string(regex_for(maker->arena, string)));
}

/* False for what cannot be written. */
static bool put_header(struct xds_maker *maker, size_t index,
                       const struct xds_header_matcher *header, struct xds_tree *headers)
{
    struct xds_arena *arena = maker->arena;
    struct xds_tree out = xds_tree_object(), range = xds_tree_object();

    xds_tree_put(arena, &out, "name", xds_tree_string(header->name));
    switch (header->kind) {
    case XDS_HEADER_STRING:
        /* node keeps what RE2 does not compile. */
        if (header->string.kind == XDS_MATCH_REGEX &&
            xds_regex_is_refused(header->string.regex, header->string.text))
            return false;
        put_text(maker, index, header, &out);
        break;
    case XDS_HEADER_RANGE:
        xds_tree_put(arena, &range, "start", xds_tree_i64(arena, header->start));
        xds_tree_put(arena, &range, "end", xds_tree_i64(arena, header->end));
        xds_tree_put(arena, &out, "range_match", range);
        break;
    case XDS_HEADER_PRESENT:
        xds_tree_put(arena, &out, "present_match", xds_tree_bool(header->present));
        break;
    case XDS_HEADER_NEVER:
        return false;
    }
    if (header->invert)
        xds_tree_put(arena, &out, "invert_match", xds_tree_bool(true));
    xds_tree_add(arena, headers, out);
    return true;
}

/* ---- the match ---- */

/* Parts of one million, capped. */
static double fraction_of(struct xds_fraction fraction)
{
    const uint64_t each = fraction.denominator ? MILLION / fraction.denominator : 10000;
    const uint64_t parts = each * fraction.numerator;

    return parts < MILLION ? (double)parts : (double)MILLION;
}

/* Put the matchers of a route into its entry of the config; a note for what A28 has no
 * field for. False when the route cannot be said at all. */
static bool a28_match(struct xds_maker *maker, size_t index,
                      const struct xds_route_match *match, struct xds_tree *entry)
{
    struct xds_tree headers = xds_tree_array();

    if (match->path.kind == XDS_MATCH_REGEX &&
        xds_regex_is_refused(match->path.regex, match->path.text)) {
        xds_note(maker,
                 "route %zu: its path is not a regular expression that RE2 takes; it is "
                 "omitted",
                 index);
        return false;
    }
    xds_tree_put(maker->arena, entry, path_fields[match->path.kind],
                 xds_tree_string(match->path.text));
    if (xds_folds_path(maker, &match->path) && match->path.kind != XDS_MATCH_REGEX)
        xds_note(maker,
                 "route %zu: the config has no field for case_sensitive; it compares the "
                 "path with regard to case",
                 index);
    for (size_t i = 0; i < match->n_headers; i++) {
        if (put_header(maker, index, &match->headers[i], &headers))
            continue;
        xds_note(maker, "route %zu: header \"%.*s\" %s; the route is omitted", index,
                 XDS_FMT(match->headers[i].name),
                 match->headers[i].kind == XDS_HEADER_NEVER
                     ? "can never match"
                     : "has a regular expression that RE2 does not take");
        return false;
    }
    if (headers.n > 0)
        xds_tree_put(maker->arena, entry, "headers", headers);
    if (match->fraction_is_set)
        xds_tree_put(maker->arena, entry, "match_fraction",
                     xds_tree_number(fraction_of(match->fraction)));
    return true;
}

/* ---- routes that no RPC reaches ---- */

/* What a regex begins with literally; nothing where it has alternatives. */
static struct xds_slice literal_of(struct xds_slice pattern)
{
    const struct xds_slice body =
        xds_slice_starts(pattern, XDS_S("^")) ? xds_slice_from(pattern, 1) : pattern;
    size_t n = 0;

    if (xds_slice_find(pattern, '|') < pattern.len)
        return XDS_S("");
    while (n < body.len && body.data[n] != '\0' &&
           !strchr("\\.+*?()[]{}^$", body.data[n]))
        n++;
    /* The last character may be repeated, or not be there at all. */
    return xds_slice_make(body.data, n < body.len && n > 0 ? n - 1 : n);
}

/* Is every path of the second match under the first, which asks for nothing else? */
static bool a28_covers(const struct xds_route_match *first,
                       const struct xds_route_match *second)
{
    const struct xds_slice text = second->path.kind == XDS_MATCH_REGEX
                                      ? literal_of(second->path.text)
                                      : second->path.text;

    if (first->n_headers > 0 || first->fraction_is_set || !second->path.case_sensitive)
        return false;
    if (first->path.kind == XDS_MATCH_PREFIX)
        return xds_slice_starts(text, first->path.text);
    return first->path.kind == second->path.kind &&
           xds_slice_eq(first->path.text, second->path.text);
}

/* ---- which routes there are ---- */

/* Only routes to clusters can be said; a note for those that take RPCs all the same. */
static bool is_wanted(struct xds_maker *maker, size_t index,
                      const struct xds_route *route)
{
    if (route->skipped_by & XDS_CLIENT_BIT(maker->client))
        return false;
    switch (route->action) {
    case XDS_ACTION_CLUSTER:
    case XDS_ACTION_WEIGHTED:
        return true;
    case XDS_ACTION_PLUGIN:
        xds_note(maker,
                 "route %zu: the config has no action for a cluster specifier plugin; "
                 "the route is omitted",
                 index);
        return false;
    case XDS_ACTION_NO_SPECIFIER:
        return false;
    case XDS_ACTION_NON_FORWARDING:
    case XDS_ACTION_UNSUPPORTED:
        xds_note(maker,
                 "route %zu: the config has no action that fails RPCs, as \"%s\" does; "
                 "the route is omitted, so later routes take its RPCs",
                 index, route->action_field);
        return false;
    }
    return false;
}

/* ---- the policies of actions ---- */

/* The form has the names that C-core had, for every client. */
static struct xds_tree list_of(struct xds_arena *arena, enum xds_lb_named named,
                               struct xds_tree config)
{
    const char *name = xds_lb_names[named].of[XDS_CLIENT_CORE];

    return xds_tree_list(arena, xds_tree_pair(arena, name, config));
}

static struct xds_tree cds_of(struct xds_arena *arena, struct xds_slice cluster)
{
    return list_of(arena, XDS_NAMED_CDS,
                   xds_tree_pair(arena, "cluster", xds_tree_string(cluster)));
}

static struct xds_tree policy_of(const struct xds_maker *maker,
                                 const struct xds_action *action)
{
    struct xds_arena *arena = maker->arena;
    struct xds_tree targets = xds_tree_object();

    if (!action->weighted)
        return cds_of(arena, action->targets[0].cluster);
    for (size_t i = 0; i < action->n_targets; i++) {
        const struct xds_action_target *t = &action->targets[i];
        struct xds_tree target = xds_tree_object();

        xds_tree_put(arena, &target, "weight", xds_tree_number((double)t->weight));
        xds_tree_put(arena, &target, "childPolicy", cds_of(arena, t->cluster));
        xds_tree_put_key(arena, &targets, t->cluster, target);
    }
    return list_of(arena, XDS_NAMED_WEIGHTED_TARGET,
                   xds_tree_pair(arena, "targets", targets));
}

/* ---- the config ---- */

/* Earlier routes that a dead one is looked for among: the first ones that ask for nothing
 * but a path. */
enum { MAX_COVERS = 100 };

struct a28 {
    struct xds_maker *maker;
    const struct xds_route *cover[MAX_COVERS];
    size_t cover_index[MAX_COVERS], n_covers;
    struct xds_actions actions;
    struct xds_action **action; /* of each entry of `routes` */
    size_t *places;             /* of the same, in the virtual host */
    struct xds_tree routes;
};

static void note_dead(struct a28 *w, size_t index, const struct xds_route *route)
{
    for (size_t i = 0; i < w->n_covers; i++) {
        if (!a28_covers(&w->cover[i]->match, &route->match))
            continue;
        xds_note(w->maker, "route %zu can never match: route %zu takes all of its RPCs",
                 index, w->cover_index[i]);
        return;
    }
    if (w->n_covers == MAX_COVERS || route->match.n_headers > 0 ||
        route->match.fraction_is_set)
        return;
    w->cover[w->n_covers] = route;
    w->cover_index[w->n_covers++] = index;
}

static void add_route(struct a28 *w, size_t index, const struct xds_route *route)
{
    struct xds_tree entry = xds_tree_object();

    if (!is_wanted(w->maker, index, route) ||
        !a28_match(w->maker, index, &route->match, &entry))
        return;
    note_dead(w, index, route);

    /* What a route may hold besides matchers and clusters. */
    struct xds_maker *maker = w->maker;

    if (route->has_timeout)
        xds_note(maker, "route %zu: the config has no field for max_stream_duration",
                 index);
    if (route->retry_policy)
        xds_note(maker, "route %zu: the config has no field for retry_policy", index);
    if (route->n_hash_policies > 0)
        xds_note(maker, "route %zu: the config has no field for hash_policy", index);
    if (route->overrides.n > 0)
        xds_note(maker, "route %zu: the config has no field for typed_per_filter_config",
                 index);

    /* The action of a route that forwards to clusters. Its name comes later. */
    struct xds_actions *actions = &w->actions;
    struct xds_action *action = read_route(
        actions->arena, route, XDS_DIFFERS(w->maker, XDS_DIFF_LB_TARGET_WEIGHT_0));
    void **slot = xds_strmap_at(&actions->by_content, action->content);

    if (!*slot) {
        *slot = action;
        actions->list[actions->n++] = action;
    }
    w->action[w->routes.n] = *slot;
    w->places[w->routes.n] = index;
    xds_tree_add(w->maker->arena, &w->routes, entry);
}

/* The only route, without a matcher that could refuse an RPC. */
static bool takes_everything(const struct a28 *w)
{
    const struct xds_tree *route = w->routes.items;
    const struct xds_tree *prefix =
        w->routes.n == 1 && route->n == 1 ? xds_tree_member(route, "prefix") : NULL;

    return prefix && (prefix->text.len == 0 || xds_slice_is(prefix->text, "/"));
}

static struct xds_tree routing_config(struct a28 *w)
{
    struct xds_arena *arena = w->maker->arena;
    struct xds_tree actions = xds_tree_object(), config = xds_tree_object();

    for (size_t i = 0; i < w->actions.n; i++)
        xds_tree_put_key(
            arena, &actions, w->actions.list[i]->name,
            xds_tree_pair(arena, "childPolicy", policy_of(w->maker, w->actions.list[i])));
    for (size_t i = 0; i < w->routes.n; i++)
        xds_tree_put(arena, &w->routes.items[i], "action",
                     xds_tree_string(w->action[i]->name));
    xds_tree_put(arena, &config, "action", actions);
    xds_tree_put(arena, &config, "route", w->routes);
    return list_of(arena, XDS_NAMED_ROUTING, config);
}

struct xds_tree xds_a28_config(struct xds_maker *maker,
                               const struct xds_virtual_host *host,
                               const struct xds_tree *previous, bool single_route,
                               const size_t **places)
{
    struct xds_arena *arena = maker->arena;
    struct a28 w = {
        .maker = maker, .actions = {.arena = arena}, .routes = xds_tree_array()};

    w.actions.list = XDS_NEW_ARRAY(arena, struct xds_action *, host->n_routes);
    xds_strmap_init(&w.actions.by_content, arena);
    w.action = XDS_NEW_ARRAY(arena, struct xds_action *, host->n_routes);
    *places = w.places = XDS_NEW_ARRAY(arena, size_t, host->n_routes);
    for (size_t i = 0; i < host->n_routes; i++)
        add_route(&w, i, &host->routes[i]);
    actions_name(&w.actions, previous ? member_in(previous, "loadBalancingConfig",
                                                  XDS_NAMED_ROUTING, "action")
                                      : NULL);
    const bool by_default_route =
        !xds_env_on(maker->options, XDS_ENV_ROUTING, maker->client);

    if ((single_route || by_default_route) && takes_everything(&w))
        return xds_tree_pair(arena, "loadBalancingConfig", policy_of(maker, w.action[0]));
    if (single_route)
        xds_note(maker, "--single-route is not applied: %s",
                 w.routes.n == 1 ? "the only route does not take every RPC"
                                 : "there is more than one route, or none");
    return xds_tree_pair(arena, "loadBalancingConfig", routing_config(&w));
}
