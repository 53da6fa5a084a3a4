/*
 * tree_cluster.c - the policies of one leaf cluster.
 *
 * Source: gRFC A37, A55, A56, A75, spec routing 7.8, 8.1, 8.5 and 14.9, spec cluster 2.3,
 *         5.4.
 */
#include "lb/tree.h"

/* ---- priorities ---- */

/* The child of that name; made when it is new. */
static struct xds_tree_priority *child_of(struct xds_tree_cluster *self,
                                          struct xds_slice name)
{
    void **slot = xds_strmap_at(&self->children, name);

    if (!*slot) {
        struct xds_tree_priority *child =
            xds_tree_priority_new(self->shared->machine->arena, name);

        child->cluster = self;
        *slot = child;
    }
    return *slot;
}

bool xds_tree_cluster_index(const struct xds_tree_cluster *self, struct xds_slice name,
                            size_t *index)
{
    const struct xds_slice *entry = xds_strmap_get(&self->by_name, name);

    if (entry)
        *index = (size_t)(entry - self->names);
    return entry != NULL;
}

static struct xds_policy *create_priority(void *user, struct xds_policy *parent,
                                          struct xds_slice name)
{
    struct xds_tree_priority *child = child_of(user, name);

    xds_tree_priority_begin(child, parent);
    if (xds_tree_cluster_index(user, name, &child->index))
        xds_tree_priority_update(child);
    return &child->stand_in.policy;
}

static void update_priority(void *user, struct xds_policy *policy)
{
    struct xds_tree_priority *child = (struct xds_tree_priority *)(void *)policy;

    if (xds_tree_cluster_index(user, child->name, &child->index))
        xds_tree_priority_update(child);
}

static void update_priorities(struct xds_tree_cluster *self)
{
    const bool dns = self->leaf.cluster->kind == XDS_CLUSTER_LOGICAL_DNS;
    struct xds_priority_entry *entries = XDS_NEW_ARRAY(
        self->shared->machine->step_arena, struct xds_priority_entry, self->numbers.n);

    for (size_t i = 0; i < self->numbers.n; i++)
        entries[i] = (struct xds_priority_entry){self->names[i], !dns};
    const struct xds_priority_config config = {.children = entries,
                                               .n_children = self->numbers.n,
                                               .priorities = self->names,
                                               .n_priorities = self->numbers.n};

    (void)xds_priority_update(self->priority, &config); /* each child has its entry */
}

static struct xds_policy *make_priority_policy(void *user, struct xds_policy *parent,
                                               struct xds_slice name)
{
    struct xds_tree_cluster *self = user;
    const struct xds_child_maker maker = {self, create_priority, update_priority,
                                          xds_policy_destroy};

    self->priority =
        xds_priority_new(parent->machine, parent, name, XDS_PRIORITY_TIMING, maker);
    return self->priority;
}

/* ---- affinity over priorities ---- */

static struct xds_policy *create_child(void *user, struct xds_policy *parent,
                                       struct xds_slice name)
{
    struct xds_policy *priority = make_priority_policy(user, parent, name);

    update_priorities(user);
    return priority;
}

static void update_child(void *user, struct xds_policy *child)
{
    (void)child;
    update_priorities(user);
}

/* ---- the cluster ---- */

/* The priorities and their names, those of the update before where they continue. */
static void read_priorities(struct xds_tree_cluster *self,
                            const struct xds_endpoints *endpoints)
{
    const struct xds_machine *machine = self->shared->machine;
    struct xds_arena *arena = machine->arena;
    const struct xds_child_numbers former = self->all_numbers;

    self->all_numbers = xds_child_numbers_of(arena, machine->options, machine->client,
                                             &former, endpoints);
    const struct xds_child_numbers used = xds_child_numbers_used(
        arena, machine->options, machine->client, &self->all_numbers);

    const bool missing = !endpoints && self->leaf.cluster->kind == XDS_CLUSTER_EDS;

    /* Without any the policies keep what they have, see refresh(). */
    self->is_empty = (missing || used.n == 0) &&
                     XDS_DIFFERS(machine, XDS_DIFF_LOCALITY_UNUSABLE_DROPPED);
    if (self->is_empty)
        return;
    self->numbers = used;
    self->names = XDS_NEW_ARRAY(arena, struct xds_slice, self->numbers.n);
    xds_strmap_init(&self->by_name, arena);
    for (size_t i = 0; i < self->numbers.n; i++) {
        self->names[i] =
            xds_child_name(arena, machine->options, machine->client, self->leaf.cluster,
                           self->mechanism, self->numbers.number[i]);
        *xds_strmap_at(&self->by_name, self->names[i]) = &self->names[i];
    }
}

static void push(struct xds_tree_cluster *self)
{
    if (self->override)
        xds_tree_override_update(self, self->override, NULL);
    else if (self->priority)
        update_priorities(self);
}

static void build(struct xds_tree_cluster *self)
{
    struct xds_stand_in *stand_in = &self->stand_in;
    const struct xds_child_maker maker = {self, create_child, update_child,
                                          xds_policy_destroy};

    if (xds_tree_affinity(self->shared->machine) == XDS_AFFINITY_ABOVE_PRIORITY) {
        struct xds_override_host *host =
            xds_tree_override_new(self, stand_in, stand_in->path, &maker);

        xds_stand_in_for(stand_in, &host->policy);
        self->override = host;
    } else
        xds_stand_in_for(stand_in,
                         make_priority_policy(self, &stand_in->policy, stand_in->path));
    push(self);
}

static void forget_policies(struct xds_tree_cluster *self)
{
    xds_stand_in_for(&self->stand_in, NULL);
    self->override = NULL;
    self->priority = NULL;
}

static void refresh(struct xds_tree_cluster *self)
{
    struct xds_tree_view view;

    xds_tree_view_init(&view, self->shared);
    if (!self->leaf.cluster) {
        forget_policies(self);
        xds_stand_in_fail(&self->stand_in, self->leaf.missing.text);
        return;
    }
    const struct xds_ring_fault fault =
        xds_ring_fault_of(&view.lb, xds_leaf_policy(&view.lb, &self->leaf));

    if (fault.text.data) {
        forget_policies(self);
        xds_stand_in_fault(&self->stand_in, &fault);
        return;
    }
    if (self->is_empty) {
        /* Routing 10/9: the policies receive an error of the resolver, and each does
         * with it what it does. */
        const struct xds_slice status = xds_arena_printf(
            self->shared->machine->arena, "No usable endpoint from cluster: %.*s",
            XDS_FMT(self->name));

        xds_machine_say(
            self->shared->machine, self->stand_in.path,
            "has no usable endpoint: its policies get an error and keep their "
            "endpoints");
        if (self->stand_in.inner)
            xds_policy_resolver_error(self->stand_in.inner, status);
        else
            xds_stand_in_fail(&self->stand_in, status);
        return;
    }

    /* To core its xds_cluster_impl_experimental is READY as long as it drops every RPC.
     */
    const bool holds = self->drops_make_ready;

    if (holds != self->stand_in.held_ready)
        xds_machine_say(self->shared->machine, self->stand_in.path,
                        holds ? "drops every RPC and so counts as ready"
                              : "no longer drops every RPC");
    xds_stand_in_hold_ready(&self->stand_in, holds);
    if (XDS_DIFFERS(self->shared->machine, XDS_DIFF_CLUSTER_REPORTS_ONCE))
        xds_stand_in_pause(&self->stand_in);
    if (self->stand_in.inner)
        push(self);
    else
        build(self);
    xds_stand_in_continue(&self->stand_in);
}

bool xds_tree_cluster_update(struct xds_tree_cluster *self, const struct xds_leaf *leaf,
                             size_t mechanism)
{
    struct xds_tree_view view;
    const void *raw = NULL;

    xds_tree_view_init(&view, self->shared);
    if (leaf->cluster && leaf->cluster->kind == XDS_CLUSTER_EDS)
        raw = xds_accepted(self->shared->snapshot, view.rpc.client, XDS_TYPE_ENDPOINT,
                           leaf->cluster->eds_name, NULL);
    const bool same = self->known && leaf->cluster == self->leaf.cluster &&
                      raw == self->raw_endpoints && leaf->policy == self->leaf.policy;

    if (same)
        return false;
    self->known = true;
    self->leaf = *leaf;
    self->mechanism = mechanism;
    self->raw_endpoints = raw;
    self->endpoints =
        leaf->cluster ? xds_leaf_endpoints(&view.lb, leaf, &self->why) : NULL;
    self->localities = self->endpoints
                           ? xds_localities_in_order(view.rpc.arena, view.rpc.options,
                                                     view.rpc.client, self->endpoints)
                           : (struct xds_locality_list){.n = 0};
    self->drops_make_ready =
        self->endpoints && xds_drops_make_ready(&view.rpc, self->endpoints);
    if (leaf->cluster)
        read_priorities(self, raw);
    return true;
}

struct xds_policy *xds_tree_cluster_begin(struct xds_tree_cluster *self,
                                          struct xds_policy *parent,
                                          struct xds_slice path)
{
    xds_stand_in_init(&self->stand_in, parent, self->name);
    self->stand_in.path = path;
    self->begun = true;
    refresh(self);
    return &self->stand_in.policy;
}

void xds_tree_cluster_push(struct xds_tree_cluster *self)
{
    if (self->begun)
        refresh(self);
}

void xds_tree_cluster_end(struct xds_tree_cluster *self)
{
    forget_policies(self);
    self->begun = false;
}

struct xds_tree_cluster *xds_tree_cluster_new(struct xds_tree_shared *shared,
                                              struct xds_slice name)
{
    struct xds_arena *arena = shared->machine->arena;
    struct xds_tree_cluster *self = XDS_NEW(arena, struct xds_tree_cluster);

    self->shared = shared;
    self->name = xds_arena_dup(arena, name);
    xds_strmap_init(&self->children, arena);
    xds_strmap_init(&self->held, arena);
    self->maker = xds_tree_connections(self);
    return self;
}
