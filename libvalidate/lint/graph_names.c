/*
 * graph_names.c - the names of a graph, each kept once.
 *
 * Each reference is looked up here, and they come in no order: a slot is as small as can
 * be, so that the table stays near the processor, and what it leads to lies together.
 */
#include "lint/graph.h"

#include <stdlib.h>

#include <xxhash.h>

#define FIRST_CAP 64

struct xds_graph_slot {
    uint64_t hash;
    struct xds_graph_name *name; /* NULL: free */
};

static uint64_t hash_of(struct xds_slice text)
{
    return XXH3_64bits(xds_slice_text(text), text.len);
}

static struct xds_graph_slot *find_slot(const struct xds_graph_names *names,
                                        struct xds_slice text, uint64_t hash)
{
    size_t i = (size_t)hash & (names->cap - 1);

    while (names->slots[i].name && !(names->slots[i].hash == hash &&
                                     xds_slice_eq(names->slots[i].name->text, text)))
        i = (i + 1) & (names->cap - 1);
    return &names->slots[i];
}

/* All names differ. The slots are none of the arena's, which would keep those from before
 * each time that they grow. */
static void grow(struct xds_arena *arena, struct xds_graph_names *names)
{
    const struct xds_graph_names old = *names;
    const size_t cap = old.cap ? old.cap * 2 : FIRST_CAP;

    names->slots = xds_arena_realloc(arena, NULL, cap, sizeof *names->slots);
    names->cap = cap;
    memset(names->slots, 0, cap * sizeof *names->slots);
    for (size_t k = 0; k < old.cap; k++) {
        size_t i = (size_t)old.slots[k].hash & (names->cap - 1);

        if (!old.slots[k].name)
            continue;
        while (names->slots[i].name)
            i = (i + 1) & (names->cap - 1);
        names->slots[i] = old.slots[k];
    }
    free(old.slots);
}

void xds_graph_rename(struct xds_graph *graph, struct xds_arena *of_names)
{
    graph->of_names = of_names;
    for (size_t i = 0; i < XDS_ARRAY_LEN(graph->names); i++) {
        struct xds_graph_names *names = &graph->names[i];

        if (names->n > 0)
            memset(names->slots, 0, names->cap * sizeof *names->slots);
        names->n = 0;
    }
}

void xds_graph_release(struct xds_graph *graph)
{
    for (size_t i = 0; i < XDS_ARRAY_LEN(graph->names); i++)
        free(graph->names[i].slots);
    memset(graph->names, 0, sizeof graph->names);
}

static struct xds_graph_name *new_name(struct xds_graph *graph,
                                       enum xds_resource_type type, struct xds_slice text)
{
    graph->of_names->guard = graph->arena->guard; /* memory runs out for the graph */
    struct xds_graph_name *name =
        xds_arena_alloc(graph->of_names, sizeof *name + text.len + 1);
    char *copy = (char *)(name + 1);

    if (text.len > 0)
        memcpy(copy, text.data, text.len);
    copy[text.len] = '\0';
    *name = (struct xds_graph_name){
        .text = xds_slice_make(copy, text.len), .type = type, .graph = graph};
    return name;
}

struct xds_graph_name *xds_graph_name(struct xds_graph *graph,
                                      enum xds_resource_type type, struct xds_slice text)
{
    struct xds_graph_names *names = &graph->names[type];
    const uint64_t hash = hash_of(text);

    if (names->n * 4 >= names->cap * 3)
        grow(graph->arena, names);
    struct xds_graph_slot *slot = find_slot(names, text, hash);
    if (!slot->name) {
        *slot = (struct xds_graph_slot){hash, new_name(graph, type, text)};
        names->n++;
    }
    return slot->name;
}

struct xds_graph_name *xds_graph_adopt(struct xds_graph *graph,
                                       struct xds_graph_name *name)
{
    if (name->graph == graph)
        return name;
    if (!name->adopted)
        name->adopted = xds_graph_name(graph, name->type, name->text);
    return name->adopted;
}

void xds_graph_expect(const struct xds_graph *graph, enum xds_resource_type type,
                      struct xds_slice text)
{
    const struct xds_graph_names *names = &graph->names[type];

    if (names->cap)
        __builtin_prefetch(&names->slots[hash_of(text) & (names->cap - 1)]);
}

struct xds_node *xds_graph_find(const struct xds_graph *graph,
                                enum xds_resource_type type, struct xds_slice text)
{
    const struct xds_graph_names *names = &graph->names[type];
    const struct xds_graph_name *name =
        names->cap ? find_slot(names, text, hash_of(text))->name : NULL;

    return name ? name->node : NULL;
}
