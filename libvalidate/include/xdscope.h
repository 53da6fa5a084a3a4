/*
 * xdscope.h - what gRPC clients make of an xDS snapshot: the public API.
 *
 * The calls of a lint, in order (cli/cmd_lint.c makes the same ones):
 *
 *   xds_report_new, xds_source_new, xds_source_add ... then for each resource of
 *   xds_source_next: xds_check_resource (decode, rules, lint) ... then xds_report_sort
 *   and one of the xds_print_* functions.
 *
 * The library never prints, exits, aborts or keeps global state. Sizes are bytes,
 * times are milliseconds, text is UTF-8 in slices that need no NUL. What a function
 * returns belongs to the object it came from unless its comment says otherwise.
 */
#ifndef XDSCOPE_H
#define XDSCOPE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#if defined(__GNUC__)
#define XDS_API __attribute__((visibility("default")))
#define XDS_MUST_USE __attribute__((warn_unused_result))
#define XDS_PRINTF(fmt, first) __attribute__((format(printf, fmt, first)))
#else
#define XDS_API
#define XDS_MUST_USE
#define XDS_PRINTF(fmt, first)
#endif

/* ---- common types -------------------------------------------------------------- */

/* How an operation ended. What is wrong with the input is never a status: it is a
 * finding of the report. */
enum xds_status {
    XDS_OK,
    XDS_END,           /* nothing more to read */
    XDS_ERR_NO_MEMORY, /* also: the memory limit of one resource, see xds_limits */
    XDS_ERR_IO,        /* cannot read or write; errno says why */
    XDS_ERR_USAGE,     /* an argument that cannot be used; the message says which */
};

/* Text: len bytes at data, not NUL-terminated. An absent text has data NULL. */
struct xds_slice {
    const char *data;
    size_t len;
};

/* The five readings of a snapshot. */
enum xds_client {
    XDS_CLIENT_GRFC, /* what the documents say */
    XDS_CLIENT_CORE,
    XDS_CLIENT_GO,
    XDS_CLIENT_JAVA,
    XDS_CLIENT_NODE,
    XDS_CLIENTS /* how many there are */
};

/* Sets of clients are bit masks. */
#define XDS_CLIENT_BIT(client) (1u << (client))
#define XDS_ALL_CLIENTS ((1u << XDS_CLIENTS) - 1u)

/* What one client does about one finding. */
enum xds_verdict {
    XDS_ACCEPT, /* the client does not mind, or never looks there */
    XDS_IGNORE, /* the field has no effect */
    XDS_SKIP,   /* the route, filter or entry is dropped without a word */
    XDS_NACK,   /* the resource is rejected; the client keeps its old one */
};

enum xds_level { XDS_LEVEL_NOTE, XDS_LEVEL_WARNING, XDS_LEVEL_ERROR };

/* "grfc", "core", "go", "java", "node". */
XDS_API const char *xds_client_name(enum xds_client client);
/* "ACCEPT", "IGNORE", "SKIP", "NACK". */
XDS_API const char *xds_verdict_name(enum xds_verdict verdict);
/* "note", "warning", "error". */
XDS_API const char *xds_level_name(enum xds_level level);
/* False when name is no client. */
XDS_API bool xds_client_from_name(struct xds_slice name, enum xds_client *out);

/* The version of the library: "X.Y.Z". */
XDS_API const char *xds_version(void);

/* ---- options ------------------------------------------------------------------- */

/* What a gRPC environment variable switches, per client. XDS_ENV_UNSET = the default
 * of that client today. The names are those of xds_env_name(). */
enum xds_env {
    XDS_ENV_DUALSTACK_ENDPOINTS,
    XDS_ENV_SNI,
    XDS_ENV_ORCA_LRS_PROPAGATION,
    XDS_ENV_ENDPOINT_HASH_KEY_BACKWARD_COMPAT,
    XDS_ENV_FEDERATION,
    XDS_ENV_HTTP_CONNECT,
    XDS_ENV_DATA_ERROR_HANDLING,
    XDS_ENV_ENDPOINT_FALLBACK,
    XDS_ENV_WRR_CUSTOM_METRICS,
    XDS_ENV_RING_HASH_SET_REQUEST_HASH_KEY,
    XDS_ENV_PF_WEIGHTED_SHUFFLING,
    XDS_ENV_AGGREGATE_CLUSTER_BACKWARD_COMPAT,
    XDS_ENV_USE_CHANNEL_AUTHORITY_IF_NO_SNI,
    XDS_ENV_MTLS_SPIFFE,
    XDS_ENV_OVERRIDE_HOST,
    XDS_ENV_AUTHORITY_REWRITE,
    XDS_ENV_GCP_AUTHENTICATION_FILTER,
    XDS_ENV_SYSTEM_ROOT_CERTS,
    XDS_ENV_CUSTOM_LB_CONFIG,
    XDS_ENV_OUTLIER_DETECTION,
    XDS_ENV_PRIORITY_CHILD_POLICY_CACHE,
    XDS_ENV_CONNECTION_SCALING,
    XDS_ENV_XDS_CONNECTION_SCALING,
    XDS_ENV_RING_HASH_CAP,
    XDS_ENV_ROUTING,
    XDS_ENV_ENABLE_TIMEOUT,
    XDS_ENV_FAULT_INJECTION,
    XDS_ENV_NEW_SERVER_API,
    XDS_ENV_SECURITY_SUPPORT,
    XDS_ENV_RBAC,
    XDS_ENV_ENABLE_RETRY,
    XDS_ENV_ENABLE_RING_HASH,
    XDS_ENV_ENABLE_LEAST_REQUEST,
    XDS_ENV_CIRCUIT_BREAKING,
    XDS_ENV_AGGREGATE_AND_LOGICAL_DNS,
    XDS_ENV_RLS_LB,
    XDS_ENV_RBAC_AUDIT_LOGGING,
    XDS_ENV_COMPOSITE_FILTER,
    XDS_ENV_EXT_AUTHZ_ON_CLIENT,
    XDS_ENV_EXT_AUTHZ_ON_SERVER,
    XDS_ENV_EXT_PROC_ON_CLIENT,
    XDS_ENV_EXT_PROC_ON_SERVER,
    XDS_ENV_WRR_LB,
    XDS_ENV_PICKFIRST_LB_CONFIG,
    XDS_ENV_BOOTSTRAP_CALL_CREDS,
    XDS_ENV_PANIC_RECOVERY,
    XDS_ENV_EXPERIMENTS,
    XDS_ENVS /* how many there are */
};

/* The full variable name, such as "GRPC_EXPERIMENTAL_XDS_SNI". */
XDS_API const char *xds_env_name(enum xds_env env);

/* Everything that changes a verdict or a decision. Start from xds_options_init(). */
struct xds_options {
    unsigned clients;           /* whose verdict counts: a mask */
    uint64_t env_set[XDS_ENVS]; /* 0 unset, 1 false, 2 true, n + 3 the number n */
    bool allow_unknown_fields;
    bool partial;            /* a dangling reference is a note */
    bool trusted_xds_server; /* bootstrap: server_features */
    bool has_bootstrap;
    size_t n_provider_instances; /* bootstrap: certificate_providers, borrowed */
    const struct xds_slice *provider_instances;
    size_t n_allowed_grpc_services; /* bootstrap: keys of that name, borrowed */
    const struct xds_slice *allowed_grpc_services;
};

XDS_API void xds_options_init(struct xds_options *options);
/* "NAME=VALUE". XDS_ERR_USAGE when NAME is no variable of the catalogues; *hint is then
 * the nearest known name, or NULL. Booleans: "true", "1", "t", "yes", "y" are on. */
XDS_API XDS_MUST_USE enum xds_status xds_options_set_env(struct xds_options *options,
                                                         struct xds_slice assignment,
                                                         const char **hint);
/* What the variable is for this client: set, or else the client's default. */
XDS_API bool xds_env_on(const struct xds_options *options, enum xds_env env,
                        enum xds_client client);
/* The clients for which the variable is on. */
XDS_API unsigned xds_env_mask(const struct xds_options *options, enum xds_env env);

/* ---- rules --------------------------------------------------------------------- */

/* What kind of fault a rule names. */
enum xds_effect {
    XDS_EFFECT_NACK,    /* the worst that any client does is: reject */
    XDS_EFFECT_SKIP,    /* ... drop the entry */
    XDS_EFFECT_IGNORE,  /* ... not look at the field */
    XDS_EFFECT_HYGIENE, /* every client accepts; it is a slip all the same */
    XDS_EFFECT_SYNTAX,  /* the input is not xDS: no client ever sees a resource */
};

/* One row of a .def file. All text is static. */
struct xds_rule {
    const char *id;     /* "STRM_ABSENT" */
    const char *slug;   /* "string-matcher-absent": what users see; stable */
    const char *source; /* "gRFC A63, spec G31" */
    const char *text;   /* one sentence: what must hold */
    enum xds_effect effect;
    enum xds_level level; /* of hygiene and syntax rows */
    unsigned char verdict[XDS_CLIENTS];
};

/* All rules: an array of *count rows, in the order of the catalogue. */
XDS_API const struct xds_rule *xds_rules(size_t *count);
/* By slug or id; NULL when there is none, *hint is then the nearest slug or NULL. */
XDS_API const struct xds_rule *xds_rule_find(struct xds_slice name, const char **hint);

/* ---- from a log back to the rules ---------------------------------------------- */

/* A rule that an error in a log is probably of. */
struct xds_log_match {
    const struct xds_rule *rule;
    unsigned clients; /* mask: who words the error so */
};

/* One error that was found in a log. An absent text is one that the log does not tell. */
struct xds_log_error {
    const char *type;          /* "Cluster": the kind of the resource, or "" */
    struct xds_slice resource; /* its name */
    struct xds_slice path;     /* "virtual_hosts[0].domains", in C-core's grammar */
    struct xds_slice message;  /* as it stands in the log */
    size_t n_matches;          /* 0: no client is known to say so */
    const struct xds_log_match *matches; /* best first */
    const struct xds_rule *nearest;      /* for an unknown message, or NULL */
};

/* The longest text that xds_log_read() takes, in bytes, and how many errors it tells. */
#define XDS_LOG_TEXT_MAX ((size_t)256 << 10)
#define XDS_LOG_ERRORS_MAX 1000

struct xds_log;

/* Find the errors in any text that holds NACK messages of gRPC clients: the bare message,
 * one log line or many, of one client or several. Errors that a text of C-core names by
 * field are all told, known or not; of other lines only those that are known, unless
 * none is. The text is copied. Time is linear in its length. *out is NULL unless XDS_OK;
 * XDS_ERR_USAGE when the text is longer than XDS_LOG_TEXT_MAX. */
XDS_API XDS_MUST_USE enum xds_status xds_log_read(struct xds_slice text,
                                                  struct xds_log **out);
XDS_API void xds_log_free(struct xds_log *log);
XDS_API size_t xds_log_errors(const struct xds_log *log);
/* NULL behind the last one. It and its texts live as long as the log. */
XDS_API const struct xds_log_error *xds_log_error(const struct xds_log *log, size_t i);

/* ---- findings ------------------------------------------------------------------ */

/* A place in an input file. Lines and columns count from 1, columns in code points;
 * end is one past the last character. line 0 = not known. */
struct xds_place {
    uint32_t file; /* index for xds_report_file() */
    uint32_t line, column, end_line, end_column;
};

/* One resource that was read. */
struct xds_resource_result {
    struct xds_slice type; /* "envoy.config.route.v3.RouteConfiguration" */
    struct xds_slice name; /* may be empty */
    struct xds_place at;
    unsigned nacked_by;    /* mask */
    uint32_t index;        /* among the resources of one response type in its file */
    bool named_by_wrapper; /* name is that of the wrapper around it */
};

#define XDS_NO_RESOURCE UINT32_MAX

struct xds_finding {
    const struct xds_rule *rule;
    enum xds_level level;
    uint32_t resource; /* index for xds_report_resource(), or XDS_NO_RESOURCE */
    struct xds_place at;
    struct xds_slice path; /* "virtual_hosts[0].routes[2].match", "" = the resource */
    struct xds_slice
        message; /* what is wrong here, in C-core's words where it has some */
    unsigned char verdict[XDS_CLIENTS];
    uint32_t order; /* in which findings were made, from 0 */
};

struct xds_report;

struct xds_summary {
    size_t resources, nacked, errors, warnings, notes;
    size_t dropped; /* findings beyond the limits of one resource and of one run */
};

/* options are copied. NULL when there is no memory. */
XDS_API struct xds_report *xds_report_new(const struct xds_options *options);
XDS_API void xds_report_free(struct xds_report *report);
/* Order by file, line, column, rule, path; drops exact repetitions. Call it once,
 * before printing. */
XDS_API void xds_report_sort(struct xds_report *report);
/* Take out the findings that keep() refuses, once the report is sorted. Verdicts on
 * resources and the text of their NACK do not change. */
XDS_API XDS_MUST_USE enum xds_status
xds_report_keep(struct xds_report *report,
                bool (*keep)(const struct xds_finding *finding, void *user), void *user);
XDS_API size_t xds_report_findings(const struct xds_report *report);
XDS_API const struct xds_finding *xds_report_finding(const struct xds_report *report,
                                                     size_t i);
XDS_API size_t xds_report_resources(const struct xds_report *report);
XDS_API const struct xds_resource_result *
xds_report_resource(const struct xds_report *report, size_t i);
/* The name of an input file as the user gave it; "-" is standard input. */
XDS_API struct xds_slice xds_report_file(const struct xds_report *report, uint32_t file);
XDS_API const struct xds_options *xds_report_options(const struct xds_report *report);
/* Counts over the selected clients. */
XDS_API struct xds_summary xds_report_summary(const struct xds_report *report);

/* ---- reading ------------------------------------------------------------------- */

enum xds_resource_type {
    XDS_TYPE_UNKNOWN,
    XDS_TYPE_LISTENER,
    XDS_TYPE_ROUTE,
    XDS_TYPE_CLUSTER,
    XDS_TYPE_ENDPOINT,
};

/* "listener", "route", "cluster", "endpoint"; also the full message names and type
 * URLs. XDS_TYPE_UNKNOWN when it is none. */
XDS_API enum xds_resource_type xds_resource_type_from_name(struct xds_slice name);

enum xds_format { XDS_FORMAT_JSON, XDS_FORMAT_YAML, XDS_FORMAT_BINARY };

/* The envoy.service.discovery.v3.Resource wrapper around a resource, where there is one.
 */
enum xds_wrapper {
    XDS_WRAPPER_NONE,
    XDS_WRAPPER_OK,          /* bytes are those of the inner resource */
    XDS_WRAPPER_UNDECODABLE, /* bytes are those of the wrapper */
    XDS_WRAPPER_EMPTY,       /* it holds no resource; bytes are those of the wrapper */
};

/* One resource as it stands in the input. Valid until the next call on the source. */
struct xds_resource {
    enum xds_format format;
    enum xds_resource_type type; /* XDS_TYPE_UNKNOWN: only type_url knows */
    struct xds_slice type_url;   /* as written; empty if only the place tells the type */
    struct xds_slice
        expected;          /* type_url of the response, as written; empty if unknown */
    struct xds_slice name; /* from a wrapper or {name, resource}, if it has one */
    enum xds_wrapper wrapper;
    struct xds_slice bytes; /* the text or the wire bytes of this resource alone */
    struct xds_place at;    /* where bytes begin */
    const void *tokens;     /* YAML: its recorded tokens, private to the library */
};

struct xds_source;

/* A source reports what it cannot read as syntax findings to report. type: of resources
 * that do not say their own, or XDS_TYPE_UNKNOWN. NULL when there is no memory. */
XDS_API struct xds_source *xds_source_new(struct xds_report *report,
                                          enum xds_resource_type type);
XDS_API void xds_source_free(struct xds_source *source);
/* A file, a folder (read recursively, in byte order of the names) or "-". The path is
 * copied. XDS_ERR_IO when it does not exist or cannot be read; nothing is added then. */
XDS_API XDS_MUST_USE enum xds_status xds_source_add(struct xds_source *source,
                                                    const char *path);
/* Bytes in memory under a name; the bytes must outlive the source. */
XDS_API XDS_MUST_USE enum xds_status
xds_source_add_bytes(struct xds_source *source, const char *name, struct xds_slice bytes);
/* The next resource; XDS_END after the last one; XDS_ERR_IO with errno set when a file
 * fails while it is read (xds_source_path() names it). Syntax faults are findings, and
 * reading goes on behind them where that is possible. */
XDS_API XDS_MUST_USE enum xds_status xds_source_next(struct xds_source *source,
                                                     struct xds_resource *out);
/* The file in work, for error messages. */
XDS_API const char *xds_source_path(const struct xds_source *source);

/* ---- checking ------------------------------------------------------------------ */

struct xds_check;

/* Decodes and judges resources one by one. keep: also keep their models, for explain.
 * report is borrowed. NULL when there is no memory. */
XDS_API struct xds_check *xds_check_new(struct xds_report *report, bool keep);
XDS_API void xds_check_free(struct xds_check *check);
/* Decode, rules, lint. All memory of the resource is reused for the next one, except
 * what findings and names need, and the model when keep is set. XDS_END when
 * the run has two million resources already: this one was not read. */
XDS_API XDS_MUST_USE enum xds_status xds_check_resource(struct xds_check *check,
                                                        const struct xds_resource *in);
/* ---- explain ------------------------------------------------------------------- */

struct xds_header {
    struct xds_slice name, value;
};

enum xds_connectivity {
    XDS_STATE_TRANSIENT_FAILURE,
    XDS_STATE_IDLE,
    XDS_STATE_CONNECTING,
    XDS_STATE_READY,
};
/* "IDLE", "CONNECTING", "READY", "TRANSIENT_FAILURE", and back. */
XDS_API const char *xds_connectivity_name(enum xds_connectivity state);
XDS_API bool xds_connectivity_from_name(struct xds_slice name,
                                        enum xds_connectivity *out);

struct xds_live; /* lb/world.h: a client that runs, as a scenario has one */

struct xds_assumption {
    struct xds_slice address; /* "10.0.0.1:80" */
    enum xds_connectivity state;
};

/* One RPC. All text is borrowed. */
struct xds_request {
    struct xds_slice target;    /* "xds:///shop.example.com", or absent */
    struct xds_slice listener;  /* a listener's name instead of a target, or absent */
    struct xds_slice authority; /* overrides the target's, or absent */
    struct xds_slice path;      /* "/pkg.Service/Method" */
    size_t n_headers;
    const struct xds_header *headers; /* in order of arrival; names as given */
    bool has_channel_id, has_hash;
    uint64_t channel_id, hash;
    size_t n_random;
    const double *random; /* each in [0,1), drawn in the order of cli.md */
    size_t n_assumptions;
    const struct xds_assumption *assumptions;
    bool every_route; /* try all routes in order, also those that an index excludes: the
                         answer is the same, the list of routes tried is complete, and
                         where other clients decide otherwise is told */
    bool ring;        /* describe the ring of ring_hash and the way over it */
    struct xds_slice observed_host; /* ask what could have sent the RPC to this address */
    struct xds_slice why_not;       /* ask why it does not go to this address */
    const struct xds_live *live;    /* ask a running client; NULL: a static answer */
};

struct xds_decision; /* explain/decision.h describes it; print it with xds_print_* */

/* Answers for many RPCs of one client; what one answer needed helps the next. */
struct xds_explainer;

/* check must have been made with keep, have seen all resources, and is borrowed. NULL
 * when there is no memory. */
XDS_API struct xds_explainer *xds_explainer_new(struct xds_check *check,
                                                enum xds_client client);
XDS_API void xds_explainer_free(struct xds_explainer *explainer);
/* Where the RPC goes under the reading of the client. The decision belongs to explainer
 * and lives until the next xds_explain or xds_explainer_free. XDS_ERR_USAGE when the
 * request names no target and the snapshot holds several listeners. */
XDS_API XDS_MUST_USE enum xds_status xds_explain(struct xds_explainer *explainer,
                                                 const struct xds_request *request,
                                                 const struct xds_decision **out);
/* True when the RPC reaches a host or its choice is only open to chance. */
XDS_API bool xds_decision_routed(const struct xds_decision *decision);
/* False when the request named an observed_host that nothing can have sent the RPC to. */
XDS_API bool xds_decision_observable(const struct xds_decision *decision);
/* The name of the session cookie of the route that the RPC took; absent if it has none.
 */
XDS_API struct xds_slice xds_decision_cookie_name(const struct xds_decision *decision);

/* ---- generated configs ----------------------------------------------------------- */

enum xds_config_form {
    XDS_CONFIG_CURRENT, /* service config of gRFC A31; LB policies of gRFC A75 */
    XDS_CONFIG_A28, /* service config: routes and actions in xds_routing_experimental */
    XDS_CONFIG_METHODS, /* service config: methodConfig for clients without xDS */
    XDS_CONFIG_LEGACY,  /* LB policies: xds_cluster_resolver_experimental */
};

/* Which config. All text is borrowed. */
struct xds_config_request {
    enum xds_config_form form;
    struct xds_slice target, listener, authority; /* service config: as in xds_request */
    struct xds_slice route_config; /* service config: this one, of no listener */
    struct xds_slice cluster;      /* LB policies: of this cluster */
    struct xds_slice previous;     /* the JSON of the update before (for LB policies also
                                      JSON lines), whose names are kept; or absent */
    bool single_route; /* A28: of a route that takes every RPC, its policy alone */
};

struct xds_config; /* config/config.h describes it; print it with xds_print_config_* */

/* Makes the configs that one client builds from a snapshot. */
struct xds_generator;

/* check must have been made with keep, have seen all resources, and is borrowed. NULL
 * when there is no memory. */
XDS_API struct xds_generator *xds_generator_new(struct xds_check *check,
                                                enum xds_client client);
XDS_API void xds_generator_free(struct xds_generator *generator);
/* The service config of a target. It belongs to the generator and lives until the next
 * call on it. XDS_ERR_USAGE when nothing says which of several listeners is meant, or
 * when `previous` is no JSON. */
XDS_API XDS_MUST_USE enum xds_status
xds_generate_service_config(struct xds_generator *generator,
                            const struct xds_config_request *request,
                            const struct xds_config **out);
/* The LB policies below cds of a cluster, in the same way. */
XDS_API XDS_MUST_USE enum xds_status
xds_generate_lb_config(struct xds_generator *generator,
                       const struct xds_config_request *request,
                       const struct xds_config **out);
/* The names of the clusters in force for the client, in input order; absent behind the
 * last one. They live as long as the check. */
XDS_API struct xds_slice xds_generator_cluster(const struct xds_generator *generator,
                                               size_t i);
/* Why there is no config, or absent. */
XDS_API struct xds_slice xds_config_error(const struct xds_config *config);
/* What the form cannot say, a sentence each; absent behind the last one. */
XDS_API struct xds_slice xds_config_note(const struct xds_config *config, size_t i);

/* Judge a service config or a list of LB policies, JSON text, as the parsers of the
 * client do: findings with places go to report, where the text is a file of this name. */
XDS_API XDS_MUST_USE enum xds_status xds_check_config(struct xds_report *report,
                                                      enum xds_client client,
                                                      const char *name,
                                                      struct xds_slice text);

/* ---- the session cookie -------------------------------------------------------- */

/* base64("ADDR,ADDR;CLUSTER") into buffer, without a NUL; returns the length it has or
 * would need. cluster absent: no ";" part. gRFC A55, A60, A61. */
XDS_API size_t xds_cookie_encode(struct xds_slice addresses, struct xds_slice cluster,
                                 char *buffer, size_t size);
/* The clear text of a cookie value, decoded as C-core does; false when it is not base64
 * or empty. buffer needs 3/4 of the value's length. */
XDS_API bool xds_cookie_decode(struct xds_slice value, char *buffer, size_t size,
                               size_t *len);

/* ---- printing ------------------------------------------------------------------ */

/* Where printed text goes: returns false when it cannot be written, then printing stops.
 */
typedef bool (*xds_write_fn)(void *user, const char *data, size_t len);

/* How much of a line an excerpt can need, in bytes. */
#define XDS_LINE_PART 1024

/* The text of one line of an input file, for the excerpt below a finding. *out is what
 * the file holds from a column of the line on, without the line's end; nothing behind
 * XDS_LINE_PART bytes is looked at. It lives until the next call. Any bytes may be in
 * it: they are made safe for a terminal when they are printed. False when there is
 * nothing to show. file is named as xds_report_file() does; within one file, lines never
 * go back, nor do the columns of one line, so one pass over the file is enough. */
typedef bool (*xds_line_fn)(void *user, struct xds_slice file, uint32_t line,
                            uint32_t column, struct xds_slice *out);

struct xds_printer {
    xds_write_fn write;
    void *user;
    bool color;
    bool verbose;
    bool quiet;       /* only the summary line of text formats is left out */
    bool one_line;    /* JSON on one line, for JSON lines */
    xds_line_fn line; /* NULL: findings are printed without excerpts */
    void *line_user;
};

/* All return XDS_ERR_IO when write failed, XDS_ERR_NO_MEMORY, or XDS_OK. */
XDS_API XDS_MUST_USE enum xds_status
xds_print_findings_text(const struct xds_printer *to, const struct xds_report *report);
XDS_API XDS_MUST_USE enum xds_status
xds_print_findings_gcc(const struct xds_printer *to, const struct xds_report *report);
XDS_API XDS_MUST_USE enum xds_status
xds_print_findings_json(const struct xds_printer *to, const struct xds_report *report);
XDS_API XDS_MUST_USE enum xds_status
xds_print_decision_text(const struct xds_printer *to,
                        const struct xds_decision *decision);
XDS_API XDS_MUST_USE enum xds_status
xds_print_decision_json(const struct xds_printer *to,
                        const struct xds_decision *decision);
/* A Graphviz digraph. */
XDS_API XDS_MUST_USE enum xds_status
xds_print_decision_dot(const struct xds_printer *to, const struct xds_decision *decision);
/* The config as JSON; on one line where the printer says so. */
XDS_API XDS_MUST_USE enum xds_status
xds_print_config_json(const struct xds_printer *to, const struct xds_config *config);
/* A tree of policies with a sentence on each, and what routes give their RPCs. */
XDS_API XDS_MUST_USE enum xds_status
xds_print_config_text(const struct xds_printer *to, const struct xds_config *config);
/* The same tree for Graphviz. */
XDS_API XDS_MUST_USE enum xds_status
xds_print_config_dot(const struct xds_printer *to, const struct xds_config *config);
/* One rule in full, or (rule NULL) one line per rule. */
XDS_API XDS_MUST_USE enum xds_status xds_print_rule(const struct xds_printer *to,
                                                    const struct xds_rule *rule);
/* The same as one JSON document. */
XDS_API XDS_MUST_USE enum xds_status xds_print_rule_json(const struct xds_printer *to,
                                                         const struct xds_rule *rule);
/* The errors of a log, each with its rules; the JSON form is one document. */
XDS_API XDS_MUST_USE enum xds_status xds_print_log_text(const struct xds_printer *to,
                                                        const struct xds_log *log);
XDS_API XDS_MUST_USE enum xds_status xds_print_log_json(const struct xds_printer *to,
                                                        const struct xds_log *log);
/* xdscope-rules(7) as mdoc/man source. */
XDS_API XDS_MUST_USE enum xds_status xds_print_rules_man(const struct xds_printer *to);

#ifdef __cplusplus
}
#endif
#endif
