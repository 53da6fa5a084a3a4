/*
 * session.c - the session cookie: its header, base64, grammar; and the host that it
 * names.
 *
 * Fails:  on what is not base64, or empty: as if there were no cookie.
 * Source: gRFC A55, A60, A61, A75; spec routing 5, C-a to C-e.
 */
#include "session/session.h"

#include "base/ascii.h"
#include "base/base64.h"

const struct xds_session_danger xds_session_dangers[] = {
    {XDS_DIFF_SESSION_HOST_KILLS, ~0u, true},
    {XDS_DIFF_SESSION_DRAINING_KILLS, XDS_HEALTH_BIT(XDS_HEALTH_DRAINING), false},
};

/* ---- the Cookie header ---- */

/* *value is absent where there is no '='. */
static bool has_name(struct xds_slice part, struct xds_slice name,
                     struct xds_slice *value)
{
    struct xds_slice head;

    *value = xds_slice_cut(part, '=', &head);
    return xds_slice_eq(head, name);
}

/* C-core: split on "; " exactly; names are not trimmed, and one without '=' has the empty
 * value. */
static bool find_exact(struct xds_slice header, struct xds_slice name,
                       struct xds_slice *value)
{
    while (true) {
        const size_t end = xds_slice_search(header, XDS_S("; "));
        const size_t len = end > header.len ? header.len : end;

        if (has_name(xds_slice_make(header.data, len), name, value)) {
            if (!value->data)
                *value = XDS_S("");
            return true;
        }
        if (len == header.len)
            return false;
        header = xds_slice_from(header, len + 2);
    }
}

static struct xds_slice skip_blanks(struct xds_slice s)
{
    while (s.len && xds_ascii_blank(s.data[0]))
        s = xds_slice_from(s, 1);
    return s;
}

/* RFC 6265: split on ';', blanks in front of a name do not count, and what has no '=' is
 * no cookie. */
static bool find_lenient(struct xds_slice header, struct xds_slice name,
                         struct xds_slice *value)
{
    while (header.data) {
        struct xds_slice part;

        header = xds_slice_cut(header, ';', &part);
        if (has_name(skip_blanks(part), name, value) && value->data)
            return true;
    }
    return false;
}

static bool find_in_all(const struct xds_rpc *rpc, struct xds_slice name,
                        struct xds_slice *value)
{
    struct xds_slice header;

    for (size_t i = 0; xds_metadata_nth(rpc, XDS_S("cookie"), i, &header); i++)
        if (find_lenient(header, name, value))
            return true;
    return false;
}

bool xds_cookie_find(const struct xds_rpc *rpc, struct xds_slice name,
                     struct xds_slice *value, bool *tolerant)
{
    struct xds_slice joined;
    const bool there = find_in_all(rpc, name, value);

    *tolerant = false;
    if (xds_reads(rpc, XDS_READS_COOKIE_IN_ANY_HEADER))
        return there;
    if (xds_metadata_get(rpc, XDS_S("cookie"), &joined) &&
        find_exact(joined, name, value))
        return true;
    *tolerant = there;
    return false;
}

/* ---- the clear text ---- */

/* A60 spells the cluster 'cluster:NAME' in its example and '"NAME"' in its code. */
static struct xds_slice plain_cluster(struct xds_slice cluster)
{
    if (xds_slice_starts(cluster, XDS_S("cluster:")))
        cluster = xds_slice_from(cluster, strlen("cluster:"));
    if (cluster.len >= 2 && xds_slice_starts(cluster, XDS_S("\"")) &&
        xds_slice_ends(cluster, XDS_S("\"")))
        return xds_slice_make(cluster.data + 1, cluster.len - 2);
    return cluster;
}

struct xds_slice xds_cookie_cluster(const struct xds_rpc *rpc, struct xds_slice cluster)
{
    const struct xds_slice none = {NULL, 0};

    if (XDS_DIFFERS(rpc, XDS_DIFF_COOKIE_ADDRESS_ALONE))
        return none;
    if (!cluster.data)
        cluster = XDS_S("");
    return XDS_DIFFERS(rpc, XDS_DIFF_COOKIE_CLUSTER_PREFIXED)
               ? xds_arena_concat(rpc->arena, XDS_S("cluster:"), cluster)
               : cluster;
}

static size_t count(struct xds_slice s, char c)
{
    size_t n = 0;

    for (size_t i = 0; i < s.len; i++)
        n += s.data[i] == c;
    return n;
}

/* Core before 1.60 has the addresses of a cookie as URIs: "ipv4:10.0.0.1:80",
 * "ipv6:%5B::1%5D:80". Absent: it is none. */
static struct xds_slice of_uri(struct xds_arena *arena, struct xds_slice uri)
{
    const struct xds_slice bracket = XDS_S("%5B"), closing = XDS_S("%5D"),
                           none = {NULL, 0};
    struct xds_slice host;

    if (xds_slice_starts(uri, XDS_S("ipv4:")))
        return xds_slice_from(uri, strlen("ipv4:"));
    if (!xds_slice_starts(uri, XDS_S("ipv6:")))
        return none;
    host = xds_slice_from(uri, strlen("ipv6:"));
    const size_t end = xds_slice_search(host, closing);

    if (!xds_slice_starts(host, bracket) || end > host.len)
        return none;
    return xds_arena_printf(
        arena, "[%.*s]%.*s",
        XDS_FMT(xds_slice_make(host.data + bracket.len, end - bracket.len)),
        XDS_FMT(xds_slice_from(host, end + closing.len)));
}

static struct xds_slice uri_of(struct xds_arena *arena, struct xds_slice address)
{
    struct xds_slice host;

    if (!xds_slice_starts(address, XDS_S("[")))
        return xds_arena_concat(arena, XDS_S("ipv4:"), address);
    const struct xds_slice port = xds_slice_cut(xds_slice_from(address, 1), ']', &host);

    return xds_arena_printf(arena, "ipv6:%%5B%.*s%%5D%.*s", XDS_FMT(host), XDS_FMT(port));
}

/* "A,B" as this client's cookies have it. */
static struct xds_slice list_of_cookie(const struct xds_rpc *rpc, struct xds_slice list)
{
    struct xds_text text = {.arena = rpc->arena};

    if (!XDS_DIFFERS(rpc, XDS_DIFF_COOKIE_ADDRESS_URI))
        return list;
    while (list.data) {
        struct xds_slice address;

        list = xds_slice_cut(list, ',', &address);
        if (text.len > 0)
            xds_text_add(&text, XDS_S(","));
        xds_text_add(&text, uri_of(rpc->arena, address));
    }
    return xds_slice_make(text.data, text.len);
}

struct xds_cookie xds_cookie_parse(const struct xds_rpc *rpc, struct xds_slice clear)
{
    struct xds_cookie cookie = {.n_addresses = 0};

    if (XDS_DIFFERS(rpc, XDS_DIFF_COOKIE_ADDRESS_ALONE))
        cookie.list = clear;
    else
        cookie.cluster = xds_slice_cut(clear, ';', &cookie.list);
    if (cookie.cluster.data && xds_reads(rpc, XDS_READS_COOKIE_CLUSTER_SPELLINGS))
        cookie.cluster = plain_cluster(cookie.cluster);

    const size_t most = count(cookie.list, ',') + 1;
    struct xds_slice *addresses = XDS_NEW_ARRAY(rpc->arena, struct xds_slice, most);
    struct xds_slice rest = cookie.list;
    bool foreign = false;

    while (cookie.list.len && rest.data) {
        struct xds_slice *address = &addresses[cookie.n_addresses++];

        rest = xds_slice_cut(rest, ',', address);
        if (!XDS_DIFFERS(rpc, XDS_DIFF_COOKIE_ADDRESS_URI))
            continue;
        const struct xds_slice plain = of_uri(rpc->arena, *address);

        foreign |= !plain.data;
        *address = plain.data ? plain : *address;
    }
    cookie.addresses = addresses;
    cookie.n_usable = foreign ? 0 : cookie.n_addresses;
    return cookie;
}

static bool is_ipv4(struct xds_slice s)
{
    for (int parts = 0; parts < 4; parts++) {
        struct xds_slice part;
        uint64_t n;

        s = xds_slice_cut(s, '.', &part);
        if (part.len > 3 || !xds_slice_to_u64(part, &n) || n > 255 ||
            (s.data != NULL) != (parts < 3))
            return false;
    }
    return true;
}

static bool is_ipv6_text(struct xds_slice s)
{
    for (size_t i = 0; i < s.len; i++) {
        const char c = xds_ascii_lower(s.data[i]);
        if (!xds_ascii_digit(c) && !(c >= 'a' && c <= 'f') && c != ':' && c != '.')
            return false;
    }
    return count(s, ':') >= 2;
}

/* The port after ':' or "]:"; absent when there is none. */
static struct xds_slice split_port(struct xds_slice text, struct xds_slice *host)
{
    if (text.len == 0 || text.data[0] != '[')
        return xds_slice_cut(text, ':', host);

    const struct xds_slice rest = xds_slice_cut(xds_slice_from(text, 1), ']', host);
    if (rest.len == 0 || rest.data[0] != ':')
        return xds_slice_make(NULL, 0);
    return xds_slice_from(rest, 1);
}

bool xds_is_ip_port(struct xds_slice text)
{
    struct xds_slice host;
    const struct xds_slice port = split_port(text, &host);
    uint64_t number;

    if (!port.data || !xds_slice_to_u64(port, &number) || number > 65535)
        return false;
    return text.data[0] == '[' ? is_ipv6_text(host) : is_ipv4(host);
}

/* ---- public ---- */

bool xds_cookie_decode(struct xds_slice value, char *buffer, size_t size, size_t *len)
{
    return xds_base64_decode(value, XDS_BASE64_COOKIE, buffer, size, len) && *len > 0;
}

/* The i-th byte of "addresses;cluster". */
static char clear_byte(struct xds_slice addresses, struct xds_slice cluster, size_t i)
{
    if (i < addresses.len)
        return addresses.data[i];
    return i == addresses.len ? ';' : cluster.data[i - addresses.len - 1];
}

size_t xds_cookie_encode(struct xds_slice addresses, struct xds_slice cluster,
                         char *buffer, size_t size)
{
    const size_t len = addresses.len + (cluster.data ? 1 + cluster.len : 0);
    size_t out = 0;

    for (size_t i = 0; i < len; i += 3) {
        char group[3];
        size_t n = 0;

        while (n < sizeof(group) && i + n < len) {
            group[n] = clear_byte(addresses, cluster, i + n);
            n++;
        }
        out +=
            xds_base64_encode(xds_slice_make(group, n), out < size ? &buffer[out] : NULL,
                              out < size ? size - out : 0);
    }
    return out;
}

struct xds_slice xds_cookie_value(const struct xds_rpc *rpc, struct xds_slice addresses,
                                  struct xds_slice cluster)
{
    const struct xds_slice list = list_of_cookie(rpc, addresses),
                           name = xds_cookie_cluster(rpc, cluster);
    const size_t len = xds_cookie_encode(list, name, NULL, 0);
    char *text = xds_arena_alloc(rpc->arena, len + 1);

    return xds_slice_make(text, xds_cookie_encode(list, name, text, len));
}

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

bool xds_session_route_names(const struct xds_route *route, struct xds_slice cluster,
                             bool with_zero)
{
    if (route->action == XDS_ACTION_CLUSTER)
        return xds_slice_eq(route->cluster, cluster);
    for (size_t i = 0; i < route->n_weighted; i++)
        if ((route->weighted[i].weight || with_zero) &&
            xds_slice_eq(route->weighted[i].name, cluster))
            return true;
    return false;
}

/* Asked once per route, however many weighted clusters it has. */
static void ask_route(const struct xds_rpc *rpc, struct xds_session *session,
                      const struct xds_route *route)
{
    if (session->asked == route || !session->cookie.cluster.data)
        return;
    session->asked = route;
    session->in_route = xds_session_route_names(
        route, session->cookie.cluster, XDS_DIFFERS(rpc, XDS_DIFF_CLUSTER_WEIGHT_0_KEPT));
}

/* Who has switched it off. */
static struct xds_slice off_reason(const struct xds_rpc *rpc,
                                   const struct xds_override_scope *scope,
                                   const struct xds_filter *filter)
{
    static const char *const reasons[] = {
        [XDS_CONFIG_ROUTE] = "the route disables session affinity",
        [XDS_CONFIG_VIRTUAL_HOST] = "the virtual host disables session affinity",
        [XDS_CONFIG_LISTENER] =
            "the filter has no session_state, so session affinity is disabled",
    };

    const enum xds_config_level from = xds_filter_use_of(scope, rpc, filter).from;

    /* One of several entries. */
    if (from == XDS_CONFIG_WEIGHTED_CLUSTER)
        return xds_arena_printf(rpc->arena,
                                "the weighted cluster \"%.*s\" disables session affinity",
                                XDS_FMT(scope->entry->name));
    return xds_slice_of(reasons[from]);
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
    ask_route(rpc, &s, scope->route);
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

/* True when the cookie could be read. */
static bool has_cookie(const struct xds_session *session)
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

    if (!has_cookie(session)) {
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

static bool needs_cookie(const struct xds_rpc *rpc, const struct xds_session *session,
                         struct xds_slice list)
{
    return session->acts &&
           (!xds_slice_eq(list_of_cookie(rpc, list), session->cookie.list) ||
            session->cluster.changed);
}

struct xds_slice xds_session_set_cookie(const struct xds_rpc *rpc,
                                        const struct xds_session *session,
                                        struct xds_slice address_list)
{
    const struct xds_session_config *config = session->config;
    struct xds_arena *arena = rpc->arena;

    if (!needs_cookie(rpc, session, address_list))
        return xds_slice_make(NULL, 0);

    const struct xds_slice value =
        xds_cookie_value(rpc, address_list, session->cluster.name);
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
