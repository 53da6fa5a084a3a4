/* cluster.h - Cluster as the model keeps it. Immutable once built. */
#ifndef XDS_MODEL_CLUSTER_H
#define XDS_MODEL_CLUSTER_H

#include "clients/environment.h"
#include "clients/readers.h"
#include "model/killing.h"
#include "model/tls_context.h"
#include "model/tree.h"

enum xds_cluster_kind {
    XDS_CLUSTER_EDS,
    XDS_CLUSTER_LOGICAL_DNS,
    XDS_CLUSTER_AGGREGATE,
    XDS_CLUSTER_UNSUPPORTED,
};

/* gRFC A42: the bound on ring sizes, the default minimum, and the cap that clients apply
 * to both. */
#define XDS_RING_SIZE_MAX 8388608u
#define XDS_RING_SIZE_MIN_DEFAULT 1024u
#define XDS_RING_SIZE_CAP 4096u
/* gRFC A48. */
#define XDS_CHOICE_COUNT_DEFAULT 2u

enum xds_lb_kind {
#define XDS_LB_KIND(kind, ...) XDS_LB_##kind,
#include "model/lb_policies.def"
    XDS_LB_KINDS,
};

enum xds_lb_named {
#define XDS_LB_NAME(name, ...) XDS_NAMED_##name,
#include "model/lb_policies.def"
    XDS_LB_NAMES,
};

struct xds_lb_policy {
    enum xds_lb_kind kind;
    bool wrr_locality;      /* the policy is below xds_wrr_locality */
    bool from_typed_config; /* load_balancing_policy, not the enum */
    struct xds_slice name;  /* OTHER, and of a TypedStruct: the policy's name */
    unsigned layers;        /* of xds_wrr_locality above the policy */
    const struct xds_tree
        *config; /* its JSON with all that is set; NULL: made of the rest */
    bool has_min_ring_size, has_max_ring_size, has_choice_count; /* defaults are in */
    uint64_t min_ring_size, max_ring_size;
    struct xds_slice request_hash_header; /* RING_HASH, gRFC A76; absent: not set */
    uint64_t choice_count;
    bool shuffle_address_list;
};

extern const struct xds_lb_name {
    const char *of[XDS_CLIENTS]; /* NULL: the client has none, or never writes it */
    const char *sentence;        /* what it does */
    const char *bare;            /* the same with nothing but a child policy, or NULL */
    const char *former;          /* what those that differ in `before` call it, or NULL */
    enum xds_difference before;
} xds_lb_names[XDS_LB_NAMES];

/* What the client at its release calls the policy; NULL: it has none. */
const char *xds_lb_name_in(const struct xds_options *options, enum xds_client client,
                           enum xds_lb_named named);
/* Is it what one of the clients at one of its releases calls the policy? */
bool xds_lb_goes_by(const struct xds_lb_name *policy, struct xds_slice name);

/* What the rooms that know no policy by name ask of the kind of one. */
struct xds_lb_traits {
    const char *title;
    const char *balancing; /* how it balances */
    const char *chosen;  /* why one endpoint gets all RPCs, when others could; or NULL */
    const char *in_enum; /* of Cluster.lb_policy, if it has a config beside it ... */
    const char *enum_config; /* ... which is this */
    enum xds_lb_named named;
    bool hashes;         /* the hash of an RPC finds the endpoint on a ring */
    bool open;           /* nothing can be said about its picks */
    bool equal;          /* weights of endpoints do not count */
    bool below_priority; /* XDS_DIFF_LEAST_REQUEST_BELOW_PRIORITY is about it */
};
extern const struct xds_lb_traits xds_lb_kinds[XDS_LB_KINDS];

static inline const struct xds_lb_traits *
xds_lb_traits(const struct xds_lb_policy *policy)
{
    return &xds_lb_kinds[policy->kind];
}

/* A field of the JSON of a policy, to be read into the model or written from it. */
struct xds_lb_member {
    enum xds_lb_kind kind;
    const char *name, *of_node;
    enum xds_tree_kind type; /* NUMBER, BOOL or STRING */
    size_t at;               /* in struct xds_lb_policy: uint64_t, bool, xds_slice */
    size_t is_set;           /* NUMBER: of the bool that says so */
    uint64_t max, unset;
};
extern const struct xds_lb_member xds_lb_members[];
extern const size_t xds_lb_n_members;

/* gRFC A50: as configured; absent fields are not has_. Times in nanoseconds. */
struct xds_outlier_detection {
    bool has_interval, has_base_ejection_time, has_max_ejection_time;
    int64_t interval_ns, base_ejection_time_ns, max_ejection_time_ns;
    bool has_max_ejection_percent, has_success_rate, has_failure_percentage;
    uint32_t max_ejection_percent;
    uint32_t enforcing_success_rate, enforcing_failure_percentage;
    bool has_stdev_factor, has_success_hosts, has_success_volume;
    uint32_t stdev_factor, success_minimum_hosts, success_request_volume;
    bool has_threshold, has_failure_hosts, has_failure_volume;
    uint32_t failure_threshold, failure_minimum_hosts, failure_request_volume;
};

/* override_host_status: which health states a cookie may name. gRFC A55. */
#define XDS_HEALTH_BIT(health) (1u << (health))

enum { XDS_DEFAULT_MAX_REQUESTS = 1024 }; /* gRFC A32 */

struct xds_cluster {
    struct xds_slice name;
    enum xds_cluster_kind kind;
    struct xds_slice eds_name;        /* EDS: service_name, or else the cluster's name */
    struct xds_slice dns_name;        /* LOGICAL_DNS: "host:port" */
    bool dns_host_is_ip;              /* ... and its host is an IP address */
    const struct xds_slice *children; /* AGGREGATE */
    size_t n_children;
    struct xds_lb_policy lb;                        /* what core makes of the resource */
    const struct xds_lb_policy *lb_of[XDS_CLIENTS]; /* NULL: the same as lb */
    const char *lb_policy_name;    /* of the enum, as written; NULL: not a known one */
    const char *lb_config_field;   /* which message of sizes is beside it, or NULL */
    unsigned override_host_status; /* mask of XDS_HEALTH_BIT */
    bool has_override_host_status; /* set, and not the default */
    int64_t idle_timeout_seconds;  /* gRFC A75; default 1 h */
    int32_t idle_timeout_nanos;
    uint32_t max_requests[XDS_CLIENTS]; /* gRFC A32 */
    uint32_t n_thresholds;
    uint32_t zero_threshold;   /* the first one with max_requests 0, if there is one */
    uint32_t unread_threshold; /* the first one with max_requests of another priority, or
                                  n_thresholds */
    const struct xds_outlier_detection *outlier_detection; /* NULL: absent */
    bool reports_load;                                     /* lrs_server is set */
    bool has_socket;                                       /* transport_socket is set */
    const struct xds_tls_context *tls; /* of it; NULL: there is none */
    xds_readers tls_dropped;           /* readers that ignore it: they have no TLS */
    struct xds_killing killing;        /* once a channel uses it */
    struct xds_slice csm_service_name, csm_service_namespace; /* gRFC A66; or absent */
};

/* The policy that a client takes from the resource. */
static inline const struct xds_lb_policy *
xds_cluster_policy(const struct xds_cluster *cluster, enum xds_client client)
{
    return cluster->lb_of[client] ? cluster->lb_of[client] : &cluster->lb;
}

#endif
