/*
 * override_host_machine.c - xds_override_host_experimental over time: which addresses it
 * knows, and whose each connection is.
 *
 * States: per address no subchannel, one of the child's, one of ours. CHILD -> OURS when
 *         the child lets go of one still wanted, OURS -> CHILD when the child creates it,
 *         NONE -> OURS by a pick (A75), OURS -> NONE by the sweep (A75) or once the
 *         endpoint drains no more (A55).
 * Timers: the sweep of A75, set again by every update and every sweep.
 * Source: gRFC A55, A61, A75, spec routing 8.3 and 8.5.
 */
#include "lb/override_host_parts.h"

#include "base/number.h"

/* Where the two generations part. */
static const struct traits {
    bool sweeps;         /* idle connections; spec OH-b */
    bool keeps_draining; /* all of them, however long unused; spec OH-b */
    bool forgets_late;   /* an address goes with its subchannel; spec OH-a */
} traits_of[] = {
    [XDS_OVERRIDE_A55] = {.keeps_draining = true, .forgets_late = true},
    [XDS_OVERRIDE_A75] = {.sweeps = true},
};

static const struct traits *traits(const struct xds_override_host *self)
{
    return &traits_of[self->generation];
}

/* ---- the map ---- */

static void append(struct xds_arena *arena, struct xds_override_entry ***list, size_t *n,
                   size_t *cap, struct xds_override_entry *entry)
{
    *list = xds_arena_room(arena, *list, *n, cap, sizeof **list);
    (*list)[(*n)++] = entry;
}

struct xds_override_entry *xds_override_host_find(const struct xds_override_host *self,
                                                  struct xds_slice address)
{
    struct xds_override_entry *entry = xds_strmap_get(&self->entries, address);

    return entry && entry->in_map ? entry : NULL;
}

static struct xds_override_entry *remember(struct xds_override_host *self,
                                           struct xds_slice address)
{
    struct xds_arena *arena = self->policy.machine->arena;
    void **slot = xds_strmap_at(&self->entries, address);

    if (!*slot) {
        struct xds_override_entry *entry = XDS_NEW(arena, struct xds_override_entry);

        entry->address = xds_arena_dup(arena, address);
        *slot = entry;
        append(arena, &self->all, &self->n_all, &self->cap_all, entry);
    }
    return *slot;
}

static void enter(struct xds_override_entry *entry)
{
    entry->in_map = true;
    entry->owner = XDS_SUBCHANNEL_NONE;
    entry->state = XDS_STATE_IDLE;
    entry->last_used_ms = XDS_NEVER_USED;
}

void xds_override_host_drop(struct xds_override_host *self,
                            struct xds_override_entry *entry)
{
    entry->owner = XDS_SUBCHANNEL_NONE;
    self->hooks.drop(self->hooks.user, entry->address);
}

static void erase(struct xds_override_host *self, struct xds_override_entry *entry)
{
    entry->in_map = false;
    XDS_OVERRIDE_SAY(self, "forgets %.*s: no session may go there any longer",
                     XDS_FMT(entry->address));
    if (entry->owner == XDS_SUBCHANNEL_OURS)
        xds_override_host_drop(self, entry);
    entry->owner = XDS_SUBCHANNEL_NONE;
}

/* ---- an update ---- */

bool xds_override_host_passes(const struct xds_endpoint *endpoint)
{
    return endpoint->health == XDS_HEALTH_UNKNOWN ||
           endpoint->health == XDS_HEALTH_HEALTHY;
}

static bool enters_map(const struct xds_override_host *self,
                       const struct xds_endpoint *endpoint)
{
    return xds_override_host_passes(endpoint) ||
           (endpoint->health == XDS_HEALTH_DRAINING &&
            xds_override_admits(self->status, XDS_HEALTH_DRAINING));
}

static void list_address(struct xds_override_host *self,
                         const struct xds_endpoint *endpoint, size_t first,
                         struct xds_slice address)
{
    struct xds_override_entry *entry = remember(self, address);

    append(self->policy.machine->arena, &self->listed, &self->n_listed, &self->cap_listed,
           entry);
    entry->passed |= xds_override_host_passes(endpoint);
    if (entry->listed) /* twice in the update: the first counts */
        return;
    if (!entry->in_map)
        enter(entry);
    entry->listed = true;
    entry->health = endpoint->health;
    entry->first = first;
    entry->n = endpoint->n_addresses;
}

static void list_endpoints(struct xds_override_host *self,
                           const struct xds_override_update *update)
{
    self->n_listed = 0;
    for (size_t i = 0; i < update->n_endpoints; i++) {
        const struct xds_endpoint *endpoint = update->endpoints[i];
        const size_t first = self->n_listed;

        for (size_t k = 0; enters_map(self, endpoint) && k < endpoint->n_addresses; k++)
            list_address(self, endpoint, first, endpoint->addresses[k]);
    }
}

static void unlist_all(struct xds_override_host *self)
{
    for (size_t i = 0; i < self->n_all; i++) {
        self->all[i]->listed = self->all[i]->passed = false;
        self->all[i]->n = 0;
    }
}

/* spec OH-a: in A55 an address that is in use stays as long as its subchannel. */
static void forget_vanished(struct xds_override_host *self)
{
    for (size_t i = 0; i < self->n_all; i++) {
        struct xds_override_entry *entry = self->all[i];
        const bool stays =
            traits(self)->forgets_late && entry->owner == XDS_SUBCHANNEL_CHILD;

        if (entry->in_map && !entry->listed && !stays)
            erase(self, entry);
    }
}

static bool drains_for_sessions(const struct xds_override_host *self,
                                const struct xds_override_entry *entry)
{
    return entry->listed && entry->health == XDS_HEALTH_DRAINING &&
           xds_override_admits(self->status, XDS_HEALTH_DRAINING);
}

/* spec OH-b: what A55 keeps it keeps while the endpoint drains. */
static void close_undrained(struct xds_override_host *self)
{
    for (size_t i = 0; i < self->n_all; i++) {
        struct xds_override_entry *entry = self->all[i];

        if (entry->owner != XDS_SUBCHANNEL_OURS || drains_for_sessions(self, entry))
            continue;
        XDS_OVERRIDE_SAY(self,
                         "closes the connection to %.*s, which is no longer DRAINING",
                         XDS_FMT(entry->address));
        xds_override_host_drop(self, entry);
    }
}

static void update_child(struct xds_override_host *self)
{
    if (self->child)
        self->maker.update(self->maker.user, self->child);
    else
        self->child =
            self->maker.create(self->maker.user, &self->policy, self->child_name);
}

void xds_override_host_update(struct xds_override_host *self,
                              const struct xds_override_update *update)
{
    const int64_t idle = update->idle_timeout_ms;

    self->status = update->status;
    self->idle_timeout_ms = idle < 0                     ? 0
                            : idle > XDS_DURATION_MAX_MS ? XDS_DURATION_MAX_MS
                                                         : idle;
    unlist_all(self);
    list_endpoints(self, update);
    forget_vanished(self);
    if (traits(self)->sweeps)
        xds_override_host_set_sweep(self);
    update_child(self);
    if (traits(self)->keeps_draining)
        close_undrained(self);
}

/* ---- whose subchannel it is ---- */

bool xds_override_host_child_creates(struct xds_override_host *self,
                                     struct xds_slice address)
{
    struct xds_override_entry *entry = xds_override_host_find(self, address);

    if (!entry) {
        XDS_OVERRIDE_SAY(self, "ignores the child's connection to %.*s: not in the map",
                         XDS_FMT(address));
        return false;
    }
    if (entry->owner == XDS_SUBCHANNEL_OURS)
        XDS_OVERRIDE_SAY(self, "hands the connection to %.*s over to its child",
                         XDS_FMT(address));
    if (entry->owner == XDS_SUBCHANNEL_NONE)
        entry->state = XDS_STATE_IDLE;
    entry->owner = XDS_SUBCHANNEL_CHILD;
    return true;
}

static bool still_wanted(const struct xds_override_host *self,
                         const struct xds_override_entry *entry)
{
    if (traits(self)->keeps_draining)
        return drains_for_sessions(self, entry);
    return entry->last_used_ms >= xds_override_host_idle_since(self);
}

bool xds_override_host_child_releases(struct xds_override_host *self,
                                      struct xds_slice address)
{
    struct xds_override_entry *entry = xds_override_host_find(self, address);

    if (!entry || entry->owner != XDS_SUBCHANNEL_CHILD)
        return false;
    if (still_wanted(self, entry)) {
        entry->owner = XDS_SUBCHANNEL_OURS;
        xds_override_host_wake_sweep(self);
        XDS_OVERRIDE_SAY(self, "keeps the connection to %.*s, which its child releases",
                         XDS_FMT(address));
        return true;
    }
    entry->owner = XDS_SUBCHANNEL_NONE;
    if (!entry->listed)
        erase(self, entry);
    return false;
}

/* The child publishes a picker of its own; what has changed here alone is published by
 * repeating what it said last. */
void xds_override_host_publish_again(struct xds_override_host *self)
{
    if (self->policy.n_reports)
        xds_policy_report(&self->policy, self->policy.report);
}

bool xds_override_host_state(struct xds_override_host *self, struct xds_slice address,
                             enum xds_connectivity state)
{
    struct xds_override_entry *entry = xds_override_host_find(self, address);

    if (!entry || entry->owner == XDS_SUBCHANNEL_NONE)
        return false;
    const bool news = entry->state != state && entry->owner == XDS_SUBCHANNEL_OURS;

    entry->state = state;
    if (!news)
        return true;
    XDS_OVERRIDE_SAY(self,
                     "its own connection to %.*s is %s: RPCs that wait are picked again",
                     XDS_FMT(address), xds_connectivity_name(state));
    xds_override_host_publish_again(self);
    return true;
}

/* ---- as a policy ---- */

/* Sessions may go to connected hosts while the child has nothing for its RPCs, so there
 * always is a picker. */
static void child_report(struct xds_policy *policy, struct xds_policy *child)
{
    struct xds_lb_report report = child->report;

    report.only_sessions = report.only_sessions || !report.has_picker;
    report.has_picker = true;
    xds_policy_report(policy, report);
}

static void exit_idle(struct xds_policy *policy)
{
    struct xds_policy *child = xds_override_host_of(policy)->child;

    if (child && child->ops->exit_idle)
        child->ops->exit_idle(child);
}

static void destroy(struct xds_policy *policy)
{
    struct xds_override_host *self = xds_override_host_of(policy);

    xds_clock_cancel(&policy->machine->clock, &self->sweep);
    if (self->child)
        self->maker.destroy(self->maker.user, self->child);
    self->child = NULL;
    for (size_t i = 0; i < self->n_all; i++)
        if (self->all[i]->in_map)
            erase(self, self->all[i]);
}

static const struct xds_policy_ops ops = {
    .name = "xds_override_host_experimental",
    .child_report = child_report,
    .exit_idle = exit_idle,
    .pick = xds_override_host_pick_rpc,
    .destroy = destroy,
};

struct xds_override_host *
xds_override_host_new(struct xds_machine *machine, struct xds_policy *parent,
                      const struct xds_override_host_setup *setup)
{
    struct xds_override_host *self = XDS_NEW(machine->arena, struct xds_override_host);

    self->policy = (struct xds_policy){.ops = &ops,
                                       .machine = machine,
                                       .parent = parent,
                                       .name = xds_arena_dup(machine->arena, setup->name),
                                       .report = XDS_LB_REPORT_NEW};
    self->generation = setup->generation;
    self->maker = setup->maker;
    self->hooks = setup->hooks;
    self->child_name = xds_arena_dup(machine->arena, setup->child_name);
    xds_strmap_init(&self->entries, machine->arena);
    self->sweep = (struct xds_timer){.rank = XDS_TIMER_SWEEP,
                                     .name = self->policy.name,
                                     .fire = xds_override_host_sweep,
                                     .owner = self};
    return self;
}
