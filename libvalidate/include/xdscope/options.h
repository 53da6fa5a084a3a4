/* options.h - everything that changes a verdict or a decision. */
#ifndef XDSCOPE_OPTIONS_H
#define XDSCOPE_OPTIONS_H

#include "common.h"

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
    uint64_t env_set[XDS_ENVS]; /* 0 unset, 1 false, 2 true; more is internal */
    bool allow_unknown_fields;
    bool partial;            /* a dangling reference is a note */
    bool compare;            /* keep what xds_check_against() compares */
    bool trusted_xds_server; /* bootstrap: server_features */
    bool has_bootstrap;
    size_t n_provider_instances; /* bootstrap: certificate_providers, borrowed */
    const struct xds_slice *provider_instances;
    size_t n_allowed_grpc_services; /* bootstrap: keys of that name, borrowed */
    const struct xds_slice *allowed_grpc_services;
};

XDS_API void xds_options_init(struct xds_options *options);
/* "NAME=VALUE". XDS_ERR_USAGE when NAME is no variable of the catalogues; *hint is then
 * the nearest known name, or NULL. "true" and "false" are that to every client; other
 * words each client reads in its own way: "1" is true to core, no word to go. */
XDS_API XDS_MUST_USE enum xds_status xds_options_set_env(struct xds_options *options,
                                                         struct xds_slice assignment,
                                                         const char **hint);
/* What the variable is for this client: set, or else the client's default. */
XDS_API bool xds_env_on(const struct xds_options *options, enum xds_env env,
                        enum xds_client client);
/* The clients for which the variable is on. */
XDS_API unsigned xds_env_mask(const struct xds_options *options, enum xds_env env);

#endif
