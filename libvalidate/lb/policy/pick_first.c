/*
 * pick_first.c - pick_first as a machine.
 *
 * States: CONNECTING (first pass) -> READY -> IDLE -> CONNECTING; CONNECTING ->
 *         TRANSIENT_FAILURE when every address has failed, and from there only to READY,
 *         or with some clients to CONNECTING when there are new addresses.
 * Events: update, a subchannel's change, exit idle, a pick while IDLE.
 * Timers: the next address's turn, 250 ms after the last one's.
 * Source: gRFC A61, A62, A113, spec routing 10.
 */
#include "lb/policy.h"

/* gRFC A61: how long one address may try alone. */
enum { ATTEMPT_DELAY_MS = 250 };

static bool is_dual_stack(const struct xds_pick_first *self)
{
    const struct xds_machine *machine = self->policy.machine;

    return XDS_ENV_ON(machine, XDS_ENV_DUALSTACK_ENDPOINTS);
}

static bool differs(const struct xds_pick_first *self, enum xds_difference difference)
{
    return XDS_DIFFERS(self->policy.machine, difference);
}

static bool is_connected(const struct xds_pick_first *self)
{
    return self->selected && self->selected->state == XDS_STATE_READY;
}

/* ---- what it reports ---- */

static enum xds_connectivity state_of(const struct xds_pick_first *self)
{
    if (is_connected(self))
        return XDS_STATE_READY;
    if (self->failing)
        return XDS_STATE_TRANSIENT_FAILURE;
    return self->attempt == XDS_ATTEMPT_NONE ? XDS_STATE_IDLE : XDS_STATE_CONNECTING;
}

static struct xds_slice picker_of(const struct xds_pick_first *self)
{
    return self->selected && is_connected(self) ? self->selected->address
                                                : self->policy.name;
}

static void report_again(struct xds_pick_first *self)
{
    struct xds_lb_report report = {.state = state_of(self)};

    report.picker = picker_of(self);
    report.has_picker = report.state != XDS_STATE_CONNECTING;
    if (report.state == XDS_STATE_TRANSIENT_FAILURE)
        report.status = self->n ? XDS_S("failed to connect to all addresses")
                                : XDS_S("empty address list");
    xds_policy_report(&self->policy, report);
}

/* Unless nothing has changed. */
static void publish(struct xds_pick_first *self)
{
    const struct xds_lb_report *last = &self->policy.report;
    const struct xds_slice picker = picker_of(self);

    if (self->policy.n_reports == 0 || state_of(self) != last->state ||
        !xds_slice_eq(picker, last->picker))
        report_again(self);
}

/* ---- subchannels ---- */

static void release(const struct xds_pick_first *self, struct xds_subchannel *subchannel)
{
    self->maker->release(self->maker->user, subchannel);
}

/* All but the one to keep. */
static void let_go(const struct xds_pick_first *self, struct xds_pick_first_slots *slots,
                   const struct xds_subchannel *keep)
{
    for (size_t i = 0; i < slots->n; i++)
        if (slots->list[i].subchannel && slots->list[i].subchannel != keep)
            release(self, slots->list[i].subchannel);
    slots->n = slots->n_failed = slots->n_again = 0;
}

static void end_attempt(struct xds_pick_first *self, const struct xds_subchannel *keep)
{
    xds_clock_cancel(&self->policy.machine->clock, &self->turn);
    let_go(self, &self->slots, keep);
    self->at = 0;
    self->attempt = XDS_ATTEMPT_NONE;
}

static void drop_selected(struct xds_pick_first *self)
{
    if (self->selected)
        release(self, self->selected);
    self->selected = NULL;
}

static void use(struct xds_pick_first *self, struct xds_subchannel *subchannel)
{
    drop_selected(self);
    end_attempt(self, subchannel);
    self->selected = subchannel;
    self->failing = false;
    publish(self);
}

/* ---- the first pass ---- */

static void changed(struct xds_subchannel *subchannel);

static struct xds_subchannel *held(struct xds_pick_first *self, size_t i)
{
    if (!self->slots.list[i].subchannel) {
        struct xds_pick_first_slot *slot = &self->slots.list[i];

        slot->subchannel =
            self->maker->create(self->maker->user, self->addresses[i], self);
        slot->subchannel->tag = i;
        slot->subchannel->changed = changed;
        slot->state = slot->subchannel->state;
        slot->failed = slot->state == XDS_STATE_TRANSIENT_FAILURE;
        self->slots.n_failed += slot->failed;
    }
    return self->slots.list[i].subchannel;
}

static void ask(struct xds_pick_first *self, size_t i)
{
    struct xds_subchannel *subchannel = held(self, i);

    if (subchannel->state == XDS_STATE_IDLE)
        self->maker->connect(self->maker->user, subchannel);
}

/* The error is another one now. */
static void fail_again(struct xds_pick_first *self)
{
    if (differs(self, XDS_DIFF_PICK_FIRST_REPORTS_AGAIN))
        report_again(self);
    else
        publish(self);
}

/* Is there nothing to wait for at an address whose turn it is? */
static bool is_passed_over(const struct xds_pick_first *self,
                           const struct xds_pick_first_slot *slot)
{
    if (!differs(self, XDS_DIFF_PICK_FIRST_IN_TURN))
        return slot->failed;
    return slot->subchannel && slot->subchannel->state == XDS_STATE_TRANSIENT_FAILURE;
}

/* The next address that has not failed has its turn. */
static void go_on(struct xds_pick_first *self)
{
    struct xds_clock *clock = &self->policy.machine->clock;

    xds_clock_cancel(clock, &self->turn);
    while (self->at < self->slots.n && is_passed_over(self, &self->slots.list[self->at]))
        self->at++;
    if (self->at < self->slots.n) {
        ask(self, self->at);
        if (is_dual_stack(self) && self->at + 1 < self->slots.n)
            xds_clock_set(clock, &self->turn, clock->now_ms + ATTEMPT_DELAY_MS);
    } else if (self->slots.n_failed == self->slots.n) {
        self->attempt = XDS_ATTEMPT_FAILED;
        self->failing = true;
        drop_selected(self);
        fail_again(self);
        xds_policy_reresolve(&self->policy);
        for (size_t i = 0; i < self->slots.n; i++)
            ask(self, i);
    }
}

static void next_turn(struct xds_timer *timer)
{
    struct xds_pick_first *self = timer->owner;

    self->at++;
    go_on(self);
}

/* ---- changes ---- */

static void fail(struct xds_pick_first *self, struct xds_pick_first_slot *slot)
{
    slot->failed_once = true;
    if (self->attempt == XDS_ATTEMPT_FAILED && ++self->slots.n_again % self->slots.n == 0)
        fail_again(self);
    if (self->attempt != XDS_ATTEMPT_FIRST_PASS)
        return;
    self->slots.n_failed += !slot->failed;
    slot->failed = true;
    if (self->at == self->slots.n || slot == &self->slots.list[self->at])
        go_on(self);
}

/* In the first pass one that gave up without an error is asked again while it has its
 * turn; later on each is asked whenever it is ready for that. */
static void fall_idle(struct xds_pick_first *self, const struct xds_pick_first_slot *slot)
{
    const size_t i = (size_t)(slot - self->slots.list);

    if (slot->state == XDS_STATE_CONNECTING &&
        differs(self, XDS_DIFF_PICK_FIRST_IDLE_WAS_READY)) {
        self->failing = false;
        use(self, slot->subchannel);
    } else if (self->attempt == XDS_ATTEMPT_FAILED || i == self->at) {
        ask(self, i);
    }
}

/* One that is new to a policy that fails may yet connect. */
static void begin_to_connect(struct xds_pick_first *self,
                             const struct xds_pick_first_slot *slot)
{
    if (!self->failing || slot->failed_once || self->attempt != XDS_ATTEMPT_FIRST_PASS ||
        !differs(self, XDS_DIFF_PICK_FIRST_LEAVES_FAILURE))
        return;
    self->failing = false;
    publish(self);
}

static void changed(struct xds_subchannel *subchannel)
{
    struct xds_pick_first *self = subchannel->owner;

    if (subchannel == self->selected) {
        const bool lost = !is_connected(self);

        if (lost && (self->attempt != XDS_ATTEMPT_NONE ||
                     !differs(self, XDS_DIFF_PICK_FIRST_KEEPS_LOST)))
            drop_selected(self);
        if (lost && self->attempt == XDS_ATTEMPT_NONE)
            xds_policy_reresolve(&self->policy);
        publish(self);
        return;
    }
    struct xds_pick_first_slot *slot = &self->slots.list[subchannel->tag];

    switch (slot->subchannel->state) {
    case XDS_STATE_READY:
        use(self, slot->subchannel);
        break;
    case XDS_STATE_TRANSIENT_FAILURE:
        fail(self, slot);
        break;
    case XDS_STATE_IDLE:
        fall_idle(self, slot);
        break;
    case XDS_STATE_CONNECTING:
        begin_to_connect(self, slot);
        break;
    }
    if (self->attempt != XDS_ATTEMPT_NONE && slot->subchannel == subchannel)
        slot->state = subchannel->state;
}

/* ---- attempts ---- */

/* Index of the address in the list, or its length. */
static size_t find(const struct xds_pick_first *self, struct xds_slice address)
{
    size_t i = 0;

    while (i < self->n && !xds_slice_eq(self->addresses[i], address))
        i++;
    return i;
}

/* False: its address is not in the list, or has one already. */
static bool take_over(struct xds_pick_first *self, struct xds_pick_first_slot slot)
{
    const size_t i = find(self, slot.subchannel->address);

    if (i == self->n || self->slots.list[i].subchannel)
        return false;
    slot.failed = slot.state == XDS_STATE_TRANSIENT_FAILURE;
    slot.subchannel->tag = i;
    self->slots.list[i] = slot;
    self->slots.n_failed += slot.failed;
    return true;
}

/* What an earlier list had continues: another subchannel would be another connection. */
static void take_over_old(struct xds_pick_first *self, struct xds_pick_first_slots *old)
{
    for (size_t i = 0; i < old->n; i++)
        if (old->list[i].subchannel && take_over(self, old->list[i]))
            old->list[i].subchannel = NULL;
    if (!self->selected)
        return;
    const struct xds_pick_first_slot selected = {.subchannel = self->selected,
                                                 .state = self->selected->state};

    if (take_over(self, selected))
        self->selected = NULL;
    else if (!is_connected(self) || differs(self, XDS_DIFF_PICK_FIRST_DROPS_AT_ONCE))
        drop_selected(self);
}

/* The new list is held before the old one is let go: what is in both stays. */
static void hold_all(struct xds_pick_first *self)
{
    struct xds_pick_first_slots old = self->slots;

    self->slots = self->spare;
    if (self->n > self->slots.cap) {
        self->slots.cap = self->cap;
        self->slots.list = XDS_NEW_ARRAY(self->policy.machine->arena,
                                         struct xds_pick_first_slot, self->cap);
    }
    self->slots.n = self->n;
    self->slots.n_failed = self->slots.n_again = 0;
    for (size_t i = 0; i < self->n; i++)
        self->slots.list[i] = (struct xds_pick_first_slot){.subchannel = NULL};
    if (differs(self, XDS_DIFF_SUBCHANNELS_NOT_SHARED))
        take_over_old(self, &old);
    const bool in_turn =
        differs(self, XDS_DIFF_PICK_FIRST_IN_TURN) || self->policy.machine->at_rest;

    for (size_t i = 0; i < self->n && !in_turn; i++)
        (void)held(self, i);
    let_go(self, &old, NULL);
    self->spare = old;
}

static bool is_assumed(const struct xds_pick_first *self, struct xds_slice address,
                       enum xds_connectivity state)
{
    const struct xds_subchannel_maker *maker = self->maker;
    enum xds_connectivity assumed;

    return maker->assumed && maker->assumed(maker->user, address, &assumed) &&
           assumed == state;
}

/* At rest one that is assumed READY was connected before; else the first that has not
 * failed has its turn. */
static struct xds_subchannel *first_ready(struct xds_pick_first *self)
{
    const bool at_rest = self->policy.machine->at_rest;

    for (size_t i = 0; at_rest && i < self->slots.n; i++)
        if (is_assumed(self, self->addresses[i], XDS_STATE_READY))
            return held(self, i);
    for (size_t i = 0; i < self->slots.n; i++) {
        struct xds_subchannel *subchannel =
            at_rest ? held(self, i) : self->slots.list[i].subchannel;

        if (!subchannel)
            continue;
        if (subchannel->state == XDS_STATE_READY)
            return subchannel;
        if (at_rest && subchannel->state != XDS_STATE_TRANSIENT_FAILURE)
            return NULL;
    }
    return NULL;
}

static void begin_attempt(struct xds_pick_first *self)
{
    hold_all(self);
    struct xds_subchannel *ready = first_ready(self);

    if (ready) {
        use(self, ready);
        return;
    }
    self->at = 0;
    self->attempt = XDS_ATTEMPT_FIRST_PASS;
    if (differs(self, XDS_DIFF_PICK_FIRST_REPORTS_AGAIN) && !self->failing)
        report_again(self);
    else if (self->slots.n_failed < self->slots.n)
        publish(self);
    go_on(self);
}

static void exit_idle(struct xds_policy *policy)
{
    struct xds_pick_first *self = (struct xds_pick_first *)policy;

    if (policy->n_reports && policy->report.state == XDS_STATE_IDLE)
        begin_attempt(self);
}

/* ---- a new list ---- */

/* An endpoint, and what it weighs. */
struct candidate {
    const struct xds_endpoint *endpoint;
    uint64_t weight;
};

/* Draw one of those from `from` on, and move it there. False: there is no number. */
static bool draw_endpoint(struct candidate *list, size_t n, size_t from,
                          struct xds_random *random)
{
    uint64_t sum = 0, number;
    size_t i = from;

    for (size_t k = from; k < n; k++)
        sum += list[k].weight;
    if (sum == 0 || !xds_random_draw(random, sum, &number))
        return false;
    for (; number >= list[i].weight; i++)
        number -= list[i].weight;
    const struct candidate drawn = list[i];

    memmove(list + from + 1, list + from, (i - from) * sizeof(*list));
    list[from] = drawn;
    return true;
}

/* One draw by weight after the other gives the same distribution as the keys u^(1/w) of
 * gRFC A113. False: the first one cannot be drawn. */
static bool shuffle(const struct xds_endpoint **endpoints, size_t n,
                    const struct xds_pick_first_config *config, struct xds_arena *arena)
{
    struct candidate *list = XDS_NEW_ARRAY(arena, struct candidate, n);
    size_t drawn = 0;

    for (size_t i = 0; i < n; i++)
        list[i] =
            (struct candidate){endpoints[i], config->weights ? config->weights[i] : 1};
    while (drawn + 1 < n && draw_endpoint(list, n, drawn, config->random))
        drawn++;
    for (size_t i = 0; i < n; i++)
        endpoints[i] = list[i].endpoint;
    return drawn > 0 || n < 2;
}

static void make_room(struct xds_pick_first *self, size_t n)
{
    if (n <= self->cap)
        return;
    self->cap = n > 2 * self->cap ? n : 2 * self->cap;
    self->addresses =
        XDS_NEW_ARRAY(self->policy.machine->arena, struct xds_slice, self->cap);
}

/* One after the other, then in turns between the families. */
static void flatten(struct xds_pick_first *self, const struct xds_endpoint *const *list,
                    size_t n)
{
    struct xds_arena *step_arena = self->policy.machine->step_arena;
    size_t sum = 0;

    for (size_t i = 0; i < n; i++)
        sum += list[i]->n_addresses;
    struct xds_slice *flat = XDS_NEW_ARRAY(step_arena, struct xds_slice, sum);
    size_t *order = XDS_NEW_ARRAY(step_arena, size_t, sum);

    make_room(self, sum);
    self->n = 0;
    for (size_t i = 0; i < n; i++)
        for (size_t k = 0; k < list[i]->n_addresses; k++)
            flat[self->n++] = list[i]->addresses[k];
    const bool turns = is_dual_stack(self) && xds_interleave(flat, sum, order);

    for (size_t i = 0; i < sum; i++)
        self->addresses[i] = flat[turns ? order[i] : i];
}

void xds_pick_first_update(struct xds_pick_first *self,
                           const struct xds_endpoint *const *endpoints, size_t n,
                           const struct xds_pick_first_config *config)
{
    const struct xds_endpoint **list =
        XDS_NEW_ARRAY(self->policy.machine->step_arena, const struct xds_endpoint *, n);
    const bool had_nothing = self->n == 0;

    for (size_t i = 0; i < n; i++)
        list[i] = endpoints[i];
    self->open = (struct xds_pick_first_open){.n = 0};
    if (config->shuffle && !shuffle(list, n, config, self->policy.machine->step_arena))
        self->open = (struct xds_pick_first_open){endpoints, config->weights, n};
    flatten(self, list, n);
    if (self->n == 0) {
        end_attempt(self, NULL);
        drop_selected(self);
        self->failing = true;
        publish(self);
        xds_policy_reresolve(&self->policy);
        return;
    }
    if (had_nothing && differs(self, XDS_DIFF_PICK_FIRST_LEAVES_FAILURE))
        self->failing = false;
    if (self->policy.n_reports == 0 || self->policy.report.state != XDS_STATE_IDLE)
        begin_attempt(self);
    else if (self->selected && find(self, self->selected->address) == self->n)
        drop_selected(self); /* IDLE, it only keeps what is still in the list */
}

/* ---- the policy ---- */

static struct xds_pick_result pick(struct xds_policy *policy,
                                   const struct xds_pick_call *call)
{
    const struct xds_pick_first *self = (struct xds_pick_first *)policy;

    (void)call;
    if (is_connected(self))
        return (struct xds_pick_result){.kind = XDS_PICK_COMPLETE,
                                        .address = self->selected->address};
    if (policy->report.state == XDS_STATE_TRANSIENT_FAILURE)
        return xds_pick_why(XDS_PICK_FAIL, policy->report.status);
    exit_idle(policy);
    return xds_pick_why(XDS_PICK_QUEUE,
                        XDS_S("pick_first was IDLE and begins to connect"));
}

/* The state of the connection whose turn it is. */
static enum xds_connectivity state_at(const struct xds_pick_first *self, size_t i)
{
    const struct xds_pick_first_slot *slot =
        i < self->slots.n ? &self->slots.list[i] : NULL;

    return slot && slot->subchannel ? slot->subchannel->state : XDS_STATE_IDLE;
}

/* The address of an endpoint that connects first; false: none does. */
static bool may_connect(const struct xds_pick_first *self,
                        const struct xds_endpoint *endpoint, struct xds_pick_share *out)
{
    struct xds_arena *arena = self->policy.machine->step_arena;
    size_t *order = XDS_NEW_ARRAY(arena, size_t, endpoint->n_addresses);
    const bool turns = is_dual_stack(self) &&
                       xds_interleave(endpoint->addresses, endpoint->n_addresses, order);

    for (size_t k = 0; k < endpoint->n_addresses; k++) {
        out->address = endpoint->addresses[turns ? order[k] : k];
        out->state = XDS_STATE_READY;
        if (self->maker->assumed)
            self->maker->assumed(self->maker->user, out->address, &out->state);
        if (out->state != XDS_STATE_TRANSIENT_FAILURE)
            return true;
    }
    return false;
}

/* gRFC A62, A113: the first place falls to an endpoint in proportion to its weight. */
static void share_open(const struct xds_pick_first *self,
                       const struct xds_pick_call *call, struct xds_share part,
                       struct xds_pick_shares *out)
{
    const struct xds_pick_first_open *open = &self->open;
    struct xds_pick_share share;
    uint64_t sum = 0, number = 0, end = 0;
    size_t n = 0;

    for (size_t i = 0; i < open->n; i++)
        if (may_connect(self, open->endpoints[i], &share)) {
            sum += open->weights ? open->weights[i] : 1;
            n++;
        }
    const bool draw =
        n > 1 && xds_share_is_all(part) && xds_random_draw(call->random, sum, &number);

    for (size_t i = 0; i < open->n; i++) {
        const uint64_t weight = open->weights ? open->weights[i] : 1, begin = end;

        if (!may_connect(self, open->endpoints[i], &share))
            continue;
        end += weight;
        if (!draw || (number >= begin && number < end))
            xds_pick_shares_add(out, share.address, share.state,
                                draw ? part
                                     : xds_share_times(part, xds_share_of(weight, sum)));
    }
}

static void shares(struct xds_policy *policy, const struct xds_pick_call *call,
                   struct xds_share part, struct xds_pick_shares *out)
{
    const struct xds_pick_first *self = (struct xds_pick_first *)policy;
    const bool stays =
        is_connected(self) &&
        (self->open.n == 0 || is_assumed(self, self->selected->address, XDS_STATE_READY));

    if (stays)
        xds_pick_shares_add(out, self->selected->address, XDS_STATE_READY, part);
    else if (policy->report.state != XDS_STATE_TRANSIENT_FAILURE && self->open.n > 0)
        share_open(self, call, part, out);
    else if (policy->report.state != XDS_STATE_TRANSIENT_FAILURE) {
        /* The RPC waits for the address whose turn it is, or is as it connects. */
        size_t i = self->attempt == XDS_ATTEMPT_FIRST_PASS ? self->at : 0;

        while (i + 1 < self->n &&
               is_assumed(self, self->addresses[i], XDS_STATE_TRANSIENT_FAILURE))
            i++;
        if (i < self->n)
            xds_pick_shares_add(out, self->addresses[i], state_at(self, i), part);
    }
}

/* It has no addresses any more. */
static void resolver_error(struct xds_policy *policy, struct xds_slice status)
{
    struct xds_pick_first *self = (struct xds_pick_first *)policy;

    end_attempt(self, NULL);
    drop_selected(self);
    self->n = 0;
    self->failing = true;
    xds_policy_fail(policy, status);
}

static void destroy(struct xds_policy *policy)
{
    struct xds_pick_first *self = (struct xds_pick_first *)policy;

    end_attempt(self, NULL);
    drop_selected(self);
}

static const struct xds_policy_ops ops = {
    .name = "pick_first",
    .exit_idle = exit_idle,
    .resolver_error = resolver_error,
    .pick = pick,
    .shares = shares,
    .destroy = destroy,
};

/* What an earlier policy in the same place has allocated stays of use. */
static void init(struct xds_policy *policy, struct xds_machine *machine,
                 struct xds_policy *parent, struct xds_slice name,
                 const struct xds_subchannel_maker *maker)
{
    struct xds_pick_first *self = (struct xds_pick_first *)(void *)policy;

    *self = (struct xds_pick_first){
        .policy = xds_policy_new(&ops, machine, parent, name),
        .maker = maker,
        .addresses = self->addresses,
        .cap = self->cap,
        .slots = {.list = self->slots.list, .cap = self->slots.cap},
        .spare = {.list = self->spare.list, .cap = self->spare.cap},
        .turn = {.rank = XDS_TIMER_ATTEMPT,
                 .name = name,
                 .fire = next_turn,
                 .owner = self},
    };
}

static void update(struct xds_policy *policy, const struct xds_leaf_update *update)
{
    const struct xds_rpc *rpc = update->lb->rpc;
    struct xds_pick_first_config config = {
        .shuffle = update->policy->shuffle_address_list, .random = rpc->random};

    if (XDS_ENV_ON(rpc, XDS_ENV_PF_WEIGHTED_SHUFFLING))
        config.weights =
            xds_endpoint_weights(update->lb, update->candidates, update->group);
    xds_pick_first_update((struct xds_pick_first *)(void *)policy, update->endpoints,
                          update->group.n, &config);
}

const struct xds_leaf_machine xds_leaf_pick_first = {
    "pick_first", sizeof(struct xds_pick_first), init, update};
