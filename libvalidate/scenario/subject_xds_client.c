/*
 * subject_xds_client.c - plays xds_client: watches, the requests that they become, and
 *                        who is notified of what comes back.
 *
 * Fails:  at a watcher that watches already, and at one that watches nothing.
 * Source: gRFC A28, spec routing 15, X-a to X-d.
 */
#include "scenario/scenario.h"

struct xds_client_play {
    struct xds_play *play;
    struct xds_watches watches;
};

static struct xds_tree names_of(struct xds_arena *arena, const struct xds_slice *names,
                                size_t n)
{
    struct xds_tree out = xds_tree_array();

    for (size_t i = 0; i < n; i++)
        xds_tree_add(arena, &out, xds_tree_string(names[i]));
    return out;
}

static void on_request(void *user, enum xds_watch_type type,
                       const struct xds_slice *names, size_t n)
{
    struct xds_client_play *self = user;
    struct xds_arena *arena = self->play->step->arena;
    const char *type_name = xds_watch_type_name(type);
    struct xds_tree request = xds_tree_object();

    xds_tree_put(arena, &request, "resource_type", xds_tree_text(type_name));
    xds_tree_put(arena, &request, "resource_names", names_of(arena, names, n));
    xds_step_add(self->play->step, "requests", request);
    xds_machine_say(&self->play->machine, xds_slice_of(type_name),
                    "%zu resource%s requested", n, n == 1 ? " is" : "s are");
}

static void on_notify(void *user, struct xds_slice watcher,
                      const struct xds_watched *resource)
{
    struct xds_client_play *self = user;

    xds_step_add_name(self->play->step, "notified", watcher);
    xds_machine_say(&self->play->machine, watcher, "receives %s %.*s, version %.*s",
                    xds_watch_type_name(resource->type), XDS_FMT(resource->name),
                    XDS_FMT(resource->version));
}

static void on_close(void *user)
{
    struct xds_client_play *self = user;

    xds_step_set(self->play->step, "stream_closed", xds_tree_bool(true));
    xds_machine_say(&self->play->machine, XDS_S("stream"),
                    "nothing is watched any longer, the stream is closed");
}

static void *open_subject(struct xds_play *play)
{
    struct xds_client_play *self = XDS_NEW(play->machine.arena, struct xds_client_play);

    self->play = play;
    xds_watches_init(&self->watches, play->machine.arena, play->machine.step_arena,
                     play->machine.options, play->machine.client,
                     (struct xds_watch_sink){self, on_request, on_notify, on_close});
    return self;
}

static enum xds_watch_type type_of(struct xds_play *play, const struct xds_tree *event)
{
    const struct xds_slice name = xds_event_name(play, event, "resource_type");
    enum xds_watch_type type = XDS_WATCH_LISTENER;

    if (!play->failed && !xds_watch_type_from_name(name, &type))
        xds_play_fault(
            play, xds_tree_member(event, "resource_type"),
            "resource_type must be listener, route, cluster or endpoint, not \"%.*s\"",
            XDS_FMT(name));
    return type;
}

static void play_watch(void *subject, const struct xds_tree *event)
{
    struct xds_client_play *self = subject;
    struct xds_play *play = self->play;
    const enum xds_watch_type type = type_of(play, event);
    const struct xds_slice name = xds_event_name(play, event, "name");
    const struct xds_slice watcher = xds_event_name(play, event, "watcher");

    if (!play->failed && !xds_watches_add(&self->watches, type, name, watcher))
        xds_play_fault(play, xds_tree_member(event, "watcher"),
                       "watcher \"%.*s\" already watches a resource", XDS_FMT(watcher));
}

static void play_cancel(void *subject, const struct xds_tree *event)
{
    struct xds_client_play *self = subject;
    struct xds_play *play = self->play;
    const struct xds_slice watcher = xds_event_name(play, event, "watcher");

    if (!play->failed && !xds_watches_cancel(&self->watches, watcher))
        xds_play_fault(play, xds_tree_member(event, "watcher"),
                       "watcher \"%.*s\" watches nothing", XDS_FMT(watcher));
}

/* A version is what tells one content from another: a text or a number. Absent after a
 * fault. */
static struct xds_slice version_of(struct xds_play *play, const struct xds_tree *value)
{
    if (value->kind == XDS_TREE_NUMBER)
        return xds_arena_printf(play->machine.step_arena, "%.17g", value->number);
    if (value->kind == XDS_TREE_STRING)
        return value->text.data ? value->text : XDS_S("");
    xds_play_fault(play, value, "the version of resource \"%.*s\" must be a string",
                   XDS_FMT(value->key));
    return (struct xds_slice){NULL, 0};
}

static void play_response(void *subject, const struct xds_tree *event)
{
    struct xds_client_play *self = subject;
    struct xds_play *play = self->play;
    const enum xds_watch_type type = type_of(play, event);
    const struct xds_tree *resources = xds_event_object(play, event, "resources");

    for (size_t i = 0; !play->failed && resources && i < resources->n; i++) {
        const struct xds_tree *resource = &resources->items[i];
        const struct xds_slice version = version_of(play, resource);

        if (version.data)
            xds_watches_receive(&self->watches, type, resource->key, version);
    }
}

static void state_of(void *subject, const struct xds_scene *scene,
                     struct xds_tree *result)
{
    const struct xds_client_play *self = subject;
    struct xds_arena *arena = self->play->machine.step_arena;
    struct xds_tree cache = xds_tree_array();

    (void)scene;
    for (unsigned type = 0; type < XDS_WATCH_TYPES; type++)
        for (const struct xds_watched *r = self->watches.types[type].first; r;
             r = r->next)
            if (r->version.data)
                xds_tree_add(arena, &cache,
                             xds_tree_string(xds_arena_printf(
                                 arena, "%s/%.*s", xds_watch_type_name(r->type),
                                 XDS_FMT(r->name))));
    xds_tree_put(arena, result, "cache", cache);
}

/* A resource is READY once it is there. */
static struct xds_scene scene_of(void *subject, struct xds_arena *arena)
{
    const struct xds_client_play *self = subject;
    struct xds_scene scene = {0};

    for (unsigned type = 0; type < XDS_WATCH_TYPES; type++)
        for (const struct xds_watched *r = self->watches.types[type].first; r;
             r = r->next)
            xds_scene_add(
                &scene, arena, XDS_SCENE_TOP,
                (struct xds_scene_node){
                    .label = xds_arena_printf(
                        arena, "%s/%.*s", xds_watch_type_name(r->type), XDS_FMT(r->name)),
                    .state = r->version.data ? XDS_STATE_READY : XDS_STATE_CONNECTING});
    return scene;
}

const struct xds_subject xds_subject_xds_client = {
    .name = "xds_client",
    .config_keys = XDS_KEYS(NULL),
    .happened = (const struct xds_result_key[]){{"requests", XDS_KEY_LIST},
                                                {"notified", XDS_KEY_LIST},
                                                {"stream_closed", XDS_KEY_VALUE},
                                                {.name = NULL}},
    .events =
        (const struct xds_event_kind[]){
            {"watch", XDS_KEYS("resource_type", "name", "watcher"), play_watch},
            {"cancel", XDS_KEYS("watcher"), play_cancel},
            {"response", XDS_KEYS("resource_type", "resources"), play_response},
            {.type = NULL},
        },
    .open = open_subject,
    .state = state_of,
    .scene = scene_of,
};
