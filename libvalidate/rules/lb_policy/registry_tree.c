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

static struct xds_lb_json value_of(struct xds_arena *arena, const pb_value *pb);

static struct xds_lb_json list_of(struct xds_arena *arena, const pb_list_value *pb)
{
    struct xds_lb_json *items = XDS_NEW_ARRAY(arena, struct xds_lb_json, pb->n_values);

    for (size_t i = 0; i < pb->n_values; i++)
        items[i] = value_of(arena, pb->values[i]);
    return (struct xds_lb_json){
        .kind = XDS_LB_JSON_ARRAY, .items = items, .n = pb->n_values};
}

struct xds_lb_json xds_lb_json_of(struct xds_arena *arena, const pb_struct *pb)
{
    struct xds_lb_json out = {.kind = XDS_LB_JSON_OBJECT};

    if (!pb || pb->n_fields == 0)
        return out;

    struct xds_lb_json *items = XDS_NEW_ARRAY(arena, struct xds_lb_json, pb->n_fields);

    for (size_t i = 0; i < pb->n_fields; i++) {
        items[i] = value_of(arena, pb->fields[i]->value);
        items[i].key = xds_slice_of(pb->fields[i]->key);
    }
    out.items = items;
    out.n = pb->n_fields;
    return out;
}

/* A value without a kind has been reported where the Struct stands; here it is null. */
static struct xds_lb_json value_of(struct xds_arena *arena, const pb_value *pb)
{
    struct xds_lb_json out = {.kind = XDS_LB_JSON_NULL};

    if (!pb)
        return out;
    if (pb->kind_case == KIND(STRUCT_VALUE))
        return xds_lb_json_of(arena, pb->struct_value);
    if (pb->kind_case == KIND(LIST_VALUE))
        return list_of(arena, pb->list_value);
    if (pb->kind_case == KIND(BOOL_VALUE)) {
        out.kind = XDS_LB_JSON_BOOL;
        out.truth = pb->bool_value;
    } else if (pb->kind_case == KIND(NUMBER_VALUE)) {
        out.kind = XDS_LB_JSON_NUMBER;
        out.number = pb->number_value;
    } else if (pb->kind_case == KIND(STRING_VALUE)) {
        out.kind = XDS_LB_JSON_STRING;
        out.text = xds_slice_of(pb->string_value);
    }
    return out;
}

const struct xds_lb_json *xds_lb_json_member(const struct xds_lb_json *object,
                                             const char *key)
{
    for (size_t i = object->n; i > 0; i--)
        if (xds_slice_is(object->items[i - 1].key, key))
            return &object->items[i - 1];
    return NULL;
}
