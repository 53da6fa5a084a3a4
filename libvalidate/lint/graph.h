/*
 * graph.h - the resources of a snapshot by name, and who names whom.
 *
 * What is kept of a resource once it has passed: its name, the facts that checks across
 * resources ask for, and its references with the way to the field that holds each.
 */
#ifndef XDS_LINT_GRAPH_H
#define XDS_LINT_GRAPH_H

#include "lint/filter_names.h"
#include "lint/inspect.h"
#include "model/snapshot.h"

struct xds_node;

/* Session affinity of a listener: no filter for it, one that is off unless an override
 * says otherwise, or one that is on. */
enum xds_sessions { XDS_SESSIONS_NONE, XDS_SESSIONS_OFF, XDS_SESSIONS_ON };

/* What the routes say that lead to a cluster; NULL: no such route. */
struct xds_routes_to {
    const struct xds_path *hashed; /* where the first one with a hash policy that clients
                                      use names it */
    const struct xds_path *hashless; /* ... and the first one without */
    bool hashed_alone;               /* some hashed route has no other cluster */
    bool session_as_listener; /* some route leaves session affinity to the listener */
    bool session_on;          /* ... switches it on by an override */
};

/* One resource names another; told once however often it does so. */
struct xds_ref {
    const struct xds_node *from;
    enum xds_resource_type type; /* of the one that is named */
    struct xds_slice name;
    struct xds_steps path; /* the first field that names it */
    uint32_t times;
    struct xds_routes_to routes; /* to a CLUSTER from a ROUTE or LISTENER */
    struct xds_node *to;         /* known once all have passed; NULL: there is none */
    struct xds_ref *next;
};

/* Where a walk over clusters stands; only one walk at a time. */
struct xds_cluster_walk {
    enum { XDS_WALK_NEW, XDS_WALK_OPEN, XDS_WALK_DONE } state;
    const struct xds_ref *next;  /* to look at */
    struct xds_node *parent;     /* from which the walk came */
    const struct xds_node *root; /* of the last walk that came by */
};

struct xds_node {
    enum xds_resource_type type;
    struct xds_slice name;
    uint32_t resource;                /* index in the report */
    struct xds_ref *refs, **last_ref; /* in the order of the resource */
    bool for_servers;   /* LISTENER: without api_listener; what it names is not known */
    bool names_at_will; /* ROUTE: a plugin may choose any cluster */
    bool is_unread;     /* there is no model: what it names is not known */
    enum xds_sessions sessions;      /* LISTENER */
    const struct xds_slice *filters; /* LISTENER: names */
    size_t n_filters;
    struct xds_override_name *overrides; /* ROUTE, LISTENER inline */
    struct xds_steps not_forwarding;     /* ROUTE, LISTENER inline: n 0: no such route */
    bool used_by_client;                 /* ... by a listener, once all have passed */
    const struct xds_slice *domains;    /* ROUTE, LISTENER inline: of all virtual hosts */
    size_t n_domains;                   /* 0 too where one of them is "*" */
    enum xds_cluster_kind cluster_kind; /* CLUSTER */
    unsigned ring_hash; /* CLUSTER: clients whose policy hashes what routes say ... */
    unsigned may_hash;  /* ... and those whose policy may; of an aggregate, of leaves */
    unsigned override_host_status; /* CLUSTER */
    bool has_override_host_status;
    uint32_t height; /* CLUSTER: levels of aggregates below, with this one */
    bool named_by_route, named_by_cluster; /* CLUSTER, once all have passed */
    const struct xds_ref *session_from;    /* CLUSTER: what leads there with affinity */
    const struct xds_endpoints *endpoints; /* ENDPOINT, to compare: its localities */
    struct xds_cluster_walk walk;
    bool reached;          /* from a listener, once all have passed */
    struct xds_node *next; /* of the same type, in input order */
};

/* An older snapshot to compare with. */
struct xds_before {
    const struct xds_graph *graph;
    const struct xds_report *report;
    struct xds_strmap files; /* of its files, by name, the index + 1 in this report */
};

struct xds_graph {
    struct xds_arena *arena;
    struct xds_before *before; /* or NULL */
    bool keeps_localities;
    struct xds_strmap by_name[XDS_TYPE_ENDPOINT + 1]; /* the first one of each name */
    bool holds_hashes; /* a route with a hash policy, or a cluster that wants one */
    bool holds_leaves; /* a cluster that is no aggregate */
    struct xds_node *first[XDS_TYPE_ENDPOINT + 1], *last[XDS_TYPE_ENDPOINT + 1];
};

void xds_graph_init(struct xds_graph *graph, struct xds_arena *arena);
/* Keep what the resource names. scratch: for the time of the call. Returns the node. */
struct xds_node *xds_graph_add(struct xds_graph *graph, struct xds_arena *scratch,
                               const struct xds_snapshot_entry *entry);
/* All have passed: find whom each reference means, and what a client reaches. */
void xds_graph_link(struct xds_graph *graph);
/* Is there a resource of this type at all? If not, references to it say nothing: the
 * input is a part of a snapshot. */
bool xds_graph_holds(const struct xds_graph *graph, enum xds_resource_type type);
/* Does a listener, or what it leads to, name what cannot be followed? Or is there no
 * listener? Then nothing can be said about what clients do not reach. */
bool xds_graph_is_open(const struct xds_graph *graph);

#endif
