/* config_dot.c - a generated config as a graph of policies for Graphviz. */
#include "print/inner.h"

struct graph {
    struct xds_out *out;
    size_t n; /* nodes so far */
};

static struct xds_dot_node node_of(size_t number)
{
    return (struct xds_dot_node){"policy", number};
}

static void draw_list(struct graph *g, const struct xds_tree *list, size_t parent,
                      struct xds_slice name);

/* Texts and numbers are in the node. */
static void draw_node(struct graph *g, const struct xds_tree *policy, size_t node)
{
    xds_dot_node_begin(g->out, node_of(node));
    xds_dot_clean(g->out, policy->key);
    for (size_t i = 0; i < policy->n; i++) {
        const struct xds_tree *member = &policy->items[i];

        if (member->kind != XDS_TREE_STRING && member->kind != XDS_TREE_NUMBER)
            continue;
        xds_out_text(g->out, "\\n");
        xds_dot_clean(g->out, member->key);
        xds_out_text(g->out, ": ");
        if (member->kind == XDS_TREE_STRING)
            xds_dot_clean(g->out, member->text);
        else
            xds_out_double(g->out, member->number);
    }
    xds_dot_node_end(g->out, XDS_DOT_BOX, XDS_DOT_PLAIN);
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

            draw_node(g, &list->items[i].items[k], node);
            xds_dot_edge_begin(g->out, node_of(parent), node_of(node));
            xds_dot_clean(g->out, name);
            xds_dot_edge_end(g->out, XDS_DOT_PLAIN);
            draw_members(g, &list->items[i].items[k], node, XDS_S(""));
        }
    }
}

enum xds_status xds_print_config_dot(const struct xds_printer *to,
                                     const struct xds_config *config)
{
    struct xds_out out;
    struct graph graph = {&out, 1};

    xds_out_init(&out, to);
    xds_dot_begin(&out, "config");
    xds_dot_node_begin(&out, node_of(0));
    xds_dot_clean(&out, config->subject);
    xds_dot_node_end(&out, XDS_DOT_TEXT, XDS_DOT_PLAIN);
    draw_list(&graph, &config->policies, 0, XDS_S(""));
    draw_list(&graph, &config->lb.below, 0, XDS_S("priorities"));
    if (xds_tree_member(&config->document, "leaves"))
        for (size_t i = 0; i < config->lb.n_leaves; i++)
            draw_list(&graph, &config->lb.leaves[i].policy, 0,
                      config->lb.leaves[i].leaf.name);
    xds_dot_end(&out);
    return xds_out_finish(&out);
}
