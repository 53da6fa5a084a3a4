/*
 * override_host.c - xds_override_host_experimental: which address a session cookie leads
 *                   to, which addresses the policy knows, and whose each connection is.
 *
 * States: per address no subchannel, one of the child's, one of ours. CHILD -> OURS when
 *         the child lets go of one still wanted, OURS -> CHILD when the child creates it,
 *         NONE -> OURS by a pick (A75), OURS -> NONE by the sweep (A75), once the
 *         endpoint drains no more, or when the connection closes (A55).
 * Timers: the sweep of A75, set again by every update and every sweep.
 * Source: gRFC A55, A61, A75, spec routing 8.2 to 8.5, OH-a to OH-e and 5.10.
 */
#include "lb/policy.h"

/* ---- which address of a cookie serves ---- */

enum xds_override_generation xds_override_generation_of(const struct xds_options *options,
                                                        enum xds_client client)
{
    return xds_differs(options, client, XDS_DIFF_OVERRIDE_HOST_A55) ? XDS_OVERRIDE_A55
                                                                    : XDS_OVERRIDE_A75;
}

bool xds_override_admits(unsigned status, enum xds_health health)
{
    const unsigned possible = XDS_HEALTH_BIT(XDS_HEALTH_UNKNOWN) |
                              XDS_HEALTH_BIT(XDS_HEALTH_HEALTHY) |
                              XDS_HEALTH_BIT(XDS_HEALTH_DRAINING);

    return status & possible & XDS_HEALTH_BIT(health);
}

static enum xds_override_rank rank_of(const struct xds_override_entry *entry)
{
    if (entry->owner == XDS_SUBCHANNEL_NONE)
        return XDS_RANK_NONE;
    switch (entry->state) {
    case XDS_STATE_READY:
        return XDS_RANK_READY;
    case XDS_STATE_IDLE:
        return XDS_RANK_IDLE;
    case XDS_STATE_CONNECTING:
        return XDS_RANK_CONNECTING;
    case XDS_STATE_TRANSIENT_FAILURE:
        break;
    }
    return XDS_RANK_UNUSABLE;
}

static struct xds_override_host *host_of(struct xds_policy *policy)
{
    return (struct xds_override_host *)policy;
}

/* Where the two generations part. */
static const struct traits {
    bool sweeps;         /* idle connections; spec OH-b */
    bool keeps_draining; /* all of them, however long unused; spec OH-b */
    bool forgets_none;   /* an address that leaves the update; spec OH-a */
} traits_of[] = {
    [XDS_OVERRIDE_A55] = {.keeps_draining = true, .forgets_none = true},
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

static void drop(struct xds_override_host *self, struct xds_override_entry *entry)
{
    entry->owner = XDS_SUBCHANNEL_NONE;
    self->hooks.drop(self->hooks.user, entry->address);
}

static void erase(struct xds_override_host *self, struct xds_override_entry *entry)
{
    entry->in_map = false;
    XDS_SAY(self, "forgets %.*s: no session may go there any longer",
            XDS_FMT(entry->address));
    if (entry->owner == XDS_SUBCHANNEL_OURS)
        drop(self, entry);
    entry->owner = XDS_SUBCHANNEL_NONE;
}

/* ---- the sweep ---- */

#define MIN_SWEEP_MS 5000

static int64_t idle_since(const struct xds_override_host *self)
{
    return self->policy.machine->clock.now_ms - self->idle_timeout_ms;
}

static bool used_lately(const struct xds_override_host *self,
                        const struct xds_override_entry *entry)
{
    return entry->last_used_ms > idle_since(self);
}

/* Until the first of the entries in use will have been idle for long enough. */
static int64_t sweep_delay(const struct xds_override_host *self, bool *calm)
{
    int64_t delay = self->idle_timeout_ms;

    *calm = true;
    for (size_t i = 0; i < self->n_all; i++) {
        const struct xds_override_entry *entry = self->all[i];
        if (!entry->in_map)
            continue;
        *calm &= entry->owner != XDS_SUBCHANNEL_OURS && !used_lately(self, entry);
        if (used_lately(self, entry) && entry->last_used_ms - idle_since(self) < delay)
            delay = entry->last_used_ms - idle_since(self);
    }
    return delay < MIN_SWEEP_MS ? MIN_SWEEP_MS : delay;
}

/* Of the sweeps that find nothing on the way to a far time only the last is played. */
static void set_sweep(struct xds_override_host *self)
{
    struct xds_clock *clock = &self->policy.machine->clock;
    const int64_t way = clock->until_ms - clock->now_ms;
    bool calm;
    const int64_t delay = sweep_delay(self, &calm);

    self->calm_ms = calm ? delay : 0;
    xds_clock_set(clock, &self->sweep,
                  clock->now_ms + (calm && way > delay ? way / delay * delay : delay));
    if (self->hooks.sweep_set)
        self->hooks.sweep_set(self->hooks.user, delay);
}

/* From now on a sweep may find something: the next one is no more left out. */
static void wake_sweep(struct xds_override_host *self)
{
    struct xds_clock *clock = &self->policy.machine->clock;
    const int64_t left = self->sweep.at_ms - clock->now_ms;

    if (self->calm_ms && left > self->calm_ms)
        xds_clock_set(clock, &self->sweep,
                      self->sweep.at_ms - (left - 1) / self->calm_ms * self->calm_ms);
    self->calm_ms = 0;
}

static void sweep_now(struct xds_timer *timer)
{
    struct xds_override_host *self = timer->owner;
    bool empty = true;

    for (size_t i = 0; i < self->n_all; i++) {
        struct xds_override_entry *entry = self->all[i];

        empty &= !entry->in_map;
        if (entry->owner != XDS_SUBCHANNEL_OURS || used_lately(self, entry))
            continue;
        XDS_SAY(self, "closes its own connection to %.*s: no session has used it lately",
                XDS_FMT(entry->address));
        drop(self, entry);
    }
    if (!empty)
        set_sweep(self);
}

/* ---- an update ---- */

static bool enters_map(const struct xds_override_host *self,
                       const struct xds_endpoint *endpoint)
{
    return xds_health_serves(endpoint->health) ||
           (endpoint->health == XDS_HEALTH_DRAINING &&
            (traits(self)->forgets_none ||
             xds_override_admits(self->status, XDS_HEALTH_DRAINING)));
}

static void list_address(struct xds_override_host *self,
                         const struct xds_endpoint *endpoint, size_t first,
                         struct xds_slice address)
{
    struct xds_override_entry *entry = remember(self, address);

    append(self->policy.machine->arena, &self->listed, &self->n_listed, &self->cap_listed,
           entry);
    entry->passed |= xds_health_serves(endpoint->health);
    if (entry->listed) /* twice in the update: the first counts */
        return;
    if (!entry->in_map) {
        entry->in_map = true;
        entry->owner = XDS_SUBCHANNEL_NONE;
        entry->state = XDS_STATE_IDLE;
        entry->last_used_ms = XDS_NEVER_USED;
    }
    entry->listed = true;
    entry->health = endpoint->health;
    entry->first = first;
    entry->n = endpoint->n_addresses;
}

static void leave_out(struct xds_override_host *self, const struct xds_endpoint *endpoint,
                      struct xds_slice address)
{
    struct xds_override_entry *entry = remember(self, address);

    if (!entry->left_out)
        entry->left_out_for = endpoint->health;
    entry->left_out = true;
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
        XDS_SAY(self, "closes the connection to %.*s, which is no longer DRAINING",
                XDS_FMT(entry->address));
        drop(self, entry);
    }
}

void xds_override_host_update(struct xds_override_host *self,
                              const struct xds_override_update *update)
{
    const int64_t idle = update->idle_timeout_ms;

    self->status = update->status;
    self->idle_timeout_ms = idle < 0                     ? 0
                            : idle > XDS_DURATION_MAX_MS ? XDS_DURATION_MAX_MS
                                                         : idle;
    for (size_t i = 0; i < self->n_all; i++) {
        self->all[i]->listed = self->all[i]->passed = self->all[i]->left_out = false;
        self->all[i]->n = 0;
    }
    self->n_listed = 0;
    for (size_t i = 0; i < update->n_endpoints; i++) {
        const struct xds_endpoint *endpoint = update->endpoints[i];
        const size_t first = self->n_listed;

        for (size_t k = 0; k < endpoint->n_addresses; k++)
            if (enters_map(self, endpoint))
                list_address(self, endpoint, first, endpoint->addresses[k]);
            else
                leave_out(self, endpoint, endpoint->addresses[k]);
    }
    /* In A55 an address that left keeps its entry, without equivalent ones. */
    for (size_t i = 0; i < self->n_all && !traits(self)->forgets_none; i++)
        if (self->all[i]->in_map && !self->all[i]->listed)
            erase(self, self->all[i]);
    if (traits(self)->sweeps)
        set_sweep(self);
    if (self->child)
        self->maker.update(self->maker.user, self->child);
    else
        self->child =
            self->maker.create(self->maker.user, &self->policy, self->child_name);
    if (traits(self)->keeps_draining)
        close_undrained(self);
}

/* ---- whose subchannel it is ---- */

bool xds_override_host_child_creates(struct xds_override_host *self,
                                     struct xds_slice address)
{
    struct xds_override_entry *entry = xds_override_host_find(self, address);

    if (!entry) {
        XDS_SAY(self, "ignores the child's connection to %.*s: not in the map",
                XDS_FMT(address));
        return false;
    }
    if (entry->owner == XDS_SUBCHANNEL_OURS)
        XDS_SAY(self, "hands the connection to %.*s over to its child", XDS_FMT(address));
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
    return entry->last_used_ms >= idle_since(self);
}

bool xds_override_host_child_releases(struct xds_override_host *self,
                                      struct xds_slice address)
{
    struct xds_override_entry *entry = xds_override_host_find(self, address);

    if (!entry || entry->owner != XDS_SUBCHANNEL_CHILD)
        return false;
    if (still_wanted(self, entry)) {
        entry->owner = XDS_SUBCHANNEL_OURS;
        wake_sweep(self);
        XDS_SAY(self, "keeps the connection to %.*s, which its child releases",
                XDS_FMT(address));
        return true;
    }
    entry->owner = XDS_SUBCHANNEL_NONE;
    if (!entry->listed && !traits(self)->forgets_none)
        erase(self, entry);
    return false;
}

/* The address of its endpoint that is connected, or connects first. */
static bool comes_first(const struct xds_override_host *self,
                        const struct xds_override_entry *entry,
                        const struct xds_subchannel_maker *maker)
{
    const struct xds_override_entry *first = NULL;

    for (size_t i = entry->first; i < entry->first + entry->n; i++) {
        enum xds_connectivity state = XDS_STATE_CONNECTING;

        maker->assumed(maker->user, self->listed[i]->address, &state);
        if (state == XDS_STATE_READY)
            return self->listed[i] == entry;
        if (!first && state != XDS_STATE_TRANSIENT_FAILURE)
            first = self->listed[i];
    }
    return first == entry;
}

void xds_override_host_rest(struct xds_override_host *self,
                            const struct xds_subchannel_maker *maker)
{
    for (size_t i = 0; i < self->n_all; i++) {
        struct xds_override_entry *entry = self->all[i];
        enum xds_connectivity state = XDS_STATE_READY;

        if (!entry->in_map || entry->owner != XDS_SUBCHANNEL_NONE)
            continue;
        const bool is_assumed = maker->assumed(maker->user, entry->address, &state);
        const bool drains = traits(self)->keeps_draining &&
                            drains_for_sessions(self, entry) &&
                            comes_first(self, entry, maker);

        if (!is_assumed && !drains)
            continue;
        entry->owner = XDS_SUBCHANNEL_OURS;
        entry->state = state;
    }
}

/* The child publishes a picker of its own; what has changed here alone is published by
 * repeating what it said last. */
static void publish_again(struct xds_override_host *self)
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
    const bool closes = news && entry->state == XDS_STATE_READY;

    entry->state = state;
    if (!news)
        return true;
    if (closes && traits(self)->keeps_draining) {
        XDS_SAY(self, "gives up its own connection to %.*s, which has closed",
                XDS_FMT(address));
        drop(self, entry);
        publish_again(self);
        return true;
    }
    XDS_SAY(self, "its own connection to %.*s is %s: RPCs that wait are picked again",
            XDS_FMT(address), xds_connectivity_name(state));
    publish_again(self);
    return true;
}

/* ---- picks ---- */

size_t xds_override_host_addresses(const struct xds_override_host *self,
                                   const struct xds_override_entry *entry,
                                   struct xds_arena *arena, struct xds_slice **out)
{
    struct xds_slice *list = XDS_NEW_ARRAY(arena, struct xds_slice, entry->n + 1);
    size_t n = 0;

    list[n++] = entry->address;
    for (size_t i = 0; i < entry->n; i++) {
        const struct xds_override_entry *other = self->listed[entry->first + i];
        if (other != entry)
            list[n++] = other->address;
    }
    *out = list;
    return n;
}

/* A session goes to this entry. */
static void use(struct xds_override_host *self, const struct xds_pick_call *call,
                struct xds_override_entry *entry)
{
    struct xds_arena *step_arena = self->policy.machine->step_arena;
    struct xds_slice *list;

    entry->last_used_ms = self->policy.machine->clock.now_ms;
    wake_sweep(self);
    if (!call->actual)
        return;
    const size_t n = xds_override_host_addresses(self, entry, step_arena, &list);
    const struct xds_endpoint all = {.addresses = list, .n_addresses = n};

    *call->actual = xds_address_list(step_arena, &all, 0);
}

static void give_reason(struct xds_override_choice *choice, enum xds_override_why why,
                        const struct xds_override_entry *entry, enum xds_health health)
{
    if (why <= choice->why)
        return;
    choice->why = why;
    choice->worst = entry;
    choice->health = health;
}

/* Of equals the first serves, but A55 remembers the last IDLE one that it has seen. */
static void consider(const struct xds_override_host *self,
                     struct xds_override_choice *choice, struct xds_override_entry *entry)
{
    const bool a55 = self->generation == XDS_OVERRIDE_A55;
    const bool usable = xds_override_admits(self->status, entry->health);
    const enum xds_override_rank rank = usable ? rank_of(entry) : XDS_RANK_UNUSABLE;

    if (rank == XDS_RANK_NONE && a55) {
        if (entry->listed)
            give_reason(choice, XDS_OVERRIDE_UNCONNECTED, entry, entry->health);
        return;
    }
    if (rank < choice->rank || (rank == XDS_RANK_IDLE && rank == choice->rank && a55)) {
        choice->rank = rank;
        choice->best = entry;
    }
    give_reason(choice, usable ? XDS_OVERRIDE_FAILING : XDS_OVERRIDE_STATUS, entry,
                entry->health);
}

struct xds_override_choice xds_override_host_choose(const struct xds_override_host *self,
                                                    const struct xds_pick_call *call)
{
    const bool one_address = self->generation == XDS_OVERRIDE_A55;
    const size_t n = one_address && call->n_overridden ? 1 : call->n_overridden;
    struct xds_override_choice choice = XDS_OVERRIDE_NOTHING;

    for (size_t i = 0; i < n; i++) {
        struct xds_override_entry *entry =
            xds_strmap_get(&self->entries, call->overridden[i]);

        if (entry && entry->left_out && !entry->listed)
            give_reason(&choice, XDS_OVERRIDE_STATUS, entry, entry->left_out_for);
        if (!entry || !entry->in_map)
            continue;
        consider(self, &choice, entry);
        /* OH-c: A55 finds the other addresses through the endpoint of this one. */
        for (size_t k = 0; one_address && k < entry->n; k++)
            if (self->listed[entry->first + k] != entry)
                consider(self, &choice, self->listed[entry->first + k]);
    }
    if (choice.best)
        choice.why = XDS_OVERRIDE_USED;
    return choice;
}

struct xds_override_choice xds_override_host_decide(struct xds_override_host *self,
                                                    const struct xds_pick_call *call)
{
    struct xds_override_choice choice = XDS_OVERRIDE_NOTHING;

    choice.why = call->has_override ? XDS_OVERRIDE_NO_COOKIE : XDS_OVERRIDE_NO_SESSION;
    if (!call->has_override || call->n_overridden == 0)
        return choice;
    choice = xds_override_host_choose(self, call);

    struct xds_override_entry *entry = choice.best;

    switch (choice.rank) {
    case XDS_RANK_READY:
        use(self, call, entry);
        break;
    case XDS_RANK_IDLE:
        XDS_SAY(self, "asks the connection to %.*s to connect", XDS_FMT(entry->address));
        self->hooks.connect(self->hooks.user, entry->address);
        break;
    case XDS_RANK_NONE:
        /* A subchannel of our own, idle until the pick that waits for it is repeated. */
        entry->owner = XDS_SUBCHANNEL_OURS;
        entry->state = XDS_STATE_IDLE;
        wake_sweep(self);
        XDS_SAY(self, "opens a connection of its own to %.*s for a session",
                XDS_FMT(entry->address));
        self->hooks.create(self->hooks.user, entry->address);
        publish_again(self);
        break;
    case XDS_RANK_CONNECTING:
    case XDS_RANK_UNUSABLE:
        break;
    }
    return choice;
}

const struct xds_override_entry *
xds_override_host_picked(struct xds_override_host *self, const struct xds_pick_call *call,
                         struct xds_slice address)
{
    struct xds_override_entry *entry =
        call->has_override ? xds_override_host_find(self, address) : NULL;

    if (entry)
        use(self, call, entry);
    return entry;
}

static struct xds_pick_result pick_rpc(struct xds_policy *policy,
                                       const struct xds_pick_call *call)
{
    struct xds_override_host *self = host_of(policy);
    const struct xds_override_choice d = xds_override_host_decide(self, call);

    if (d.best && d.rank == XDS_RANK_READY)
        return (struct xds_pick_result){.kind = XDS_PICK_COMPLETE,
                                        .address = d.best->address,
                                        .reason = xds_override_words(&d)};
    if (d.rank != XDS_RANK_UNUSABLE)
        return xds_pick_why(XDS_PICK_QUEUE, xds_override_words(&d));
    if (!self->child)
        return xds_pick_why(XDS_PICK_QUEUE, XDS_S("no endpoints are known yet"));
    const struct xds_pick_result r = xds_policy_pick(self->child, call);

    if (r.kind == XDS_PICK_COMPLETE)
        xds_override_host_picked(self, call, r.address);
    return r;
}

/* ---- as a policy ---- */

/* An address without a subchannel gets one, which is IDLE; at rest it connects. */
static void shares(struct xds_policy *policy, const struct xds_pick_call *call,
                   struct xds_share part, struct xds_pick_shares *out)
{
    struct xds_override_host *self = host_of(policy);
    const struct xds_override_choice choice = xds_override_host_choose(self, call);
    const struct xds_override_entry *entry = choice.best;

    if (call->has_override && entry)
        xds_pick_shares_add(out, entry->address,
                            choice.rank == XDS_RANK_NONE && policy->machine->at_rest
                                ? XDS_STATE_READY
                                : entry->state,
                            part);
    else if (self->child)
        self->child->ops->shares(self->child, call, part, out);
}

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
    struct xds_policy *child = host_of(policy)->child;

    if (child)
        xds_policy_exit_idle(child);
}

static void destroy(struct xds_policy *policy)
{
    struct xds_override_host *self = host_of(policy);

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
    .pick = pick_rpc,
    .shares = shares,
    .destroy = destroy,
};

struct xds_override_host *
xds_override_host_new(struct xds_machine *machine, struct xds_policy *parent,
                      const struct xds_override_host_setup *setup)
{
    struct xds_override_host *self = XDS_NEW(machine->arena, struct xds_override_host);

    self->policy =
        xds_policy_new(&ops, machine, parent, xds_arena_dup(machine->arena, setup->name));
    self->generation = setup->generation;
    self->maker = setup->maker;
    self->hooks = setup->hooks;
    self->child_name = xds_arena_dup(machine->arena, setup->child_name);
    xds_strmap_init(&self->entries, machine->arena);
    self->sweep = (struct xds_timer){.rank = XDS_TIMER_SWEEP,
                                     .name = self->policy.name,
                                     .fire = sweep_now,
                                     .owner = self};
    return self;
}
