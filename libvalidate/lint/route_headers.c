/*
 * route_headers.c - header matchers that never see what they ask for.
 *
 * Source: gRFC A28, A41, spec routing 2.4 and 2.5.
 */
#include "base/limits.h"
#include "clients/readers.h"
#include "lint/checks.h"
#include "lint/regex_checks.h"
#include "lint/within.h"
#include "route/match.h"

/* What gRPC sends itself, below the place where a route is chosen. */
static bool is_of_transport(struct xds_slice name)
{
    static const char *const names[] = {
        "user-agent", "te", "host", "connection", "transfer-encoding", "content-length"};

    for (size_t i = 0; i < XDS_ARRAY_LEN(names); i++)
        if (xds_slice_is(name, names[i]))
            return true;
    return xds_slice_starts(name, XDS_S("grpc-")) && !xds_slice_ends(name, XDS_S("-bin"));
}

static const char *why_unseen(struct xds_slice name)
{
    if (is_of_transport(name))
        return "gRPC sets it after the route is chosen";
    if (name.len > 0 && name.data[0] == ':')
        return "routes ignore pseudo headers";
    if (xds_slice_ends(name, XDS_S("-bin")))
        return "routes ignore binary headers";
    return "RPCs have names in lower case, and this one is compared as written";
}

/* ---- what is never seen ---- */

static enum xds_visibility visibility(const struct xds_within *w, struct xds_slice name,
                                      struct xds_slice *constant)
{
    if (xds_slice_is(name, "grpc-timeout") &&
        xds_differs(w->rpc.options, w->rpc.client, XDS_DIFF_HEADER_TIMEOUT))
        return XDS_SEES_VALUE;
    return is_of_transport(name) ? XDS_SEES_NOTHING
                                 : xds_header_visibility(w, name, constant);
}

static void check_visibility(const struct xds_inspection *in, const struct xds_path *at,
                             const struct xds_header_matcher *m, unsigned users)
{
    unsigned blind = 0;
    bool holds = false;

    for (unsigned c = 0; c < XDS_CLIENTS; c++) {
        struct xds_slice constant;

        if (!(users & XDS_CLIENT_BIT(c)))
            continue;
        const struct xds_within w =
            xds_within_of((enum xds_client)c, &in->report->options, in->scratch);

        if (visibility(&w, m->name, &constant) != XDS_SEES_NOTHING)
            continue;
        blind |= XDS_CLIENT_BIT(c);
        holds = xds_header_takes(&w.rpc, m, NULL) == XDS_MATCH;
    }
    if (!blind)
        return;
    const struct xds_slice who = xds_lint_who(in, blind);

    (void)xds_lint_fire(in, XDS_AT(at, "name"), XDS_R_LINT_HEADER_UNSEEN,
                        "header \"%.*s\" is always absent for %.*s: %s; so %s",
                        XDS_FMT(m->name), XDS_FMT(who), why_unseen(m->name),
                        holds ? "this matcher always matches"
                              : "the route never matches");
}

/* ---- absent headers ---- */

static bool asks_for_presence(const struct xds_route_match *match,
                              const struct xds_header_matcher *m)
{
    for (size_t i = 0; i < match->n_headers && i < XDS_MAX_COMPARED_HEADERS; i++)
        if (match->headers[i].kind == XDS_HEADER_PRESENT &&
            xds_slice_eq(match->headers[i].name, m->name))
            return true;
    return false;
}

static void check_invert(const struct xds_inspection *in, const struct xds_path *at,
                         const struct xds_route_match *match,
                         const struct xds_header_matcher *m, unsigned users)
{
    unsigned minding = 0;

    if (!m->invert || m->kind == XDS_HEADER_PRESENT || m->kind == XDS_HEADER_NEVER ||
        asks_for_presence(match, m))
        return;
    for (unsigned c = 0; c < XDS_CLIENTS; c++) {
        const struct xds_within w =
            xds_within_of((enum xds_client)c, &in->report->options, in->scratch);

        if ((users & XDS_CLIENT_BIT(c)) &&
            xds_header_takes(&w.rpc, m, NULL) == XDS_NO_MATCH)
            minding |= XDS_CLIENT_BIT(c);
    }
    if (minding && xds_report_is_first(in->report, XDS_S("header-inverted")))
        (void)xds_lint_fire(
            in, XDS_AT(at, "invert_match"), XDS_R_LINT_HEADER_INVERTED,
            "for %.*s an RPC without the header \"%.*s\" does not match either; to match "
            "those too, add a route with present_match and invert_match",
            XDS_FMT(xds_lint_who(in, minding)), XDS_FMT(m->name));
}

/* ---- contradictions ---- */

/* For each client that uses the route the same pair. */
static bool contradicts(const struct xds_inspection *in, const struct xds_route *route,
                        unsigned users, struct xds_header_pair *pair)
{
    bool found = false;

    for (unsigned c = 0; c < XDS_CLIENTS; c++) {
        if (!(users & XDS_CLIENT_BIT(c)))
            continue;
        struct xds_within w =
            xds_within_of((enum xds_client)c, &in->report->options, in->scratch);

        if (!xds_headers_contradict(&w, &route->match, pair))
            return false;
        found = true;
    }
    return found;
}

/* By header-matcher-no-specifier and header-matcher-range-reversed. */
static bool is_told_elsewhere(const struct xds_header_matcher *m)
{
    return m->kind == XDS_HEADER_NEVER ||
           (m->kind == XDS_HEADER_RANGE && m->start > m->end);
}

static void check_contradiction(const struct xds_inspection *in,
                                const struct xds_path *at, const struct xds_route *route,
                                unsigned users)
{
    struct xds_header_pair pair;

    if (!contradicts(in, route, users, &pair) ||
        is_told_elsewhere(&route->match.headers[pair.second]))
        return;
    const struct xds_slice name = route->match.headers[pair.second].name;
    const bool alone = pair.first == pair.second;
    if (xds_lint_fire(in, XDS_AT_I(at, "headers", pair.second),
                      XDS_R_LINT_HEADER_CONTRADICTION,
                      "no value of header \"%.*s\" satisfies %s: the route never matches",
                      XDS_FMT(name), alone ? "this matcher" : "both matchers of it") &&
        !alone)
        xds_lint_relate(in, XDS_AT_I(at, "headers", pair.first), "the other matcher");
}

void xds_check_route_headers(const struct xds_inspection *in, const struct xds_path *at,
                             const struct xds_virtual_host *host,
                             const struct xds_route *route)
{
    const unsigned users = in->report->options.clients & (unsigned)~route->skipped_by;
    const struct xds_path *match = XDS_AT(at, "match");

    (void)host;
    for (size_t i = 0; i < route->match.n_headers; i++) {
        const struct xds_header_matcher *m = &route->match.headers[i];
        const struct xds_path *here = XDS_AT_I(match, "headers", i);

        check_visibility(in, here, m, users);
        check_invert(in, here, &route->match, m, users);
        if (m->kind == XDS_HEADER_STRING && m->string.regex)
            xds_check_regex(in, XDS_AT(here, m->specifier), m->string.text,
                            XDS_REGEX_OF_HEADER);
    }
    if (route->match.n_headers > 0)
        check_contradiction(in, match, route, users);
}
