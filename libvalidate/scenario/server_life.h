/*
 * server_life.h - the inside of subject server: what a server has, and its connections.
 *
 * Source: gRFC A36; what clients do otherwise is rows of clients/differences.def.
 */
#ifndef XDS_SCENARIO_SERVER_LIFE_H
#define XDS_SCENARIO_SERVER_LIFE_H

#include "scenario/scenario.h"
#include "server/server.h"

enum xds_serving {
    XDS_NOT_SERVING,
    XDS_SERVING,
    XDS_SERVER_DEAD, /* the process has crashed */
};

/* A RouteConfiguration that filter chains name. */
struct xds_life_route {
    struct xds_life *life;
    struct xds_slice name;
    struct xds_timer missing;    /* until then it may come */
    bool wanted;                 /* the server asks for it */
    bool missed;                 /* it did not come in time */
    struct xds_life_route *next; /* of all that were ever asked for */
};

/* What filter chains have of it. */
struct xds_life_view {
    struct xds_life_route *route;
    const struct xds_route_config *config; /* NULL: none */
    const char *why;                       /* then: a clause */
    struct xds_life_view *next;
};

/* A Listener with its routes, as connections have it. */
struct xds_life_config {
    struct xds_life *life;
    const struct xds_listener *listener;
    const struct xds_tree *given; /* as the scenario has it; NULL: as a file has it */
    struct xds_life_view *views;
    struct xds_strmap by_name;        /* the same, but that of default_filter_chain */
    struct xds_life_view *of_default; /* NULL: it has none by RDS */
};

enum xds_life_state {
    XDS_LIFE_CLOSED,
    XDS_LIFE_WAITING, /* not accepted yet */
    XDS_LIFE_OPEN,
    XDS_LIFE_DRAINING, /* the client was asked to close it, and RPCs are open */
};

struct xds_life_connection {
    struct xds_life *life;
    struct xds_slice id;
    struct xds_inbound inbound;
    enum xds_life_state state;
    struct xds_life_config *config; /* with which it was accepted */
    struct xds_slice chain;         /* its filter chain, for readers */
    struct xds_timer grace;
    struct xds_life_rpc *rpcs;                 /* those that are open */
    struct xds_life_connection *before, *next; /* of those that are not closed */
};

struct xds_life_rpc {
    struct xds_slice id;
    struct xds_life_connection *connection; /* NULL: it does not run */
    struct xds_life_rpc *before, *next;     /* of the connection */
};

struct xds_life {
    struct xds_play *play;
    struct xds_machine *machine;
    struct xds_server *server;
    struct xds_inbound base; /* what is the same for all connections */
    int64_t grace_ms;        /* of drained connections; negative: no limit */

    struct xds_slice name; /* of the Listener; absent: none was found so far */
    enum xds_listener_by by;
    uint64_t seen;                /* the number of the one in the snapshot; 0: none */
    const struct xds_tree *given; /* the same as the scenario has it; or NULL */
    bool is_rejected;             /* that one */
    bool is_old_news;             /* so was the same one before, and that was reported */
    const struct xds_tree *rejected; /* last, while none is accepted; or NULL */
    bool is_absent; /* its absence was reported, and none was accepted since */
    struct xds_timer missing;

    enum xds_serving serving;
    struct xds_slice unserved; /* why not, a sentence */
    bool listens;              /* its port is open */
    bool has_served;
    struct xds_life_config *current, *pending;
    bool is_new; /* current: it is being taken into use */
    struct xds_life_route *routes;
    struct xds_strmap routes_by_name;
    struct xds_life_connection *first, *last; /* connections that are not closed */
    struct xds_strmap connections, rpcs;      /* all there ever were, by id */
};

void xds_life_init(struct xds_life *life, struct xds_play *play);
/* The snapshot has changed, or is there for the first time. */
void xds_life_refresh(struct xds_life *life);
/* The Listener as an update brings it, before the snapshot is refreshed. */
void xds_life_take(struct xds_life *life, const struct xds_tree *listeners);

/* A new connection, or one that is accepted now. False: it cannot be answered. */
bool xds_life_connect(struct xds_life *life, struct xds_life_connection *connection);
void xds_life_close(struct xds_life_connection *connection, const char *why);
/* The timer of a drained connection fires. */
void xds_life_end_grace(struct xds_timer *timer);
/* What becomes of an RPC on it. NULL: a fault of the play. */
const struct xds_served *xds_life_serve(struct xds_life_connection *connection,
                                        const struct xds_inbound *inbound, bool connects);
void xds_life_begin_rpc(struct xds_life_connection *connection, struct xds_life_rpc *rpc);
void xds_life_end_rpc(struct xds_life_rpc *rpc);
/* The names of the routes that the newest listener waits for. */
struct xds_tree xds_life_waits_for(const struct xds_life *life, struct xds_arena *arena);

#endif
