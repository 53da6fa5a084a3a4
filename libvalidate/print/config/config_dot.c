/* config_dot.c - a generated config as a graph of policies for Graphviz. */
#include "print/config/config.h"
#include "print/picture/picture.h"

struct graph {
    const struct xds_config *config;
    size_t n;    /* nodes so far */
    size_t part; /* of a graph of several; 0: it is the only one */
    struct xds_arena arena;
    struct xds_picture picture;
    struct xds_out out;
};

static struct xds_dot_node node_of(size_t number)
{
    return (struct xds_dot_node){"policy", number};
}

static void draw_list(struct graph *g, const struct xds_tree *list, size_t parent,
                      struct xds_slice name);

/* Texts and numbers are in the node. */
static void draw_node(struct xds_picture *picture, const struct xds_tree *policy,
                      size_t node)
{
    xds_picture_node_begin(picture, node_of(node));
    xds_picture_text(picture, "%.*s", XDS_FMT(policy->key));
    for (size_t i = 0; i < policy->n; i++) {
        const struct xds_tree *member = &policy->items[i];

        if (member->kind != XDS_TREE_STRING && member->kind != XDS_TREE_NUMBER)
            continue;
        xds_picture_text(picture, "\n%.*s: ", XDS_FMT(member->key));
        if (member->kind == XDS_TREE_STRING)
            xds_picture_text(picture, "%.*s", XDS_FMT(member->text));
        else
            xds_out_double(&picture->label, member->number);
    }
    xds_picture_node_end(picture, XDS_DOT_BOX, XDS_DOT_PLAIN);
}

static void draw_members(struct graph *g, const struct xds_tree *object, size_t node,
                         struct xds_slice name)
{
    for (size_t i = 0; i < object->n; i++) {
        const struct xds_tree *member = &object->items[i];

        if (xds_is_policy_list(member))
            draw_list(g, member, node, name);
        else if (xds_is_named_map(member))
            for (size_t k = 0; k < member->n; k++)
                draw_members(g, &member->items[k], node, member->items[k].key);
    }
}

static void draw_list(struct graph *g, const struct xds_tree *list, size_t parent,
                      struct xds_slice name)
{
    for (size_t i = 0; i < list->n; i++) {
        for (size_t k = 0; k < list->items[i].n; k++) {
            const size_t node = g->n++;

            draw_node(&g->picture, &list->items[i].items[k], node);
            xds_picture_edge_text(&g->picture, node_of(parent), node_of(node),
                                  XDS_DOT_PLAIN, "%.*s", XDS_FMT(name));
            draw_members(g, &list->items[i].items[k], node, XDS_S(""));
        }
    }
}

static void draw(void *arg)
{
    struct graph *g = arg;
    const struct xds_config *config = g->config;

    xds_picture_init(&g->picture, &g->arena);
    xds_picture_node(&g->picture, node_of(0), XDS_DOT_TEXT, XDS_DOT_PLAIN, "%.*s",
                     XDS_FMT(config->subject));
    draw_list(g, &config->policies, 0, XDS_S(""));
    draw_list(g, &config->lb.below, 0, XDS_S("priorities"));
    if (xds_tree_member(&config->document, "leaves"))
        for (size_t i = 0; i < config->lb.n_leaves; i++)
            draw_list(g, &config->lb.leaves[i].policy, 0, config->lb.leaves[i].leaf.name);
    if (g->part > 0)
        xds_dot_part(&g->out, &g->picture, g->part);
    else
        xds_dot_picture(&g->out, "config", &g->picture);
}

enum xds_status xds_print_config_dot(const struct xds_printer *to,
                                     const struct xds_config *config)
{
    struct graph graph = {.config = config, .n = 1};

    return xds_out_run(&graph.out, &graph.arena, to, draw, &graph);
}

enum xds_status xds_print_config_dot_part(const struct xds_printer *to,
                                          const struct xds_config *config, size_t part)
{
    struct graph graph = {.config = config, .n = 1, .part = part};

    return xds_out_run(&graph.out, &graph.arena, to, draw, &graph);
}

enum xds_status xds_print_config_dot_begin(const struct xds_printer *to)
{
    struct xds_out out;

    xds_out_init(&out, to);
    xds_dot_begin(&out, "config");
    return xds_out_finish(&out);
}

enum xds_status xds_print_config_dot_end(const struct xds_printer *to)
{
    struct xds_out out;

    xds_out_init(&out, to);
    xds_dot_end(&out);
    return xds_out_finish(&out);
}
