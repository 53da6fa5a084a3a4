/*
 * trees.c - two readers of one snapshot: verdicts, the LB policies of each cluster, and
 * what the history of the client has between its two releases.
 *
 * Only policies of one client are compared: each client has words of its own for them.
 * Called by the program's diff; owns nothing.
 */
#include <stdlib.h>

#include "base/text.h"
#include "clients/readers.h"
#include "generate/config.h"
#include "diff/diff.h"

struct spot {
    struct xds_text path;
    const struct xds_tree *at[XDS_SIDES];
};

static bool same_scalar(const struct xds_tree *a, const struct xds_tree *b)
{
    switch (a->kind) {
    case XDS_TREE_BOOL:
        return a->truth == b->truth;
    case XDS_TREE_NUMBER:
        return a->number <= b->number && a->number >= b->number;
    case XDS_TREE_STRING:
        return xds_slice_eq(a->text, b->text);
    case XDS_TREE_NULL:
    case XDS_TREE_ARRAY:
    case XDS_TREE_OBJECT:
        break;
    }
    return true;
}

static bool find_difference(struct spot *spot);

static bool differs_below(struct spot *spot, struct xds_slice step,
                          const struct xds_tree *old, const struct xds_tree *now)
{
    const struct spot above = *spot;

    xds_text_add(&spot->path, step);
    spot->at[XDS_SIDE_OLD] = old;
    spot->at[XDS_SIDE_NEW] = now;
    if (find_difference(spot))
        return true;
    *spot = above;
    return false;
}

static struct xds_slice step_of(const struct spot *spot, const struct xds_tree *object,
                                size_t i)
{
    if (object->kind == XDS_TREE_ARRAY)
        return xds_arena_printf(spot->path.arena, "[%zu]", i);
    return xds_arena_printf(spot->path.arena, "%s%.*s", spot->path.len ? "." : "",
                            XDS_FMT(object->items[i].key));
}

/* What the other side has in the place of an item; NULL: nothing. */
static const struct xds_tree *partner(const struct xds_tree *tree,
                                      const struct xds_tree *other, size_t i)
{
    if (tree->kind == XDS_TREE_OBJECT)
        return xds_tree_find(other, tree->items[i].key);
    return i < other->n ? &other->items[i] : NULL;
}

/* Moves to the first place at which the trees differ; false: they are the same. */
static bool find_difference(struct spot *spot)
{
    const struct xds_tree *old = spot->at[XDS_SIDE_OLD], *now = spot->at[XDS_SIDE_NEW];

    if (!old || !now || old->kind != now->kind)
        return old != now;
    if (old->kind != XDS_TREE_OBJECT && old->kind != XDS_TREE_ARRAY)
        return !same_scalar(old, now);
    /* {POLICY: CONFIG}: two policies, not two members. */
    if (old->kind == XDS_TREE_OBJECT && old->n == 1 && now->n == 1 &&
        !xds_slice_eq(old->items->key, now->items->key))
        return true;
    for (size_t i = 0; i < old->n; i++)
        if (differs_below(spot, step_of(spot, old, i), &old->items[i],
                          partner(old, now, i)))
            return true;
    for (size_t i = 0; i < now->n; i++)
        if (!partner(now, old, i) &&
            differs_below(spot, step_of(spot, now, i), NULL, &now->items[i]))
            return true;
    return false;
}

/* Short: a policy or a list by what is first in it. */
static struct xds_slice value_text(struct xds_arena *arena, const struct xds_tree *tree)
{
    if (!tree)
        return XDS_S("not set");
    switch (tree->kind) {
    case XDS_TREE_NULL:
        return XDS_S("null");
    case XDS_TREE_BOOL:
        return tree->truth ? XDS_S("true") : XDS_S("false");
    case XDS_TREE_NUMBER:
        return xds_arena_printf(arena, "%.15g", tree->number);
    case XDS_TREE_STRING:
        return xds_arena_printf(arena, "\"%.*s\"", XDS_FMT(tree->text));
    case XDS_TREE_ARRAY:
        return tree->n == 0 ? XDS_S("[]")
                            : xds_arena_printf(arena, "[%.*s%s]",
                                               XDS_FMT(value_text(arena, tree->items)),
                                               tree->n > 1 ? ", ..." : "");
    case XDS_TREE_OBJECT:
        break;
    }
    return tree->n == 0 ? XDS_S("{}")
                        : xds_arena_printf(arena, "{%.*s%s}", XDS_FMT(tree->items->key),
                                           tree->n > 1 ? ", ..." : "");
}

static void count_kind(struct xds_diff *diff, struct xds_slice cluster,
                       const struct spot *spot)
{
    const struct xds_slice path = xds_slice_make(spot->path.data, spot->path.len);
    struct xds_slice text[XDS_SIDES];

    for (unsigned side = 0; side < XDS_SIDES; side++)
        text[side] = value_text(&diff->arena, spot->at[side]);
    diff->n_clusters_differ++;
    for (size_t i = 0; i < diff->n_trees; i++) {
        struct xds_policy_kind *kind = diff->trees[i];

        if (xds_slice_eq(kind->path, path) && xds_slice_eq(kind->text[0], text[0]) &&
            xds_slice_eq(kind->text[1], text[1])) {
            kind->n++;
            return;
        }
    }
    if (!diff->trees)
        diff->trees =
            XDS_NEW_ARRAY(&diff->arena, struct xds_policy_kind *, XDS_MAX_DIFF_KINDS);
    if (diff->n_trees == XDS_MAX_DIFF_KINDS) {
        diff->n_more_trees++;
        return;
    }
    struct xds_policy_kind *kind = XDS_NEW(&diff->arena, struct xds_policy_kind);

    *kind = (struct xds_policy_kind){.path = xds_arena_dup(&diff->arena, path),
                                     .text = {text[0], text[1]},
                                     .cluster = xds_arena_dup(&diff->arena, cluster),
                                     .n = 1};
    diff->trees[diff->n_trees++] = kind;
}

struct trees {
    struct xds_diff *diff;
    struct xds_generator *generator[XDS_SIDES];
    enum xds_status status;
};

/* The policies of a cluster; NULL: it has none, since it is rejected or not there. */
static const struct xds_tree *policies_of(struct trees *t, enum xds_side side,
                                          struct xds_slice cluster)
{
    const struct xds_config_request request = {.cluster = cluster};
    const struct xds_config *config = NULL;

    if (t->status == XDS_OK)
        t->status = xds_generate_lb_config(t->generator[side], &request, &config);
    return t->status == XDS_OK && !config->error.data ? &config->policies : NULL;
}

static void compare_trees(void *arg)
{
    struct trees *t = arg;
    struct xds_slice cluster;

    for (size_t i = 0;
         (cluster = xds_generator_cluster(t->generator[XDS_SIDE_OLD], i)).data; i++) {
        xds_arena_reset(&t->diff->scratch);
        struct spot spot = {.path = {.arena = &t->diff->scratch}};

        for (unsigned side = 0; side < XDS_SIDES; side++)
            spot.at[side] = policies_of(t, (enum xds_side)side, cluster);
        if (t->status != XDS_OK)
            return;
        /* A cluster that one side rejects is one of its verdicts. */
        if (!spot.at[XDS_SIDE_OLD] || !spot.at[XDS_SIDE_NEW])
            continue;
        t->diff->n_clusters++;
        if (find_difference(&spot))
            count_kind(t->diff, cluster, &spot);
    }
}

static enum xds_status diff_trees(struct xds_diff *diff)
{
    struct xds_arena *const arenas[] = {&diff->arena, &diff->scratch};
    struct trees t = {.diff = diff};
    enum xds_status status = XDS_ERR_NO_MEMORY;

    for (unsigned side = 0; side < XDS_SIDES; side++)
        t.generator[side] =
            xds_generator_new(diff->side[side].check, diff->side[side].client);
    if (t.generator[XDS_SIDE_OLD] && t.generator[XDS_SIDE_NEW])
        status = xds_arena_guard(arenas, XDS_ARRAY_LEN(arenas), compare_trees, &t);
    for (unsigned side = 0; side < XDS_SIDES; side++)
        xds_generator_free(t.generator[side]);
    return status == XDS_OK ? t.status : status;
}

enum xds_status xds_diff_readers(struct xds_diff *diff)
{
    diff->of_readers = true;

    const enum xds_status status = xds_diff_verdicts(diff);

    if (status != XDS_OK ||
        diff->side[XDS_SIDE_OLD].client != diff->side[XDS_SIDE_NEW].client)
        return status;
    return diff_trees(diff);
}

/* ---- history ---- */

static bool is_known_before(struct xds_release reader, struct xds_release row)
{
    return reader.major != 0 && xds_release_is_before(reader, row);
}

const struct xds_difference_before *xds_diff_history(const struct xds_diff *diff,
                                                     size_t i)
{
    const enum xds_client client = diff->side[XDS_SIDE_OLD].client;
    struct xds_release at[XDS_SIDES];
    size_t n;
    const struct xds_difference_before *rows = xds_difference_history(&n);

    if (!diff->of_readers || client != diff->side[XDS_SIDE_NEW].client)
        return NULL;
    for (unsigned side = 0; side < XDS_SIDES; side++)
        at[side] = diff->side[side].check->report->options.release[client];
    for (size_t k = 0; k < n; k++)
        if (rows[k].client == client &&
            is_known_before(at[XDS_SIDE_OLD], rows[k].release) !=
                is_known_before(at[XDS_SIDE_NEW], rows[k].release) &&
            i-- == 0)
            return &rows[k];
    return NULL;
}
