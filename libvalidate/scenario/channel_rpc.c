/*
 * channel_rpc.c - one RPC of a client that runs.
 *
 * Source: gRFC A28, A55, A60, A75, spec routing 0, 8.4 and 13.
 */
#include "scenario/scenario.h"

#include "base/text.h"
#include "explain/decision.h"
#include "explain/request_read.h"

struct rpc {
    struct xds_channel *channel;
    const struct xds_tree *event;
    struct xds_request request;
    const struct xds_decision *decision;
    struct xds_cluster_rpc holds;
};

/* ---- the request ---- */

/* "NAME=VALUE" of the set-cookie that the response of a former step carried. */
static void read_cookie_from(struct rpc *r, struct xds_request_reader *reader)
{
    struct xds_play *play = r->channel->play;
    const uint64_t from =
        xds_event_number(play, r->event, "cookie_from", UINT32_MAX, UINT64_MAX);

    if (from == UINT64_MAX)
        return;
    if (reader->cookies.data) {
        xds_play_fault(play, xds_tree_member(r->event, "cookie_from"),
                       "\"cookie_from\" and \"cookie\" exclude each other");
        return;
    }
    const struct xds_slice *kept = xds_strmap_get(
        &r->channel->cookies,
        xds_arena_printf(play->machine.step_arena, "%llu", (unsigned long long)from));

    if (kept)
        reader->cookies = *kept;
    else
        xds_play_fault(play, xds_tree_member(r->event, "cookie_from"),
                       "\"cookie_from\": step %llu received no set-cookie",
                       (unsigned long long)from);
}

static void read_members(struct rpc *r, struct xds_request_reader *reader)
{
    static const char *const keys[] = {"path", "authority", "headers", "cookie"};
    struct xds_play *play = r->channel->play;

    for (size_t i = 0; i < XDS_ARRAY_LEN(keys); i++) {
        const struct xds_tree *member = xds_tree_member(r->event, keys[i]);

        if (member && xds_request_read_member(reader, member) == XDS_MEMBER_WRONG)
            xds_play_fault(play, reader->wrong, "%.*s", XDS_FMT(reader->fault));
    }
    if (reader->rpc.path.len == 0)
        xds_play_fault(play, r->event, "\"path\" is missing");
}

static bool explain(struct rpc *r)
{
    struct xds_play *play = r->channel->play;
    const enum xds_status status =
        xds_explain(r->channel->explainer, &r->request, &r->decision);

    if (status == XDS_ERR_NO_MEMORY)
        xds_arena_give_up(play->machine.arena);
    if (status != XDS_OK || !r->decision)
        xds_play_fault(play, r->event,
                       "\"target\" is missing: it names the listener of the RPC");
    return !play->failed;
}

/* ---- the decision as a tree ---- */

static bool write_text(void *user, const char *data, size_t len)
{
    xds_text_add(user, xds_slice_make(data, len));
    return true;
}

/* The keys of explain's JSON are those of its contract, so they are taken from there. */
static bool tell_decision(const struct rpc *r)
{
    struct xds_play *play = r->channel->play;
    struct xds_text text = {.arena = play->step->arena};
    const struct xds_printer printer = {
        .write = write_text, .user = &text, .one_line = true};
    struct xds_json_fault fault;
    struct xds_tree tree;

    if (xds_print_decision_json(&printer, r->decision) != XDS_OK ||
        !xds_tree_read(play->step->arena, xds_slice_make(text.data, text.len), &tree,
                       &fault))
        return xds_play_fault(play, r->event, "the RPC cannot be explained");
    for (size_t i = 0; i < tree.n; i++)
        if (!xds_slice_is(tree.items[i].key, "version") &&
            !xds_slice_is(tree.items[i].key, "request"))
            xds_step_set(play->step, tree.items[i].key.data, tree.items[i]);
    return true;
}

/* ---- the pick ---- */

/* Of all hosts that are possible one is connected; false: the RPC waits, or none is. */
static bool can_complete(const struct xds_decision *d)
{
    for (size_t i = 0; i < d->n_hosts; i++)
        if (d->hosts[i].host->state == XDS_STATE_READY)
            return true;
    return d->host && d->host->state == XDS_STATE_READY;
}

/* What is not ours to know: a policy that round_robin stands in for, a random hash. */
static bool is_open(const struct xds_decision *d, const struct xds_pick_call *call)
{
    const struct xds_lb_policy *policy = d->policy;

    return policy && (xds_lb_traits(policy)->open ||
                      (xds_lb_traits(policy)->hashes && !call->has_hash));
}

/* Without a hash policy the hash is random: a number of the step, or none is needed as
 * every hash leads to the same host. */
static void give_hash(const struct xds_decision *d, struct xds_pick_call *call)
{
    const bool is_ring = d->policy && xds_lb_traits(d->policy)->hashes;
    uint64_t drawn;

    call->has_hash = d->has_hash;
    call->hash = d->hash;
    call->any_ready = d->n_rings > 0 && d->rings->key.any_ready;
    if (!is_ring || call->has_hash)
        return;
    call->has_hash = d->n_hosts == 1;
    if (xds_random_draw(call->random, UINT64_MAX, &drawn)) {
        call->has_hash = true;
        call->hash = drawn;
    }
}

static struct xds_pick_result ask_once(struct rpc *r, bool *open)
{
    const struct xds_session *session = r->decision->session;
    struct xds_policy *manager = &r->channel->manager.policy;
    const struct xds_random *random = &r->channel->play->step->random;
    struct xds_random left = {random->values, random->n, r->decision->drawn};
    struct xds_slice actual = {NULL, 0};
    struct xds_pick_call call = {
        .random = &left, .cluster_key = r->holds.key, .actual = &actual};

    if (session && session->acts) {
        call.has_override = true;
        call.overridden = session->cookie.addresses;
        call.n_overridden = session->cookie.n_addresses;
    }
    give_hash(r->decision, &call);
    *open = is_open(r->decision, &call);
    return xds_policy_pick(manager, &call);
}

/* Let the policies do what a pick makes them do: connect, create a subchannel, remember
 * that a session used a host. What queues is picked again: it then finds the subchannel
 * that was created for it, which may be connected. */
static struct xds_pick_result ask_policies(struct rpc *r)
{
    bool open;
    struct xds_pick_result result = ask_once(r, &open);

    if (result.kind == XDS_PICK_QUEUE) {
        xds_channel_settle(r->channel);
        result = ask_once(r, &open);
        if (result.kind != XDS_PICK_QUEUE && !explain(r))
            open = true; /* a fault of the play */
    }
    if (open)
        result.kind = XDS_PICK_OPEN;
    return result;
}

/* Chance decides the key of some, and there is none without a route. */
static bool gets_to_policies(const struct rpc *r)
{
    const struct xds_decision *d = r->decision;

    return r->holds.key.data && !d->refused &&
           (d->outcome == XDS_OUTCOME_ROUTED || d->outcome == XDS_OUTCOME_UNAVAILABLE);
}

static const char *kind_name(enum xds_pick_kind kind)
{
    static const char *const names[] = {[XDS_PICK_COMPLETE] = "complete",
                                        [XDS_PICK_QUEUE] = "queue",
                                        [XDS_PICK_FAIL] = "fail",
                                        [XDS_PICK_DROP] = "drop"};

    return names[kind];
}

static void tell_pick(struct rpc *r, enum xds_pick_kind kind)
{
    struct xds_step *step = r->channel->play->step;
    const struct xds_host *host = r->decision->host;
    const struct xds_tree null = {.kind = XDS_TREE_NULL};
    const bool complete = kind == XDS_PICK_COMPLETE;
    struct xds_tree pick = xds_tree_object();

    xds_tree_put(step->arena, &pick, "result", xds_tree_text(kind_name(kind)));
    xds_tree_put(step->arena, &pick, "host",
                 complete && host ? xds_tree_string(xds_arena_dup(
                                        step->arena, xds_host_address_of(host)))
                                  : null);
    xds_step_set(step, "pick", pick);
    if (complete)
        return;
    xds_step_set(step, "host", null);
    xds_step_set(step, "set_cookie", null);
}

/* A queued RPC has got no status: it waits. */
static void tell_queue(struct rpc *r)
{
    struct xds_step *step = r->channel->play->step;

    if (r->decision->outcome != XDS_OUTCOME_UNAVAILABLE)
        return;
    xds_step_set(step, "outcome", xds_tree_text("routed"));
    xds_step_set(step, "status", (struct xds_tree){.kind = XDS_TREE_NULL});
}

/* "NAME=VALUE", without the attributes after. */
static void keep_cookie(struct rpc *r)
{
    struct xds_channel *self = r->channel;
    struct xds_arena *run_arena = self->shared.machine->arena;
    struct xds_slice cookie;

    if (!r->decision->set_cookie.data)
        return;
    xds_slice_cut(r->decision->set_cookie, ';', &cookie);
    struct xds_slice *kept = XDS_NEW(run_arena, struct xds_slice);

    *kept = xds_arena_dup(run_arena, cookie);
    *xds_strmap_at(&self->cookies, xds_arena_printf(self->shared.machine->step_arena,
                                                    "%zu", self->play->step->index)) =
        kept;
}

/* ---- the whole ---- */

/* The config selector, and the filter that settles the cluster. */
static void select_cluster(struct rpc *r)
{
    struct xds_machine *machine = r->channel->shared.machine;
    struct xds_random random = r->channel->play->step->random;
    const struct xds_rpc call = {.client = machine->client,
                                 .options = machine->options,
                                 .request = &r->request,
                                 .random = &random,
                                 .arena = machine->step_arena};
    const struct xds_session *session = r->decision->session;
    const struct xds_slice none = {NULL, 0};

    if (xds_cluster_map_start(&r->channel->map, &call, &r->holds) !=
        XDS_CLUSTER_START_FAILED)
        xds_cluster_map_select(&r->channel->map, &r->holds,
                               session && session->acts ? session->cookie.cluster : none);
}

/* What becomes of the RPC. The policies do what a pick makes them do. */
static enum xds_pick_kind settle(struct rpc *r)
{
    struct xds_pick_result picked = {.kind = XDS_PICK_OPEN};

    if (gets_to_policies(r))
        picked = ask_policies(r);
    const struct xds_decision *d = r->decision;

    if (d->endpoints && picked.kind != XDS_PICK_OPEN)
        return picked.kind;
    if (d->outcome == XDS_OUTCOME_UNAVAILABLE && picked.kind == XDS_PICK_QUEUE)
        return XDS_PICK_QUEUE;
    if (d->refused)
        return XDS_PICK_DROP;
    if (d->outcome != XDS_OUTCOME_ROUTED)
        return XDS_PICK_FAIL;
    return can_complete(d) ? XDS_PICK_COMPLETE : XDS_PICK_QUEUE;
}

static void run(struct rpc *r)
{
    struct xds_play *play = r->channel->play;
    const struct xds_random *random = &play->step->random;
    struct xds_request_reader reader = {.arena = play->machine.step_arena,
                                        .rpc = {.target = play->target,
                                                .live = &r->channel->live,
                                                .random = random->values,
                                                .n_random = random->n,
                                                .every_route = true}};

    read_members(r, &reader);
    read_cookie_from(r, &reader);
    if (!play->failed)
        xds_request_finish(&reader);
    r->request = reader.rpc;
    if (play->failed)
        return;
    if (!explain(r))
        return;
    select_cluster(r);
    const enum xds_pick_kind kind = settle(r);

    if (r->channel->play->failed || !tell_decision(r))
        return;
    tell_pick(r, kind);
    if (kind == XDS_PICK_QUEUE)
        tell_queue(r);
    if (kind == XDS_PICK_COMPLETE)
        keep_cookie(r);
}

void xds_channel_play_rpc(void *subject, const struct xds_tree *event)
{
    struct rpc r = {.channel = subject, .event = event};

    run(&r);
    xds_cluster_map_release(&r.channel->map, &r.holds);
    xds_channel_settle(r.channel);
}

/* ---- RPCs that take their time ---- */

void xds_channel_play_rpc_start(void *subject, const struct xds_tree *event)
{
    struct xds_channel *self = subject;
    const struct xds_slice id = xds_event_name(self->play, event, "id");
    struct rpc r = {.channel = self, .event = event};

    if (self->play->failed)
        return;
    void **slot = xds_strmap_at(&self->rpcs, id);

    if (!*slot)
        *slot = XDS_NEW(self->shared.machine->arena, struct xds_channel_rpc);
    struct xds_channel_rpc *rpc = *slot;

    if (rpc->runs) {
        xds_play_fault(self->play, xds_tree_member(event, "id"),
                       "RPC \"%.*s\" has already started", XDS_FMT(id));
        return;
    }
    run(&r);
    *rpc = (struct xds_channel_rpc){true, r.holds};
    xds_channel_settle(self);
}

void xds_channel_play_rpc_end(void *subject, const struct xds_tree *event)
{
    struct xds_channel *self = subject;
    const struct xds_slice id = xds_event_name(self->play, event, "id");
    struct xds_channel_rpc *rpc = xds_strmap_get(&self->rpcs, id);

    if (self->play->failed)
        return;
    if (!rpc || !rpc->runs) {
        xds_play_fault(self->play, xds_tree_member(event, "id"),
                       "no RPC \"%.*s\" is running", XDS_FMT(id));
        return;
    }
    rpc->runs = false;
    xds_cluster_map_release(&self->map, &rpc->holds);
    xds_channel_settle(self);
}
