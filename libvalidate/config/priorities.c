/*
 * priorities.c - the priorities of a cluster and their numbers as JSON, and back.
 *
 * Source: spec cluster 5.6.
 */
#include "config/child_names.h"

#include <inttypes.h>

static struct xds_tree locality_tree(struct xds_arena *arena,
                                     const struct xds_locality *locality)
{
    struct xds_tree out = xds_tree_object();

    xds_tree_put(arena, &out, "region", xds_tree_string(locality->region));
    xds_tree_put(arena, &out, "zone", xds_tree_string(locality->zone));
    xds_tree_put(arena, &out, "sub_zone", xds_tree_string(locality->sub_zone));
    return out;
}

struct xds_tree xds_child_numbers_tree(const struct xds_maker *maker,
                                       const struct xds_child_numbers *numbers)
{
    struct xds_arena *arena = maker->arena;
    struct xds_tree out = xds_tree_object(), list = xds_tree_array();

    for (size_t i = 0; i < numbers->n; i++) {
        struct xds_tree entry = xds_tree_object(), localities = xds_tree_array();

        for (size_t k = 0; k < numbers->priorities[i].n; k++)
            xds_tree_add(arena, &localities,
                         locality_tree(arena, numbers->priorities[i].localities[k]));
        xds_tree_put(arena, &entry, "number",
                     xds_tree_number((double)numbers->number[i]));
        xds_tree_put(arena, &entry, "localities", localities);
        xds_tree_add(arena, &list, entry);
    }
    xds_tree_put(arena, &out, "next", xds_tree_number((double)numbers->next));
    xds_tree_put(arena, &out, "priorities", list);
    return out;
}

static struct xds_slice text_of(const struct xds_tree *object, const char *key)
{
    const struct xds_tree *value = xds_tree_member(object, key);

    return value && value->kind == XDS_TREE_STRING ? value->text : XDS_S("");
}

static bool number_of(const struct xds_tree *object, const char *key, uint64_t *number)
{
    const struct xds_tree *value = xds_tree_member(object, key);

    if (!value || value->kind != XDS_TREE_NUMBER ||
        !(value->number >= 0 && value->number <= (double)UINT32_MAX))
        return false;
    *number = (uint64_t)value->number;
    return true;
}

static struct xds_config_priority read_priority(struct xds_arena *arena,
                                                const struct xds_tree *entry)
{
    const struct xds_tree *list = xds_tree_member(entry, "localities");
    const size_t n = list && list->kind == XDS_TREE_ARRAY ? list->n : 0;
    const struct xds_locality **localities =
        XDS_NEW_ARRAY(arena, const struct xds_locality *, n);

    for (size_t i = 0; i < n; i++) {
        struct xds_locality *l = XDS_NEW(arena, struct xds_locality);

        l->region = text_of(&list->items[i], "region");
        l->zone = text_of(&list->items[i], "zone");
        l->sub_zone = text_of(&list->items[i], "sub_zone");
        localities[i] = l;
    }
    return (struct xds_config_priority){localities, n};
}

/* The number of an entry that has one which no entry before had. */
static bool read_number(struct xds_arena *arena, struct xds_strmap *seen,
                        const struct xds_tree *entry, uint64_t *number)
{
    void **slot;

    if (!number_of(entry, "number", number))
        return false;
    slot = xds_strmap_at(seen, xds_arena_printf(arena, "%" PRIu64, *number));
    const bool is_new = !*slot;

    *slot = seen;
    return is_new;
}

/* Whoever wrote the document: no number comes twice, and next is above all of them. */
struct xds_child_numbers xds_child_numbers_read(const struct xds_maker *maker,
                                                const struct xds_tree *tree)
{
    const struct xds_tree *list = tree ? xds_tree_member(tree, "priorities") : NULL;
    const size_t n = list && list->kind == XDS_TREE_ARRAY ? list->n : 0;
    struct xds_child_numbers out = {.n = 0};
    struct xds_strmap seen;

    xds_strmap_init(&seen, maker->arena);
    if (tree)
        (void)number_of(tree, "next", &out.next);
    out.number = XDS_NEW_ARRAY(maker->arena, uint64_t, n);
    out.priorities = XDS_NEW_ARRAY(maker->arena, struct xds_config_priority, n);
    for (size_t i = 0; i < n; i++) {
        uint64_t number;

        if (!read_number(maker->arena, &seen, &list->items[i], &number))
            continue;
        if (out.next <= number)
            out.next = number + 1;
        out.number[out.n] = number;
        out.priorities[out.n++] = read_priority(maker->arena, &list->items[i]);
    }
    return out;
}
