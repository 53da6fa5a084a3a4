/*
 * registry_priority.c - the names in the JSON of the priority policy fit each other.
 *
 * Takes:  {"children": {NAME: ...}, "priorities": [NAME, ...]}.
 * Gives:  one fault that names all priorities without a child, in byte order; for go one
 *         more for children without a priority.
 * Source: spec cluster 1.7/24, 1.7/25; gRFC A56.
 */
#include <stdlib.h>

#include "base/limits.h"
#include "base/strmap.h"
#include "rules/lb_policy/registry_schema.h"

static int by_name(const void *a, const void *b)
{
    return xds_slice_cmp(*(const struct xds_slice *)a, *(const struct xds_slice *)b);
}

/* "x, y" of sorted names, each once, and no more than a message may hold. */
static struct xds_slice join(struct xds_arena *arena, struct xds_slice *names, size_t n)
{
    struct xds_slice text = XDS_S("");
    size_t shown = 0;

    qsort(names, n, sizeof *names, by_name);
    for (size_t i = 0; i < n && shown < XDS_MAX_ERRORS_PER_MESSAGE; i++) {
        if (i > 0 && xds_slice_eq(names[i], names[i - 1]))
            continue;
        text = xds_arena_printf(arena, "%.*s%s%.*s", XDS_FMT(text), shown ? ", " : "",
                                XDS_FMT(names[i]));
        shown++;
    }
    return text;
}

/* The names of `wanted` that are not in `known`; *n of them. */
static struct xds_slice *missing(struct xds_arena *arena, const struct xds_strmap *known,
                                 const struct xds_slice *wanted, size_t n_wanted,
                                 size_t *n)
{
    struct xds_slice *names = XDS_NEW_ARRAY(arena, struct xds_slice, n_wanted);

    *n = 0;
    for (size_t i = 0; i < n_wanted; i++)
        if (!xds_strmap_get(known, wanted[i]))
            names[(*n)++] = wanted[i];
    return names;
}

/* The keys of an object, or the strings of an array. */
struct names {
    struct xds_slice *list;
    size_t n;
    struct xds_strmap set;
};

static struct names names_of(struct xds_arena *arena, const struct xds_tree *value,
                             enum xds_tree_kind kind)
{
    struct names out = {.n = 0};

    xds_strmap_init(&out.set, arena);
    if (!value || value->kind != kind)
        return out;
    out.list = XDS_NEW_ARRAY(arena, struct xds_slice, value->n);
    for (size_t i = 0; i < value->n; i++) {
        const struct xds_tree *item = &value->items[i];

        if (kind == XDS_TREE_ARRAY && item->kind != XDS_TREE_STRING)
            continue;
        out.list[out.n] = kind == XDS_TREE_ARRAY ? item->text : item->key;
        *xds_strmap_at(&out.set, out.list[out.n]) = out.list;
        out.n++;
    }
    return out;
}

void xds_lb_priorities_check(struct xds_lb_scope *scope, const struct xds_path *at,
                             const struct xds_tree *config)
{
    struct xds_arena *arena = scope->judge->arena;
    const struct names children =
        names_of(arena, xds_tree_member(config, "children"), XDS_TREE_OBJECT);
    const struct names priorities =
        names_of(arena, xds_tree_member(config, "priorities"), XDS_TREE_ARRAY);
    size_t n;
    struct xds_slice *names =
        missing(arena, &children.set, priorities.list, priorities.n, &n);

    if (n > 0)
        xds_lb_fault(scope, XDS_AT(at, "priorities"),
                     xds_arena_printf(arena, "unknown priorit(ies): [%.*s]",
                                      XDS_FMT(join(arena, names, n))));
    if (!xds_lb_judged_by(scope, XDS_GO))
        return;
    names = missing(arena, &priorities.set, children.list, children.n, &n);
    if (n > 0)
        xds_lb_fault(scope, XDS_AT(at, "children"),
                     xds_arena_printf(arena, "not in priorities: [%.*s]",
                                      XDS_FMT(join(arena, names, n))));
}
