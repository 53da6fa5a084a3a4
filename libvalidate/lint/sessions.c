/*
 * sessions.c - session affinity that some RPCs do not have, its cookies, and its
 * clusters.
 *
 * Source: gRFC A55, A60, A75, RFC 6265; spec routing 5, 8.2; spec cluster 1.10.
 */
#include "lint/checks.h"
#include "session/session.h"

#define DAY INT64_C(86400)
/* Browsers and their like keep a cookie no longer (draft RFC 6265bis). */
#define LONGEST_TTL (400 * DAY)

/* ---- one cookie ---- */

/* Does a client that is asked about have session affinity? The others leave the filter
 * out or reject it, which rules say. */
static bool someone_has_affinity(const struct xds_inspection *in)
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

static bool is_on(const struct xds_filter_override *o)
{
    return o->session && o->session->enabled && !o->disabled;
}

/* RFC 6265 wants a token of RFC 2616. */
static bool is_token_character(char c)
{
    return c > ' ' && c < 0x7f && !strchr("()<>@,;:\\\"/[]?={}", c);
}

static void check_cookie_name(const struct xds_inspection *in, const struct xds_path *at,
                              struct xds_slice name)
{
    size_t i = 0;

    while (i < name.len && is_token_character(name.data[i]))
        i++;
    if (i < name.len)
        xds_lint_fire(in, at, XDS_R_LINT_COOKIE_NAME,
                      "cookie name \"%.*s\" has an illegal character at position "
                      "%zu: clients may not send the cookie back",
                      XDS_FMT(name), i + 1);
}

static const char *about_ttl(const struct xds_session_config *config)
{
    if (!config->has_ttl)
        return NULL;
    if (!config->ttl_positive)
        return config->ttl_seconds < 0
                   ? "ttl is negative, which sets no Max-Age: the cookie lasts as long "
                     "as "
                     "the client's session, as without ttl"
                   : "ttl is 0, which sets no Max-Age: the cookie lasts as long as the "
                     "client's session, as without ttl";
    if (config->ttl_seconds == 0)
        return "ttl is less than one second and sent as Max-Age=0, which deletes the "
               "cookie at once: there is no affinity";
    if (config->ttl_seconds > LONGEST_TTL)
        return "ttl is more than 400 days: many cookie stores cut it, and servers do not "
               "run that long";
    return NULL;
}

static void check_cookie_ttl(const struct xds_inspection *in, const struct xds_path *at,
                             const struct xds_session_config *config)
{
    const char *text = about_ttl(config);
    const bool deletes = config->ttl_positive && config->ttl_seconds == 0;

    if (text)
        (deletes ? xds_lint_fire : xds_lint_fire_note)(in, at, XDS_R_LINT_COOKIE_TTL,
                                                       "%s", text);
}

/* ---- the cookies of a virtual host ---- */

struct kept_cookie {
    const struct xds_session_config *config;
    struct xds_steps path;
};

struct cookies {
    const struct xds_inspection *in;
    struct xds_strmap by_name; /* the first one of each */
};

/* One store keeps one cookie per name and path, and sends all whose path fits. */
static const char *clash(const struct xds_session_config *a,
                         const struct xds_session_config *b)
{
    const struct xds_slice x = a->cookie_path.len ? a->cookie_path : XDS_S("/");
    const struct xds_slice y = b->cookie_path.len ? b->cookie_path : XDS_S("/");

    if (xds_slice_eq(x, y))
        return (a->ttl_positive == b->ttl_positive && a->ttl_seconds == b->ttl_seconds)
                   ? NULL
                   : "with another ttl: the last response wins";
    if (xds_cookie_path_matches(x, y) || xds_cookie_path_matches(y, x))
        return "and one path contains the other: RPCs below both send two cookies, of "
               "which the first one counts";
    return NULL;
}

static void add_cookie(struct cookies *c, const struct xds_path *at,
                       const struct xds_session_config *config)
{
    void **slot = xds_strmap_at(&c->by_name, config->cookie_name);
    const struct kept_cookie *first = *slot;

    if (!first) {
        struct kept_cookie *kept = XDS_NEW(c->in->scratch, struct kept_cookie);
        *kept = (struct kept_cookie){config, xds_path_copy(c->in->scratch, at)};
        *slot = kept;
        return;
    }
    const char *why = clash(first->config, config);
    if (why && xds_lint_fire(c->in, at, XDS_R_LINT_COOKIE_CLASH,
                             "cookie \"%.*s\" is already used in this virtual host, %s",
                             XDS_FMT(config->cookie_name), why))
        xds_lint_relate(c->in, xds_path_of(c->in->scratch, first->path),
                        "the other cookie");
}

static void add_cookies(struct cookies *c, const struct xds_path *at,
                        const struct xds_overrides *overrides)
{
    for (size_t i = 0; i < overrides->n; i++) {
        const struct xds_filter_override *o = &overrides->entries[i];

        if (!is_on(o))
            continue;
        const struct xds_path *here = XDS_AT_KEY(at, "typed_per_filter_config", o->name);

        check_cookie_name(c->in, here, o->session->cookie_name);
        check_cookie_ttl(c->in, here, o->session);
        add_cookie(c, here, o->session);
    }
}

static void check_host(const struct xds_inspection *in, const struct xds_path *at,
                       const struct xds_virtual_host *host)
{
    struct cookies c = {.in = in};

    xds_strmap_init(&c.by_name, in->scratch);
    add_cookies(&c, at, &host->overrides);
    for (size_t i = 0; i < host->n_routes; i++) {
        const struct xds_route *route = &host->routes[i];
        const struct xds_path *here = XDS_AT_I(at, "routes", i);
        const struct xds_path *split = XDS_AT(here, "route.weighted_clusters");

        add_cookies(&c, here, &route->overrides);
        for (size_t k = 0; k < route->n_weighted; k++)
            add_cookies(&c, XDS_AT_I(split, "clusters", k),
                        &route->weighted[k].overrides);
    }
}

void xds_check_session_cookies(const struct xds_inspection *in, const struct xds_path *at,
                               const struct xds_route_config *config)
{
    for (size_t i = 0; i < config->n_virtual_hosts && someone_has_affinity(in); i++)
        check_host(in, XDS_AT_I(at, "virtual_hosts", i), &config->virtual_hosts[i]);
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

/* ---- overrides ---- */

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
        if (is_on(o)) {
            const enum coverage coverage =
                coverage_of(in->scratch, o->session->cookie_path, &route->match.path);
            const bool none = coverage == COVERS_NONE;

            if (none || coverage == COVERS_SOME)
                (none ? xds_lint_fire : xds_lint_fire_note)(
                    in, here, XDS_R_LINT_COOKIE_PATH,
                    "cookie path \"%.*s\" covers %s of this route's paths: %s",
                    XDS_FMT(o->session->cookie_path), none ? "none" : "only some",
                    none ? "no RPC gets a cookie or has affinity"
                         : "RPCs with other paths get no cookie and have no affinity");
        } else if (general && is_on(general))
            xds_lint_fire(in, here, XDS_R_LINT_SESSION_OFF,
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

    if ((route->overrides.n == 0 && route->n_weighted == 0) || !someone_has_affinity(in))
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

        if (!config || !config->enabled || !someone_has_affinity(in))
            continue;
        check_cookie_name(in, here, config->cookie_name);
        check_cookie_ttl(in, here, config);
        if (listener->route_config &&
            !covers_something(in, listener->route_config, config->cookie_path))
            xds_lint_fire(in, here, XDS_R_LINT_COOKIE_PATH_UNUSED,
                          "cookie path \"%.*s\" covers no path of any route: no "
                          "RPC gets a cookie or has affinity",
                          XDS_FMT(config->cookie_path));
    }
}

#define DRAINING XDS_HEALTH_BIT(XDS_HEALTH_DRAINING)

/* ---- which clusters ---- */

/* Push what the reference means to the stack, unless it was there before: session_from is
 * the mark, and the stack runs through walk.parent. */
static struct xds_node *mark(const struct xds_node *routes, const struct xds_ref *from,
                             const struct xds_ref *ref, struct xds_node *stack)
{
    struct xds_node *to = xds_ref_to(ref);

    if (!to || to->cluster->session_from)
        return stack;
    to->cluster->session_from = from;
    to->cluster->session_node = routes;
    to->cluster->walk.parent = stack;
    return to;
}

/* Mark the cluster, and what is below an aggregate. */
static void mark_below(const struct xds_node *routes, const struct xds_ref *from)
{
    struct xds_node *stack = mark(routes, from, from, NULL);

    while (stack) {
        const struct xds_node *at = stack;

        stack = at->cluster->walk.parent;
        for (const struct xds_ref *ref = at->refs; ref < xds_refs_end(at); ref++)
            if (ref->name->type == XDS_TYPE_CLUSTER)
                stack = mark(routes, from, ref, stack);
    }
}

static void mark_from(const struct xds_node *routes, enum xds_sessions sessions)
{
    for (const struct xds_ref *ref = routes->refs; ref < xds_refs_end(routes); ref++)
        if (ref->name->type == XDS_TYPE_CLUSTER &&
            (ref->session_on ||
             (ref->session_as_listener && sessions == XDS_SESSIONS_ON)))
            mark_below(routes, ref);
}

/* Of the clients that were asked for, and that have sessions at all. */
static bool someone_takes(const struct xds_inspection *in, const struct xds_node *node)
{
    const struct xds_options *options = &in->report->options;
    const struct xds_resource_result *result = &in->report->resources[node->resource];

    return (options->clients & ~xds_clients_differing(options, XDS_DIFF_SESSION_NONE) &
            ~(result->nacked_by | result->crashed_by)) != 0;
}

/* Route configurations may be shared by many listeners: each is looked at once for the
 * listeners whose filter is on, and once for those where it is off. */
static void mark_from_listener(const struct xds_inspection *in,
                               const struct xds_node *listener, bool *open)
{
    const enum xds_sessions sessions = listener->listener->sessions;

    if (sessions == XDS_SESSIONS_NONE)
        return;
    if (!someone_takes(in, listener)) {
        *open = true;
        return;
    }
    mark_from(listener, sessions);
    for (const struct xds_ref *ref = listener->refs; ref < xds_refs_end(listener);
         ref++) {
        struct xds_node *to = xds_ref_to(ref);

        if (ref->name->type != XDS_TYPE_ROUTE || !to || to->routes->sessions >= sessions)
            continue;
        if (!someone_takes(in, to)) {
            *open = true;
            continue;
        }
        to->routes->sessions = sessions;
        mark_from(to, sessions);
    }
}

/* ---- findings ---- */

/* What leads to the cluster of the last finding. */
static void relate_session(const struct xds_inspection *in,
                           const struct xds_cluster_facts *cluster)
{
    struct xds_site_frames frames;

    xds_report_relate(in->report, cluster->session_node->resource,
                      xds_site_path(cluster->session_from->site, XDS_S(""), &frames),
                      NULL, "named here by a route with session affinity");
}

static void report_drain(const struct xds_inspection *in,
                         const struct xds_cluster_facts *cluster)
{
    const struct xds_path *at =
        cluster->has_override_host_status
            ? XDS_AT(NULL, "common_lb_config.override_host_status")
            : NULL;

    if (xds_lint_fire(in, at, XDS_R_LINT_SESSION_DRAIN,
                      cluster->override_host_status == 0
                          ? "override_host_status has no status that gRPC knows: RPCs "
                            "never go to the host of their cookie"
                          : "override_host_status lacks DRAINING, and routes with "
                            "session affinity lead to this cluster: as soon as a host "
                            "drains, its sessions move to other hosts"))
        relate_session(in, cluster);
}

static void report_crash(const struct xds_inspection *in,
                         const struct xds_cluster_facts *cluster)
{
    static const struct {
        const char *field, *host, *fix;
    } words[XDS_SESSION_DANGERS] = {
        {NULL, "a host", "upgrade to core@1.71, or set lrs_server"},
        {"common_lb_config.override_host_status", "a DRAINING host",
         "upgrade to core@1.61, or leave DRAINING out"},
    };

    for (size_t i = 0; i < XDS_SESSION_DANGERS; i++) {
        const struct xds_session_danger *danger = &xds_session_dangers[i];
        const struct xds_client_label who = xds_lint_last(in, danger->difference);

        if (!who.text[0] || !(cluster->override_host_status & danger->states) ||
            (danger->not_with_lrs && cluster->reports_load))
            continue;
        if (xds_lint_fire(in, words[i].field ? XDS_AT(NULL, words[i].field) : NULL,
                          XDS_R_LINT_SESSION_KILLS,
                          "%s dies of an RPC whose session cookie names %s of this "
                          "cluster that it has no connection to: %s",
                          who.text, words[i].host, words[i].fix))
            relate_session(in, cluster);
        return;
    }
}

void xds_check_affinity(struct xds_inspection *in, const struct xds_graph *graph)
{
    const unsigned with_sessions =
        ~xds_clients_differing(&in->report->options, XDS_DIFF_SESSION_NONE);
    bool open = in->report->options.partial || xds_graph_is_open(graph);

    if (!(in->report->options.clients & with_sessions))
        return;
    /* Of what is rejected an earlier version may be in use: it may have sessions, or not.
     */
    for (const struct xds_node *n = graph->first[XDS_TYPE_LISTENER]; n; n = n->next)
        mark_from_listener(in, n, &open);
    for (const struct xds_node *n = graph->first[XDS_TYPE_CLUSTER]; n; n = n->next)
        if (n->cluster->kind == XDS_CLUSTER_EDS) {
            const struct xds_cluster_facts *cluster = n->cluster;

            in->resource = n->resource;
            if (cluster->session_from)
                report_crash(in, cluster);
            if (cluster->session_from && !(cluster->override_host_status & DRAINING))
                report_drain(in, cluster);
            else if (!cluster->session_from && cluster->has_override_host_status &&
                     n->reached && !open)
                xds_lint_fire(in, XDS_AT(NULL, "common_lb_config.override_host_status"),
                              XDS_R_LINT_SESSION_STATUS_UNUSED,
                              "override_host_status has no effect: no route with session "
                              "affinity leads to this cluster");
        }
}
