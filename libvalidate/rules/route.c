/*
 * route.c - turn envoy.config.route.v3.Route into the model.
 *
 * Source: gRFC A28, A31, A36, A39, A42, A81, spec listener 0.4, 5, 7.
 */
#include "rules/inner.h"

#include <stdlib.h>

/* ---- the match ---- */

#define PB_PATH(name) ENVOY__CONFIG__ROUTE__V3__ROUTE_MATCH__PATH_SPECIFIER_##name
#define REGEX_ERROR                                                                      \
    "error creating path matcher: Invalid regex string specified in matcher: "

/* Can "/service/method" begin with it? At most "/", service, "/", method, and the
 * service is not empty. */
static bool prefix_fits(struct xds_slice prefix)
{
    const struct xds_slice rest = xds_slice_from(prefix, 1);
    const size_t slash = xds_slice_find(rest, '/');
    const struct xds_slice method = xds_slice_from(rest, slash + 1);

    if (prefix.len == 0)
        return true;
    if (prefix.data[0] != '/')
        return false;
    return slash == rest.len || (slash > 0 && xds_slice_find(method, '/') == method.len);
}

/* Is it "/service/method"? */
static bool path_fits(struct xds_slice path)
{
    const struct xds_slice rest = xds_slice_from(path, 1);
    const size_t slash = xds_slice_find(rest, '/');
    const struct xds_slice method = xds_slice_from(rest, slash + 1);

    return prefix_fits(path) && slash < rest.len && method.len > 0;
}

/* core drops a route whose path no gRPC request can have, and reads no more of it. */
static void read_text(struct xds_ctx *ctx, const struct xds_path *at,
                      enum xds_match_kind kind, const char *text, struct xds_route *route)
{
    struct xds_path_matcher *path = &route->match.path;

    path->kind = kind;
    path->text = xds_text(ctx, text);
    if (kind == XDS_MATCH_PREFIX && !prefix_fits(path->text))
        xds_route_skip(
            route, xds_fire_skip(ctx, at, XDS_R_MATCH_PREFIX_SHAPE, XDS_WITH(path->text)),
            "no gRPC path has the prefix");
    if (kind == XDS_MATCH_EXACT && !path_fits(path->text))
        xds_route_skip(
            route, xds_fire_skip(ctx, at, XDS_R_MATCH_PATH_SHAPE, XDS_WITH(path->text)),
            "the path is not a gRPC path");
}

static void read_regex(struct xds_ctx *ctx, const struct xds_path *at,
                       const char *pattern, struct xds_route *route)
{
    struct xds_path_matcher *path = &route->match.path;

    path->kind = XDS_MATCH_REGEX;
    path->text = xds_text(ctx, pattern);
    path->regex = xds_regex_read(ctx, at, pattern, true, REGEX_ERROR, XDS_RULES);
    if (xds_regex_is_refused(path->regex, path->text))
        ctx->live &= ~xds_who(ctx, XDS_DIFF_ROUTE_ENDS_AT_BAD_PATH);
}

static void read_fraction(struct xds_ctx *ctx, const struct xds_path *at,
                          const pb_runtime_fractional_percent *pb,
                          struct xds_route_match *match)
{
    if (!pb)
        return;
    match->has_fraction = true;
    if (!pb->default_value)
        return;
    match->fraction_is_set = true;

    /* go takes a denominator that it does not know for MILLION. */
    const uint32_t denominator = xds_denominator(pb->default_value);

    if (!denominator)
        xds_fire_with(ctx, XDS_AT(at, "default_value"), XDS_R_MATCH_FRACTION_DENOMINATOR,
                      XDS_WITH(xds_number(ctx, pb->default_value->denominator)));
    match->fraction = (struct xds_fraction){
        .numerator = pb->default_value->numerator,
        .denominator = denominator ? denominator : 1000000,
    };
}

void xds_route_match_read(struct xds_ctx *ctx, const struct xds_path *at,
                          const pb_route_match *pb, struct xds_route *route)
{
    if (pb->n_query_parameters > 0)
        xds_route_skip(route, xds_fire_skip(ctx, at, XDS_R_MATCH_QUERY_PARAMETERS, NULL),
                       "match.query_parameters is set");

    struct xds_path_matcher *path = &route->match.path;

    path->case_set = pb->case_sensitive != NULL;
    path->case_sensitive = !pb->case_sensitive || pb->case_sensitive->value;
    if (pb->path_specifier_case == PB_PATH(PREFIX)) {
        read_text(ctx, at, XDS_MATCH_PREFIX, pb->prefix, route);
    } else if (pb->path_specifier_case == PB_PATH(PATH)) {
        read_text(ctx, at, XDS_MATCH_EXACT, pb->path, route);
    } else if (pb->path_specifier_case == PB_PATH(SAFE_REGEX)) {
        read_regex(ctx, at, pb->safe_regex->regex, route);
    } else {
        xds_fire(ctx, at, XDS_R_MATCH_PATH_SPECIFIER);
        ctx->live &= ~xds_who(ctx, XDS_DIFF_ROUTE_ENDS_AT_BAD_PATH);
    }

    struct xds_header_matcher *headers =
        XDS_NEW_ARRAY(ctx->arena, struct xds_header_matcher, pb->n_headers);

    for (size_t i = 0; i < pb->n_headers; i++) /* an invalid one never matches */
        xds_header_matcher_read(ctx, XDS_AT_I(at, "headers", i), pb->headers[i],
                                &headers[i]);
    route->match.headers = headers;
    route->match.n_headers = pb->n_headers;
    read_fraction(ctx, XDS_AT(at, "runtime_fraction"), pb->runtime_fraction,
                  &route->match);
}

/* ---- hash policies ---- */

#define PB_ENGINE(arm) ENVOY__TYPE__MATCHER__V3__REGEX_MATCHER__ENGINE_TYPE_##arm
#define PB_POLICY(name)                                                                  \
    ENVOY__CONFIG__ROUTE__V3__ROUTE_ACTION__HASH_POLICY__POLICY_SPECIFIER_##name

/* node: throws at each match. */
static void check_substitution(struct xds_ctx *ctx, const struct xds_path *at,
                               struct xds_hash_policy *out)
{
    const enum xds_rule_id rule = XDS_R_HASH_SUBSTITUTION_WHOLE;

    if (xds_slice_search(out->substitution, XDS_S("\\0")) > out->substitution.len)
        return;
    out->when_found = xds_killing_of(ctx, rule);
    xds_fire_with(ctx, XDS_AT(at, "substitution"), rule, XDS_WITH(out->substitution));
}

static void read_rewrite(struct xds_ctx *ctx, const struct xds_path *at,
                         const pb_regex_match_and_substitute *pb,
                         struct xds_hash_policy *out)
{
    const struct xds_path *pattern = XDS_AT(at, "pattern");
    const struct xds_path *regex = XDS_AT(pattern, "regex");
    const char *text = pb->pattern ? pb->pattern->regex : "";
    struct xds_ctx *reading = ctx;

    if (!pb->pattern)
        xds_fire(ctx, at, XDS_R_HASH_PATTERN_ABSENT);
    else if (*text == '\0')
        xds_fire(ctx, regex, XDS_R_HASH_PATTERN_EMPTY);
    out->rewrite_lacks_pattern = !pb->pattern;
    out->rewrite_lacks_engine =
        !pb->pattern || pb->pattern->engine_type_case != PB_ENGINE(GOOGLE_RE2);
    reading = XDS_AMONG(ctx, out->rewrite_lacks_engine
                                 ? ~xds_who(ctx, XDS_DIFF_HASH_REWRITE_OF_RE2)
                                 : XDS_EVERYONE);
    out->rewrite = xds_regex_read(reading, regex, text, false,
                                  "errors compiling regex: ", XDS_R_HASH_REGEX_UNCAUGHT);
    out->substitution = xds_text(ctx, pb->substitution);
    if (!pb->pattern || !out->rewrite || out->substitution.len == 0)
        return; /* node does not rewrite without these */

    /* node: an empty match is replaced without end. */
    const enum xds_rule_id rule = XDS_R_HASH_PATTERN_ENDLESS;

    out->when_empty = xds_killing_of(ctx, rule);
    if (xds_regex_full_match(out->rewrite, XDS_S("")) == XDS_MATCH)
        xds_fire_with(ctx, XDS_AT(at, "pattern.regex"), rule,
                      XDS_WITH(out->rewrite->pattern));
    check_substitution(ctx, at, out);
}

static void read_header(struct xds_ctx *ctx, const struct xds_path *at,
                        const pb_route_action_hash_policy_header *pb,
                        struct xds_hash_policy *out)
{
    out->kind = XDS_HASH_HEADER;
    out->field = "header";
    out->header_name = xds_text(ctx, pb->header_name);
    if (out->header_name.len == 0)
        xds_fire(ctx, at, XDS_R_HASH_HEADER_NAME_EMPTY);
    if (pb->regex_rewrite)
        read_rewrite(ctx, XDS_AT(at, "regex_rewrite"), pb->regex_rewrite, out);
}

static void read_policy(struct xds_ctx *ctx, const struct xds_path *at,
                        const pb_route_action_hash_policy *pb,
                        struct xds_hash_policy *out)
{
    out->kind = XDS_HASH_UNSUPPORTED;
    out->terminal = pb->terminal;
    if (pb->policy_specifier_case == PB_POLICY(HEADER))
        read_header(ctx, XDS_AT(at, "header"), pb->header, out);
    else if (pb->policy_specifier_case == PB_POLICY(FILTER_STATE)) {
        out->field = "filter_state";
        if (xds_slice_is(xds_slice_of(pb->filter_state->key), "io.grpc.channel_id"))
            out->kind = XDS_HASH_CHANNEL_ID;
        else
            xds_fire_with(ctx, XDS_AT(at, "filter_state.key"),
                          XDS_R_HASH_FILTER_STATE_KEY,
                          XDS_WITH(xds_slice_of(pb->filter_state->key)));
    } else {
        static const char *const fields[] = {
            [PB_POLICY(COOKIE)] = "cookie",
            [PB_POLICY(CONNECTION_PROPERTIES)] = "connection_properties",
            [PB_POLICY(QUERY_PARAMETER)] = "query_parameter",
        };
        const size_t arm = (size_t)pb->policy_specifier_case;
        const char *field = arm < XDS_ARRAY_LEN(fields) ? fields[arm] : NULL;
        const struct xds_path *specifier = XDS_AT(at, field);

        out->field = field;
        xds_fire_with(ctx, field ? specifier : at, XDS_R_HASH_SPECIFIER_UNSUPPORTED,
                      XDS_WITH(xds_slice_of(field ? field : "without specifier")));
    }
}

/* at: the path of the route action. */
static void read_hash_policies(struct xds_ctx *ctx, const struct xds_path *at,
                               const pb_route_action *pb, struct xds_route *route)
{
    struct xds_hash_policy *policies =
        XDS_NEW_ARRAY(ctx->arena, struct xds_hash_policy, pb->n_hash_policy);

    ctx = XDS_AMONG(ctx, xds_guarded_by(ctx, XDS_ENV_ENABLE_RING_HASH) |
                             ~xds_who(ctx, XDS_DIFF_HASH_BEHIND_RING_HASH));
    for (size_t i = 0; i < pb->n_hash_policy; i++)
        read_policy(ctx, XDS_AT_I(at, "hash_policy", i), pb->hash_policy[i],
                    &policies[i]);
    route->hash_policies = policies;
    route->n_hash_policies = pb->n_hash_policy;
}

/* ---- weighted clusters ---- */

static void read_entry(struct xds_ctx *ctx, const struct xds_path *at,
                       const pb_weighted_cluster_cluster_weight *pb,
                       struct xds_weighted_cluster *out)
{
    out->name = xds_text(ctx, pb->name);
    out->weight = pb->weight ? pb->weight->value : 0;
    if (out->name.len == 0)
        xds_fire(ctx, at, XDS_R_WEIGHTED_NAME_EMPTY);
    xds_reference_read(ctx, XDS_AT(at, "name"), XDS_TYPE_CLUSTER, out->name);
    if (!pb->weight)
        xds_fire_with(ctx, at, XDS_R_WEIGHTED_WEIGHT_ABSENT, XDS_WITH(out->name));
    else if (out->weight == 0)
        xds_fire_with(ctx, at, XDS_R_WEIGHTED_WEIGHT_ZERO, XDS_WITH(out->name));
    ctx = XDS_AMONG(ctx, out->weight == 0 ? ~xds_who(ctx, XDS_DIFF_WEIGHT_ZERO_OVERRIDES)
                                          : XDS_EVERYONE);
    xds_typed_per_filter_config_read(ctx, at, pb->n_typed_per_filter_config,
                                     pb->typed_per_filter_config, &out->overrides);
}

/* signed_sum: that of the weights as signed numbers. A sum of 32 bits has lost what is
 * above. */
static void check_above_zero(struct xds_ctx *ctx, const struct xds_path *at, uint64_t sum,
                             int64_t signed_sum, xds_readers without_weight)
{
    const int32_t wrapped = (int32_t)(uint32_t)sum;
    const xds_readers wrapping = xds_who(ctx, XDS_DIFF_WEIGHT_SUM_WRAPS);
    const xds_readers with_sign = xds_who(ctx, XDS_DIFF_WEIGHT_SIGNED) & ~wrapping;
    xds_readers who = without_weight;

    if (sum > 0)
        who = (signed_sum <= 0 ? with_sign : 0) | (wrapped <= 0 ? wrapping : 0);
    if (who)
        xds_fire_for(ctx, at, who, XDS_R_WEIGHTED_SUM_ZERO,
                     XDS_WITH(xds_number(ctx, signed_sum <= 0 ? signed_sum : wrapped)));
}

static void read_weighted_clusters(struct xds_ctx *ctx, const struct xds_path *at,
                                   const pb_weighted_cluster *pb, struct xds_route *route)
{
    struct xds_weighted_cluster *clusters =
        XDS_NEW_ARRAY(ctx->arena, struct xds_weighted_cluster, pb->n_clusters);

    const xds_readers with_sign = xds_who(ctx, XDS_DIFF_WEIGHT_SIGNED);
    xds_readers without_weight = XDS_EVERYONE;
    uint64_t sum = 0;
    int64_t signed_sum = 0; /* weights from 2^31 on are negative */

    route->action = XDS_ACTION_WEIGHTED;
    for (size_t i = 0; i < pb->n_clusters; i++) {
        read_entry(ctx, XDS_AT_I(at, "clusters", i), pb->clusters[i], &clusters[i]);
        sum += clusters[i].weight;
        signed_sum += (int32_t)clusters[i].weight;
        /* core counts entries, not weights, and so one without a weight as valid. */
        if (!pb->clusters[i]->weight)
            without_weight = xds_who(ctx, XDS_DIFF_WEIGHT_ABSENT_IS_ZERO);
    }
    route->weighted = clusters;
    route->n_weighted = pb->n_clusters;
    route->total_weight = pb->total_weight ? pb->total_weight->value : 100;
    if (pb->n_clusters == 0)
        xds_fire(ctx, at, XDS_R_WEIGHTED_CLUSTERS_EMPTY);
    else
        check_above_zero(ctx, at, sum, signed_sum, without_weight);
    if (sum > UINT32_MAX)
        xds_fire_for(ctx, at,
                     (signed_sum > UINT32_MAX ? XDS_EVERYONE : ~with_sign) &
                         ~xds_who(ctx, XDS_DIFF_WEIGHT_SUM_WRAPS),
                     XDS_R_WEIGHTED_SUM_TOO_LARGE,
                     XDS_WITH(xds_number(ctx, (int64_t)sum)));
    else if (sum > 0) {
        const uint32_t total = pb->total_weight ? pb->total_weight->value : 100;

        if (total != sum)
            xds_fire_for(ctx, at,
                         pb->total_weight ? XDS_EVERYONE
                                          : xds_who(ctx, XDS_DIFF_TOTAL_WEIGHT_IS_100),
                         XDS_R_WEIGHTED_TOTAL_WEIGHT,
                         XDS_WITH(xds_number(ctx, (int64_t)sum), xds_number(ctx, total)));
    }
}

/* ---- the action ---- */

#define PB_SPECIFIER(name)                                                               \
    ENVOY__CONFIG__ROUTE__V3__ROUTE_ACTION__CLUSTER_SPECIFIER_##name
#define PB_REWRITE(name)                                                                 \
    ENVOY__CONFIG__ROUTE__V3__ROUTE_ACTION__HOST_REWRITE_SPECIFIER_##name

/* With grpc_timeout_header_max, max_stream_duration is not even checked. */
static void read_timeout(struct xds_ctx *ctx, const struct xds_path *at,
                         const pb_route_action_max_stream_duration *pb,
                         struct xds_route *route)
{
    const char *field = "grpc_timeout_header_max";
    const pb_duration *duration = pb ? pb->grpc_timeout_header_max : NULL;

    if (pb && !duration) {
        field = "max_stream_duration";
        duration = pb->max_stream_duration;
    }
    route->has_timeout = duration != NULL;
    route->timeout_field = duration ? field : NULL;
    xds_duration_read(ctx, XDS_AT(at, field), duration, XDS_EVERYONE, &route->timeout_ns);
}

/* The readers that reject an empty name before they look it up. */
static xds_readers refuse_empty_plugin(struct xds_ctx *ctx, const struct xds_path *at,
                                       xds_readers reading)
{
    const enum xds_rule_id rule = XDS_R_ACTION_PLUGIN_EMPTY;

    xds_fire_for(ctx, at, reading, rule, NULL);
    return xds_rejecting(ctx, rule);
}

/* Returns who reads no more of the route: those that skip or reject it here. */
static xds_readers read_plugin(struct xds_ctx *ctx, const struct xds_path *at,
                               struct xds_slice name, const struct xds_strmap *plugins,
                               struct xds_route *route)
{
    const xds_readers reading = xds_guarded_by(ctx, XDS_ENV_RLS_LB);
    struct xds_specifier_plugin none = {0};
    struct xds_specifier_plugin *plugin = xds_strmap_get(plugins, name);

    route->action = XDS_ACTION_PLUGIN;
    route->cluster = name;
    if (!plugin)
        plugin = &none;
    plugin->is_named = true;
    xds_readers skipping = xds_fire_skip(XDS_AMONG(ctx, ~reading), at,
                                         XDS_R_ACTION_PLUGIN_NOT_READ, XDS_WITH(name));
    const xds_readers refused_by =
        name.len == 0 ? refuse_empty_plugin(ctx, at, reading) : 0;
    const xds_readers unknown_to = reading & ~plugin->known_to & ~refused_by;
    const xds_readers lacking = reading & ~unknown_to & ~refused_by & ~plugin->usable;

    if (unknown_to)
        xds_fire_for(ctx, at, unknown_to, XDS_R_ACTION_PLUGIN_UNKNOWN, XDS_WITH(name));
    if (ctx->live & lacking)
        skipping |= xds_fire_skip(XDS_AMONG(ctx, lacking), at,
                                  XDS_R_ACTION_PLUGIN_UNSUPPORTED, XDS_WITH(name));
    return (unknown_to & ~xds_who(ctx, XDS_DIFF_FAULTS_ALL_READ)) | refused_by |
           xds_route_skip(route, skipping, "unsupported cluster specifier plugin");
}

/* Cluster specifiers that gRPC cannot use; the first row is that of none at all. */
static const struct useless {
    unsigned arm;
    const char *field;
    enum xds_rule_id rule;
    const char *reason;
} useless[] = {
    {0, "cluster_specifier", XDS_R_ACTION_NO_SPECIFIER, "no cluster specifier"},
    {PB_SPECIFIER(CLUSTER_HEADER), "cluster_header", XDS_R_ACTION_CLUSTER_HEADER,
     "cluster_header is not supported"},
    {PB_SPECIFIER(INLINE_CLUSTER_SPECIFIER_PLUGIN), "inline_cluster_specifier_plugin",
     XDS_R_ACTION_INLINE_PLUGIN, "inline_cluster_specifier_plugin is not supported"},
};

/* Returns who reads no more of the route. */
static xds_readers read_specifier(struct xds_ctx *ctx, const struct xds_path *at,
                                  const pb_route_action *pb,
                                  const struct xds_strmap *plugins,
                                  struct xds_route *route)
{
    if (pb->cluster_specifier_case == PB_SPECIFIER(CLUSTER)) {
        route->action_field = "cluster";
        route->action = XDS_ACTION_CLUSTER;
        route->cluster = xds_text(ctx, pb->cluster);
        if (route->cluster.len == 0)
            xds_fire(ctx, at, XDS_R_ACTION_CLUSTER_EMPTY);
        xds_reference_read(ctx, XDS_AT(at, "cluster"), XDS_TYPE_CLUSTER, route->cluster);
        return 0;
    }
    if (pb->cluster_specifier_case == PB_SPECIFIER(WEIGHTED_CLUSTERS)) {
        route->action_field = "weighted_clusters";
        read_weighted_clusters(ctx, XDS_AT(at, "weighted_clusters"),
                               pb->weighted_clusters, route);
        return 0;
    }
    if (pb->cluster_specifier_case == PB_SPECIFIER(CLUSTER_SPECIFIER_PLUGIN)) {
        route->action_field = "cluster_specifier_plugin";
        return read_plugin(ctx, XDS_AT(at, "cluster_specifier_plugin"),
                           xds_text(ctx, pb->cluster_specifier_plugin), plugins, route);
    }

    const struct useless *row = useless;

    for (size_t i = 0; i < XDS_ARRAY_LEN(useless); i++)
        if (useless[i].arm == (unsigned)pb->cluster_specifier_case)
            row = &useless[i];
    route->action = XDS_ACTION_NO_SPECIFIER;
    route->action_field = row->field;
    return xds_route_skip(route, xds_fire_skip(ctx, at, row->rule, NULL), row->reason);
}

void xds_route_action_read(struct xds_ctx *ctx, const struct xds_path *at,
                           const pb_route_action *pb, const struct xds_strmap *plugins,
                           struct xds_route *route)
{
    read_timeout(ctx, XDS_AT(at, "max_stream_duration"), pb->max_stream_duration, route);
    /* A timeout of 0 is Envoy's way to have none. */
    route->timeout_unread = pb->timeout && !pb->max_stream_duration &&
                            (pb->timeout->seconds != 0 || pb->timeout->nanos != 0);
    read_hash_policies(ctx, at, pb, route);
    route->auto_host_rewrite =
        pb->host_rewrite_specifier_case == PB_REWRITE(AUTO_HOST_REWRITE) &&
        pb->auto_host_rewrite->value;
    const xds_readers stopped =
        read_specifier(XDS_AMONG(ctx, XDS_EVERYONE), at, pb, plugins, route);

    const xds_readers retrying =
        ~(stopped & xds_who(ctx, XDS_DIFF_RETRY_AFTER_SPECIFIER));

    route->retry_policy = xds_retry_policy_read(
        XDS_AMONG(ctx, retrying), XDS_AT(at, "retry_policy"), pb->retry_policy);
    ctx->live &= ~(stopped & ~xds_who(ctx, XDS_DIFF_OVERRIDES_OF_DROPPED_ROUTE));
}

/* ---- the route ---- */

#define PB_ACTION(name) ENVOY__CONFIG__ROUTE__V3__ROUTE__ACTION_##name

xds_readers xds_route_skip(struct xds_route *route, xds_readers who, const char *reason)
{
    if (who && !route->skip_reason)
        route->skip_reason = reason;
    route->skipped_by |= who;
    return who;
}

static int by_name(const void *left, const void *right)
{
    const struct xds_filter_config_entry *a = left, *b = right;

    return xds_slice_cmp(a->name, b->name);
}

void xds_override_map_read(struct xds_ctx *ctx, const struct xds_path *at, size_t n,
                           struct xds_filter_config_entry *entries,
                           struct xds_overrides *out)
{
    if (n > 1) {
        /* Only binary input can repeat a key; then the last value counts. */
        struct xds_strmap seen;
        size_t kept = 0;

        xds_strmap_init(&seen, ctx->scratch);
        for (size_t i = 0; i < n; i++) {
            void **slot = xds_strmap_at(&seen, entries[i].name);

            if (!*slot)
                *slot = &entries[kept++];
            *(struct xds_filter_config_entry *)*slot = entries[i];
        }
        n = kept;
        qsort(entries, n, sizeof *entries, by_name);
    }
    xds_overrides_read(ctx, at, n, entries, out);
}

void xds_typed_per_filter_config_read(struct xds_ctx *ctx, const struct xds_path *at,
                                      size_t n, const void *map,
                                      struct xds_overrides *out)
{
    struct xds_filter_config_entry *entries;

    if (n == 0)
        return;
    entries = XDS_NEW_ARRAY(ctx->arena, struct xds_filter_config_entry, n);
    for (size_t i = 0; i < n; i++) {
        const ProtobufCMessage *entry;

        memcpy(&entry, (const char *)map + i * sizeof entry, sizeof entry);

        /* The three messages that own such a map have an entry type each, all {key,
         * value}: the descriptor has the offsets of the two. */
        const ProtobufCFieldDescriptor *fields = entry->descriptor->fields;
        const char *key;
        const pb_any *value;

        memcpy(&key, (const char *)entry + fields[0].offset, sizeof key);
        memcpy(&value, (const char *)entry + fields[1].offset, sizeof value);
        entries[i] = (struct xds_filter_config_entry){xds_slice_of(key), value};
    }
    xds_override_map_read(ctx, at, n, entries, out);
}

/* field NULL: no action is set. */
static void fire_unsupported(struct xds_ctx *ctx, const struct xds_path *at,
                             const char *field, xds_readers who)
{
    const struct xds_path *arm = XDS_AT(at, field);

    if (ctx->live & who)
        xds_fire_for(ctx, field ? arm : at, who, XDS_R_ROUTE_ACTION_UNSUPPORTED,
                     XDS_WITH(field
                                  ? xds_arena_printf(ctx->arena, "route action %s", field)
                                  : XDS_S("a route without action")));
}

static void read_action(struct xds_ctx *ctx, const struct xds_path *at,
                        const pb_route *pb, const struct xds_strmap *plugins,
                        struct xds_route *out)
{
    static const char *const unsupported[] = {
        [PB_ACTION(REDIRECT)] = "redirect",
        [PB_ACTION(DIRECT_RESPONSE)] = "direct_response",
        [PB_ACTION(FILTER_ACTION)] = "filter_action",
    };
    const size_t arm = (size_t)pb->action_case;

    if (pb->action_case == PB_ACTION(ROUTE)) {
        out->action_field = "route";
        xds_route_action_read(ctx, XDS_AT(at, "route"), pb->route, plugins, out);
    } else if (pb->action_case == PB_ACTION(NON_FORWARDING_ACTION)) {
        fire_unsupported(ctx, at, "non_forwarding_action",
                         xds_who(ctx, XDS_DIFF_NON_FORWARDING_UNKNOWN));
        out->action_field = "non_forwarding_action";
        out->action = XDS_ACTION_NON_FORWARDING;
        ctx->live &= ~xds_who(ctx, XDS_DIFF_NON_FORWARDING_OVERRIDES);
    } else {
        const char *field = arm < XDS_ARRAY_LEN(unsupported) ? unsupported[arm] : NULL;

        out->action = XDS_ACTION_UNSUPPORTED;
        out->action_field = field ? field : "action";
        fire_unsupported(ctx, at, field, XDS_EVERYONE);
    }
}

static uint32_t envoy_only(const pb_route *route)
{
    static const pb_route_match no_match = ENVOY__CONFIG__ROUTE__V3__ROUTE_MATCH__INIT;
    const pb_route_match *match = route->match ? route->match : &no_match;
    const pb_route_action *action =
        route->action_case == PB_ACTION(ROUTE) ? route->route : NULL;
    uint32_t bits = 0;

#define XDS_ENVOY_ONLY(id, field, is_set)                                                \
    bits |= (is_set) ? UINT32_C(1) << XDS_ENVOY_ONLY_##id : 0;
#include "model/envoy_only.def"
    return bits;
}

void xds_route_read(struct xds_ctx *ctx, const struct xds_path *at, const pb_route *pb,
                    const struct xds_strmap *plugins, struct xds_route *out)
{
    ctx = XDS_AMONG(ctx, XDS_EVERYONE);
    out->name = xds_text(ctx, pb->name);
    if (ctx->keeps)
        out->envoy_only = envoy_only(pb);
    if (pb->match) {
        xds_route_match_read(ctx, XDS_AT(at, "match"), pb->match, out);
    } else {
        xds_fire(ctx, XDS_AT(at, "match"), XDS_R_ROUTE_MATCH_ABSENT);
        ctx->live &= ~xds_who(ctx, XDS_DIFF_ROUTE_ENDS_AT_BAD_PATH);
    }
    read_action(ctx, at, pb, plugins, out);
    xds_typed_per_filter_config_read(ctx, at, pb->n_typed_per_filter_config,
                                     pb->typed_per_filter_config, &out->overrides);
}
