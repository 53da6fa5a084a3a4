/*
 * serve.c - put the steps together: what becomes of an RPC that arrives at a server.
 *
 * Fails:  XDS_ERR_NO_MEMORY; XDS_ERR_USAGE for an address that is none.
 * Source: gRFC A36, A41; status texts in catalogue/status_<client>.def.
 */
#include "check/check.h"
#include "server/server.h"

#include <stdlib.h>

struct xds_server {
    struct xds_check *check;
    enum xds_client client;
    struct xds_arena arena;             /* of one answer */
    const struct xds_listener *checked; /* for equal routes: the last one */
    bool has_equal_routes;
    bool is_brief;
    struct xds_arena lasting;          /* of answers without reasons */
    const struct xds_running *running; /* NULL: what the snapshot has counts */
    struct xds_server_brief brief;
};

struct work {
    struct xds_server *server;
    const struct xds_snapshot *snapshot;
    struct xds_random random;
    struct xds_slice undecided;
    const struct xds_rule *killed_by;
    struct xds_server_rpc rpc;
    struct xds_socket bound;
    struct xds_served *d;
};

/* ---- the end of an RPC ---- */

/* Always false. */
XDS_PRINTF(3, 4)
static bool end(const struct work *w, enum xds_served_outcome outcome, const char *format,
                ...)
{
    va_list args;

    va_start(args, format);
    w->d->outcome = outcome;
    w->d->error = xds_arena_vprintf(w->rpc.rpc.arena, format, args);
    w->d->reason = NULL;
    va_end(args);
    if (outcome != XDS_SERVED_CRASH && outcome != XDS_SERVED_UNDECIDED)
        w->d->code = XDS_S("UNAVAILABLE");
    return false;
}

/* The same with a reason of the catalogue. Always false. */
static bool because(const struct work *w, enum xds_failure reason)
{
    w->d->reason = xds_failure_row(reason);
    return false;
}

/* The words of the server at its release for the first of these reasons that it has words
 * for; the documents have those of core. */
static struct xds_slice words_of(const struct work *w, const enum xds_failure *reasons,
                                 size_t n, struct xds_slice name)
{
    const struct xds_rpc *rpc = &w->rpc.rpc;
    const enum xds_client as = xds_client_as(rpc->client);
    const struct xds_client_release who[] = {{as, rpc->options->release[rpc->client]},
                                             {.client = as},
                                             {.client = XDS_CLIENT_CORE}};
    struct xds_slice text = {NULL, 0};

    for (size_t k = 0; k < XDS_ARRAY_LEN(who) && !text.data; k++)
        for (size_t i = 0; i < n && !text.data; i++)
            text = xds_status_words(rpc->arena, reasons[i], who[k], name,
                                    (struct xds_slice){NULL, 0});
    return text;
}

/* Always false. */
static bool fail(const struct work *w, enum xds_failure reason, enum xds_failure other,
                 struct xds_slice name)
{
    const bool one_text = XDS_DIFFERS(&w->rpc.rpc, XDS_DIFF_SERVER_ROUTING_ERROR);
    const enum xds_failure reasons[] = {one_text ? XDS_FAILURE_SERVER_NO_ROUTE : reason,
                                        other};
    const struct xds_slice text = words_of(w, reasons, XDS_ARRAY_LEN(reasons), name);
    const bool with_code = XDS_DIFFERS(&w->rpc.rpc, XDS_DIFF_SERVER_CODE_IN_TEXT);

    (void)end(w, XDS_SERVED_FAILED, "%s%.*s", with_code ? "UNAVAILABLE:" : "",
              XDS_FMT(text));
    w->d->is_status = true;
    return because(w, reason);
}

/* Of routes that the server does not get, or rejects. Always false. */
static bool fail_routes(const struct work *w, struct xds_slice name, const char *why)
{
    const struct xds_rpc *rpc = &w->rpc.rpc;
    const bool is_known = xds_snapshot_find(w->snapshot, XDS_TYPE_ROUTE, name) ||
                          xds_snapshot_held(w->snapshot, XDS_TYPE_ROUTE, name);
    struct xds_failed failed;

    if (!xds_speaks_as_core(rpc))
        return fail(w, XDS_FAILURE_SERVER_ROUTES, XDS_FAILURE_SERVER_ROUTES, name);
    const bool with_other_code =
        !is_known && XDS_DIFFERS(rpc, XDS_DIFF_SERVER_ROUTES_NOT_FOUND);

    failed = with_other_code
                 ? xds_failure_text(rpc, XDS_FAILURE_SERVER_ROUTES, name)
                 : xds_failure_resource(rpc, w->snapshot, XDS_TYPE_ROUTE, name, why);
    (void)end(w, XDS_SERVED_FAILED, "%.*s", XDS_FMT(failed.text));
    if (with_other_code)
        w->d->code = XDS_S("NOT_FOUND");
    w->d->is_status = true;
    return because(w, XDS_FAILURE_SERVER_ROUTES);
}

/* Always false. */
static bool crash(const struct work *w, const struct xds_rule *rule)
{
    return end(w, XDS_SERVED_CRASH, "kills %s (%s)",
               rule->crash ? rule->crash : "the server", rule->slug);
}

/* ---- the listener ---- */

static bool same_address(const struct work *w, struct xds_slice address)
{
    struct xds_socket socket;
    const bool any_port = XDS_DIFFERS(&w->rpc.rpc, XDS_DIFF_SERVER_PORT_0);

    return address.data && xds_socket_read(address, &socket) &&
           xds_ip_equal(&socket.ip, &w->bound.ip) &&
           (socket.port == w->bound.port || (socket.port == 0 && any_port));
}

/* Of listeners on the address the first one that the server accepts. */
static struct xds_slice find_by_address(const struct work *w)
{
    struct xds_slice name = {NULL, 0};

    for (const struct xds_snapshot_entry *e = w->snapshot->first[XDS_TYPE_LISTENER]; e;
         e = e->next) {
        const struct xds_listener *listener = e->model;

        if (!listener || listener->is_api_listener || !same_address(w, listener->address))
            continue;
        if (!name.data || xds_accepted(w->snapshot, w->rpc.rpc.client, XDS_TYPE_LISTENER,
                                       e->name, NULL))
            name = e->name;
        if (xds_accepted(w->snapshot, w->rpc.rpc.client, XDS_TYPE_LISTENER, e->name,
                         NULL))
            break;
    }
    return name;
}

#define USUAL_TEMPLATE "grpc/server?xds.resource.listening_address=%s"

static void name_listener(const struct work *w)
{
    const struct xds_slice template =
        w->rpc.rpc.options->bootstrap.server_listener_template;
    const struct xds_slice address = w->d->inbound->server;
    struct xds_served *d = w->d;

    d->listener_by =
        template.data ? XDS_LISTENER_BY_TEMPLATE : XDS_LISTENER_BY_USUAL_NAME;
    d->listener_name = xds_server_listener_name(
        w->rpc.rpc.arena, template.data ? template : XDS_S(USUAL_TEMPLATE), address);
    if (template.data ||
        xds_snapshot_find(w->snapshot, XDS_TYPE_LISTENER, d->listener_name))
        return;
    const struct xds_slice by_address = find_by_address(w);

    if (by_address.data) {
        d->listener_by = XDS_LISTENER_BY_ADDRESS;
        d->listener_name = by_address;
    }
}

/* Always false. */
static bool not_serving(const struct work *w, struct xds_slice why)
{
    const struct xds_rpc *rpc = &w->rpc.rpc;

    (void)end(w, XDS_SERVED_NOT_SERVING, "%.*s; the server is not serving: it %s",
              XDS_FMT(why),
              XDS_DIFFERS(rpc, XDS_DIFF_SERVER_UNSERVED_WAIT)
                  ? "listens, and lets connections wait"
              : XDS_DIFFERS(rpc, XDS_DIFF_SERVER_ACCEPTS_UNSERVED)
                  ? "accepts connections and closes them"
                  : "does not listen");
    return because(w, XDS_FAILURE_NOT_SERVING);
}

/* An exception ends the update then, and the server is not started. Once for all RPCs of
 * the listener. */
static bool has_equal_routes(const struct work *w)
{
    struct xds_server *server = w->server;

    if (!XDS_DIFFERS(&w->rpc.rpc, XDS_DIFF_SERVER_ROUTES_UNIQUE))
        return false;
    if (server->checked != w->d->listener) {
        server->has_equal_routes =
            xds_server_equal_routes(&w->rpc.rpc, w->snapshot, w->d->listener);
        server->checked = w->d->listener;
    }
    return server->has_equal_routes;
}

/* Not found by name: a listener of the snapshot for another address of the same port. */
static struct xds_slice other_address(const struct work *w)
{
    for (const struct xds_snapshot_entry *e = w->snapshot->first[XDS_TYPE_LISTENER]; e;
         e = e->next) {
        const struct xds_listener *listener = e->model;
        struct xds_socket socket;

        if (listener && !listener->is_api_listener && listener->address.data &&
            xds_socket_read(listener->address, &socket) && socket.port == w->bound.port)
            return xds_arena_printf(w->rpc.rpc.arena,
                                    ", but there is one for --server %.*s",
                                    XDS_FMT(listener->address));
    }
    return xds_slice_make("", 0);
}

/* Why the listener of that name is of no use to the server, or absent. */
static struct xds_slice find_fault(const struct work *w)
{
    const struct xds_rpc *rpc = &w->rpc.rpc;
    struct xds_served *d = w->d;
    const char *why = "";

    d->listener =
        xds_accepted(w->snapshot, rpc->client, XDS_TYPE_LISTENER, d->listener_name, &why);
    if (!d->listener)
        return xds_arena_printf(
            rpc->arena, "listener %.*s %s%.*s", XDS_FMT(d->listener_name), why,
            XDS_FMT(xds_snapshot_find(w->snapshot, XDS_TYPE_LISTENER, d->listener_name)
                        ? xds_slice_make("", 0)
                        : other_address(w)));
    if (d->listener->is_api_listener)
        return xds_arena_printf(rpc->arena, "listener %.*s is for clients",
                                XDS_FMT(d->listener_name));
    if (!same_address(w, d->listener->address) &&
        !XDS_DIFFERS(rpc, XDS_DIFF_SERVER_ADDRESS_UNREAD))
        return xds_arena_printf(
            rpc->arena, "listener %.*s is for address %.*s, not %.*s",
            XDS_FMT(d->listener_name),
            XDS_FMT(d->listener->address.data ? d->listener->address : XDS_S("(none)")),
            XDS_FMT(w->bound.text));
    if (d->listener->is_not_tcp && XDS_DIFFERS(rpc, XDS_DIFF_SERVER_PROTOCOL_COMPARED))
        return xds_arena_printf(rpc->arena, "listener %.*s is not for TCP",
                                XDS_FMT(d->listener_name));
    return (struct xds_slice){NULL, 0};
}

#define EQUAL_ROUTES                                                                     \
    "two routes of a filter chain are equal: IllegalArgumentException: Multiple "        \
    "entries with same key"

static bool find_listener(const struct work *w)
{
    const struct xds_running *running = w->server->running;
    struct xds_served *d = w->d;

    if (running) {
        d->listener_name = running->listener_name;
        d->listener_by = running->listener_by;
        d->listener = running->listener;
        if (d->listener)
            return true;
        (void)end(w, XDS_SERVED_NOT_SERVING, "%.*s", XDS_FMT(running->unserved));
        return because(w, XDS_FAILURE_NOT_SERVING);
    }
    name_listener(w);
    const struct xds_rule *rule = xds_killed_by(w->snapshot, w->rpc.rpc.client,
                                                XDS_TYPE_LISTENER, d->listener_name);

    if (rule)
        return crash(w, rule);
    const struct xds_slice fault = find_fault(w);

    if (fault.data)
        return not_serving(w, fault);
    return !has_equal_routes(w) || not_serving(w, XDS_S(EQUAL_ROUTES));
}

/* A server gets the routes of all its filter chains, whichever one a connection matches.
 * False: it dies of them. */
static bool survives(const struct work *w, const struct xds_filter_chain *chain)
{
    const struct xds_rpc *rpc = &w->rpc.rpc;
    const struct xds_slice name =
        chain->n_managers > 0 ? chain->managers[0].rds_name : xds_slice_make(NULL, 0);
    const struct xds_rule *rule =
        name.data ? xds_killed_by(w->snapshot, rpc->client, XDS_TYPE_ROUTE, name) : NULL;

    if (rule)
        return crash(w, rule);
    return !name.data || !XDS_DIFFERS(rpc, XDS_DIFF_SERVER_RDS_PANICS) ||
           end(w, XDS_SERVED_CRASH,
               "kills the server: with the first RouteConfiguration by RDS it loses its "
               "filter chains, and panics at the next connection");
}

static bool survives_all(const struct work *w)
{
    const struct xds_listener *listener = w->d->listener;

    for (size_t i = 0; i < listener->n_filter_chains; i++)
        if (!survives(w, &listener->filter_chains[i]))
            return false;
    return !listener->default_chain || survives(w, listener->default_chain);
}

/* ---- the connection ---- */

static bool choose_chain(const struct work *w)
{
    struct xds_served *d = w->d;

    d->chains = xds_chain_choose(&w->rpc, d->listener, &w->bound);
    if (d->chains.crash.data)
        return end(w, XDS_SERVED_CRASH, "kills the server: %.*s",
                   XDS_FMT(d->chains.crash));
    if (d->chains.chain)
        return true;
    (void)end(w, XDS_SERVED_CLOSED, "%.*s; the server closes the connection",
              XDS_FMT(d->chains.several.data
                          ? d->chains.several
                          : XDS_S("no filter chain matches the connection, and "
                                  "there is no default_filter_chain")));
    return because(w, XDS_FAILURE_SERVER_CHAIN);
}

/* Always false. */
static bool refuse(const struct work *w, enum xds_failure reason, const char *why)
{
    (void)end(w, XDS_SERVED_HANDSHAKE, "%s; there is no connection", why);
    return because(w, reason);
}

static const char *wants_of(const struct xds_tls_context *tls, bool requires,
                            bool reads_ca)
{
    if (requires)
        return "a client certificate is required";
    if (tls->require_client_certificate)
        return "a client certificate is required, but there is no CA to check it with: "
               "every client is taken";
    return reads_ca ? "a client certificate is asked for, not required"
                    : "no client certificate is asked for";
}

static bool shake_tls(const struct work *w, const struct xds_tls_context *tls)
{
    struct xds_server_connection *connection = &w->d->connection;
    const uint64_t self = XDS_CLIENT_BIT(w->rpc.rpc.client);
    const bool on_roots = tls->with_roots & self;
    const bool has_ca = on_roots || (tls->ca.data && (tls->with_ca & self));
    const bool requires =
        tls->require_client_certificate &&
        (has_ca || !XDS_DIFFERS(&w->rpc.rpc, XDS_DIFF_SERVER_CERTIFICATE_NEEDS_CA));
    const bool reads_ca =
        has_ca &&
        (requires || !XDS_DIFFERS(&w->rpc.rpc, XDS_DIFF_SERVER_CERTIFICATE_REQUIRED));
    const char *wants = wants_of(tls, requires, reads_ca);

    w->d->security = xds_arena_printf(
        w->rpc.rpc.arena, "TLS, certificate of provider instance %.*s; %s",
        XDS_FMT(tls->identity.data ? tls->identity : XDS_S("(none)")), wants);
    if (w->d->inbound->way == XDS_WAY_PLAINTEXT)
        return refuse(w, XDS_FAILURE_TLS_PLAINTEXT,
                      "the client speaks plaintext, and the filter chain has TLS");
    connection->is_tls = true;
    if (!reads_ca) { /* then it is not asked for, and the client does not send it */
        if (connection->certificate)
            xds_served_note(w->rpc.rpc.arena, w->d,
                            "the server asks for no certificate: the one of the peer is "
                            "not seen");
        connection->certificate = NULL;
    }
    if (on_roots && connection->certificate)
        xds_served_note(w->rpc.rpc.arena, w->d,
                        "the server checks certificates with the system's CAs: that of "
                        "the client is taken for one of theirs");
    if (connection->certificate && connection->certificate->fault.data &&
        (requires || !XDS_DIFFERS(&w->rpc.rpc, XDS_DIFF_SERVER_UNVERIFIED_TAKEN)))
        return refuse(
            w, XDS_FAILURE_TLS_CLIENT_CERTIFICATE,
            xds_arena_printf(w->rpc.rpc.arena,
                             "the server refuses the client's certificate: %.*s",
                             XDS_FMT(connection->certificate->fault))
                .data);
    if (requires && !connection->certificate)
        return refuse(w, XDS_FAILURE_TLS_CLIENT_CERTIFICATE,
                      "the filter chain requires a client certificate, and the client "
                      "has none");
    return true;
}

static bool shake_hands(const struct work *w)
{
    const struct xds_filter_chain *chain = w->d->chains.chain;
    struct xds_server_connection *connection = &w->d->connection;

    if (chain->tls)
        return shake_tls(w, chain->tls);
    w->d->security = XDS_S("the filter chain has no transport_socket: the fallback of "
                           "XdsServerCredentials counts, taken for plaintext here");
    connection->is_tls = false;
    connection->certificate = NULL;
    return w->d->inbound->way != XDS_WAY_TLS ||
           refuse(w, XDS_FAILURE_TLS_PLAINTEXT,
                  "the client speaks TLS, and the filter chain has none");
}

/* ---- routes ---- */

static bool find_routes(const struct work *w)
{
    const struct xds_running *running = w->server->running;
    const struct xds_rpc *rpc = &w->rpc.rpc;
    struct xds_served *d = w->d;
    const char *why = "";

    if (d->chains.chain->n_managers == 0)
        return end(w, XDS_SERVED_UNDECIDED,
                   "the filter chain has no HttpConnectionManager that could be read");
    d->manager = &d->chains.chain->managers[0];
    d->route_config = d->manager->route_config;
    d->route_config_name = d->manager->rds_name;
    if (!d->route_config_name.data) {
        d->route_config_name = d->route_config->name;
        return true;
    }
    d->route_config = running ? running->routes(running->user, d->chains.chain, &why)
                              : xds_accepted(w->snapshot, rpc->client, XDS_TYPE_ROUTE,
                                             d->manager->rds_name, &why);
    if (d->route_config)
        return true;
    xds_served_note(rpc->arena, d, "route configuration %.*s %s",
                    XDS_FMT(d->manager->rds_name), why);
    return fail_routes(w, d->manager->rds_name, why);
}

static bool find_virtual_host(const struct work *w)
{
    const struct xds_rpc *rpc = &w->rpc.rpc;
    struct xds_served *d = w->d;

    d->virtual_host =
        xds_virtual_host_find(d->route_config, rpc->options, rpc->client, d->authority);
    if (!d->virtual_host.host)
        return fail(w, XDS_FAILURE_SERVER_NO_VIRTUAL_HOST, XDS_FAILURE_NO_VIRTUAL_HOST,
                    d->authority);
    const size_t last = d->route_config->n_virtual_hosts - 1;

    if (d->virtual_host.index == last ||
        !XDS_DIFFERS(rpc, XDS_DIFF_SERVER_LAST_VIRTUAL_HOST))
        return true;
    xds_served_note(
        rpc->arena, d,
        "virtual host \"%.*s\" is for authority %.*s, and this release takes the "
        "last one all the same",
        XDS_FMT(d->virtual_host.host->name), XDS_FMT(d->authority));
    d->virtual_host.index = last;
    d->virtual_host.host = &d->route_config->virtual_hosts[last];
    return true;
}

/* Releases that match a server's routes with the metadata that it would send. */
static struct xds_rpc as_matched(const struct work *w, struct xds_request *blind)
{
    struct xds_rpc rpc = w->rpc.rpc;

    rpc.is_tls = w->d->connection.is_tls;
    *blind = *rpc.request;
    if (XDS_DIFFERS(&rpc, XDS_DIFF_SERVER_HEADERS_UNSEEN))
        blind->n_headers = 0;
    rpc.request = blind;
    return rpc;
}

static bool find_route(const struct work *w)
{
    const struct xds_rpc *rpc = &w->rpc.rpc;
    struct xds_request blind;
    const struct xds_rpc matched = as_matched(w, &blind);
    struct xds_served *d = w->d;

    d->walk = xds_route_select(&matched, d->virtual_host.host, NULL);
    if (!w->rpc.brief)
        xds_route_reasons(&matched, &d->walk);
    if (xds_rpc_is_undecided(rpc))
        return end(w, XDS_SERVED_UNDECIDED, "%.*s", XDS_FMT(*rpc->undecided));
    const size_t n = d->walk.n_tries;
    const struct xds_route_try *last = n ? &d->walk.tries[n - 1] : NULL;

    if (last && last->matched == XDS_CHANCE_YES && last->probability >= 1)
        d->route = last;
    else if (d->walk.unmatched < 1)
        return end(w, XDS_SERVED_UNDECIDED,
                   "a runtime_fraction leaves the route to chance; --random decides it");
    if (!d->route)
        return fail(w, XDS_FAILURE_SERVER_NO_ROUTE, XDS_FAILURE_NO_ROUTE,
                    rpc->request->path);
    return d->route->route->action == XDS_ACTION_NON_FORWARDING ||
           fail(w, XDS_FAILURE_SERVER_ACTION, XDS_FAILURE_ACTION, rpc->request->path);
}

/* A service and a method: "/pkg.Service/Method". */
static bool names_method(const struct work *w)
{
    const struct xds_slice path = w->rpc.rpc.request->path;
    const struct xds_slice name =
        xds_slice_starts(path, XDS_S("/")) ? xds_slice_from(path, 1) : path;

    if (xds_slice_find(name, '/') < name.len ||
        !XDS_DIFFERS(&w->rpc.rpc, XDS_DIFF_SERVER_METHOD_FIRST))
        return true;
    (void)end(w, XDS_SERVED_FAILED, "malformed method name: \"%.*s\"", XDS_FMT(path));
    w->d->code = XDS_S("UNIMPLEMENTED");
    w->d->is_status = true;
    return because(w, XDS_FAILURE_METHOD_MALFORMED);
}

/* ---- all of it ---- */

static void decide(struct work *w)
{
    struct xds_served *d = w->d;

    if (XDS_DIFFERS(&w->rpc.rpc, XDS_DIFF_SERVER_LISTENER_UNKNOWN)) {
        (void)end(w, XDS_SERVED_UNDECIDED, "%s has no xDS servers", d->as.text);
        return;
    }
    if (!find_listener(w) || !survives_all(w) || !choose_chain(w) || !shake_hands(w))
        return;
    const bool connects = w->server->running && w->server->running->connects;

    if (connects || (names_method(w) && find_routes(w) && find_virtual_host(w) &&
                     find_route(w) && xds_server_filters(&w->rpc, d)))
        d->outcome = XDS_SERVED_YES;
}

struct call {
    struct xds_server *server;
    const struct xds_inbound *inbound;
    struct xds_served *d;
    struct xds_server_sight *sight; /* NULL: an RPC is answered */
    struct xds_slice name;          /* of the listener that is looked at; or absent */
};

static void look_as(const struct work *w, struct xds_socket *side)
{
    side->ip = XDS_DIFFERS(&w->rpc.rpc, XDS_DIFF_SERVER_PEERS_MAPPED)
                   ? xds_ip_mapped(side->ip)
                   : xds_ip_unmapped(side->ip);
}

static void begin_work(struct work *w, struct xds_inbound *in)
{
    struct xds_server *server = w->server;

    w->snapshot = &server->check->snapshot;
    w->random = (struct xds_random){in->rpc.random, in->rpc.n_random, 0};
    w->rpc = (struct xds_server_rpc){
        .connection = &w->d->connection,
        .brief = server->is_brief ? &server->brief : NULL,
        .rpc = {.client = server->client,
                .options = &server->check->report->options,
                .request = &in->rpc,
                .random = &w->random,
                .arena = &server->arena,
                .undecided = &w->undecided,
                .killed_by = &w->killed_by,
                .at_server = true},
    };
    w->d->as = xds_asked_label(w->rpc.rpc.options, server->client);
    w->d->inbound = in;
    (void)xds_socket_read(in->server, &w->bound);
}

static void run(void *arg)
{
    struct call *call = arg;
    struct xds_server *server = call->server;
    const struct xds_inbound *in = call->inbound;
    struct xds_inbound *kept = XDS_NEW(&server->arena, struct xds_inbound);
    struct xds_served *d = XDS_NEW(&server->arena, struct xds_served);
    struct xds_server_connection *connection = &d->connection;
    struct work w = {.server = server, .d = d};

    *kept = *in;
    if (server->is_brief && !server->brief.arena) {
        server->brief.arena = &server->lasting;
        xds_strmap_init(&server->brief.policies, &server->lasting);
    }
    begin_work(&w, kept);
    (void)xds_socket_read(in->local.data ? in->local : in->server, &connection->local);
    (void)xds_socket_read(in->peer, &connection->peer);
    if (connection->local.port == 0)
        connection->local.port = w.bound.port;
    look_as(&w, &connection->local);
    look_as(&w, &connection->peer);
    connection->server_name = in->server_name;
    connection->alpn = XDS_S("h2");
    connection->certificate = in->certificate;
    d->authority = in->rpc.authority.data ? in->rpc.authority : in->server;
    kept->rpc.authority = d->authority;
    decide(&w);
    xds_server_why_not(&w.rpc, d);
    call->d = d;
}

static void look(void *arg)
{
    struct call *call = arg;
    struct xds_server *server = call->server;
    struct xds_inbound *in = XDS_NEW(&server->arena, struct xds_inbound);
    struct xds_served *d = XDS_NEW(&server->arena, struct xds_served);
    struct work w = {.server = server, .d = d};

    *in = *call->inbound;
    begin_work(&w, in);
    d->listener_name = call->name;
    if (!call->name.data)
        name_listener(&w);
    const struct xds_slice unfit = find_fault(&w);

    *call->sight = (struct xds_server_sight){
        .name = d->listener_name,
        .by = d->listener_by,
        .listener = d->listener,
        .unfit = unfit,
        .killed_by = xds_killed_by(w.snapshot, server->client, XDS_TYPE_LISTENER,
                                   d->listener_name),
    };
    server->checked = NULL; /* routes may have come since */
    if (call->sight->unfit.data || !has_equal_routes(&w))
        return;
    call->sight->equal_routes = true;
    call->sight->unfit = XDS_S(EQUAL_ROUTES);
}

/* ---- the public functions ---- */

struct xds_server *xds_server_new(struct xds_check *check, enum xds_client client)
{
    struct xds_server *server = calloc(1, sizeof *server);

    if (!server)
        return NULL;
    server->check = check;
    server->client = client;
    xds_arena_init(&server->arena, 0);
    xds_arena_init(&server->lasting, 0);
    return server;
}

void xds_server_be_brief(struct xds_server *server)
{
    server->is_brief = true;
}

void xds_server_free(struct xds_server *server)
{
    if (!server)
        return;
    xds_arena_release(&server->lasting);
    xds_arena_release(&server->arena);
    free(server);
}

const char *xds_inbound_fault(const struct xds_inbound *inbound, const char **which)
{
    struct xds_socket socket;

    *which = "server";
    if (!xds_socket_read(inbound->server, &socket) || socket.port == 0)
        return "is not an IP address with a port, such as 10.0.0.1:8080";
    const bool is_wildcard = xds_ip_is_wildcard(&socket.ip);

    *which = "peer";
    if (!xds_socket_read(inbound->peer, &socket))
        return "is not an IP address, with or without a port";
    *which = "local";
    if (!inbound->local.data)
        return is_wildcard ? "is needed: the server listens on all addresses" : NULL;
    return xds_socket_read(inbound->local, &socket)
               ? NULL
               : "is not an IP address, with or without a port";
}

enum xds_status xds_serve(struct xds_server *server, const struct xds_inbound *inbound,
                          const struct xds_served **out)
{
    struct xds_arena *const arenas[] = {&server->arena, &server->lasting};
    struct call call = {.server = server, .inbound = inbound};
    const char *which;

    *out = NULL;
    if (xds_inbound_fault(inbound, &which))
        return XDS_ERR_USAGE;
    xds_arena_reset(&server->arena);
    const enum xds_status status = xds_check_status(
        server->check, xds_arena_guard(arenas, XDS_ARRAY_LEN(arenas), run, &call));

    if (status == XDS_OK)
        *out = call.d;
    return status;
}

void xds_server_run(struct xds_server *server, const struct xds_running *running)
{
    server->running = running;
}

enum xds_status xds_server_look(struct xds_server *server, struct xds_slice address,
                                struct xds_slice name, struct xds_server_sight *out)
{
    struct xds_arena *const arenas[] = {&server->arena};
    const struct xds_inbound inbound = {.server = address};
    struct call call = {
        .server = server, .inbound = &inbound, .sight = out, .name = name};

    xds_arena_reset(&server->arena);
    return xds_check_status(server->check,
                            xds_arena_guard(arenas, XDS_ARRAY_LEN(arenas), look, &call));
}

static void mark(const struct xds_snapshot *snapshot, enum xds_resource_type type,
                 struct xds_slice name, bool *met)
{
    const struct xds_snapshot_entry *entry =
        name.data ? xds_snapshot_find(snapshot, type, name) : NULL;

    if (entry)
        met[entry->resource] = true;
}

void xds_served_mark_resources(const struct xds_server *server,
                               const struct xds_served *served, bool *met)
{
    const struct xds_snapshot *snapshot = &server->check->snapshot;

    mark(snapshot, XDS_TYPE_LISTENER, served->listener_name, met);
    mark(snapshot, XDS_TYPE_ROUTE, served->route_config_name, met);
}
