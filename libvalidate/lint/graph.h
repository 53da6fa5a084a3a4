/*
 * graph.h - the resources of a snapshot by name, and who names whom.
 *
 * What is kept of a resource once it has passed: its name, the facts that checks across
 * resources ask for, and its references. There may be millions of them: each text is kept
 * once, and of the way to a field only its indices.
 */
#ifndef XDS_LINT_GRAPH_H
#define XDS_LINT_GRAPH_H

#include "lint/filter_names.h"
#include "lint/inspect.h"
#include "lint/site.h"
#include "model/snapshot.h"

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
    uint32_t ref;
    enum xds_resource_type type;
    unsigned ring_hash; /* that of its cluster; copied where all references are asked */
    bool named_by_route, named_by_cluster; /* a listener counts as route */
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
    /* What the routes say that lead to a cluster. */
    bool is_hashed;           /* the first of them has a hash policy that clients use */
    bool hashed_alone;        /* some hashed route has no other cluster */
    bool session_as_listener; /* some route leaves session affinity to the listener */
    bool session_on;          /* ... switches it on by an override */
    const struct xds_site *otherwise; /* the first route that differs from is_hashed */
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
    unsigned may_hash;  /* ... and those whose policy may; of an aggregate, of leaves */
    unsigned override_host_status;
    bool has_override_host_status;
    uint32_t height; /* levels of aggregates below, with this one */
    /* What leads there with session affinity, and the resource that holds it. */
    const struct xds_ref *session_from;
    const struct xds_node *session_node;
    struct xds_cluster_walk walk;
};

struct xds_listener_facts {
    enum xds_sessions sessions;
    bool for_servers; /* without api_listener; what it names is not known */
    const struct xds_slice *filters; /* names */
    size_t n_filters;
};

/* Of a RouteConfiguration, in a listener or on its own. */
struct xds_routes_facts {
    bool names_at_will;         /* a plugin may choose any cluster */
    bool used_by_client;        /* by a listener, once all have passed */
    enum xds_sessions sessions; /* of the listeners that were looked at with it */
    struct xds_override_name *overrides;
    struct xds_site not_forwarding;  /* of the first such route */
    const struct xds_slice *domains; /* of all virtual hosts */
    size_t n_domains;                /* 0 too where one of them is "*" */
};

struct xds_node {
    struct xds_graph_name *name;
    struct xds_ref *refs; /* in the order of the resource */
    uint32_t n_refs;
    uint32_t resource; /* index in the report */
    bool is_unread;    /* there is no model: what it names is not known */
    bool hashes;       /* a route has a hash policy, or the cluster wants one */
    bool reached;      /* from a listener, once all have passed */
    /* Facts by type; the others are NULL. */
    struct xds_listener_facts *listener;
    struct xds_routes_facts *routes; /* of a LISTENER, of what is in it */
    struct xds_cluster_facts *cluster;
    const struct xds_endpoints *endpoints; /* to compare: the localities; or NULL */
    struct xds_node *next;                 /* of the same type, in input order */
};

static inline enum xds_resource_type xds_node_type(const struct xds_node *node)
{
    return node->name->type;
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
    struct xds_graph_names names[XDS_TYPE_ENDPOINT + 1];
    struct xds_strmap filters; /* names of HTTP filters: texts that are kept once */
    bool holds_hashes; /* a route with a hash policy, or a cluster that wants one */
    bool holds_leaves; /* a cluster that is no aggregate */
    bool has_gaps;     /* what could not be read, its name neither: it may be what others
                          name, or name what no other resource names */
    struct xds_node *first[XDS_TYPE_ENDPOINT + 1], *last[XDS_TYPE_ENDPOINT + 1];
};

void xds_graph_init(struct xds_graph *graph, struct xds_arena *arena);
/* What is not in the arena. */
void xds_graph_release(struct xds_graph *graph);
/* Forget all names; those that come now are in the arena, and need not live longer than
 * until their nodes are entered in another graph. */
void xds_graph_rename(struct xds_graph *graph, struct xds_arena *of_names);
/* Keep what the resource names. scratch: for the time of the call. Returns the node,
 * which is not among those of the graph yet. */
struct xds_node *xds_graph_read(struct xds_graph *graph, struct xds_arena *scratch,
                                const struct xds_snapshot_entry *entry);
/* Add a node, in the order of the input; it may have been read by another graph, whose
 * arena then lives as long, but for its names. Returns the first node of its name; one
 * without model and name is a gap, and no node of the graph. */
struct xds_node *xds_graph_enter(struct xds_graph *graph, struct xds_node *node);
/* The name as the graph keeps it once. */
struct xds_graph_name *xds_graph_name(struct xds_graph *graph,
                                      enum xds_resource_type type, struct xds_slice text);
/* The name in this graph of what may be one of another graph. */
struct xds_graph_name *xds_graph_adopt(struct xds_graph *graph,
                                       struct xds_graph_name *name);
/* It will be asked for soon: many names lie far apart, so that it pays to fetch what
 * leads to several of them at a time. */
void xds_graph_expect(const struct xds_graph *graph, enum xds_resource_type type,
                      struct xds_slice text);
/* The first resource of this name, or NULL. */
struct xds_node *xds_graph_find(const struct xds_graph *graph,
                                enum xds_resource_type type, struct xds_slice text);
/* All have passed: find what a client reaches. */
void xds_graph_link(struct xds_graph *graph);
/* Is there a resource of this type at all? If not, references to it say nothing: the
 * input is a part of a snapshot. */
bool xds_graph_holds(const struct xds_graph *graph, enum xds_resource_type type);
/* Does a listener, or what it leads to, name what cannot be followed? Or is there no
 * listener? Then nothing can be said about what clients do not reach. */
bool xds_graph_is_open(const struct xds_graph *graph);

#endif
