/*
 * sessions.c - session affinity that some RPCs do not have.
 *
 * Source: gRFC A55, A60, RFC 6265, spec routing 5.
 */
#include "lint/checks.h"
#include "lint/places.h"
#include "lint/cookies.h"
#include "lint/regex_text.h"
#include "lint/within.h"
#include "session/session.h"

/* The others leave the filter out or reject it, which rules say. */
bool xds_someone_has_affinity(const struct xds_inspection *in)
{
    for (unsigned c = 0; c < XDS_CLIENTS; c++) {
        const struct xds_within w =
            xds_within_of((enum xds_client)c, &in->report->options, in->scratch);

        if ((in->report->options.clients & XDS_CLIENT_BIT(c)) &&
            xds_session_is_implemented(&w.rpc))
            return true;
    }
    return false;
}

/* ---- the path of the cookie, and those of a route ---- */

enum coverage { COVERS_ALL, COVERS_SOME, COVERS_NONE, COVERAGE_OPEN };

/* Of all paths with a prefix. */
static enum coverage covers_prefix(struct xds_slice cookie, struct xds_slice prefix)
{
    const bool inside = xds_slice_starts(prefix, cookie);

    if (inside && (cookie.data[cookie.len - 1] == '/' ||
                   (prefix.len > cookie.len && prefix.data[cookie.len] == '/')))
        return COVERS_ALL;
    return xds_slice_starts(cookie, prefix) ? COVERS_SOME : COVERS_NONE;
}

static enum coverage coverage_of(struct xds_arena *arena, struct xds_slice cookie,
                                 const struct xds_path_matcher *path)
{
    enum coverage coverage = COVERAGE_OPEN;

    if (cookie.len == 0 || xds_slice_is(cookie, "/"))
        return COVERS_ALL;
    if (!path->case_sensitive || xds_path_takes_all(path))
        return COVERAGE_OPEN;
    switch (path->kind) {
    case XDS_MATCH_EXACT:
        return xds_cookie_path_matches(cookie, path->text) ? COVERS_ALL : COVERS_NONE;
    case XDS_MATCH_PREFIX:
        return covers_prefix(cookie, path->text);
    case XDS_MATCH_REGEX:
        coverage = covers_prefix(cookie, xds_regex_stem(arena, path->text));
        return coverage == COVERS_SOME ? COVERAGE_OPEN : coverage;
    case XDS_MATCH_SUFFIX:
    case XDS_MATCH_CONTAINS:
        break;
    }
    return coverage;
}

static void check_coverage(const struct xds_inspection *in, const struct xds_path *at,
                           const struct xds_session_config *config,
                           const struct xds_route *route)
{
    const enum coverage coverage =
        coverage_of(in->scratch, config->cookie_path, &route->match.path);
    const bool none = coverage == COVERS_NONE;

    if (none || coverage == COVERS_SOME)
        (void)(none ? xds_lint_fire : xds_lint_fire_note)(
            in, at, XDS_R_LINT_COOKIE_PATH,
            "cookie path \"%.*s\" covers %s of this route's paths: %s",
            XDS_FMT(config->cookie_path), none ? "none" : "only some",
            none ? "no RPC gets a cookie or has affinity"
                 : "RPCs with other paths get no cookie and have no affinity");
}

/* ---- overrides ---- */

bool xds_override_is_on(const struct xds_filter_override *o)
{
    return o->session && o->session->enabled && !o->disabled;
}

static const struct xds_filter_override *find(const struct xds_overrides *overrides,
                                              struct xds_slice name)
{
    for (size_t i = 0; i < overrides->n; i++)
        if (xds_slice_eq(overrides->entries[i].name, name))
            return &overrides->entries[i];
    return NULL;
}

/* at: of what owns the overrides. */
static void check_overrides(const struct xds_inspection *in, const struct xds_path *at,
                            const struct xds_virtual_host *host,
                            const struct xds_route *route,
                            const struct xds_overrides *overrides)
{
    for (size_t i = 0; i < overrides->n; i++) {
        const struct xds_filter_override *o = &overrides->entries[i];
        const struct xds_filter_override *general = find(&host->overrides, o->name);
        const struct xds_path *here = XDS_AT_KEY(at, "typed_per_filter_config", o->name);

        if (o->kind != XDS_FILTER_STATEFUL_SESSION)
            continue;
        if (xds_override_is_on(o))
            check_coverage(in, here, o->session, route);
        else if (general && xds_override_is_on(general))
            (void)xds_lint_fire(in, here, XDS_R_LINT_SESSION_OFF,
                                "\"%.*s\" disables the session affinity that the virtual "
                                "host enables: RPCs of this route get no cookie",
                                XDS_FMT(o->name));
    }
}

void xds_check_route_session(const struct xds_inspection *in, const struct xds_path *at,
                             const struct xds_virtual_host *host,
                             const struct xds_route *route)
{
    const struct xds_path *split = XDS_AT(at, "route.weighted_clusters");

    if ((route->overrides.n == 0 && route->n_weighted == 0) ||
        !xds_someone_has_affinity(in))
        return;
    check_overrides(in, at, host, route, &route->overrides);
    for (size_t i = 0; i < route->n_weighted; i++)
        check_overrides(in, XDS_AT_I(split, "clusters", i), host, route,
                        &route->weighted[i].overrides);
}

/* ---- the filter of a listener ---- */

/* A cookie for one service of many is no slip, one for none is. */
static bool covers_something(const struct xds_inspection *in,
                             const struct xds_route_config *config,
                             struct xds_slice cookie_path)
{
    bool some = false;

    for (size_t i = 0; i < config->n_virtual_hosts; i++)
        for (size_t j = 0; j < config->virtual_hosts[i].n_routes; j++) {
            some = true;
            if (coverage_of(in->scratch, cookie_path,
                            &config->virtual_hosts[i].routes[j].match.path) !=
                COVERS_NONE)
                return true;
        }
    return !some;
}

void xds_check_session_filters(const struct xds_inspection *in,
                               const struct xds_listener *listener)
{
    for (size_t i = 0; i < listener->n_filters; i++) {
        const struct xds_session_config *config = listener->filters[i].session;
        const struct xds_path *here =
            XDS_AT_I(XDS_AT_CONNECTION_MANAGER, "http_filters", i);

        if (!config || !config->enabled || !xds_someone_has_affinity(in))
            continue;
        xds_check_cookie_name(in, here, config->cookie_name);
        xds_check_cookie_ttl(in, here, config);
        if (listener->route_config &&
            !covers_something(in, listener->route_config, config->cookie_path))
            (void)xds_lint_fire(in, here, XDS_R_LINT_COOKIE_PATH_UNUSED,
                                "cookie path \"%.*s\" covers no path of any route: no "
                                "RPC gets a cookie or has affinity",
                                XDS_FMT(config->cookie_path));
    }
}
