/*
 * subject.h - what a scenario plays: one policy alone, or a whole client.
 *
 * A subject turns events into calls of the machines of lb/, and tells what came of them.
 * The result of a step is an object: keys that tell what happened in this step, which the
 * subject fills through xds_step_*, and keys that tell a state, which it writes anew
 * after every step. Both are in every result, empty if there is nothing to tell.
 */
#ifndef XDS_SCENARIO_SUBJECT_H
#define XDS_SCENARIO_SUBJECT_H

#include "lb/policy.h"
#include "model/tree.h"

/* ---- the step in work ---- */

/* A sentence on something that happened. */
struct xds_happening {
    int64_t at_ms; /* of a timer that fired before the step's own time: earlier */
    struct xds_slice who, what;
};

struct xds_step {
    struct xds_arena *arena; /* forgotten after the step */
    size_t index;            /* of the scenario's steps, from 0 */
    struct xds_random random;
    struct xds_tree result; /* OBJECT */
    struct xds_happening *happenings;
    size_t n_happenings, cap_happenings;
};

/* Append to the list under a key that tells what happened. */
void xds_step_add(struct xds_step *step, const char *key, struct xds_tree item);
void xds_step_add_name(struct xds_step *step, const char *key, struct xds_slice name);
/* Set such a key; the last value counts. */
void xds_step_set(struct xds_step *step, const char *key, struct xds_tree value);

/* ---- a play ---- */

/* The world of one scenario. */
struct xds_play {
    struct xds_machine
        machine; /* arena: until the scenario ends; step_arena: the step's */
    const struct xds_tree *config; /* the key of that name: an OBJECT, maybe empty */
    struct xds_step *step;         /* NULL while the subject is opened */
    const struct xds_snapshot *snapshot; /* the key of that name; maybe empty */
    struct xds_check *check;             /* what fills it: see resources.h */
    struct xds_slice target;             /* the key of that name; or absent */
    struct xds_report *report;           /* receives findings */
    uint32_t resource;                   /* the scenario's, in the report */
    bool failed;                         /* a finding: nothing runs past it */
    void (*release)(void *);             /* called with `releases` in the end; or NULL */
    void *releases;                      /* what the subject has outside of arenas */
};

/* The event, or a value in it, cannot be. at tells the position in the file. The play
 * stops after this step. Always false. */
bool xds_play_fault(struct xds_play *play, const struct xds_tree *at, const char *format,
                    ...) XDS_PRINTF(3, 4);

/* ---- values of events, each a fault when it has the wrong type ---- */

/* All of these give a neutral value after a fault: look at play->failed once after
 * them. A value of null is absent; an absent object or array is given as an empty one. */
const struct xds_tree *xds_event_object(struct xds_play *play,
                                        const struct xds_tree *object, const char *key);
const struct xds_tree *xds_event_array(struct xds_play *play,
                                       const struct xds_tree *object, const char *key);
/* Absent when it is not there. */
struct xds_slice xds_event_text(struct xds_play *play, const struct xds_tree *object,
                                const char *key);
/* A text that must be there. */
struct xds_slice xds_event_name(struct xds_play *play, const struct xds_tree *object,
                                const char *key);
bool xds_event_flag(struct xds_play *play, const struct xds_tree *object, const char *key,
                    bool fallback);
/* A whole number of at most max, or the fallback. */
uint64_t xds_event_number(struct xds_play *play, const struct xds_tree *object,
                          const char *key, uint64_t max, uint64_t fallback);
/* A duration such as "10s", "1500ms", "15m", "1h", in milliseconds. */
int64_t xds_event_duration(struct xds_play *play, const struct xds_tree *object,
                           const char *key, int64_t fallback_ms);
enum xds_connectivity xds_event_state(struct xds_play *play,
                                      const struct xds_tree *value);
/* The texts of an array. */
struct xds_slice_list {
    struct xds_slice *list; /* of the step's arena */
    size_t n;
};
struct xds_slice_list xds_event_names(struct xds_play *play,
                                      const struct xds_tree *object, const char *key);

/* ---- a subject ---- */

enum xds_key_kind {
    XDS_KEY_LIST,   /* tells what happened: a list, at first empty */
    XDS_KEY_VALUE,  /* tells what happened: at first null */
    XDS_KEY_NUMBER, /* tells what happened: at first 0 */
};

struct xds_result_key {
    const char *name;
    enum xds_key_kind kind;
};

struct xds_event_kind {
    const char *type;          /* the event's key "type" */
    const char *const *fields; /* all others but "random", NULL at the end */
    void (*play)(void *subject, const struct xds_tree *event);
};

/* A policy as the chart and the graph show it. */
struct xds_scene_node {
    struct xds_slice path; /* "priority_experimental/p0" */
    struct xds_slice label;
    enum xds_connectivity state;
    bool serves; /* RPCs go through it now */
    bool parked; /* exists, but deactivated or kept for a while */
    size_t depth;
};

struct xds_scene {
    struct xds_scene_node *list; /* a parent before its children */
    size_t n;
};

/* A key of the result that a timeline for people shows. */
struct xds_brief_key {
    const char *key;
    const char *member; /* only this of its object; "*": each one that has changed */
    const char *usual;  /* the text of which nothing is said; or NULL */
};

struct xds_subject {
    const char *name;
    const struct xds_brief_key *brief;     /* key NULL at the end; NULL: every key */
    const char *const *config_keys;        /* NULL at the end; or NULL */
    const struct xds_result_key *happened; /* name NULL at the end */
    const struct xds_event_kind *events;   /* type NULL at the end; all but "advance" */
    /* Of play->machine.arena; after a fault NULL may be given. */
    void *(*open)(struct xds_play *play);
    /* The keys that tell a state, put into result. */
    void (*state)(void *subject, struct xds_tree *result);
    /* What exists now, in arena. */
    struct xds_scene (*scene)(void *subject, struct xds_arena *arena);
};

extern const struct xds_subject xds_subject_cds_child_names;
extern const struct xds_subject xds_subject_channel;
extern const struct xds_subject xds_subject_config_selector;
extern const struct xds_subject xds_subject_override_host;
extern const struct xds_subject xds_subject_priority;
extern const struct xds_subject xds_subject_weighted_target;
extern const struct xds_subject xds_subject_xds_client;

#endif
