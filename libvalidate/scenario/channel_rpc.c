/*
 * channel_rpc.c - the RPCs of subject channel: what becomes of each, now and later.
 *
 * States: an RPC waits, or an attempt of it is on a host; until it ends.
 * Events: a new picker (what waits is picked again), the end of an attempt (it may be
 *         retried), the end of the RPC.
 * Source: gRFC A6, A28, A31, A44, A55, A60, spec routing 0 to 13.
 */
#include "scenario/channel.h"

#include "base/text.h"
#include "check/check.h"
#include "explain/explain.h"
#include "explain/request_read.h"
#include "model/names.h"

/* An RPC of rpc_start. Its request is a copy: events are forgotten. */
struct xds_channel_rpc {
    struct xds_slice id;
    bool runs, waits;
    bool on_host; /* an attempt is */
    uint32_t attempt;
    struct xds_request request;
    struct xds_decision routed; /* only how it came to its virtual host */
    struct xds_cluster_rpc holds;
    unsigned retry_codes; /* XDS_RETRY_* */
    uint32_t max_attempts;
};

/* ---- one RPC: its request ---- */

struct rpc {
    struct xds_channel *channel;
    const struct xds_tree *event;
    struct xds_live live;
    struct xds_request request;
    const struct xds_decision *decision;
    struct xds_cluster_rpc holds;
};

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
    return r->decision && !play->failed;
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
    struct xds_tree tree;

    if (play->write.decision(&printer, r->decision) != XDS_OK ||
        !xds_step_read_json(play->step, xds_slice_make(text.data, text.len), &tree))
        return xds_play_fault(play, r->event, "the RPC cannot be explained");
    for (size_t i = 0; i < tree.n; i++)
        xds_step_set(play->step, tree.items[i].key.data, tree.items[i]);
    return true;
}

/* ---- the pick ---- */

/* Of all hosts that are possible one is connected; false: the RPC waits, or none is. */
static bool can_complete(const struct xds_decision *d)
{
    for (size_t i = 0; i < d->pick.n_hosts; i++)
        if (d->pick.hosts[i].host->state == XDS_STATE_READY)
            return true;
    return d->pick.host && d->pick.host->state == XDS_STATE_READY;
}

/* What is not ours to know: a policy that round_robin stands in for, a random hash. */
static bool is_open(const struct xds_decision *d, const struct xds_pick_call *call)
{
    const struct xds_lb_policy *policy = d->pick.policy;

    return policy && (xds_lb_traits(policy)->open ||
                      (xds_lb_traits(policy)->hashes && !call->has_hash));
}

/* Without a hash policy the hash is random: a number of the step, or none is needed as
 * every hash leads to the same host. */
static void give_hash(const struct xds_decision *d, struct xds_pick_call *call)
{
    const bool is_ring = d->pick.policy && xds_lb_traits(d->pick.policy)->hashes;
    uint64_t drawn;

    call->has_hash = d->pick.has_hash;
    call->hash = d->pick.hash;
    call->any_ready = d->pick.n_rings > 0 && d->pick.rings->key.any_ready;
    if (!is_ring || call->has_hash)
        return;
    call->has_hash = d->pick.n_hosts == 1;
    if (xds_random_draw(call->random, UINT64_MAX, &drawn)) {
        call->has_hash = true;
        call->hash = drawn;
    }
}

/* Routes between which a fraction decides may lead to one cluster. */
static struct xds_slice key_of(const struct rpc *r)
{
    const struct xds_slice none = {NULL, 0};

    if (r->holds.key.data)
        return r->holds.key;
    return r->decision->cluster ? r->decision->cluster->key : none;
}

static struct xds_pick_result ask_once(struct rpc *r, bool *open)
{
    const struct xds_session *session = r->decision->session;
    struct xds_policy *manager = &r->channel->manager.policy;
    struct xds_random left = {r->request.random, r->request.n_random,
                              r->decision->pick.drawn};
    struct xds_slice actual = {NULL, 0};
    struct xds_pick_call call = {
        .random = &left, .cluster_key = key_of(r), .actual = &actual};

    if (session && session->acts) {
        call.has_override = true;
        call.overridden = session->cookie.addresses;
        call.n_overridden = session->cookie.n_usable;
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

static const char *const result_names[] = {[XDS_PICK_COMPLETE] = "complete",
                                           [XDS_PICK_QUEUE] = "queue",
                                           [XDS_PICK_FAIL] = "fail",
                                           [XDS_PICK_DROP] = "drop"};

static void tell_pick(struct rpc *r, enum xds_pick_kind kind)
{
    struct xds_step *step = r->channel->play->step;
    const struct xds_host *host = r->decision->pick.host;
    const struct xds_tree null = {.kind = XDS_TREE_NULL};
    const bool complete = kind == XDS_PICK_COMPLETE;
    struct xds_tree pick = xds_tree_object();

    xds_tree_put(step->arena, &pick, "result", xds_tree_text(result_names[kind]));
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

/* "NAME=VALUE", without the attributes after. */
static void keep_cookie(struct rpc *r)
{
    struct xds_channel *self = r->channel;
    struct xds_arena *run_arena = self->shared.machine->arena;
    struct xds_slice cookie;

    if (!r->decision->pick.set_cookie.data)
        return;
    xds_slice_cut(r->decision->pick.set_cookie, ';', &cookie);
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
    struct xds_random random = {r->request.random, r->request.n_random, 0};
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

/* What becomes of the RPC, once the policies were asked: OPEN where they were not. */
static enum xds_pick_kind settle(const struct rpc *r, enum xds_pick_kind picked)
{
    const struct xds_decision *d = r->decision;

    if (d->pick.endpoints && picked != XDS_PICK_OPEN)
        return picked;
    if (d->outcome == XDS_OUTCOME_UNAVAILABLE && picked == XDS_PICK_QUEUE)
        return XDS_PICK_QUEUE;
    if (d->status.refused)
        return XDS_PICK_DROP;
    if (d->outcome != XDS_OUTCOME_ROUTED)
        return XDS_PICK_FAIL;
    return can_complete(d) ? XDS_PICK_COMPLETE : XDS_PICK_QUEUE;
}

/* Chance decides the key of some, and there is none without a route. */
static bool has_pick(const struct rpc *r)
{
    const struct xds_decision *d = r->decision;

    return key_of(r).data && !d->status.refused &&
           (d->outcome == XDS_OUTCOME_ROUTED || d->outcome == XDS_OUTCOME_UNAVAILABLE);
}

/* What becomes of it in *out; false after a fault. */
static bool run(struct rpc *r, enum xds_pick_kind *out)
{
    struct xds_play *play = r->channel->play;
    const struct xds_random *random = &play->step->random;
    struct xds_request_reader reader = {.arena = play->machine.step_arena,
                                        .rpc = {.target = play->target,
                                                .live = &r->live,
                                                .random = random->values,
                                                .n_random = random->n,
                                                .every_route = true}};

    r->live = r->channel->live;
    read_members(r, &reader);
    read_cookie_from(r, &reader);
    if (!play->failed)
        xds_request_finish(&reader);
    r->request = reader.rpc;
    *out = XDS_PICK_FAIL;
    if (play->failed || !explain(r))
        return false;
    select_cluster(r);
    const enum xds_pick_kind picked = has_pick(r) ? ask_policies(r).kind : XDS_PICK_OPEN;
    const enum xds_pick_kind kind = settle(r, picked);

    if (play->failed || !tell_decision(r))
        return false;
    tell_pick(r, kind);
    /* A queued RPC has got no status: it waits. */
    if (kind == XDS_PICK_QUEUE && r->decision->outcome == XDS_OUTCOME_UNAVAILABLE) {
        xds_step_set(play->step, "outcome", xds_tree_text("routed"));
        xds_step_set(play->step, "status", (struct xds_tree){.kind = XDS_TREE_NULL});
    }
    if (kind == XDS_PICK_COMPLETE)
        keep_cookie(r);
    *out = kind;
    return true;
}

/* Between these two the decision of an RPC lasts. */
static void begin_pick(struct xds_channel *self)
{
    self->picking = true;
}

static void end_pick(struct xds_channel *self)
{
    struct xds_clock *clock = &self->shared.machine->clock;

    if (self->pick_later && self->n_waiting > 0)
        xds_clock_set(clock, &self->pick, clock->now_ms);
    self->picking = self->pick_later = false;
}

void xds_channel_rpc(void *channel, const struct xds_tree *event)
{
    struct rpc r = {.channel = channel, .event = event};
    enum xds_pick_kind kind;

    begin_pick(r.channel);
    (void)run(&r, &kind);
    end_pick(r.channel);
    xds_cluster_map_release(&r.channel->map, &r.holds);
    xds_channel_settle(r.channel);
}

/* ---- RPCs that take their time: what is kept of them ---- */

static void keep_request(struct xds_arena *arena, const struct xds_request *from,
                         struct xds_request *to)
{
    struct xds_header *headers = XDS_NEW_ARRAY(arena, struct xds_header, from->n_headers);
    double *random = XDS_NEW_ARRAY(arena, double, from->n_random);

    *to = *from;
    to->target = xds_arena_dup(arena, from->target);
    to->authority = xds_arena_dup(arena, from->authority);
    to->path = xds_arena_dup(arena, from->path);
    for (size_t i = 0; i < from->n_headers; i++)
        headers[i] = (struct xds_header){xds_arena_dup(arena, from->headers[i].name),
                                         xds_arena_dup(arena, from->headers[i].value)};
    to->headers = headers;
    for (size_t i = 0; i < from->n_random; i++)
        random[i] = from->random[i];
    to->random = random;
}

static void keep_approach(struct xds_arena *arena, const struct xds_decision *from,
                          struct xds_decision *to)
{
    *to = (struct xds_decision){
        .start.listener_name = xds_arena_dup(arena, from->start.listener_name),
        .start.listener = from->start.listener,
        .start.authority = xds_arena_dup(arena, from->start.authority),
        .start.route_config_name = xds_arena_dup(arena, from->start.route_config_name),
        .start.route_config = from->start.route_config,
        .virtual_host = from->virtual_host,
    };
}

static void keep(const struct rpc *r, enum xds_pick_kind kind,
                 struct xds_channel_rpc *rpc)
{
    struct xds_arena *arena = r->channel->shared.machine->arena;
    const struct xds_method_config *config = &r->decision->method_config;
    const bool retries = r->decision->has_method_config && config->retry;

    rpc->runs = true;
    rpc->on_host = kind == XDS_PICK_COMPLETE;
    rpc->attempt = 1;
    rpc->holds = r->holds;
    rpc->retry_codes = retries ? config->codes : 0;
    rpc->max_attempts = retries ? config->retries.attempts : 1;
    keep_request(arena, &r->request, &rpc->request);
    keep_approach(arena, r->decision, &rpc->routed);
}

static void begin_to_wait(struct xds_channel *self, struct xds_channel_rpc *rpc)
{
    self->waiting =
        xds_arena_room(self->shared.machine->arena, self->waiting, self->n_waiting,
                       &self->cap_waiting, sizeof(struct xds_channel_rpc *));
    self->waiting[self->n_waiting++] = rpc;
    rpc->waits = true;
}

static void end_to_wait(struct xds_channel *self, struct xds_channel_rpc *rpc)
{
    size_t n = 0;

    for (size_t i = 0; i < self->n_waiting; i++)
        if (self->waiting[i] != rpc)
            self->waiting[n++] = self->waiting[i];
    self->n_waiting = n;
    rpc->waits = false;
}

static void end_rpc(struct xds_channel *self, struct xds_channel_rpc *rpc)
{
    end_to_wait(self, rpc);
    rpc->runs = rpc->on_host = false;
    xds_cluster_map_release(&self->map, &rpc->holds);
}

struct xds_tree xds_channel_waiting(const struct xds_channel *self,
                                    struct xds_arena *arena)
{
    struct xds_tree list = xds_tree_array();

    for (size_t i = 0; i < self->n_waiting; i++)
        xds_tree_add(arena, &list, xds_tree_string(self->waiting[i]->id));
    return list;
}

/* ---- later picks ---- */

/* gRFC A28: the policy at the top has the routes, so that each pick goes through them.
 * Later documents hand the RPC a cluster once. */
static bool routes_again(const struct xds_channel *self)
{
    return XDS_DIFFERS(self->shared.machine, XDS_DIFF_ROUTES_BY_POLICY);
}

static struct xds_tree text_or_null(struct xds_arena *arena, struct xds_slice text)
{
    return text.data ? xds_tree_string(xds_arena_dup(arena, text))
                     : (struct xds_tree){.kind = XDS_TREE_NULL};
}

static struct xds_tree status_of(struct xds_arena *arena, struct xds_slice code,
                                 struct xds_slice message)
{
    struct xds_tree out = xds_tree_object();

    xds_tree_put(arena, &out, "code", text_or_null(arena, code));
    xds_tree_put(arena, &out, "message", text_or_null(arena, message));
    return out;
}

/* What a later pick has come to, or the end of the last attempt. */
struct later {
    const char *result;
    struct xds_slice host, cookie; /* absent: none */
    struct xds_tree status;
};

static void tell_later(const struct xds_channel *self, const struct xds_channel_rpc *rpc,
                       const struct later *later)
{
    struct xds_arena *arena = self->play->step->arena;
    struct xds_tree out = xds_tree_object();

    xds_tree_put(arena, &out, "id", xds_tree_string(rpc->id));
    xds_tree_put(arena, &out, "attempt", xds_tree_number(rpc->attempt));
    xds_tree_put(arena, &out, "result", xds_tree_text(later->result));
    xds_tree_put(arena, &out, "host", text_or_null(arena, later->host));
    xds_tree_put(arena, &out, "status", later->status);
    xds_tree_put(arena, &out, "set_cookie", text_or_null(arena, later->cookie));
    xds_step_add(self->play->step, "later_picks", out);
}

static void tell_later_pick(const struct rpc *r, const struct xds_channel_rpc *rpc,
                            enum xds_pick_kind kind)
{
    const struct xds_decision *d = r->decision;
    struct xds_arena *arena = r->channel->play->step->arena;
    struct later later = {.result = result_names[kind],
                          .status = {.kind = XDS_TREE_NULL}};

    if (kind == XDS_PICK_COMPLETE) {
        later.cookie = d->pick.set_cookie;
        if (d->pick.host)
            later.host = xds_host_address_of(d->pick.host);
    } else if (kind != XDS_PICK_QUEUE) {
        later.status =
            status_of(arena, d->status.code.data ? d->status.code : XDS_S("UNAVAILABLE"),
                      d->status.error);
    }
    tell_later(r->channel, rpc, &later);
}

/* Ask the pickers of now. What queues again stays where it is. */
static enum xds_pick_kind ask_again(struct rpc *r, struct xds_channel_rpc *rpc)
{
    bool open = false;
    enum xds_pick_kind picked = XDS_PICK_OPEN;

    r->live.routed = routes_again(r->channel) ? NULL : &rpc->routed;
    r->request.live = &r->live;
    if (!explain(r))
        return XDS_PICK_QUEUE;
    if (routes_again(r->channel)) {
        xds_cluster_map_release(&r->channel->map, &r->holds);
        select_cluster(r);
    }
    if (has_pick(r))
        picked = ask_once(r, &open).kind;
    return settle(r, open ? XDS_PICK_OPEN : picked);
}

static void pick_again(struct xds_channel *self, struct xds_channel_rpc *rpc)
{
    static const struct xds_tree nowhere = {.kind = XDS_TREE_NULL};
    const bool waited = rpc->waits;
    struct rpc r = {.channel = self,
                    .event = &nowhere,
                    .live = self->live,
                    .request = rpc->request,
                    .holds = rpc->holds};

    begin_pick(self);
    const enum xds_pick_kind kind = ask_again(&r, rpc);

    if (!self->play->failed && !(waited && kind == XDS_PICK_QUEUE))
        tell_later_pick(&r, rpc, kind);
    if (kind == XDS_PICK_COMPLETE)
        keep_cookie(&r);
    end_pick(self);
    rpc->holds = r.holds;
    rpc->on_host = kind == XDS_PICK_COMPLETE;
    if (kind == XDS_PICK_QUEUE && !waited)
        begin_to_wait(self, rpc);
    else if (kind == XDS_PICK_COMPLETE)
        end_to_wait(self, rpc);
    else if (kind != XDS_PICK_QUEUE)
        end_rpc(self, rpc);
}

/* There is a new picker. What ends meanwhile leaves the list. */
static void pick_what_waits(struct xds_timer *timer)
{
    struct xds_channel *self = timer->owner;
    const size_t n = self->n_waiting;
    struct xds_channel_rpc **list =
        XDS_NEW_ARRAY(self->shared.machine->step_arena, struct xds_channel_rpc *, n);

    for (size_t i = 0; i < n; i++)
        list[i] = self->waiting[i];
    for (size_t i = 0; i < n && !self->play->failed; i++)
        if (list[i]->waits)
            pick_again(self, list[i]);
}

void xds_channel_rpcs_init(struct xds_channel *self)
{
    xds_strmap_init(&self->rpcs, self->shared.machine->arena);
    self->pick = (struct xds_timer){
        .rank = XDS_TIMER_PICK, .fire = pick_what_waits, .owner = self};
}

/* ---- events ---- */

void xds_channel_rpc_start(void *channel, const struct xds_tree *event)
{
    struct xds_channel *self = channel;
    const struct xds_slice id = xds_event_name(self->play, event, "id");
    struct xds_arena *arena = self->shared.machine->arena;
    struct rpc r = {.channel = self, .event = event};

    if (self->play->failed)
        return;
    void **slot = xds_strmap_at(&self->rpcs, id);

    if (!*slot)
        *slot = XDS_NEW(arena, struct xds_channel_rpc);
    struct xds_channel_rpc *rpc = *slot;

    if (rpc->runs) {
        xds_play_fault(self->play, xds_tree_member(event, "id"),
                       "RPC \"%.*s\" has already started", XDS_FMT(id));
        return;
    }
    if (!rpc->id.data)
        rpc->id = xds_arena_dup(arena, id);
    begin_pick(self);
    enum xds_pick_kind kind;

    if (run(&r, &kind))
        keep(&r, kind, rpc);
    end_pick(self);
    if (routes_again(self)) /* no RPC holds a cluster */
        xds_cluster_map_release(&self->map, &rpc->holds);
    if (!self->play->failed && kind == XDS_PICK_QUEUE)
        begin_to_wait(self, rpc);
    xds_channel_settle(self);
}

/* The RPC of the event, which runs; else a fault and NULL. */
static struct xds_channel_rpc *find_running(struct xds_channel *self,
                                            const struct xds_tree *event)
{
    const struct xds_slice id = xds_event_name(self->play, event, "id");
    struct xds_channel_rpc *rpc = xds_strmap_get(&self->rpcs, id);

    if (self->play->failed)
        return NULL;
    if (rpc && rpc->runs)
        return rpc;
    xds_play_fault(self->play, xds_tree_member(event, "id"), "no RPC \"%.*s\" is running",
                   XDS_FMT(id));
    return NULL;
}

void xds_channel_rpc_end(void *channel, const struct xds_tree *event)
{
    struct xds_channel *self = channel;
    struct xds_channel_rpc *rpc = find_running(self, event);

    if (!rpc)
        return;
    end_rpc(self, rpc);
    xds_channel_settle(self);
}

/* The XDS_RETRY_* bit of a status; 0: none is retried for it. */
static unsigned retry_code(struct xds_slice name)
{
    for (size_t i = 0; i < XDS_RETRY_CODES; i++)
        if (xds_slice_is(name, xds_retry_names[i].name))
            return xds_retry_names[i].bit;
    return 0;
}

static bool is_failure(struct xds_slice name)
{
    const char *known;

    for (uint32_t code = 1; (known = xds_status_code_name(code)); code++)
        if (xds_slice_is(name, known))
            return true;
    return false;
}

/* gRFC A6, A44: the same RPC on the same cluster, with all that its filters said. */
void xds_channel_attempt_fails(void *channel, const struct xds_tree *event)
{
    struct xds_channel *self = channel;
    struct xds_play *play = self->play;
    const struct xds_slice status = xds_event_name(play, event, "status");
    struct xds_channel_rpc *rpc = find_running(self, event);

    if (!rpc)
        return;
    if (!is_failure(status)) {
        xds_play_fault(play, xds_tree_member(event, "status"),
                       "\"status\" must be the name of a status code other than OK, such "
                       "as UNAVAILABLE");
        return;
    }
    if (!rpc->on_host) {
        xds_play_fault(play, xds_tree_member(event, "id"),
                       "RPC \"%.*s\" has no attempt that could fail: no host was picked",
                       XDS_FMT(rpc->id));
        return;
    }
    if ((retry_code(status) & rpc->retry_codes) && rpc->attempt < rpc->max_attempts) {
        rpc->attempt++;
        pick_again(self, rpc);
    } else {
        tell_later(self, rpc,
                   &(struct later){.result = "fail",
                                   .status = status_of(play->step->arena, status,
                                                       (struct xds_slice){0})});
        end_rpc(self, rpc);
    }
    xds_channel_settle(self);
}
