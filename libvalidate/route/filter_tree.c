/*
 * filter_tree.c - walk the matcher tree of a composite filter for one RPC.
 *
 * Source: gRFC A103, draft A106, spec listener G83. Where the drafts are silent, as core.
 */
#include "route/route.h"

static struct xds_slice header_value(const struct xds_rpc *rpc, struct xds_slice name)
{
    struct xds_slice value;

    return xds_metadata_get(rpc, name, &value) ? value : XDS_S("");
}

/* OPEN: a CEL expression would have to tell. */
static enum xds_chance holds(const struct xds_rpc *rpc,
                             const struct xds_filter_predicate *p);

static enum xds_chance opposite(enum xds_chance chance)
{
    if (chance == XDS_CHANCE_OPEN)
        return chance;
    return chance == XDS_CHANCE_YES ? XDS_CHANCE_NO : XDS_CHANCE_YES;
}

/* `decisive` of one item decides the list; else it is the opposite. */
static enum xds_chance holds_list(const struct xds_rpc *rpc,
                                  const struct xds_filter_predicate *p,
                                  enum xds_chance decisive)
{
    enum xds_chance result = opposite(decisive);

    for (size_t i = 0; i < p->n; i++) {
        const enum xds_chance item = holds(rpc, &p->list[i]);

        if (item == decisive)
            return item;
        if (item == XDS_CHANCE_OPEN)
            result = item;
    }
    return result;
}

static enum xds_chance holds(const struct xds_rpc *rpc,
                             const struct xds_filter_predicate *p)
{
    switch (p->kind) {
    case XDS_PREDICATE_OR:
        return holds_list(rpc, p, XDS_CHANCE_YES);
    case XDS_PREDICATE_AND:
        return holds_list(rpc, p, XDS_CHANCE_NO);
    case XDS_PREDICATE_NOT:
        return opposite(holds(rpc, p->list));
    case XDS_PREDICATE_CEL:
        return XDS_CHANCE_OPEN;
    case XDS_PREDICATE_SINGLE:
        break;
    }
    return xds_string_matches(rpc, &p->matcher, header_value(rpc, p->header))
               ? XDS_CHANCE_YES
               : XDS_CHANCE_NO;
}

static enum xds_tree_result follow(const struct xds_rpc *rpc,
                                   const struct xds_filter_choice *choice,
                                   const struct xds_filter_choice **out)
{
    if (choice->tree)
        return xds_filter_tree_choose(rpc, choice->tree, out);
    *out = choice;
    return XDS_TREE_CHOSEN;
}

/* The longest key that is a prefix of the value and shorter than `below`; or NULL. The
 * empty key is a prefix of no value: runs of core. */
static const struct xds_filter_case *longest_prefix(const struct xds_filter_tree *tree,
                                                    struct xds_slice value, size_t below)
{
    const struct xds_filter_case *best = NULL;

    for (size_t i = 0; i < tree->n; i++) {
        const struct xds_filter_case *c = &tree->cases[i];

        if (c->key.len > 0 && c->key.len < below && xds_slice_starts(value, c->key) &&
            (!best || c->key.len > best->key.len))
            best = c;
    }
    return best;
}

static enum xds_tree_result search(const struct xds_rpc *rpc,
                                   const struct xds_filter_tree *tree,
                                   const struct xds_filter_choice **out)
{
    const bool list = tree->kind == XDS_FILTER_TREE_LIST;
    const struct xds_slice value = list ? XDS_S("") : header_value(rpc, tree->header);
    const struct xds_filter_case *c;
    enum xds_tree_result result = XDS_TREE_NOTHING;

    switch (tree->kind) {
    case XDS_FILTER_TREE_EXACT:
        for (size_t i = 0; i < tree->n; i++)
            if (xds_slice_eq(tree->cases[i].key, value))
                return follow(rpc, &tree->cases[i].choice, out);
        return XDS_TREE_NOTHING;
    case XDS_FILTER_TREE_PREFIX:
        /* A shorter prefix is tried where the tree after a longer one finds nothing. */
        c = longest_prefix(tree, value, SIZE_MAX);
        for (; c && result == XDS_TREE_NOTHING;
             c = longest_prefix(tree, value, c->key.len))
            result = follow(rpc, &c->choice, out);
        return result;
    case XDS_FILTER_TREE_LIST:
        break;
    }
    for (size_t i = 0; i < tree->n; i++) {
        const enum xds_chance chance = holds(rpc, &tree->cases[i].predicate);

        if (chance == XDS_CHANCE_OPEN)
            return XDS_TREE_UNKNOWN;
        if (chance == XDS_CHANCE_YES)
            return follow(rpc, &tree->cases[i].choice, out);
    }
    return XDS_TREE_NOTHING;
}

/* on_no_match also counts where a tree below finds nothing. */
enum xds_tree_result xds_filter_tree_choose(const struct xds_rpc *rpc,
                                            const struct xds_filter_tree *tree,
                                            const struct xds_filter_choice **out)
{
    const enum xds_tree_result result = search(rpc, tree, out);

    if (result != XDS_TREE_NOTHING || !tree->on_no_match)
        return result;
    return follow(rpc, tree->on_no_match, out);
}
