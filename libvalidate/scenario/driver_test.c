/*
 * driver_test.c - steps, timers and time, with a subject made for it: an alarm clock
 * whose alarms ring, and may ring again and again.
 */
#include <criterion/criterion.h>
#include <stdio.h>

#include "base/limits.h"
#include "source/tree_read.h"
#include "scenario/scenario.h"

struct alarm {
    struct xds_timer timer;
    struct bell *bell;
    int64_t again_ms;
};

struct bell {
    struct xds_play *play;
    struct alarm alarm;
    double rung;
};

static void ring(struct xds_timer *timer)
{
    struct alarm *alarm = timer->owner;
    struct xds_play *play = alarm->bell->play;

    alarm->bell->rung++;
    xds_machine_say(&play->machine, XDS_S("bell"), "rings at %lld ms",
                    (long long)play->machine.clock.now_ms);
    xds_step_add(play->step, "rings",
                 xds_tree_number((double)play->machine.clock.now_ms));
    if (alarm->again_ms)
        xds_clock_set(&play->machine.clock, timer,
                      play->machine.clock.now_ms + alarm->again_ms);
}

static void *open_bell(struct xds_play *play)
{
    struct bell *bell = XDS_NEW(play->machine.arena, struct bell);

    bell->play = play;
    bell->alarm.bell = bell;
    bell->alarm.timer = (struct xds_timer){.fire = ring, .owner = &bell->alarm};
    return bell;
}

static void set_alarm(void *subject, const struct xds_tree *event)
{
    struct bell *bell = subject;

    bell->alarm.again_ms = xds_event_duration(bell->play, event, "again", 0);
    xds_clock_set(&bell->play->machine.clock, &bell->alarm.timer,
                  bell->play->machine.clock.now_ms +
                      xds_event_duration(bell->play, event, "after", 0));
}

static void draw(void *subject, const struct xds_tree *event)
{
    struct bell *bell = subject;
    uint64_t value;

    (void)event;
    if (xds_random_draw(&bell->play->step->random, 10, &value))
        xds_step_set(bell->play->step, "drawn", xds_tree_number((double)value));
}

/* Every kind of value. */
static void values(void *subject, const struct xds_tree *event)
{
    struct bell *bell = subject;
    struct xds_play *play = bell->play;
    const struct xds_slice_list names = xds_event_names(play, event, "names");

    for (size_t i = 0; i < names.n; i++)
        xds_step_add_name(play->step, "names", names.list[i]);
    if (xds_event_flag(play, event, "flag", false))
        xds_step_add_name(play->step, "names", XDS_S("flag"));
    const uint64_t number = xds_event_number(play, event, "number", 1000, 7);

    xds_step_set(play->step, "drawn", xds_tree_number((double)number));
}

static struct xds_scene scene(void *subject, struct xds_arena *arena)
{
    (void)subject;
    (void)arena;
    return (struct xds_scene){.n = 0};
}

static void state(void *subject, const struct xds_scene *now, struct xds_tree *result)
{
    struct bell *bell = subject;

    (void)now;
    xds_tree_put(bell->play->step->arena, result, "rung", xds_tree_number(bell->rung));
}

static const char *const alarm_fields[] = {"after", "again", NULL};
static const char *const value_fields[] = {"names", "flag", "number", NULL};
static const struct xds_event_kind events[] = {
    {"alarm", alarm_fields, set_alarm},
    {"draw", NULL, draw},
    {"values", value_fields, values},
    {NULL, NULL, NULL},
};
static const struct xds_result_key happened[] = {
    {"rings", XDS_KEY_LIST}, {"drawn", XDS_KEY_VALUE}, {"count", XDS_KEY_NUMBER},
    {"names", XDS_KEY_LIST}, {NULL, XDS_KEY_LIST},
};
static const struct xds_subject subject = {.name = "bell",
                                           .happened = happened,
                                           .events = events,
                                           .open = open_bell,
                                           .scene = scene,
                                           .state = state};

/* ---- a play ---- */

static struct fixture {
    struct xds_arena run_arena, step_arenas[2];
    struct xds_report *report;
    struct xds_options options;
    struct xds_driver driver;
    struct xds_played out;
} w;

static void start(void *arg)
{
    struct xds_play *play = &w.driver.play;

    (void)arg;
    w.driver = (struct xds_driver){.step_arenas = w.step_arenas, .listens = true};
    play->report = w.report;
    play->resource = xds_report_add_resource(
        w.report, XDS_S("scenario"), XDS_S(""),
        (struct xds_place){xds_report_add_file(w.report, XDS_S("t")), 1, 1, 1, 1});
    xds_machine_init(&play->machine, &w.run_arena, &w.step_arenas[0], &w.options,
                     XDS_CLIENT_CORE);
    cr_assert(xds_driver_open(&w.driver, &subject, NULL));
}

static struct xds_arena *const arenas[] = {&w.run_arena, &w.step_arenas[0],
                                           &w.step_arenas[1], NULL};

static void in_guard(void (*body)(void *), void *arg)
{
    struct xds_arena *list[XDS_ARRAY_LEN(arenas)];

    memcpy(list, arenas, sizeof list);
    list[3] = &w.report->arena;
    cr_assert_eq(xds_arena_guard(list, XDS_ARRAY_LEN(list), body, arg), XDS_OK);
}

static void setup(void)
{
    xds_options_init(&w.options);
    w.report = xds_report_new(&w.options);
    in_guard(start, NULL);
}

static void teardown(void)
{
    xds_report_free(w.report);
    xds_arena_release(&w.run_arena);
    xds_arena_release(&w.step_arenas[0]);
    xds_arena_release(&w.step_arenas[1]);
}

TestSuite(driver, .init = setup, .fini = teardown);

struct job {
    const char *text;
    bool good;
};

static void play_step(void *arg)
{
    struct job *job = arg;
    struct xds_arena *step_arena = xds_driver_step_arena(&w.driver);
    char *json = xds_arena_alloc(step_arena, strlen(job->text) + 1);
    struct xds_json_fault fault;
    struct xds_tree step;

    for (size_t i = 0; i <= strlen(job->text); i++)
        json[i] = job->text[i] == '\'' ? '"' : job->text[i];
    cr_assert(xds_tree_read(step_arena, xds_slice_of(json), &step, &fault), "%s",
              job->text);
    job->good = xds_driver_play(&w.driver, &step, &w.out);
}

static bool play(const char *text)
{
    struct job job = {text, false};

    in_guard(play_step, &job);
    return job.good;
}

/* The message of the one finding, or "". */
static const char *told(void)
{
    return xds_report_findings(w.report) ? xds_report_finding(w.report, 0)->message.data
                                         : "";
}

static double number(const char *key)
{
    const struct xds_tree *value = xds_tree_member(w.out.result, key);

    cr_assert_not_null(value, "%s", key);
    return value->number;
}

Test(driver, timers_that_are_due_fire_before_the_event_and_in_order)
{
    cr_assert(
        play("{'at': '1s', 'event': {'type': 'alarm', 'after': '2s', 'again': '3s'}}"));
    cr_assert(play("{'at': '9s', 'event': {'type': 'draw', 'random': [0.55]}}"));
    const struct xds_tree *rings = xds_tree_member(w.out.result, "rings");

    cr_assert_eq(rings->n, 3);
    cr_expect_eq(rings->items[0].number, 3000);
    cr_expect_eq(rings->items[2].number, 9000); /* due at the step's own time */
    cr_expect_eq(number("drawn"), 5);
    cr_expect_eq(w.out.n_happenings, 3);
    cr_expect_eq(w.out.happenings[1].at_ms, 6000);
    cr_expect_str_eq(w.out.happenings[1].what.data, "rings at 6000 ms");
}

Test(driver, a_result_has_every_key_whatever_happened)
{
    cr_assert(play("{'at': '0s', 'event': {'type': 'advance'}}"));
    cr_assert_eq(w.out.result->n, 5);
    cr_expect_eq(xds_tree_member(w.out.result, "rings")->kind, XDS_TREE_ARRAY);
    cr_expect_eq(xds_tree_member(w.out.result, "drawn")->kind, XDS_TREE_NULL);
    cr_expect_eq(xds_tree_member(w.out.result, "count")->kind, XDS_TREE_NUMBER);
    for (size_t i = 0; i < w.out.result->n; i++)
        cr_expect_not(w.out.news[i]);
}

Test(driver, news_is_what_happened_and_what_changed)
{
    cr_assert(play("{'at': '0s', 'event': {'type': 'alarm', 'after': '1s'}}"));
    cr_assert(play("{'at': '1s', 'event': {'type': 'advance'}}"));
    cr_expect(w.out.news[0]); /* rings */
    cr_expect(w.out.news[4]); /* rung: 0, then 1 */
    cr_assert(play("{'at': '2s', 'event': {'type': 'advance'}}"));
    cr_expect_not(w.out.news[0]);
    cr_expect_not(w.out.news[4]); /* still 1 */
    cr_expect_eq(number("rung"), 1);
}

Test(driver, an_endless_alarm_is_told_and_stops)
{
    cr_assert(play("{'at': '0s', 'event': {'type': 'alarm', 'again': '1ms'}}"));
    cr_expect_not(play("{'at': '1h', 'event': {'type': 'advance'}}"));
    cr_expect_str_eq(told(), "more than 1000000 timers of \"steps\" expire in this step");
}

/* limit: XDS_MAX_TIMERS_PER_STEP */
Test(driver, as_many_timers_as_the_limit_may_fire)
{
    cr_assert(play(
        "{'at': '1ms', 'event': {'type': 'alarm', 'after': '1ms', 'again': '1ms'}}"));
    cr_assert(play("{'at': '1000.001s', 'event': {'type': 'advance'}}"), "%s", told());
    cr_expect_eq(number("rung"), XDS_MAX_TIMERS_PER_STEP);
}

Test(driver, nothing_is_played_behind_a_fault)
{
    cr_expect_not(play("{'at': '0s', 'event': {'type': 'alarm', 'after': 'soon'}}"));
    cr_expect_str_eq(told(),
                     "\"after\" must be a duration such as 10s, 1500ms, 15m or 1h");
    cr_expect_not(play("{'at': '1s', 'event': {'type': 'advance'}}"));
    cr_expect_eq(xds_report_findings(w.report), 1);
}

Test(driver, expectations_are_counted_and_compared)
{
    cr_assert(play("{'at': '0s', 'event': {'type': 'draw', 'random': [0.1]},"
                   " 'expect': {'drawn': 1, 'rings': ['x'], 'rung': 0}}"));
    cr_expect_eq(w.out.n_expectations, 3);
    cr_assert_eq(w.out.mismatches.n, 1);
    cr_expect_str_eq(w.out.mismatches.list[0].path.data, "rings");
}

/* ---- values ---- */

static const struct value_row {
    const char *event, *told;
} value_rows[] = {
    {"'names': ['a', 7]", "\"names\" must be a list of strings"},
    {"'names': 'a'", "\"names\" must be a list"},
    {"'flag': 'yes'", "\"flag\" must be true or false"},
    {"'number': 1001", "\"number\" must be a whole number of at most 1000"},
    {"'number': -1", "\"number\" must be a whole number of at most 1000"},
    {"'number': 1.5", "\"number\" must be a whole number of at most 1000"},
    {"'number': 1e400", "\"number\" must be a whole number of at most 1000"},
    {"'number': '1'", "\"number\" must be a number"},
    {"'number': null, 'flag': null, 'names': null", ""},
    {"'number': 1000, 'flag': true, 'names': []", ""},
};

Test(driver, values_of_the_wrong_type_are_faults)
{
    for (const struct value_row *r = value_rows;
         r < value_rows + XDS_ARRAY_LEN(value_rows); r++) {
        char text[256];

        (void)snprintf(text, sizeof text, "{'at': '0s', 'event': {'type': 'values', %s}}",
                       r->event);
        cr_expect_eq(play(text), *r->told == '\0', "%s", r->event);
        cr_expect_str_eq(told(), r->told, "%s: %s", r->event, told());
        teardown();
        w = (struct fixture){0};
        setup();
    }
}

Test(driver, values_that_are_there_arrive)
{
    cr_assert(play("{'at': '0s', 'event': {'type': 'values', 'names': ['a', 'b'],"
                   " 'flag': true, 'number': 12}, 'expect': {'names': ['flag', 'b', 'a'],"
                   " 'drawn': 12}}"));
    cr_expect_eq(w.out.mismatches.n, 0);
    cr_assert(play("{'at': '0s', 'event': {'type': 'values'}, 'expect': {'drawn': 7}}"));
    cr_expect_eq(w.out.mismatches.n, 0);
}
