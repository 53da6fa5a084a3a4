/*
 * checks.h - what the checks beyond NACK share: what is kept of a snapshot, matchers as
 * sets, and how to report.
 */
#ifndef XDS_LINT_CHECKS_H
#define XDS_LINT_CHECKS_H

#include "base/arena.h"
#include "base/path.h"
#include "base/strmap.h"
#include "catalogue/rule.h"
#include "model/filter.h"
#include "model/listener.h"
#include "model/matcher.h"
#include "model/route_config.h"
#include "model/snapshot.h"
#include "route/route.h"

/* A snapshot holds many references and few of them make a finding: what is kept are the
 * indices of the lists on the way, from which the path is made again. */

/* The field, and so which of the indices count. */
enum xds_site_kind {
    XDS_SITE_NONE,
    XDS_SITE_RDS,              /* of a connection manager */
    XDS_SITE_ROUTE_CLUSTER,    /* of a route */
    XDS_SITE_WEIGHTED_CLUSTER, /* ... one of several */
    XDS_SITE_NON_FORWARDING,   /* ... that is only for servers */
    XDS_SITE_HASH_POLICY,      /* the first one of a route */
    XDS_SITE_HOST_OVERRIDE,    /* of a filter, by a virtual host */
    XDS_SITE_ROUTE_OVERRIDE,
    XDS_SITE_WEIGHTED_OVERRIDE,
    XDS_SITE_CLUSTER_NAME, /* which stands for that of its endpoints */
    XDS_SITE_SERVICE_NAME,
    XDS_SITE_CHILD,      /* of an aggregate cluster */
    XDS_SITE_TIMEOUT,    /* of a route */
    XDS_SITE_FORWARDING, /* the action of a route */
    XDS_SITE_HEADERS,    /* its header matchers */
    XDS_SITE_CHAIN_RDS,  /* of a filter chain */
};

struct xds_site {
    uint32_t host; /* a virtual host */
    union {
        uint32_t route; /* a route in it */
        uint32_t again; /* where a child appears for the second time */
    };
    /* A weighted cluster of the route; a child of an aggregate cluster; in a filter chain
     * that one, or XDS_DEFAULT_CHAIN. */
    uint32_t entry;
    uint8_t kind;    /* enum xds_site_kind */
    bool is_inline;  /* the virtual hosts are in a listener */
    uint16_t filter; /* of a filter chain, from 1; 0: they are in the api_listener */
};

/* Room for the frames of a path. */
struct xds_site_frames {
    struct xds_path at[9];
    size_t n;
};

/* The path, which lives as long as the frames. key: the name of an override. */
const struct xds_path *xds_site_path(struct xds_site site, struct xds_slice key,
                                     struct xds_site_frames *frames);

/* Clients accept what is reported here: the text says what the RPCs will see. */

struct xds_inspection {
    struct xds_report *report;
    struct xds_arena *scratch; /* for the time of one resource, or of the finish */
    uint32_t resource;         /* index in the report */
    /* While the checks are made for an older release that was asked for: its reader, and
     * the finding of the resource that is first. What a newer one has is not repeated. */
    const struct xds_client_release *older;
    size_t first;
    unsigned *named; /* whom the text in work names, see xds_lint_who() */
};

/* Report at a path. False when the report has no room for it: then there is nothing to
 * relate to. */
bool xds_lint_fire(const struct xds_inspection *in, const struct xds_path *at,
                   enum xds_rule_id rule, const char *format, ...) XDS_PRINTF(4, 5);
/* The same as a note, where a finding is expected or likely meant so. */
bool xds_lint_fire_note(const struct xds_inspection *in, const struct xds_path *at,
                        enum xds_rule_id rule, const char *format, ...) XDS_PRINTF(4, 5);
/* Tell in the last finding of another place in the same resource. */
#define xds_lint_relate(in, at, ...)                                                     \
    xds_report_relate((in)->report, (in)->resource, (at), NULL, __VA_ARGS__)
/* Those of the mask that are asked about and that a text names. */
unsigned xds_lint_named(const struct xds_inspection *in, unsigned clients);
/* ", for core, go" where only these of the selected clients do something; else "". */
struct xds_slice xds_lint_for_some(const struct xds_inspection *in, unsigned clients);
/* The clients that are asked about and in the mask, for a text: "core and go"; "every
 * client" if that is all of them. In the scratch memory. */
struct xds_slice xds_lint_who(const struct xds_inspection *in, unsigned clients);
/* The newest release that was asked for and differs so: "go@1.83.2"; or "". */
struct xds_client_label xds_lint_last(const struct xds_inspection *in,
                                      enum xds_difference difference);

/* The name of a filter in a typed_per_filter_config; reported once per resource. */
struct xds_override_name {
    struct xds_slice name;
    struct xds_site site; /* where it is first */
    bool found;           /* a listener that uses the routes has such a filter */
    struct xds_override_name *next;
};

struct xds_graph;
struct xds_listener_facts;
struct xds_routes_facts;

/* What is kept of a resource once it has passed: its name, the facts that checks across
 * resources ask for, and its references. There may be millions of them: each text is kept
 * once, and of the way to a field only its indices. */

struct xds_node;

/* Session affinity of a listener: no filter for it, one that is off unless an override
 * says otherwise, or one that is on. */
enum xds_sessions { XDS_SESSIONS_NONE, XDS_SESSIONS_OFF, XDS_SESSIONS_ON };

/* The name of resources of one type, which some have or refer to. */
struct xds_graph_name {
    struct xds_slice text;
    const struct xds_graph *graph;  /* that keeps it */
    struct xds_graph_name *adopted; /* by the graph that its nodes are entered in */
    struct xds_node *node;          /* the first resource that has it, or NULL */
    /* While references are collected: the last resource that names it, and which one of
     * its references does. */
    const struct xds_node *named_by;
    uint32_t ref;       /* later its number among those that are hit, see impact.c */
    uint32_t route;     /* of the last resource that names it, the last route that does */
    unsigned ring_hash; /* that of its cluster; copied where all references are asked */
    uint8_t type;       /* enum xds_resource_type */
    bool named_by_route, named_by_cluster; /* a listener counts as route */
    bool is_hit;                           /* it is rejected, or depends on what is */
};

/* All names of one type, by their text. */
struct xds_graph_names {
    struct xds_graph_slot *slots;
    size_t n, cap; /* cap is 0 or a power of two */
};

/* One resource names another; reported once however often it does so. */
struct xds_ref {
    struct xds_graph_name *name;
    struct xds_site site; /* the first field that names it */
    uint32_t times;
    uint32_t same_route : 28; /* times that a route names it again */
    /* What the routes say that lead to a cluster. */
    bool is_hashed : 1;    /* the first of them has a hash policy that clients use */
    bool hashed_alone : 1; /* some hashed route has no other cluster */
    bool session_as_listener : 1; /* some route leaves session affinity to the listener */
    bool session_on : 1;          /* ... switches it on by an override */
    union {
        const struct xds_site
            *otherwise;                  /* the first route that differs from is_hashed */
        const struct xds_limits *limits; /* of a listener, for the routes it names */
    };
};

/* Where a walk over clusters is; only one walk at a time. */
struct xds_cluster_walk {
    enum { XDS_WALK_NEW, XDS_WALK_OPEN, XDS_WALK_DONE } state;
    const struct xds_ref *next;  /* to look at */
    struct xds_node *parent;     /* from which the walk came */
    const struct xds_node *root; /* of the last walk that came by */
};

struct xds_cluster_facts {
    enum xds_cluster_kind kind;
    unsigned ring_hash; /* clients whose policy hashes what routes say ... */
    unsigned may_hash;  /* ... and those whose policy may; of an aggregate, of leaves
                           for those to whom they count */
    unsigned char policy[XDS_CLIENTS];   /* enum xds_lb_kind */
    uint32_t leaf_policies[XDS_CLIENTS]; /* of all leaves: a bit for each kind */
    unsigned override_host_status;
    bool has_override_host_status;
    bool reports_load;
    uint32_t height; /* levels of aggregates below, with this one */
    /* What leads there with session affinity, and the resource that holds it. */
    const struct xds_ref *session_from;
    const struct xds_node *session_node;
    struct xds_cluster_walk walk;
};

/* The time-outs of an HttpConnectionManager; 0: none. */
struct xds_limits {
    int64_t max_stream_duration_ns, idle_timeout_ns;
};

/* Routes with a timeout that is not read, and no max_stream_duration. */
struct xds_unlimited {
    struct xds_site first;
    uint32_t n;
    const struct xds_limits *limits;  /* of the listener that they are in, or NULL */
    const struct xds_unlimited *next; /* in another filter chain */
};

struct xds_listener_facts {
    enum xds_sessions sessions;
    bool for_servers; /* without api_listener; its references are xds_chain_refs() */
    bool is_api;      /* also where there is no model */
    bool is_empty;    /* neither form: no client can use it */
    const struct xds_slice *filters; /* names */
    size_t n_filters;
};

/* Of a RouteConfiguration, in a listener or on its own. */
struct xds_routes_facts {
    bool names_at_will;         /* a plugin may choose any cluster */
    bool used_by_client;        /* by a listener, once all have passed */
    enum xds_sessions sessions; /* of the listeners that were looked at with it */
    struct xds_override_name *overrides;
    struct xds_strmap *by_name; /* the same, while listeners are looked at; or NULL */
    uint32_t n_routes;
    struct xds_site not_forwarding; /* of the first such route */
    struct xds_site forwarding;     /* of the first one for clients; of a listener, of
                                       those in its filter chains */
    struct xds_site headers;        /* of the first route that has header matchers */
    const struct xds_unlimited *unlimited;
    /* Of the listeners that name them, once all have passed: */
    unsigned without_limit;          /* clients for which one sets no limit */
    const struct xds_limits *limits; /* of the first one that does */
    const struct xds_slice *domains; /* of all virtual hosts */
    size_t n_domains;                /* 0 too where one of them is "*" */
};

/* Endpoints of one locality that differ in weight. */
struct xds_unequal {
    uint32_t locality, endpoint; /* the first one that differs from the first of all */
    unsigned counts; /* clients for which a cluster of them weighs endpoints */
    /* For each client the first cluster of them that does not; once all have passed. */
    const struct xds_node *ignored_by[XDS_CLIENTS];
};

struct xds_node {
    struct xds_graph_name *name;
    struct xds_ref *refs; /* in the order of the resource */
    uint32_t n_refs, n_chain_refs;
    uint32_t resource; /* index in the report */
    uint32_t stamp;    /* of the last search that came by */
    bool is_unread;    /* there is no model: what it names is not known */
    bool hashes;       /* a route has a hash policy, or the cluster wants one */
    bool reached;      /* from a listener, once all have passed */
    uint8_t roles;     /* of the listeners that lead to it, see roles.c */
    /* Facts by type; the others are NULL. */
    struct xds_listener_facts *listener;
    struct xds_routes_facts *routes; /* of a LISTENER, of what is in it */
    struct xds_cluster_facts *cluster;
    const struct xds_endpoints *endpoints; /* to compare: the localities; or NULL */
    struct xds_unequal *unequal;           /* of endpoints; or NULL: all weigh the same */
    struct xds_node *next;                 /* of the same type, in input order */
};

static inline enum xds_resource_type xds_node_type(const struct xds_node *node)
{
    return (enum xds_resource_type)node->name->type;
}

/* The first resource that is meant, or NULL; known once all have passed. */
static inline struct xds_node *xds_ref_to(const struct xds_ref *ref)
{
    return ref->name->node;
}

static inline const struct xds_ref *xds_refs_end(const struct xds_node *node)
{
    return node->refs + node->n_refs;
}

/* What the filter chains of a listener name, which no client follows: from the end of the
 * other references on. */
static inline const struct xds_ref *xds_chain_refs_end(const struct xds_node *node)
{
    return xds_refs_end(node) + node->n_chain_refs;
}

/* An older snapshot to compare with. */
struct xds_before {
    const struct xds_graph *graph;
    const struct xds_report *report;
    struct xds_strmap files; /* of its files, by name, the index + 1 in this report */
};

struct xds_graph {
    struct xds_arena *arena;
    struct xds_arena *of_names; /* the same, or one that others empty */
    struct xds_before *before;  /* or NULL */
    bool keeps_localities;
    bool each_time; /* what is reported once is kept each time */
    struct xds_graph_names names[XDS_TYPE_ENDPOINT + 1];
    struct xds_strmap filters; /* names of HTTP filters: texts that are kept once */
    unsigned with_sessions;    /* clients */
    unsigned by_aggregate;     /* clients to whom the policy of an aggregate counts */
    bool holds_hashes; /* a route with a hash policy, or a cluster that wants one */
    bool holds_leaves; /* a cluster that is no aggregate */
    bool has_repeats;  /* a resource with the name of an earlier one */
    bool has_gaps;     /* what could not be read, its name neither: it may be what others
                          name, or name what no other resource names */
    struct xds_node *first[XDS_TYPE_ENDPOINT + 1], *last[XDS_TYPE_ENDPOINT + 1];
};

/* with_sessions: the clients that have session affinity; by_aggregate: those that balance
 * by the policy of an aggregate cluster. */
void xds_graph_init(struct xds_graph *graph, struct xds_arena *arena,
                    unsigned with_sessions, unsigned by_aggregate);
/* What is not in the arena. */
void xds_graph_release(struct xds_graph *graph);
/* Forget all names; those that come now are in the arena, and need not live longer than
 * until their nodes are entered in another graph. */
void xds_graph_rename(struct xds_graph *graph, struct xds_arena *of_names);
/* Keep what the resource names. scratch: for the time of the call. Returns the node,
 * which is not among those of the graph yet. */
struct xds_node *xds_graph_read(struct xds_graph *graph, struct xds_arena *scratch,
                                const struct xds_snapshot_entry *entry);
/* A copy for this graph of what another one has read, whose arena lives as long; it was
 * not entered anywhere. */
struct xds_node *xds_graph_copy(struct xds_graph *graph, const struct xds_node *node);
/* Add a node, in the order of the input; it may have been read by another graph, whose
 * arena then lives as long, but for its names. Returns the first node of its name; one
 * without model and name is a gap, and no node of the graph. */
struct xds_node *xds_graph_enter(struct xds_graph *graph, struct xds_node *node);
/* The first resource of this name, or NULL. */
struct xds_node *xds_graph_find(const struct xds_graph *graph,
                                enum xds_resource_type type, struct xds_slice text);
/* All have passed: find what a client reaches. */
void xds_graph_link(struct xds_graph *graph);
/* Then: which resources are judged, by the roles and targets of the options. */
void xds_graph_choose(const struct xds_inspection *in, const struct xds_graph *graph);
/* Is it a listener that gRPC servers ask for? By its name, or as the options say. */
bool xds_is_grpc_server(const struct xds_inspection *in, const struct xds_node *listener);
static inline bool xds_is_judged(const struct xds_inspection *in,
                                 const struct xds_node *node)
{
    return in->report->resources[node->resource].unjudged == XDS_JUDGED;
}
/* At last: what depends on the resources that are rejected. */
void xds_graph_find_impact(const struct xds_inspection *in, struct xds_graph *graph);
/* Is there a resource of this type at all? If not, references to it say nothing: the
 * input is a part of a snapshot. */
bool xds_graph_holds(const struct xds_graph *graph, enum xds_resource_type type);
/* Does a listener, or what it leads to, name what cannot be followed? Or is there no
 * listener? Then nothing can be said about what clients do not reach. */
bool xds_graph_is_open(const struct xds_graph *graph);

/* A regex must match the whole of a path or value, so that anchors add nothing. */

struct xds_regex_text {
    bool anchored_start, anchored_end;
    bool any_before, any_after; /* ".*" is there */
    bool is_plain;              /* there is nothing else but text, and dots in it */
    struct xds_slice text;      /* unescaped; the dots too, if is_plain */
    size_t stem;                /* how much of it is before the first dot */
    bool dots;                  /* some are not escaped */
    bool lone_dots;             /* so between two letters or digits */
};

struct xds_regex_text xds_regex_text_read(struct xds_arena *arena,
                                          struct xds_slice pattern);
/* Text that everything begins with that the regex matches; may be empty. */
struct xds_slice xds_regex_stem(struct xds_arena *arena, struct xds_slice pattern);

/* All answers are those of one client, by the code that routes its RPCs. "Yes" is always
 * right; "no" may stand for "is not known", which concerns regexes, and ranges
 * beside texts. Matchers are compared one by one: what two of them ask for together is
 * not seen. */

/* One client, for the time of a check. */
struct xds_within {
    struct xds_rpc rpc;
    unsigned regex_runs; /* how many more regexes may be run */
};

/* scratch: for the time of the check. */
struct xds_within xds_within_of(enum xds_client client, const struct xds_options *options,
                                struct xds_arena *scratch);

/* A path that no matcher can have read is never within, and holds nothing. */
bool xds_path_within(struct xds_within *w, const struct xds_path_matcher *inner,
                     const struct xds_path_matcher *outer);
/* Does every gRPC path pass? */
bool xds_path_takes_all(const struct xds_path_matcher *path);
/* Do the headers that inner asks for satisfy all that outer asks for? */
bool xds_headers_within(struct xds_within *w, const struct xds_route_match *inner,
                        const struct xds_route_match *outer);
/* Two headers of a match, as positions in its list; the same one twice: one alone. */
struct xds_header_pair {
    size_t first, second;
};
/* Can headers that it asks for never hold together, or one of them never at all? */
bool xds_headers_contradict(struct xds_within *w, const struct xds_route_match *match,
                            struct xds_header_pair *pair);

/* What the client's matchers can see of a header. */
enum xds_visibility {
    XDS_SEES_NOTHING, /* it counts as absent, whatever was sent */
    XDS_SEES_CONSTANT,
    XDS_SEES_VALUE,
};
enum xds_visibility xds_header_visibility(const struct xds_within *w,
                                          struct xds_slice name,
                                          struct xds_slice *constant);

/* A route takes all RPCs of another one only if its path begins the other's path. Hashes
 * of beginnings tell most pairs apart; letters count in any case, as some client may. */

/* Longer beginnings of paths are found by as much of them. */
enum { XDS_COVER_STEM = 255 };

struct xds_cover_path {
    const struct xds_route *route;
    uint32_t position; /* in the virtual host */
    enum xds_cover_kind {
        XDS_COVERS_PREFIX, /* also a regex that takes every path */
        XDS_COVERS_EXACT,
        XDS_COVERS_REGEX, /* takes an exact path, or another regex of its text */
    } kind;
    struct xds_slice stem;               /* begins whatever the route takes */
    uint64_t regex;                      /* hash of its text */
    uint64_t hashes[XDS_COVER_STEM + 1]; /* of each beginning of stem, by length */
};

static inline uint64_t xds_cover_stem_hash(const struct xds_cover_path *path)
{
    return path->hashes[path->stem.len];
}

/* A route takes all RPCs of another one only if its path begins the other's path and the
 * other asks for each header that it asks for; by the path and one header it is found.
 * What is found is still to be compared. */

struct xds_cover {
    const struct xds_route *route;
    uint64_t key;
    uint32_t position; /* in the virtual host */
    uint32_t next;     /* of the same key, counted from 1; 0: none */
};

/* The covers of one key, counted from 1; 0: a free slot. */
struct xds_cover_slot {
    uint32_t first, last;
};

struct xds_cover_index {
    struct xds_arena *arena;
    const struct xds_within *readers; /* one per client */
    unsigned clients;
    struct xds_cover *covers;
    uint32_t n_covers;
    struct xds_cover_slot *slots;
    size_t n_slots;       /* a power of two */
    unsigned char *known; /* a bit per key or for several: most look-ups end here */
    uint32_t *asking;     /* about how many routes ask for a header, by its key */
    size_t n_asking;      /* a power of two */
    /* What stems there are, by length and last character: sets of bits. */
    struct xds_cover_stems {
        uint64_t bits[XDS_COVER_STEM + 1][4];
    } prefixes, regexes;
};

enum { XDS_COVER_FEW = 48 };

struct xds_cover_list {
    size_t n;
    struct xds_cover_item {
        struct xds_cover cover;
        uint64_t stem, regex; /* hashes */
        size_t stem_len;
        enum xds_cover_kind kind;
    } items[XDS_COVER_FEW];
};

enum xds_regex_place { XDS_REGEX_OF_PATH, XDS_REGEX_OF_HEADER };

/* A route on its way to one cluster; entry is NULL unless the route is weighted. */
struct xds_route_scope {
    const struct xds_virtual_host *host;
    const struct xds_route *route;
    const struct xds_weighted_cluster *entry;
};

/* Frames live until the end of the enclosing block. */
#define XDS_CONNECTION_MANAGER                                                           \
    "envoy.extensions.filters.network.http_connection_manager.v3.HttpConnectionManager"
#define XDS_AT_CONNECTION_MANAGER                                                        \
    XDS_AT_VALUE(XDS_AT(NULL, "api_listener.api_listener"), XDS_S(XDS_CONNECTION_MANAGER))
#define XDS_AT_INLINE_ROUTES XDS_AT(XDS_AT_CONNECTION_MANAGER, "route_config")
#define XDS_AT_AGGREGATE                                                                 \
    XDS_AT_VALUE(XDS_AT(NULL, "cluster_type.typed_config"),                              \
                 XDS_S("envoy.extensions.clusters.aggregate.v3.ClusterConfig"))

/* A check inside one resource sees its model while it passes; a check across resources
 * sees the graph once all have passed. The lists are in lint.c; a new check is a
 * function here and a row there. */

typedef void xds_listener_check(const struct xds_inspection *in,
                                const struct xds_listener *listener);
/* at: NULL for a resource, the path of route_config when it is in a listener. */
typedef void xds_route_config_check(const struct xds_inspection *in,
                                    const struct xds_path *at,
                                    const struct xds_route_config *config);
/* at: the path of the route. Only for routes that some client asked about uses. */
typedef void xds_route_check(const struct xds_inspection *in, const struct xds_path *at,
                             const struct xds_virtual_host *host,
                             const struct xds_route *route);
/* at: the path of the virtual host. */
typedef void xds_virtual_host_check(const struct xds_inspection *in,
                                    const struct xds_path *at,
                                    const struct xds_virtual_host *host);
typedef void xds_cluster_check(const struct xds_inspection *in,
                               const struct xds_cluster *cluster);
typedef void xds_endpoints_check(const struct xds_inspection *in,
                                 const struct xds_endpoints *endpoints);
/* in->resource is for the check to set. */
typedef void xds_graph_check(struct xds_inspection *in, const struct xds_graph *graph);

/* What a client says of a resource, whose findings are those of the report from `first`
 * on. */
void xds_check_client_status(const struct xds_inspection *in, const struct xds_held *held,
                             struct xds_slice name, size_t first);

/* What the client uses it has accepted: the verdict on the resource and on its findings
 * from `first` on follow it, and where they said something else, a finding says so. */
void xds_check_client_use(const struct xds_inspection *in, struct xds_held *held,
                          size_t first);

xds_listener_check xds_check_listener_form, xds_check_session_filters, xds_check_rbac,
    xds_check_server_address, xds_check_server_tls, xds_check_server_memory;
xds_route_config_check xds_check_shadowed_routes, xds_check_domains,
    xds_check_session_cookies, xds_check_rbac_overrides;
xds_virtual_host_check xds_check_default_route, xds_check_host_retries;
xds_route_check xds_check_route_path, xds_check_route_fraction, xds_check_route_headers,
    xds_check_route_weights, xds_check_route_retries, xds_check_route_timeout,
    xds_check_route_session;
xds_cluster_check xds_check_breaker_of_dns, xds_check_breaker_priority,
    xds_check_cluster_tls, xds_check_dns_name, xds_check_lb_forms, xds_check_max_requests,
    xds_check_outlier_detection, xds_check_ring_sizes;
xds_endpoints_check xds_check_drops, xds_check_locality_names, xds_check_locality_weights,
    xds_check_ports, xds_check_usable_endpoints;
xds_graph_check xds_check_affinity, xds_check_aggregates, xds_check_authorities,
    xds_check_dangling, xds_check_endpoint_weights, xds_check_filter_names,
    xds_check_hashing, xds_check_moves, xds_check_name_styles, xds_check_removed,
    xds_check_server_routes, xds_check_targets, xds_check_timeouts, xds_check_unused;

#endif
