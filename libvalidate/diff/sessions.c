/*
 * sessions.c - session cookies that the new side no longer honours.
 *
 * old side sends an RPC with that cookie to it, and if so whether the new side does. Both
 * questions go to the explainers. Source: gRFC A55, A60; spec routing 5.
 */
#include "base/limits.h"
#include "diff/diff.h"
#include "lb/lb.h"

/* What stays the same for all cookies of one RPC. */
struct jar {
    struct xds_diff *diff;
    struct xds_arena *arena;
    struct xds_request request; /* with room for one header more */
    struct xds_header *cookie;
    struct xds_slice name, path;
};

/* ---- causes ---- */

static const char *const break_names[XDS_BREAKS] = {
    [XDS_BREAK_HOST] = "host-gone",   [XDS_BREAK_CLUSTER] = "cluster-not-in-route",
    [XDS_BREAK_STATUS] = "status",    [XDS_BREAK_OFF] = "filter-off",
    [XDS_BREAK_NAME] = "cookie-name", [XDS_BREAK_PATH] = "cookie-path",
    [XDS_BREAK_FAILS] = "rpc-fails",  [XDS_BREAK_OTHER] = "other",
};

const char *xds_break_name(enum xds_break cause)
{
    return break_names[cause];
}

static enum xds_break cause_of_code(enum xds_session_code code)
{
    switch (code) {
    case XDS_SESSION_OFF:
        return XDS_BREAK_OFF;
    case XDS_SESSION_PATH:
        return XDS_BREAK_PATH;
    case XDS_SESSION_CLUSTER_NOT_IN_ROUTE:
        return XDS_BREAK_CLUSTER;
    case XDS_SESSION_UNKNOWN_HOST:
        return XDS_BREAK_HOST;
    case XDS_SESSION_STATUS:
        return XDS_BREAK_STATUS;
    case XDS_SESSION_NO_COOKIE:
    case XDS_SESSION_BAD_BASE64:
    case XDS_SESSION_BAD_ADDRESS:
    case XDS_SESSION_NO_CLUSTER:
    case XDS_SESSION_TRANSIENT_FAILURE:
    case XDS_SESSION_OVERRIDE:
        break;
    }
    return XDS_BREAK_OTHER;
}

/* Why it breaks, and more of it than the cause says. */
struct reason {
    enum xds_break cause;
    struct xds_slice text;
};

static struct reason reason_of(const struct jar *jar, const struct xds_decision *now)
{
    const struct xds_session *session = now->session;
    const struct xds_session_config *config = session ? session->config : NULL;

    if (!session && !xds_decision_routed(now))
        return (struct reason){XDS_BREAK_FAILS, now->error};
    if (!config)
        return (struct reason){XDS_BREAK_OFF, {NULL, 0}};
    if (!xds_slice_eq(config->cookie_name, jar->name))
        return (struct reason){XDS_BREAK_NAME, config->cookie_name};
    const bool elsewhere = session->asked && !session->in_route;
    const enum xds_break cause =
        elsewhere ? XDS_BREAK_CLUSTER : cause_of_code(session->code);
    return (struct reason){cause, cause == XDS_BREAK_PATH ? config->cookie_path
                                                          : session->reason};
}

/* ---- one cookie ---- */

static bool honours(const struct xds_decision *d, struct xds_slice cluster)
{
    return d->session_applies && d->cluster && xds_slice_eq(d->cluster->name, cluster);
}

static struct xds_slice encode(const struct jar *jar, struct xds_slice addresses,
                               struct xds_slice cluster)
{
    const size_t len = xds_cookie_encode(addresses, cluster, NULL, 0);
    char *value = xds_arena_alloc(jar->arena, len + 1);

    (void)xds_cookie_encode(addresses, cluster, value, len);
    return xds_arena_printf(jar->arena, "%.*s=%.*s", XDS_FMT(jar->name), (int)len, value);
}

static struct xds_session_change *
session_of(const struct jar *jar, struct xds_slice addresses, struct xds_slice cluster)
{
    struct xds_diff *diff = jar->diff;
    const struct xds_slice key = xds_arena_printf(
        jar->arena, "%.*s\n%.*s\n%.*s\n%.*s\n%.*s", XDS_FMT(jar->request.target),
        XDS_FMT(jar->name), XDS_FMT(jar->path), XDS_FMT(cluster), XDS_FMT(addresses));
    void **slot = xds_strmap_at(&diff->by_session, key);

    if (!*slot) {
        struct xds_session_change *session =
            XDS_NEW(&diff->arena, struct xds_session_change);
        session->addresses = xds_arena_dup(&diff->arena, addresses);
        diff->n_sessions++;
        *slot = session;
    }
    return *slot;
}

/* NULL when enough are listed. */
static struct xds_session_kind *add_kind(const struct jar *jar, struct xds_slice cluster,
                                         const struct reason *reason)
{
    struct xds_diff *diff = jar->diff;
    struct xds_arena *arena = &diff->arena;

    if (!diff->breaks)
        diff->breaks =
            XDS_NEW_ARRAY(arena, struct xds_session_kind *, XDS_MAX_DIFF_KINDS);
    if (diff->n_breaks == XDS_MAX_DIFF_KINDS)
        return NULL;
    struct xds_session_kind *kind = XDS_NEW(arena, struct xds_session_kind);
    struct xds_request example = jar->request;

    example.n_headers--; /* the cookie's */
    *kind = (struct xds_session_kind){
        .cause = reason->cause,
        .cookie_name = xds_arena_dup(arena, jar->name),
        .cookie_path = xds_arena_dup(arena, jar->path),
        .cluster = xds_arena_dup(arena, cluster),
        .reason = xds_arena_dup(arena, reason->text),
        .example = xds_diff_keep_request(arena, &example),
    };
    diff->breaks[diff->n_breaks++] = kind;
    return kind;
}

static void note_break(const struct jar *jar, struct xds_session_change *session,
                       struct xds_slice cluster, const struct xds_decision *now)
{
    struct xds_diff *diff = jar->diff;
    const struct reason reason = reason_of(jar, now);
    const struct xds_slice key = xds_arena_printf(
        jar->arena, "%s\n%.*s\n%.*s\n%.*s\n%.*s", xds_break_name(reason.cause),
        XDS_FMT(jar->name), XDS_FMT(jar->path), XDS_FMT(cluster),
        XDS_FMT(jar->request.target));
    struct xds_session_kind *kind = xds_strmap_get(&diff->by_break, key);

    session->breaks = true;
    diff->n_broken++;
    if (!kind)
        kind = add_kind(jar, cluster, &reason);
    if (!kind) {
        diff->n_more_breaks++;
        return;
    }
    *xds_strmap_at(&diff->by_break, key) = kind;
    if (kind->last)
        kind->last->next = session;
    else
        kind->first = session;
    kind->last = session;
    kind->n++;
}

static bool answer(const struct jar *jar, enum xds_side side,
                   const struct xds_decision **d)
{
    const enum xds_status status =
        xds_explain(jar->diff->explainer[side], &jar->request, d);

    if (status == XDS_ERR_NO_MEMORY)
        xds_arena_give_up(jar->arena);
    return status == XDS_OK;
}

static void try_cookie(const struct jar *jar, struct xds_slice cluster,
                       const struct xds_endpoint *endpoint)
{
    struct xds_diff *diff = jar->diff;
    const struct xds_slice addresses = xds_address_list(jar->arena, endpoint, 0);
    const struct xds_decision *d;

    if (diff->n_cookies++ >= XDS_MAX_DIFF_COOKIES) {
        diff->sessions_cut = true;
        return;
    }
    *jar->cookie = (struct xds_header){XDS_S("cookie"), encode(jar, addresses, cluster)};
    if (!answer(jar, XDS_SIDE_OLD, &d) || !honours(d, cluster))
        return;
    struct xds_session_change *session = session_of(jar, addresses, cluster);
    session->health = endpoint->health;
    if (!answer(jar, XDS_SIDE_NEW, &d) || honours(d, cluster))
        return;
    if (!session->breaks)
        note_break(jar, session, cluster, d);
}

/* ---- the hosts of a route ---- */

static void try_hosts(const struct jar *jar, struct xds_slice cluster,
                      const struct xds_endpoints *endpoints)
{
    for (size_t i = 0; endpoints && i < endpoints->n_localities; i++) {
        const struct xds_locality *locality = &endpoints->localities[i];

        for (size_t k = 0; k < locality->n_endpoints && !jar->diff->sessions_cut; k++)
            try_cookie(jar, cluster, &locality->endpoints[k]);
    }
}

static void try_clusters(const struct jar *jar, const struct xds_slice *clusters,
                         size_t n)
{
    struct xds_check *check = jar->diff->side[XDS_SIDE_OLD].check;
    struct xds_random none = {NULL, 0, 0};
    const struct xds_rpc rpc = {.client = jar->diff->client,
                                .options = &check->report->options,
                                .request = &jar->request,
                                .random = &none,
                                .arena = jar->arena};
    struct xds_lb lb;

    xds_lb_init(&lb, &rpc, &check->snapshot);
    for (size_t i = 0; i < n; i++) {
        const struct xds_leaves leaves = xds_aggregate_leaves(&lb, clusters[i]);

        for (size_t k = 0; k < leaves.n; k++) {
            struct xds_slice why;

            if (leaves.list[k].cluster)
                try_hosts(jar, clusters[i],
                          xds_leaf_endpoints(&lb, &leaves.list[k], &why));
        }
    }
}

/* The explainer's answer is gone once it is asked again. */
static struct xds_slice *keep_clusters(struct xds_arena *arena,
                                       const struct xds_decision *d)
{
    struct xds_slice *names = XDS_NEW_ARRAY(arena, struct xds_slice, d->n_clusters + 1);

    for (size_t i = 0; i < d->n_clusters; i++)
        names[i] = xds_arena_dup(arena, d->clusters[i].name);
    return names;
}

static struct jar open_jar(struct xds_diff *diff, const struct xds_request *request,
                           const struct xds_session_config *config)
{
    struct jar jar = {.diff = diff, .arena = &diff->cookies, .request = *request};
    struct xds_header *headers =
        XDS_NEW_ARRAY(jar.arena, struct xds_header, request->n_headers + 1);

    for (size_t i = 0; i < request->n_headers; i++)
        headers[i] = request->headers[i];
    jar.cookie = &headers[request->n_headers];
    jar.request.headers = headers;
    jar.request.n_headers++;
    jar.name = xds_arena_dup(jar.arena, config->cookie_name);
    jar.path = xds_arena_dup(jar.arena, config->cookie_path);
    return jar;
}

/* Routes that are reached from several domains are looked at once. */
static bool is_new_pair(struct xds_diff *diff, const struct xds_decision *old,
                        const struct xds_decision *now)
{
    const void *const pair[] = {old->route->route, old->virtual_host.host,
                                now->route ? now->route->route : NULL,
                                now->virtual_host.host};
    void **slot = xds_strmap_at(
        &diff->routes, xds_slice_make((const char *)(const void *)pair, sizeof pair));

    if (*slot)
        return false;
    *slot = diff;
    return true;
}

void xds_diff_sessions(struct xds_diff *diff, const struct xds_request *request,
                       const struct xds_decision *old, const struct xds_decision *now)
{
    if (!old->route || !old->session || !old->session->acts || diff->sessions_cut ||
        !is_new_pair(diff, old, now))
        return;
    xds_arena_reset(&diff->cookies);
    const size_t n = old->n_clusters;
    const struct xds_slice *clusters = keep_clusters(&diff->cookies, old);
    const struct jar jar = open_jar(diff, request, old->session->config);

    try_clusters(&jar, clusters, n);
}
