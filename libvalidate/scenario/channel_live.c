/* channel_live.c - what the running policies have chosen, as explain asks for it. */
#include "scenario/channel.h"

struct list {
    struct xds_live_priority *list;
    size_t n, cap;
};

static const char *reason_of(const struct xds_priority_child *child)
{
    switch (child->report.state) {
    case XDS_STATE_READY:
        return "it has connections";
    case XDS_STATE_IDLE:
        return "it connects when an RPC comes";
    case XDS_STATE_CONNECTING:
        return child->failover_pending ? "it is connecting and still has time"
                                       : "it is connecting, but its time is over";
    case XDS_STATE_TRANSIENT_FAILURE:
        break;
    }
    return "it cannot connect";
}

static bool find_child(const struct xds_policy *policy, struct xds_slice name,
                       struct xds_priority_child *out)
{
    for (size_t i = 0; policy && i < xds_priority_size(policy); i++)
        if (xds_priority_at(policy, i, out) && xds_slice_eq(out->name, name))
            return true;
    return false;
}

/* The priorities of a leaf that exist in a priority policy. */
static void add_leaf(struct list *out, const struct xds_tree_cluster *leaf,
                     const struct xds_policy *policy, bool in_use)
{
    struct xds_priority_child child;

    for (size_t i = 0; leaf->leaf.cluster && i < leaf->numbers.n; i++) {
        const struct xds_config_priority *priority = &leaf->numbers.priorities[i];

        if (!find_child(policy, leaf->names[i], &child))
            continue;
        out->list[out->n++] = (struct xds_live_priority){
            .leaf = leaf->name,
            .priority = priority->n ? priority->localities[0]->priority : 0,
            .state = child.report.state,
            .chosen = in_use && child.in_use,
            .reason = xds_slice_of(reason_of(&child)),
        };
    }
}

/* A leaf that the client does not have is a priority that fails. */
static void add_missing(struct list *out, const struct xds_tree_cluster *leaf,
                        bool in_use)
{
    out->list[out->n++] = (struct xds_live_priority){.leaf = leaf->name,
                                                     .state = XDS_STATE_TRANSIENT_FAILURE,
                                                     .chosen = in_use,
                                                     .reason = leaf->leaf.missing};
}

static bool leaf_is_used(const struct xds_tree_root *root,
                         const struct xds_tree_cluster *leaf)
{
    struct xds_priority_child child;

    return !root->is_aggregate ||
           (find_child(root->priority, leaf->name, &child) && child.in_use);
}

static bool choice(void *user, struct xds_slice cluster, struct xds_live_choice *out)
{
    const struct xds_channel *self = user;
    const struct xds_tree_root *root = xds_channel_root_of(self, cluster);
    struct list list = {.n = 0};

    if (!root)
        return false;
    for (size_t i = 0; i < root->n_leaves; i++)
        list.cap += root->leaves[i]->numbers.n + 1;
    list.list = XDS_NEW_ARRAY(self->shared.machine->step_arena, struct xds_live_priority,
                              list.cap);
    for (size_t i = 0; i < root->n_leaves; i++) {
        const struct xds_tree_cluster *leaf = root->leaves[i];

        if (root->is_aggregate && root->is_flat)
            add_leaf(&list, leaf, root->priority, true);
        else if (leaf->leaf.cluster)
            add_leaf(&list, leaf, leaf->begun ? leaf->priority : NULL,
                     leaf_is_used(root, leaf));
        else
            add_missing(&list, leaf, leaf_is_used(root, leaf));
    }
    *out = (struct xds_live_choice){list.list, list.n};
    return true;
}

static bool find_in(struct xds_tree_cluster *leaf, struct xds_slice address,
                    enum xds_connectivity *state)
{
    const struct xds_override_host *host = xds_tree_cluster_override(leaf, address);
    const struct xds_override_entry *entry =
        host ? xds_override_host_find(host, address) : NULL;

    if (!entry || entry->owner == XDS_SUBCHANNEL_NONE)
        return false;
    *state = entry->state;
    return true;
}

static bool subchannel(void *user, struct xds_slice leaf, struct xds_slice address,
                       enum xds_connectivity *state)
{
    const struct xds_channel *self = user;
    const struct xds_named_child_list *seen = &self->manager.children.seen;

    for (size_t i = 0; i < seen->n; i++) {
        const struct xds_tree_root *root =
            seen->list[i]->exists ? xds_strmap_get(&self->roots, seen->list[i]->name)
                                  : NULL;

        for (size_t k = 0; root && k < root->n_leaves; k++)
            if (xds_slice_eq(root->leaves[k]->name, leaf) &&
                find_in(root->leaves[k], address, state))
                return true;
    }
    return false;
}

void xds_channel_live_init(struct xds_channel *self)
{
    self->live =
        (struct xds_live){.user = self, .choice = choice, .subchannel = subchannel};
}
