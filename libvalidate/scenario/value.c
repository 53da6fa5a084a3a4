/*
 * value.c - the values of events and of everything else in a scenario.
 *
 * Fails:  with a fault where it has the wrong type.
 */
#include "scenario/scenario.h"

const struct xds_tree *xds_event_given(const struct xds_tree *object, const char *key)
{
    const struct xds_tree *value = xds_tree_member(object, key);

    return value && value->kind != XDS_TREE_NULL ? value : NULL;
}

/* The value if it is of the kind; else a fault where there is one. */
static const struct xds_tree *of_kind(struct xds_play *play,
                                      const struct xds_tree *object, const char *key,
                                      enum xds_tree_kind kind)
{
    static const char *const names[] = {
        [XDS_TREE_NULL] = "null",       [XDS_TREE_BOOL] = "true or false",
        [XDS_TREE_NUMBER] = "a number", [XDS_TREE_STRING] = "a string",
        [XDS_TREE_ARRAY] = "a list",    [XDS_TREE_OBJECT] = "an object",
    };
    const struct xds_tree *value = xds_event_given(object, key);

    if (value && value->kind != kind) {
        xds_play_fault(play, value, "\"%s\" must be %s", key, names[kind]);
        return NULL;
    }
    return value;
}

const struct xds_tree *xds_event_object(struct xds_play *play,
                                        const struct xds_tree *object, const char *key)
{
    static const struct xds_tree empty = {.kind = XDS_TREE_OBJECT};
    const struct xds_tree *value = of_kind(play, object, key, XDS_TREE_OBJECT);

    return value ? value : &empty;
}

const struct xds_tree *xds_event_array(struct xds_play *play,
                                       const struct xds_tree *object, const char *key)
{
    static const struct xds_tree empty = {.kind = XDS_TREE_ARRAY};
    const struct xds_tree *value = of_kind(play, object, key, XDS_TREE_ARRAY);

    return value ? value : &empty;
}

struct xds_slice xds_event_text(struct xds_play *play, const struct xds_tree *object,
                                const char *key)
{
    const struct xds_tree *value = of_kind(play, object, key, XDS_TREE_STRING);

    return value ? value->text : (struct xds_slice){NULL, 0};
}

struct xds_slice xds_event_name(struct xds_play *play, const struct xds_tree *object,
                                const char *key)
{
    const struct xds_slice text = xds_event_text(play, object, key);

    if (text.len == 0)
        xds_play_fault(play, object, "\"%s\" is missing", key);
    return text;
}

bool xds_event_flag(struct xds_play *play, const struct xds_tree *object, const char *key,
                    bool fallback)
{
    const struct xds_tree *value = of_kind(play, object, key, XDS_TREE_BOOL);

    return value ? value->truth : fallback;
}

/* Doubles hold whole numbers exactly up to here. */
static const double most_exact = 9007199254740992.0;

uint64_t xds_event_number(struct xds_play *play, const struct xds_tree *object,
                          const char *key, uint64_t max, uint64_t fallback)
{
    const struct xds_tree *value = of_kind(play, object, key, XDS_TREE_NUMBER);

    if (!value)
        return fallback;
    if (value->number >= 0 && value->number <= most_exact &&
        value->number <= (double)max && value->number == (double)(uint64_t)value->number)
        return (uint64_t)value->number;
    xds_play_fault(play, value, "\"%s\" must be a whole number of at most %llu", key,
                   (unsigned long long)max);
    return fallback;
}

int64_t xds_event_duration(struct xds_play *play, const struct xds_tree *object,
                           const char *key, int64_t fallback_ms)
{
    const struct xds_tree *value = xds_event_given(object, key);
    int64_t ms;

    if (!value)
        return fallback_ms;
    if (value->kind == XDS_TREE_STRING && xds_span_read(value->text, &ms))
        return ms;
    xds_play_fault(play, value,
                   "\"%s\" must be a duration such as 10s, 1500ms, 15m or 1h", key);
    return fallback_ms;
}

enum xds_connectivity xds_event_state(struct xds_play *play, const struct xds_tree *value)
{
    enum xds_connectivity state;

    if (value->kind == XDS_TREE_STRING && xds_connectivity_from_name(value->text, &state))
        return state;
    xds_play_fault(play, value,
                   "a state must be IDLE, CONNECTING, READY or TRANSIENT_FAILURE");
    return XDS_STATE_IDLE;
}

struct xds_slice_list xds_event_names(struct xds_play *play,
                                      const struct xds_tree *object, const char *key)
{
    const struct xds_tree *array = xds_event_array(play, object, key);
    struct xds_slice_list names = {NULL, 0};

    if (array->n == 0)
        return names;
    names.list = XDS_NEW_ARRAY(play->machine.step_arena, struct xds_slice, array->n);
    for (size_t i = 0; i < array->n; i++) {
        const struct xds_tree *item = &array->items[i];

        if (item->kind != XDS_TREE_STRING) {
            xds_play_fault(play, item, "\"%s\" must be a list of strings", key);
            return (struct xds_slice_list){NULL, 0};
        }
        names.list[names.n++] = item->text;
    }
    return names;
}
