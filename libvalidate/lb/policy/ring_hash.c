/*
 * ring_hash.c - ring_hash_experimental: which configs a client cannot use, the hash of an
 *               RPC, and the policy as a machine.
 *
 * States: READY if one endpoint is; TRANSIENT_FAILURE if two are; CONNECTING if one is,
 *         or if one of several has failed; IDLE if one is; else TRANSIENT_FAILURE.
 * Fails:  an RPC without a hash (INTERNAL), or when every endpoint has failed.
 * Source: gRFC A42, A61, A76, spec routing 9.4 to 9.6, R-e.
 */
#include "lb/policy.h"

#include "base/ascii.h"

#include <stdlib.h>
#include <xxhash.h>

/* ---- configs and endpoints that cannot be used ---- */

bool xds_ring_is_refused(const struct xds_lb *lb, const struct xds_lb_policy *policy,
                         struct xds_host_group group)
{
    struct xds_strmap seen;

    if (!XDS_DIFFERS(lb->rpc, XDS_DIFF_RING_SAME_ADDRESSES_REFUSED) ||
        policy->kind != XDS_LB_RING_HASH)
        return false;
    xds_strmap_init(&seen, lb->rpc->arena);
    for (size_t i = 0; i < group.n; i++) {
        void **slot = xds_strmap_at(
            &seen, xds_address_set_text(lb->rpc->arena, group.hosts[i].endpoint));
        if (*slot)
            return true;
        *slot = &seen;
    }
    return false;
}

enum { RING_SIZE_MAX = 8388608 };

static struct xds_slice too_large(struct xds_arena *arena, const char *name,
                                  uint64_t size)
{
    return xds_arena_printf(arena,
                            "%s_ring_size value of %llu is greater than max supported "
                            "value %d for this field",
                            name, (unsigned long long)size, RING_SIZE_MAX);
}

/* Why go cannot parse the sizes, or absent. */
static struct xds_slice fault_of(struct xds_arena *arena, struct xds_ring_sizes sizes)
{
    if (sizes.min > RING_SIZE_MAX)
        return too_large(arena, "min", sizes.min);
    if (sizes.max > RING_SIZE_MAX)
        return too_large(arena, "max", sizes.max);
    if (sizes.min <= sizes.max)
        return xds_slice_make(NULL, 0);
    return xds_arena_printf(arena, "min %llu is greater than max %llu",
                            (unsigned long long)sizes.min, (unsigned long long)sizes.max);
}

struct xds_ring_fault xds_ring_fault_of(const struct xds_lb *lb,
                                        const struct xds_lb_policy *policy)
{
    const struct xds_rpc *rpc = lb->rpc;

    if (!policy || policy->kind != XDS_LB_RING_HASH)
        return (struct xds_ring_fault){.waits = false};
    const struct xds_ring_sizes sizes = xds_ring_sizes_of(lb, policy);

    if (policy->wrr_locality && XDS_DIFFERS(rpc, XDS_DIFF_RING_BELOW_LOCALITY_IDLE))
        return (struct xds_ring_fault){
            .text = XDS_S("the RPC waits until its deadline: ring_hash below "
                          "xds_wrr_locality never connects"),
            .waits = true,
            .holds = true};
    if (XDS_DIFFERS(rpc, XDS_DIFF_RING_SIZE_ZERO_EMPTY) &&
        (sizes.min == 0 || sizes.max == 0))
        return (struct xds_ring_fault){.text =
                                           XDS_S("ring_hash: invalid state: all child "
                                                 "balancers in TRANSIENT_FAILURE"),
                                       .holds = true};
    if (XDS_DIFFERS(rpc, XDS_DIFF_RING_SIZES_FAIL)) {
        const bool waits = XDS_DIFFERS(rpc, XDS_DIFF_RING_SIZES_WAIT);
        const struct xds_slice fault = fault_of(rpc->arena, sizes);
        struct xds_ring_fault out = {.waits = waits};

        if (fault.data)
            out.text = xds_arena_printf(
                rpc->arena,
                "%serror unmarshalling xDS LB Policy: error parsing "
                "loadBalancingConfig for policy \"ring_hash_experimental\": %.*s",
                waits ? "the RPC waits until its deadline: " : "", XDS_FMT(fault));
        return out;
    }
    return (struct xds_ring_fault){.waits = false};
}

/* ---- the hash of an RPC ---- */

/* Metadata has lower-case names, so a name that is not folded may never match. */
static struct xds_slice header_name(const struct xds_rpc *rpc, struct xds_slice name)
{
    char *folded = xds_arena_alloc(rpc->arena, name.len + 1);

    if (!XDS_DIFFERS(rpc, XDS_DIFF_HASH_HEADER_FOLDED))
        return name;
    for (size_t i = 0; i < name.len; i++)
        folded[i] = xds_ascii_lower(name.data[i]);
    return xds_slice_make(folded, name.len);
}

struct xds_request_key xds_ring_key(const struct xds_lb *lb,
                                    const struct xds_lb_policy *policy,
                                    struct xds_request_key of_route)
{
    const struct xds_rpc *rpc = lb->rpc;
    struct xds_request_key key = {.own_header = true};
    struct xds_slice value;

    if (policy->kind != XDS_LB_RING_HASH || policy->request_hash_header.len == 0 ||
        !XDS_ENV_ON(rpc, XDS_ENV_RING_HASH_SET_REQUEST_HASH_KEY))
        return of_route;
    key.has_hash =
        xds_metadata_get(rpc, header_name(rpc, policy->request_hash_header), &value);
    if (key.has_hash) {
        key.hash = XXH64(value.len ? value.data : "", value.len, 0);
        return key;
    }
    /* The number that the user gives for a random hash serves here too. */
    key.any_ready = true;
    key.has_hash = rpc->request->has_hash;
    key.hash = rpc->request->hash;
    return key;
}

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

/* Under a priority policy a failing child gets no RPCs, so nothing would make it connect.
 */
static bool needs_a_push(const struct xds_ring_hash *self)
{
    const size_t *count = self->children.count;
    const enum xds_connectivity state = self->policy.report.state;

    return !XDS_DIFFERS(self->policy.machine, XDS_DIFF_RING_ASKED_BY_RPCS) &&
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

    if (!self->updating || !XDS_DIFFERS(self->policy.machine, XDS_DIFF_RING_ASKS_LATER))
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

        /* Which child an RPC finds depends on its hash, so there always is a picker. */
        struct xds_lb_report report = {.state = state_of(&self->children),
                                       .has_picker = true,
                                       .picker = self->policy.name};

        if (report.state == XDS_STATE_TRANSIENT_FAILURE)
            report.status = self->children.in_use.n
                                ? XDS_S("the endpoints that were tried have failed")
                                : XDS_S("empty address list");
        xds_policy_publish(&self->policy, report);
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
    const struct xds_machine *machine = self->policy.machine;
    const struct xds_endpoint_child_list *in_use = &self->children.in_use;
    struct xds_endpoint_child *const *from =
        XDS_DIFFERS(machine, XDS_DIFF_RING_CHILDREN_BY_KEY) ? self->member : in_use->list;

    if (in_use->n)
        memcpy(self->by_order, from, in_use->n * sizeof(*self->by_order));
    if (!in_use->n || !XDS_DIFFERS(machine, XDS_DIFF_RING_CHILDREN_SORTED))
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

/* A step of the walk, for a reader. */
static void add_step(const struct xds_ring_hash *self, struct xds_ring_use *use,
                     size_t entry, bool taken)
{
    const struct xds_ring_member *member =
        &self->over.members[self->over.ring->entries[entry].member];

    if (!use->walk)
        use->walk = XDS_NEW_ARRAY(self->policy.machine->step_arena, struct xds_ring_step,
                                  taken ? 1 : self->children.in_use.n);
    use->walk[use->n_walk++] =
        (struct xds_ring_step){entry, &use->group.hosts[member->host], taken};
}

/* The first child from the entry on that is in such a state, and its entry; each is met
 * once. use: NULL, or receives the steps. */
static struct xds_endpoint_child *walk(struct xds_ring_hash *self, size_t *entry,
                                       enum xds_connectivity least,
                                       struct xds_ring_use *use)
{
    const size_t end = *entry + self->over.ring->n;
    size_t left = self->children.in_use.n;

    self->walk++;
    for (size_t i = *entry; left > 0 && i < end; i++) {
        struct xds_endpoint_child *child = child_at(self, i);

        if (child->met == self->walk)
            continue;
        child->met = self->walk;
        left--;
        if (use)
            add_step(self, use, i % self->over.ring->n, child->state >= least);
        *entry = i;
        if (child->state >= least)
            return child;
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

static struct xds_pick_result pick(struct xds_policy *policy,
                                   const struct xds_pick_call *call)
{
    struct xds_ring_hash *self = (struct xds_ring_hash *)policy;

    if (!self->over.ring || self->over.ring->n == 0)
        return xds_pick_why(XDS_PICK_FAIL, policy->report.status);
    if (!call->has_hash) {
        if (call->any_ready)
            return xds_pick_why(
                XDS_PICK_OPEN,
                XDS_S("where on the ring it begins is up to a random number"));
        return (struct xds_pick_result){.kind = XDS_PICK_FAIL,
                                        .internal = true,
                                        .reason = XDS_S("hash attribute not present")};
    }
    const size_t first = xds_ring_find(self->over.ring, call->hash);
    size_t last = first;
    struct xds_endpoint_child *child = walk(self, &last, least_state(self, call), NULL);

    if (!child)
        return (struct xds_pick_result){
            .kind = XDS_PICK_FAIL,
            .reason = xds_arena_printf(
                self->policy.machine->step_arena,
                "ring hash cannot find a connected endpoint; first failure: %.*s",
                XDS_FMT(child_at(self, first)->policy->policy.policy.report.status))};
    if (child->state == XDS_STATE_READY)
        return xds_endpoint_child_pick(child, call);
    if (child->state == XDS_STATE_CONNECTING)
        return queue(child, "the endpoint on the ring is CONNECTING");
    xds_endpoint_child_connect(child);
    return queue(child, "the endpoint on the ring was IDLE and begins to connect");
}

static void share_member(const struct xds_ring_hash *self, size_t i,
                         const struct xds_pick_call *call, struct xds_share part,
                         struct xds_pick_shares *out)
{
    size_t at = out->n;

    xds_endpoint_child_shares(self->member[i], call, part, out);
    for (; self->over.use.ring && at < out->n; at++)
        out->list[at].host = &self->over.use.group.hosts[self->over.members[i].host];
}

/* How many hashes lead to each member. Each arc leads to the first child from there on
 * that may be taken; two rounds backwards know it for every entry. */
static const xds_u128 *hashes_of(const struct xds_ring_hash *self,
                                 enum xds_connectivity least)
{
    const struct xds_ring *ring = self->over.ring;
    xds_u128 *hashes =
        XDS_NEW_ARRAY(self->policy.machine->step_arena, xds_u128, self->over.n_members);
    size_t next = SIZE_MAX;

    for (size_t k = 2 * ring->n; k-- > 0;) {
        const size_t member = ring->entries[k % ring->n].member;

        if (self->member[member]->state >= least)
            next = member;
        if (k < ring->n && next != SIZE_MAX)
            hashes[next] += xds_ring_arc(ring, k);
    }
    return hashes;
}

/* A random hash. What every child takes part in was counted with the ring. */
static void share_ring(struct xds_ring_hash *self, const struct xds_pick_call *call,
                       struct xds_share part, struct xds_pick_shares *out)
{
    const struct xds_ring_over *over = &self->over;
    const enum xds_connectivity least = least_state(self, call);
    size_t n_taken = 0;

    for (size_t state = least; state <= XDS_STATE_READY; state++)
        n_taken += self->children.count[state];
    const bool counted = over->use.ring && n_taken == self->children.in_use.n;
    const xds_u128 *hashes = counted ? NULL : hashes_of(self, least);

    for (size_t i = 0; i < over->n_members; i++) {
        const struct xds_share share =
            counted ? over->use.ring->seats[i].share : xds_ring_share(hashes[i]);

        if (share.value > 0)
            share_member(self, i, call, xds_share_times(part, share), out);
    }
}

static void shares(struct xds_policy *policy, const struct xds_pick_call *call,
                   struct xds_share part, struct xds_pick_shares *out)
{
    struct xds_ring_hash *self = (struct xds_ring_hash *)policy;
    const struct xds_ring_over *over = &self->over;

    if (!over->ring || over->ring->n == 0)
        return;
    struct xds_ring_use *use =
        over->use.ring ? xds_pick_shares_ring(out, &over->use) : NULL;
    uint64_t drawn;
    xds_u128 hash = call->hash;

    if (!call->has_hash) {
        if (policy->machine->at_rest ||
            !xds_random_draw(call->random, UINT64_MAX, &drawn)) {
            share_ring(self, call, part, out);
            return;
        }
        hash = drawn;
    }
    const size_t first = xds_ring_find(over->ring, hash);
    size_t last = first;
    const struct xds_endpoint_child *child =
        walk(self, &last, least_state(self, call), use);

    if (use)
        use->index = first;
    if (!child)
        return;
    if (use && !call->any_ready) /* the third was taken only when connected */
        use->older_fails = use->n_walk > 2 && child->state != XDS_STATE_READY;
    share_member(self, over->ring->entries[last % over->ring->n].member, call, part, out);
}

/* ---- the policy ---- */

static void destroy(struct xds_policy *policy)
{
    struct xds_ring_hash *self = (struct xds_ring_hash *)policy;

    xds_clock_cancel(&policy->machine->clock, &self->push);
    xds_endpoint_children_destroy(&self->children);
}

static const struct xds_policy_ops ops = {
    .name = "ring_hash_experimental",
    .child_report = child_report,
    .exit_idle = NULL, /* picks make endpoints connect, nothing else does */
    .resolver_error = xds_policy_fail_unless_ready,
    .pick = pick,
    .shares = shares,
    .destroy = destroy,
};

static void init(struct xds_policy *policy, struct xds_machine *machine,
                 struct xds_policy *parent, struct xds_slice name,
                 const struct xds_subchannel_maker *maker)
{
    struct xds_ring_hash *self = (struct xds_ring_hash *)(void *)policy;

    *self = (struct xds_ring_hash){.policy = xds_policy_new(&ops, machine, parent, name)};
    self->push = (struct xds_timer){
        .rank = XDS_TIMER_ATTEMPT, .name = name, .fire = push_now, .owner = self};
    /* At rest each endpoint was asked for once. */
    xds_endpoint_children_init(&self->children, &self->policy, maker, !machine->at_rest);
}

static void update(struct xds_policy *policy, const struct xds_leaf_update *update)
{
    struct xds_host_group group = update->group;
    struct xds_ring_over over = {.ring = NULL};

    if (xds_ring_is_refused(update->lb, update->policy, group))
        group.n = 0;
    if (group.n > 0) {
        const struct xds_host_ring *ring =
            xds_host_ring_of(update->lb, update->policy, update->candidates, group);

        over = (struct xds_ring_over){.ring = &ring->ring,
                                      .members = ring->members,
                                      .n_members = ring->n_members,
                                      .use = {.ring = ring,
                                              .group = group,
                                              .locality = update->policy->wrr_locality
                                                              ? group.hosts->locality
                                                              : NULL}};
    }
    xds_ring_hash_update((struct xds_ring_hash *)(void *)policy, update->endpoints,
                         group.n, &over);
}

const struct xds_leaf_machine xds_leaf_ring_hash = {
    "ring_hash_experimental", sizeof(struct xds_ring_hash), init, update};
