/* route_config.h - RouteConfiguration as the model keeps it. Immutable once built. */
#ifndef XDS_MODEL_ROUTE_CONFIG_H
#define XDS_MODEL_ROUTE_CONFIG_H

#include "model/filter.h"
#include "model/killing.h"
#include "model/matcher.h"
#include "model/tree.h"

/* gRFC A44. Times in nanoseconds. */
struct xds_retry_policy {
    struct xds_slice retry_on;     /* as written */
    unsigned codes;                /* XDS_RETRY_* bits, of names that are spelt exactly */
    unsigned go_codes, java_codes; /* these two also take other spellings */
    uint32_t num_retries;
    int64_t base_interval_ns, max_interval_ns;
    bool has_max_interval; /* else it is ten times base_interval */
};
#define XDS_RETRY_CANCELLED 1u
#define XDS_RETRY_DEADLINE_EXCEEDED 2u
#define XDS_RETRY_INTERNAL 4u
#define XDS_RETRY_RESOURCE_EXHAUSTED 8u
#define XDS_RETRY_UNAVAILABLE 16u

enum xds_hash_policy_kind {
    XDS_HASH_HEADER,
    XDS_HASH_CHANNEL_ID,
    XDS_HASH_UNSUPPORTED, /* kept for its position; no client reads it */
};

/* gRFC A42. */
struct xds_hash_policy {
    enum xds_hash_policy_kind kind;
    const char *field; /* proto name of the specifier, NULL if there is none */
    bool terminal;
    struct xds_slice header_name;
    const struct xds_regex *rewrite; /* NULL: none */
    bool rewrite_lacks_pattern;      /* then it is the empty one, and only go uses it */
    bool rewrite_lacks_engine;       /* google_re2 */
    struct xds_slice substitution;
    struct xds_killing when_found; /* once the pattern matches in the header */
    struct xds_killing when_empty; /* once it matches nothing there, without end */
};

struct xds_weighted_cluster {
    struct xds_slice name;
    uint32_t weight; /* 0: kept for its position; no client picks it */
    struct xds_overrides overrides;
};

enum xds_action_kind {
    XDS_ACTION_CLUSTER,
    XDS_ACTION_WEIGHTED,
    XDS_ACTION_PLUGIN,
    XDS_ACTION_NO_SPECIFIER,   /* route action without a usable cluster specifier */
    XDS_ACTION_NON_FORWARDING, /* for servers */
    XDS_ACTION_UNSUPPORTED,    /* redirect, direct_response, filter_action, none */
};

/* What only Envoy makes something of, as bits of xds_route.envoy_only. */
enum xds_envoy_only {
#define XDS_ENVOY_ONLY(id, field, is_set) XDS_ENVOY_ONLY_##id,
#include "model/envoy_only.def"
};

struct xds_route {
    struct xds_slice name;
    struct xds_route_match match;
    enum xds_action_kind action;
    const char *action_field; /* proto name of the action or specifier, for reasons */
    xds_readers skipped_by;   /* readers for which this route does not exist */
    const char *skip_reason;  /* why, for the first of them; NULL if none skips */
    struct xds_slice cluster; /* CLUSTER: its name; PLUGIN: the plugin's name */
    const struct xds_weighted_cluster *weighted;
    size_t n_weighted;
    uint32_t total_weight; /* WEIGHTED: 100 where it is not set */
    const struct xds_hash_policy *hash_policies;
    size_t n_hash_policies;
    const struct xds_retry_policy *retry_policy; /* NULL: the virtual host's */
    bool has_timeout;                            /* max_stream_duration gives one */
    int64_t timeout_ns;
    const char *timeout_field; /* which of its fields does */
    bool timeout_unread;       /* there is a timeout instead, which no client reads */
    uint32_t envoy_only;       /* fields of envoy_only.def; where the model is kept */
    bool auto_host_rewrite;    /* as written, whether or not it may be used */
    struct xds_overrides overrides;
};

struct xds_virtual_host {
    struct xds_slice name;
    const struct xds_slice *domains;
    size_t n_domains;
    const struct xds_killing *domain_killing; /* of each, once it is looked at; or NULL */
    const struct xds_route *routes; /* all of them: index = position in the resource */
    size_t n_routes;
    const struct xds_retry_policy *retry_policy;
    const struct xds_retry_policy *unusable; /* of a route: core accepts it, and then
                                                cannot work with the whole host */
    struct xds_killing killing;              /* once it is chosen */
    xds_readers nacking;                     /* those that reject it */
    struct xds_overrides overrides;
};

/* A cluster specifier plugin, gRFC A37, and what it makes of its config. */
struct xds_plugin {
    struct xds_slice name;
    const struct xds_tree *policy; /* a list of LB policies */
};

struct xds_route_config {
    struct xds_slice name;
    const struct xds_virtual_host *virtual_hosts;
    size_t n_virtual_hosts;
    const struct xds_plugin *plugins; /* usable ones; of one name the last counts */
    size_t n_plugins;
};

#endif
