/*
 * priority_config.c - a new config of priority_experimental, and its addresses.
 *
 * Fails:  an invalid config changes nothing and is answered with a sentence.
 * Source: gRFC A56, A115; spec routing 7.3, 7.7, PR-a.
 */
#include "lb/priority_parts.h"

/* ---- checking ---- */

static bool has_name(const struct xds_strmap *names, struct xds_slice name)
{
    return xds_strmap_get(names, name) != NULL;
}

static struct xds_slice find_stranger(struct xds_machine *machine,
                                      const struct xds_priority_config *config)
{
    struct xds_strmap names;

    xds_strmap_init(&names, machine->step_arena);
    for (size_t i = 0; i < config->n_children; i++)
        *xds_strmap_at(&names, config->children[i].name) = &names;
    for (size_t i = 0; i < config->n_priorities; i++)
        if (!has_name(&names, config->priorities[i]))
            return xds_arena_printf(machine->step_arena,
                                    "priority \"%.*s\" has no entry in children",
                                    XDS_FMT(config->priorities[i]));
    return (struct xds_slice){0};
}

static struct xds_slice find_idle_entry(struct xds_machine *machine,
                                        const struct xds_priority_config *config)
{
    struct xds_strmap names;

    xds_strmap_init(&names, machine->step_arena);
    for (size_t i = 0; i < config->n_priorities; i++)
        *xds_strmap_at(&names, config->priorities[i]) = &names;
    for (size_t i = 0; i < config->n_children; i++)
        if (!has_name(&names, config->children[i].name))
            return xds_arena_printf(machine->step_arena,
                                    "child \"%.*s\" is in no priority",
                                    XDS_FMT(config->children[i].name));
    return (struct xds_slice){0};
}

static struct xds_slice find_duplicate(struct xds_machine *machine,
                                       const struct xds_priority_config *config)
{
    struct xds_strmap names;

    xds_strmap_init(&names, machine->step_arena);
    for (size_t i = 0; i < config->n_priorities; i++) {
        void **slot = xds_strmap_at(&names, config->priorities[i]);

        if (*slot)
            return xds_arena_printf(machine->step_arena,
                                    "priority \"%.*s\" is listed twice",
                                    XDS_FMT(config->priorities[i]));
        *slot = &names;
    }
    return (struct xds_slice){0};
}

static struct xds_slice check(const struct xds_priority *p,
                              const struct xds_priority_config *config)
{
    struct xds_machine *machine = p->policy.machine;
    const unsigned refuses = p->ways->refuses;
    struct xds_slice error = find_stranger(machine, config);

    if (!error.data && refuses & XDS_REFUSES_NO_PRIORITY && config->n_priorities == 0)
        error = XDS_S("the list of priorities is empty");
    if (!error.data && refuses & XDS_REFUSES_DUPLICATES)
        error = find_duplicate(machine, config);
    if (!error.data && refuses & XDS_REFUSES_IDLE_ENTRIES)
        error = find_idle_entry(machine, config);
    return error;
}

/* ---- taking it over ---- */

static void forget_config(struct xds_priority *p)
{
    for (size_t i = 0; i < p->n_places; i++)
        p->places[i]->in_config = p->places[i]->in_priorities = false;
    p->n_priorities = 0;
    p->listed_twice = NULL;
}

static void take_children(struct xds_priority *p,
                          const struct xds_priority_config *config)
{
    for (size_t i = 0; i < config->n_children; i++) {
        struct xds_priority_place *child =
            xds_priority_place(p, config->children[i].name);

        child->in_config = true;
        child->ignores_in_config = config->children[i].ignores_reresolution;
        child->addresses.n = 0;
    }
}

/* Of a name that appears twice the first place counts. */
static void take_priorities(struct xds_priority *p,
                            const struct xds_priority_config *config)
{
    if (p->cap_priorities < config->n_priorities) {
        p->cap_priorities = 2 * config->n_priorities;
        p->priorities = XDS_NEW_ARRAY(p->policy.machine->arena,
                                      struct xds_priority_place *, p->cap_priorities);
    }
    for (size_t i = 0; i < config->n_priorities; i++) {
        struct xds_priority_place *child = xds_priority_place(p, config->priorities[i]);

        if (!child->in_priorities)
            p->priorities[p->n_priorities++] = child;
        else
            p->listed_twice = child;
        child->in_priorities = true;
    }
}

static void add_address(struct xds_priority_place *child, struct xds_path_address address)
{
    struct xds_priority_addresses *to = &child->addresses;

    to->list = xds_arena_room(child->owner->policy.machine->arena, to->list, to->n,
                              &to->cap, sizeof *to->list);
    to->list[to->n++] = address;
}

/* The first name of a path is that of the child, which gets the rest of it. What belongs
 * to no child of the config is dropped. */
static void share_out(struct xds_priority *p, const struct xds_priority_config *config)
{
    for (size_t i = 0; i < config->n_addresses; i++) {
        const struct xds_path_address *a = &config->addresses[i];
        struct xds_priority_place *child =
            a->n_path ? xds_strmap_get(&p->by_name, a->path[0]) : NULL;

        if (child && child->in_config)
            add_address(
                child, (struct xds_path_address){a->address, a->path + 1, a->n_path - 1});
    }
}

/* ---- telling the children ---- */

/* PR-a */
static bool destroys_removed(const struct xds_priority *p)
{
    const struct xds_machine *machine = p->policy.machine;

    return p->timing.retention_ms == 0 ||
           !xds_env_on(machine->options, XDS_ENV_PRIORITY_CHILD_POLICY_CACHE,
                       machine->client);
}

/* Where reports queue a deactivated child is in a cache that no config reaches. */
static void remove_child(struct xds_priority_place *child)
{
    struct xds_priority *p = child->owner;
    const bool cached = p->ways->queues && xds_priority_is_parked(child);

    if (cached || !destroys_removed(p)) {
        child->was_dropped = p->ways->queues;
        xds_priority_deactivate(child, XDS_S("it is no longer in the config"));
        return;
    }
    xds_machine_say(p->policy.machine, p->policy.name,
                    "%.*s is destroyed because it is no longer in the config",
                    XDS_FMT(child->name));
    xds_priority_destroy(child);
}

static void tell_children(struct xds_priority *p)
{
    for (size_t i = 0; i < p->n_places; i++) {
        struct xds_priority_place *child = p->places[i];

        if (!child->policy)
            continue;
        if (!child->in_config)
            remove_child(child);
        else if (!p->ways->queues || !xds_priority_is_parked(child))
            xds_priority_tell(child);
    }
}

struct xds_slice xds_priority_update(struct xds_policy *self,
                                     const struct xds_priority_config *config)
{
    struct xds_priority *p = xds_priority_of(self);
    const struct xds_slice error = check(p, config);

    if (error.data) {
        xds_machine_say(self->machine, self->name,
                        "the new config is rejected, the old one is kept: %.*s",
                        XDS_FMT(error));
        return error;
    }
    p->busy = true;
    p->has_config = true;
    forget_config(p);
    take_children(p, config);
    take_priorities(p, config);
    share_out(p, config);
    tell_children(p);
    if (p->ways->queues) {
        xds_priority_queue_updated(p);
        return error;
    }
    p->busy = false;
    xds_priority_choose(p);
    return error;
}
