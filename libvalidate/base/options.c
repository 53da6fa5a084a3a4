/*
 * options.c - what gRPC's environment variables switch, for each client.
 *
 * Takes:  NAME=VALUE as the user set it; the process environment is never read.
 * Gives:  on or off per client: what was set, or else that client's default today.
 * Source: spec listener 12.1, spec cluster 0.6, spec routing "Variable"; how go, java and
 *         node read a value is from their sources.
 *
 * testdata/guards.tsv says of every variable what it changes.
 */
#include "base/options.h"

#include "base/slice.h"

/* Clients, as in the columns of the specs. */
enum {
    GRFC = XDS_CLIENT_BIT(XDS_CLIENT_GRFC),
    CORE = XDS_CLIENT_BIT(XDS_CLIENT_CORE),
    GO = XDS_CLIENT_BIT(XDS_CLIENT_GO),
    JAVA = XDS_CLIENT_BIT(XDS_CLIENT_JAVA),
    NODE = XDS_CLIENT_BIT(XDS_CLIENT_NODE),
    NONE = 0,
    ALL = XDS_ALL_CLIENTS,
};

/* on: clients for which the feature is on when the variable is unset.
 * reads: clients that look at the variable; for the others `on` is final. */
static const struct variable {
    const char *name;
    unsigned on, reads;
} variables[XDS_ENVS] = {
    [XDS_ENV_DUALSTACK_ENDPOINTS] = {"GRPC_EXPERIMENTAL_XDS_DUALSTACK_ENDPOINTS",
                                     GRFC | CORE | GO | NODE, ALL},
    [XDS_ENV_SNI] = {"GRPC_EXPERIMENTAL_XDS_SNI", GRFC | CORE | JAVA, GRFC | CORE | GO},
    [XDS_ENV_ORCA_LRS_PROPAGATION] = {"GRPC_EXPERIMENTAL_XDS_ORCA_LRS_PROPAGATION",
                                      GRFC | CORE | GO | JAVA, GRFC | CORE | GO | JAVA},
    [XDS_ENV_ENDPOINT_HASH_KEY_BACKWARD_COMPAT] =
        {"GRPC_XDS_ENDPOINT_HASH_KEY_BACKWARD_COMPAT", CORE | JAVA | NODE,
         GRFC | CORE | GO},
    [XDS_ENV_FEDERATION] = {"GRPC_EXPERIMENTAL_XDS_FEDERATION", ALL, GRFC | CORE | NODE},
    [XDS_ENV_HTTP_CONNECT] = {"GRPC_EXPERIMENTAL_XDS_HTTP_CONNECT", NONE,
                              GRFC | CORE | GO | JAVA},
    [XDS_ENV_DATA_ERROR_HANDLING] = {"GRPC_EXPERIMENTAL_XDS_DATA_ERROR_HANDLING", NONE,
                                     GRFC | CORE | JAVA},
    [XDS_ENV_ENDPOINT_FALLBACK] = {"GRPC_EXPERIMENTAL_XDS_ENDPOINT_FALLBACK", NONE,
                                   GRFC | CORE},
    [XDS_ENV_WRR_CUSTOM_METRICS] = {"GRPC_EXPERIMENTAL_WRR_CUSTOM_METRICS", NONE,
                                    GRFC | CORE | JAVA},
    [XDS_ENV_RING_HASH_SET_REQUEST_HASH_KEY] =
        {"GRPC_EXPERIMENTAL_RING_HASH_SET_REQUEST_HASH_KEY", GO, GRFC | CORE | GO | JAVA},
    [XDS_ENV_PF_WEIGHTED_SHUFFLING] = {"GRPC_EXPERIMENTAL_PF_WEIGHTED_SHUFFLING",
                                       GO | JAVA, GRFC | CORE | GO | JAVA},
    [XDS_ENV_AGGREGATE_CLUSTER_BACKWARD_COMPAT] =
        {"GRPC_XDS_AGGREGATE_CLUSTER_BACKWARD_COMPAT", NONE, GRFC | CORE | NODE},
    [XDS_ENV_USE_CHANNEL_AUTHORITY_IF_NO_SNI] =
        {"GRPC_USE_CHANNEL_AUTHORITY_IF_NO_SNI_APPLICABLE", NONE,
         GRFC | CORE | GO | JAVA},
    [XDS_ENV_MTLS_SPIFFE] = {"GRPC_EXPERIMENTAL_XDS_MTLS_SPIFFE", NONE,
                             GRFC | CORE | GO | JAVA},
    [XDS_ENV_OVERRIDE_HOST] = {"GRPC_EXPERIMENTAL_XDS_ENABLE_OVERRIDE_HOST", GRFC | CORE,
                               GRFC},
    [XDS_ENV_AUTHORITY_REWRITE] = {"GRPC_EXPERIMENTAL_XDS_AUTHORITY_REWRITE",
                                   GRFC | CORE | JAVA, GRFC | GO | JAVA},
    [XDS_ENV_GCP_AUTHENTICATION_FILTER] =
        {"GRPC_EXPERIMENTAL_XDS_GCP_AUTHENTICATION_FILTER", GRFC | CORE | JAVA,
         GRFC | GO},
    [XDS_ENV_SYSTEM_ROOT_CERTS] = {"GRPC_EXPERIMENTAL_XDS_SYSTEM_ROOT_CERTS",
                                   GRFC | CORE | JAVA, GRFC | GO | JAVA},
    [XDS_ENV_CUSTOM_LB_CONFIG] = {"GRPC_EXPERIMENTAL_XDS_CUSTOM_LB_CONFIG", ALL, NODE},
    [XDS_ENV_OUTLIER_DETECTION] = {"GRPC_EXPERIMENTAL_ENABLE_OUTLIER_DETECTION", ALL,
                                   NODE},
    [XDS_ENV_PRIORITY_CHILD_POLICY_CACHE] =
        {"GRPC_EXPERIMENTAL_ENABLE_PRIORITY_LB_CHILD_POLICY_CACHE", GRFC | CORE | NODE,
         GO | JAVA},
    [XDS_ENV_CONNECTION_SCALING] =
        {"GRPC_EXPERIMENTAL_MAX_CONCURRENT_STREAMS_CONNECTION_SCALING", NONE, CORE},
    [XDS_ENV_XDS_CONNECTION_SCALING] =
        {"GRPC_EXPERIMENTAL_XDS_MAX_CONCURRENT_STREAMS_CONNECTION_SCALING", NONE, GRFC},
    [XDS_ENV_RING_HASH_CAP] = {"GRPC_RING_HASH_CAP", NONE, GO},
    [XDS_ENV_ROUTING] = {"GRPC_XDS_EXPERIMENTAL_ROUTING", ALL, NONE},
    [XDS_ENV_ENABLE_TIMEOUT] = {"GRPC_XDS_EXPERIMENTAL_ENABLE_TIMEOUT", ALL, JAVA},
    [XDS_ENV_FAULT_INJECTION] = {"GRPC_XDS_EXPERIMENTAL_FAULT_INJECTION", ALL, NODE},
    [XDS_ENV_NEW_SERVER_API] = {"GRPC_XDS_EXPERIMENTAL_NEW_SERVER_API", ALL, NONE},
    [XDS_ENV_SECURITY_SUPPORT] = {"GRPC_XDS_EXPERIMENTAL_SECURITY_SUPPORT", ALL, NONE},
    [XDS_ENV_RBAC] = {"GRPC_XDS_EXPERIMENTAL_RBAC", GRFC | CORE | GO | JAVA, NODE},
    [XDS_ENV_ENABLE_RETRY] = {"GRPC_XDS_EXPERIMENTAL_ENABLE_RETRY", ALL, NODE},
    [XDS_ENV_ENABLE_RING_HASH] = {"GRPC_XDS_EXPERIMENTAL_ENABLE_RING_HASH", ALL,
                                  JAVA | NODE},
    [XDS_ENV_ENABLE_LEAST_REQUEST] = {"GRPC_EXPERIMENTAL_ENABLE_LEAST_REQUEST", GO | JAVA,
                                      JAVA},
    [XDS_ENV_CIRCUIT_BREAKING] = {"GRPC_XDS_EXPERIMENTAL_CIRCUIT_BREAKING", ALL, JAVA},
    [XDS_ENV_AGGREGATE_AND_LOGICAL_DNS] =
        {"GRPC_XDS_EXPERIMENTAL_ENABLE_AGGREGATE_AND_LOGICAL_DNS_CLUSTER", ALL, NONE},
    [XDS_ENV_RLS_LB] = {"GRPC_EXPERIMENTAL_XDS_RLS_LB", GRFC | CORE | GO | JAVA,
                        GRFC | CORE | JAVA},
    [XDS_ENV_RBAC_AUDIT_LOGGING] = {"GRPC_EXPERIMENTAL_XDS_RBAC_AUDIT_LOGGING", GRFC | GO,
                                    GRFC | CORE},
    [XDS_ENV_COMPOSITE_FILTER] = {"GRPC_EXPERIMENTAL_XDS_COMPOSITE_FILTER", NONE,
                                  GRFC | CORE},
    [XDS_ENV_EXT_AUTHZ_ON_CLIENT] = {"GRPC_EXPERIMENTAL_XDS_EXT_AUTHZ_ON_CLIENT", NONE,
                                     GRFC | GO},
    [XDS_ENV_EXT_AUTHZ_ON_SERVER] = {"GRPC_EXPERIMENTAL_XDS_EXT_AUTHZ_ON_SERVER", NONE,
                                     GRFC},
    [XDS_ENV_EXT_PROC_ON_CLIENT] = {"GRPC_EXPERIMENTAL_XDS_EXT_PROC_ON_CLIENT", NONE,
                                    GRFC | CORE | GO | JAVA},
    [XDS_ENV_EXT_PROC_ON_SERVER] = {"GRPC_EXPERIMENTAL_XDS_EXT_PROC_ON_SERVER", NONE,
                                    GRFC | GO | JAVA},
    [XDS_ENV_WRR_LB] = {"GRPC_EXPERIMENTAL_XDS_WRR_LB", GRFC | CORE | GO | JAVA, NODE},
    [XDS_ENV_PICKFIRST_LB_CONFIG] = {"GRPC_EXPERIMENTAL_PICKFIRST_LB_CONFIG",
                                     GRFC | CORE | GO | JAVA, NODE},
    [XDS_ENV_BOOTSTRAP_CALL_CREDS] = {"GRPC_EXPERIMENTAL_XDS_BOOTSTRAP_CALL_CREDS", NONE,
                                      CORE},
    [XDS_ENV_PANIC_RECOVERY] = {"GRPC_GO_EXPERIMENTAL_XDS_RESOURCE_PANIC_RECOVERY", GO,
                                GO},
    /* Its one experiment that the catalogues name changes no verdict. */
    [XDS_ENV_EXPERIMENTS] = {"GRPC_EXPERIMENTS", NONE, NONE},
};

const char *xds_env_name(enum xds_env env)
{
    return variables[env].name;
}

void xds_options_init(struct xds_options *options)
{
    *options = (struct xds_options){.clients = XDS_CLIENT_BIT(XDS_CLIENT_GRFC)};
}

/* ---- how a value is read ------------------------------------------------------------
 */

/* Who takes a value for true, and to whom it is as good as unset; off for the others. */
struct reading {
    unsigned on, as_unset;
};

/* What stands in env_set behind the two values that mean the same to all. */
enum { IN_CAPITALS = XDS_ENV_TRUE + 1, C_TRUE, NO_WORD, EMPTY };

/* go knows the words true and false, in any case, and goes by its default for all else;
 * java and node know true alone, node in small letters. To java empty is unset. */
static const struct reading readings[] = {
    [XDS_ENV_UNSET] = {NONE, ALL}, [XDS_ENV_FALSE] = {NONE, NONE},
    [XDS_ENV_TRUE] = {ALL, NONE},  [IN_CAPITALS] = {ALL & ~NODE, NONE},
    [C_TRUE] = {GRFC | CORE, GO},  [NO_WORD] = {NONE, GO},
    [EMPTY] = {NONE, GO | JAVA},
};

/* The other words that absl takes for true. */
static bool is_true_to_core(struct xds_slice value)
{
    static const char *const words[] = {"1", "t", "y", "yes"};

    for (size_t i = 0; i < XDS_ARRAY_LEN(words); i++)
        if (xds_slice_eq_fold(value, xds_slice_of(words[i])))
            return true;
    return false;
}

static uint64_t word_of(struct xds_slice value)
{
    if (value.len == 0)
        return EMPTY;
    if (xds_slice_is(value, "true"))
        return XDS_ENV_TRUE;
    if (xds_slice_eq_fold(value, XDS_S("true")))
        return IN_CAPITALS;
    if (xds_slice_eq_fold(value, XDS_S("false")))
        return XDS_ENV_FALSE;
    return is_true_to_core(value) ? C_TRUE : NO_WORD;
}

static uint64_t setting_of(enum xds_env env, struct xds_slice value)
{
    uint64_t number;

    return env == XDS_ENV_RING_HASH_CAP && xds_slice_to_u64(value, &number) &&
                   number < UINT32_MAX
               ? number + XDS_ENV_FIRST_NUMBER
               : word_of(value);
}

/* ---- the options --------------------------------------------------------------------
 */

static const char *nearest_name(struct xds_slice name)
{
    const char *best = NULL;
    size_t best_distance = 12; /* the names are long and share their beginning */

    for (size_t i = 0; i < XDS_ENVS; i++) {
        const size_t d =
            xds_slice_distance(name, xds_slice_of(variables[i].name), best_distance);
        if (d < best_distance) {
            best_distance = d;
            best = variables[i].name;
        }
    }
    return best;
}

enum xds_status xds_options_set_env(struct xds_options *options,
                                    struct xds_slice assignment, const char **hint)
{
    struct xds_slice name;
    const struct xds_slice value = xds_slice_cut(assignment, '=', &name);

    *hint = NULL;
    for (unsigned i = 0; i < XDS_ENVS; i++) {
        if (xds_slice_is(name, variables[i].name)) {
            if (!value.data)
                return XDS_ERR_USAGE;
            options->env_set[i] = setting_of((enum xds_env)i, value);
            return XDS_OK;
        }
    }
    *hint = nearest_name(name);
    return XDS_ERR_USAGE;
}

unsigned xds_env_mask(const struct xds_options *options, enum xds_env env)
{
    const struct variable *v = &variables[env];
    const uint64_t set = options->env_set[env];

    if (set >= XDS_ARRAY_LEN(readings))
        return v->on;
    const struct reading *reading = &readings[set];
    const unsigned as_unset = ~v->reads | reading->as_unset;

    return (v->on & as_unset) | (v->reads & reading->on);
}

bool xds_env_is_true(const struct xds_options *options, enum xds_env env,
                     enum xds_client client)
{
    const uint64_t set = options->env_set[env];

    return set < XDS_ARRAY_LEN(readings) && (readings[set].on & XDS_CLIENT_BIT(client));
}

bool xds_env_on(const struct xds_options *options, enum xds_env env,
                enum xds_client client)
{
    return (xds_env_mask(options, env) & XDS_CLIENT_BIT(client)) != 0;
}

uint64_t xds_env_number(const struct xds_options *options, enum xds_env env,
                        uint64_t unset)
{
    const uint64_t set = options->env_set[env];

    return set >= XDS_ENV_FIRST_NUMBER ? set - XDS_ENV_FIRST_NUMBER : unset;
}
