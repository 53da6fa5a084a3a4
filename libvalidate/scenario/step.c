/* step.c - the result of a step while it comes about. */
#include "scenario/scenario.h"

/* Happenings of one step; of more only the first are reported. */
#define MOST_HAPPENINGS 1000

static struct xds_tree neutral(enum xds_key_kind kind)
{
    switch (kind) {
    case XDS_KEY_LIST:
        return xds_tree_array();
    case XDS_KEY_NUMBER:
        return xds_tree_number(0);
    case XDS_KEY_VALUE:
        break;
    }
    return (struct xds_tree){.kind = XDS_TREE_NULL};
}

void xds_step_begin_more(struct xds_step *step, const struct xds_result_key *keys)
{
    for (; keys->name; keys++)
        if (!xds_tree_member(&step->result, keys->name))
            xds_tree_put(step->arena, &step->result, keys->name, neutral(keys->kind));
}

void xds_step_begin(struct xds_step *step, struct xds_arena *arena,
                    const struct xds_result_key *keys)
{
    *step = (struct xds_step){.arena = arena, .result = xds_tree_object()};
    xds_step_begin_more(step, keys);
}

static struct xds_tree *slot(struct xds_step *step, const char *key)
{
    for (size_t i = 0; i < step->result.n; i++)
        if (xds_slice_is(step->result.items[i].key, key))
            return &step->result.items[i];
    xds_tree_put(step->arena, &step->result, key, xds_tree_array());
    return &step->result.items[step->result.n - 1];
}

void xds_step_add(struct xds_step *step, const char *key, struct xds_tree item)
{
    struct xds_tree *list = slot(step, key);

    if (list->kind != XDS_TREE_ARRAY) {
        const struct xds_slice name = list->key;

        *list = xds_tree_array();
        list->key = name;
    }
    xds_tree_add(step->arena, list, item);
}

void xds_step_add_name(struct xds_step *step, const char *key, struct xds_slice name)
{
    xds_step_add(step, key, xds_tree_string(xds_arena_dup(step->arena, name)));
}

void xds_step_set(struct xds_step *step, const char *key, struct xds_tree value)
{
    struct xds_tree *place = slot(step, key);

    value.key = place->key;
    *place = value;
}

void xds_step_record(struct xds_step *step, int64_t at_ms, struct xds_slice who,
                     struct xds_slice what)
{
    if (step->n_happenings == MOST_HAPPENINGS)
        return;
    step->happenings = xds_arena_room(step->arena, step->happenings, step->n_happenings,
                                      &step->cap_happenings, sizeof *step->happenings);
    step->happenings[step->n_happenings++] = (struct xds_happening){
        at_ms, xds_arena_dup(step->arena, who), xds_arena_dup(step->arena, what)};
}
