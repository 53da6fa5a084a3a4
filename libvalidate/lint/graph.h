/*
 * graph.h - the resources of a snapshot by name, and who names whom.
 *
 * What is kept of a resource once it has passed: its name, the facts that checks across
 * resources ask for, and its references with the way to the field that holds each.
 */
#ifndef XDS_LINT_GRAPH_H
#define XDS_LINT_GRAPH_H

#include "lint/inspect.h"
#include "model/snapshot.h"

struct xds_node;

/* One resource names another; told once however often it does so. */
struct xds_ref {
    const struct xds_node *from;
    enum xds_resource_type type; /* of the one that is named */
    struct xds_slice name;
    struct xds_steps path; /* the first field that names it */
    uint32_t times;
    struct xds_node *to; /* known once all have passed; NULL: there is none */
    struct xds_ref *next;
};

struct xds_node {
    enum xds_resource_type type;
    struct xds_slice name;
    uint32_t resource;                /* index in the report */
    struct xds_ref *refs, **last_ref; /* in the order of the resource */
    bool for_servers;   /* LISTENER: without api_listener; what it names is not known */
    bool names_at_will; /* ROUTE: a plugin may choose any cluster */
    enum xds_cluster_kind cluster_kind; /* CLUSTER */
    bool reached;                       /* from a listener, once all have passed */
    struct xds_node *next;              /* of the same type, in input order */
};

struct xds_graph {
    struct xds_arena *arena;
    struct xds_strmap by_name[XDS_TYPE_ENDPOINT + 1]; /* the first one of each name */
    bool holds_leaves;                                /* a cluster that is no aggregate */
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

#endif
