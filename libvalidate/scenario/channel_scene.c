/* channel_scene.c - the policies of a client that exist, with their states. */
#include "scenario/channel.h"

struct builder {
    struct xds_arena *arena;
    struct xds_scene scene;
    size_t cap;
};

static const struct xds_scene_node *
add(struct builder *b, const struct xds_scene_node *parent, struct xds_scene_node node)
{
    b->scene.list = xds_arena_room(b->arena, b->scene.list, b->scene.n, &b->cap,
                                   sizeof *b->scene.list);
    node.path = parent ? xds_arena_printf(b->arena, "%.*s/%.*s", XDS_FMT(parent->path),
                                          XDS_FMT(node.label))
                       : node.label;
    node.depth = parent ? parent->depth + 1 : 0;
    node.serves = node.serves && (!parent || parent->serves);
    b->scene.list[b->scene.n] = node;
    return &b->scene.list[b->scene.n++];
}

static struct xds_scene_node node_of(const struct xds_priority_child *child)
{
    return (struct xds_scene_node){.label = child->name,
                                   .state = child->report.state,
                                   .serves = child->in_use,
                                   .parked = child->deactivated};
}

static void add_priorities(struct builder *b, const struct xds_scene_node *parent,
                           const struct xds_policy *policy)
{
    const struct xds_scene_node above = *parent; /* the list may move */
    struct xds_priority_child child;

    for (size_t i = 0; policy && i < xds_priority_size(policy); i++)
        if (xds_priority_at(policy, i, &child))
            add(b, &above, node_of(&child));
}

static void add_leaves(struct builder *b, const struct xds_scene_node *parent,
                       const struct xds_tree_root *root)
{
    const struct xds_scene_node above = *parent;
    struct xds_priority_child child;

    for (size_t i = 0; root->priority && i < xds_priority_size(root->priority); i++) {
        if (!xds_priority_at(root->priority, i, &child))
            continue;
        const struct xds_tree_cluster *leaf = xds_strmap_get(&root->clusters, child.name);

        add_priorities(b, add(b, &above, node_of(&child)),
                       leaf && leaf->begun ? leaf->priority : NULL);
    }
}

static void add_root(struct builder *b, const struct xds_scene_node *parent,
                     const struct xds_named_child *child,
                     const struct xds_tree_root *root)
{
    const struct xds_scene_node *node =
        add(b, parent,
            (struct xds_scene_node){.label = child->name,
                                    .state = root->stand_in.policy.report.state,
                                    .serves = child->in_config,
                                    .parked = !child->in_config});

    if (root->is_aggregate && !root->is_flat)
        add_leaves(b, node, root);
    else if (root->is_aggregate)
        add_priorities(b, node, root->priority);
    else if (root->n_leaves > 0 && root->leaves[0]->begun)
        add_priorities(b, node, root->leaves[0]->priority);
}

struct xds_scene xds_channel_scene(void *subject, struct xds_arena *arena)
{
    const struct xds_channel *self = subject;
    const struct xds_named_child_list *seen = &self->manager.children.seen;
    struct builder b = {.arena = arena};
    const struct xds_scene_node top =
        *add(&b, NULL,
             (struct xds_scene_node){.label = self->manager.policy.name,
                                     .state = self->manager.policy.report.state,
                                     .serves = true});

    for (size_t i = 0; i < seen->n; i++)
        if (seen->list[i]->exists)
            add_root(&b, &top, seen->list[i],
                     xds_strmap_get(&self->roots, seen->list[i]->name));
    return b.scene;
}
