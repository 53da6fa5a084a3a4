/*
 * subchannel.h - connections as leaf policies hold them.
 *
 * A leaf holds one subchannel per address. It may ask for a connection, but what becomes
 * of that comes from outside, as an event: a change of state of which each holder is
 * notified of. All holders of one address share one connection, or each has its own, as
 * the client has it.
 */
#ifndef XDS_LB_SUBCHANNEL_H
#define XDS_LB_SUBCHANNEL_H

#include "base/strmap.h"
#include "lb/policy.h"

struct xds_connection;

struct xds_subchannel {
    struct xds_slice address;          /* lasts as long as the maker */
    struct xds_connection *connection; /* of the maker's use */
    enum xds_connectivity state;
    void *owner;
    size_t tag;                               /* of the owner's use */
    void (*changed)(struct xds_subchannel *); /* the state is another one now */
    bool held;
    struct xds_subchannel *next; /* of the maker's use */
};

/* How a leaf gets its subchannels. */
struct xds_subchannel_maker {
    void *user;
    /* In the state of its connection, IDLE if that is new. The owner sets changed; it is
     * not called before this returns. */
    struct xds_subchannel *(*create)(void *user, struct xds_slice address, void *owner);
    /* The state does not change by this. */
    void (*connect)(void *user, struct xds_subchannel *subchannel);
    void (*release)(void *user, struct xds_subchannel *subchannel);
};

/* ---- the connections of one client ---- */

struct xds_connection {
    struct xds_slice address;
    enum xds_connectivity state;
    bool asked; /* to be made, and has not begun */
    size_t n_held;
    struct xds_subchannel *subchannels; /* the places of released ones are taken again */
    struct xds_connection *next;        /* to the same address, made later */
};

struct xds_subchannel_pool {
    struct xds_machine *machine;
    struct xds_subchannel_maker maker;
    struct xds_strmap connections; /* the first struct xds_connection by address */
    void *user;
    /* To connect; may be NULL. */
    void (*asked)(void *user, struct xds_connection *connection);
};

/* asked may be set afterwards. The pool must not move. */
void xds_subchannel_pool_init(struct xds_subchannel_pool *pool,
                              struct xds_machine *machine);
/* Of several connections to the address those change that can come into the state from
 * theirs. False: there is no subchannel of that address, and nothing happens. */
bool xds_subchannel_pool_set(struct xds_subchannel_pool *pool, struct xds_slice address,
                             enum xds_connectivity state);
/* One that is held now gets into another state. */
void xds_connection_set(struct xds_connection *connection, enum xds_connectivity state);
/* The one in the best state; NULL unless somebody holds one. */
const struct xds_connection *
xds_subchannel_pool_find(const struct xds_subchannel_pool *pool,
                         struct xds_slice address);

#endif
