/*
 * ring_hash_machine.c - ring_hash_experimental as a machine.
 *
 * States: READY if one endpoint is; TRANSIENT_FAILURE if two are; CONNECTING if one is,
 *         or if one of several has failed; IDLE if one is; else TRANSIENT_FAILURE.
 * Fails:  an RPC without a hash (INTERNAL), or when every endpoint has failed.
 * Source: gRFC A42, A61, A76, spec routing 9.4 to 9.6.
 */
#include "lb/policy.h"

#include "clients/readers.h"

#include <stdlib.h>

/* ---- states ---- */

static enum xds_connectivity state_of(const struct xds_endpoint_children *children)
{
    const size_t *count = children->count;
    const size_t failed = count[XDS_STATE_TRANSIENT_FAILURE];

    if (count[XDS_STATE_READY])
        return XDS_STATE_READY;
    if (failed >= 2)
        return XDS_STATE_TRANSIENT_FAILURE;
    if (count[XDS_STATE_CONNECTING] || (failed && children->in_use.n > 1))
        return XDS_STATE_CONNECTING;
    return count[XDS_STATE_IDLE] ? XDS_STATE_IDLE : XDS_STATE_TRANSIENT_FAILURE;
}

/* Which child an RPC finds depends on its hash, so there always is a picker. */
static void publish(struct xds_ring_hash *self)
{
    struct xds_lb_report report = {.state = state_of(&self->children),
                                   .has_picker = true,
                                   .picker = self->policy.name};

    if (report.state == XDS_STATE_TRANSIENT_FAILURE)
        report.status = self->children.in_use.n
                            ? XDS_S("the endpoints that were tried have failed")
                            : XDS_S("empty address list");
    if (report.state != self->policy.report.state || self->policy.n_reports == 0)
        xds_machine_say(self->policy.machine, self->policy.name, "is %s",
                        xds_connectivity_name(report.state));
    xds_policy_report(&self->policy, report);
}

/* Under a priority policy a failing child gets no RPCs, so nothing would make it connect.
 */
static bool needs_a_push(const struct xds_ring_hash *self)
{
    const size_t *count = self->children.count;
    const enum xds_connectivity state = self->policy.report.state;

    return !xds_differs(self->policy.machine->options, self->policy.machine->client,
                        XDS_DIFF_RING_ASKED_BY_RPCS) &&
           (state == XDS_STATE_TRANSIENT_FAILURE || state == XDS_STATE_CONNECTING) &&
           count[XDS_STATE_CONNECTING] == 0 && count[XDS_STATE_IDLE] > 0;
}

static void push_one(struct xds_ring_hash *self)
{
    const size_t n = self->children.in_use.n;
    size_t i = 0;

    while (i < n && self->by_order[i]->state != XDS_STATE_IDLE)
        i++;
    if (i < n)
        xds_endpoint_child_connect(self->by_order[i]);
}

static void settle(struct xds_ring_hash *self);

static void push_now(struct xds_timer *timer)
{
    struct xds_ring_hash *self = timer->owner;

    if (!needs_a_push(self))
        return;
    push_one(self);
    settle(self);
}

/* R-f: in the course of an update some clients ask only when it is over. */
static bool puts_off(struct xds_ring_hash *self)
{
    struct xds_clock *clock = &self->policy.machine->clock;

    if (!self->updating ||
        !xds_differs(self->policy.machine->options, self->policy.machine->client,
                     XDS_DIFF_RING_ASKS_LATER))
        return false;
    xds_clock_set(clock, &self->push, clock->now_ms);
    return true;
}

/* A child that is made to connect reports at once; it is handled in another round, not
 * deeper down the stack. */
static void settle(struct xds_ring_hash *self)
{
    self->again = true;
    if (self->settling)
        return;
    self->settling = true;
    while (self->again) {
        self->again = false;
        publish(self);
        if (needs_a_push(self) && !puts_off(self))
            push_one(self);
    }
    self->settling = false;
}

static void child_report(struct xds_policy *policy, struct xds_policy *child)
{
    xds_endpoint_child_store(child);
    settle((struct xds_ring_hash *)policy);
}

/* ---- a new list ---- */

static int compare_orders(const void *left, const void *right)
{
    const struct xds_endpoint_child *const *a = left, *const *b = right;

    return xds_slice_cmp((*a)->order, (*b)->order);
}

/* By address, by hash key as the members are, or in the order of the list. */
static void sort_children(struct xds_ring_hash *self)
{
    const enum xds_client client = self->policy.machine->client;
    const struct xds_endpoint_child_list *in_use = &self->children.in_use;
    struct xds_endpoint_child *const *from =
        xds_newest_differs(client, XDS_DIFF_RING_CHILDREN_BY_KEY) ? self->member
                                                                  : in_use->list;

    if (in_use->n)
        memcpy(self->by_order, from, in_use->n * sizeof(*self->by_order));
    if (!in_use->n || !xds_newest_differs(client, XDS_DIFF_RING_CHILDREN_SORTED))
        return;
    for (size_t i = 0; i < in_use->n; i++)
        if (!in_use->list[i]->order.data)
            in_use->list[i]->order = xds_address_set_order(self->policy.machine->arena,
                                                           in_use->list[i]->endpoint);
    qsort(self->by_order, in_use->n, sizeof(*self->by_order), compare_orders);
}

static void make_room(struct xds_ring_hash *self, size_t n)
{
    struct xds_arena *arena = self->policy.machine->arena;

    if (n <= self->cap)
        return;
    self->cap = n > 2 * self->cap ? n : 2 * self->cap;
    self->member = XDS_NEW_ARRAY(arena, struct xds_endpoint_child *, self->cap);
    self->by_order = XDS_NEW_ARRAY(arena, struct xds_endpoint_child *, self->cap);
}

void xds_ring_hash_update(struct xds_ring_hash *self,
                          const struct xds_endpoint *const *endpoints, size_t n,
                          const struct xds_ring_over *over)
{
    self->settling = true; /* what children say meanwhile is reported at the end */
    make_room(self, n > over->n_members ? n : over->n_members);
    xds_endpoint_children_update(&self->children, endpoints, n);
    self->over = *over;
    for (size_t i = 0; i < over->n_members; i++)
        self->member[i] =
            xds_endpoint_children_find(&self->children, endpoints[over->members[i].host]);
    sort_children(self);
    self->settling = false;
    self->updating = true;
    settle(self);
    self->updating = false;
}

/* ---- picks ---- */

static struct xds_endpoint_child *child_at(const struct xds_ring_hash *self, size_t entry)
{
    const struct xds_ring *ring = self->over.ring;

    return self->member[ring->entries[entry % ring->n].member];
}

/* The first child from the entry on that is in such a state; each is met once. */
static struct xds_endpoint_child *walk(struct xds_ring_hash *self, size_t from,
                                       enum xds_connectivity least)
{
    size_t left = self->children.in_use.n;

    self->walk++;
    for (size_t i = from; left > 0 && i < from + self->over.ring->n; i++) {
        struct xds_endpoint_child *child = child_at(self, i);

        if (child->state >= least)
            return child;
        left -= child->met != self->walk;
        child->met = self->walk;
    }
    return NULL;
}

static struct xds_pick_result queue(const struct xds_endpoint_child *child,
                                    const char *why)
{
    return (struct xds_pick_result){.kind = XDS_PICK_QUEUE,
                                    .address = child->endpoint->addresses[0],
                                    .reason = xds_slice_of(why)};
}

static struct xds_pick_result take(struct xds_ring_hash *self, size_t first,
                                   struct xds_endpoint_child *child,
                                   const struct xds_pick_call *call)
{
    if (!child)
        return (struct xds_pick_result){
            .kind = XDS_PICK_FAIL,
            .reason = xds_arena_printf(
                self->policy.machine->step_arena,
                "ring hash cannot find a connected endpoint; first failure: %.*s",
                XDS_FMT(child_at(self, first)->policy.policy.report.status))};
    if (child->state == XDS_STATE_READY)
        return xds_endpoint_child_pick(child, call);
    if (child->state == XDS_STATE_CONNECTING)
        return queue(child, "the endpoint on the ring is CONNECTING");
    xds_endpoint_child_connect(child);
    return queue(child, "the endpoint on the ring was IDLE and begins to connect");
}

/* gRFC A76, the RPC has no such header: the best that there is, so that no endpoint is
 * made to connect while another is connected or connecting. */
static enum xds_connectivity least_state(const struct xds_ring_hash *self,
                                         const struct xds_pick_call *call)
{
    const size_t *count = self->children.count;

    if (call->any_ready && count[XDS_STATE_READY])
        return XDS_STATE_READY;
    return call->any_ready && count[XDS_STATE_CONNECTING] ? XDS_STATE_CONNECTING
                                                          : XDS_STATE_IDLE;
}

static struct xds_pick_result without_hash(const struct xds_pick_call *call)
{
    if (call->any_ready)
        return (struct xds_pick_result){
            .kind = XDS_PICK_OPEN,
            .reason = XDS_S("where on the ring it begins is up to a random number")};
    return (struct xds_pick_result){.kind = XDS_PICK_FAIL,
                                    .internal = true,
                                    .reason = XDS_S("hash attribute not present")};
}

static struct xds_pick_result pick(struct xds_policy *policy,
                                   const struct xds_pick_call *call)
{
    struct xds_ring_hash *self = (struct xds_ring_hash *)policy;

    if (!self->over.ring || self->over.ring->n == 0)
        return (struct xds_pick_result){.kind = XDS_PICK_FAIL,
                                        .reason = policy->report.status};
    if (!call->has_hash)
        return without_hash(call);
    const size_t first = xds_ring_find(self->over.ring, call->hash);

    return take(self, first, walk(self, first, least_state(self, call)), call);
}

/* Each arc leads to the first child from there on that may be taken. Two rounds backwards
 * know it for every entry. */
static void share_arcs(struct xds_ring_hash *self, enum xds_connectivity least,
                       xds_u128 *hashes)
{
    const struct xds_ring *ring = self->over.ring;
    size_t next = SIZE_MAX;

    for (size_t k = 2 * ring->n; k-- > 0;) {
        const size_t member = ring->entries[k % ring->n].member;

        if (self->member[member]->state >= least)
            next = member;
        if (k < ring->n && next != SIZE_MAX)
            hashes[next] += xds_ring_arc(ring, k);
    }
}

static void shares(struct xds_policy *policy, const struct xds_pick_call *call,
                   struct xds_share part, struct xds_pick_shares *out)
{
    struct xds_ring_hash *self = (struct xds_ring_hash *)policy;
    const enum xds_connectivity least = least_state(self, call);

    if (!self->over.ring || self->over.ring->n == 0)
        return;
    if (call->has_hash) {
        struct xds_endpoint_child *child =
            walk(self, xds_ring_find(self->over.ring, call->hash), least);

        if (child)
            xds_endpoint_child_shares(child, call, part, out);
        return;
    }
    xds_u128 *hashes =
        XDS_NEW_ARRAY(policy->machine->step_arena, xds_u128, self->over.n_members);

    share_arcs(self, least, hashes);
    for (size_t i = 0; i < self->over.n_members; i++)
        if (hashes[i])
            xds_endpoint_child_shares(self->member[i], call,
                                      xds_share_times(part, xds_ring_share(hashes[i])),
                                      out);
}

/* ---- the policy ---- */

/* Picks make endpoints connect, nothing else does. */
static void exit_idle(struct xds_policy *policy)
{
    (void)policy;
}

/* One that is READY continues with its endpoints. */
static void resolver_error(struct xds_policy *policy, struct xds_slice status)
{
    if (policy->report.state != XDS_STATE_READY)
        xds_policy_fail(policy, status);
}

static void destroy(struct xds_policy *policy)
{
    struct xds_ring_hash *self = (struct xds_ring_hash *)policy;

    xds_clock_cancel(&policy->machine->clock, &self->push);
    xds_endpoint_children_destroy(&self->children);
}

static const struct xds_policy_ops ops = {
    .name = "ring_hash_experimental",
    .child_report = child_report,
    .exit_idle = exit_idle,
    .resolver_error = resolver_error,
    .pick = pick,
    .shares = shares,
    .destroy = destroy,
};

void xds_ring_hash_init(struct xds_ring_hash *self, struct xds_machine *machine,
                        struct xds_policy *parent, struct xds_slice name,
                        const struct xds_subchannel_maker *maker)
{
    *self = (struct xds_ring_hash){.policy = {.ops = &ops,
                                              .machine = machine,
                                              .parent = parent,
                                              .name = name,
                                              .report = XDS_LB_REPORT_NEW}};
    self->push = (struct xds_timer){
        .rank = XDS_TIMER_ATTEMPT, .name = name, .fire = push_now, .owner = self};
    /* At rest each endpoint was asked for once. */
    xds_endpoint_children_init(&self->children, &self->policy, maker, !machine->at_rest);
}
