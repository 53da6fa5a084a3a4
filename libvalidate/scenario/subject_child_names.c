/*
 * subject_child_names.c - plays cds_child_names: what the priorities of one cluster are
 *                         called, update after update of its endpoints.
 *
 * Fails:  what no accepted ClusterLoadAssignment can hold: a priority without localities
 *         among others, one locality twice in a priority.
 * Source: spec routing 7.8, spec cluster 5.2 and 5.6; gRFC A37, A56, A75, A115.
 */
#include "generate/config.h"
#include "scenario/scenario.h"

struct child_names {
    struct xds_play *play;
    struct xds_maker maker;
    struct xds_cluster cluster;
    struct xds_child_numbers numbers; /* as the last update left them */
};

static void *open_subject(struct xds_play *play)
{
    struct child_names *self = XDS_NEW(play->machine.arena, struct child_names);
    const struct xds_slice name = xds_event_text(play, play->config, "cluster");

    self->play = play;
    self->maker = (struct xds_maker){
        .arena = play->machine.arena,
        .options = play->machine.options,
        .client = play->machine.client,
        .dialect = xds_dialect_of(play->machine.options, play->machine.client)};
    self->cluster.kind = XDS_CLUSTER_EDS;
    self->cluster.name =
        name.data ? xds_arena_dup(play->machine.arena, name) : XDS_S("C");
    return self;
}

static bool is_known(struct xds_slice key)
{
    return xds_slice_is(key, "region") || xds_slice_is(key, "zone") ||
           xds_slice_is(key, "sub_zone");
}

static struct xds_slice lasting_text(struct xds_play *play, const struct xds_tree *object,
                                     const char *key)
{
    return xds_arena_dup(play->machine.arena, xds_event_text(play, object, key));
}

/* "AA" is the locality with this sub_zone. One endpoint stands for all: java skips
 * localities without any that is usable. */
static void read_locality(struct xds_play *play, const struct xds_tree *value,
                          struct xds_locality *out)
{
    static const struct xds_endpoint usable = {.weight = 1};

    out->weight = 1;
    out->endpoints = &usable;
    out->n_endpoints = 1;
    if (value->kind == XDS_TREE_STRING) {
        out->sub_zone = xds_arena_dup(play->machine.arena, value->text);
        return;
    }
    if (value->kind != XDS_TREE_OBJECT) {
        xds_play_fault(play, value,
                       "a locality must be a sub_zone, or {region, zone, sub_zone}");
        return;
    }
    for (size_t i = 0; i < value->n; i++)
        if (!is_known(value->items[i].key))
            xds_play_fault(play, &value->items[i],
                           "a locality has region, zone and sub_zone, and no \"%.*s\"",
                           XDS_FMT(value->items[i].key));
    out->region = lasting_text(play, value, "region");
    out->zone = lasting_text(play, value, "zone");
    out->sub_zone = lasting_text(play, value, "sub_zone");
}

struct reading {
    struct xds_play *play;
    struct xds_locality *localities;
    size_t n;
};

static void read_priority(struct reading *r, const struct xds_tree *list,
                          uint32_t priority)
{
    struct xds_play *play = r->play;
    struct xds_strmap seen;

    xds_strmap_init(&seen, play->machine.step_arena);
    for (size_t i = 0; i < list->n && !play->failed; i++) {
        struct xds_locality *locality = &r->localities[r->n++];

        read_locality(play, &list->items[i], locality);
        locality->priority = priority;
        void **slot =
            xds_strmap_at(&seen, xds_locality_key(play->machine.step_arena, locality));

        if (*slot)
            xds_play_fault(play, &list->items[i],
                           "\"priorities\" has the locality twice in priority %u",
                           priority);
        *slot = locality;
    }
}

/* An assignment without localities is [] or [[]]; elsewhere an empty priority would be a
 * gap, which is rejected. */
static bool check_priority(struct xds_play *play, const struct xds_tree *list,
                           const struct xds_tree *all)
{
    if (list->kind != XDS_TREE_ARRAY)
        return xds_play_fault(play, list,
                              "\"priorities\": a priority must be a list of localities");
    if (list->n == 0 && all->n > 1)
        return xds_play_fault(
            play, list,
            "\"priorities\" has a priority without localities: gRPC rejects such gaps");
    return true;
}

static size_t count_localities(struct xds_play *play, const struct xds_tree *all)
{
    size_t n = 0;

    for (size_t i = 0; i < all->n; i++) {
        if (!check_priority(play, &all->items[i], all))
            return 0;
        n += all->items[i].n;
    }
    return n;
}

static struct xds_endpoints read_endpoints(struct xds_play *play,
                                           const struct xds_tree *all)
{
    struct reading r = {.play = play};

    r.localities = XDS_NEW_ARRAY(play->machine.arena, struct xds_locality,
                                 count_localities(play, all));
    for (size_t i = 0; i < all->n && !play->failed; i++)
        read_priority(&r, &all->items[i], (uint32_t)i);
    return (struct xds_endpoints){.localities = r.localities, .n_localities = r.n};
}

static void play_eds_update(void *subject, const struct xds_tree *event)
{
    struct child_names *self = subject;
    struct xds_play *play = self->play;
    const struct xds_tree *all = xds_event_array(play, event, "priorities");

    if (!xds_tree_member(event, "priorities"))
        xds_play_fault(play, event, "\"priorities\" is missing");
    if (play->failed)
        return;
    const struct xds_endpoints endpoints =
        all ? read_endpoints(play, all) : (struct xds_endpoints){.n_localities = 0};

    if (play->failed)
        return;
    const struct xds_child_numbers now =
        xds_child_numbers_of(self->maker.arena, self->maker.options, self->maker.client,
                             &self->numbers, &endpoints);

    self->numbers = now;
}

static void play_reset(void *subject, const struct xds_tree *event)
{
    struct child_names *self = subject;

    (void)event;
    self->numbers = (struct xds_child_numbers){.n = 0};
}

static struct xds_slice name_of(const struct child_names *self, struct xds_arena *arena,
                                size_t priority)
{
    return xds_child_name(arena, self->maker.options, self->maker.client, &self->cluster,
                          0, self->numbers.number[priority]);
}

static void state_of(void *subject, const struct xds_scene *scene,
                     struct xds_tree *result)
{
    const struct child_names *self = subject;
    struct xds_arena *arena = self->play->machine.step_arena;
    struct xds_tree numbers = xds_tree_array(), names = xds_tree_array();

    (void)scene;
    for (size_t i = 0; i < self->numbers.n; i++) {
        xds_tree_add(arena, &numbers, xds_tree_number((double)self->numbers.number[i]));
        xds_tree_add(arena, &names, xds_tree_string(name_of(self, arena, i)));
    }
    xds_tree_put(arena, result, "child_numbers", numbers);
    xds_tree_put(arena, result, "child_names", names);
    xds_tree_put(arena, result, "next_available",
                 xds_tree_number((double)self->numbers.next));
}

static struct xds_scene scene_of(void *subject, struct xds_arena *arena)
{
    const struct child_names *self = subject;
    struct xds_scene scene = {0};

    xds_scene_add(&scene, arena, XDS_SCENE_TOP,
                  (struct xds_scene_node){.label = xds_slice_of(xds_name_in(
                                              self->maker.client, XDS_NAMED_PRIORITY)),
                                          .state = XDS_STATE_CONNECTING});
    for (size_t i = 0; i < self->numbers.n; i++)
        xds_scene_add(&scene, arena, 0,
                      (struct xds_scene_node){.label = name_of(self, arena, i),
                                              .state = XDS_STATE_CONNECTING});
    return scene;
}

const struct xds_subject xds_subject_cds_child_names = {
    .name = "cds_child_names",
    .config_keys = XDS_KEYS("cluster"),
    .happened = (const struct xds_result_key[]){{.name = NULL}},
    .events =
        (const struct xds_event_kind[]){
            {"eds_update", XDS_KEYS("priorities"), play_eds_update},
            {"reset", XDS_KEYS(NULL), play_reset},
            {.type = NULL},
        },
    .open = open_subject,
    .state = state_of,
    .scene = scene_of,
};
