/*
 * xds_string_matcher.c - turn xds.type.matcher.v3.StringMatcher into the model.
 *
 * Source: gRFC draft A106, spec G30 to G38.
 */
#include "rules/filter/matcher_tree.h"

#define PB_STRM(arm) XDS__TYPE__MATCHER__V3__STRING_MATCHER__MATCH_PATTERN_##arm

/* The arms that may not be empty, indexed by protobuf-c's case value. */
static const char *const arms[] = {
    [PB_STRM(PREFIX)] = "prefix",
    [PB_STRM(SUFFIX)] = "suffix",
    [PB_STRM(SAFE_REGEX)] = "safe_regex",
    [PB_STRM(CONTAINS)] = "contains",
};

static void check_empty(struct xds_ctx *ctx, const struct xds_path *at, size_t arm,
                        const char *text)
{
    if (arm < XDS_ARRAY_LEN(arms) && arms[arm] && *text == '\0')
        xds_fire(ctx, XDS_AT(at, arms[arm]), XDS_R_MTREE_PATTERN_EMPTY);
}

/* The two flavours number their arms alike, so one becomes the other. */
bool xds_matcher_string_read(struct xds_ctx *ctx, const struct xds_path *at,
                             const pb_xds_string_matcher *pb,
                             struct xds_string_matcher *out)
{
    pb_regex_matcher regex = ENVOY__TYPE__MATCHER__V3__REGEX_MATCHER__INIT;
    pb_string_matcher plain = ENVOY__TYPE__MATCHER__V3__STRING_MATCHER__INIT;
    const size_t arm = (size_t)pb->match_pattern_case;

    plain.ignore_case = pb->ignore_case;
    plain.match_pattern_case =
        (Envoy__Type__Matcher__V3__StringMatcher__MatchPatternCase)arm;
    if (arm == PB_STRM(SAFE_REGEX)) {
        regex.regex = pb->safe_regex->regex;
        plain.safe_regex = &regex;
        check_empty(ctx, at, arm, regex.regex);
    } else if (arm != PB_STRM(CUSTOM)) {
        plain.exact = pb->exact; /* the four string arms share one slot of the union */
        check_empty(ctx, at, arm, plain.exact);
    }
    return xds_string_matcher_read(ctx, at, &plain, out);
}
