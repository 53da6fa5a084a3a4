/*
 * check_keys.c - keys that appear twice in one object.
 *
 * Source: RFC 8259 4, proto3 JSON mapping, spec routing 14.4.
 */
#include "base/strmap.h"
#include "config/check.h"

/* Members whose keys are names of the user's. */
static bool holds_names(struct xds_slice key)
{
    return xds_slice_is(key, "action") || xds_slice_is(key, "targets") ||
           xds_slice_is(key, "children");
}

static void check_object(struct xds_config_check *check, const struct xds_path *at,
                         const struct xds_tree *object, bool fold)
{
    struct xds_strmap seen;

    xds_strmap_init(&seen, check->arena);
    for (size_t i = 0; i < object->n; i++) {
        const struct xds_slice key = object->items[i].key;
        void **slot =
            xds_strmap_at(&seen, fold ? xds_tree_snake_case(check->arena, key) : key);

        if (*slot)
            xds_config_fault(check, XDS_R_CONFIG_DUPLICATE, at, "duplicate key \"%.*s\"",
                             XDS_FMT(key));
        *slot = check;
    }
}

/* Where a value is; keys of the tree end in NUL, so a path can hold them. */
struct place {
    const struct xds_path *at, *up;
    const char *field; /* of up, for the items of a list */
};

static void visit(struct xds_config_check *check, struct place place,
                  const struct xds_tree *value, bool both_spellings, bool names)
{
    if (value->kind == XDS_TREE_OBJECT && value->n > 1)
        check_object(check, place.at, value, both_spellings && !names);
    for (size_t i = 0; i < value->n; i++) {
        const struct xds_tree *item = &value->items[i];

        if (value->kind == XDS_TREE_ARRAY) {
            const struct xds_path *at = XDS_AT_I(place.up, place.field, i);

            visit(check, (struct place){at, at, ""}, item, both_spellings, false);
        } else {
            visit(check,
                  (struct place){XDS_AT(place.at, item->key.data), place.at,
                                 item->key.data},
                  item,
                  both_spellings || xds_slice_is(item->key, "xds_routing_experimental"),
                  !names && holds_names(item->key));
        }
    }
}

void xds_config_check_keys(struct xds_config_check *check,
                           const struct xds_tree *document)
{
    visit(check, (struct place){NULL, NULL, ""}, document, false, false);
}
