/*
 * tree_root.c - what a key of the cluster manager stands for.
 *
 * Source: gRFC A31, A37, A74, A75, spec routing 12 and 14.7.
 */
#include "lb/cluster_map.h"
#include "lb/tree.h"

static struct xds_policy *create_leaf(void *user, struct xds_policy *parent,
                                      struct xds_slice name)
{
    struct xds_tree_root *self = user;

    return xds_tree_cluster_begin(xds_strmap_get(&self->clusters, name), parent,
                                  xds_arena_printf(parent->machine->arena, "%.*s/%.*s",
                                                   XDS_FMT(self->stand_in.path),
                                                   XDS_FMT(name)));
}

static void update_leaf(void *user, struct xds_policy *policy)
{
    (void)user;
    xds_tree_cluster_push((struct xds_tree_cluster *)(void *)policy);
}

static void destroy_leaf(void *user, struct xds_policy *policy)
{
    (void)user;
    xds_tree_cluster_end((struct xds_tree_cluster *)(void *)policy);
}

/* The child of a name, with the leaf that has a priority of that name now. */
static struct xds_tree_priority *find_priority(struct xds_tree_root *self,
                                               struct xds_slice name)
{
    size_t index;

    for (size_t i = 0; i < self->n_leaves; i++) {
        struct xds_tree_cluster *leaf = self->leaves[i];

        if (!leaf->leaf.cluster || !xds_tree_cluster_index(leaf, name, &index))
            continue;

        void **slot = xds_strmap_at(&self->flat, name);

        if (!*slot)
            *slot = xds_tree_priority_new(self->shared->machine->arena, name);

        struct xds_tree_priority *child = *slot;

        child->cluster = leaf;
        child->index = index;
        return child;
    }
    return NULL;
}

/* What reports once per update is below the priority policy here. */
static void update_flat_child(const struct xds_tree_root *self,
                              struct xds_tree_priority *child)
{
    if (XDS_DIFFERS(self->shared->machine, XDS_DIFF_CLUSTER_REPORTS_ONCE))
        xds_stand_in_pause(&child->stand_in);
    xds_tree_priority_update(child);
    xds_stand_in_continue(&child->stand_in);
}

static struct xds_policy *create_flat(void *user, struct xds_policy *parent,
                                      struct xds_slice name)
{
    struct xds_tree_priority *child = find_priority(user, name);

    xds_tree_priority_begin(child, parent);
    update_flat_child(user, child);
    return &child->stand_in.policy;
}

static void update_flat(void *user, struct xds_policy *policy)
{
    struct xds_tree_priority *child =
        find_priority(user, ((struct xds_tree_priority *)(void *)policy)->name);

    if (child)
        update_flat_child(user, child);
}

struct entries {
    struct xds_priority_entry *list;
    struct xds_slice *names;
    size_t n;
};

static void add_entry(struct entries *entries, struct xds_slice name, bool ignores)
{
    entries->list[entries->n] = (struct xds_priority_entry){name, ignores};
    entries->names[entries->n++] = name;
}

static void update_aggregate(struct xds_tree_root *self)
{
    struct xds_policy *policy = &self->stand_in.policy;
    const struct xds_child_maker nested = {self, create_leaf, update_leaf, destroy_leaf};
    const struct xds_child_maker flat = {self, create_flat, update_flat,
                                         xds_policy_destroy};

    /* The leaves of a flat list are no policies of their own. */
    for (size_t i = 0; self->is_flat && i < self->n_leaves; i++)
        self->leaves[i]->stand_in.path = self->stand_in.path;
    if (!self->priority) {
        self->priority =
            xds_priority_new(policy->machine, policy, self->stand_in.path,
                             XDS_PRIORITY_TIMING, self->is_flat ? flat : nested);
        xds_stand_in_for(&self->stand_in, self->priority);
    }

    struct xds_arena *arena = self->shared->machine->step_arena;
    struct entries entries = {.n = 0};
    size_t most = self->n_leaves;

    for (size_t i = 0; i < self->n_leaves; i++)
        most += self->leaves[i]->numbers.n;
    entries.list = XDS_NEW_ARRAY(arena, struct xds_priority_entry, most);
    entries.names = XDS_NEW_ARRAY(arena, struct xds_slice, most);
    for (size_t i = 0; i < self->n_leaves; i++) {
        const struct xds_tree_cluster *leaf = self->leaves[i];
        const struct xds_cluster *cluster = leaf->leaf.cluster;

        if (!self->is_flat)
            add_entry(&entries, leaf->name, false);
        for (size_t k = 0; self->is_flat && cluster && k < leaf->numbers.n; k++)
            add_entry(&entries, leaf->names[k], cluster->kind != XDS_CLUSTER_LOGICAL_DNS);
    }
    const struct xds_priority_config config = {entries.list, entries.n, entries.names,
                                               entries.n,    NULL,      0};

    (void)xds_priority_update(self->priority, &config); /* each child has its entry */
}

/* True when a leaf has changed, or the list of them. */
static bool read_leaves(struct xds_tree_root *self, const struct xds_leaves *leaves)
{
    struct xds_tree_cluster **list =
        XDS_NEW_ARRAY(self->shared->machine->arena, struct xds_tree_cluster *, leaves->n);
    bool changed = leaves->n != self->n_leaves;

    for (size_t i = 0; i < leaves->n; i++) {
        const struct xds_slice name = leaves->list[i].name;
        void **slot = xds_strmap_at(&self->clusters, name);

        if (!*slot)
            *slot = xds_tree_cluster_new(self->shared, name);
        list[i] = *slot;
        changed = xds_tree_cluster_update(list[i], &leaves->list[i], i) || changed;
        changed = changed || list[i] != self->leaves[i];
    }
    self->leaves = list;
    self->n_leaves = leaves->n;
    return changed;
}

static void forget(struct xds_tree_root *self)
{
    if (!self->priority && self->stand_in.inner) {
        self->stand_in.inner = NULL;
        xds_tree_cluster_end(self->leaves[0]);
    }
    xds_stand_in_for(&self->stand_in, NULL);
    self->priority = NULL;
}

static void update_single(struct xds_tree_root *self)
{
    struct xds_tree_cluster *leaf = self->leaves[0];

    if (self->stand_in.inner == &leaf->stand_in.policy) {
        xds_tree_cluster_push(leaf);
        return;
    }
    forget(self);
    self->stand_in.inner = &leaf->stand_in.policy; /* it may report at once */
    xds_tree_cluster_begin(leaf, &self->stand_in.policy, self->stand_in.path);
}

static void fail(struct xds_tree_root *self, struct xds_slice error)
{
    forget(self);
    self->n_leaves = 0;
    xds_stand_in_fail(&self->stand_in, error);
}

void xds_tree_root_update(struct xds_tree_root *self)
{
    struct xds_tree_view view;

    if (!self->cluster.data)
        return;
    xds_tree_view_init(&view, self->shared);
    const struct xds_leaves leaves = xds_aggregate_leaves(&view.lb, self->cluster);

    if (leaves.error.text.data || !leaves.root) {
        fail(self, leaves.error.text.data
                       ? leaves.error.text
                       : XDS_S("the client does not have the cluster"));
        return;
    }
    const bool was_aggregate = self->is_aggregate;

    self->is_aggregate = leaves.root->kind == XDS_CLUSTER_AGGREGATE;
    if (was_aggregate != self->is_aggregate)
        forget(self);
    if (!read_leaves(self, &leaves) && self->stand_in.inner &&
        !XDS_DIFFERS(self->shared->machine, XDS_DIFF_UPDATES_REACH_ALL))
        return;
    if (self->is_aggregate)
        update_aggregate(self);
    else
        update_single(self);
}

struct xds_tree_root *xds_tree_root_new(struct xds_tree_shared *shared,
                                        struct xds_slice key)
{
    struct xds_arena *arena = shared->machine->arena;
    struct xds_tree_root *self = XDS_NEW(arena, struct xds_tree_root);

    self->shared = shared;
    self->stand_in.policy.name = xds_arena_dup(arena, key);
    self->is_flat =
        xds_flattens_aggregates(shared->machine->options, shared->machine->client);
    self->cluster = xds_cluster_of_key(shared->machine, self->stand_in.policy.name);
    xds_strmap_init(&self->clusters, arena);
    xds_strmap_init(&self->flat, arena);
    return self;
}

void xds_tree_root_begin(struct xds_tree_root *self, struct xds_policy *parent)
{
    xds_stand_in_init(&self->stand_in, parent, self->stand_in.policy.name);
    self->is_lost = false;
    if (self->cluster.data)
        xds_tree_root_update(self);
    else
        xds_stand_in_fail(&self->stand_in,
                          XDS_S("cluster specifier plugins are not simulated"));
}

void xds_tree_root_state(struct xds_tree_root *self, struct xds_slice address,
                         enum xds_connectivity state)
{
    for (size_t i = 0; i < self->n_leaves; i++) {
        struct xds_override_host *host =
            xds_tree_cluster_override(self->leaves[i], address);

        if (host)
            xds_override_host_state(host, address, state);
    }
}

void xds_tree_root_lose(struct xds_tree_root *self)
{
    self->is_lost = true;
    fail(self, XDS_S("Unable to find non-dynamic cluster"));
}

void xds_tree_root_end(struct xds_tree_root *self)
{
    forget(self);
    self->n_leaves = 0;
}
