/*
 * listener.c - the first steps of an RPC: listener, route configuration, virtual host.
 *
 * Source: gRFC A27, A28, spec routing 0 (step 1) and 1.3, spec listener RC4.
 */
#include "explain/explain.h"

#include "base/ascii.h"

bool xds_explain_crash(const struct xds_lb *lb, struct xds_decision *d,
                       const struct xds_rule *rule)
{
    /* Rows of earlier releases alone do not say it. */
    const char *victims = rule->crash ? rule->crash : "every process that reads this";

    d->status.killed_by = rule;
    return xds_explain_end(lb, d, XDS_OUTCOME_CRASH,
                           xds_failure_row(XDS_FAILURE_CLIENT_CRASH), "kills %s (%s)",
                           victims, rule->slug);
}

enum { MAX_LISTENERS_SAID = 4 };

/* Why a listener of the snapshot is of no use to a client; NULL when it is of use. */
static const char *useless(const struct xds_lb *lb, struct xds_slice name)
{
    const char *why = "";
    const struct xds_listener *listener =
        xds_accepted(lb->snapshot, lb->rpc->client, XDS_TYPE_LISTENER, name, &why);

    if (!listener)
        return why;
    return listener->is_api_listener ? NULL : "is a socket listener, for servers";
}

/* How a user asks for it: by a target where its name is one as it is. */
static struct xds_slice option_for(const struct xds_lb *lb, struct xds_slice name)
{
    const struct xds_options *options = lb->rpc->options;
    bool plain = name.len > 0 && !options->bootstrap.client_listener_template.data;

    for (size_t i = 0; plain && i < name.len; i++)
        plain =
            xds_ascii_word(name.data[i]) || name.data[i] == '.' || name.data[i] == '-';
    return plain ? xds_arena_printf(lb->rpc->arena, "--target xds:///%.*s", XDS_FMT(name))
                 : xds_arena_printf(lb->rpc->arena, "--listener %.*s",
                                    XDS_FMT(xds_excerpt(lb->rpc->arena, name)));
}

/* Listeners for clients. */
static size_t count_useful(const struct xds_lb *lb)
{
    size_t n = 0;

    for (const struct xds_snapshot_entry *e = lb->snapshot->first[XDS_TYPE_LISTENER];
         e && n < 2; e = e->next)
        n += !useless(lb, e->name);
    return n;
}

/* What there is instead of the listener that was looked for. */
static void note_listeners(const struct xds_lb *one, struct xds_decision *d)
{
    struct xds_lb all = *one, *lb = &all;

    if (one->snapshot->whole) /* the xDS client of another target may have it */
        all.snapshot = one->snapshot->whole;
    const struct xds_snapshot_entry *e = lb->snapshot->first[XDS_TYPE_LISTENER];
    const bool is_only = count_useful(lb) == 1;

    for (size_t n = 0; e && n < MAX_LISTENERS_SAID; e = e->next) {
        const char *why = useless(lb, e->name);
        const struct xds_slice name = xds_excerpt(lb->rpc->arena, e->name);

        if (xds_slice_eq(e->name, d->start.listener_name))
            continue;
        n++;
        if (why)
            xds_explain_note(lb->rpc, d, "listener %.*s %s", XDS_FMT(name), why);
        else
            xds_explain_note(lb->rpc, d, is_only ? "did you mean %.*s?" : "there is %.*s",
                             XDS_FMT(option_for(lb, e->name)));
    }
}

/* The first one of which the client dies, and its rule. */
static const struct xds_rule *find_deadly_listener(const struct xds_lb *lb,
                                                   struct xds_decision *d)
{
    const struct xds_snapshot_entry *e = lb->snapshot->first[XDS_TYPE_LISTENER];
    const struct xds_rule *rule = NULL;

    for (; e && !rule; e = e->next) {
        rule = xds_killed_by(lb->snapshot, lb->rpc->client, XDS_TYPE_LISTENER, e->name);
        if (rule)
            d->start.listener_name = e->name;
    }
    return rule;
}

/* Why none of the snapshot is of use to this client. */
static enum xds_failure unused_reason(const struct xds_lb *lb)
{
    const struct xds_snapshot_entry *e = lb->snapshot->first[XDS_TYPE_LISTENER];

    if (!e)
        return XDS_FAILURE_LISTENER_MISSING;
    for (; e; e = e->next) {
        const struct xds_listener *listener = e->model;

        if (!listener || listener->is_api_listener)
            return XDS_FAILURE_LISTENER_REJECTED;
    }
    return XDS_FAILURE_LISTENER_FOR_SERVERS;
}

/* Neither target nor listener: fine when just one is of use to this client. */
static bool find_only_listener(const struct xds_lb *lb, struct xds_decision *d)
{
    const struct xds_snapshot_entry *e = lb->snapshot->first[XDS_TYPE_LISTENER];
    size_t n = 0;

    for (; e; e = e->next) {
        const struct xds_listener *listener =
            xds_accepted(lb->snapshot, lb->rpc->client, XDS_TYPE_LISTENER, e->name, NULL);

        const bool hidden = /* by a later one of the same name */
            xds_snapshot_find(lb->snapshot, XDS_TYPE_LISTENER, e->name) != e;
        if (!listener || !listener->is_api_listener || hidden)
            continue;
        d->start.listener = listener;
        d->start.listener_name = e->name;
        n++;
    }
    if (n == 1)
        return true;
    d->start.listener = NULL;
    d->start.listener_name = xds_slice_make(NULL, 0);
    d->start.several_listeners = n > 1;
    const struct xds_rule *rule = n > 1 ? NULL : find_deadly_listener(lb, d);
    if (rule)
        return xds_explain_crash(lb, d, rule);
    if (n == 0 && xds_explain_start_alone(lb, d))
        return true;
    note_listeners(lb, d);
    return xds_explain_end(lb, d, XDS_OUTCOME_NO_LISTENER,
                           n > 1 ? NULL : xds_failure_row(unused_reason(lb)),
                           "the snapshot has no accepted client listener");
}

/* core has a channel without addresses then. */
static bool end_without_resource(const struct xds_lb *lb, struct xds_decision *d,
                                 enum xds_outcome outcome, enum xds_resource_type type,
                                 struct xds_slice name, const char *why)
{
    const struct xds_rule *rule =
        xds_killed_by(lb->snapshot, lb->rpc->client, type, name);

    if (rule)
        return xds_explain_crash(lb, d, rule);

    const struct xds_failed failed =
        xds_failure_resource(lb->rpc, lb->snapshot, type, name, why);

    if (xds_slice_search(failed.text, name) > failed.text.len)
        xds_explain_note(lb->rpc, d, "%s %.*s %s",
                         type == XDS_TYPE_ROUTE ? "route configuration" : "listener",
                         XDS_FMT(xds_excerpt(lb->rpc->arena, name)), why);
    return xds_explain_end(lb, d, outcome, failed.reason,
                           xds_speaks_as_core(lb->rpc) ? "empty address list (%.*s)"
                                                       : "%.*s",
                           XDS_FMT(failed.text));
}

/* The resolver has no server to ask, so it asks for no listener. */
static bool end_without_authority(const struct xds_lb *lb, struct xds_decision *d,
                                  struct xds_slice authority)
{
    const struct xds_failed failed =
        xds_failure_words(lb->rpc->arena, lb->rpc->options, lb->rpc->client,
                          XDS_FAILURE_AUTHORITY, authority, lb->rpc->request->target);

    xds_explain_note(lb->rpc, d,
                     "authority %.*s of the target is not in authorities of the "
                     "bootstrap; did you mean xds:///%.*s?",
                     XDS_FMT(xds_excerpt(lb->rpc->arena, authority)),
                     XDS_FMT(d->start.authority));
    return xds_explain_end(lb, d, XDS_OUTCOME_UNAVAILABLE, failed.reason, "%.*s",
                           XDS_FMT(failed.text));
}

/* Has a rejected one no api_listener? Then that is what is wrong with it first. */
static bool is_for_servers(const struct xds_lb *lb, struct xds_slice name)
{
    const struct xds_snapshot_entry *e =
        xds_snapshot_find(lb->snapshot, XDS_TYPE_LISTENER, name);
    const struct xds_listener *listener = e ? e->model : NULL;

    return listener && !listener->is_api_listener;
}

/* Control planes serve Envoys and servers too, which ask for other listeners. */
static void note_form(const struct xds_lb *lb, struct xds_decision *d)
{
    xds_explain_note(
        lb->rpc, d,
        "listener %.*s has no api_listener: it is one of a gRPC server, or of "
        "Envoy, such as a sidecar or a gateway",
        XDS_FMT(xds_excerpt(lb->rpc->arena, d->start.listener_name)));
}

static bool find_named_listener(const struct xds_lb *lb, struct xds_decision *d)
{
    const char *why;

    d->start.listener = xds_accepted(lb->snapshot, lb->rpc->client, XDS_TYPE_LISTENER,
                                     d->start.listener_name, &why);
    if (!d->start.listener && is_for_servers(lb, d->start.listener_name)) {
        note_form(lb, d);
        return xds_explain_end(lb, d, XDS_OUTCOME_NO_LISTENER,
                               xds_failure_row(XDS_FAILURE_LISTENER_FOR_SERVERS),
                               "LDS resource %.*s is a socket listener, for servers; "
                               "and it %s",
                               XDS_FMT(d->start.listener_name), why);
    }
    if (!d->start.listener) {
        note_listeners(lb, d);
        return end_without_resource(lb, d, XDS_OUTCOME_NO_LISTENER, XDS_TYPE_LISTENER,
                                    d->start.listener_name, why);
    }
    if (d->start.listener->is_api_listener)
        return true;
    d->start.listener = NULL;
    note_form(lb, d);
    const struct xds_failed failed = xds_failure_text(
        lb->rpc, XDS_FAILURE_LISTENER_FOR_SERVERS, d->start.listener_name);

    if (xds_speaks_as_core(lb->rpc))
        return xds_explain_end(lb, d, XDS_OUTCOME_NO_LISTENER, failed.reason,
                               XDS_DIFFERS(lb->rpc, XDS_DIFF_CHANNEL_WITHOUT_ADDRESSES)
                                   ? "empty address list (LDS resource %.*s: not an API "
                                     "listener)"
                                   : "LDS resource %.*s: not an API listener",
                               XDS_FMT(d->start.listener_name));
    xds_explain_end(lb, d, XDS_OUTCOME_NO_LISTENER, failed.reason, "%.*s",
                    XDS_FMT(failed.text));
    if (XDS_DIFFERS(lb->rpc, XDS_DIFF_SOCKET_LISTENER_PANICS))
        d->status.code = XDS_S("INTERNAL");
    return false;
}

static bool find_listener(const struct xds_lb *lb, struct xds_decision *d)
{
    const struct xds_request *request = lb->rpc->request;
    struct xds_slice unknown = {NULL, 0};
    bool found;

    if (request->target.data) {
        const struct xds_target target = xds_target_parse(lb->rpc, request->target);

        d->start.listener_name = target.listener;
        d->start.authority = target.authority;
        unknown = target.unknown;
        if (target.foreign.data)
            xds_explain_note(lb->rpc, d,
                             "a channel to a target with the scheme %.*s: does not use "
                             "xDS; here the target is read as the name of a listener",
                             XDS_FMT(target.foreign));
    }
    if (request->listener.data)
        d->start.listener_name = request->listener;
    if (request->route_config.data)
        found = xds_explain_start(lb, d);
    else if (unknown.data && !request->listener.data)
        found = end_without_authority(lb, d, unknown);
    else if (d->start.listener_name.data)
        found = find_named_listener(lb, d);
    else
        found = find_only_listener(lb, d);

    if (request->authority.data)
        d->start.authority = xds_authority_of(lb->rpc, request->authority);
    else if (!request->target.data && d->start.listener_name.data &&
             !d->start.authority.data)
        d->start.authority = xds_authority_of(lb->rpc, d->start.listener_name);
    return found;
}

static bool find_route_config(const struct xds_lb *lb, struct xds_decision *d)
{
    const struct xds_listener *listener = d->start.listener;
    const char *why = "is missing";

    d->start.route_config = listener->route_config;
    if (listener->rds_name.data)
        d->start.route_config = xds_accepted(lb->snapshot, lb->rpc->client,
                                             XDS_TYPE_ROUTE, listener->rds_name, &why);
    d->start.route_config_name = listener->rds_name.data || !d->start.route_config
                                     ? listener->rds_name
                                     : d->start.route_config->name;
    const struct xds_rule *killed_by =
        xds_killing_rule(&listener->killing, XDS_CLIENT_BIT(lb->rpc->client));

    if (killed_by)
        return xds_explain_crash(lb, d, killed_by);
    if (d->start.assumed && !d->start.route_config)
        d->start.route_config = xds_explain_rejected_routes(lb, d);
    if (d->start.route_config)
        return true;
    return end_without_resource(lb, d, XDS_OUTCOME_UNAVAILABLE, XDS_TYPE_ROUTE,
                                listener->rds_name, why);
}

/* ---- clusters of which a channel dies ---- */

static const struct xds_rule *killed_by_route(const struct xds_lb *lb,
                                              const struct xds_route *route)
{
    const struct xds_rule *rule = NULL;

    if (route->skipped_by & XDS_CLIENT_BIT(lb->rpc->client))
        return NULL;
    if (route->action == XDS_ACTION_CLUSTER)
        return xds_aggregate_leaves(lb, route->cluster).killed_by;
    if (route->action == XDS_ACTION_WEIGHTED)
        for (size_t i = 0; i < route->n_weighted && !rule; i++)
            rule = xds_aggregate_leaves(lb, route->weighted[i].name).killed_by;
    return rule;
}

/* A channel gets all clusters of its virtual host, whichever its RPCs need. */
static const struct xds_rule *killed_by_clusters(const struct xds_lb *lb,
                                                 const struct xds_virtual_host *host)
{
    const struct xds_rule *rule = NULL;

    if (lb->snapshot->has_killing)
        for (size_t i = 0; i < host->n_routes && !rule; i++)
            rule = killed_by_route(lb, &host->routes[i]);
    return rule;
}

/* Does the channel have another authority than its target? */
static bool is_overridden(const struct xds_lb *lb, const struct xds_decision *d)
{
    const struct xds_request *request = lb->rpc->request;

    return request->authority.data &&
           !xds_slice_eq(xds_target_parse(lb->rpc, request->target).authority,
                         d->start.authority);
}

/* What domains are compared with: the authority, of earlier releases the name of the
 * listener, which the bootstrap may make another text. */
static struct xds_slice name_for_domains(const struct xds_lb *lb, struct xds_decision *d)
{
    const struct xds_slice name = d->start.listener_name;

    if (!name.data || !lb->rpc->request->target.data ||
        !XDS_DIFFERS(lb->rpc, XDS_DIFF_VIRTUAL_HOST_BY_LISTENER) ||
        (is_overridden(lb, d) &&
         XDS_DIFFERS(lb->rpc, XDS_DIFF_VIRTUAL_HOST_BY_AUTHORITY)))
        return d->start.authority;
    if (!xds_slice_eq(name, d->start.authority))
        xds_explain_note(lb->rpc, d,
                         "this release compares domains with the name of the listener, "
                         "not with the authority %.*s",
                         XDS_FMT(xds_excerpt(lb->rpc->arena, d->start.authority)));
    return name;
}

/* A channel whose virtual host is at fault does without the whole resource. */
static bool end_at_host(const struct xds_lb *lb, struct xds_decision *d)
{
    const bool rds = d->start.listener->rds_name.data != NULL;

    d->virtual_host.host = NULL;
    return end_without_resource(lb, d, XDS_OUTCOME_UNAVAILABLE,
                                rds ? XDS_TYPE_ROUTE : XDS_TYPE_LISTENER,
                                rds ? d->start.route_config_name : d->start.listener_name,
                                xds_rejection(lb->snapshot, lb->rpc->client));
}

bool xds_explain_virtual_host(const struct xds_lb *lb, struct xds_decision *d)
{
    if (!find_listener(lb, d) || !find_route_config(lb, d))
        return false;
    const struct xds_slice name = name_for_domains(lb, d);

    d->virtual_host = xds_virtual_host_find(d->start.route_config, lb->rpc->options,
                                            lb->rpc->client, name);
    const struct xds_virtual_host *host = d->virtual_host.host;
    const struct xds_rule *killed_by =
        host ? xds_killing_rule(&host->killing, XDS_CLIENT_BIT(lb->rpc->client)) : NULL;

    if (host && xds_rejects_host(lb->rpc->options, lb->rpc->client, host))
        return end_at_host(lb, d);
    if (killed_by)
        return xds_explain_crash(lb, d, killed_by);
    if (host && host->unusable && XDS_DIFFERS(lb->rpc, XDS_DIFF_RETRY_FAILS_ALL))
        return xds_explain_end(lb, d, XDS_OUTCOME_UNAVAILABLE,
                               xds_failure_row(XDS_FAILURE_SERVICE_CONFIG),
                               "could not create ConfigSelector: %s",
                               xds_retries_core_error(host->unusable));
    killed_by = host ? killed_by_clusters(lb, host) : NULL;
    if (killed_by)
        return xds_explain_crash(lb, d, killed_by);
    if (host)
        return true;
    if (d->virtual_host.ended_why) /* the client has not looked at what is after */
        xds_explain_note(lb->rpc, d, "the lookup ends at domain %.*s, %s",
                         XDS_FMT(xds_excerpt(lb->rpc->arena, d->virtual_host.ended_at)),
                         d->virtual_host.ended_why);
    if (d->virtual_host.killed_by)
        return xds_explain_crash(lb, d, d->virtual_host.killed_by);
    if (d->virtual_host.ends_in_panic)
        return xds_explain_end(
            lb, d, XDS_OUTCOME_CRASH, xds_failure_row(XDS_FAILURE_CLIENT_CRASH),
            "kills the channel, whose authority \"%.*s\" begins or ends "
            "with a dot or is empty",
            XDS_FMT(d->start.authority));

    const bool rds = d->start.listener->rds_name.data != NULL;
    const bool empty = XDS_DIFFERS(lb->rpc, XDS_DIFF_CHANNEL_WITHOUT_ADDRESSES);
    const struct xds_failed failed =
        xds_failure_text(lb->rpc, XDS_FAILURE_NO_VIRTUAL_HOST, name);

    if (!xds_speaks_as_core(lb->rpc))
        return xds_explain_end(lb, d, XDS_OUTCOME_NO_VIRTUAL_HOST, failed.reason, "%.*s",
                               XDS_FMT(failed.text));
    return xds_explain_end(
        lb, d, XDS_OUTCOME_NO_VIRTUAL_HOST, failed.reason,
        empty ? "empty address list (%s resource %.*s: %.*s)" : "%s resource %.*s: %.*s",
        rds ? "RDS" : "LDS",
        XDS_FMT(rds ? d->start.route_config_name : d->start.listener_name),
        XDS_FMT(failed.text));
}

static bool is_without_end(const struct xds_lb *lb, const struct xds_decision *d)
{
    return XDS_DIFFERS(lb->rpc, XDS_DIFF_RESOLUTION_FAILURE_WAITS) ||
           (XDS_DIFFERS(lb->rpc, XDS_DIFF_ABSENT_AWAITED) &&
            d->status.reason == xds_failure_row(XDS_FAILURE_ROUTES_MISSING));
}

/* An error of the name resolution does not fail RPCs in node: they go on waiting. */
void xds_explain_waiting(const struct xds_lb *lb, struct xds_decision *d)
{
    const bool fails = d->outcome == XDS_OUTCOME_NO_LISTENER ||
                       d->outcome == XDS_OUTCOME_NO_VIRTUAL_HOST ||
                       d->outcome == XDS_OUTCOME_UNAVAILABLE;

    if (!fails || !is_without_end(lb, d))
        return;
    d->status.error = xds_arena_printf(
        lb->rpc->arena, "the RPC waits for name resolution until its deadline: %.*s",
        XDS_FMT(d->status.error));
    d->status.code = XDS_S("DEADLINE_EXCEEDED");
}

static bool leads_to_cluster(const struct xds_lb *lb, const struct xds_route *route)
{
    const bool has_cluster = route->action == XDS_ACTION_CLUSTER ||
                             route->action == XDS_ACTION_WEIGHTED ||
                             route->action == XDS_ACTION_PLUGIN;

    return has_cluster && !(route->skipped_by & XDS_CLIENT_BIT(lb->rpc->client));
}

/* java: the name resolution fails with it. */
bool xds_explain_childless(const struct xds_lb *lb, struct xds_decision *d)
{
    const struct xds_virtual_host *host = d->virtual_host.host;

    if (!XDS_DIFFERS(lb->rpc, XDS_DIFF_MANAGER_NEEDS_CHILD))
        return false;
    for (size_t i = 0; i < host->n_routes; i++)
        if (leads_to_cluster(lb, &host->routes[i]))
            return false;
    xds_explain_end(lb, d, XDS_OUTCOME_UNAVAILABLE,
                    xds_failure_row(XDS_FAILURE_SERVICE_CONFIG),
                    "No child policy provided for cluster_manager LB policy: "
                    "{childPolicy={}}");
    d->status.code = XDS_S("INTERNAL");
    return true;
}

/* ---- endpoints that a channel waits for ---- */

static bool lacks_endpoints(const struct xds_lb *lb, const struct xds_cluster *leaf,
                            struct xds_slice *endpoints)
{
    if (!leaf || leaf->kind != XDS_CLUSTER_EDS ||
        xds_accepted(lb->snapshot, lb->rpc->client, XDS_TYPE_ENDPOINT, leaf->eds_name,
                     NULL) ||
        xds_explain_is_unmodelled(lb, XDS_TYPE_ENDPOINT, leaf->eds_name))
        return false;
    *endpoints = leaf->eds_name;
    return true;
}

static bool is_awaited(const struct xds_lb *lb, struct xds_slice name,
                       struct xds_slice *endpoints)
{
    const struct xds_cluster *cluster =
        xds_accepted(lb->snapshot, lb->rpc->client, XDS_TYPE_CLUSTER, name, NULL);

    /* There may be thousands of routes, and few lead to more than one leaf. */
    if (cluster && cluster->kind == XDS_CLUSTER_EDS)
        return lacks_endpoints(lb, cluster, endpoints);
    const struct xds_leaves leaves = xds_aggregate_leaves(lb, name);

    for (size_t i = 0; i < leaves.n; i++)
        if (lacks_endpoints(lb, leaves.list[i].cluster, endpoints))
            return true;
    return false;
}

/* The endpoints of the first cluster that has none; absent: none is awaited. */
static struct xds_slice awaited_of(const struct xds_lb *lb,
                                   const struct xds_virtual_host *host)
{
    struct xds_slice endpoints = {NULL, 0};

    for (size_t i = 0; i < host->n_routes; i++) {
        const struct xds_route *route = &host->routes[i];

        if (!leads_to_cluster(lb, route))
            continue;
        if (route->action == XDS_ACTION_CLUSTER &&
            is_awaited(lb, route->cluster, &endpoints))
            return endpoints;
        for (size_t k = 0; k < route->n_weighted; k++)
            if (is_awaited(lb, route->weighted[k].name, &endpoints))
                return endpoints;
    }
    return endpoints;
}

static struct xds_slice keep_awaited(const struct xds_lb *lb,
                                     const struct xds_virtual_host *host)
{
    struct xds_awaited *last = lb->awaited;

    if (!last)
        return awaited_of(lb, host);
    if (last->host != host || last->snapshot != lb->snapshot)
        *last = (struct xds_awaited){lb->snapshot, host, awaited_of(lb, host)};
    return last->endpoints;
}

bool xds_explain_awaiting(const struct xds_lb *lb, struct xds_decision *d)
{
    if (!XDS_DIFFERS(lb->rpc, XDS_DIFF_ENDPOINTS_AWAITED) || !lb->snapshot)
        return false;
    const struct xds_slice awaited = keep_awaited(lb, d->virtual_host.host);

    if (!awaited.data)
        return false;
    const char *why = NULL;

    (void)xds_accepted(lb->snapshot, lb->rpc->client, XDS_TYPE_ENDPOINT, awaited, &why);
    xds_explain_end(lb, d, XDS_OUTCOME_UNAVAILABLE,
                    xds_absence_reason(lb->snapshot, XDS_TYPE_ENDPOINT, awaited),
                    "the RPC waits for name resolution until its deadline: EDS resource "
                    "%.*s %s, and the channel serves no RPC before it has the endpoints "
                    "of all clusters of the virtual host",
                    XDS_FMT(awaited), why ? why : "is missing");
    d->status.code = XDS_S("DEADLINE_EXCEEDED");
    return true;
}
