/*
 * registry_tree.c - turn a google.protobuf.Struct into the tree that LB policy configs
 *                   are judged as.
 *
 * Takes:  a decoded Struct; its depth is bounded by what decode/ lets pass.
 * Gives:  the tree in the arena; texts are borrowed from the message.
 * Source: spec cluster 1.6/8; google/protobuf/struct.proto.
 */
#include "rules/lb_policy/registry.h"

#define KIND(arm) GOOGLE__PROTOBUF__VALUE__KIND_##arm

static struct xds_tree value_of(struct xds_arena *arena, const pb_value *pb);

static struct xds_tree list_of(struct xds_arena *arena, const pb_list_value *pb)
{
    struct xds_tree *items = XDS_NEW_ARRAY(arena, struct xds_tree, pb->n_values);

    for (size_t i = 0; i < pb->n_values; i++)
        items[i] = value_of(arena, pb->values[i]);
    return (struct xds_tree){.kind = XDS_TREE_ARRAY, .items = items, .n = pb->n_values};
}

struct xds_tree xds_tree_of_struct(struct xds_arena *arena, const pb_struct *pb)
{
    struct xds_tree out = {.kind = XDS_TREE_OBJECT};

    if (!pb || pb->n_fields == 0)
        return out;

    struct xds_tree *items = XDS_NEW_ARRAY(arena, struct xds_tree, pb->n_fields);

    for (size_t i = 0; i < pb->n_fields; i++) {
        items[i] = value_of(arena, pb->fields[i]->value);
        items[i].key = xds_slice_of(pb->fields[i]->key);
    }
    out.items = items;
    out.n = pb->n_fields;
    return out;
}

/* A value without a kind has been reported where the Struct stands; here it is null. */
static struct xds_tree value_of(struct xds_arena *arena, const pb_value *pb)
{
    struct xds_tree out = {.kind = XDS_TREE_NULL};

    if (!pb)
        return out;
    if (pb->kind_case == KIND(STRUCT_VALUE))
        return xds_tree_of_struct(arena, pb->struct_value);
    if (pb->kind_case == KIND(LIST_VALUE))
        return list_of(arena, pb->list_value);
    if (pb->kind_case == KIND(BOOL_VALUE)) {
        out.kind = XDS_TREE_BOOL;
        out.truth = pb->bool_value;
    } else if (pb->kind_case == KIND(NUMBER_VALUE)) {
        out.kind = XDS_TREE_NUMBER;
        out.number = pb->number_value;
    } else if (pb->kind_case == KIND(STRING_VALUE)) {
        out.kind = XDS_TREE_STRING;
        out.text = xds_slice_of(pb->string_value);
    }
    return out;
}
