/* driver.c - play the steps of one scenario. */
#include "scenario/scenario.h"
#include "base/limits.h"
#include "base/text.h"

/* ---- the result of a step while it comes about ---- */

/* Happenings of one step; of more only the first are reported. */
#define MOST_HAPPENINGS 1000

void xds_step_begin_more(struct xds_step *step, const struct xds_result_key *keys)
{
    static const enum xds_tree_kind kinds[] = {[XDS_KEY_LIST] = XDS_TREE_ARRAY,
                                               [XDS_KEY_VALUE] = XDS_TREE_NULL,
                                               [XDS_KEY_NUMBER] = XDS_TREE_NUMBER};
    const bool is_first = step->result.n == 0;

    for (; keys->name; keys++)
        if (is_first || !xds_tree_member(&step->result, keys->name))
            xds_tree_put(step->arena, &step->result, keys->name,
                         (struct xds_tree){.kind = kinds[keys->kind]});
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

bool xds_step_read_json(struct xds_step *step, struct xds_slice json,
                        struct xds_tree *out)
{
    struct xds_json_fault fault;
    struct xds_tree tree;

    *out = xds_tree_object();
    if (!xds_tree_read(step->arena, json, &tree, &fault))
        return false;
    for (size_t i = 0; i < tree.n; i++)
        if (!xds_slice_is(tree.items[i].key, "version") &&
            !xds_slice_is(tree.items[i].key, "request"))
            xds_tree_put_key(step->arena, out, tree.items[i].key, tree.items[i]);
    return true;
}

/* ---- the world ---- */

static void record(void *user, struct xds_slice who, struct xds_slice what)
{
    const struct xds_play *play = &((struct xds_driver *)user)->play;
    struct xds_step *step = play->step;

    if (!step || step->n_happenings == MOST_HAPPENINGS)
        return;
    step->happenings = xds_arena_room(step->arena, step->happenings, step->n_happenings,
                                      &step->cap_happenings, sizeof *step->happenings);
    step->happenings[step->n_happenings++] = (struct xds_happening){
        play->machine.clock.now_ms, xds_arena_dup(step->arena, who),
        xds_arena_dup(step->arena, what)};
}

static struct xds_scene sample(struct xds_driver *driver)
{
    struct xds_arena *arena = driver->play.machine.step_arena;
    const struct xds_scene scene = driver->subject->scene(driver->state, arena);

    if (driver->chart)
        xds_chart_add(driver->chart, driver->play.machine.clock.now_ms, &scene, arena);
    return scene;
}

bool xds_driver_open(struct xds_driver *driver, const struct xds_subject *subject,
                     struct xds_chart *chart)
{
    driver->subject = subject;
    driver->chart = chart;
    if (driver->listens)
        driver->play.machine.log = (struct xds_machine_log){driver, record};
    driver->play.subject = subject;
    driver->play.happened = subject->happened;
    driver->state = subject->open(&driver->play);
    if (!driver->play.failed)
        sample(driver);
    return !driver->play.failed;
}

struct xds_arena *xds_driver_step_arena(struct xds_driver *driver)
{
    driver->now = 1 - driver->now;
    xds_arena_reset(&driver->step_arenas[driver->now]);
    driver->play.machine.step_arena = &driver->step_arenas[driver->now];
    return driver->play.machine.step_arena;
}

/* ---- reading a step ---- */

static bool time_fault(struct xds_driver *driver, const struct xds_tree *at,
                       struct xds_slice what)
{
    return xds_fault_at(&driver->play, XDS_R_SCENARIO_TIME,
                        xds_play_place(&driver->play, at), "%.*s", XDS_FMT(what));
}

static bool read_time(struct xds_driver *driver, const struct xds_tree *step,
                      struct xds_played *out)
{
    const struct xds_tree *at = xds_tree_member(step, "at");

    if (!at)
        return time_fault(driver, step, XDS_S("\"at\" is missing in the step"));
    if (at->kind != XDS_TREE_STRING || !xds_span_read(at->text, &out->at_ms))
        return time_fault(
            driver, at,
            XDS_S("\"at\" must be a duration such as 10s, 1500ms, 15m or 1h"));
    out->at = at->text;
    if (out->at_ms >= driver->play.machine.clock.now_ms)
        return true;
    const struct xds_slice now =
        xds_span_text(driver->step.arena, driver->play.machine.clock.now_ms);

    return time_fault(
        driver, at,
        xds_arena_printf(
            driver->step.arena,
            "\"at\" is %.*s, before the previous step at %.*s; times must not decrease",
            XDS_FMT(at->text), XDS_FMT(now)));
}

/* {type: advance}: time passes, and that is all. */
static void play_advance(void *subject, const struct xds_tree *event)
{
    (void)subject;
    (void)event;
}

static const struct xds_event_kind *read_kind(struct xds_driver *driver,
                                              const struct xds_tree *event)
{
    static const struct xds_event_kind advance = {"advance", NULL, play_advance};
    struct xds_play *play = &driver->play;
    const struct xds_slice type = xds_event_name(play, event, "type");

    if (play->failed || xds_slice_is(type, advance.type))
        return &advance;
    const struct xds_event_kind *const kinds = driver->subject->events;
    struct xds_nearest nearest = xds_nearest_to(type);

    for (const struct xds_event_kind *kind = kinds; kind->type; kind++)
        if (xds_slice_is(type, kind->type))
            return kind;
    for (const struct xds_event_kind *kind = kinds; kind->type; kind++)
        xds_nearest_offer(&nearest, kind->type);
    const struct xds_slice hint = xds_nearest_words(driver->step.arena, nearest.best);

    xds_fault_at(play, XDS_R_SCENARIO_EVENT,
                 xds_play_place(play, xds_tree_member(event, "type")),
                 "subject %s has no event \"%.*s\"%.*s", driver->subject->name,
                 XDS_FMT(type), XDS_FMT(hint));
    return NULL;
}

static void read_random(struct xds_driver *driver, const struct xds_tree *event)
{
    struct xds_play *play = &driver->play;
    const struct xds_tree *list = xds_event_array(play, event, "random");

    if (list->n == 0)
        return;
    double *values = XDS_NEW_ARRAY(driver->step.arena, double, list->n);

    for (size_t i = 0; i < list->n; i++) {
        const struct xds_tree *item = &list->items[i];

        if (item->kind != XDS_TREE_NUMBER || !(item->number >= 0 && item->number < 1))
            xds_play_fault(play, item,
                           "\"random\": each number must be at least 0 and less than 1");
        else
            values[i] = item->number;
    }
    driver->step.random = (struct xds_random){values, list->n, 0};
}

/* The event's kind; NULL after a fault. */
static const struct xds_event_kind *
read_event(struct xds_driver *driver, const struct xds_tree *step, struct xds_played *out)
{
    static const char *const common[] = {"type", "random", NULL};
    struct xds_play *play = &driver->play;

    out->event = xds_event_object(play, step, "event");
    if (!xds_tree_member(step, "event")) {
        xds_play_fault(play, step, "\"event\" is missing in the step");
        return NULL;
    }
    const struct xds_event_kind *kind = read_kind(driver, out->event);

    if (play->failed || !kind)
        return NULL;
    xds_keys_check_type(
        play, out->event,
        &(struct xds_known_keys){"an event of type", kind->fields, common}, kind->type);
    read_random(driver, out->event);
    return kind;
}

/* ---- time ---- */

/* One instant after the other, so that the chart sees each. */
static bool advance(struct xds_driver *driver, const struct xds_tree *step, int64_t to_ms)
{
    struct xds_clock *clock = &driver->play.machine.clock;
    size_t fired = 0;

    clock->until_ms = to_ms;
    while (clock->n > 0 && clock->heap[0]->at_ms <= to_ms) {
        if (fired++ == XDS_MAX_TIMERS_PER_STEP)
            return xds_play_fault(&driver->play, step,
                                  "more than %d timers of \"steps\" expire in this step",
                                  XDS_MAX_TIMERS_PER_STEP);
        xds_clock_advance(clock, clock->heap[0]->at_ms);
        sample(driver);
    }
    xds_clock_advance(clock, to_ms);
    return !driver->play.failed;
}

/* ---- results ---- */

static bool same_tree(const struct xds_tree *a, const struct xds_tree *b)
{
    if (a->kind != b->kind || a->n != b->n || a->truth != b->truth ||
        a->number < b->number || a->number > b->number || !xds_slice_eq(a->text, b->text))
        return false;
    for (size_t i = 0; i < a->n; i++)
        if (!xds_slice_eq(a->items[i].key, b->items[i].key) ||
            !same_tree(&a->items[i], &b->items[i]))
            return false;
    return true;
}

/* What happened is news; a state is when it is not what it was. */
static const bool *find_news(struct xds_driver *driver, size_t n_happened)
{
    const struct xds_tree *result = &driver->step.result;
    bool *news = XDS_NEW_ARRAY(driver->step.arena, bool, result->n);

    for (size_t i = 0; i < result->n; i++) {
        const struct xds_tree *now = &result->items[i];
        const struct xds_tree *old =
            i < n_happened || i >= driver->before.n ? NULL : &driver->before.items[i];

        news[i] = old && xds_slice_eq(old->key, now->key) ? !same_tree(old, now)
                                                          : xds_is_something(now);
    }
    return news;
}

/* ---- a step ---- */

static bool check_step(struct xds_driver *driver, const struct xds_tree *step)
{
    static const char *const keys[] = {"at", "event", "expect", NULL};

    if (step->kind != XDS_TREE_OBJECT)
        return xds_play_fault(&driver->play, step,
                              "an entry of \"steps\" must be an object");
    return xds_keys_check(&driver->play, step,
                          &(struct xds_known_keys){"a step", keys, NULL});
}

bool xds_driver_play(struct xds_driver *driver, const struct xds_tree *step,
                     struct xds_played *out)
{
    struct xds_play *play = &driver->play;

    *out = (struct xds_played){0};
    driver->step = (struct xds_step){.arena = play->machine.step_arena,
                                     .index = driver->n_steps++,
                                     .result = xds_tree_object()};
    xds_step_begin_more(&driver->step, play->happened);
    play->step = &driver->step;
    if (!check_step(driver, step) || !read_time(driver, step, out))
        return false;
    const struct xds_event_kind *kind = read_event(driver, step, out);

    if (!play->failed && driver->step.index == 0 && driver->subject->start) {
        driver->subject->start(driver->state);
        (void)sample(driver);
    }
    if (play->failed || !kind || !advance(driver, step, out->at_ms))
        return false;
    kind->play(driver->state, out->event);
    if (play->failed)
        return false;

    const struct xds_scene scene = sample(driver);
    const size_t n_happened = driver->step.result.n;

    driver->subject->state(driver->state, &scene, &driver->step.result);
    out->result = &driver->step.result;
    out->news = find_news(driver, n_happened);
    out->happenings = driver->step.happenings;
    out->n_happenings = driver->step.n_happenings;
    out->brief = driver->subject->brief;
    driver->before_that = driver->before;
    out->before = &driver->before_that;
    driver->before = driver->step.result;

    const struct xds_tree *expect = xds_event_object(&driver->play, step, "expect");

    out->mismatches = (struct xds_mismatches){.arena = driver->step.arena};
    out->n_expectations = expect->n;
    xds_expect_compare(&out->mismatches, expect, out->result);
    return !play->failed;
}
