/* scenario.h - the inside of the room: from a scenario to what happens in it. */
#ifndef XDS_SCENARIO_SCENARIO_H
#define XDS_SCENARIO_SCENARIO_H

#include "base/arena.h"
#include "base/strmap.h"
#include "catalogue/rule.h"
#include "clients/environment.h"
#include "config/tree_read.h"
#include "lb/cluster_map.h"
#include "lb/policy.h"
#include "lb/tree.h"
#include "model/route_config.h"
#include "model/tree.h"

/* ---- subject ---- */

/* What a scenario plays: one policy alone, or a whole client.
 *
 * A subject turns events into calls of the machines of lb/, and tells what came of them.
 * The result of a step is an object: keys that tell what happened in this step, which the
 * subject fills through xds_step_*, and keys that tell a state, which it writes anew
 * after every step. Both are in every result, empty if there is nothing to tell. */

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

/* ---- a whole client on a virtual clock: the inside of subject `channel` ---- */

struct xds_connections {
    struct xds_connection **list;
    size_t n, cap;
};

struct xds_channel {
    struct xds_play *play;
    struct xds_tree_shared shared;
    struct xds_explainer *explainer; /* of the resources of now; NULL: there are none */
    struct xds_cluster_map map;
    struct xds_cluster_manager manager;
    size_t n_configs;                    /* that it was given */
    struct xds_strmap roots;             /* struct xds_tree_root by key */
    const struct xds_virtual_host *host; /* accepted; NULL: RPCs fail */
    struct xds_strmap rpcs;              /* struct xds_channel_rpc by id */
    struct xds_strmap cookies;           /* "NAME=VALUE" of set-cookie, by step */
    struct xds_connections asked;        /* to be made, if they are held still */
    struct xds_timer connect;            /* due at once when a timer has fired for them */
    struct xds_live live;
};

/* An RPC that was started. */
struct xds_channel_rpc {
    bool runs;
    struct xds_cluster_rpc holds;
};

/* ---- the client ---- */

/* What was asked to connect begins connecting. */
void xds_channel_settle(struct xds_channel *self);

/* ---- events and results ---- */

void xds_channel_play_rpc(void *subject, const struct xds_tree *event);
void xds_channel_play_rpc_start(void *subject, const struct xds_tree *event);
void xds_channel_play_rpc_end(void *subject, const struct xds_tree *event);

/* ---- chart ---- */

/* Who served when: the states of all policies over time, in bounded memory.
 *
 * Time is cut into at most XDS_CHART_BUCKETS buckets of 1, 10, 100 ... milliseconds; when
 * they are full, ten become one. A bucket keeps what was true last in it. */

enum { XDS_CHART_BUCKETS = 600, XDS_CHART_ROWS = 64 };

/* What one policy did in one bucket. */
struct xds_chart_mark {
    bool known; /* false: nothing was seen; as in the bucket before */
    bool there; /* it exists */
    bool serves, parked;
    enum xds_connectivity state;
};

struct xds_chart_row {
    struct xds_slice label;
    size_t depth;
    struct xds_chart_mark marks[XDS_CHART_BUCKETS];
};

struct xds_chart {
    struct xds_arena *arena; /* of the scenario */
    struct xds_strmap by_path;
    struct xds_chart_row *rows[XDS_CHART_ROWS]; /* in order of appearance */
    size_t n_rows;
    size_t left_out; /* most policies at one time for which there was no row */
    int64_t width_ms, end_ms;
};

void xds_chart_init(struct xds_chart *chart, struct xds_arena *arena);
/* What is true from now_ms on; time never goes back. */
void xds_chart_add(struct xds_chart *chart, int64_t now_ms,
                   const struct xds_scene *scene);

/* ---- document ---- */

/* The scenarios of one file, one step after the other.
 *
 * Of a scenario everything but its steps is read first, then one step at a time, so that
 * memory does not grow with their number. Keys after the steps are read ahead where the
 * rest of the file is short (XDS_LOOK_AHEAD); else they are a fault. */

struct xds_document {
    struct xds_tree_file file;
    bool ahead;   /* keys after the steps were read already */
    bool looking; /* ... are being read */
    bool in_steps;
    bool over;              /* there is no other scenario */
    size_t n;               /* scenarios that were begun */
    struct xds_token first; /* of the one in work */
};

/* The first time, all zero. False with errno set when it cannot be opened. Its file is
 * closed and released as any other. */
bool xds_document_open(struct xds_document *document, const char *path);
void xds_document_open_bytes(struct xds_document *document, const char *name,
                             struct xds_slice bytes);

/* All of these run under a guard of the report's arena, of `arena` and of those of the
 * file. Faults are the play's. */
/* To the next scenario; false at the end of the file. A file without any is a fault. */
bool xds_document_next(struct xds_document *document, struct xds_play *play);
/* The members of the scenario but its steps; false after a fault. */
bool xds_document_head(struct xds_document *document, struct xds_play *play,
                       struct xds_arena *arena, struct xds_tree *head);
/* The next step; false after the last one and after a fault. */
bool xds_document_step(struct xds_document *document, struct xds_play *play,
                       struct xds_arena *arena, struct xds_tree *step);

/* ---- what a step's result was to be, and where it differs ---- */

struct xds_mismatch {
    struct xds_slice path;             /* "reported.state" */
    const struct xds_tree *want, *got; /* got NULL: there is no such key */
};

struct xds_mismatches {
    struct xds_arena *arena;
    struct xds_mismatch *list;
    size_t n, cap;
};

/* Compare each key of `expect`, an object, with the same key of the result. */
void xds_expect_compare(struct xds_mismatches *out, const struct xds_tree *expect,
                        const struct xds_tree *result);

/* ---- driver ---- */

/* Play the steps of one scenario.
 *
 * Everything that one step needs is forgotten with the step after the next one. */

/* A step that was played. */
struct xds_played {
    int64_t at_ms;
    struct xds_slice at; /* as written */
    const struct xds_tree *event, *result;
    const struct xds_tree *before;     /* the result of the step before */
    const struct xds_brief_key *brief; /* of the subject */
    const bool *news; /* of each member of the result: this step has changed it */
    const struct xds_happening *happenings;
    size_t n_happenings;
    size_t n_expectations;
    struct xds_mismatches mismatches;
};

struct xds_driver {
    struct xds_play play;
    const struct xds_subject *subject;
    void *state;                   /* what the subject has opened */
    struct xds_arena *step_arenas; /* two: of this step and of the one before */
    unsigned now;                  /* which of them is this step's */
    struct xds_step step;
    size_t n_steps;
    struct xds_tree before; /* the result of the step before */
    struct xds_tree before_that;
    struct xds_chart *chart; /* NULL: not requested */
    bool listens;            /* what machines say is wanted */
};

/* Open the subject; play, with its machine, moments and listens are set. chart NULL:
 * none. False after a fault. */
bool xds_driver_open(struct xds_driver *driver, const struct xds_subject *subject,
                     struct xds_chart *chart);
/* The arena of the step that comes next, empty. */
struct xds_arena *xds_driver_step_arena(struct xds_driver *driver);
/* Play a step that was read into that arena. False after a fault; the step is then not
 * reported. */
bool xds_driver_play(struct xds_driver *driver, const struct xds_tree *step,
                     struct xds_played *out);

/* ---- the routes of an event as a virtual host of the model ---- */

/* "routes": [{prefix, cluster | weighted_clusters: [{name, weight}] | plugin}]; null is
 * no virtual host: NULL. The host belongs to the play. Look at play->failed after it. */
const struct xds_virtual_host *xds_event_routes(struct xds_play *play,
                                                const struct xds_tree *event);

/* ---- what keeps a scenario from being played, as findings of its report ---- */

/* Where a value of the scenario is. */
struct xds_place xds_play_place(const struct xds_play *play, const struct xds_tree *at);
/* Where its key does. */
struct xds_place xds_play_key_place(const struct xds_play *play,
                                    const struct xds_tree *member);
/* A finding, and the play has failed: of one play only the first is reported. Always
 * false.
 */
bool xds_fault_at(struct xds_play *play, enum xds_rule_id rule, struct xds_place at,
                  const char *format, ...) XDS_PRINTF(4, 5);

/* ---- what a scenario says beside its steps ---- */

struct xds_head {
    struct xds_slice name; /* absent: it has none */
    const struct xds_subject *subject;
    const struct xds_tree *snapshot; /* NULL: none */
    enum xds_client client;
    struct xds_options options;
};

/* Read the members into *out, into play->config and play->target. `out` begins as the
 * user's wish: options, client where has_client. False after a fault. */
bool xds_head_read(struct xds_play *play, const struct xds_tree *members, bool has_client,
                   struct xds_head *out);

/* ---- xds_override_host as the result of a step shows it ---- */

static inline bool xds_override_is_childs(const struct xds_override_entry *entry)
{
    return entry->in_map && entry->owner == XDS_SUBCHANNEL_CHILD;
}

/* What became of an RPC. */
struct xds_override_outcome {
    struct xds_override_decision decision;
    struct xds_slice host;                 /* or absent */
    const struct xds_override_entry *used; /* by a session; or NULL */
};

/* ---- xDS resources of a scenario: from files, and from its own values ---- */

/* The key "snapshot": a path or several, relative to `folder` (absent: no file is read),
 * or an object of lists. Everything goes to play->check. False after a fault. */
bool xds_resources_read(struct xds_play *play, const struct xds_tree *snapshot,
                        struct xds_slice folder);
/* The same for an update of a running client: what has the name of a resource takes its
 * place; what the client rejects leaves the old one in use, and its name is added to
 * "rejected" of the step. */
bool xds_resources_update(struct xds_play *play, const struct xds_tree *object);

/* ---- scripted ---- */

/* Child policies whose states a scenario says.
 *
 * Of a subject that plays one policy alone the children are no policies but names with a
 * state. The table makes them, remembers what each received, and lets an event report
 * in the name of one. */

struct xds_scripted {
    struct xds_play *play;
    struct xds_strmap children; /* struct xds_scripted_child by name, also if destroyed */
    struct xds_strmap labels;   /* of pickers, each kept once */
    struct xds_policy *parent;
    struct xds_child_maker maker;
    const struct xds_tree *reports; /* child_reports of the update in work; or NULL */
};

struct xds_scripted_child {
    struct xds_policy policy; /* first; its ops pick COMPLETE with the child's name as
                                 the address when READY */
    bool exists;
    bool existed;                /* before or in the update in work */
    bool told_to_exit_idle;      /* until the subject clears it */
    struct xds_slice failure;    /* what RPCs fail with: "p0 fails" */
    const struct xds_tree *says; /* a state, in the update in work; or NULL */
};

/* `parent` may be set later, before the first child. The maker writes "created" and
 * "deleted" of the step. */
void xds_scripted_init(struct xds_scripted *table, struct xds_play *play);
/* What children say while an update is worked off: {NAME: STATE}, each when it is created
 * or updated, and one that is neither at the end. A name that does not get to exist is a
 * fault at the end. */
void xds_scripted_begin(struct xds_scripted *table, const struct xds_tree *reports);
void xds_scripted_end(struct xds_scripted *table);
/* Event child_state {child, state, picker}: an unknown child is a fault. */
void xds_scripted_report(struct xds_scripted *table, const struct xds_tree *event);
/* The child of that name if it exists, else a fault and NULL. */
struct xds_scripted_child *xds_scripted_find(struct xds_scripted *table,
                                             const struct xds_tree *event,
                                             const char *key);

/* ---- durations as people write them ---- */

/* "10s", "1500ms", "15m", "1h", "2.5s", "1m30s": whole milliseconds, never negative.
 * False when it is none of these. */
bool xds_span_read(struct xds_slice text, int64_t *ms);
/* "10s", or "1500ms" when it is no whole number of seconds. */
struct xds_slice xds_span_text(struct xds_arena *arena, int64_t ms);

/* ---- the result of a step while it comes about; xds_step_* of subject.h too ---- */

/* With every key that tells what happened, empty. */
void xds_step_begin(struct xds_step *step, struct xds_arena *arena,
                    const struct xds_result_key *keys);
/* What a machine says. Both texts are copied. */
void xds_step_record(struct xds_step *step, int64_t at_ms, struct xds_slice who,
                     struct xds_slice what);

/* ---- the list of what a scenario can play ---- */

/* NULL when there is none of that name; *hint is then the nearest name or NULL. */
const struct xds_subject *xds_subject_find(struct xds_slice name, const char **hint);

/* ---- watches ---- */

/* What a client asks the management server for, and whom it tells.
 *
 * Several watchers may want the same resource. A request of a type names all resources of
 * that type which somebody watches, so a watch or a cancellation sends one only when that
 * set changes. What was received last is kept as long as somebody watches it, and a
 * watcher that comes later is notified at once. */

enum xds_watch_type {
    XDS_WATCH_LISTENER,
    XDS_WATCH_ROUTE,
    XDS_WATCH_CLUSTER,
    XDS_WATCH_ENDPOINT,
    XDS_WATCH_TYPES,
};

/* "listener", "route", "cluster", "endpoint", and back. */
const char *xds_watch_type_name(enum xds_watch_type type);
bool xds_watch_type_from_name(struct xds_slice name, enum xds_watch_type *out);

struct xds_watcher;

/* A resource that was ever watched. */
struct xds_watched {
    enum xds_watch_type type;
    struct xds_slice name;
    struct xds_slice version;          /* of what is cached, or absent */
    struct xds_watcher *first, *last;  /* who watches it, in order; NULL: none */
    struct xds_watched *before, *next; /* the other watched ones of its type, in order */
};

/* Told of everything that the client does. All of it is borrowed. */
struct xds_watch_sink {
    void *user;
    /* The names are in the order in which the client sends them. */
    void (*request)(void *user, enum xds_watch_type type, const struct xds_slice *names,
                    size_t n);
    void (*notify)(void *user, struct xds_slice watcher,
                   const struct xds_watched *resource);
    /* Nothing is watched any more, and the stream ends without a request. */
    void (*close)(void *user);
};

struct xds_watches {
    struct xds_arena *arena; /* of everything that lasts; grows with names, not events */
    struct xds_arena *step_arena; /* of the names of a request */
    enum xds_client client;
    struct xds_watch_sink sink;
    struct xds_strmap watchers; /* struct xds_watcher by name, also cancelled ones */
    struct {
        struct xds_strmap resources; /* struct xds_watched by name */
        struct xds_watched *first, *last;
        size_t n; /* watched now */
    } types[XDS_WATCH_TYPES];
};

void xds_watches_init(struct xds_watches *watches, struct xds_arena *arena,
                      struct xds_arena *step_arena, enum xds_client client,
                      struct xds_watch_sink sink);
/* False: the watcher watches something already. */
bool xds_watches_add(struct xds_watches *watches, enum xds_watch_type type,
                     struct xds_slice name, struct xds_slice watcher);
/* False: the watcher watches nothing. */
bool xds_watches_cancel(struct xds_watches *watches, struct xds_slice watcher);
/* A valid resource has come. */
void xds_watches_receive(struct xds_watches *watches, enum xds_watch_type type,
                         struct xds_slice name, struct xds_slice version);
/* How many resources of all types are watched. */
size_t xds_watches_count(const struct xds_watches *watches);

#endif
