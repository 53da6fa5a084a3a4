/*
 * override_host_pick.c - where an RPC with a session cookie goes, by the states of now.
 *
 * Source: gRFC A55, A61, A75, spec routing 8.4.
 */
#include "lb/override_host_parts.h"

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

static struct xds_slice joined(struct xds_arena *arena, const struct xds_slice *list,
                               size_t n)
{
    size_t size = n; /* of all and the commas between */
    size_t at = 0;

    for (size_t i = 0; i < n; i++)
        size += list[i].len;
    char *text = xds_arena_alloc(arena, size);

    for (size_t i = 0; i < n; i++) {
        if (i > 0)
            text[at++] = ',';
        if (list[i].len)
            memcpy(text + at, list[i].data, list[i].len);
        at += list[i].len;
    }
    return xds_slice_make(text, at);
}

/* A session goes to this entry. */
static void use(struct xds_override_host *self, const struct xds_pick_call *call,
                struct xds_override_entry *entry)
{
    struct xds_arena *step_arena = self->policy.machine->step_arena;
    struct xds_slice *list;

    entry->last_used_ms = self->policy.machine->clock.now_ms;
    xds_override_host_wake_sweep(self);
    if (!call->actual)
        return;
    const size_t n = xds_override_host_addresses(self, entry, step_arena, &list);
    *call->actual = joined(step_arena, list, n);
}

static void consider(const struct xds_override_host *self,
                     struct xds_override_choice *choice, struct xds_override_entry *entry)
{
    const struct xds_override_candidate candidate = {
        .usable = xds_override_admits(self->status, entry->health),
        .has_subchannel = entry->owner != XDS_SUBCHANNEL_NONE,
        .state = entry->state,
    };

    xds_override_consider(choice, entry, &candidate);
}

/* OH-c: A55 finds the other addresses through the endpoint of the one in the cookie. */
static void consider_equivalents(const struct xds_override_host *self,
                                 struct xds_override_choice *choice,
                                 const struct xds_override_entry *entry)
{
    for (size_t i = 0; i < entry->n; i++) {
        struct xds_override_entry *other = self->listed[entry->first + i];
        if (other != entry)
            consider(self, choice, other);
    }
}

static struct xds_override_choice choose(const struct xds_override_host *self,
                                         const struct xds_pick_call *call)
{
    const bool one_address = self->generation == XDS_OVERRIDE_A55;
    const size_t n = one_address && call->n_overridden ? 1 : call->n_overridden;
    struct xds_override_choice choice = xds_override_choice_start(self->generation);

    for (size_t i = 0; i < n; i++) {
        struct xds_override_entry *entry =
            xds_override_host_find(self, call->overridden[i]);
        if (!entry)
            continue;
        consider(self, &choice, entry);
        if (one_address)
            consider_equivalents(self, &choice, entry);
    }
    return choice;
}

/* A subchannel of our own, idle until the pick that waits for it is repeated. */
static void create_subchannel(struct xds_override_host *self,
                              struct xds_override_entry *entry)
{
    entry->owner = XDS_SUBCHANNEL_OURS;
    entry->state = XDS_STATE_IDLE;
    xds_override_host_wake_sweep(self);
    XDS_OVERRIDE_SAY(self, "opens a connection of its own to %.*s for a session",
                     XDS_FMT(entry->address));
    self->hooks.create(self->hooks.user, entry->address);
    xds_override_host_publish_again(self);
}

/* By rank: what is done, and what becomes of the RPC. */
static const struct step {
    enum xds_override_verdict verdict;
    enum xds_override_action action;
} steps[] = {
    [XDS_RANK_READY] = {XDS_OVERRIDE_COMPLETE, XDS_OVERRIDE_NO_ACTION},
    [XDS_RANK_IDLE] = {XDS_OVERRIDE_QUEUE, XDS_OVERRIDE_CONNECT},
    [XDS_RANK_CONNECTING] = {XDS_OVERRIDE_QUEUE, XDS_OVERRIDE_NO_ACTION},
    [XDS_RANK_NONE] = {XDS_OVERRIDE_QUEUE, XDS_OVERRIDE_CREATE_SUBCHANNEL},
    [XDS_RANK_UNUSABLE] = {XDS_OVERRIDE_DELEGATE, XDS_OVERRIDE_NO_ACTION},
};

static void act(struct xds_override_host *self, const struct xds_pick_call *call,
                enum xds_override_rank rank, struct xds_override_entry *entry)
{
    switch (rank) {
    case XDS_RANK_READY:
        use(self, call, entry);
        break;
    case XDS_RANK_IDLE:
        XDS_OVERRIDE_SAY(self, "asks the connection to %.*s to connect",
                         XDS_FMT(entry->address));
        self->hooks.connect(self->hooks.user, entry->address);
        break;
    case XDS_RANK_NONE:
        create_subchannel(self, entry);
        break;
    case XDS_RANK_CONNECTING:
    case XDS_RANK_UNUSABLE:
        break;
    }
}

struct xds_override_decision xds_override_host_decide(struct xds_override_host *self,
                                                      const struct xds_pick_call *call)
{
    struct xds_override_decision d = {.verdict = XDS_OVERRIDE_DELEGATE,
                                      .reason = XDS_S("the RPC has no session")};

    if (!call->has_override)
        return d;
    if (call->n_overridden == 0) {
        d.reason = XDS_S("the RPC has no cookie that names a host");
        return d;
    }
    const struct xds_override_choice choice = choose(self, call);

    d.verdict = steps[choice.rank].verdict;
    d.action = steps[choice.rank].action;
    d.host = choice.best;
    d.reason = xds_override_reason(&choice);
    act(self, call, choice.rank, choice.best);
    return d;
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

struct xds_pick_result xds_override_host_pick_rpc(struct xds_policy *policy,
                                                  const struct xds_pick_call *call)
{
    struct xds_override_host *self = xds_override_host_of(policy);
    const struct xds_override_decision d = xds_override_host_decide(self, call);

    if (d.verdict == XDS_OVERRIDE_QUEUE)
        return (struct xds_pick_result){.kind = XDS_PICK_QUEUE, .reason = d.reason};
    if (d.verdict == XDS_OVERRIDE_COMPLETE)
        return (struct xds_pick_result){
            .kind = XDS_PICK_COMPLETE, .address = d.host->address, .reason = d.reason};
    if (!self->child)
        return (struct xds_pick_result){.kind = XDS_PICK_QUEUE,
                                        .reason = XDS_S("no endpoints are known yet")};
    const struct xds_pick_result r = xds_policy_pick(self->child, call);

    if (r.kind == XDS_PICK_COMPLETE)
        xds_override_host_picked(self, call, r.address);
    return r;
}
