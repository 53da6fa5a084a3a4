/*
 * virtual_hosts.c - listeners and virtual hosts that no RPC reaches, and overrides for
 * filters that are not there.
 *
 * Source: gRFC A27, A36, A39, A47; spec routing 1, 2.7; spec listener L1.
 */
#include "base/ascii.h"
#include "lint/checks.h"

/* ---- overrides for filters that are not there ---- */

/* The overrides of routes that a client's listener uses, by their names. */
static struct xds_strmap *by_name(struct xds_arena *arena,
                                  const struct xds_routes_facts *routes)
{
    struct xds_strmap *map = XDS_NEW(arena, struct xds_strmap);

    xds_strmap_init(map, arena);
    for (struct xds_override_name *o = routes->overrides; o; o = o->next)
        *xds_strmap_at(map, o->name) = o;
    return map;
}

/* The routes that a client's listener uses are marked with what it has for them. */
static void mark(const struct xds_inspection *in,
                 const struct xds_listener_facts *listener,
                 struct xds_routes_facts *routes)
{
    routes->used_by_client = true;
    if (!routes->overrides)
        return;
    if (!routes->by_name)
        routes->by_name = by_name(in->scratch, routes);
    for (size_t i = 0; i < listener->n_filters; i++) {
        struct xds_override_name *o =
            xds_strmap_get(routes->by_name, listener->filters[i]);

        if (o)
            o->found = true;
    }
}

static void check_nodes(struct xds_inspection *in, const struct xds_node *node)
{
    for (; node; node = node->next) {
        in->resource = node->resource;
        if (!node->routes->used_by_client)
            continue;

        struct xds_site_frames frames;

        for (const struct xds_override_name *o = node->routes->overrides; o; o = o->next)
            if (!o->found)
                xds_lint_fire(in, xds_site_path(o->site, o->name, &frames),
                              XDS_R_LINT_OVERRIDE_UNUSED,
                              "the listener has no HTTP filter \"%.*s\": the "
                              "override is never applied",
                              XDS_FMT(o->name));

        struct xds_site_frames action_frames;

        if (node->routes->not_forwarding.kind != XDS_SITE_NONE)
            xds_lint_fire(
                in,
                xds_site_path(node->routes->not_forwarding, XDS_S(""), &action_frames),
                XDS_R_LINT_NOT_FORWARDING,
                "non_forwarding_action is for servers only: RPCs of a client that match "
                "this route fail with UNAVAILABLE, and no later route is tried");
    }
}

/* A listener whose routes are not known: those of another resource may be for it. */
static bool is_shared(const struct xds_graph *graph)
{
    for (const struct xds_node *n = graph->first[XDS_TYPE_LISTENER]; n; n = n->next)
        if (n->listener->for_servers || n->is_unread)
            return true;
    return false;
}

void xds_check_filter_names(struct xds_inspection *in, const struct xds_graph *graph)
{
    for (struct xds_node *n = graph->first[XDS_TYPE_LISTENER]; n; n = n->next) {
        if (n->listener->for_servers || n->is_unread)
            continue;
        mark(in, n->listener, n->routes);
        for (const struct xds_ref *ref = n->refs; ref < xds_refs_end(n); ref++)
            if (ref->name->type == XDS_TYPE_ROUTE && xds_ref_to(ref))
                mark(in, n->listener, xds_ref_to(ref)->routes);
    }
    check_nodes(in, graph->first[XDS_TYPE_LISTENER]);
    if (!is_shared(graph))
        check_nodes(in, graph->first[XDS_TYPE_ROUTE]);
}

void xds_check_listener_form(const struct xds_inspection *in,
                             const struct xds_listener *listener)
{
    if (listener->is_api_listener && listener->has_filter_chains)
        xds_lint_fire(
            in, XDS_AT(NULL, "api_listener"), XDS_R_LINT_LISTENER_BOTH_FORMS,
            "api_listener makes this a listener for clients: its filter chains are "
            "ignored, and a server that requests it does not serve");
}

/* ---- domains ---- */

struct domain {
    struct xds_slice text;
    size_t host, position;
};

static struct xds_slice lowered(struct xds_arena *arena, struct xds_slice text)
{
    char *copy = xds_arena_alloc(arena, text.len + 1);

    for (size_t i = 0; i < text.len; i++)
        copy[i] = xds_ascii_lower(text.data[i]);
    return xds_slice_make(copy, text.len);
}

/* Clients asked about that compare domains byte by byte. */
static unsigned telling_case(const struct xds_inspection *in)
{
    const struct xds_options *options = &in->report->options;

    return options->clients & xds_clients_differing(options, XDS_DIFF_DOMAIN_CASE);
}

/* How the two differ, and to whom they are not the same. */
static struct xds_slice difference(const struct xds_inspection *in,
                                   const struct domain *first, const struct domain *again)
{
    const unsigned clients = xds_lint_named(in, telling_case(in));

    if (xds_slice_eq(first->text, again->text))
        return XDS_S("");
    if (!clients)
        return XDS_S(", except for case");
    return xds_arena_printf(
        in->scratch, ", except for case, which only %.*s distinguish%s",
        XDS_FMT(xds_lint_who(in, clients)), clients & (clients - 1) ? "" : "s");
}

static void check_domain(const struct xds_inspection *in, const struct xds_path *at,
                         struct xds_strmap *seen, const struct domain *domain)
{
    const struct xds_slice key = telling_case(in) == in->report->options.clients
                                     ? domain->text
                                     : lowered(in->scratch, domain->text);
    void **slot = xds_strmap_at(seen, key);

    if (*slot) {
        const struct domain *first = *slot;
        const bool same_host = first->host == domain->host;
        const struct xds_path *hosts = XDS_AT_I(at, "virtual_hosts", domain->host);
        const struct xds_path *other = XDS_AT_I(at, "virtual_hosts", first->host);

        if ((same_host ? xds_lint_fire_note : xds_lint_fire)(
                in, XDS_AT_I(hosts, "domains", domain->position),
                XDS_R_LINT_DOMAIN_REPEATED,
                "duplicate domain \"%.*s\": it is already in virtual_hosts[%zu]%.*s; %s",
                XDS_FMT(domain->text), first->host,
                XDS_FMT(difference(in, first, domain)),
                same_host
                    ? "once is enough"
                    : "it only ever chooses one of the two, for most clients the first"))
            xds_lint_relate(in, XDS_AT_I(other, "domains", first->position),
                            "the first occurrence");
        return;
    }
    struct domain *kept = XDS_NEW(in->scratch, struct domain);
    *kept = *domain;
    *slot = kept;
}

void xds_check_domains(const struct xds_inspection *in, const struct xds_path *at,
                       const struct xds_route_config *config)
{
    struct xds_strmap seen;

    xds_strmap_init(&seen, in->scratch);
    for (size_t i = 0; i < config->n_virtual_hosts; i++)
        for (size_t j = 0; j < config->virtual_hosts[i].n_domains; j++)
            check_domain(in, at, &seen,
                         &(struct domain){config->virtual_hosts[i].domains[j], i, j});
}

/* ---- routes that are missing ---- */

/* Services that are not routed are no slip, nor is a host for one kind of RPC. But where
 * RPCs are distinguished by their headers, something should match the rest. */
static bool lacks_default(const struct xds_virtual_host *host)
{
    /* All of them leave out some RPCs of their paths, by headers or chance. */
    for (size_t i = 0; i < host->n_routes; i++)
        if (host->routes[i].match.n_headers == 0 && !host->routes[i].match.has_fraction)
            return false;
    return host->n_routes > 1;
}

void xds_check_default_route(const struct xds_inspection *in, const struct xds_path *at,
                             const struct xds_virtual_host *host)
{
    if (lacks_default(host))
        xds_lint_fire(
            in, XDS_AT_I(at, "routes", host->n_routes - 1), XDS_R_LINT_NO_DEFAULT_ROUTE,
            "each route of the virtual host requires headers or a fraction: RPCs that "
            "match none of them fail with UNAVAILABLE; a last route with prefix: \"\" "
            "would match them");
}

/* The target xds:///NAME asks for the listener NAME and has NAME as its authority, unless
 * the channel or the bootstrap says otherwise. A name that begins with xdstp: is made
 * from the target by a template of the bootstrap, and says too little of it. */

/* Longer names are no authority. */
#define MAX_AUTHORITY 300

static const struct xds_slice xdstp = {"xdstp:", 6};

/* ---- domains of one route configuration ---- */

static struct xds_strmap *map_of(struct xds_arena *arena,
                                 const struct xds_routes_facts *routes)
{
    struct xds_strmap *map = XDS_NEW(arena, struct xds_strmap);

    xds_strmap_init(map, arena);
    for (size_t i = 0; i < routes->n_domains; i++)
        *xds_strmap_at(map, lowered(arena, routes->domains[i])) = map;
    return map;
}

/* As patterns are matched by the client that takes most: in any case of letters, and the
 * star may stand for nothing. text has room for a star on both sides of the name. */
static bool is_served(const struct xds_strmap *map, char *text, size_t len)
{
    char *name = text + 1;

    if (xds_strmap_get(map, xds_slice_make(name, len)))
        return true;
    for (size_t i = 0; i <= len; i++) {
        const char before = text[i], behind = name[i];

        text[i] = '*';
        const bool by_end = xds_strmap_get(map, xds_slice_make(text + i, len - i + 1));
        text[i] = before;
        name[i] = '*';
        const bool by_begin = xds_strmap_get(map, xds_slice_make(name, i + 1));
        name[i] = behind;
        if (by_end || by_begin)
            return true;
    }
    return false;
}

/* ---- listeners ---- */

/* Where the virtual hosts of a listener are: inline, or in what it names. */
static const struct xds_routes_facts *routes_of(const struct xds_node *listener)
{
    for (const struct xds_ref *ref = listener->refs; ref < xds_refs_end(listener); ref++)
        if (ref->name->type == XDS_TYPE_ROUTE)
            return xds_ref_to(ref) ? xds_ref_to(ref)->routes : NULL;
    return listener->routes;
}

static void check_listener(struct xds_inspection *in, struct xds_strmap *maps,
                           const struct xds_node *listener)
{
    const struct xds_routes_facts *routes = routes_of(listener);
    const struct xds_slice name = listener->name->text;
    char text[MAX_AUTHORITY + 2] = "";

    if (!routes || routes->n_domains == 0 || name.len == 0 || name.len > MAX_AUTHORITY ||
        xds_slice_starts(name, xdstp))
        return;

    void **map =
        xds_strmap_at(maps, xds_slice_make((const char *)&routes,
                                           sizeof(const struct xds_routes_facts *)));

    if (!*map)
        *map = map_of(in->scratch, routes);
    memcpy(text + 1, lowered(in->scratch, name).data, name.len);
    in->resource = listener->resource;
    if (!is_served(*map, text, name.len))
        xds_lint_fire(
            in,
            routes == listener->routes
                ? XDS_AT_INLINE_ROUTES
                : XDS_AT(XDS_AT_CONNECTION_MANAGER, "rds.route_config_name"),
            XDS_R_LINT_AUTHORITY_UNSERVED,
            "no virtual host matches the authority of \"xds:///%.*s\": all RPCs fail "
            "with UNAVAILABLE, unless the channel sets another authority",
            XDS_FMT(name));
}

void xds_check_authorities(struct xds_inspection *in, const struct xds_graph *graph)
{
    struct xds_strmap maps; /* of route configurations, by the address of the node */

    xds_strmap_init(&maps, in->scratch);
    for (const struct xds_node *n = graph->first[XDS_TYPE_LISTENER]; n; n = n->next)
        if (!n->listener->for_servers && !n->is_unread)
            check_listener(in, &maps, n);
}

/* ---- styles of names ---- */

void xds_check_name_styles(struct xds_inspection *in, const struct xds_graph *graph)
{
    for (size_t type = 0; type < XDS_ARRAY_LEN(graph->first); type++) {
        for (const struct xds_node *n = graph->first[type]; n; n = n->next) {
            in->resource = n->resource;
            if (xds_slice_starts(n->name->text, xdstp)) {
                const struct xds_ref *ref = n->refs, *end = xds_refs_end(n);
                struct xds_site_frames frames;

                while (ref < end && (ref->name->text.len == 0 ||
                                     xds_slice_starts(ref->name->text, xdstp)))
                    ref++;
                if (ref < end)
                    xds_lint_fire(
                        in, xds_site_path(ref->site, XDS_S(""), &frames),
                        XDS_R_LINT_NAME_STYLES_MIXED,
                        "\"%.*s\" is not an xdstp name, unlike that of the resource: "
                        "clients request it from the servers at the top of the "
                        "bootstrap, not from those of the authority",
                        XDS_FMT(ref->name->text));
            }
        }
    }
}
