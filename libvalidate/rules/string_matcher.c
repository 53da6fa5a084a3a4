/*
 * string_matcher.c - turn envoy.type.matcher.v3.StringMatcher into the model.
 *
 * Source: gRFC A63, spec listener 1.4.
 */
#include "rules/readers.h"

#define PB_STRM(arm) ENVOY__TYPE__MATCHER__V3__STRING_MATCHER__MATCH_PATTERN_##arm

/* One row per oneof arm, indexed by protobuf-c's case value (a field number). An arm
 * without a row is one that gRPC does not implement, such as custom. */
static const struct arm {
    enum xds_match_kind kind;
    const char *field;
    bool may_be_empty;
} arms[] = {
    [PB_STRM(EXACT)] = {XDS_MATCH_EXACT, "exact", true},
    [PB_STRM(PREFIX)] = {XDS_MATCH_PREFIX, "prefix", false},
    [PB_STRM(SUFFIX)] = {XDS_MATCH_SUFFIX, "suffix", false},
    [PB_STRM(SAFE_REGEX)] = {XDS_MATCH_REGEX, "safe_regex", true},
    [PB_STRM(CONTAINS)] = {XDS_MATCH_CONTAINS, "contains", false},
};

static const char *pattern_text(const pb_string_matcher *pb)
{
    /* The four string arms share one slot of protobuf-c's union. */
    if (pb->match_pattern_case == PB_STRM(SAFE_REGEX))
        return pb->safe_regex->regex;
    return pb->exact;
}

bool xds_string_matcher_read(struct xds_ctx *ctx, const struct xds_path *at,
                             const pb_string_matcher *pb, struct xds_string_matcher *out)
{
    if (!pb)
        return xds_fire(ctx, at, XDS_R_STRM_ABSENT);

    const size_t i = (size_t)pb->match_pattern_case;

    const struct arm *arm = i < XDS_ARRAY_LEN(arms) && arms[i].field ? &arms[i] : NULL;
    if (!arm)
        return xds_fire(ctx, at, XDS_R_STRM_NO_PATTERN);

    const bool is_regex = arm->kind == XDS_MATCH_REGEX;
    const char *text = pattern_text(pb);

    if (!arm->may_be_empty && *text == '\0')
        xds_fire(ctx, XDS_AT(at, arm->field), XDS_R_STRM_EMPTY_PATTERN);
    if (is_regex && pb->ignore_case)
        xds_fire(ctx, at, XDS_R_STRM_FOLD_REGEX);

    *out = (struct xds_string_matcher){
        .kind = arm->kind,
        .text = xds_text(ctx, text),
        .regex = is_regex
                     ? xds_regex_read(ctx, at, text, true,
                                      "Invalid regex string specified in matcher: ",
                                      ctx->rbac ? XDS_RULES : XDS_R_STRM_REGEX_UNCAUGHT)
                     : NULL,
        .fold_case = pb->ignore_case && !is_regex,
        .fold_regex = pb->ignore_case && is_regex,
    };
    return true;
}
