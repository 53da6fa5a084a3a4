/*
 * chains.c - put the filters that composite filters choose into the chain.
 *
 * Source: gRFC A103, spec listener CO4, CO11 to CO24.
 */
#include "explain/explain.h"

/* Each sample_percent may double the number of chains. */
enum { MAX_CHAINS = 64 };

struct work {
    const struct xds_rpc *rpc;
    struct xds_chain *list;
    struct xds_filter **filters; /* of each chain, to be written */
    size_t *cap;
    size_t n;
};

static void append(struct work *w, size_t i, const struct xds_filter *filter)
{
    struct xds_chain *chain = &w->list[i];

    w->filters[i] = xds_arena_room(w->rpc->arena, w->filters[i], chain->n, &w->cap[i],
                                   sizeof *filter);
    w->filters[i][chain->n++] = *filter;
    chain->filters = w->filters[i];
}

static void copy_chain(struct work *w, size_t from)
{
    const size_t to = w->n++;

    w->list[to] = w->list[from];
    w->list[to].filters = NULL;
    w->list[to].n = 0;
    w->cap[to] = 0;
    for (size_t i = 0; i < w->list[from].n; i++)
        append(w, to, &w->list[from].filters[i]);
}

static void pass(struct work *w, size_t i, const struct xds_filter *filter,
                 const struct xds_filter_tree *tree);

static void run_child(struct work *w, size_t i, const struct xds_filter *child)
{
    struct xds_chain *chain = &w->list[i];

    if (chain->error.text.data)
        return;
    if (!child->servers_only)
        pass(w, i, child, child->tree);
    else
        chain->error = (struct xds_failed){
            xds_arena_printf(w->rpc->arena, "%.*s filter not supported on clients",
                             XDS_FMT(child->type)),
            xds_failure_row(XDS_FAILURE_COMPOSITE)};
}

/* Children have no overrides of their own. A composite filter among them may split the
 * chain; what comes after it runs in both parts. */
static void run(struct work *w, size_t i, const struct xds_filter *composite,
                const struct xds_filter_choice *choice)
{
    const size_t first = w->n;

    for (size_t k = 0; k < choice->n_filters; k++) {
        struct xds_filter child = choice->filters[k];
        const size_t n = w->n;

        child.name = composite->name;
        run_child(w, i, &child);
        for (size_t split = first; split < n; split++)
            run_child(w, split, &child);
    }
}

static struct xds_share sample_share(const struct xds_filter_choice *choice)
{
    const struct xds_fraction f = choice->sample;

    if (!choice->has_sample || f.numerator >= f.denominator)
        return XDS_SHARE_ALL;
    return xds_share_of(f.numerator, f.denominator);
}

/* For a part of the RPCs the filters do not run: they continue in a chain of their own.
 */
static void sample(struct work *w, size_t i, const struct xds_filter *composite,
                   const struct xds_filter_choice *choice)
{
    const struct xds_share runs = sample_share(choice);

    if (runs.num == 0)
        return;
    if (runs.num < runs.den && w->n == MAX_CHAINS) {
        w->list[i].unknown = composite->name;
        return;
    }
    if (runs.num < runs.den) {
        copy_chain(w, i);
        w->list[w->n - 1].share = xds_share_times(w->list[i].share, xds_share_rest(runs));
        w->list[i].share = xds_share_times(w->list[i].share, runs);
    }
    run(w, i, composite, choice);
}

static void pass(struct work *w, size_t i, const struct xds_filter *filter,
                 const struct xds_filter_tree *tree)
{
    const struct xds_filter_choice *choice;

    if (filter->kind != XDS_FILTER_COMPOSITE) {
        append(w, i, filter);
        return;
    }
    if (!tree)
        return;
    switch (xds_filter_tree_choose(w->rpc, tree, &choice)) {
    case XDS_TREE_CHOSEN:
        sample(w, i, filter, choice);
        return;
    case XDS_TREE_NOTHING:
        w->list[i].error =
            (struct xds_failed){XDS_S("no match found in composite filter"),
                                xds_failure_row(XDS_FAILURE_COMPOSITE)};
        return;
    case XDS_TREE_UNKNOWN:
        w->list[i].unknown = filter->name;
        return;
    }
}

static const struct xds_filter_tree *tree_of(const struct xds_rpc *rpc,
                                             const struct xds_override_scope *scope,
                                             const struct xds_filter *filter)
{
    const struct xds_filter_override *o = xds_override_find(scope, rpc->client, filter);

    return o ? o->tree : filter->tree;
}

static bool chooses(const struct xds_rpc *rpc, const struct xds_override_scope *scope,
                    const struct xds_filter *filter)
{
    return filter->kind == XDS_FILTER_COMPOSITE &&
           xds_filter_in_chain(scope, rpc, filter);
}

/* A filter of the listener meets every chain that has come so far. */
static void meet(struct work *w, const struct xds_override_scope *scope,
                 const struct xds_filter *filter)
{
    const size_t n = w->n;
    const bool choosing = chooses(w->rpc, scope, filter);

    if (filter->kind == XDS_FILTER_COMPOSITE && !choosing)
        return;
    for (size_t i = 0; i < n; i++)
        if (!w->list[i].error.text.data)
            pass(w, i, filter, choosing ? tree_of(w->rpc, scope, filter) : NULL);
}

static struct xds_chains choose(const struct xds_rpc *rpc,
                                const struct xds_listener *listener,
                                const struct xds_override_scope *scope)
{
    struct xds_chain list[MAX_CHAINS] = {{.share = XDS_SHARE_ALL}};
    struct xds_filter *filters[MAX_CHAINS] = {NULL};
    size_t cap[MAX_CHAINS] = {0};
    struct work w = {rpc, list, filters, cap, 1};

    for (size_t i = 0; i < listener->n_filters; i++)
        meet(&w, scope, &listener->filters[i]);
    struct xds_chain *kept = XDS_NEW_ARRAY(rpc->arena, struct xds_chain, w.n);

    memcpy(kept, list, w.n * sizeof(*kept));
    return (struct xds_chains){kept, w.n};
}

struct xds_chains xds_chains_of(const struct xds_rpc *rpc,
                                const struct xds_listener *listener,
                                const struct xds_override_scope *scope)
{
    for (size_t i = 0; i < listener->n_filters; i++)
        if (chooses(rpc, scope, &listener->filters[i]))
            return choose(rpc, listener, scope);

    struct xds_chain *chain = XDS_NEW(rpc->arena, struct xds_chain);

    *chain = (struct xds_chain){
        .filters = listener->filters, .n = listener->n_filters, .share = XDS_SHARE_ALL};
    return (struct xds_chains){chain, 1};
}

static struct xds_slice chosen_in_words(const struct xds_rpc *rpc,
                                        const struct xds_filter_choice *choice)
{
    struct xds_slice text = XDS_S("nothing");

    for (size_t i = 0; i < choice->n_filters; i++)
        text = i == 0 ? choice->filters[i].type
                      : xds_arena_printf(rpc->arena, "%.*s, %.*s", XDS_FMT(text),
                                         XDS_FMT(choice->filters[i].type));
    const struct xds_share share = sample_share(choice);

    if (share.num == share.den)
        return xds_arena_printf(rpc->arena, "runs %.*s", XDS_FMT(text));
    return xds_arena_printf(rpc->arena, "runs %.*s for %.10g%% of such RPCs",
                            XDS_FMT(text), share.value * 100);
}

struct xds_slice xds_composite_does(const struct xds_rpc *rpc,
                                    const struct xds_override_scope *scope,
                                    const struct xds_filter *filter)
{
    const struct xds_filter_tree *tree = tree_of(rpc, scope, filter);
    const struct xds_filter_choice *choice;

    if (!tree)
        return XDS_S("runs nothing, as it has no matcher");
    switch (xds_filter_tree_choose(rpc, tree, &choice)) {
    case XDS_TREE_CHOSEN:
        return chosen_in_words(rpc, choice);
    case XDS_TREE_NOTHING:
        return XDS_S("fails the RPC, as nothing in its matcher matches");
    case XDS_TREE_UNKNOWN:
        break;
    }
    return XDS_S("runs what a CEL expression chooses, which is not evaluated here");
}
