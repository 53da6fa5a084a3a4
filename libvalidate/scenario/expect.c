/* expect.c - compare what a step's result was to be with what it is. */
#include "scenario/scenario.h"

#include <math.h>
#include <stdlib.h>

#include "base/order.h"

/* Probabilities are written with few digits. */
#define TOLERANCE 1e-6

bool xds_is_something(const struct xds_tree *value)
{
    switch (value->kind) {
    case XDS_TREE_NULL:
        return false;
    case XDS_TREE_BOOL:
        return value->truth;
    case XDS_TREE_NUMBER:
        return value->number < 0 || value->number > 0;
    case XDS_TREE_STRING:
        return value->text.len > 0;
    case XDS_TREE_ARRAY:
    case XDS_TREE_OBJECT:
        break;
    }
    return value->n > 0;
}

/* Of these lists of names the order counts. */
static bool is_ordered(struct xds_slice key)
{
    static const char *const keys[] = {"actual_address_list", "child_names", "path"};

    for (size_t i = 0; i < XDS_ARRAY_LEN(keys); i++)
        if (xds_slice_is(key, keys[i]))
            return true;
    return false;
}

static bool is_names(const struct xds_tree *list)
{
    for (size_t i = 0; i < list->n; i++)
        if (list->items[i].kind != XDS_TREE_STRING)
            return false;
    return true;
}

static bool is_nested(const struct xds_tree *list)
{
    for (size_t i = 0; i < list->n; i++)
        if (list->items[i].kind == XDS_TREE_ARRAY ||
            list->items[i].kind == XDS_TREE_OBJECT)
            return true;
    return false;
}

static const struct xds_slice *sorted(struct xds_arena *arena,
                                      const struct xds_tree *list)
{
    struct xds_slice *names = XDS_NEW_ARRAY(arena, struct xds_slice, list->n);

    for (size_t i = 0; i < list->n; i++)
        names[i] = list->items[i].text;
    if (list->n > 1)
        qsort(names, list->n, sizeof *names, xds_slice_order);
    return names;
}

static bool same_set(struct xds_arena *arena, const struct xds_tree *want,
                     const struct xds_tree *got)
{
    const struct xds_slice *a = sorted(arena, want), *b = sorted(arena, got);

    for (size_t i = 0; i < want->n; i++)
        if (!xds_slice_eq(a[i], b[i]))
            return false;
    return true;
}

/* The nesting of both is bounded where they were read or made. */
static bool same(struct xds_arena *arena, struct xds_slice key,
                 const struct xds_tree *want, const struct xds_tree *got)
{
    static const struct xds_tree nothing = {.kind = XDS_TREE_NULL};
    int64_t a, b;

    if (!got)
        got = &nothing;
    if (want->kind == XDS_TREE_BOOL)
        return want->truth == xds_is_something(got);
    if (want->kind != got->kind)
        return !xds_is_something(want) && got->kind == XDS_TREE_NULL;
    switch (want->kind) {
    case XDS_TREE_NULL:
    case XDS_TREE_BOOL:
        return true;
    case XDS_TREE_NUMBER:
        return fabs(want->number - got->number) <=
               TOLERANCE * (fabs(want->number) > 1 ? fabs(want->number) : 1);
    case XDS_TREE_STRING:
        return xds_slice_eq(want->text, got->text) ||
               (xds_span_read(want->text, &a) && xds_span_read(got->text, &b) && a == b);
    case XDS_TREE_ARRAY:
        if (want->n != got->n)
            return false;
        if (!is_ordered(key) && is_names(want) && is_names(got))
            return same_set(arena, want, got);
        for (size_t i = 0; i < want->n; i++)
            if (!same(arena, key, &want->items[i], &got->items[i]))
                return false;
        return true;
    case XDS_TREE_OBJECT:
        for (size_t i = 0; i < want->n; i++)
            if (!same(arena, want->items[i].key, &want->items[i],
                      xds_tree_find(got, want->items[i].key)))
                return false;
        return true;
    }
    return false;
}

static void add(struct xds_mismatches *out, struct xds_slice path,
                const struct xds_tree *want, const struct xds_tree *got)
{
    out->list =
        xds_arena_room(out->arena, out->list, out->n, &out->cap, sizeof *out->list);
    out->list[out->n++] = (struct xds_mismatch){path, want, got};
}

/* As deep as the two have the same shape. */
static void compare(struct xds_mismatches *out, struct xds_slice path,
                    struct xds_slice key, const struct xds_tree *want,
                    const struct xds_tree *got)
{
    const bool alike = got && want->kind == got->kind;
    const bool objects = alike && want->kind == XDS_TREE_OBJECT;
    const bool lists = alike && want->kind == XDS_TREE_ARRAY && want->n == got->n;

    if (same(out->arena, key, want, got))
        return;
    if (!objects && !(lists && is_nested(want))) {
        add(out, path, want, got);
        return;
    }
    for (size_t i = 0; i < want->n; i++) {
        const struct xds_tree *item = &want->items[i];

        if (objects)
            compare(out,
                    xds_arena_printf(out->arena, "%.*s.%.*s", XDS_FMT(path),
                                     XDS_FMT(item->key)),
                    item->key, item, xds_tree_find(got, item->key));
        else
            compare(out, xds_arena_printf(out->arena, "%.*s[%zu]", XDS_FMT(path), i), key,
                    item, &got->items[i]);
    }
}

void xds_expect_compare(struct xds_mismatches *out, const struct xds_tree *expect,
                        const struct xds_tree *result)
{
    for (size_t i = 0; i < expect->n; i++) {
        const struct xds_tree *want = &expect->items[i];
        const struct xds_tree *got = xds_tree_find(result, want->key);

        if (got)
            compare(out, want->key, want->key, want, got);
        else if (want->kind != XDS_TREE_NULL)
            add(out, want->key, want, NULL);
    }
}
