/* show_dot.c - a whole snapshot as a graph for Graphviz. */
#include "print/show/show.h"
#include "print/picture/picture.h"

struct graph {
    struct xds_show *show;
    size_t *stamp; /* by resource: the last node with an edge to it */
    size_t n_from, n_missing, n_inline;
    struct xds_picture picture;
    struct xds_strmap missing; /* by type and name: the number + 1 of the node */
};

static struct xds_dot_node node_of(const struct xds_snapshot_entry *entry)
{
    static const char *const kinds[] = {
        [XDS_TYPE_UNKNOWN] = "other",      [XDS_TYPE_LISTENER] = "listener",
        [XDS_TYPE_ROUTE] = "routes",       [XDS_TYPE_CLUSTER] = "cluster",
        [XDS_TYPE_ENDPOINT] = "endpoints",
    };
    return (struct xds_dot_node){kinds[entry->type], entry->resource};
}

static void begin(struct graph *g, struct xds_dot_node node, const char *what,
                  struct xds_slice name)
{
    xds_picture_node_begin(&g->picture, node);
    xds_picture_text(&g->picture, "%s\n%.*s", what, XDS_FMT(name));
}

static void end(struct graph *g, const struct xds_snapshot_entry *entry)
{
    const bool rejected =
        (entry->nacked_by | entry->killing) & XDS_CLIENT_BIT(g->show->view->client);

    xds_show_known(g->show, &g->picture.label, "\n", entry);
    xds_picture_node_end(&g->picture, XDS_DOT_BOX,
                         rejected ? XDS_DOT_FAILED : XDS_DOT_PLAIN);
}

/* An edge from node number `from`, one for all uses of a name. */
static void edge(struct graph *g, struct xds_dot_node from, size_t number,
                 enum xds_resource_type type, struct xds_slice name)
{
    const struct xds_snapshot_entry *entry = xds_show_find(g->show, type, name);

    if (entry) {
        if (g->stamp[entry->resource] == number)
            return;
        g->stamp[entry->resource] = number;
        xds_picture_edge(&g->picture, from, node_of(entry), XDS_DOT_PLAIN);
        return;
    }
    const struct xds_slice parts[] = {type == XDS_TYPE_ROUTE     ? XDS_S("r")
                                      : type == XDS_TYPE_CLUSTER ? XDS_S("c")
                                                                 : XDS_S("e"),
                                      name};
    void **slot = xds_strmap_at(&g->missing, xds_arena_join(g->show->arena, parts, 2));
    size_t *node = *slot;

    if (!node) {
        *slot = node = XDS_NEW_ARRAY(g->show->arena, size_t, 2);
        node[0] = g->n_missing++;
        begin(g, (struct xds_dot_node){"missing", node[0]},
              xds_show_lack(g->show, type, name), name);
        xds_picture_node_end(&g->picture, XDS_DOT_BOX, XDS_DOT_LOST);
    }
    if (node[1] == number)
        return;
    node[1] = number;
    xds_picture_edge(&g->picture, from, (struct xds_dot_node){"missing", node[0]},
                     XDS_DOT_LOST);
}

static void config_edges(struct graph *g, struct xds_dot_node from,
                         const struct xds_route_config *config)
{
    const size_t number = ++g->n_from;
    struct xds_slice name;

    for (size_t i = 0; config && i < config->n_virtual_hosts; i++)
        for (size_t k = 0; k < config->virtual_hosts[i].n_routes; k++)
            for (size_t w = 0;
                 xds_show_target(&config->virtual_hosts[i].routes[k], w, &name); w++)
                edge(g, from, number, XDS_TYPE_CLUSTER, name);
}

static void draw_listener(struct graph *g, const struct xds_snapshot_entry *entry)
{
    const struct xds_listener *listener = entry->model, *manager;
    const size_t number = ++g->n_from;

    begin(g, node_of(entry), "listener", entry->name);
    end(g, entry);
    for (size_t i = 0; listener && (manager = xds_show_manager(listener, i)); i++) {
        if (manager->rds_name.data) {
            edge(g, node_of(entry), number, XDS_TYPE_ROUTE, manager->rds_name);
        } else if (manager->route_config) {
            const struct xds_dot_node node = {"inline", g->n_inline++};

            begin(g, node, "inline routes", manager->route_config->name);
            xds_picture_node_end(&g->picture, XDS_DOT_BOX, XDS_DOT_PLAIN);
            xds_picture_edge(&g->picture, node_of(entry), node, XDS_DOT_PLAIN);
            config_edges(g, node, manager->route_config);
        }
    }
}

static void draw_cluster(struct graph *g, const struct xds_snapshot_entry *entry)
{
    const struct xds_cluster *cluster = entry->model;
    const size_t number = ++g->n_from;

    begin(g, node_of(entry), "cluster", entry->name);
    if (cluster)
        xds_picture_text(&g->picture, "\n%s", xds_show_cluster_kind(cluster));
    if (cluster && cluster->kind != XDS_CLUSTER_AGGREGATE)
        xds_picture_text(&g->picture, ", %.*s",
                         XDS_FMT(xds_show_policy(g->show, cluster)));
    end(g, entry);
    for (size_t i = 0; cluster && i < cluster->n_children; i++)
        edge(g, node_of(entry), number, XDS_TYPE_CLUSTER, cluster->children[i]);
    if (cluster && cluster->kind == XDS_CLUSTER_EDS)
        edge(g, node_of(entry), number, XDS_TYPE_ENDPOINT, cluster->eds_name);
}

static void draw(struct graph *g, const struct xds_snapshot_entry *entry)
{
    const struct xds_show_tally *tally = &g->show->tally[entry->resource];

    switch (entry->type) {
    case XDS_TYPE_LISTENER:
        draw_listener(g, entry);
        break;
    case XDS_TYPE_ROUTE:
        begin(g, node_of(entry), "route configuration", entry->name);
        end(g, entry);
        config_edges(g, node_of(entry), entry->model);
        break;
    case XDS_TYPE_CLUSTER:
        draw_cluster(g, entry);
        break;
    case XDS_TYPE_ENDPOINT:
        xds_picture_node_begin(&g->picture, node_of(entry));
        xds_picture_text(&g->picture, "%zu endpoint%s", tally->endpoints,
                         xds_plural(tally->endpoints));
        if (tally->not_healthy > 0)
            xds_picture_text(&g->picture, "\n%zu not healthy", tally->not_healthy);
        end(g, entry);
        break;
    case XDS_TYPE_UNKNOWN:
        break;
    }
}

static void print(struct xds_show *show)
{
    struct graph g = {.show = show, .stamp = XDS_NEW_ARRAY(show->arena, size_t, show->n)};

    xds_strmap_init(&g.missing, show->arena);
    xds_picture_init(&g.picture, show->arena);
    xds_picture_text(&g.picture, "snapshot, as client %s", xds_show_client(show).text);
    xds_picture_title_end(&g.picture, 100);
    for (xds_show_begin(show); show->snapshot; xds_show_next(show))
        for (unsigned type = XDS_TYPE_LISTENER; type <= XDS_TYPE_ENDPOINT; type++)
            for (const struct xds_snapshot_entry *e = show->snapshot->first[type]; e;
                 e = e->next)
                draw(&g, e);
    xds_dot_picture(show->out, "snapshot", &g.picture);
}

enum xds_status xds_print_snapshot_dot(const struct xds_printer *to,
                                       struct xds_check *check,
                                       const struct xds_snapshot_view *view)
{
    return xds_show_run(to, check, view, print);
}
