/*
 * session.c - stateful session affinity for one RPC.
 *
 * Takes:  the filters of the listener with the overrides that apply, and the request.
 * Gives:  what the cookie says, whether it changes the cluster, and the cookie of the
 *         response. Which host it leads to is decided in lb/override_host.c.
 * Source: gRFC A55, A60, A61, A75, spec routing 5.
 */
#include "session/session.h"

const char *xds_session_code_name(enum xds_session_code code)
{
    static const char *const names[] = {
        [XDS_SESSION_OFF] = "off",
        [XDS_SESSION_PATH] = "path",
        [XDS_SESSION_NO_COOKIE] = "no-cookie",
        [XDS_SESSION_BAD_BASE64] = "bad-base64",
        [XDS_SESSION_BAD_ADDRESS] = "bad-address",
        [XDS_SESSION_CLUSTER_NOT_IN_ROUTE] = "cluster-not-in-route",
        [XDS_SESSION_NO_CLUSTER] = "no-cluster",
        [XDS_SESSION_UNKNOWN_HOST] = "unknown-host",
        [XDS_SESSION_STATUS] = "status",
        [XDS_SESSION_TRANSIENT_FAILURE] = "transient-failure",
        [XDS_SESSION_OVERRIDE] = "override",
    };
    return names[code];
}

/* ---- config ----------------------------------------------------------------------- */

/* Only C-core has the filter; the documents have it behind a guard. */
static bool implements_affinity(const struct xds_rpc *rpc)
{
    switch (rpc->client) {
    case XDS_CLIENT_GRFC:
        return xds_env_on(rpc->options, XDS_ENV_OVERRIDE_HOST, rpc->client);
    case XDS_CLIENT_CORE:
        return true;
    case XDS_CLIENT_GO:
    case XDS_CLIENT_JAVA:
    case XDS_CLIENT_NODE:
    case XDS_CLIENTS:
        return false;
    }
    return false;
}

static const struct xds_filter *find_filter(const struct xds_rpc *rpc,
                                            const struct xds_listener *listener,
                                            const struct xds_override_scope *scope)
{
    for (size_t i = 0; i < listener->n_filters; i++) {
        const struct xds_filter *f = &listener->filters[i];
        if (f->kind == XDS_FILTER_STATEFUL_SESSION && xds_filter_in_chain(scope, rpc, f))
            return f;
    }
    return NULL;
}

static const struct xds_session_config *
effective_config(const struct xds_rpc *rpc, const struct xds_override_scope *scope,
                 const struct xds_filter *filter)
{
    const struct xds_filter_override *o = xds_override_find(scope, rpc->client, filter);
    const struct xds_session_config *config = o ? o->session : filter->session;

    return config && config->enabled ? config : NULL;
}

bool xds_cookie_path_matches(struct xds_slice cookie_path, struct xds_slice path)
{
    if (cookie_path.len == 0)
        return true;
    if (!xds_slice_starts(path, cookie_path))
        return false;
    return path.len == cookie_path.len || cookie_path.data[cookie_path.len - 1] == '/' ||
           path.data[cookie_path.len] == '/';
}

/* ---- request ---------------------------------------------------------------------- */

static void stop(struct xds_session *session, enum xds_session_code code,
                 struct xds_slice reason)
{
    session->code = code;
    session->reason = reason;
}

/* A55 wants one IP:port; C-core takes any text, which then names no endpoint. */
static bool addresses_pass(const struct xds_rpc *rpc, const struct xds_cookie *cookie)
{
    return rpc->client != XDS_CLIENT_GRFC ||
           (cookie->n_addresses == 1 && xds_is_ip_port(cookie->addresses[0]));
}

static void read_cookie(const struct xds_rpc *rpc, struct xds_session *s)
{
    struct xds_slice value;

    if (!xds_cookie_find(rpc, s->config->cookie_name, &value, &s->tolerant)) {
        stop(s, XDS_SESSION_NO_COOKIE,
             xds_arena_printf(rpc->arena, "the request has no cookie %.*s",
                              XDS_FMT(s->config->cookie_name)));
        return;
    }

    const size_t room = value.len / 4 * 3 + 3;
    char *clear = xds_arena_alloc(rpc->arena, room);
    size_t len;

    if (!xds_cookie_decode(value, clear, room, &len)) {
        stop(s, XDS_SESSION_BAD_BASE64,
             XDS_S("the cookie is not base64, or empty; it counts as missing"));
        return;
    }
    s->cookie = xds_cookie_parse(rpc, xds_slice_make(clear, len));
    stop(s, XDS_SESSION_OVERRIDE, xds_slice_make(NULL, 0));
    if (!addresses_pass(rpc, &s->cookie))
        stop(s, XDS_SESSION_BAD_ADDRESS,
             XDS_S("the cookie does not name one IP:port; it is passed over"));
}

void xds_session_read(const struct xds_rpc *rpc, const struct xds_listener *listener,
                      const struct xds_override_scope *scope,
                      const struct xds_session *last, struct xds_session *out)
{
    const struct xds_filter *filter =
        implements_affinity(rpc) ? find_filter(rpc, listener, scope) : NULL;
    const struct xds_session_config *config =
        filter ? effective_config(rpc, scope, filter) : NULL;

    if (last && config && last->config == config) {
        *out = *last;
        return;
    }
    *out = (struct xds_session){.filter = filter != NULL, .code = XDS_SESSION_OFF};
    out->reason = XDS_S("no session affinity filter is in the chain");
    if (!filter)
        return;
    out->config = config;
    out->reason = XDS_S("session affinity is switched off here");
    if (!out->config)
        return;

    out->path_matches =
        xds_cookie_path_matches(out->config->cookie_path, rpc->request->path);
    out->acts = out->path_matches;
    if (out->acts)
        read_cookie(rpc, out);
    else
        stop(out, XDS_SESSION_PATH,
             xds_arena_printf(rpc->arena, "the cookie's path %.*s does not cover %.*s",
                              XDS_FMT(out->config->cookie_path),
                              XDS_FMT(rpc->request->path)));
}

/* ---- cluster ---------------------------------------------------------------------- */

bool xds_session_route_names(const struct xds_route *route, struct xds_slice cluster)
{
    if (route->action == XDS_ACTION_CLUSTER)
        return xds_slice_eq(route->cluster, cluster);
    for (size_t i = 0; i < route->n_weighted; i++)
        if (route->weighted[i].weight && xds_slice_eq(route->weighted[i].name, cluster))
            return true;
    return false;
}

bool xds_session_has_cookie(const struct xds_session *session)
{
    return session->acts && session->code >= XDS_SESSION_CLUSTER_NOT_IN_ROUTE;
}

struct xds_session_cluster xds_session_use_cluster(const struct xds_rpc *rpc,
                                                   struct xds_session *session,
                                                   struct xds_slice selected, bool plugin,
                                                   bool in_route)
{
    const struct xds_slice wanted = session->cookie.cluster;
    struct xds_session_cluster out = {selected, false, false};

    if (!xds_session_has_cookie(session)) {
        out.changed = !plugin;
        return out;
    }
    if (!wanted.data) {
        out.changed = !plugin;
        stop(session, XDS_SESSION_NO_CLUSTER, XDS_S("the cookie names no cluster"));
        return out;
    }
    if (plugin || !in_route) {
        out.changed = plugin || !xds_slice_eq(wanted, selected);
        const struct xds_slice text = xds_excerpt(rpc->arena, wanted);
        stop(session, XDS_SESSION_CLUSTER_NOT_IN_ROUTE,
             xds_arena_printf(rpc->arena,
                              "the cookie's cluster %.*s is none of this route",
                              XDS_FMT(text)));
        return out;
    }
    out.name = wanted;
    out.overridden = true;
    return out;
}

/* ---- response --------------------------------------------------------------------- */

static struct xds_slice encoded(struct xds_arena *arena, struct xds_slice list,
                                struct xds_slice cluster)
{
    const struct xds_slice name = cluster.data ? cluster : XDS_S("");
    const size_t len = xds_cookie_encode(list, name, NULL, 0);
    char *text = xds_arena_alloc(arena, len + 1);

    return xds_slice_make(text, xds_cookie_encode(list, name, text, len));
}

struct xds_slice xds_session_set_cookie(const struct xds_session *session,
                                        struct xds_slice address_list,
                                        struct xds_slice cluster, bool changed,
                                        struct xds_arena *arena)
{
    const struct xds_session_config *config = session->config;

    if (!session->acts || (xds_slice_eq(address_list, session->cookie.list) && !changed))
        return xds_slice_make(NULL, 0);

    const struct xds_slice value = encoded(arena, address_list, cluster);
    struct xds_slice text = xds_arena_printf(
        arena, "%.*s=%.*s; HttpOnly", XDS_FMT(config->cookie_name), XDS_FMT(value));
    if (config->cookie_path.len)
        text = xds_arena_printf(arena, "%.*s; Path=%.*s", XDS_FMT(text),
                                XDS_FMT(config->cookie_path));
    if (config->has_ttl && config->ttl_positive)
        text = xds_arena_printf(arena, "%.*s; Max-Age=%lld", XDS_FMT(text),
                                (long long)config->ttl_seconds);
    return text;
}
