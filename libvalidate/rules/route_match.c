/*
 * route_match.c - envoy.config.route.v3.RouteMatch, and who skips the route for it.
 *
 * Source: gRFC A28, spec listener 7.2.
 */
#include "rules/route_readers.h"

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
    path->regex = xds_regex_read(ctx, at, pattern, true, REGEX_ERROR);
    if (xds_regex_is_refused(path->regex, path->text))
        ctx->live &= ~xds_who(ctx, XDS_DIFF_ROUTE_ENDS_AT_BAD_PATH);
}

static void read_path(struct xds_ctx *ctx, const struct xds_path *at,
                      const pb_route_match *pb, struct xds_route *route)
{
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
}

static void read_headers(struct xds_ctx *ctx, const struct xds_path *at,
                         const pb_route_match *pb, struct xds_route_match *match)
{
    struct xds_header_matcher *headers =
        XDS_NEW_ARRAY(ctx->arena, struct xds_header_matcher, pb->n_headers);

    for (size_t i = 0; i < pb->n_headers; i++) /* an invalid one never matches */
        xds_header_matcher_read(ctx, XDS_AT_I(at, "headers", i), pb->headers[i],
                                &headers[i]);
    match->headers = headers;
    match->n_headers = pb->n_headers;
}

/* go takes a denominator that it does not know for MILLION. */
static uint32_t read_denominator(struct xds_ctx *ctx, const struct xds_path *at,
                                 const pb_fractional_percent *pb)
{
    static const uint32_t denominators[] = {
        [ENVOY__TYPE__V3__FRACTIONAL_PERCENT__DENOMINATOR_TYPE__HUNDRED] = 100,
        [ENVOY__TYPE__V3__FRACTIONAL_PERCENT__DENOMINATOR_TYPE__TEN_THOUSAND] = 10000,
        [ENVOY__TYPE__V3__FRACTIONAL_PERCENT__DENOMINATOR_TYPE__MILLION] = 1000000,
    };
    const size_t i = (size_t)pb->denominator;

    if (i < XDS_ARRAY_LEN(denominators))
        return denominators[i];
    xds_fire_with(ctx, at, XDS_R_MATCH_FRACTION_DENOMINATOR,
                  XDS_WITH(xds_number(ctx, pb->denominator)));
    return 1000000;
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
    match->fraction = (struct xds_fraction){
        .numerator = pb->default_value->numerator,
        .denominator =
            read_denominator(ctx, XDS_AT(at, "default_value"), pb->default_value),
    };
}

void xds_route_match_read(struct xds_ctx *ctx, const struct xds_path *at,
                          const pb_route_match *pb, struct xds_route *route)
{
    if (pb->n_query_parameters > 0)
        xds_route_skip(route, xds_fire_skip(ctx, at, XDS_R_MATCH_QUERY_PARAMETERS, NULL),
                       "match.query_parameters is set");
    read_path(ctx, at, pb, route);
    read_headers(ctx, at, pb, &route->match);
    read_fraction(ctx, XDS_AT(at, "runtime_fraction"), pb->runtime_fraction,
                  &route->match);
}
