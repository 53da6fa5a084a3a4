/*
 * hash_policy.c - envoy.config.route.v3.RouteAction.HashPolicy.
 *
 * Source: gRFC A42, spec listener 7.3.3.
 */
#include "rules/route_readers.h"

#define PB_ENGINE(arm) ENVOY__TYPE__MATCHER__V3__REGEX_MATCHER__ENGINE_TYPE_##arm
#define PB_POLICY(name)                                                                  \
    ENVOY__CONFIG__ROUTE__V3__ROUTE_ACTION__HASH_POLICY__POLICY_SPECIFIER_##name

/* "\\0" and the like. */
static bool has_whole_match(struct xds_slice substitution)
{
    for (size_t i = 0; i + 1 < substitution.len; i++)
        if (substitution.data[i] == '\\' && substitution.data[i + 1] == '0')
            return true;
    return false;
}

/* node: an empty match is replaced without end. */
static void check_endless(struct xds_ctx *ctx, const struct xds_path *at,
                          struct xds_hash_policy *out)
{
    const enum xds_rule_id rule = XDS_R_HASH_PATTERN_ENDLESS;

    out->when_empty = xds_killing_of(ctx, rule);
    if (xds_regex_full_match(out->rewrite, XDS_S("")) == XDS_MATCH)
        xds_fire_with(ctx, XDS_AT(at, "pattern.regex"), rule,
                      XDS_WITH(out->rewrite->pattern));
}

/* node: throws at each match. */
static void check_substitution(struct xds_ctx *ctx, const struct xds_path *at,
                               struct xds_hash_policy *out)
{
    const enum xds_rule_id rule = XDS_R_HASH_SUBSTITUTION_WHOLE;

    if (!has_whole_match(out->substitution))
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
    const xds_readers live = ctx->live;

    if (!pb->pattern)
        xds_fire(ctx, at, XDS_R_HASH_PATTERN_ABSENT);
    else if (*text == '\0')
        xds_fire(ctx, regex, XDS_R_HASH_PATTERN_EMPTY);
    out->rewrite_lacks_pattern = !pb->pattern;
    out->rewrite_lacks_engine =
        !pb->pattern || pb->pattern->engine_type_case != PB_ENGINE(GOOGLE_RE2);
    if (out->rewrite_lacks_engine)
        ctx->live &= ~xds_who(ctx, XDS_DIFF_HASH_REWRITE_OF_RE2);
    out->rewrite = xds_regex_read(ctx, regex, text, false, "errors compiling regex: ");
    if (xds_regex_is_refused(out->rewrite, xds_slice_of(text)))
        xds_fire(ctx, regex, XDS_R_HASH_REGEX_UNCAUGHT);
    ctx->live = live;
    out->substitution = xds_text(ctx, pb->substitution);
    if (!pb->pattern || !out->rewrite || out->substitution.len == 0)
        return; /* node does not rewrite without these */
    check_endless(ctx, at, out);
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

static void read_filter_state(struct xds_ctx *ctx, const struct xds_path *at,
                              const char *key, struct xds_hash_policy *out)
{
    out->field = "filter_state";
    if (xds_slice_is(xds_slice_of(key), "io.grpc.channel_id"))
        out->kind = XDS_HASH_CHANNEL_ID;
    else
        xds_fire_with(ctx, at, XDS_R_HASH_FILTER_STATE_KEY, XDS_WITH(xds_slice_of(key)));
}

static void read_unsupported(struct xds_ctx *ctx, const struct xds_path *at,
                             const pb_route_action_hash_policy *pb,
                             struct xds_hash_policy *out)
{
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

static void read_policy(struct xds_ctx *ctx, const struct xds_path *at,
                        const pb_route_action_hash_policy *pb,
                        struct xds_hash_policy *out)
{
    out->kind = XDS_HASH_UNSUPPORTED;
    out->terminal = pb->terminal;
    if (pb->policy_specifier_case == PB_POLICY(HEADER))
        read_header(ctx, XDS_AT(at, "header"), pb->header, out);
    else if (pb->policy_specifier_case == PB_POLICY(FILTER_STATE))
        read_filter_state(ctx, XDS_AT(at, "filter_state.key"), pb->filter_state->key,
                          out);
    else
        read_unsupported(ctx, at, pb, out);
}

void xds_hash_policies_read(struct xds_ctx *ctx, const struct xds_path *at,
                            const pb_route_action *pb, struct xds_route *route)
{
    const xds_readers live = ctx->live;
    struct xds_hash_policy *policies =
        XDS_NEW_ARRAY(ctx->arena, struct xds_hash_policy, pb->n_hash_policy);

    ctx->live &= xds_guarded_by(ctx, XDS_ENV_ENABLE_RING_HASH) |
                 ~xds_who(ctx, XDS_DIFF_HASH_BEHIND_RING_HASH);
    for (size_t i = 0; i < pb->n_hash_policy; i++)
        read_policy(ctx, XDS_AT_I(at, "hash_policy", i), pb->hash_policy[i],
                    &policies[i]);
    route->hash_policies = policies;
    route->n_hash_policies = pb->n_hash_policy;
    ctx->live = live;
}
