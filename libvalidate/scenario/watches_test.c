/* watches_test.c - requests and notifications against a model without lists: who watches
 * what is one small table, and every answer is searched for in it. */
#include <criterion/criterion.h>
#include <stdio.h>

#include "scenario/scenario.h"

enum { WATCHERS = 6, NAMES = 3, TEXT = 1024 };
static const char *const watcher_names[WATCHERS] = {"w0", "w1", "w2", "w3", "w4", "w5"};
static const char *const names[NAMES] = {"b", "a", "c"};
static const char *const versions[] = {"v1", "v2"};

/* ---- what happened, as text ---- */

struct log {
    char text[TEXT];
    size_t len;
};

XDS_PRINTF(2, 3)
static void add(struct log *log, const char *format, ...)
{
    va_list args;

    va_start(args, format);
    log->len += (size_t)vsnprintf(log->text + log->len, TEXT - log->len, format, args);
    va_end(args);
    cr_assert_lt(log->len, TEXT);
}

static void on_request(void *user, enum xds_watch_type type, const struct xds_slice *list,
                       size_t n)
{
    add(user, "ask %s", xds_watch_type_name(type));
    for (size_t i = 0; i < n; i++)
        add(user, " %.*s", XDS_FMT(list[i]));
    add(user, "\n");
}

static void on_notify(void *user, struct xds_slice watcher,
                      const struct xds_watched *resource)
{
    add(user, "tell %.*s %s %.*s %.*s\n", XDS_FMT(watcher),
        xds_watch_type_name(resource->type), XDS_FMT(resource->name),
        XDS_FMT(resource->version));
}

static void on_close(void *user)
{
    add(user, "close\n");
}

/* ---- the second model: the table of spec routing 15 ---- */

struct simple {
    enum xds_client client;
    unsigned now;
    struct {
        bool watches;
        unsigned type, name, since;
    } watchers[WATCHERS];
    unsigned asked_since[XDS_WATCH_TYPES][NAMES]; /* 0: not watched */
    const char *cache[XDS_WATCH_TYPES][NAMES];
};

/* Names in the order of their first watch; core sorts them. */
static void simple_request(const struct simple *s, unsigned type, struct log *log)
{
    static const unsigned sorted[NAMES] = {1, 0, 2};

    add(log, "ask %s", xds_watch_type_name((enum xds_watch_type)type));
    if (s->client == XDS_CLIENT_CORE) {
        for (unsigned i = 0; i < NAMES; i++)
            if (s->asked_since[type][sorted[i]])
                add(log, " %s", names[sorted[i]]);
    } else {
        for (unsigned time = 1; time <= s->now; time++)
            for (unsigned i = 0; i < NAMES; i++)
                if (s->asked_since[type][i] == time)
                    add(log, " %s", names[i]);
    }
    add(log, "\n");
}

static void simple_tell(const struct simple *s, unsigned watcher, struct log *log)
{
    const unsigned type = s->watchers[watcher].type, name = s->watchers[watcher].name;

    add(log, "tell %s %s %s %s\n", watcher_names[watcher],
        xds_watch_type_name((enum xds_watch_type)type), names[name],
        s->cache[type][name]);
}

static bool simple_add(struct simple *s, unsigned type, unsigned name, unsigned watcher,
                       struct log *log)
{
    if (s->watchers[watcher].watches)
        return false;
    s->now++;
    s->watchers[watcher].watches = true;
    s->watchers[watcher].type = type;
    s->watchers[watcher].name = name;
    s->watchers[watcher].since = s->now;
    if (!s->asked_since[type][name]) {
        s->asked_since[type][name] = s->now;
        simple_request(s, type, log);
    } else if (s->cache[type][name]) {
        simple_tell(s, watcher, log);
    }
    return true;
}

static bool is_watched(const struct simple *s, unsigned type, unsigned name)
{
    for (unsigned i = 0; i < WATCHERS; i++)
        if (s->watchers[i].watches && s->watchers[i].type == type &&
            s->watchers[i].name == name)
            return true;
    return false;
}

static bool is_anything_watched(const struct simple *s)
{
    for (unsigned i = 0; i < WATCHERS; i++)
        if (s->watchers[i].watches)
            return true;
    return false;
}

static bool simple_cancel(struct simple *s, unsigned watcher, struct log *log)
{
    const unsigned type = s->watchers[watcher].type, name = s->watchers[watcher].name;

    if (!s->watchers[watcher].watches)
        return false;
    s->watchers[watcher].watches = false;
    if (is_watched(s, type, name))
        return true;
    s->asked_since[type][name] = 0;
    s->cache[type][name] = NULL;
    if (s->client == XDS_CLIENT_CORE && !is_anything_watched(s))
        add(log, "close\n");
    else
        simple_request(s, type, log);
    return true;
}

static void simple_receive(struct simple *s, unsigned type, unsigned name,
                           const char *version, struct log *log)
{
    if (!is_watched(s, type, name) || s->cache[type][name] == version)
        return;
    s->cache[type][name] = version;
    for (unsigned time = 1; time <= s->now; time++)
        for (unsigned i = 0; i < WATCHERS; i++)
            if (s->watchers[i].watches && s->watchers[i].since == time &&
                s->watchers[i].type == type && s->watchers[i].name == name)
                simple_tell(s, i, log);
}

/* ---- both side by side ---- */

struct bench {
    struct xds_arena arena;
    struct xds_watches watches;
    struct simple simple;
    struct log heard, wanted;
    uint64_t seed;
};

static unsigned chance(struct bench *b, unsigned bound)
{
    b->seed = b->seed * 6364136223846793005u + 1442695040888963407u;
    return (unsigned)(b->seed >> 33) % bound;
}

static void begin(struct bench *b, enum xds_client client)
{
    static const struct xds_options newest;

    xds_arena_reset(&b->arena);
    xds_watches_init(&b->watches, &b->arena, &b->arena, &newest, client,
                     (struct xds_watch_sink){&b->heard, on_request, on_notify, on_close});
    memset(&b->simple, 0, sizeof b->simple);
    b->simple.client = client;
}

static void random_event(struct bench *b)
{
    const unsigned what = chance(b, 3), type = 2 + chance(b, 2);
    const unsigned name = chance(b, NAMES), watcher = chance(b, WATCHERS);
    const char *version = versions[chance(b, 2)];
    const struct xds_slice who = xds_slice_of(watcher_names[watcher]);

    if (what == 0) {
        cr_assert_eq(xds_watches_add(&b->watches, (enum xds_watch_type)type,
                                     xds_slice_of(names[name]), who),
                     simple_add(&b->simple, type, name, watcher, &b->wanted));
    } else if (what == 1) {
        cr_assert_eq(xds_watches_cancel(&b->watches, who),
                     simple_cancel(&b->simple, watcher, &b->wanted));
    } else {
        xds_watches_receive(&b->watches, (enum xds_watch_type)type,
                            xds_slice_of(names[name]), xds_slice_of(version));
        simple_receive(&b->simple, type, name, version, &b->wanted);
    }
}

static void check_state(const struct bench *b)
{
    size_t watched = 0;

    for (unsigned type = 0; type < XDS_WATCH_TYPES; type++)
        for (unsigned name = 0; name < NAMES; name++)
            watched += is_watched(&b->simple, type, name);
    cr_assert_eq(xds_watches_count(&b->watches), watched);
    for (unsigned type = 0; type < XDS_WATCH_TYPES; type++)
        for (const struct xds_watched *r = b->watches.types[type].first; r; r = r->next)
            for (unsigned name = 0; name < NAMES; name++)
                if (xds_slice_is(r->name, names[name]))
                    cr_assert(xds_slice_eq(r->version,
                                           xds_slice_of(b->simple.cache[type][name])));
}

Test(watches, random_watches_ask_and_tell_what_the_table_says, .timeout = 120)
{
    static struct bench b;

    xds_arena_init(&b.arena, 0);
    b.seed = 28;
    for (unsigned i = 0; i < 100000; i++) {
        begin(&b, (enum xds_client)(i % XDS_CLIENTS));
        for (unsigned step = 0; step < 16; step++) {
            b.heard.len = b.wanted.len = 0;
            b.heard.text[0] = b.wanted.text[0] = '\0';
            random_event(&b);
            if (strcmp(b.heard.text, b.wanted.text) != 0)
                cr_assert_fail("%s, sequence %u: \"%s\", not \"%s\"",
                               xds_client_name(b.simple.client), i, b.heard.text,
                               b.wanted.text);
            check_state(&b);
        }
    }
    xds_arena_release(&b.arena);
}

Test(watches, types_have_names_and_no_others)
{
    enum xds_watch_type type;

    for (unsigned i = 0; i < XDS_WATCH_TYPES; i++) {
        cr_assert(xds_watch_type_from_name(
            xds_slice_of(xds_watch_type_name((enum xds_watch_type)i)), &type));
        cr_expect_eq(type, i);
    }
    cr_expect_not(xds_watch_type_from_name(XDS_S("secret"), &type));
    cr_expect_not(xds_watch_type_from_name(XDS_S(""), &type));
}

/* Whoever watches and cancels for ever needs no more memory. */
Test(watches, memory_grows_with_names_and_not_with_events)
{
    static struct bench b;

    xds_arena_init(&b.arena, 0);
    begin(&b, XDS_CLIENT_CORE);
    struct xds_arena step_arena;
    size_t used = 0;

    xds_arena_init(&step_arena, 0);
    b.watches.step_arena = &step_arena;
    for (unsigned i = 0; i < 1000; i++) {
        b.heard.len = 0;
        xds_arena_reset(&step_arena);
        xds_watches_add(&b.watches, XDS_WATCH_CLUSTER, XDS_S("a"), XDS_S("w"));
        xds_watches_cancel(&b.watches, XDS_S("w"));
        if (i == 0)
            used = b.arena.used;
    }
    cr_expect_eq(b.arena.used, used);
    xds_arena_release(&step_arena);
    xds_arena_release(&b.arena);
}
