/*
 * matcher_tree.c - check xds.type.matcher.v3.Matcher, the unified matcher tree.
 *
 * Source: gRFC drafts A103, A106, spec listener 1.7, G62 to G69, G79 to G82.
 *
 * The clients continue after a fault and name all of them. The paths of C-core leave out
 * the steps typed_config of an extension and map[key] of a match map.
 */
#include "rules/filter/matcher_tree.h"

#define PB_MATCHER(arm) XDS__TYPE__MATCHER__V3__MATCHER__MATCHER_TYPE_##arm
#define PB_ON_MATCH(arm) XDS__TYPE__MATCHER__V3__MATCHER__ON_MATCH__ON_MATCH_##arm
#define PB_TREE(arm) XDS__TYPE__MATCHER__V3__MATCHER__MATCHER_TREE__TREE_TYPE_##arm

/* Matchers on the path from the root to a leaf, both included. */
#define MAX_DEPTH 16

/* Where the walk is in a tree. */
struct level {
    const struct xds_matcher_actions *actions;
    unsigned depth; /* the root is 1 */
};

static const struct xds_filter_tree *read_matcher(struct xds_ctx *ctx,
                                                  const struct xds_path *at,
                                                  const pb_matcher *pb,
                                                  const struct level *level);

static void read_action(struct xds_ctx *ctx, const struct xds_path *at,
                        const pb_xds_typed_extension_config *pb,
                        const struct xds_matcher_actions *actions,
                        struct xds_filter_choice *out)
{
    const struct xds_path *config = XDS_AT_UNSAID(at, "typed_config");
    const struct xds_matcher_action *action = NULL;
    struct xds_extension ext;

    if (!xds_extension_read(ctx, config, pb->typed_config, false, &ext))
        return;
    for (size_t i = 0; i < actions->n && !action; i++)
        if (xds_slice_is(ext.type, actions->list[i].type))
            action = &actions->list[i];
    if (!action)
        xds_fire_with(ctx, ext.at, XDS_R_MTREE_ACTION_TYPE, XDS_WITH(ext.type));
    else if (!ext.message)
        xds_fire_with(
            ctx, ext.at, XDS_R_MTREE_ACTION_UNPARSABLE,
            XDS_WITH(
                ext.type,
                ext.typed_struct
                    ? XDS_S("Unsuppored action format (Json found instead of string)")
                    : xds_arena_printf(ctx->arena, "could not parse %s", action->words)));
    else if (action->read)
        action->read(ctx, ext.at, ext.message, out);
}

static void read_on_match(struct xds_ctx *ctx, const struct xds_path *at,
                          const pb_matcher_on_match *pb, const struct level *level,
                          struct xds_filter_choice *out)
{
    const struct level next = {level->actions, level->depth + 1};

    if (pb->keep_matching)
        xds_fire(ctx, at, XDS_R_MTREE_KEEP_MATCHING);
    if (pb->on_match_case == PB_ON_MATCH(ACTION))
        read_action(ctx, XDS_AT(at, "action"), pb->action, level->actions, out);
    else if (pb->on_match_case == PB_ON_MATCH(MATCHER))
        out->tree = read_matcher(ctx, XDS_AT(at, "matcher"), pb->matcher, &next);
    else
        xds_fire(ctx, at, XDS_R_MTREE_ON_MATCH_EMPTY);
}

static void read_field_matcher(struct xds_ctx *ctx, const struct xds_path *at,
                               const pb_matcher_matcher_list_field_matcher *pb,
                               const struct level *level, struct xds_filter_case *out)
{
    if (pb->on_match)
        read_on_match(ctx, XDS_AT(at, "on_match"), pb->on_match, level, &out->choice);
    else
        xds_fire(ctx, at, XDS_R_MTREE_ON_MATCH_ABSENT);
    xds_matcher_predicate_read(ctx, XDS_AT(at, "predicate"), pb->predicate,
                               &out->predicate);
}

static void read_list(struct xds_ctx *ctx, const struct xds_path *at,
                      const pb_matcher_matcher_list *pb, const struct level *level,
                      struct xds_filter_tree *out)
{
    struct xds_filter_case *cases =
        XDS_NEW_ARRAY(ctx->arena, struct xds_filter_case, pb->n_matchers);

    out->kind = XDS_FILTER_TREE_LIST;
    out->cases = cases;
    out->n = pb->n_matchers;
    if (pb->n_matchers == 0)
        xds_fire(ctx, at, XDS_R_MTREE_LIST_EMPTY);
    for (size_t i = 0; i < pb->n_matchers; i++)
        read_field_matcher(ctx, XDS_AT_I(at, "matchers", i), pb->matchers[i], level,
                           &cases[i]);
}

/* On the wire an entry may lack its value: that is an OnMatch with nothing in it. */
static void read_map(struct xds_ctx *ctx, const struct xds_path *at,
                     const pb_matcher_matcher_tree_match_map *pb,
                     const struct level *level, struct xds_filter_tree *out)
{
    static const pb_matcher_on_match nothing =
        XDS__TYPE__MATCHER__V3__MATCHER__ON_MATCH__INIT;
    struct xds_filter_case *cases =
        XDS_NEW_ARRAY(ctx->arena, struct xds_filter_case, pb->n_map);

    if (pb->n_map == 0)
        xds_fire(ctx, at, XDS_R_MTREE_MAP_EMPTY);
    for (size_t i = 0; i < pb->n_map; i++) {
        const struct xds_slice key = xds_slice_of(pb->map[i]->key);
        const struct xds_path *entry = XDS_AT_UNSAID_KEY(at, "map", key);
        const pb_matcher_on_match *value = pb->map[i]->value;

        read_on_match(ctx, XDS_AT_SAID(entry, "on_match"), value ? value : &nothing,
                      level, &cases[i].choice);
        cases[i].key = xds_arena_dup(ctx->arena, key);
    }
    out->cases = cases;
    out->n = pb->n_map;
}

static void read_tree(struct xds_ctx *ctx, const struct xds_path *at,
                      const pb_matcher_matcher_tree *pb, const struct level *level,
                      struct xds_filter_tree *out)
{
    const bool exact = pb->tree_type_case == PB_TREE(EXACT_MATCH_MAP);

    out->kind = exact ? XDS_FILTER_TREE_EXACT : XDS_FILTER_TREE_PREFIX;
    out->header = xds_matcher_input_read(ctx, XDS_AT(at, "input"), pb->input, false);
    if (exact)
        read_map(ctx, XDS_AT(at, "exact_match_map"), pb->exact_match_map, level, out);
    else if (pb->tree_type_case == PB_TREE(PREFIX_MATCH_MAP))
        read_map(ctx, XDS_AT(at, "prefix_match_map"), pb->prefix_match_map, level, out);
    else
        xds_fire(ctx, at, XDS_R_MTREE_TREE_TYPE);
}

static const struct xds_filter_tree *read_matcher(struct xds_ctx *ctx,
                                                  const struct xds_path *at,
                                                  const pb_matcher *pb,
                                                  const struct level *level)
{
    if (level->depth > MAX_DEPTH) {
        xds_fire(ctx, at, XDS_R_MTREE_DEPTH);
        return NULL;
    }
    struct xds_filter_tree *out = XDS_NEW(ctx->arena, struct xds_filter_tree);

    if (pb->on_no_match) {
        struct xds_filter_choice *choice = XDS_NEW(ctx->arena, struct xds_filter_choice);

        out->on_no_match = choice;
        read_on_match(ctx, XDS_AT(at, "on_no_match"), pb->on_no_match, level, choice);
    }
    if (pb->matcher_type_case == PB_MATCHER(MATCHER_LIST))
        read_list(ctx, XDS_AT(at, "matcher_list"), pb->matcher_list, level, out);
    else if (pb->matcher_type_case == PB_MATCHER(MATCHER_TREE))
        read_tree(ctx, XDS_AT(at, "matcher_tree"), pb->matcher_tree, level, out);
    else
        xds_fire(ctx, at, XDS_R_MTREE_NO_TYPE);
    return out;
}

const struct xds_filter_tree *
xds_matcher_tree_read(struct xds_ctx *ctx, const struct xds_path *at,
                      const pb_matcher *pb, const struct xds_matcher_actions *actions)
{
    return read_matcher(ctx, at, pb, &(const struct level){actions, 1});
}
