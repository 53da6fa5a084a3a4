/* filter.h - HTTP filters, their overrides and the session affinity config. */
#ifndef XDS_MODEL_FILTER_H
#define XDS_MODEL_FILTER_H

#include "model/filter_tree.h"
#include "model/rbac.h"

enum xds_filter_kind {
    XDS_FILTER_UNKNOWN, /* no client knows the type */
    XDS_FILTER_ROUTER,
    XDS_FILTER_FAULT,
    XDS_FILTER_RBAC,
    XDS_FILTER_STATEFUL_SESSION,
    XDS_FILTER_GCP_AUTHN,
    XDS_FILTER_COMPOSITE,
    XDS_FILTER_EXT_AUTHZ,
    XDS_FILTER_EXT_PROC,
};

/* gRFC A55: where the affinity cookie is found and what it says. */
struct xds_session_config {
    bool enabled; /* false: no session_state, or disabled in an override */
    struct xds_slice cookie_name;
    struct xds_slice cookie_path; /* empty: every request path */
    bool has_ttl;
    int64_t ttl_seconds; /* whole seconds, cut down */
    bool ttl_positive;   /* 0.5 s gives Max-Age=0 */
};

enum xds_fault_abort {
    XDS_FAULT_ABORT_NONE,
    XDS_FAULT_ABORT_HTTP,
    XDS_FAULT_ABORT_GRPC,
    XDS_FAULT_ABORT_HEADER, /* the request's headers say it */
};

enum xds_fault_delay {
    XDS_FAULT_DELAY_NONE,
    XDS_FAULT_DELAY_FIXED,
    XDS_FAULT_DELAY_HEADER,
};

/* gRFC A33: what is done to an RPC, and to how many. */
struct xds_fault {
    enum xds_fault_abort abort;
    uint32_t abort_code; /* HTTP or GRPC: the status as written, in or out of range */
    struct xds_fraction abort_fraction; /* unless NONE; the numerator may be larger */
    enum xds_fault_delay delay;
    int64_t delay_ns; /* FIXED; 0 delays nothing */
    struct xds_fraction delay_fraction;
    bool has_max_active_faults; /* unset: no limit */
    uint32_t max_active_faults; /* 0: none at all */
};

struct xds_filter {
    struct xds_slice name;
    struct xds_slice type; /* the message name inside typed_config */
    enum xds_filter_kind kind;
    bool is_optional;
    bool disabled;
    bool servers_only; /* below COMPOSITE: fails a client's RPC */
    xds_readers
        dropped_by; /* readers that leave the filter out; of clients the lowest bits */
    const struct xds_session_config *session; /* STATEFUL_SESSION only */
    const struct xds_fault *fault;            /* FAULT only */
    const struct xds_filter_tree *tree;       /* COMPOSITE only; NULL: it does nothing */
    const struct xds_rbac *rbac;              /* RBAC only; NULL: nothing is enforced */
};

/* One entry of typed_per_filter_config. */
struct xds_filter_override {
    struct xds_slice name; /* of the filter instance */
    struct xds_slice type; /* after FilterConfig, if there is one */
    enum xds_filter_kind kind;
    bool disabled;
    xds_readers dropped_by;
    const struct xds_session_config *session; /* STATEFUL_SESSION only */
    const struct xds_fault *fault;            /* FAULT only */
    const struct xds_filter_tree *tree;       /* COMPOSITE only */
    const struct xds_rbac *rbac; /* RBAC only; NULL: the filter is turned off */
};

struct xds_overrides {
    const struct xds_filter_override *entries;
    size_t n;
};

#endif
