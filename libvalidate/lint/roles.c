/*
 * roles.c - whose a resource is, by the listeners that lead to it, and so what is judged;
 *           the listeners of gRPC servers.
 *
 * Source: gRFC A27, A36, A47.
 */
#include "lint/checks.h"

/* Bits of xds_node.roles. */
enum {
    OF_CLIENT = 1, /* an API listener, or one of which it is not known what it is for */
    OF_SERVER = 2, /* a listener with the name of one of a gRPC server */
    OF_OTHER = 4,  /* any other: for Envoy, or for servers */
    OF_TARGET = 8, /* of a target that was asked about */
};

/* ---- listeners of gRPC servers ---- */

/* The parts before and after "%s" in the template of the bootstrap. */
static bool fits_template(struct xds_slice name, struct xds_slice template)
{
    const size_t at = xds_slice_search(template, XDS_S("%s"));

    if (!template.data || at >= template.len)
        return false;
    const struct xds_slice end = xds_slice_from(template, at + 2);

    return name.len >= at + end.len &&
           xds_slice_starts(name, xds_slice_make(template.data, at)) &&
           xds_slice_ends(name, end);
}

static bool has_server_name(const struct xds_options *options, struct xds_slice name)
{
    return xds_is_server_name(name) ||
           fits_template(name, options->bootstrap.server_listener_template);
}

bool xds_is_grpc_server(const struct xds_inspection *in, const struct xds_node *listener)
{
    const struct xds_options *options = &in->report->options;

    return listener->listener->for_servers &&
           (options->role == XDS_ROLE_SERVER ||
            has_server_name(options, listener->name->text));
}

static uint8_t role_of(const struct xds_inspection *in, const struct xds_node *listener)
{
    if (!listener->listener->for_servers || listener->listener->is_empty)
        return OF_CLIENT;
    return has_server_name(&in->report->options, listener->name->text) ? OF_SERVER
                                                                       : OF_OTHER;
}

/* ---- targets ---- */

static bool is_target(const struct xds_inspection *in, const struct xds_slice *names,
                      const struct xds_node *listener)
{
    bool found = false;

    for (size_t i = 0; i < in->report->options.n_reachable_from; i++)
        if (xds_slice_eq(names[i], listener->name->text))
            in->report->has_target[i] = found = true;
    return found;
}

/* The listeners that the targets ask for. */
static const struct xds_slice *target_names(const struct xds_inspection *in)
{
    const struct xds_options *options = &in->report->options;
    const struct xds_rpc rpc = {
        .client = XDS_CLIENT_GRFC, .options = options, .arena = in->scratch};
    const size_t n = options->n_reachable_from;
    struct xds_slice *names = XDS_NEW_ARRAY(in->scratch, struct xds_slice, n);

    if (!in->report->has_target)
        in->report->has_target = XDS_NEW_ARRAY(&in->report->arena, bool, n);
    for (size_t i = 0; i < n; i++)
        names[i] =
            xds_target_parse(&rpc, xds_slice_of(options->reachable_from[i])).listener;
    return names;
}

/* ---- what leads where ---- */

/* Nodes to visit, as a stack: a chain of clusters may be long. */
struct trail {
    struct xds_arena *arena;
    struct xds_node **nodes;
    size_t n, cap;
    uint8_t role;
};

static void visit(struct trail *trail, struct xds_node *node)
{
    if (!node || (node->roles & trail->role))
        return;
    node->roles |= trail->role;
    trail->nodes = xds_arena_room(trail->arena, trail->nodes, trail->n, &trail->cap,
                                  sizeof *trail->nodes);
    trail->nodes[trail->n++] = node;
}

static void mark_from(struct trail *trail, struct xds_node *listener, uint8_t role)
{
    trail->role = role;
    visit(trail, listener);
    while (trail->n > 0) {
        const struct xds_node *from = trail->nodes[--trail->n];

        for (const struct xds_ref *ref = from->refs; ref < xds_chain_refs_end(from);
             ref++)
            visit(trail, xds_ref_to(ref));
    }
}

/* Something that these listeners lead to names what is not known. */
static bool is_open(const struct xds_graph *graph, uint8_t roles)
{
    if (graph->has_gaps)
        return true;
    for (size_t type = XDS_TYPE_LISTENER; type <= XDS_TYPE_CLUSTER; type++)
        for (const struct xds_node *n = graph->first[type]; n; n = n->next)
            if ((n->roles & roles) &&
                (n->is_unread || (n->routes && n->routes->names_at_will)))
                return true;
    return false;
}

/* ---- what is judged ---- */

/* What is asked about, as bits, and why the rest is not judged. */
struct choice {
    uint8_t roles;
    enum xds_unjudged why;
    bool orphans;  /* what no listener leads to is judged as well */
    bool is_open;  /* ... and what only listeners for others lead to */
    bool of_hosts; /* clusters and endpoints are judged */
};

static struct choice choice_of(const struct xds_inspection *in)
{
    const struct xds_options *options = &in->report->options;

    if (options->n_reachable_from > 0)
        return (struct choice){OF_TARGET, XDS_UNJUDGED_UNREACHED, .of_hosts = true};
    if (options->role == XDS_ROLE_SERVER)
        return (struct choice){OF_SERVER | OF_OTHER, XDS_UNJUDGED_FOR_CLIENTS,
                               .orphans = true};
    return (struct choice){options->role == XDS_ROLE_CLIENT ? OF_CLIENT
                                                            : OF_CLIENT | OF_SERVER,
                           XDS_UNJUDGED_FOR_OTHERS, .orphans = true, .of_hosts = true};
}

static bool is_chosen(const struct choice *choice, const struct xds_node *node)
{
    const enum xds_resource_type type = xds_node_type(node);
    const bool of_hosts = type == XDS_TYPE_CLUSTER || type == XDS_TYPE_ENDPOINT;
    /* References lead to the first resource of a name. */
    const uint8_t roles = node->roles | (node->listener ? 0 : node->name->node->roles);

    if (roles == 0)
        return choice->orphans || choice->is_open;
    if (of_hosts && !choice->of_hosts)
        return false;
    return (roles & choice->roles) ||
           (choice->is_open && choice->orphans && type != XDS_TYPE_LISTENER);
}

/* Listeners that are not known to be another's are there to choose from. */
static bool is_mixed(const struct xds_inspection *in, const struct xds_graph *graph)
{
    bool has_api = false, has_other = false;

    for (const struct xds_node *n = graph->first[XDS_TYPE_LISTENER]; n; n = n->next) {
        has_api |= n->listener->is_api;
        has_other |= role_of(in, n) == OF_OTHER;
    }
    return has_api && has_other;
}

void xds_graph_choose(const struct xds_inspection *in, const struct xds_graph *graph)
{
    const struct xds_options *options = &in->report->options;
    const bool of_targets = options->n_reachable_from > 0;
    const struct xds_slice *targets = of_targets ? target_names(in) : NULL;
    struct trail trail = {.arena = in->scratch};
    struct choice choice = choice_of(in);

    if (!of_targets && (options->role == XDS_ROLE_ALL ||
                        (options->role == XDS_ROLE_BY_INPUT && !is_mixed(in, graph))))
        return;
    for (struct xds_node *n = graph->first[XDS_TYPE_LISTENER]; n; n = n->next)
        mark_from(&trail, n,
                  of_targets && is_target(in, targets, n) ? OF_TARGET : role_of(in, n));
    choice.is_open = is_open(graph, choice.roles);
    for (size_t type = 0; type < XDS_ARRAY_LEN(graph->first); type++)
        for (const struct xds_node *n = graph->first[type]; n; n = n->next)
            if (!is_chosen(&choice, n))
                xds_report_leave_out(in->report, n->resource, choice.why);
}

/* ---- routes of servers ---- */

static void check_forwarding(struct xds_inspection *in, struct xds_node *node)
{
    struct xds_site_frames frames;

    if (!node->routes->forwarding.kind || !xds_is_judged(in, node))
        return;
    in->resource = node->resource;
    xds_lint_fire(in, xds_site_path(node->routes->forwarding, XDS_S(""), &frames),
                  XDS_R_LINT_FORWARDING_ON_SERVER,
                  "a server does not forward: RPCs that match this route fail with "
                  "UNAVAILABLE; use non_forwarding_action");
    node->routes->forwarding.kind = XDS_SITE_NONE;
}

static void check_headers(struct xds_inspection *in, struct xds_node *node)
{
    const struct xds_client_label blind =
        xds_lint_last(in, XDS_DIFF_SERVER_HEADERS_UNSEEN);
    struct xds_site_frames frames;

    if (!blind.text[0] || !node->routes->headers.kind || !xds_is_judged(in, node))
        return;
    in->resource = node->resource;
    xds_lint_fire(
        in, xds_site_path(node->routes->headers, XDS_S(""), &frames),
        XDS_R_LINT_SERVER_HEADERS,
        "headers are absent for a server with %s, which does not see those of an "
        "RPC: only a route without such a matcher takes one, or the RPC fails "
        "with UNAVAILABLE",
        blind.text);
    node->routes->headers.kind = XDS_SITE_NONE;
}

/* node: a listener of a server. */
static void check_rds(struct xds_inspection *in, const struct xds_node *node,
                      const struct xds_ref *ref)
{
    const struct xds_client_label dying = xds_lint_last(in, XDS_DIFF_SERVER_RDS_PANICS);
    struct xds_site_frames frames;

    if (!dying.text[0] || !xds_is_judged(in, node))
        return;
    in->resource = node->resource;
    xds_lint_fire(in, xds_site_path(ref->site, XDS_S(""), &frames), XDS_R_LINT_SERVER_RDS,
                  "a server with %s dies of a nil pointer at the first connection after "
                  "it got RouteConfiguration \"%.*s\": put route_config into the filter "
                  "chain, or upgrade to go@1.61",
                  dying.text, XDS_FMT(ref->name->text));
}

/* A target leads to a listener that no client can use. */
void xds_check_targets(struct xds_inspection *in, const struct xds_graph *graph)
{
    if (in->report->options.n_reachable_from == 0)
        return;
    for (struct xds_node *n = graph->first[XDS_TYPE_LISTENER]; n; n = n->next) {
        if (!(n->roles & OF_TARGET) || !n->listener->for_servers || n->listener->is_empty)
            continue;
        in->resource = n->resource;
        xds_lint_fire(
            in, NULL, XDS_R_LINT_TARGET_FOR_SERVERS,
            "a client asks for this listener, but it has no api_listener: it is "
            "one of a server or of Envoy, and no RPC can use it");
    }
}

void xds_check_server_routes(struct xds_inspection *in, const struct xds_graph *graph)
{
    for (struct xds_node *n = graph->first[XDS_TYPE_LISTENER]; n; n = n->next) {
        if (!xds_is_grpc_server(in, n))
            continue;
        check_forwarding(in, n);
        check_headers(in, n);
        for (const struct xds_ref *ref = n->refs; ref < xds_chain_refs_end(n); ref++) {
            if (ref->name->type != XDS_TYPE_ROUTE)
                continue;
            check_rds(in, n, ref);
            if (xds_ref_to(ref)) {
                check_forwarding(in, xds_ref_to(ref));
                check_headers(in, xds_ref_to(ref));
            }
        }
    }
}
