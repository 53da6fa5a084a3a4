/* scenario.h - the inside of the room: from a scenario to what happens in it. */
#ifndef XDS_SCENARIO_SCENARIO_H
#define XDS_SCENARIO_SCENARIO_H

#include "base/arena.h"
#include "base/strmap.h"
#include "catalogue/rule.h"
#include "clients/environment.h"
#include "source/tree_read.h"
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

struct xds_subject;
struct xds_result_key;

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
/* A JSON object without "version" and "request". False: it is none. */
bool xds_step_read_json(struct xds_step *step, struct xds_slice json,
                        struct xds_tree *out);

/* ---- a play ---- */

/* Writes a decision as the JSON of explain: a room that prints lends it. */
typedef enum xds_status xds_decision_writer(const struct xds_printer *to,
                                            const struct xds_decision *decision);
/* The same of what a server does. */
typedef enum xds_status xds_served_writer(const struct xds_printer *to,
                                          const struct xds_served *served);

struct xds_answer_writers {
    xds_decision_writer *decision;
    xds_served_writer *served;
};

#define XDS_WRITE_JSON                                                                   \
    ((struct xds_answer_writers){xds_print_decision_json, xds_print_served_json})

/* The world of one scenario. */
struct xds_play {
    struct xds_machine
        machine; /* arena: until the scenario ends; step_arena: the step's */
    const struct xds_tree *config; /* the key of that name: an OBJECT, maybe empty */
    const struct xds_tree *given;  /* the key "snapshot", if it is an OBJECT; or NULL */
    struct xds_step *step;         /* NULL while the subject is opened */
    const struct xds_snapshot *snapshot; /* the key of that name; maybe empty */
    struct xds_check *check;             /* what fills it: see resources.h */
    struct xds_slice target;             /* the key of that name; or absent */
    struct xds_report *report;           /* receives findings */
    uint32_t resource;                   /* the scenario's, in the report */
    const struct xds_subject *subject;
    const struct xds_result_key *happened; /* those of the subject, or its own choice */
    bool failed;                           /* a finding: nothing runs past it */
    bool unread;                           /* then: its text or snapshot is not there */
    void (*release)(void *); /* called with `releases` in the end; or NULL */
    void *releases;          /* what the subject has outside of arenas */
    struct xds_answer_writers write;
};

/* The event, or a value in it, cannot be. at tells the position in the file. The play
 * stops after this step. Always false. */
bool xds_play_fault(struct xds_play *play, const struct xds_tree *at, const char *format,
                    ...) XDS_PRINTF(3, 4);

/* ---- values of events, each a fault when it has the wrong type ---- */

/* The member, or NULL when it is absent or null. */
const struct xds_tree *xds_event_given(const struct xds_tree *object, const char *key);
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
/* That of the key "state", which must be there. */
enum xds_connectivity xds_event_own_state(struct xds_play *play,
                                          const struct xds_tree *event);
/* The texts of an array. */
struct xds_slice_list {
    struct xds_slice *list; /* of the step's arena */
    size_t n;
};
struct xds_slice_list xds_event_names(struct xds_play *play,
                                      const struct xds_tree *object, const char *key);

/* ---- a subject ---- */

/* A list of keys. */
#define XDS_KEYS(...) ((const char *const[]){__VA_ARGS__, NULL})

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
    struct xds_slice label;
    struct xds_slice name; /* the same without details; absent: the label */
    enum xds_connectivity state;
    bool serves;         /* RPCs go through it now */
    bool parked;         /* exists, but deactivated or kept for a while */
    bool pending;        /* it still has time to connect */
    size_t above, depth; /* set by xds_scene_add() */
    const void *of;      /* of the subject's use */
    const struct xds_path_address *addresses; /* of a child of priority: its own */
    size_t n_addresses;
};

struct xds_scene {
    struct xds_scene_node *list; /* a parent before its children */
    size_t n, cap;
};

#define XDS_SCENE_TOP SIZE_MAX
/* Add a node below another one, or XDS_SCENE_TOP. The place that it gets. */
size_t xds_scene_add(struct xds_scene *scene, struct xds_arena *arena, size_t above,
                     struct xds_scene_node node);
/* The names down to a node, "priority_experimental/p0", without those above depth `from`.
 */
struct xds_slice xds_scene_path(const struct xds_scene *scene, size_t i, size_t from,
                                struct xds_arena *arena);

/* A key of the result that a timeline for people shows. */
struct xds_brief_key {
    const char *key;
    const char *member; /* only this of its object; "*": each one that has changed */
    const char *usual;  /* the text of which nothing is said; or NULL */
    bool by_member;     /* under the name of the member, if it has a value */
};

struct xds_subject {
    const char *name;
    enum xds_lb_named alias;               /* the one LB policy that it plays; or OTHER */
    const struct xds_brief_key *brief;     /* key NULL at the end; NULL: every key */
    const char *const *config_keys;        /* NULL at the end; or NULL */
    bool any_config;                       /* the subject checks its kind and keys */
    const struct xds_result_key *happened; /* name NULL at the end */
    const struct xds_event_kind *events;   /* type NULL at the end; all but "advance" */
    /* Of play->machine.arena; after a fault NULL may be given. */
    void *(*open)(struct xds_play *play);
    /* Before time passes for the first step, to which it belongs; or NULL. */
    void (*start)(void *subject);
    /* What exists now, in arena. */
    struct xds_scene (*scene)(void *subject, struct xds_arena *arena);
    /* The keys that tell a state, put into result. */
    void (*state)(void *subject, const struct xds_scene *scene, struct xds_tree *result);
};

extern const struct xds_subject xds_subject_cds_child_names;
extern const struct xds_subject xds_subject_channel;
extern const struct xds_subject xds_subject_config_selector;
extern const struct xds_subject xds_subject_override_host;
extern const struct xds_subject xds_subject_policy;
extern const struct xds_subject xds_subject_priority;
extern const struct xds_subject xds_subject_server;
extern const struct xds_subject xds_subject_weighted_target;
extern const struct xds_subject xds_subject_xds_client;

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
/* What is true from now_ms on; time never goes back. scratch: for the time of the call.
 */
void xds_chart_add(struct xds_chart *chart, int64_t now_ms, const struct xds_scene *scene,
                   struct xds_arena *scratch);

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

/* Not null, not false, not 0, not empty. */
bool xds_is_something(const struct xds_tree *value);
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

/* ---- what keeps a scenario from being played, as findings of its report ---- */

/* Where a value of the scenario is. */
struct xds_place xds_play_place(const struct xds_play *play, const struct xds_tree *at);
/* A finding, and the play has failed: of one play only the first is reported. Always
 * false.
 */
bool xds_fault_at(struct xds_play *play, enum xds_rule_id rule, struct xds_place at,
                  const char *format, ...) XDS_PRINTF(4, 5);

/* ---- xds_override_host as the result of a step shows it ---- */

static inline bool xds_override_is_childs(const struct xds_override_entry *entry)
{
    return entry->in_map && entry->owner == XDS_SUBCHANNEL_CHILD;
}

/* ---- xDS resources of a scenario: from files, and from its own values ---- */

/* The key "snapshot": a path or several, relative to `folder` (absent: no file is read),
 * or an object of lists. Everything goes to play->check. False after a fault. */
bool xds_resources_read_bytes(struct xds_play *play, const char *name,
                              struct xds_slice bytes);
bool xds_resources_read(struct xds_play *play, const struct xds_tree *snapshot,
                        struct xds_slice folder);
/* The same for an update of a running client: what has the name of a resource takes its
 * place; what the client rejects leaves the old one in use, and its name is added to
 * "rejected" of the step. */
bool xds_resources_update(struct xds_play *play, const struct xds_tree *object);
/* Event xds_remove {resource_type, name}. False after a fault. */
bool xds_resources_remove(struct xds_play *play, const struct xds_tree *event);

/* ---- scripted ---- */

/* Child policies whose states a scenario says.
 *
 * Of a subject that plays one policy alone the children are no policies but names with a
 * state. The table makes them, remembers what each received, and lets an event report
 * in the name of one. */

struct xds_scripted {
    struct xds_play *play;
    struct xds_strmap children; /* struct xds_scripted_child by path, also if destroyed */
    struct xds_strmap labels;   /* of pickers, each kept once */
    struct xds_child_maker maker; /* of children whose name is their path */
    bool silent;                  /* nothing is said of children that come and go */
    struct xds_slice asked; /* the path of the child that was asked for a pick last */
    struct xds_slice picks; /* the address that a READY child picks; absent: its name */
    const struct xds_tree *reports; /* child_reports of the update in work; or NULL */
};

struct xds_scripted_child {
    struct xds_policy policy; /* first */
    struct xds_scripted *table;
    struct xds_slice path; /* "p0/zone-a": ends with the name */
    bool exists;
    bool existed;                /* before or in the update in work */
    size_t told_in;              /* asked to leave IDLE: number of the step, from 1 */
    struct xds_slice failure;    /* what RPCs fail with: "p0 fails" */
    const struct xds_tree *says; /* a state, in the update in work; or NULL */
};

void xds_scripted_init(struct xds_scripted *table, struct xds_play *play);
/* What a maker does: "created" of the step is written. */
struct xds_scripted_child *xds_scripted_make(struct xds_scripted *table,
                                             struct xds_policy *parent,
                                             struct xds_slice path, size_t name_len);
/* NULL: it is another policy. */
struct xds_scripted_child *xds_scripted_of(struct xds_policy *policy);
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

/* ---- LB policies over children whose states are said: the inside of subject policy ----
 */

/* The default of an override host policy. */
enum { XDS_SIM_IDLE_TIMEOUT_MS = 60 * 60 * 1000 };

/* The policies that have a machine here: a set of them says what a key is about. */
enum {
    XDS_SIM_PRIORITY = 1,
    XDS_SIM_TARGETS = 2,
    XDS_SIM_MANAGER = 4,
    XDS_SIM_OVERRIDE = 8,
    XDS_SIM_TREE = 16, /* any of them, as subject policy has it */
    XDS_SIM_ROUTING = 64,
    XDS_SIM_PATHS = 32, /* a tree with a policy that shares out addresses by their path */
    XDS_SIM_CHILDREN = XDS_SIM_TREE | XDS_SIM_PRIORITY | XDS_SIM_TARGETS,
    XDS_SIM_NAMED = XDS_SIM_TARGETS | XDS_SIM_MANAGER | XDS_SIM_ROUTING
};

struct xds_sim_node;

/* A child as the config has it. */
struct xds_sim_entry {
    struct xds_slice name;
    uint64_t weight;
    bool ignores_reresolution;
    const struct xds_sim_config *config; /* NULL: it is scripted */
};

struct xds_sim_config {
    const struct xds_sim_kind *kind;
    struct xds_sim_entry *entries;
    size_t n;
    struct xds_strmap by_name; /* the same; of a tree */
    struct xds_slice_list priorities;
    unsigned status;                /* XDS_SIM_OVERRIDE: mask of XDS_HEALTH_BIT */
    struct xds_virtual_host routes; /* XDS_SIM_ROUTING: only its routes, to actions */
};

struct xds_sim_endpoint {
    struct xds_endpoint endpoint;
    struct xds_slice_list path; /* as that of an address */
};

struct xds_sim {
    struct xds_policy channel; /* first; receives requests to the channel */
    struct xds_play *play;
    const struct xds_sim_kind
        *alias; /* the only policy, its children scripted; NULL: a tree */
    struct xds_priority_timing timing;
    int64_t retention_ms; /* of targets; negative: the client's own */
    enum xds_override_generation generation;
    struct xds_sim_node *root; /* NULL: there is no config yet */
    struct xds_sim_config own; /* of an alias, as far as it is not of an event */
    const struct xds_sim_config *config; /* of the head, until the first step */
    unsigned kinds;                      /* in any config so far */
    struct xds_result_key *happened;
    struct xds_scripted scripted;
    struct xds_strmap nodes; /* struct xds_sim_node by path */
    struct xds_sim_node *first, *last;
    uint64_t n_reports; /* of the root, before this step */
    /* of the last update */
    struct xds_path_address *addresses;
    size_t n_addresses;
    struct xds_sim_endpoint *endpoints;
    size_t n_endpoints;
    int64_t idle_timeout_ms;
    const struct xds_tree *creates; /* child_creates, while it is applied; NULL: all */
};

/* A policy with a machine. */
struct xds_sim_node {
    struct xds_stand_in stand_in; /* first; what the policy above has as its child */
    struct xds_sim *sim;
    struct xds_sim_node *above, *next;
    struct xds_slice path; /* "p0/zone-a"; of the root empty */
    size_t depth;
    size_t n_names; /* of a path, down to it */
    const struct xds_sim_kind *kind;
    const struct xds_sim_config *config;
    struct xds_policy *policy;
    struct xds_strmap handed; /* addresses by child; of those whose machine keeps none */
    bool exists;
};

struct xds_sim_kind {
    unsigned bit;
    enum xds_lb_named named;
    const char *who; /* at the top, in what it says, and in faults */
    const char *const *keys;
    const char *list; /* the key of its children */
    const char *entry, *entry_has;
    const char *const *entry_keys;
    unsigned names; /* 1: its children are in the paths of addresses */
    void (*begin)(struct xds_sim_node *, struct xds_policy *parent,
                  struct xds_slice name);
    void (*update)(struct xds_sim_node *, const struct xds_sim_config *);
    /* What is below it, as a scene whose nodes are of it but for addresses. at: its own.
     */
    void (*look)(const struct xds_sim_node *, struct xds_arena *, struct xds_scene *,
                 size_t at);
};

static inline struct xds_weighted_target *xds_sim_targets(const struct xds_sim_node *node)
{
    return (struct xds_weighted_target *)(void *)node->policy;
}

static inline struct xds_override_host *xds_sim_host(const struct xds_sim_node *node)
{
    return (struct xds_override_host *)(void *)node->policy;
}

/* NULL: it has no machine here. */
const struct xds_sim_kind *xds_sim_kind_of(enum xds_lb_named named);
/* The path of a child; above may be empty. */
struct xds_slice xds_sim_path(struct xds_arena *arena, struct xds_slice above,
                              struct xds_slice name);

/* A list of LB policies as service configs have it. NULL: what it names is no machine, or
 * there was a fault. path: of what is to be that policy. */
const struct xds_sim_config *xds_sim_read(struct xds_sim *s, const struct xds_tree *list,
                                          struct xds_slice path);
const struct xds_sim_config *xds_sim_read_config(struct xds_sim *s,
                                                 const struct xds_sim_kind *kind,
                                                 const struct xds_tree *object,
                                                 struct xds_slice path);
/* Health states of hosts as a mask; absent: UNKNOWN and HEALTHY. */
unsigned xds_sim_read_status(struct xds_play *play, const struct xds_tree *object,
                             const char *key);
/* Of an update, into the tree of policies. */
void xds_sim_read_addresses(struct xds_sim *s, const struct xds_tree *event);
void xds_sim_read_endpoints(struct xds_sim *s, const struct xds_tree *event);

/* ---- policy_routing.c ---- */

/* The routes of the config, whose actions are read. */
void xds_sim_read_routes(struct xds_sim *s, const struct xds_tree *object,
                         struct xds_sim_config *out);

struct xds_sim_routed {
    bool matches, open;      /* open: a fraction decides, and no number was given */
    struct xds_slice action; /* of a route that matches */
};

/* Where the policy at the top sends the RPC of an event. Draws from the step's numbers.
 */
struct xds_sim_routed xds_sim_route(struct xds_sim *s, const struct xds_tree *event);

/* Make the machine of a policy, which has no config yet. above NULL: at the top. */
struct xds_sim_node *xds_sim_begin(struct xds_sim *s, const struct xds_sim_kind *kind,
                                   struct xds_sim_node *above, struct xds_slice name,
                                   struct xds_slice path,
                                   const struct xds_sim_config *config);
/* The scripted child of an override host policy has other connections now. */
void xds_sim_report_sum(const struct xds_override_host *host,
                        struct xds_scripted_child *child);
bool xds_sim_is_owned(const struct xds_override_entry *entry);

/* ---- durations as people write them ---- */

/* "10s", "1500ms", "15m", "1h", "2.5s", "1m30s": whole milliseconds, never negative.
 * False when it is none of these. */
bool xds_span_read(struct xds_slice text, int64_t *ms);
/* "10s", or "1500ms" when it is no whole number of seconds. */
struct xds_short_text xds_span(int64_t ms);
struct xds_slice xds_span_text(struct xds_arena *arena, int64_t ms);

/* ---- the result of a step while it comes about; xds_step_* of subject.h too ---- */

/* Keys that tell what happened, and are new: empty. */
void xds_step_begin_more(struct xds_step *step, const struct xds_result_key *keys);
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
    const struct xds_options *options;
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
                      struct xds_arena *step_arena, const struct xds_options *options,
                      enum xds_client client, struct xds_watch_sink sink);
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

/* ---- the keys that an object of a file may have ---- */

/* The keys that an object may have: two lists, each up to NULL; either may be NULL. */
struct xds_known_keys {
    const char *what; /* "a step" */
    const char *const *own, *const *common;
};

/* The first member with another key, or with one that was before, is a fault; false
 * then. */
bool xds_keys_check(struct xds_play *play, const struct xds_tree *object,
                    const struct xds_known_keys *known);
/* The same of "WHAT TYPE". */
bool xds_keys_check_type(struct xds_play *play, const struct xds_tree *object,
                         const struct xds_known_keys *known, const char *type);
/* The first such member of "WHAT TYPE", and what is wrong with its key; NULL: none. */
const struct xds_tree *xds_keys_find_fault(struct xds_arena *arena,
                                           const struct xds_tree *object,
                                           const struct xds_known_keys *known,
                                           const char *type, struct xds_slice *what);

/* ---- the scenarios of several files, played one step after the other ---- */

enum xds_entry_kind {
    XDS_ENTRY_BEGIN, /* of a scenario */
    XDS_ENTRY_STEP,
    XDS_ENTRY_END, /* of a scenario, after its last step or a fault */
};

/* All of it lives until the next call; scene and report until the next scenario. */
struct xds_entry {
    enum xds_entry_kind kind;
    struct xds_slice name;    /* of the scenario; its file if it has none */
    struct xds_slice subject; /* absent if that is not known */
    enum xds_client client;
    struct xds_client_label as;    /* the client, with its release if one was asked for */
    const struct xds_played *step; /* STEP */
    /* END */
    bool ok; /* no fault and no mismatch */
    size_t n_steps, n_expectations, n_mismatches;
    const struct xds_report *report; /* sorted: faults, and what the client rejects */
    const struct xds_chart *chart;
    struct xds_scene scene; /* what exists in the end, where a chart was wanted */
};

/* chart: whether scenes, and what machines say, are wanted. XDS_END after the last
 * scenario. */
enum xds_status xds_simulation_next(struct xds_simulation *simulation, bool chart,
                                    struct xds_answer_writers write,
                                    struct xds_entry *out) XDS_MUST_USE;

#endif
