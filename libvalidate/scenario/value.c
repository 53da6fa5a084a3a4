/*
 * value.c - the values of a scenario and the keys they have, and what is wrong with them.
 *
 * Fails:  with a fault of the play where a value has the wrong type.
 */
#include <inttypes.h>

#include "scenario/scenario.h"
#include "base/ascii.h"
#include "base/number.h"
#include "base/text.h"

/* ---- faults ---- */

/* Bytes of a message: texts of the input in it may be long. */
#define LONGEST 400

static struct xds_place place(const struct xds_play *play, uint32_t line, uint32_t column)
{
    const uint32_t file = play->report->resources[play->resource].at.file;

    return (struct xds_place){file, line, column, line, column + 1};
}

struct xds_place xds_play_place(const struct xds_play *play, const struct xds_tree *at)
{
    return place(play, at->line, at->column);
}

static void tell(struct xds_play *play, enum xds_rule_id rule, struct xds_place at,
                 const char *format, va_list args)
{
    struct xds_slice text;

    if (play->failed)
        return;
    play->failed = true;
    text = xds_arena_vprintf(&play->report->arena, format, args);
    if (text.len > LONGEST)
        text.len = LONGEST;
    xds_report_at(play->report, xds_rule_row(rule), XDS_NO_RESOURCE, at, "%.*s",
                  XDS_FMT(text));
}

bool xds_fault_at(struct xds_play *play, enum xds_rule_id rule, struct xds_place at,
                  const char *format, ...)
{
    va_list args;

    va_start(args, format);
    tell(play, rule, at, format, args);
    va_end(args);
    return false;
}

bool xds_play_fault(struct xds_play *play, const struct xds_tree *at, const char *format,
                    ...)
{
    va_list args;

    va_start(args, format);
    tell(play, XDS_R_SCENARIO_VALUE, xds_play_place(play, at), format, args);
    va_end(args);
    return false;
}

/* ---- keys ---- */

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
                                  place(play, wrong->key_line, wrong->key_column), "%.*s",
                                  XDS_FMT(what));
}

bool xds_keys_check(struct xds_play *play, const struct xds_tree *object,
                    const struct xds_known_keys *known)
{
    return xds_keys_check_type(play, object, known, "");
}

/* ---- durations ---- */

static const struct unit {
    struct xds_slice name;
    int64_t ms;
} units[] = {
    {{"ms", 2}, 1},
    {{"s", 1}, 1000},
    {{"m", 1}, 60000},
    {{"h", 1}, 3600000},
};

/* "ms" is in front of "m". */
static const struct unit *take_unit(struct xds_slice *text)
{
    for (size_t i = 0; i < XDS_ARRAY_LEN(units); i++) {
        if (!xds_slice_starts(*text, units[i].name))
            continue;
        *text = xds_slice_from(*text, units[i].name.len);
        return &units[i];
    }
    return NULL;
}

static struct xds_slice take_digits(struct xds_slice *text)
{
    struct xds_slice digits = {text->data, 0};

    while (digits.len < text->len && xds_ascii_digit(text->data[digits.len]))
        digits.len++;
    *text = xds_slice_from(*text, digits.len);
    return digits;
}

/* The part of a unit after the point; false when it is no whole number of ms. */
static bool add_fraction(struct xds_slice digits, int64_t unit, int64_t *ms)
{
    enum { MOST_DIGITS = 9 };
    int64_t number, parts = 1;

    if (digits.len == 0)
        return true;
    if (digits.len > MOST_DIGITS || !xds_slice_to_i64(digits, &number))
        return false;
    for (size_t i = 0; i < digits.len; i++)
        parts *= 10;
    *ms += number * unit / parts;
    return number * unit % parts == 0;
}

static bool take_part(struct xds_slice *text, int64_t *total)
{
    const struct xds_slice whole = take_digits(text);
    struct xds_slice fraction = {NULL, 0};
    int64_t number, ms;

    if (text->len > 0 && text->data[0] == '.') {
        *text = xds_slice_from(*text, 1);
        fraction = take_digits(text);
        if (fraction.len == 0)
            return false;
    }
    const struct unit *unit = take_unit(text);

    if (!unit || whole.len == 0 || !xds_slice_to_i64(whole, &number) ||
        number > XDS_DURATION_MAX_MS / unit->ms)
        return false;
    ms = number * unit->ms;
    if (!add_fraction(fraction, unit->ms, &ms))
        return false;
    *total += ms;
    return *total <= XDS_DURATION_MAX_MS;
}

bool xds_span_read(struct xds_slice text, int64_t *ms)
{
    int64_t total = 0;

    if (text.len == 0)
        return false;
    while (text.len > 0)
        if (!take_part(&text, &total))
            return false;
    *ms = total;
    return true;
}

struct xds_short_text xds_span(int64_t ms)
{
    const bool whole = ms % 1000 == 0;
    struct xds_short_text out;

    (void)snprintf(out.text, sizeof(out.text), "%" PRId64 "%s", whole ? ms / 1000 : ms,
                   whole ? "s" : "ms");
    return out;
}

struct xds_slice xds_span_text(struct xds_arena *arena, int64_t ms)
{
    return xds_arena_dup(arena, xds_slice_of(xds_span(ms).text));
}

/* ---- values ---- */

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

enum xds_connectivity xds_event_own_state(struct xds_play *play,
                                          const struct xds_tree *event)
{
    const struct xds_tree *value = xds_tree_member(event, "state");

    if (value)
        return xds_event_state(play, value);
    xds_play_fault(play, event, "\"state\" is missing");
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
