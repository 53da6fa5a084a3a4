/*
 * authority.c - listeners whose own name no virtual host takes.
 *
 * Source: gRFC A27, A47; spec routing 1.
 *
 * The target xds:///NAME asks for the listener NAME and has NAME as its authority, unless
 * the channel or the bootstrap says otherwise. A name that begins with xdstp: is made
 * from the target by a template of the bootstrap, and says too little of it.
 */
#include "lint/checks.h"

#include "lint/places.h"

/* Longer names are no authority. */
#define MAX_AUTHORITY 300

static const struct xds_slice xdstp = {"xdstp:", 6};

/* ---- domains of one route configuration ---- */

static struct xds_slice lower(struct xds_arena *arena, struct xds_slice text)
{
    char *out = xds_arena_alloc(arena, text.len + 1);

    for (size_t i = 0; i < text.len; i++)
        out[i] = text.data[i] >= 'A' && text.data[i] <= 'Z' ? (char)(text.data[i] + 32)
                                                            : text.data[i];
    return xds_slice_make(out, text.len);
}

static struct xds_strmap *map_of(struct xds_arena *arena,
                                 const struct xds_routes_facts *routes)
{
    struct xds_strmap *map = XDS_NEW(arena, struct xds_strmap);

    xds_strmap_init(map, arena);
    for (size_t i = 0; i < routes->n_domains; i++)
        *xds_strmap_at(map, lower(arena, routes->domains[i])) = map;
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
    memcpy(text + 1, lower(in->scratch, name).data, name.len);
    in->resource = listener->resource;
    if (!is_served(*map, text, name.len))
        (void)xds_lint_fire(
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

static void check_style(const struct xds_inspection *in, const struct xds_node *node)
{
    const struct xds_ref *ref = node->refs, *end = xds_refs_end(node);
    struct xds_site_frames frames;

    while (ref < end &&
           (ref->name->text.len == 0 || xds_slice_starts(ref->name->text, xdstp)))
        ref++;
    if (ref < end)
        (void)xds_lint_fire(in, xds_site_path(ref->site, XDS_S(""), &frames),
                            XDS_R_LINT_NAME_STYLES_MIXED,
                            "\"%.*s\" is not an xdstp name, unlike that of the resource: "
                            "clients request it from the servers at the top of the "
                            "bootstrap, not from those of the authority",
                            XDS_FMT(ref->name->text));
}

void xds_check_name_styles(struct xds_inspection *in, const struct xds_graph *graph)
{
    for (size_t type = 0; type < XDS_ARRAY_LEN(graph->first); type++) {
        for (const struct xds_node *n = graph->first[type]; n; n = n->next) {
            in->resource = n->resource;
            if (xds_slice_starts(n->name->text, xdstp))
                check_style(in, n);
        }
    }
}
