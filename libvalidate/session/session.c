/*
 * session.c - stateful session affinity for one RPC.
 *
 * Source: gRFC A55, A60, A61, A75, spec routing 5.
 */
#include "session/session.h"

#include "clients/readers.h"
#include "route/readings.h"

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

/* ---- config ---- */

bool xds_session_is_implemented(const struct xds_rpc *rpc)
{
    if (xds_reads(rpc, XDS_READS_SESSION_NONE))
        return false;
    return !xds_differs(rpc->options, rpc->client, XDS_DIFF_SESSION_GUARDED) ||
           xds_env_on(rpc->options, XDS_ENV_OVERRIDE_HOST, rpc->client);
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

/* ---- request ---- */

static void stop(struct xds_session *session, enum xds_session_code code,
                 struct xds_slice reason)
{
    session->code = code;
    session->reason = reason;
}

/* A55 wants one IP:port; C-core takes any text, which then names no endpoint. */
static bool addresses_pass(const struct xds_rpc *rpc, const struct xds_cookie *cookie)
{
    return !xds_reads(rpc, XDS_READS_COOKIE_ONE_IP_PORT) ||
           (cookie->n_addresses == 1 && xds_is_ip_port(cookie->addresses[0]));
}

/* What people send instead of base64, by a character that gives it away. */
static struct xds_slice undecodable(struct xds_slice value)
{
    static const struct {
        const char *characters, *reason;
    } mistakes[] = {
        {"\"", "the quotes around the cookie are part of its value and are not base64; "
               "it is treated as missing"},
        {",", "the cookie has a comma, as when several Cookie headers are joined, and is "
              "not base64; it is treated as missing"},
        {"-_", "the cookie is in the URL-safe alphabet of base64, which is not read; it "
               "is treated as missing"},
        {"%",
         "the cookie is percent-encoded, which is not read; it is treated as missing"},
    };

    if (value.len == 0)
        return XDS_S("the cookie is empty; it is treated as missing");
    for (size_t i = 0; i < XDS_ARRAY_LEN(mistakes); i++)
        for (const char *c = mistakes[i].characters; *c; c++)
            if (xds_slice_find(value, *c) < value.len)
                return xds_slice_of(mistakes[i].reason);
    return XDS_S("the cookie is not base64; it is treated as missing");
}

static void read_cookie(const struct xds_rpc *rpc, struct xds_session *s)
{
    struct xds_slice value;

    if (!xds_cookie_find(rpc, s->config->cookie_name, &value, &s->tolerant)) {
        stop(s, XDS_SESSION_NO_COOKIE,
             xds_arena_printf(rpc->arena, "the request has no cookie \"%.*s\"",
                              XDS_FMT(s->config->cookie_name)));
        return;
    }

    const size_t room = value.len / 4 * 3 + 3;
    char *clear = xds_arena_alloc(rpc->arena, room);
    size_t len;

    if (!xds_cookie_decode(value, clear, room, &len)) {
        stop(s, XDS_SESSION_BAD_BASE64, undecodable(value));
        return;
    }
    s->cookie = xds_cookie_parse(rpc, xds_slice_make(clear, len));
    stop(s, XDS_SESSION_OVERRIDE, xds_slice_make(NULL, 0));
    if (!addresses_pass(rpc, &s->cookie))
        stop(s, XDS_SESSION_BAD_ADDRESS,
             XDS_S("the cookie does not contain an IP:port; it is ignored"));
}

/* What was read of this config in another scope, or NULL. */
static const struct xds_session *find_read(const struct xds_session *last,
                                           const struct xds_session_config *config)
{
    while (last && last->config != config)
        last = last->before;
    return config ? last : NULL;
}

static void judge_path(const struct xds_rpc *rpc, struct xds_session *s)
{
    s->path_matches = xds_cookie_path_matches(s->config->cookie_path, rpc->request->path);
    s->acts = s->path_matches;
    if (s->acts)
        read_cookie(rpc, s);
    else
        stop(s, XDS_SESSION_PATH,
             xds_arena_printf(rpc->arena,
                              "the cookie's path %.*s does not cover %.*s, so it is "
                              "neither read nor set",
                              XDS_FMT(s->config->cookie_path),
                              XDS_FMT(rpc->request->path)));
}

bool xds_session_route_names(const struct xds_route *route, struct xds_slice cluster)
{
    if (route->action == XDS_ACTION_CLUSTER)
        return xds_slice_eq(route->cluster, cluster);
    for (size_t i = 0; i < route->n_weighted; i++)
        if (route->weighted[i].weight && xds_slice_eq(route->weighted[i].name, cluster))
            return true;
    return false;
}

/* Asked once per route, however many weighted clusters it has. */
static void ask_route(struct xds_session *session, const struct xds_route *route)
{
    if (session->asked == route || !session->cookie.cluster.data)
        return;
    session->asked = route;
    session->in_route = xds_session_route_names(route, session->cookie.cluster);
}

/* Who has switched it off. */
static struct xds_slice off_reason(const struct xds_rpc *rpc,
                                   const struct xds_override_scope *scope,
                                   const struct xds_filter *filter)
{
    static const char *const reasons[] = {
        [XDS_CONFIG_WEIGHTED_CLUSTER] = "the weighted cluster disables session affinity",
        [XDS_CONFIG_ROUTE] = "the route disables session affinity",
        [XDS_CONFIG_VIRTUAL_HOST] = "the virtual host disables session affinity",
        [XDS_CONFIG_LISTENER] =
            "the filter has no session_state, so session affinity is disabled",
    };

    return xds_slice_of(reasons[xds_filter_use_of(scope, rpc, filter).from]);
}

static struct xds_session read_filter(const struct xds_rpc *rpc,
                                      const struct xds_override_scope *scope,
                                      const struct xds_filter *filter,
                                      const struct xds_session *last)
{
    const struct xds_session_config *config = effective_config(rpc, scope, filter);
    const struct xds_session *read = find_read(last, config);
    struct xds_session s = {.code = XDS_SESSION_OFF};

    if (read)
        s = *read;
    s.filter = true;
    s.filter_name = filter->name;
    s.config = config;
    s.before = NULL;
    if (!config)
        s.reason = off_reason(rpc, scope, filter);
    else if (!read)
        judge_path(rpc, &s);
    ask_route(&s, scope->route);
    return s;
}

/* Which of two instances tells more: one that acts; of those the later one, whose list of
 * addresses replaces that of the earlier one; else one that is on; else the first. */
static bool replaces(const struct xds_session *later, const struct xds_session *earlier)
{
    if (!earlier->filter || later->acts)
        return true;
    return later->config && !earlier->config && !earlier->acts;
}

void xds_session_read(const struct xds_rpc *rpc, const struct xds_listener *listener,
                      const struct xds_override_scope *scope,
                      const struct xds_session *last, struct xds_session *out)
{
    *out = (struct xds_session){.code = XDS_SESSION_OFF,
                                .reason =
                                    XDS_S("no session affinity filter is in the chain")};
    if (!xds_session_is_implemented(rpc))
        return;
    for (size_t i = 0; i < listener->n_filters; i++) {
        const struct xds_filter *filter = &listener->filters[i];

        if (filter->kind != XDS_FILTER_STATEFUL_SESSION ||
            !xds_filter_in_chain(scope, rpc, filter))
            continue;
        struct xds_session s = read_filter(rpc, scope, filter, last);
        if (!replaces(&s, out))
            continue;
        if (out->acts) {
            s.before = XDS_NEW(rpc->arena, struct xds_session);
            *s.before = *out;
        }
        *out = s;
    }
}

void xds_session_end_before(struct xds_session *session)
{
    if (!session->config)
        return;
    *session = (struct xds_session){
        .filter = true,
        .filter_name = session->filter_name,
        .config = session->config,
        .path_matches = session->path_matches,
        .code = XDS_SESSION_OFF,
        .reason = XDS_S("the RPC ends before it reaches the session affinity filter"),
    };
}

/* ---- cluster ---- */

bool xds_session_has_cookie(const struct xds_session *session)
{
    return session->acts && session->code >= XDS_SESSION_CLUSTER_NOT_IN_ROUTE;
}

static struct xds_slice not_in_route(const struct xds_rpc *rpc, struct xds_slice cluster,
                                     bool plugin)
{
    const struct xds_slice text = xds_excerpt(rpc->arena, cluster);

    if (plugin)
        return XDS_S(
            "a plugin chooses the cluster, so the cluster of the cookie is ignored");
    return xds_arena_printf(rpc->arena,
                            "the route does not lead to the cookie's cluster %.*s",
                            XDS_FMT(text));
}

/* What one instance of the filter makes of the cluster selected so far. */
static struct xds_session_cluster use_cluster(const struct xds_rpc *rpc,
                                              struct xds_session *session,
                                              struct xds_slice selected, bool plugin)
{
    const struct xds_slice wanted = session->cookie.cluster;
    struct xds_session_cluster out = {selected, false, false};

    if (!xds_session_has_cookie(session)) {
        out.changed = !plugin;
        return out;
    }
    if (!wanted.data) {
        out.changed = !plugin && !xds_reads(rpc, XDS_READS_COOKIE_WITHOUT_CLUSTER);
        stop(session, XDS_SESSION_NO_CLUSTER, XDS_S("the cookie names no cluster"));
        return out;
    }
    if (plugin || !session->in_route) {
        out.changed = plugin || !xds_slice_eq(wanted, selected);
        stop(session, XDS_SESSION_CLUSTER_NOT_IN_ROUTE,
             not_in_route(rpc, wanted, plugin));
        return out;
    }
    out.name = wanted;
    out.overridden = true;
    return out;
}

struct xds_session_cluster xds_session_use_cluster(const struct xds_rpc *rpc,
                                                   struct xds_session *session,
                                                   struct xds_slice selected, bool plugin)
{
    bool overridden = false;

    if (session->before) {
        struct xds_session *own = XDS_NEW(rpc->arena, struct xds_session);

        *own = *session->before; /* the branches of an RPC share the original */
        session->before = own;
        const struct xds_session_cluster earlier =
            xds_session_use_cluster(rpc, own, selected, plugin);
        selected = earlier.name;
        overridden = earlier.overridden;
    }
    session->cluster = use_cluster(rpc, session, selected, plugin);
    session->cluster.overridden |= overridden;
    return session->cluster;
}

/* ---- response ---- */

static struct xds_slice encoded(struct xds_arena *arena, struct xds_slice list,
                                struct xds_slice cluster)
{
    const struct xds_slice name = cluster.data ? cluster : XDS_S("");
    const size_t len = xds_cookie_encode(list, name, NULL, 0);
    char *text = xds_arena_alloc(arena, len + 1);

    return xds_slice_make(text, xds_cookie_encode(list, name, text, len));
}

static bool needs_cookie(const struct xds_session *session, struct xds_slice list)
{
    return session->acts &&
           (!xds_slice_eq(list, session->cookie.list) || session->cluster.changed);
}

struct xds_slice xds_session_set_cookie(const struct xds_rpc *rpc,
                                        const struct xds_session *session,
                                        struct xds_slice address_list)
{
    const struct xds_session_config *config = session->config;
    struct xds_arena *arena = rpc->arena;

    if (!needs_cookie(session, address_list))
        return xds_slice_make(NULL, 0);

    const struct xds_slice value = encoded(arena, address_list, session->cluster.name);
    struct xds_slice path = config->cookie_path;
    struct xds_slice text = xds_arena_printf(
        arena, "%.*s=%.*s; HttpOnly", XDS_FMT(config->cookie_name), XDS_FMT(value));
    if (path.len == 0 && xds_reads(rpc, XDS_READS_COOKIE_PATH_DEFAULT))
        path = XDS_S("/");
    if (path.len)
        text = xds_arena_printf(arena, "%.*s; Path=%.*s", XDS_FMT(text), XDS_FMT(path));
    if (config->has_ttl && config->ttl_positive)
        text = xds_arena_printf(arena, "%.*s; Max-Age=%lld", XDS_FMT(text),
                                (long long)config->ttl_seconds);
    return text;
}
