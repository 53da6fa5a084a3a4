/*
 * subject_server.c - plays server: connections and RPCs that arrive at one, while its
 *                    listener and routes come, change and go.
 *
 * Fails:  an event that cannot be is a fault of the play.
 * Source: gRFC A36, A41.
 */
#include "scenario/server_life.h"

#include "base/text.h"
#include "check/check.h"
#include "explain/inbound_read.h"
#include "explain/request_read.h"

/* ---- connections ---- */

/* That of the key, or a fault and NULL. */
static struct xds_life_connection *find_of(struct xds_life *life,
                                           const struct xds_tree *event, const char *key)
{
    const struct xds_slice id = xds_event_name(life->play, event, key);
    struct xds_life_connection *c = xds_strmap_get(&life->connections, id);

    if (!c && !life->play->failed)
        xds_play_fault(life->play, xds_tree_member(event, key),
                       "there is no connection \"%.*s\"", XDS_FMT(id));
    return c;
}

/* What the event says of the connection; texts are of the arena. False after a fault. */
static bool read_connection(struct xds_life *life, struct xds_arena *arena,
                            const struct xds_tree *event, struct xds_inbound *out)
{
    struct xds_play *play = life->play;
    struct xds_tree copy = xds_tree_copy(arena, event);
    const struct xds_tree *wrong = event;
    const char *which;

    *out = life->base;
    const struct xds_slice fault = xds_inbound_read(arena, &copy, out, &wrong);

    if (fault.data)
        return xds_play_fault(play, wrong, "%.*s", XDS_FMT(fault));
    if (!out->peer.data)
        return xds_play_fault(play, event, "\"peer\" is missing");
    const char *what = xds_inbound_fault(out, &which);
    const struct xds_tree *at = what ? xds_tree_member(event, which) : NULL;

    return !what || xds_play_fault(play, at ? at : event, "\"%s\" %s", which, what);
}

static struct xds_life_connection *new_connection(struct xds_life *life,
                                                  struct xds_slice id)
{
    void **slot = xds_strmap_at(&life->connections, id);
    struct xds_life_connection *c = *slot;

    if (c)
        return c;
    c = XDS_NEW(life->machine->arena, struct xds_life_connection);
    *c = (struct xds_life_connection){.life = life,
                                      .id = xds_arena_dup(life->machine->arena, id)};
    *slot = c;
    return c;
}

static void play_connect(void *subject, const struct xds_tree *event)
{
    struct xds_life *life = subject;
    const struct xds_slice id = xds_event_name(life->play, event, "id");
    struct xds_life_connection *c =
        life->play->failed ? NULL : xds_strmap_get(&life->connections, id);

    if (c && c->state != XDS_LIFE_CLOSED)
        xds_play_fault(life->play, xds_tree_member(event, "id"),
                       "connection \"%.*s\" is there already", XDS_FMT(id));
    if (life->play->failed)
        return;
    c = new_connection(life, id);
    c->grace = (struct xds_timer){.fire = xds_life_end_grace, .owner = c};
    if (read_connection(life, life->machine->arena, event, &c->inbound))
        (void)xds_life_connect(life, c);
}

static void play_disconnect(void *subject, const struct xds_tree *event)
{
    struct xds_life *life = subject;
    struct xds_life_connection *c = find_of(life, event, "id");

    if (c && c->state == XDS_LIFE_CLOSED)
        xds_play_fault(life->play, xds_tree_member(event, "id"),
                       "connection \"%.*s\" is not open", XDS_FMT(c->id));
    if (!life->play->failed)
        xds_life_close(c, "the client closes it");
    xds_life_refresh(life);
}

/* ---- RPCs ---- */

static bool read_rpc(struct xds_life *life, const struct xds_tree *event,
                     struct xds_inbound *out)
{
    static const char *const keys[] = {"path", "authority", "headers", "cookie"};
    struct xds_play *play = life->play;
    struct xds_request_reader reader = {
        .arena = play->machine.step_arena,
        .rpc = {.random = play->step->random.values, .n_random = play->step->random.n}};

    for (size_t i = 0; i < XDS_ARRAY_LEN(keys); i++) {
        const struct xds_tree *member = xds_tree_member(event, keys[i]);

        if (member && xds_request_read_member(&reader, member) == XDS_MEMBER_WRONG)
            xds_play_fault(play, reader.wrong, "%.*s", XDS_FMT(reader.fault));
    }
    if (reader.rpc.path.len == 0)
        xds_play_fault(play, event, "\"path\" is missing");
    if (!play->failed)
        xds_request_finish(&reader);
    out->rpc = reader.rpc;
    return !play->failed;
}

static bool write_text(void *user, const char *data, size_t len)
{
    xds_text_add(user, xds_slice_make(data, len));
    return true;
}

/* True when the service is called. */
static bool tell_served(struct xds_life *life, const struct xds_tree *event,
                        const struct xds_served *served)
{
    struct xds_play *play = life->play;
    struct xds_text text = {.arena = play->step->arena};
    const struct xds_printer printer = {
        .write = write_text, .user = &text, .one_line = true};
    struct xds_tree answer;

    if (!served || play->write.served(&printer, served) != XDS_OK ||
        !xds_step_read_json(play->step, xds_slice_make(text.data, text.len), &answer))
        return xds_play_fault(play, event, "the RPC cannot be explained");
    xds_step_set(play->step, "answer", answer);
    return served->outcome == XDS_SERVED_YES || served->outcome == XDS_SERVED_UNDECIDED;
}

/* A client sends none on such a connection: it opens another one. */
static bool tell_unsent(const struct xds_life_connection *c)
{
    struct xds_step *step = c->life->play->step;
    const char *why = c->state == XDS_LIFE_CLOSED    ? "is closed"
                      : c->state == XDS_LIFE_WAITING ? "is not accepted yet"
                                                     : "was asked to close (GOAWAY)";

    struct xds_tree answer = xds_tree_object();

    xds_tree_put(step->arena, &answer, "outcome", xds_tree_text("not_sent"));
    xds_tree_put(step->arena, &answer, "reason",
                 xds_tree_string(xds_arena_printf(step->arena, "connection %.*s %s",
                                                  XDS_FMT(c->id), why)));
    xds_step_set(step, "answer", answer);
    return false;
}

static bool run_on(struct xds_life_connection *c, const struct xds_tree *event)
{
    struct xds_inbound inbound = c->inbound;

    if (!read_rpc(c->life, event, &inbound))
        return false;
    if (c->state != XDS_LIFE_OPEN)
        return tell_unsent(c);
    return tell_served(c->life, event, xds_life_serve(c, &inbound, false));
}

/* On a connection of its own. */
static void run_alone(struct xds_life *life, const struct xds_tree *event)
{
    struct xds_life_connection alone = {.life = life};
    struct xds_inbound inbound;

    if (read_connection(life, life->machine->step_arena, event, &inbound) &&
        read_rpc(life, event, &inbound))
        (void)tell_served(life, event, xds_life_serve(&alone, &inbound, false));
}

#define CONNECTION_FIELDS                                                                \
    "peer", "local", "peer_san", "peer_subject", "tls", "server_name"
#define RPC_FIELDS "connection", "path", "authority", "headers", "cookie"

static void play_rpc(void *subject, const struct xds_tree *event)
{
    static const char *const others[] = {CONNECTION_FIELDS};
    struct xds_life *life = subject;

    if (!xds_event_given(event, "connection")) {
        run_alone(life, event);
        return;
    }
    for (size_t i = 0; i < XDS_ARRAY_LEN(others); i++)
        if (xds_event_given(event, others[i]))
            xds_play_fault(life->play, xds_tree_member(event, others[i]),
                           "\"%s\" and \"connection\" exclude each other", others[i]);
    struct xds_life_connection *c = find_of(life, event, "connection");

    if (!life->play->failed)
        (void)run_on(c, event);
}

static void play_rpc_start(void *subject, const struct xds_tree *event)
{
    struct xds_life *life = subject;
    struct xds_arena *arena = life->machine->arena;
    const struct xds_slice id = xds_event_name(life->play, event, "id");
    struct xds_life_connection *c = find_of(life, event, "connection");
    struct xds_life_rpc *rpc =
        life->play->failed ? NULL : xds_strmap_get(&life->rpcs, id);

    if (rpc && rpc->connection)
        xds_play_fault(life->play, xds_tree_member(event, "id"),
                       "RPC \"%.*s\" has already started", XDS_FMT(id));
    if (life->play->failed || !run_on(c, event))
        return;
    if (!rpc) {
        rpc = XDS_NEW(arena, struct xds_life_rpc);
        *rpc = (struct xds_life_rpc){.id = xds_arena_dup(arena, id)};
        *xds_strmap_at(&life->rpcs, id) = rpc;
    }
    xds_life_begin_rpc(c, rpc);
}

static void play_rpc_end(void *subject, const struct xds_tree *event)
{
    struct xds_life *life = subject;
    const struct xds_slice id = xds_event_name(life->play, event, "id");
    struct xds_life_rpc *rpc = xds_strmap_get(&life->rpcs, id);

    if (!life->play->failed && (!rpc || !rpc->connection))
        xds_play_fault(life->play, xds_tree_member(event, "id"),
                       "no RPC \"%.*s\" is running", XDS_FMT(id));
    if (life->play->failed)
        return;
    xds_life_end_rpc(rpc);
    xds_life_refresh(life);
}

/* ---- resources ---- */

static void play_xds_update(void *subject, const struct xds_tree *event)
{
    struct xds_life *life = subject;

    if (!xds_resources_update(life->play, event))
        return;
    xds_life_take(life, xds_event_array(life->play, event, "listeners"));
    xds_life_refresh(life);
}

static void play_xds_remove(void *subject, const struct xds_tree *event)
{
    struct xds_life *life = subject;

    if (xds_resources_remove(life->play, event))
        xds_life_refresh(life);
}

/* ---- opening ---- */

static bool read_addresses(struct xds_life *life)
{
    struct xds_play *play = life->play;
    struct xds_inbound *base = &life->base;
    const char *which;

    base->server = xds_event_name(play, play->config, "server");
    base->local = xds_event_text(play, play->config, "local");
    if (play->failed)
        return false;
    const struct xds_inbound probe = {.server = base->server,
                                      .local = base->local.data ? base->local
                                                                : XDS_S("127.0.0.1"),
                                      .peer = XDS_S("127.0.0.1")};
    const char *fault = xds_inbound_fault(&probe, &which);

    return !fault || xds_play_fault(play, xds_tree_member(play->config, which),
                                    "\"%s\" %s", which, fault);
}

static bool read_config(struct xds_life *life)
{
    static const char key[] = "drain_grace_time";
    struct xds_play *play = life->play;
    const struct xds_slice listener = xds_event_text(play, play->config, "listener");
    const struct xds_tree *grace = xds_event_given(play->config, key);

    if (!read_addresses(life))
        return false;
    if (listener.data) {
        life->name = listener;
        life->by = XDS_LISTENER_BY_TEMPLATE;
    }
    if (grace && life->grace_ms < 0)
        return xds_play_fault(play, grace, "\"%s\": a server of %s has none", key,
                              xds_client_name(life->machine->client));
    if (grace)
        life->grace_ms = xds_event_duration(play, play->config, key, 0);
    return !play->failed;
}

static void release(void *user)
{
    struct xds_life *life = user;

    xds_server_free(life->server);
    life->server = NULL;
}

static void *open_server(struct xds_play *play)
{
    struct xds_life *life = XDS_NEW(play->machine.arena, struct xds_life);

    *life = (struct xds_life){.server = NULL};
    xds_life_init(life, play);
    if (!read_config(life))
        return life;
    life->server = xds_server_new(play->check, play->machine.client);
    if (!life->server)
        xds_arena_give_up(play->machine.arena);
    play->release = release;
    play->releases = life;
    return life;
}

static void start_server(void *subject)
{
    static const struct xds_tree none = {.kind = XDS_TREE_ARRAY};
    struct xds_life *life = subject;
    const struct xds_tree *given =
        life->play->given ? xds_tree_member(life->play->given, "listeners") : NULL;

    if (life->play->failed)
        return;
    xds_life_take(life, given ? given : &none);
    xds_life_refresh(life);
}

/* ---- the state ---- */

static const char *const serving_names[] = {[XDS_NOT_SERVING] = "NOT_SERVING",
                                            [XDS_SERVING] = "SERVING",
                                            [XDS_SERVER_DEAD] = "CRASHED"};
static const char *const state_names[] = {[XDS_LIFE_CLOSED] = "CLOSED",
                                          [XDS_LIFE_WAITING] = "WAITING",
                                          [XDS_LIFE_OPEN] = "OPEN",
                                          [XDS_LIFE_DRAINING] = "DRAINING"};

static struct xds_scene server_scene(void *subject, struct xds_arena *arena)
{
    const struct xds_life *life = subject;
    const bool serves = life->serving == XDS_SERVING;
    struct xds_scene scene = {0};

    xds_scene_add(&scene, arena, XDS_SCENE_TOP,
                  (struct xds_scene_node){.label = XDS_S("server"),
                                          .state = serves ? XDS_STATE_READY
                                                   : life->has_served
                                                       ? XDS_STATE_TRANSIENT_FAILURE
                                                       : XDS_STATE_CONNECTING,
                                          .serves = serves});
    for (const struct xds_life_connection *c = life->first; c; c = c->next)
        xds_scene_add(&scene, arena, 0,
                      (struct xds_scene_node){.label = c->id,
                                              .state = c->state == XDS_LIFE_WAITING
                                                           ? XDS_STATE_CONNECTING
                                                           : XDS_STATE_READY,
                                              .serves = c->state == XDS_LIFE_OPEN,
                                              .parked = c->state == XDS_LIFE_DRAINING});
    return scene;
}

static void put_state(void *subject, const struct xds_scene *scene,
                      struct xds_tree *result)
{
    const struct xds_life *life = subject;
    struct xds_arena *arena = life->play->step->arena;
    struct xds_tree states = xds_tree_object();
    struct xds_tree chains = xds_tree_object();
    struct xds_tree unserved = {.kind = XDS_TREE_NULL};

    (void)scene;
    if (life->serving != XDS_SERVING)
        unserved = xds_tree_string(xds_arena_dup(arena, life->unserved));
    for (const struct xds_life_connection *c = life->first; c; c = c->next) {
        xds_tree_put_key(arena, &states, c->id, xds_tree_text(state_names[c->state]));
        if (c->chain.data)
            xds_tree_put_key(arena, &chains, c->id, xds_tree_string(c->chain));
    }
    xds_tree_put(arena, result, "serving", xds_tree_text(serving_names[life->serving]));
    xds_tree_put(arena, result, "unserved", unserved);
    xds_tree_put(arena, result, "listening", xds_tree_bool(life->listens));
    xds_tree_put(arena, result, "waits_for", xds_life_waits_for(life, arena));
    xds_tree_put(arena, result, "connections", states);
    xds_tree_put(arena, result, "connection_chains", chains);
}

/* ---- the subject ---- */

static const struct xds_brief_key brief[] = {
    {.key = "told"},
    {.key = "rejected"},
    {.key = "connected"},
    {.key = "answer", .member = "outcome"},
    {.key = "answer", .member = "status", .by_member = true},
    {.key = "answer", .member = "reason", .by_member = true},
    {.key = "answer", .member = "policy", .by_member = true},
    {.key = "drained"},
    {.key = "closed"},
    {.key = "waits_for"},
    {0},
};

const struct xds_subject xds_subject_server = {
    .name = "server",
    .brief = brief,
    .config_keys = XDS_KEYS("server", "local", "listener", "drain_grace_time"),
    .happened = (const struct xds_result_key[]){{"told", XDS_KEY_LIST},
                                                {"rejected", XDS_KEY_LIST},
                                                {"connected", XDS_KEY_LIST},
                                                {"drained", XDS_KEY_LIST},
                                                {"closed", XDS_KEY_LIST},
                                                {"answer", XDS_KEY_VALUE},
                                                {.name = NULL}},
    .events =
        (const struct xds_event_kind[]){
            {"connect", XDS_KEYS("id", CONNECTION_FIELDS), play_connect},
            {"disconnect", XDS_KEYS("id"), play_disconnect},
            {"rpc", XDS_KEYS(RPC_FIELDS, CONNECTION_FIELDS), play_rpc},
            {"rpc_start", XDS_KEYS("id", RPC_FIELDS), play_rpc_start},
            {"rpc_end", XDS_KEYS("id"), play_rpc_end},
            {"xds_update", XDS_KEYS("listeners", "routes", "clusters", "endpoints"),
             play_xds_update},
            {"xds_remove", XDS_KEYS("resource_type", "name"), play_xds_remove},
            {.type = NULL}},
    .open = open_server,
    .start = start_server,
    .state = put_state,
    .scene = server_scene,
};
