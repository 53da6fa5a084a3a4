/*
 * server_life.c - a server over time: which listener it uses, whether it serves, and what
 *                 becomes of its connections.
 *
 * States: no listener; one that waits for its routes, beside one in use or not; one in
 *         use. A connection is open, is drained, is closed.
 * Events: listener or routes come, are rejected, are removed, do not come in time; the
 *         grace time of a drained connection ends, or its last RPC does.
 * Source: gRFC A36; rows of clients/differences.def.
 */
#include "scenario/server_life.h"

#include "base/text.h"
#include "check/check.h"
#include "server/update.h"

/* How long a client waits for a resource before it takes it for missing. */
enum { MISSING_MS = 15 * 1000, GRACE_MS = 10 * 60 * 1000 };

static bool differs(const struct xds_life *life, enum xds_difference difference)
{
    return xds_differs(life->machine->options, life->machine->client, difference);
}

static struct xds_arena *lasting(const struct xds_life *life)
{
    return life->machine->arena;
}

XDS_PRINTF(2, 3)
static void say(const struct xds_life *life, const char *format, ...)
{
    va_list args;

    va_start(args, format);
    const struct xds_slice what =
        xds_arena_vprintf(life->machine->step_arena, format, args);

    va_end(args);
    xds_machine_say(life->machine, XDS_S("server"), "%.*s", XDS_FMT(what));
}

/* ---- what is reported to the application ---- */

static void tell(const struct xds_life *life, struct xds_slice text)
{
    xds_step_add_name(life->play->step, "told", text);
}

static void tell_unserved(const struct xds_life *life)
{
    tell(life, xds_arena_printf(life->play->step->arena, "NOT_SERVING: %.*s",
                                XDS_FMT(life->unserved)));
}

/* ---- RPCs and connections ---- */

static void link_connection(struct xds_life_connection *c)
{
    struct xds_life *life = c->life;

    c->before = life->last;
    c->next = NULL;
    if (life->last)
        life->last->next = c;
    else
        life->first = c;
    life->last = c;
}

static void unlink_connection(struct xds_life_connection *c)
{
    struct xds_life *life = c->life;

    if (c->before)
        c->before->next = c->next;
    else
        life->first = c->next;
    if (c->next)
        c->next->before = c->before;
    else
        life->last = c->before;
}

static void set_state(struct xds_life_connection *c, enum xds_life_state state)
{
    const bool was_closed = c->state == XDS_LIFE_CLOSED;

    c->state = state;
    if (was_closed && state != XDS_LIFE_CLOSED)
        link_connection(c);
    else if (!was_closed && state == XDS_LIFE_CLOSED)
        unlink_connection(c);
}

void xds_life_begin_rpc(struct xds_life_connection *c, struct xds_life_rpc *rpc)
{
    rpc->connection = c;
    rpc->before = NULL;
    rpc->next = c->rpcs;
    if (c->rpcs)
        c->rpcs->before = rpc;
    c->rpcs = rpc;
}

static struct xds_tree about(const struct xds_life_connection *c)
{
    struct xds_arena *arena = c->life->play->step->arena;
    struct xds_tree out = xds_tree_object();
    struct xds_tree ids = xds_tree_array();

    const struct xds_life_rpc *rpc = c->rpcs;

    while (rpc && rpc->next)
        rpc = rpc->next;
    for (; rpc; rpc = rpc->before) /* as they have begun */
        xds_tree_add(arena, &ids, xds_tree_string(rpc->id));
    xds_tree_put(arena, &out, "connection", xds_tree_string(c->id));
    xds_tree_put(arena, &out, "rpcs", ids);
    return out;
}

static void add_event(const struct xds_life_connection *c, const char *key,
                      const char *why)
{
    struct xds_step *step = c->life->play->step;
    struct xds_tree event = about(c);

    xds_tree_put(step->arena, &event, "reason", xds_tree_text(why));
    xds_step_add(step, key, event);
}

void xds_life_close(struct xds_life_connection *c, const char *why)
{
    struct xds_life *life = c->life;

    if (c->state == XDS_LIFE_CLOSED)
        return;
    add_event(c, "closed", why);
    for (struct xds_life_rpc *rpc = c->rpcs; rpc; rpc = rpc->next)
        rpc->connection = NULL;
    c->rpcs = NULL;
    xds_clock_cancel(&life->machine->clock, &c->grace);
    set_state(c, XDS_LIFE_CLOSED);
    c->config = NULL;
}

void xds_life_end_grace(struct xds_timer *timer)
{
    xds_life_close(timer->owner, "its grace time is over: RPCs are cut off");
}

/* The server sends GOAWAY: no RPC comes after those that are open. */
static void drain(struct xds_life_connection *c, const char *why)
{
    struct xds_life *life = c->life;

    if (c->state != XDS_LIFE_OPEN)
        return;
    add_event(c, "drained", why);
    set_state(c, XDS_LIFE_DRAINING);
    if (!c->rpcs)
        xds_life_close(c, "it is drained, and has no open RPC");
    else if (life->grace_ms >= 0)
        xds_clock_set(&life->machine->clock, &c->grace,
                      life->machine->clock.now_ms + life->grace_ms);
}

static void drain_all(struct xds_life *life, const char *why)
{
    for (struct xds_life_connection *c = life->first, *next; c; c = next) {
        next = c->next;
        drain(c, why);
    }
}

void xds_life_end_rpc(struct xds_life_rpc *rpc)
{
    struct xds_life_connection *c = rpc->connection;

    rpc->connection = NULL;
    if (rpc->before)
        rpc->before->next = rpc->next;
    else
        c->rpcs = rpc->next;
    if (rpc->next)
        rpc->next->before = rpc->before;
    if (!c->rpcs && c->state == XDS_LIFE_DRAINING)
        xds_life_close(c, "it is drained, and its last RPC has ended");
}

/* ---- the death of the server ---- */

static void die(struct xds_life *life, struct xds_slice why)
{
    life->serving = XDS_SERVER_DEAD;
    life->unserved = xds_arena_dup(lasting(life), why);
    life->listens = false;
    life->current = life->pending = NULL;
    while (life->first)
        xds_life_close(life->first, "the server has died");
}

/* ---- routes ---- */

static bool has_entry(const struct xds_life *life, struct xds_slice name)
{
    return xds_snapshot_find(&life->play->check->snapshot, XDS_TYPE_ROUTE, name);
}

/* It has come, was rejected, or does not come. */
static bool is_answered(const struct xds_life_route *route)
{
    return route->missed || has_entry(route->life, route->name);
}

static void miss_route(struct xds_timer *timer)
{
    struct xds_life_route *route = timer->owner;

    route->missed = true;
    say(route->life, "takes route configuration %.*s for missing", XDS_FMT(route->name));
    xds_life_refresh(route->life);
}

static struct xds_life_route *route_of(struct xds_life *life, struct xds_slice name)
{
    void **slot = xds_strmap_at(&life->routes_by_name, name);
    struct xds_life_route *route = *slot;

    if (route)
        return route;
    route = XDS_NEW(lasting(life), struct xds_life_route);
    *route = (struct xds_life_route){
        .life = life, .name = xds_arena_dup(lasting(life), name), .next = life->routes};
    route->missing = (struct xds_timer){.fire = miss_route, .owner = route};
    life->routes = *slot = route;
    return route;
}

static bool names(const struct xds_life_config *config,
                  const struct xds_life_route *route)
{
    return config && ((config->of_default && config->of_default->route == route) ||
                      xds_strmap_get(&config->by_name, route->name));
}

/* Does the server ask for it now? */
static bool is_wanted(const struct xds_life *life, const struct xds_life_route *route)
{
    if (names(life->pending ? life->pending : life->current, route))
        return true;
    return names(life->current, route) && !differs(life, XDS_DIFF_SERVER_ROUTES_LET_GO);
}

static void watch_routes(struct xds_life *life)
{
    struct xds_clock *clock = &life->machine->clock;

    for (struct xds_life_route *route = life->routes; route; route = route->next) {
        const bool was_wanted = route->wanted;

        route->wanted = is_wanted(life, route);
        if (!route->wanted || !was_wanted)
            route->missed = false;
        if (has_entry(life, route->name))
            route->missed = false;
        if (!route->wanted || is_answered(route))
            xds_clock_cancel(clock, &route->missing);
        else if (!was_wanted || !route->missing.slot)
            xds_clock_set(clock, &route->missing, clock->now_ms + MISSING_MS);
    }
}

/* Does the view stay as it is? An exception of java ends the update, but not that by
 * which routes turn out to be missing. */
static bool stays(const struct xds_life *life, const struct xds_life_view *view)
{
    return view == life->current->of_default && !life->is_new &&
           has_entry(life, view->route->name) &&
           differs(life, XDS_DIFF_SERVER_DEFAULT_ROUTES_STAY);
}

/* What the filter chains in use have: RPCs come only to these. */
static void update_routes(const struct xds_life *life)
{
    for (struct xds_life_view *v = life->current ? life->current->views : NULL; v;
         v = v->next) {
        const char *why = "is not in the snapshot";

        if (!v->route->wanted || !is_answered(v->route) || stays(life, v))
            continue;
        v->config = xds_accepted(life->play->snapshot, life->machine->client,
                                 XDS_TYPE_ROUTE, v->route->name, &why);
        v->why = v->config ? NULL : why;
    }
}

/* ---- listeners ---- */

static struct xds_life_view *add_view(struct xds_life_config *config,
                                      const struct xds_filter_chain *chain)
{
    struct xds_life *life = config->life;
    struct xds_life_view *view = XDS_NEW(lasting(life), struct xds_life_view);

    *view = (struct xds_life_view){.route = route_of(life, chain->managers->rds_name),
                                   .why = "has not come yet",
                                   .next = config->views};
    config->views = view;
    return view;
}

static bool has_rds(const struct xds_filter_chain *chain)
{
    return chain && chain->n_managers > 0 && chain->managers->rds_name.data;
}

static struct xds_life_config *new_config(struct xds_life *life,
                                          const struct xds_listener *listener)
{
    struct xds_life_config *config = XDS_NEW(lasting(life), struct xds_life_config);

    *config = (struct xds_life_config){
        .life = life, .listener = listener, .given = life->given};
    xds_strmap_init(&config->by_name, lasting(life));
    for (size_t i = 0; i < listener->n_filter_chains; i++) {
        const struct xds_filter_chain *chain = &listener->filter_chains[i];
        void **slot = has_rds(chain)
                          ? xds_strmap_at(&config->by_name, chain->managers->rds_name)
                          : NULL;

        if (slot && !*slot)
            *slot = add_view(config, chain);
    }
    if (has_rds(listener->default_chain))
        config->of_default = add_view(config, listener->default_chain);
    return config;
}

static bool is_ready(const struct xds_life_config *config)
{
    for (const struct xds_life_view *v = config->views; v; v = v->next)
        if (!is_answered(v->route))
            return false;
    return true;
}

static const struct xds_snapshot_entry *find_entry(const struct xds_life *life,
                                                   struct xds_slice name)
{
    return xds_snapshot_find(life->play->snapshot, XDS_TYPE_LISTENER, name);
}

/* Which of all resources it is: entries are overwritten. */
static uint64_t number_of(const struct xds_snapshot_entry *entry)
{
    return entry ? (uint64_t)entry->resource + 1 : 0;
}

/* What the snapshot has for this server, which keeps the name that was found first. */
static struct xds_server_sight look_at(struct xds_life *life)
{
    struct xds_server_sight sight;

    if (xds_server_look(life->server, life->base.server, life->name, &sight) != XDS_OK)
        xds_arena_give_up(lasting(life));
    if (!life->name.data && find_entry(life, sight.name)) {
        life->name = xds_arena_dup(lasting(life), sight.name);
        life->by = sight.by;
    }
    return sight;
}

/* An exception of java ends the update: nothing of it comes into force. */
static bool is_thrown_at(struct xds_life *life)
{
    const struct xds_server_sight sight = look_at(life);

    if (!sight.equal_routes)
        return false;
    say(life, "does not take the listener: %.*s", XDS_FMT(sight.unfit));
    life->pending = NULL;
    return true;
}

/* The connections that came before the server served. */
static void accept_waiting(struct xds_life *life)
{
    for (struct xds_life_connection *c = life->first, *next; c; c = next) {
        next = c->next;
        if (c->state == XDS_LIFE_WAITING && !xds_life_connect(life, c))
            return;
    }
}

/* The listener that waits is complete. */
static void promote(struct xds_life *life)
{
    const bool retells = differs(life, XDS_DIFF_SERVER_SERVING_RETOLD);
    const bool is_news = life->serving != XDS_SERVING;

    if (is_thrown_at(life))
        return;
    drain_all(life, "a new listener is in use");
    life->current = life->pending;
    life->pending = NULL;
    life->serving = XDS_SERVING;
    life->is_new = true;
    update_routes(life);
    life->is_new = false;
    if (is_news || retells)
        tell(life, XDS_S("SERVING"));
    if (!life->listens && retells) /* and once more as the port is opened */
        tell(life, XDS_S("SERVING"));
    life->listens = life->has_served = true;
    accept_waiting(life);
}

static void stop_serving(struct xds_life *life, struct xds_slice why, bool is_told)
{
    life->serving = XDS_NOT_SERVING;
    life->unserved = xds_arena_dup(lasting(life), why);
    if (is_told)
        tell_unserved(life);
}

static void lose(struct xds_life *life, struct xds_slice why, bool is_told)
{
    drain_all(life, "the server stops serving");
    life->current = life->pending = NULL;
    if (differs(life, XDS_DIFF_SERVER_CLOSES_PORT))
        life->listens = false;
    stop_serving(life, why, is_told);
}

/* It is removed. What was rejected was not there for most clients. */
static void forget(struct xds_life *life, struct xds_slice why)
{
    const bool is_news =
        !life->is_rejected ||
        (!life->is_absent && differs(life, XDS_DIFF_SERVER_REJECTED_REMOVAL_TOLD));
    const bool is_told = is_news && !differs(life, XDS_DIFF_SERVER_REMOVAL_UNTOLD);

    lose(life, why, is_told);
    life->is_absent = true;
    if (!differs(life, XDS_DIFF_SERVER_RETURN_UNSEEN))
        life->given = NULL;
}

static bool same(const struct xds_tree *a, const struct xds_tree *b)
{
    if (!a || !b || a->kind != b->kind || a->n != b->n || a->truth != b->truth ||
        !xds_slice_eq(a->text, b->text))
        return false;
    for (size_t i = 0; i < a->n; i++) {
        const struct xds_tree *other =
            a->kind == XDS_TREE_OBJECT ? xds_tree_find(b, a->items[i].key) : &b->items[i];

        if (!same(&a->items[i], other))
            return false;
    }
    return true;
}

/* ---- how node compares listeners ---- */

static bool same_field(const struct xds_tree *a, const struct xds_tree *b,
                       const char *name)
{
    const struct xds_tree *of_a = xds_tree_field(a, name),
                          *of_b = xds_tree_field(b, name);

    return (!of_a && !of_b) || same(of_a, of_b);
}

struct given {
    const struct xds_tree *now, *before;
};

static const struct xds_tree *chain_of(const struct xds_tree *listener, uint32_t chain)
{
    const struct xds_tree *chains = xds_tree_field(
        listener, chain == XDS_DEFAULT_CHAIN ? "default_filter_chain" : "filter_chains");

    if (chain == XDS_DEFAULT_CHAIN)
        return chains;
    return chains && chain < chains->n ? &chains->items[chain] : NULL;
}

static bool same_chain(void *user, uint32_t chain)
{
    const struct given *given = user;
    const struct xds_tree *now = chain_of(given->now, chain),
                          *before = chain_of(given->before, chain);

    return now && before && same_field(now, before, "filters") &&
           same_field(now, before, "filter_chain_match");
}

static enum xds_likeness compare_with(const struct xds_life *life,
                                      const struct xds_listener *listener,
                                      const struct xds_life_config *config)
{
    const char *why;

    if (!config || !config->given || !life->given)
        return XDS_LIKENESS_OTHER;
    const enum xds_likeness likeness =
        xds_server_likeness(listener, config->listener, same_chain,
                            &(struct given){life->given, config->given}, &why);

    if (likeness == XDS_LIKENESS_ALIKE && !differs(life, XDS_DIFF_SERVER_TLS_CHANGE_LOST))
        return XDS_LIKENESS_OTHER;
    return likeness;
}

/* Has the comparison settled what becomes of the listener? */
static bool is_compared(struct xds_life *life, const struct xds_listener *listener)
{
    if (!differs(life, XDS_DIFF_SERVER_DEFAULT_CHAIN_KILLS))
        return false;
    const enum xds_likeness to_current = compare_with(life, listener, life->current);
    const enum xds_likeness to_pending = to_current == XDS_LIKENESS_OTHER
                                             ? compare_with(life, listener, life->pending)
                                             : XDS_LIKENESS_OTHER;

    if (to_current == XDS_LIKENESS_ALIKE)
        life->pending = NULL;
    if (to_current == XDS_LIKENESS_THROWS || to_pending == XDS_LIKENESS_THROWS)
        die(life, XDS_S("the new listener cannot be compared with the one before: "
                        "TypeError: Cannot read properties of null"));
    return to_current != XDS_LIKENESS_OTHER || to_pending != XDS_LIKENESS_OTHER;
}

/* An accepted listener, for this server. */
static void take(struct xds_life *life, const struct xds_listener *listener)
{
    const bool is_current = life->current && same(life->current->given, life->given);

    if (!is_compared(life, listener) &&
        !(is_current && differs(life, XDS_DIFF_SERVER_PENDING_STAYS)))
        life->pending = new_config(life, listener);
}

static void look(struct xds_life *life)
{
    const struct xds_server_sight sight = look_at(life);
    const struct xds_snapshot_entry *entry = find_entry(life, sight.name);

    if (entry)
        xds_clock_cancel(&life->machine->clock, &life->missing);
    if (number_of(entry) == life->seen)
        return;
    life->seen = number_of(entry);
    if (sight.killed_by)
        die(life, xds_slice_of(sight.killed_by->slug));
    else if (!entry)
        forget(life, sight.unfit);
    else if (!sight.listener) /* rejected, and there is none before it */
        stop_serving(life, sight.unfit, !life->is_old_news);
    else if (!sight.unfit.data || sight.equal_routes)
        take(life, sight.listener);
    else if (differs(life, XDS_DIFF_SERVER_ADDRESS_KEEPS))
        stop_serving(life, sight.unfit, true);
    else
        lose(life, sight.unfit, true);
    life->is_rejected = entry && !sight.listener;
    life->is_absent &= !sight.listener;
}

void xds_life_refresh(struct xds_life *life)
{
    if (life->serving == XDS_SERVER_DEAD)
        return;
    look(life);
    watch_routes(life);
    if (life->pending && is_ready(life->pending))
        promote(life);
    watch_routes(life);
    update_routes(life);
}

static void miss_listener(struct xds_timer *timer)
{
    struct xds_life *life = timer->owner;

    life->is_absent = true;
    stop_serving(life, look_at(life).unfit,
                 !differs(life, XDS_DIFF_SERVER_REMOVAL_UNTOLD));
}

static bool is_named(const struct xds_tree *listener, struct xds_slice name)
{
    const struct xds_tree *own = xds_tree_member(listener, "name");

    return own && xds_slice_eq(own->text, name);
}

static const struct xds_tree *find_given(const struct xds_tree *listeners,
                                         struct xds_slice name)
{
    for (size_t i = listeners->n; i-- > 0;)
        if (is_named(&listeners->items[i], name))
            return &listeners->items[i];
    return NULL;
}

static const struct xds_tree *keep(const struct xds_life *life,
                                   const struct xds_tree *given)
{
    struct xds_tree *kept = XDS_NEW(lasting(life), struct xds_tree);

    *kept = xds_tree_copy(lasting(life), given);
    return kept;
}

/* Its error is a new one, as far as that is known. */
static void note_rejected(struct xds_life *life, const struct xds_tree *given)
{
    const bool is_same = same(life->rejected, given);

    life->is_old_news = is_same && differs(life, XDS_DIFF_SERVER_NACK_TOLD_ONCE);
    if (!is_same)
        life->rejected = keep(life, given);
}

/* It is rejected, and another one of the name was there before: of no use, or removed
 * without notice. */
static void reject(struct xds_life *life, const struct xds_snapshot_entry *before,
                   const struct xds_tree *given)
{
    const bool was_rejected = before->nacked_by & XDS_CLIENT_BIT(life->machine->client);

    if (life->current || life->pending || life->serving == XDS_SERVER_DEAD ||
        !(was_rejected || differs(life, XDS_DIFF_SERVER_RETURN_UNSEEN)))
        return;
    note_rejected(life, given);
    stop_serving(life,
                 xds_arena_printf(life->machine->step_arena, "listener %.*s is rejected",
                                  XDS_FMT(life->name)),
                 !life->is_old_news);
}

void xds_life_take(struct xds_life *life, const struct xds_tree *listeners)
{
    const struct xds_slice name = look_at(life).name;
    const struct xds_snapshot_entry *entry = find_entry(life, name);
    const struct xds_tree *given = entry ? find_given(listeners, name) : NULL;

    if (!given)
        return;
    if (number_of(entry) == life->seen) {
        reject(life, entry, given);
    } else if (entry->nacked_by & XDS_CLIENT_BIT(life->machine->client)) {
        note_rejected(life, given);
    } else if (same(life->given, given)) {
        life->seen = number_of(entry); /* it is what the client has */
    } else {
        life->given = keep(life, given);
        life->rejected = NULL;
    }
}

/* ---- answers ---- */

static const struct xds_route_config *
find_view(void *user, const struct xds_filter_chain *chain, const char **why)
{
    const struct xds_life_config *config = user;
    const struct xds_life_view *view =
        chain == config->listener->default_chain
            ? config->of_default
            : xds_strmap_get(&config->by_name, chain->managers->rds_name);

    *why = view ? view->why : "is not in the snapshot";
    return view ? view->config : NULL;
}

static struct xds_slice unserved(const struct xds_life *life)
{
    if (life->serving == XDS_SERVER_DEAD)
        return XDS_S("the server has died");
    const bool waits = differs(life, XDS_DIFF_SERVER_UNSERVED_WAIT) && !life->has_served;

    return xds_arena_printf(life->play->step->arena,
                            "%.*s; the server is not serving: it %s",
                            XDS_FMT(life->unserved),
                            waits           ? "listens, and lets connections wait"
                            : life->listens ? "accepts connections and closes them"
                                            : "does not listen");
}

const struct xds_served *xds_life_serve(struct xds_life_connection *c,
                                        const struct xds_inbound *inbound, bool connects)
{
    struct xds_life *life = c->life;
    const bool serves = c->config || life->serving == XDS_SERVING;
    struct xds_life_config *config = c->config ? c->config : life->current;
    const struct xds_running running = {.listener_name = life->name,
                                        .listener_by = life->by,
                                        .listener = serves ? config->listener : NULL,
                                        .unserved = serves ? XDS_S("") : unserved(life),
                                        .connects = connects,
                                        .routes = find_view,
                                        .user = config};
    const struct xds_served *served = NULL;

    xds_server_run(life->server, &running);
    const enum xds_status status = xds_serve(life->server, inbound, &served);

    xds_server_run(life->server, NULL);
    if (status == XDS_ERR_NO_MEMORY)
        xds_arena_give_up(lasting(life));
    if (served && served->outcome == XDS_SERVED_CRASH && life->serving != XDS_SERVER_DEAD)
        die(life, served->error);
    return served;
}

static struct xds_slice chain_name(struct xds_arena *arena,
                                   const struct xds_chain_choice *chains)
{
    if (chains->chain->name.len > 0)
        return xds_arena_dup(arena, chains->chain->name);
    return chains->index == XDS_DEFAULT_CHAIN
               ? XDS_S("default_filter_chain")
               : xds_arena_printf(arena, "#%zu", chains->index);
}

static const char *result_of(const struct xds_life *life, const struct xds_served *d)
{
    if (d->outcome == XDS_SERVED_YES || d->outcome == XDS_SERVED_UNDECIDED)
        return "open";
    if (d->outcome == XDS_SERVED_NOT_SERVING && !life->listens)
        return "refused";
    return d->outcome == XDS_SERVED_HANDSHAKE ? "no_handshake"
           : d->outcome == XDS_SERVED_CRASH   ? "crash"
                                              : "closed";
}

static void tell_connection(const struct xds_life_connection *c, const char *result,
                            struct xds_slice why)
{
    struct xds_step *step = c->life->play->step;
    struct xds_tree out = xds_tree_object();

    xds_tree_put(step->arena, &out, "connection", xds_tree_string(c->id));
    xds_tree_put(step->arena, &out, "result", xds_tree_text(result));
    if (c->chain.data)
        xds_tree_put(step->arena, &out, "filter_chain", xds_tree_string(c->chain));
    if (why.data)
        xds_tree_put(step->arena, &out, "reason",
                     xds_tree_string(xds_arena_dup(step->arena, why)));
    xds_step_add(step, "connected", out);
}

bool xds_life_connect(struct xds_life *life, struct xds_life_connection *c)
{
    const struct xds_slice none = {NULL, 0};
    const bool waits = life->serving == XDS_NOT_SERVING && !life->has_served &&
                       differs(life, XDS_DIFF_SERVER_UNSERVED_WAIT);

    if (waits) {
        set_state(c, XDS_LIFE_WAITING);
        tell_connection(c, "waits", unserved(life));
        return true;
    }
    set_state(c, XDS_LIFE_CLOSED);
    const struct xds_served *served = xds_life_serve(c, &c->inbound, true);

    if (!served)
        return false;
    const char *result = result_of(life, served);
    const bool is_open = strcmp(result, "open") == 0;

    c->chain = none;
    if (is_open) {
        set_state(c, XDS_LIFE_OPEN);
        c->config = life->current;
        c->chain = chain_name(lasting(life), &served->chains);
    }
    tell_connection(c, result, is_open ? none : served->error);
    return true;
}

struct xds_tree xds_life_waits_for(const struct xds_life *life, struct xds_arena *arena)
{
    struct xds_tree list = xds_tree_array();

    for (const struct xds_life_view *v = life->pending ? life->pending->views : NULL; v;
         v = v->next)
        if (!is_answered(v->route))
            xds_tree_add(arena, &list, xds_tree_string(v->route->name));
    return list;
}

/* ---- opening ---- */

void xds_life_init(struct xds_life *life, struct xds_play *play)
{
    life->play = play;
    life->machine = &play->machine;
    life->unserved = XDS_S("there is no listener yet");
    xds_strmap_init(&life->routes_by_name, lasting(life));
    xds_strmap_init(&life->connections, lasting(life));
    xds_strmap_init(&life->rpcs, lasting(life));
    life->listens = differs(life, XDS_DIFF_SERVER_ACCEPTS_UNSERVED);
    life->grace_ms = differs(life, XDS_DIFF_SERVER_DRAIN_ENDLESS) ? -1 : GRACE_MS;
    life->missing = (struct xds_timer){.fire = miss_listener, .owner = life};
    xds_clock_set(&life->machine->clock, &life->missing,
                  life->machine->clock.now_ms + MISSING_MS);
}
