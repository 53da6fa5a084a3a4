/*
 * route_path.c - paths that match more, or are written harder, than they are meant to be.
 *
 * Source: gRFC A28, spec routing 2.3 and 2.6.
 */
#include "base/ascii.h"
#include "lint/checks.h"
#include "lint/regex_checks.h"
#include "lint/within.h"

/* ---- prefixes ---- */

/* "/pkg.Svc": one part, the last name in it begins like that of a service. A package that
 * is meant as a prefix ends in a dot or is not written so. */
static bool names_a_service(struct xds_slice prefix)
{
    size_t last = 1;

    if (prefix.len < 2 || prefix.data[0] != '/')
        return false;
    for (size_t i = 1; i < prefix.len; i++) {
        if (prefix.data[i] == '/')
            return false;
        if (prefix.data[i] == '.')
            last = i + 1;
    }
    return last < prefix.len && prefix.data[last] >= 'A' && prefix.data[last] <= 'Z';
}

static void check_prefix(const struct xds_inspection *in, const struct xds_path *at,
                         const struct xds_path_matcher *path)
{
    if (path->kind == XDS_MATCH_PREFIX && names_a_service(path->text))
        (void)xds_lint_fire(in, XDS_AT(at, "prefix"), XDS_R_LINT_PREFIX_OPEN,
                            "prefix also matches the RPCs of a service \"%.*s2\": end it "
                            "in \"/\" to match this service only",
                            XDS_FMT(xds_slice_from(path->text, 1)));
}

/* ---- case ---- */

static bool has_letters(struct xds_slice text)
{
    for (size_t i = 0; i < text.len; i++)
        if (xds_ascii_alpha(text.data[i]))
            return true;
    return false;
}

static void check_case(const struct xds_inspection *in, const struct xds_path *at,
                       const struct xds_path_matcher *path)
{
    const bool regex = path->kind == XDS_MATCH_REGEX;

    if (!path->case_set || path->case_sensitive || !has_letters(path->text))
        return;
    (void)(regex ? xds_lint_fire : xds_lint_fire_note)(
        in, XDS_AT(at, "case_sensitive"), XDS_R_LINT_PATH_ANY_CASE, "%s",
        regex ? "case_sensitive is ignored with safe_regex: begin the regex with (?i) "
                "instead"
              : "case_sensitive is false, but paths of gRPC have one spelling: with "
                "another one a client reaches this route and then a server that does not "
                "know the method");
}

void xds_check_route_path(const struct xds_inspection *in, const struct xds_path *at,
                          const struct xds_virtual_host *host,
                          const struct xds_route *route)
{
    const struct xds_path_matcher *path = &route->match.path;
    const struct xds_path *match = XDS_AT(at, "match");

    (void)host;
    check_prefix(in, match, path);
    check_case(in, match, path);
    if (path->regex)
        xds_check_regex(in, XDS_AT(match, "safe_regex.regex"), path->text,
                        XDS_REGEX_OF_PATH);
}

/* ---- fractions ---- */

void xds_check_route_fraction(const struct xds_inspection *in, const struct xds_path *at,
                              const struct xds_virtual_host *host,
                              const struct xds_route *route)
{
    const struct xds_fraction f = route->match.fraction;
    const struct xds_path *here = XDS_AT(XDS_AT(at, "match"), "runtime_fraction");

    (void)host;
    if (!route->match.fraction_is_set || (f.numerator > 0 && f.numerator < f.denominator))
        return;
    if (f.numerator == 0)
        (void)xds_lint_fire(in, XDS_AT(here, "default_value"), XDS_R_LINT_FRACTION_ZERO,
                            "runtime_fraction is 0%%: the route matches no RPC, as gRPC "
                            "does not read runtime_key");
    else
        (void)xds_lint_fire(in, XDS_AT(here, "default_value"), XDS_R_LINT_FRACTION_WHOLE,
                            "runtime_fraction is %u of %u: it has no effect", f.numerator,
                            f.denominator);
}
