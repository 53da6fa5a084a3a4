/*
 * keys.c - names that are known, and the one that was probably meant.
 *
 * Takes:  objects of a scenario, and lists of the keys that they may have.
 * Gives:  a fault at the first member that is not in a list.
 * Fires:  SCENARIO_KEY.
 */
#include "scenario/keys.h"

#include "scenario/fault.h"

/* More edits than these, or than half of the name, are no slip of the pen. */
#define MOST_EDITS 3

struct xds_nearest xds_nearest_to(struct xds_slice name)
{
    const size_t most = name.len / 2 < MOST_EDITS ? name.len / 2 : MOST_EDITS;

    return (struct xds_nearest){.name = name, .distance = most + 1};
}

void xds_nearest_offer(struct xds_nearest *nearest, const char *candidate)
{
    const size_t distance =
        xds_slice_distance(nearest->name, xds_slice_of(candidate), nearest->distance);

    if (distance >= nearest->distance)
        return;
    nearest->distance = distance;
    nearest->best = candidate;
}

struct xds_slice xds_nearest_words(struct xds_arena *arena, const char *best)
{
    return best ? xds_arena_printf(arena, "; did you mean \"%s\"?", best) : XDS_S("");
}

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

static struct xds_slice unknown(struct xds_arena *arena, struct xds_slice key,
                                const struct xds_known_keys *known, const char *type)
{
    struct xds_nearest nearest = xds_nearest_to(key);

    offer_all(&nearest, known->own);
    offer_all(&nearest, known->common);
    const struct xds_slice hint = xds_nearest_words(arena, nearest.best);

    return xds_arena_printf(arena, "%s%s%s has no key \"%.*s\"%.*s", known->what,
                            *type ? " " : "", type, XDS_FMT(key), XDS_FMT(hint));
}

static bool stands_before(const struct xds_tree *object, size_t i)
{
    for (size_t k = 0; k < i; k++)
        if (xds_slice_eq(object->items[k].key, object->items[i].key))
            return true;
    return false;
}

/* What is wrong with the key of member i; absent when nothing is. */
static struct xds_slice find_fault(const struct xds_play *play,
                                   const struct xds_tree *object, size_t i,
                                   const struct xds_known_keys *known, const char *type)
{
    const struct xds_slice key = object->items[i].key;
    struct xds_arena *arena = play->machine.arena;

    if (!is_in(key, known->own) && !is_in(key, known->common))
        return unknown(arena, key, known, type);
    if (stands_before(object, i))
        return xds_arena_printf(arena, "the key \"%.*s\" stands here twice",
                                XDS_FMT(key));
    return (struct xds_slice){NULL, 0};
}

bool xds_keys_check_type(struct xds_play *play, const struct xds_tree *object,
                         const struct xds_known_keys *known, const char *type)
{
    for (size_t i = 0; i < object->n; i++) {
        const struct xds_slice fault = find_fault(play, object, i, known, type);

        if (fault.data)
            return xds_fault_at(play, XDS_R_SCENARIO_KEY,
                                xds_play_key_place(play, &object->items[i]), "%.*s",
                                XDS_FMT(fault));
    }
    return true;
}

bool xds_keys_check(struct xds_play *play, const struct xds_tree *object,
                    const struct xds_known_keys *known)
{
    return xds_keys_check_type(play, object, known, "");
}
