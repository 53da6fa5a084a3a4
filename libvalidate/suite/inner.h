/* inner.h - what the files of this room share. */
#ifndef XDS_SUITE_INNER_H
#define XDS_SUITE_INNER_H

#include "base/arena.h"
#include "base/strmap.h"
#include "base/text.h"
#include "catalogue/rule.h"
#include "source/tree_read.h"
#include "explain/decision.h"
#include "explain/derive.h"
#include "model/route_config.h"
#include "model/snapshot.h"
#include "model/tree.h"
#include "print/write/out.h"
#include "regex/regex.h"
#include "source/source.h"

/* Who is asked about the RPC of a case. */
enum xds_suite_end {
    XDS_SUITE_CLIENT,
    XDS_SUITE_SERVER, /* at which it arrives */
    XDS_SUITE_BOTH,
};

/* ---- lists ---- */

/* A list of n items with room for one more: its room is the next power of two, at least
 * four. */
static inline void *xds_list_room(struct xds_arena *arena, void *items, size_t n,
                                  size_t size)
{
    if (n > 0 && (n < 4 || (n & (n - 1)) != 0))
        return items;
    void *larger = xds_arena_zero(arena, n ? 2 * n : 4, size);

    if (n > 0)
        memcpy(larger, items, n * size);
    return larger;
}

/* ---- coverage ---- */

/* A route is covered by an RPC that certainly takes it. A weighted target is covered by
 * an RPC that certainly goes to it - by its random numbers, by its cookie, or because
 * there is only this one - and by an RPC that may go to it, in a case that expects this
 * cluster. */

/* The route configurations of one snapshot, for all files of tests that read it. */
struct xds_coverage_table {
    struct xds_coverage told;
    struct xds_covered_config **configs; /* those of `told` */
    struct xds_covered_server **servers; /* the same */
};

/* The same while the snapshot is in memory. */
struct xds_coverage_map {
    struct xds_arena *run_arena;
    struct xds_coverage_table *table;
    struct xds_strmap by_model;  /* struct xds_covered_config */
    struct xds_strmap by_server; /* struct xds_covered_server, of an xds_listener */
    struct xds_strmap by_policy; /* struct xds_covered_policy, of an xds_rbac_policy */
};

/* Note the route configuration of a resource that was just read, if it has one. */
void xds_coverage_add(struct xds_coverage_map *map, const struct xds_resource *in,
                      const struct xds_snapshot_entry *entry, struct xds_slice file,
                      struct xds_arena *scratch);
/* The routes that this client uses count from now on. */
void xds_coverage_use(struct xds_coverage_map *map, const struct xds_snapshot *snapshot,
                      enum xds_client client);
/* The routes of this configuration that the client uses count; model NULL: there is none.
 */
void xds_coverage_use_config(struct xds_coverage_map *map,
                             const struct xds_route_config *model,
                             enum xds_client client);
/* An RPC takes this route. */
struct xds_covered_route *xds_coverage_mark_route(struct xds_coverage_map *map,
                                                  const struct xds_route_config *model,
                                                  size_t virtual_host, size_t route,
                                                  const struct xds_covering_case *by);
void xds_coverage_note_case(struct xds_arena *arena, struct xds_covering_case **cases,
                            size_t *n, const struct xds_covering_case *by);
/* The routes of a configuration that was added; NULL: of none. */
struct xds_covered_config *xds_coverage_config(struct xds_coverage_map *map,
                                               const struct xds_route_config *model);
/* Find an RPC for each of them. scratch: for the time of the call. */
void xds_coverage_reach(struct xds_coverage_map *map, const struct xds_snapshot *snapshot,
                        enum xds_client client, const struct xds_options *options,
                        struct xds_arena *scratch);
/* The same for a filter chain of a server. */
void xds_coverage_reach_chain(struct xds_coverage_map *map,
                              const struct xds_chain_routes *of,
                              struct xds_arena *scratch);
/* An RPC of a case, which lasts, and what the case expects. */
void xds_coverage_mark(struct xds_coverage_map *map, const struct xds_decision *d,
                       const struct xds_tree *expect, const struct xds_covering_case *by);
/* The filter chains of a listener that was just read, and their policies. */
void xds_coverage_add_server(struct xds_coverage_map *map, const struct xds_resource *in,
                             const struct xds_listener *listener, struct xds_slice file,
                             struct xds_arena *scratch);
/* The filter chains and policies of this client's servers count from now on, and their
 * routes. */
void xds_coverage_use_servers(struct xds_coverage_map *map,
                              const struct xds_snapshot *snapshot, enum xds_client client,
                              const struct xds_options *options,
                              struct xds_arena *scratch);
void xds_coverage_mark_served(struct xds_coverage_map *map, const struct xds_served *d,
                              const struct xds_covering_case *by);
void xds_coverage_sum_servers(struct xds_coverage *coverage);
/* Count what is covered. */
void xds_coverage_sum(struct xds_coverage *coverage);

/* ---- the suite ---- */

/* What came of the files of tests lives in `run_arena`, what one file holds in
 * `document`, what one case needs in `case_arena`, one of its RPCs in `rpc`, and one
 * resource of the snapshot in `resource`. The snapshot of a file is read once for the
 * newest releases of all clients, and once for each older release that a case asks for.
 */

/* What a file says beside its cases. */
struct xds_suite_head {
    const struct xds_tree *client;   /* of cases that name none; NULL: core */
    struct xds_client_release first; /* of these */
    struct xds_options options;      /* for all readings of the snapshot */
    enum xds_resource_type type;
    const struct xds_tree *snapshot, *defaults, *cases; /* defaults NULL: none */
};

/* The snapshot of the file in work, as the newest releases of all clients read it, or
 * one client at an older release. */
struct xds_suite_snapshot {
    struct xds_suite_snapshot *next;
    struct xds_client_release reader; /* {0, 0, 0}: the newest of all clients */
    struct xds_report *report;
    struct xds_check *check;
    struct xds_source *source;
    struct xds_parsed *bootstrap;                  /* that a dump tells of; or NULL */
    struct xds_explainer *explainers[XDS_CLIENTS]; /* of the clients that were asked */
    struct xds_server *servers[XDS_CLIENTS];       /* of those that were asked as such */
    struct xds_joiner *joiners[XDS_CLIENTS];       /* the same */
    unsigned clients;                              /* these */
    struct xds_coverage_map coverage;
};

struct xds_suite {
    struct xds_suite_settings settings;
    enum xds_client client; /* of the settings, if they have one */
    struct xds_arena run_arena, document, case_arena, rpc, resource;
    struct xds_report *report; /* what is wrong with the files */
    struct xds_inputs inputs;
    struct xds_regex_cache *regexes;
    const struct xds_regex *run;          /* NULL: every case runs */
    struct xds_tree_file reading, beside; /* beside: what a file of tests names */
    struct xds_suite_results results;
    struct xds_suite_file *files;
    struct xds_coverage_table **coverages; /* those of results */
    enum xds_status status;                /* what ended the run, if it is not XDS_OK */
    /* the file in work */
    uint32_t number; /* in the report */
    struct xds_suite_file *file;
    struct xds_suite_case *cases;
    struct xds_suite_rejected *rejected;
    struct xds_strmap names; /* of its cases */
    struct xds_suite_head head;
    struct xds_suite_snapshot *snapshots; /* in the order in which cases want them */
    uint64_t n_expanded;
};

/* ---- what is wrong with a file ---- */

/* At a value of the file in work, or at its key. Always false. */
bool xds_suite_fault(struct xds_suite *suite, enum xds_rule_id rule,
                     const struct xds_tree *at, const char *format, ...) XDS_PRINTF(4, 5);
bool xds_suite_key_fault(struct xds_suite *suite, enum xds_rule_id rule,
                         const struct xds_tree *member, struct xds_slice what);
/* A member that a request cannot have. */
bool xds_suite_wrong_request(struct xds_suite *suite, const struct xds_tree *member,
                             struct xds_slice what);
/* A value that is not what its key asks for; what is no file of tests; a case. */
#define xds_suite_wrong_value(suite, at, ...)                                            \
    xds_suite_fault(suite, XDS_R_TEST_VALUE, at, __VA_ARGS__)
#define xds_suite_no_tests(suite, at, ...)                                               \
    xds_suite_fault(suite, XDS_R_TEST_DOCUMENT, at, __VA_ARGS__)
#define xds_suite_wrong_case(suite, at, ...)                                             \
    xds_suite_fault(suite, XDS_R_TEST_CASE, at, __VA_ARGS__)
/* The path cannot be read, as errno said; always false. */
bool xds_suite_cannot_read(struct xds_suite *suite, struct xds_slice path,
                           struct xds_slice why);
/* False after a fault: the object has a key that is not among these. */
bool xds_suite_check_keys(struct xds_suite *suite, const struct xds_tree *object,
                          const char *what, const char *const *keys);

/* ---- the head of a file ---- */

/* Read the members of the file into suite->head. False after a fault, and when the file
 * of its bootstrap cannot be read: suite->file->unread says so then. */
bool xds_suite_read_head(struct xds_suite *suite, const struct xds_tree *members);
/* The path of a file that is named in the one in work. */
struct xds_slice xds_suite_path(struct xds_suite *suite, struct xds_slice name);

/* The client and release that a value names, NULL: C-core; but a client of the settings
 * goes before it. False after a fault. */
bool xds_suite_read_client(struct xds_suite *suite, const struct xds_tree *value,
                           struct xds_client_release *out);

/* ---- cases whose values are lists ---- */

struct xds_choice {
    struct xds_slice key;
    const struct xds_tree *values;
    size_t n, at;  /* at: the one in turn */
    size_t member; /* of the request, or SIZE_MAX: the client */
};

struct xds_product {
    struct xds_tree request;       /* with the values in turn */
    const struct xds_tree *client; /* in turn; NULL: the case names none */
    struct xds_choice *choices;
    size_t n_choices;
    uint64_t total;
};

/* A value that names clients, or a list of such values, which may name several releases
 * each: a list of one apiece, or the value itself where it names one. */
const struct xds_tree *xds_suite_clients(struct xds_suite *suite,
                                         const struct xds_tree *value);

/* A document of router_check_tool becomes one of ours, in suite->document. False after a
 * fault. */
bool xds_suite_from_router_check(struct xds_suite *suite, struct xds_tree *members);

/* ---- snapshots ---- */

/* The snapshot that the head names as a client at a release reads it, or as its newest;
 * NULL when something cannot be read: suite->file->unread or suite->status says why. */
struct xds_suite_snapshot *xds_suite_snapshot(struct xds_suite *suite,
                                              struct xds_client_release reader);
/* The explainer of a client that reads it; NULL when there is no memory. */
struct xds_explainer *xds_suite_explainer(struct xds_suite *suite,
                                          struct xds_suite_snapshot *snapshot,
                                          enum xds_client client);
/* The same for RPCs that arrive at a server. */
struct xds_server *xds_suite_server(struct xds_suite *suite,
                                    struct xds_suite_snapshot *snapshot,
                                    enum xds_client client);
/* The same for both ends of RPCs. */
struct xds_joiner *xds_suite_joiner(struct xds_suite *suite,
                                    struct xds_suite_snapshot *snapshot,
                                    enum xds_client client);
/* List the resources that the clients of the cases reject in suite->file. */
void xds_suite_list_rejected(struct xds_suite *suite);
void xds_suite_end_snapshots(struct xds_suite *suite);

/* ---- what answers are printed as ---- */

/* The JSON that was printed there, of which only what is in `like` is needed, unless that
 * is NULL; an empty object when it was not. */
struct xds_tree xds_suite_tree_of(struct xds_arena *arena, const struct xds_text *text,
                                  const struct xds_tree *like, enum xds_status printed);
/* The text; absent when it was not printed. */
struct xds_slice xds_suite_text_of(const struct xds_text *text, enum xds_status printed);
/* {KEY: VALUE} of an answer's member, null if it has none. */
void xds_suite_put_member(struct xds_arena *arena, struct xds_tree *out,
                          const struct xds_tree *answer, const char *key);

/* ---- RPCs that arrive at a server ---- */

/* Is a member of a request for such an RPC, or for others? */
bool xds_suite_is_for(bool at_server, struct xds_slice member);
/* What becomes of the RPC; false after a fault. The answer lives until the next one. */
bool xds_suite_serve(struct xds_suite *suite, struct xds_suite_snapshot *snapshot,
                     enum xds_client client, const struct xds_tree *request,
                     const struct xds_served **out);
/* As JSON, as text for people, and how it ends: "denied: Unauthorized RPC rejected". */
struct xds_tree xds_suite_served_tree(struct xds_arena *arena,
                                      const struct xds_served *served);
struct xds_slice xds_suite_served_text(struct xds_arena *arena,
                                       const struct xds_served *served);
struct xds_slice xds_suite_served_ending(struct xds_arena *arena,
                                         const struct xds_served *served);
/* What to expect where nothing is: outcome, filter chain, policy, status. */
struct xds_tree xds_suite_served_expectation(struct xds_arena *arena,
                                             const struct xds_tree *answer);

/* ---- RPCs from end to end ---- */

/* Does the request ask for both ends? The defaults count for what it does not say. */
bool xds_suite_is_joint(const struct xds_tree *request, const struct xds_tree *defaults);
/* Takes what tells of the connection out of the request; false after a fault. */
bool xds_suite_take_connection(struct xds_suite *s, struct xds_tree *request,
                               struct xds_inbound *out);
/* The other end of the decision's RPC; false after a fault. The answer lives until the
 * next one. */
bool xds_suite_join(struct xds_suite *suite, struct xds_suite_snapshot *snapshot,
                    enum xds_client client, const struct xds_decision *decision,
                    const struct xds_inbound *connection, const struct xds_joint **out);
/* As those of a server. */
struct xds_tree xds_suite_joint_tree(struct xds_arena *arena,
                                     const struct xds_joint *joint);
struct xds_slice xds_suite_joint_ending(struct xds_arena *arena,
                                        const struct xds_tree *answer);
struct xds_tree xds_suite_joint_expectation(struct xds_arena *arena,
                                            const struct xds_tree *answer);

/* ---- answers ---- */

/* The first member of what is expected that no answer can have, or that is there
 * twice, with what is wrong; NULL: all is well. */
const struct xds_tree *xds_shape_find_fault(struct xds_arena *arena,
                                            const struct xds_tree *expect,
                                            enum xds_suite_end end,
                                            struct xds_slice *what);
/* An answer has all of this only when every route is tried. */
bool xds_shape_needs_every_route(const struct xds_tree *expect);

/* KEY, which ends with ": " or so, and the text in quotes; nothing when it is absent. */
void xds_suite_put(struct xds_out *out, const char *key, struct xds_slice text);
/* The key of that name, unless there are no paths. */
void xds_suite_put_snapshot(struct xds_out *out, const char *const *paths, size_t n);
/* "client: go@1.64.1", with the release that was asked for. */
void xds_suite_put_client(struct xds_out *out, const struct xds_check *check,
                          enum xds_client client);
/* ", headers: [[NAME, VALUE], ...]"; nothing when there are none. */
void xds_suite_put_headers(struct xds_out *out, const struct xds_request *request);
/* What is to be expected in place of `want`, as a file of this format has it; got NULL:
 * null. */
struct xds_slice xds_suite_value_now(struct xds_arena *arena, enum xds_format format,
                                     const struct xds_tree *want,
                                     const struct xds_tree *got);
/* What to expect where nothing is: route, clusters, host, or how it ends. */
struct xds_tree xds_suite_expectation(struct xds_arena *arena,
                                      const struct xds_tree *answer, bool routed);

/* A first file of tests in the making. */
struct xds_first {
    struct xds_out *out;
    struct xds_arena *arena;
    struct xds_check *check;
    enum xds_client client;
    const char *const *paths;
    size_t n_paths;
    struct xds_explainer *explainer;
    struct xds_server *server;
    struct xds_strmap routes, names; /* that have a case, by address; of the cases */
    size_t n, n_secret; /* cases; routes that have none, as it would hold a secret */
    enum xds_status status;
};

/* What comes before the first case. */
void xds_first_head(const struct xds_first *first);
/* Does it hold what does not belong into a file that is kept? */
bool xds_first_has_secret(const struct xds_request *request);
/* A case for each route and policy of servers for which an RPC is found. */
void xds_first_servers(struct xds_first *first);

/* Where the differences go. */
struct xds_comparison {
    struct xds_arena *run_arena, *case_arena;
    bool update; /* all of them, each with what is to be expected */
    enum xds_format format;
    struct xds_suite_mismatch *list;
    size_t n, n_more; /* more: over XDS_MAX_MISMATCHES */
};

/* Objects: every member that is expected. Lists: as many items, each as expected.
 * Numbers: within 1e-9. All else must be equal. */
/* One difference: `want` is to be `got`. */
void xds_suite_differ(struct xds_comparison *out, struct xds_slice path,
                      const struct xds_tree *want, const struct xds_tree *got);
void xds_suite_compare(struct xds_comparison *out, const struct xds_tree *expect,
                       const struct xds_tree *answer);

/* Run it and add what came of it to suite->file. What is wrong with the case itself goes
 * to the report, and it is not run. */
void xds_suite_run_case(struct xds_suite *suite, const struct xds_tree *test);

#endif
