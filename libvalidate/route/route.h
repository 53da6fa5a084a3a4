/* route.h - what the routes of a virtual host make of an RPC. */
#ifndef XDS_ROUTE_ROUTE_H
#define XDS_ROUTE_ROUTE_H

#include "base/arena.h"
#include "base/number.h"
#include "base/random.h"
#include "base/text.h"
#include "catalogue/status.h"
#include "clients/environment.h"
#include "clients/readers.h"
#include "model/filter.h"
#include "model/listener.h"
#include "model/matcher.h"
#include "model/route_config.h"
#include "model/snapshot.h"

/* Of whatever has a client and options: an RPC, a machine, the maker of a config. */
#define XDS_DIFFERS(of, difference) xds_differs((of)->options, (of)->client, (difference))
#define XDS_ENV_ON(of, env) xds_env_on((of)->options, (env), (of)->client)

struct xds_rpc {
    enum xds_client client;
    const struct xds_options *options;
    const struct xds_request *request;
    struct xds_random *random;   /* the only source of chance */
    struct xds_arena *arena;     /* of the decision */
    struct xds_slice *undecided; /* what a regex that hit its limit left unanswered; NULL:
                                    none is set */
    const struct xds_rule **killed_by; /* of which the client dies on the way; NULL: none
                                          is set */
    uint64_t flipped; /* readings to be taken the other way, see xds_reads(); else 0 */
    bool at_server;   /* it has arrived: what a route forwards is of no use */
    bool is_tls;      /* how it has arrived */
};

/* Remember that no answer can be given, and why. The first reason stays. */
void xds_rpc_undecided(const struct xds_rpc *rpc, struct xds_slice why);
bool xds_rpc_is_undecided(const struct xds_rpc *rpc);

/* Remember that the client dies. The first rule stays. */
void xds_rpc_kills(const struct xds_rpc *rpc, const struct xds_rule *rule);

/* What chance may do to a test: settled, or left open because no number was given. */
enum xds_chance { XDS_CHANCE_NO, XDS_CHANCE_YES, XDS_CHANCE_OPEN };

/* Text in quotes for a reason; long text is cut and ends in "...". */
struct xds_slice xds_excerpt(struct xds_arena *arena, struct xds_slice text);

/* ---- readings ---- */

/* Where the clients read the same configuration differently: each XDS_READING of
 * differences.def is one such difference. Code that decides asks here, so that explain/
 * can also ask what one difference changes. */

enum xds_reading {
#define XDS_READING(id, clients, source, text) XDS_READS_##id,
#include "clients/differences.def"
    XDS_READINGS,
};

#define XDS_READING_BIT(reading) ((uint64_t)1 << (reading))

struct xds_reading_row {
    enum xds_difference difference; /* the same row, for who reads so */
    const char *text;               /* "reads an absent case_sensitive as false" */
};

extern const struct xds_reading_row xds_readings[XDS_READINGS];

/* Does the client, at the release that was asked for, read it so? */
static inline bool xds_reads_as(const struct xds_options *options, enum xds_client client,
                                enum xds_reading reading)
{
    return xds_differs(options, client, xds_readings[reading].difference);
}

/* All readings of a client, as a mask of XDS_READING_BIT. */
uint64_t xds_readings_of(const struct xds_options *options, enum xds_client client);

/* Is it read so for this RPC? */
static inline bool xds_reads(const struct xds_rpc *rpc, enum xds_reading reading)
{
    return xds_reads_as(rpc->options, rpc->client, reading) !=
           (rpc->flipped >> reading & 1u);
}

/* ---- the listener and the authority that a target URI stands for ---- */

struct xds_target {
    struct xds_slice listener;  /* resource name */
    struct xds_slice authority; /* of the data plane, as this client compares it */
    struct xds_slice foreign;   /* the scheme, if another resolver than xDS has it */
    struct xds_slice unknown;   /* an authority that the bootstrap lacks; absent: none, or
                                   no bootstrap was given */
};

/* "xds:///NAME", "xds://AUTHORITY/NAME", "xds:NAME" or a bare name; all but the last may
 * have a query and a fragment, which name nothing. */
struct xds_target xds_target_parse(const struct xds_rpc *rpc, struct xds_slice uri);
/* The other way: a target with which a client asks for this listener; absent where none
 * is sure to. */
struct xds_slice xds_target_of(struct xds_arena *arena, const struct xds_options *options,
                               struct xds_slice listener);
/* Can a target have this name as it is? */
bool xds_target_takes(struct xds_slice name);
/* The listener that a gRPC server on this address asks for, by the template of its
 * bootstrap. */
struct xds_slice xds_server_listener_name(struct xds_arena *arena,
                                          struct xds_slice template,
                                          struct xds_slice address);
/* How this client spells an authority: core percent-encodes what cannot be there. */
struct xds_slice xds_authority_of(const struct xds_rpc *rpc, struct xds_slice text);

/* What a route asks of an RPC: "path prefix /shop.Cart/, header x-tester yes". */
void xds_route_match_words(struct xds_text *text, const struct xds_route_match *match);

/* ---- resources as a client has them ---- */

/* The model of a resource; NULL when it is missing or the client rejects it or
 * dies of it, *why (if not NULL) is then a clause: "is not in the snapshot". */
const void *xds_accepted(const struct xds_snapshot *snapshot, enum xds_client client,
                         enum xds_resource_type type, struct xds_slice name,
                         const char **why);

/* The clause of a resource that the client rejects: "is rejected by go (NACK)". */
const char *xds_rejection(const struct xds_snapshot *snapshot, enum xds_client client);

/* The rule of which the client dies for this resource; NULL: it does not. */
const struct xds_rule *xds_killed_by(const struct xds_snapshot *snapshot,
                                     enum xds_client client, enum xds_resource_type type,
                                     struct xds_slice name);

/* ---- virtual hosts ---- */

/* Best first. */
enum xds_domain_class {
    XDS_DOMAIN_EXACT,
    XDS_DOMAIN_SUFFIX,   /* "*.example.com" */
    XDS_DOMAIN_PREFIX,   /* "example.*" */
    XDS_DOMAIN_UNIVERSE, /* "*" */
    XDS_DOMAIN_INVALID,
};

struct xds_virtual_host_choice {
    size_t index;
    const struct xds_virtual_host *host; /* NULL: none matches */
    struct xds_slice domain;             /* the pattern that won */
    enum xds_domain_class match;
    struct xds_slice ended_at; /* the pattern at which the client gives up; or absent */
    const char *ended_why;     /* "which is invalid" */
    bool ends_in_panic;        /* of the channel: */
    const struct xds_rule *killed_by; /* NULL: the authority is what it cannot take */
};

/* "exact", "suffix", "prefix", "universe". */
const char *xds_domain_class_name(enum xds_domain_class match);

/* Does the client validate the virtual host of a channel alone, and reject this one? */
bool xds_rejects_host(const struct xds_options *options, enum xds_client client,
                      const struct xds_virtual_host *host);

/* The virtual host for an authority, as this client finds it. */
struct xds_virtual_host_choice
xds_virtual_host_find(const struct xds_route_config *config,
                      const struct xds_options *options, enum xds_client client,
                      struct xds_slice authority);
/* The same under a mask of readings, see xds_readings_of(). */
struct xds_virtual_host_choice
xds_virtual_host_find_as(const struct xds_route_config *config, uint64_t readings,
                         struct xds_slice authority);

/* ---- where routes may lead ---- */

/* A cluster, or a plugin that chooses one. */
typedef void xds_route_lead_fn(void *user, bool plugin, struct xds_slice name);
/* The names for which this client keeps a child because of the route, in its order, each
 * as often as it is there. */
void xds_route_leads(const struct xds_options *options, enum xds_client client,
                     const struct xds_route *route, xds_route_lead_fn *lead, void *user);

/* ---- headers that a client sees ---- */

/* The value of a header, several values joined with ','; false when it is absent for
 * this client. name is the one in the resource, verbatim. */
bool xds_metadata_get(const struct xds_rpc *rpc, struct xds_slice name,
                      struct xds_slice *value);
/* The same for a hash policy, which reads no binary header. */
bool xds_metadata_get_hashed(const struct xds_rpc *rpc, struct xds_slice name,
                             struct xds_slice *value);
/* Does each client see a header of this name with the value that was sent? */
bool xds_metadata_is_plain(struct xds_slice name);
/* Why this client sees no header of that name, whatever the request carries; NULL when it
 * can. */
const char *xds_metadata_hidden(const struct xds_rpc *rpc, struct xds_slice name);
/* The i-th request header named `name` (lower case), counting from 0. */
bool xds_metadata_nth(const struct xds_rpc *rpc, struct xds_slice name, size_t i,
                      struct xds_slice *value);

/* ---- matchers ---- */

/* A regex as this client compiles it. */
const struct xds_regex *xds_regex_of(const struct xds_rpc *rpc,
                                     const struct xds_regex *regex);
/* Does this client compare the path without regard to case? */
bool xds_path_folds(const struct xds_path_matcher *matcher,
                    const struct xds_options *options, enum xds_client client);
/* False: *reason is the sentence that says why not. */
bool xds_path_matches(const struct xds_rpc *rpc, const struct xds_path_matcher *matcher,
                      struct xds_slice *reason);
/* One text against one matcher; undecided: noted in the RPC. */
bool xds_string_matches(const struct xds_rpc *rpc,
                        const struct xds_string_matcher *matcher, struct xds_slice text);
/* Does the matcher hold for a header of this value? NULL: for an absent one. */
enum xds_match xds_header_takes(const struct xds_rpc *rpc,
                                const struct xds_header_matcher *matcher,
                                const struct xds_slice *value);
bool xds_header_matches(const struct xds_rpc *rpc,
                        const struct xds_header_matcher *matcher,
                        struct xds_slice *reason);
/* Path, then every header in list order, up to the first that fails; *passed: how many of
 * them match; 1 when the path is known to, 0 else. The fraction is not looked at. */
enum xds_match xds_match_certain(const struct xds_rpc *rpc,
                                 const struct xds_route_match *match, size_t *passed);
/* The sentence for the criterion after those that matched, and how it failed. */
struct xds_slice xds_match_reason(const struct xds_rpc *rpc,
                                  const struct xds_route_match *match, size_t passed,
                                  enum xds_match result);

/* ---- fractions ---- */

struct xds_fraction_result {
    enum xds_chance chance;
    double probability;     /* of a match, before anything is drawn */
    bool drawn;             /* a number was taken */
    uint64_t matching;      /* numbers below it match */
    uint64_t number, bound; /* the number, in [0, bound) */
};

/* Draws one number if the match has a fraction that this client tests. */
struct xds_fraction_result xds_fraction_test(const struct xds_rpc *rpc,
                                             const struct xds_route_match *match);

/* ---- index of routes ---- */

/* Which routes of a virtual host may take an RPC, without trying them all. A route that
 * the index skips cannot match for this client; those it names are still tried, in list
 * order, so that answer and reasons are those of the plain walk. */

struct xds_route_index;

/* For one client and one virtual host, which must outlive it; lives in the arena. */
struct xds_route_index *xds_route_index_build(struct xds_arena *arena,
                                              const struct xds_options *options,
                                              enum xds_client client,
                                              const struct xds_virtual_host *host);

/* Positions of routes, ascending. */
struct xds_route_list {
    const uint32_t *at;
    uint32_t n;
    bool path_matches; /* of each of them, for certain */
};

/* A merge of the lists that fit a request. */
struct xds_route_cursor {
    struct xds_route_list *lists;
    size_t n, cap;
};

/* The cursor lives in the RPC's arena. */
void xds_route_cursor_init(struct xds_route_cursor *cursor,
                           const struct xds_route_index *index,
                           const struct xds_rpc *rpc);
/* False at the end. path_matches: it need not be looked at again. */
bool xds_route_cursor_next(struct xds_route_cursor *cursor, size_t *position,
                           bool *path_matches);

/* ---- the walk over routes ---- */

/* One route that was tried. */
struct xds_route_try {
    size_t index;
    const struct xds_route *route;
    enum xds_chance matched;
    double probability;  /* that the RPC takes this route */
    uint64_t takes, of;  /* OPEN: so many of the numbers that may be drawn match */
    size_t drawn_before; /* random numbers, when it was tried */
    size_t passed;       /* criteria that match: the path, then headers in order */
    bool undecided;      /* the one after them hit a limit */
    bool drawn;          /* a number was, for the fraction: */
    uint64_t number;
    struct xds_slice reason; /* once xds_route_reasons() has said it */
};

struct xds_route_walk {
    struct xds_route_try *tries; /* in order */
    size_t n_tries;
    double unmatched; /* probability that no route takes the RPC */
};

/* Fill in a try whose route is set, but for its reason; passed: 1 when the path is known
 * to match, else 0. left: the probability that the RPC comes this far. */
void xds_route_try_one(const struct xds_rpc *rpc, double left, struct xds_route_try *try);
/* Tries the routes in order until one certainly matches. A fraction whose number is not
 * given splits the walk; both ways are followed with their probabilities. With an index
 * of this host and client only the routes that it names are among the tries. */
struct xds_route_walk xds_route_select(const struct xds_rpc *rpc,
                                       const struct xds_virtual_host *host,
                                       const struct xds_route_index *index);
/* Say of each try why it ended as it did: apart, since texts cost more than the walk. */
void xds_route_reasons(const struct xds_rpc *rpc, const struct xds_route_walk *walk);

/* ---- weighted clusters ---- */

struct xds_weighted_choice {
    const struct xds_weighted_cluster *entry;
    uint64_t part; /* numbers below `below` that pick it */
    double probability;
};

struct xds_weighted_choices {
    const struct xds_weighted_choice *list; /* of weight > 0; one if a number was drawn */
    size_t n;
    uint64_t below; /* the number is drawn below it: the sum of the weights, mostly */
    uint64_t none;  /* numbers below it that pick no cluster */
};

uint64_t xds_weight_sum(const struct xds_route *route);
/* What the client draws a number below, to pick one of the clusters. */
uint64_t xds_weight_below(const struct xds_rpc *rpc, const struct xds_route *route);
struct xds_weighted_choices xds_weighted_pick(const struct xds_rpc *rpc,
                                              const struct xds_route *route);

/* ---- filters and their overrides ---- */

/* The three maps, the most specific one first; entry is NULL on a plain route. */
struct xds_override_scope {
    const struct xds_weighted_cluster *entry;
    const struct xds_route *route;
    const struct xds_virtual_host *host;
};

/* Whose config or flag it is. */
enum xds_config_level {
    XDS_CONFIG_WEIGHTED_CLUSTER,
    XDS_CONFIG_ROUTE,
    XDS_CONFIG_VIRTUAL_HOST,
    XDS_CONFIG_LISTENER,
};

/* A filter of the listener as one RPC meets it. */
struct xds_filter_use {
    const struct xds_filter *filter;
    enum xds_config_level from;
    const struct xds_filter_override *override; /* NULL: the config of the listener */
    bool dropped;                               /* this client has no such filter */
    bool disabled;           /* switched off, and the client honors that */
    struct xds_slice reason; /* a sentence, or absent */
};

/* "weighted_cluster", "route", "virtual_host", "listener". */
const char *xds_config_level_name(enum xds_config_level level);

/* The override that replaces the filter's own config, or NULL. */
const struct xds_filter_override *
xds_override_find(const struct xds_override_scope *scope, enum xds_client client,
                  const struct xds_filter *filter);
/* Is the filter in this RPC's chain at all? */
bool xds_filter_in_chain(const struct xds_override_scope *scope,
                         const struct xds_rpc *rpc, const struct xds_filter *filter);
/* Both, with reasons. */
struct xds_filter_use xds_filter_use_of(const struct xds_override_scope *scope,
                                        const struct xds_rpc *rpc,
                                        const struct xds_filter *filter);

/* ---- composite filters ---- */

enum xds_tree_result {
    XDS_TREE_CHOSEN,
    XDS_TREE_NOTHING, /* no match and no on_no_match: the RPC fails */
    XDS_TREE_UNKNOWN, /* a CEL expression decides */
};

/* CHOSEN: *out is the action. */
enum xds_tree_result xds_filter_tree_choose(const struct xds_rpc *rpc,
                                            const struct xds_filter_tree *tree,
                                            const struct xds_filter_choice **out);

/* ---- faults ---- */

/* One fault injection filter that may act on the RPC. */
struct xds_fault_chance {
    const struct xds_filter *filter;
    double abort;          /* probability, for an RPC that reaches the filter */
    uint32_t code;         /* of the abort: a gRPC status code */
    struct xds_slice text; /* its message */
    double delay;          /* probability */
    int64_t delay_ns;      /* how long */
    const struct xds_fault *config;
};

/* In the order of the listener's filters. */
struct xds_faults {
    const struct xds_fault_chance *list;
    size_t n;
    bool aborts;      /* the last one certainly does: no filter after it sees the RPC */
    size_t ends_at;   /* aborts: position of that filter in the listener */
    bool has_filter;  /* there is one, even if it does nothing to this RPC */
    unsigned headers; /* that they look at: bit i for xds_fault_headers[i] */
};

/* Nothing is drawn: what chance decides is left open. */
struct xds_faults xds_faults_of(const struct xds_rpc *rpc,
                                const struct xds_listener *listener,
                                const struct xds_override_scope *scope);

/* A header of an RPC that asks for a fault. */
struct xds_fault_header {
    const char *name;
    const char *asked; /* the member of a fault filter that lets it */
    bool delays, is_http;
    const struct xds_fault_header *instead; /* what all clients read, where some do not */
};
enum { XDS_FAULT_HEADERS = 3 };
extern const struct xds_fault_header xds_fault_headers[XDS_FAULT_HEADERS];
/* "UNAVAILABLE"; digits for a code that gRPC does not have. */
struct xds_slice xds_status_code_text(struct xds_arena *arena, uint32_t code);

/* ---- timeout and retries ---- */

/* What a client does with a retry policy. */
struct xds_retries {
    uint32_t attempts; /* with the first one */
    bool capped;       /* the policy asks for more */
    int64_t initial_backoff_ns, max_backoff_ns;
};

struct xds_method_config {
    bool has_timeout; /* and it is not 0 */
    int64_t timeout_ns;
    const char *timeout_from;             /* the field that says it, also if 0; or NULL */
    bool timeout_of_route;                /* and not of the listener */
    const struct xds_retry_policy *retry; /* NULL: none; else it has codes */
    struct xds_retries retries;           /* what this client makes of it */
    unsigned codes;                       /* XDS_RETRY_* bits that this client reads */
    bool retry_of_route;                  /* the policy found is that of the route ... */
    bool retry_hides_host; /* ... and has no codes, but the virtual host's would */
    const struct xds_retry_policy *retry_unread; /* one without codes, or NULL */
};

/* XDS_RETRY_* bits that this client reads. */
unsigned xds_retry_codes(const struct xds_retry_policy *policy,
                         const struct xds_options *options, enum xds_client client);
/* False when it is empty. */
bool xds_method_config_of(const struct xds_listener *listener,
                          const struct xds_virtual_host *host,
                          const struct xds_route *route, const struct xds_rpc *rpc,
                          struct xds_method_config *out);
/* What core says of the method config it made of an unusable policy. */
const char *xds_retries_core_error(const struct xds_retry_policy *policy);
/* What java says of such a policy when the RPC comes; NULL: it can be used. */
const char *xds_retries_java_error(const struct xds_retry_policy *policy);
struct xds_retries xds_retries_of(const struct xds_options *options,
                                  enum xds_client client,
                                  const struct xds_retry_policy *policy);

/* ---- the request hash ---- */

/* What came of one hash policy. */
struct xds_hash_step {
    const struct xds_hash_policy *policy;
    struct xds_slice value; /* what was hashed; absent if nothing was */
    bool has_hash;
    uint64_t hash;           /* of this policy alone */
    struct xds_slice reason; /* why it gives none, or ends the list; or absent */
    struct xds_slice thrown; /* the exception that it ends with; or absent */
};

/* Unless it is known it is random: for each channel, of whose id it is made, or for each
 * RPC. */
struct xds_request_hash {
    bool known, of_channel;
    xds_u128 hash;           /* of some clients more than 64 bits */
    struct xds_slice thrown; /* the exception that the RPC ends with instead; or absent */
};

struct xds_request_hash xds_request_hash(const struct xds_rpc *rpc,
                                         const struct xds_route *route);
/* The same, policy by policy; one step for each of the route. */
const struct xds_hash_step *xds_request_hash_steps(const struct xds_rpc *rpc,
                                                   const struct xds_route *route);

/* ---- substitutions of a regex_rewrite ---- */

struct xds_substitution {
    struct xds_slice text; /* as RE2 spells it, for xds_regex_replace_all() */
    bool unknown;          /* it names a group by name or above 9: the text is unknown */
    struct xds_slice thrown; /* the exception of a client that fails on it; or absent */
};

struct xds_substitution xds_substitution_read(const struct xds_rpc *rpc,
                                              const struct xds_hash_policy *policy);

/* ---- :authority ---- */

/* Does auto_host_rewrite of the route hold for this client? *reason is a sentence that
 * says why or why not. */
bool xds_host_rewrite_holds(const struct xds_rpc *rpc, const struct xds_route *route,
                            struct xds_slice *reason);

/* ---- what is said of a failure ---- */

/* In the words of this client; name: what the words name, such as the authority, see
 * catalogue/status.def. */
struct xds_failed xds_failure_text(const struct xds_rpc *rpc, enum xds_failure failure,
                                   struct xds_slice name);
/* The same without an RPC; any: what * of the words is. */
struct xds_failed xds_failure_words(struct xds_arena *arena,
                                    const struct xds_options *options,
                                    enum xds_client client, enum xds_failure failure,
                                    struct xds_slice name, struct xds_slice any);
/* The documents name few texts: where they name none grfc speaks as core. */
bool xds_speaks_as_core(const struct xds_rpc *rpc);
/* A resource is not accepted; clause: as xds_accepted() gives it. Where the words of a
 * client are not known, as of what it rejects, they are a sentence of ours. */
struct xds_failed xds_failure_resource(const struct xds_rpc *rpc,
                                       const struct xds_snapshot *snapshot,
                                       enum xds_resource_type type, struct xds_slice name,
                                       const char *clause);
/* Why the client does not have it: it was not given it, or rejects it. */
const struct xds_rpc_failure *xds_absence_reason(const struct xds_snapshot *snapshot,
                                                 enum xds_resource_type type,
                                                 struct xds_slice name);

#endif
