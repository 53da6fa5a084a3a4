/*
 * decision.h - where one RPC goes, every step with its reason.
 *
 * Takes:  nothing; a record that explain/ fills and print/ formats.
 * What does not exist is NULL, an absent slice or has_ false. Slices and models belong to
 * the check; texts to its decision arena.
 */
#ifndef XDS_EXPLAIN_DECISION_H
#define XDS_EXPLAIN_DECISION_H

#include "lb/lb.h"
#include "route/route.h"
#include "security/security.h"

enum xds_outcome {
    XDS_OUTCOME_ROUTED,
    XDS_OUTCOME_GAP, /* assumed, and routed to a cluster that is not in the snapshot */
    XDS_OUTCOME_NO_LISTENER,
    XDS_OUTCOME_NO_VIRTUAL_HOST,
    XDS_OUTCOME_NO_ROUTE,
    XDS_OUTCOME_UNAVAILABLE,
    XDS_OUTCOME_DROPPED,
    XDS_OUTCOME_FAULT,     /* fault injection certainly ends the RPC */
    XDS_OUTCOME_CRASH,     /* the client dies */
    XDS_OUTCOME_UNDECIDED, /* a regex hit its limit: no answer rather than a wrong one */
};

enum xds_cluster_why {
    XDS_CLUSTER_ONLY,
    XDS_CLUSTER_WEIGHTED,
    XDS_CLUSTER_COOKIE,
    XDS_CLUSTER_PLUGIN,
};

/* A cluster that the RPC may end in. */
struct xds_decision_cluster {
    struct xds_slice name; /* of a plugin, where there is only that */
    struct xds_slice key;
    enum xds_cluster_why why;
    bool has_weight;
    uint64_t weight;         /* of its entries in weighted_clusters, */
    uint64_t weight_of;      /* and of how much: the sum, mostly */
    double probability;      /* over the whole RPC */
    struct xds_share picked; /* of the whole RPC: that a host is picked in it */
    const struct xds_endpoints *endpoints; /* its drop categories; NULL: unknown */
    struct xds_share drops;                /* of its RPCs */
};

/* A resource that a dump of a client tells of, and that the RPC meets. */
struct xds_decision_held {
    enum xds_resource_type type;
    struct xds_slice name;
    const struct xds_held *held;
    struct xds_slice scope; /* client_scope of its ClientConfig; empty: none is known */
};

/* A host that the RPC may end on, given its cluster. */
struct xds_decision_host {
    const struct xds_host *host;
    struct xds_slice cluster;
    double probability;       /* or XDS_NOT_COMPUTABLE */
    struct xds_share share;   /* the same exactly, where it is a fraction */
    struct xds_share overall; /* of all such RPCs, whatever their cluster */
};

/* What fault injection may do to the RPC, over all that is open. */
struct xds_decision_faults {
    double abort, delay; /* probabilities */
    bool several_aborts; /* with different statuses: code and text are those of one */
    struct xds_slice code, text;
    bool several_delays; /* of different length */
    int64_t delay_ns;
    uint32_t max_active; /* faults at a time; 0: no limit */
};

/* The configuration that the matched route gives the RPC, besides d->method_config. */
struct xds_decision_config {
    struct xds_retries retries; /* when method_config has a retry policy */
    const struct xds_hash_step *hashes;
    size_t n_hashes;
    const struct xds_filter_use *filters; /* in order */
    size_t n_filters;
    bool host_rewrite;
    struct xds_slice host_rewrite_reason;
    struct xds_slice sent_authority; /* absent while it depends on the host */
};

/* A route that the RPC misses by one matcher. */
struct xds_near_route {
    size_t index;
    const struct xds_route *route;
    struct xds_slice failed; /* the matcher: "path", "header x-env" */
    struct xds_slice reason;
    size_t shared; /* bytes that the paths have in common; SIZE_MAX if the path matches */
};

/* A domain that is much like the authority. */
struct xds_near_domain {
    const struct xds_virtual_host *host; /* NULL: none is near */
    size_t index;
    struct xds_slice domain, reason;
};

/* What can have sent an RPC to an observed address. */
enum xds_cause_kind {
    XDS_CAUSE_WEIGHT,   /* a share of a cluster, locality or endpoint */
    XDS_CAUSE_FRACTION, /* a route with a runtime_fraction takes the RPC */
    XDS_CAUSE_FAILOVER, /* higher priorities or leaves have failed */
    XDS_CAUSE_COOKIE,
    XDS_CAUSE_HASH,
    XDS_CAUSE_DRAW,   /* a number that the request gives */
    XDS_CAUSE_DOWN,   /* other hosts of the same priority are down */
    XDS_CAUSE_PLUGIN, /* a lookup whose answer is not in the snapshot */
};

struct xds_cause {
    enum xds_cause_kind kind;
    double probability; /* over the whole RPC, before drops; XDS_NOT_COMPUTABLE */
    struct xds_slice cluster, leaf;
    bool has_priority;
    uint32_t priority;
    const struct xds_assumption *needs; /* all that must hold, and enough */
    size_t n_needs;
    size_t n_more_needs;     /* over XDS_MAX_OBSERVED_NEEDS */
    struct xds_slice cookie; /* "name=value" */
    bool sent;               /* the request carries that cookie */
    struct xds_slice reason;
};

/* The answer to --observed-host. */
struct xds_observation {
    struct xds_slice address;
    const struct xds_cause *causes;
    size_t n_causes;
    bool incomplete;                   /* a limit of the search was hit */
    const struct xds_slice *obstacles; /* what is against it, most specific first */
    size_t n_obstacles;
    struct xds_slice reason; /* absent: possible */
};

/* The answer to --why-not. */
struct xds_why_not {
    struct xds_slice address;
    const struct xds_slice *reasons;
    size_t n_reasons;
};

/* What two clients may disagree on. */
enum xds_answer_difference {
    XDS_DIFFERS_OUTCOME,
    XDS_DIFFERS_ROUTE, /* or its virtual host */
    XDS_DIFFERS_CLUSTERS,
    XDS_DIFFERS_SESSION, /* whether the host comes from the cookie */
    XDS_DIFFERS_HOSTS,
    XDS_DIFFERS_SECURITY, /* of the connection to a host */
    XDS_ANSWER_DIFFERENCES,
};

/* What another client does with the same RPC. */
struct xds_other {
    enum xds_client client;
    enum xds_outcome outcome;
    bool has_route;
    size_t route;             /* its index */
    struct xds_slice cluster; /* certain, or absent */
    unsigned differs;         /* mask of 1 << XDS_DIFFERS_... */
    struct xds_slice note;    /* a sentence */
};

/* JSON that this decision shares with later ones, once a printer has made it. */
struct xds_kept_json {
    struct xds_arena *arena; /* for the text; outside of any guard */
    struct xds_slice text;
};

/* How an RPC that fails ends. */
struct xds_decision_status {
    struct xds_slice code;                /* absent: UNAVAILABLE */
    struct xds_slice error;               /* message of the status */
    const struct xds_rpc_failure *reason; /* of the message; NULL: none is known */
    struct xds_slice rejected_cluster;    /* the answer is that the client rejects it */
    const struct xds_rule *killed_by; /* of a crash; NULL: the request is what kills */
    bool refused;                     /* by a drop category or the circuit breaker */
};

/* From the target to the virtual host. */
struct xds_decision_start {
    bool several_listeners;              /* nothing says which one is meant */
    struct xds_slice listener_name;      /* what was looked for; absent if unknown */
    const struct xds_listener *listener; /* NULL: no_listener */
    bool assumed; /* no API listener leads here: notes say what is assumed */
    struct xds_slice authority;         /* that the virtual host is looked up with */
    struct xds_slice route_config_name; /* absent: inline without a name, or unknown */
    const struct xds_route_config *route_config;
    /* Route configurations, when none was found or said. */
    const struct xds_slice *choices;
    size_t n_choices;
};

/* What the LB policies of the cluster do. */
struct xds_decision_pick {
    bool has_hash;
    bool hash_of_channel; /* that of some RPCs is random, but the same for a channel */
    xds_u128 hash;
    bool has_priority;
    uint32_t priority;
    const struct xds_priority_try *priorities; /* looked at, in order */
    size_t n_priorities;
    const struct xds_locality *locality;
    const struct xds_lb_policy *policy; /* of the leaf */
    bool has_limit;                     /* the client has a circuit breaker: */
    uint32_t max_requests;              /* of the leaf, for the whole process */
    const struct xds_ring_use *rings;   /* of ring_hash */
    size_t n_rings;
    const struct xds_decision_host *hosts;
    size_t n_hosts;
    const struct xds_host *host;
    enum xds_host_why host_why;
    size_t drawn;                          /* random numbers, before that of a host */
    const struct xds_endpoints *endpoints; /* of the certain leaf: its drop categories */
    double drop_probability;
    struct xds_share drop_share;
    struct xds_slice set_cookie;
    const struct xds_security *security; /* of the hosts, each kind of connection once */
    size_t n_security;
    const struct xds_tree *tree; /* below cds of the certain leaf; or NULL */
};

/* What else was asked. */
struct xds_decision_asked {
    /* When every route is tried: */
    const struct xds_decision_config *config; /* NULL: no route certainly forwards */
    const struct xds_near_route *nearest;     /* NULL unless no route matches */
    size_t n_nearest;
    struct xds_near_domain nearest_domain;
    const struct xds_observation *observed; /* NULL: not asked */
    const struct xds_why_not *why_not;
    const struct xds_other *others; /* those that decide otherwise, if that was asked */
    size_t n_others;
};

struct xds_decision {
    enum xds_client client;
    struct xds_client_label as; /* the client, with its release if one was asked for */
    struct xds_request request;
    enum xds_outcome outcome;
    struct xds_decision_status status;
    double failing; /* when routed: the part that fails on another way */

    struct xds_decision_start start;
    struct xds_virtual_host_choice virtual_host;
    struct xds_route_walk walk;
    const struct xds_route_try *route; /* NULL while a fraction is open */

    const struct xds_decision_cluster *clusters; /* every one that is possible */
    size_t n_clusters;
    const struct xds_decision_cluster *cluster; /* certain */
    const struct xds_weighted_cluster *entry;   /* that was drawn, certain; or NULL */
    struct xds_slice leaf;                      /* certain */

    const struct xds_session *session; /* NULL: no route */
    bool session_applies;              /* the host comes from the cookie */

    struct xds_decision_pick pick;
    bool has_method_config;
    struct xds_method_config method_config;
    const struct xds_decision_faults *faults; /* NULL: nothing can happen */

    const struct xds_decision_held *held; /* from the listener to endpoints */
    size_t n_held;
    struct xds_slice *notes;
    size_t n_notes;
    unsigned minor_notes; /* a mask */
    struct xds_decision_asked asked;

    /* NULL: nothing is shared. From the client to the virtual host, if the RPC is routed;
     * from the clusters on; after the method config. */
    struct xds_kept_json *kept_approach, *kept_ending, *kept_rest;
};

#endif
