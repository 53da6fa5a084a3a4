/*
 * keys.c - the keys that an object of a file may have.
 *
 * may have. Gives:  what is wrong with the first member that is not in a list. Fires:
 * SCENARIO_KEY.
 */
#include "scenario/scenario.h"

#include "base/text.h"

static bool is_in(struct xds_slice key, const char *const *keys)
{
    for (; keys && *keys; keys++)
        if (xds_slice_is(key, *keys))
            return true;
    return false;
}

static void offer_all(struct xds_nearest *nearest, const char *const *keys)
{
    for (; keys && *keys; keys++)
        xds_nearest_offer(nearest, *keys);
}

static bool stands_before(const struct xds_tree *object, size_t i)
{
    for (size_t k = 0; k < i; k++)
        if (xds_slice_eq(object->items[k].key, object->items[i].key))
            return true;
    return false;
}

/* What is wrong with the key of member i; absent when nothing is. */
static struct xds_slice find_fault(struct xds_arena *arena, const struct xds_tree *object,
                                   size_t i, const struct xds_known_keys *known,
                                   const char *type)
{
    const struct xds_slice key = object->items[i].key;

    if (!is_in(key, known->own) && !is_in(key, known->common)) {
        struct xds_nearest nearest = xds_nearest_to(key);

        offer_all(&nearest, known->own);
        offer_all(&nearest, known->common);
        const struct xds_slice hint = xds_nearest_words(arena, nearest.best);

        return xds_arena_printf(arena, "%s%s%s has no key \"%.*s\"%.*s", known->what,
                                *type ? " " : "", type, XDS_FMT(key), XDS_FMT(hint));
    }
    if (stands_before(object, i))
        return xds_arena_printf(arena, "duplicate key \"%.*s\"", XDS_FMT(key));
    return (struct xds_slice){NULL, 0};
}

const struct xds_tree *xds_keys_find_fault(struct xds_arena *arena,
                                           const struct xds_tree *object,
                                           const struct xds_known_keys *known,
                                           const char *type, struct xds_slice *what)
{
    for (size_t i = 0; i < object->n; i++) {
        *what = find_fault(arena, object, i, known, type);
        if (what->data)
            return &object->items[i];
    }
    return NULL;
}

bool xds_keys_check_type(struct xds_play *play, const struct xds_tree *object,
                         const struct xds_known_keys *known, const char *type)
{
    struct xds_slice what;
    const struct xds_tree *wrong =
        xds_keys_find_fault(play->machine.arena, object, known, type, &what);

    return !wrong || xds_fault_at(play, XDS_R_SCENARIO_KEY,
                                  xds_play_key_place(play, wrong), "%.*s", XDS_FMT(what));
}

bool xds_keys_check(struct xds_play *play, const struct xds_tree *object,
                    const struct xds_known_keys *known)
{
    return xds_keys_check_type(play, object, known, "");
}
