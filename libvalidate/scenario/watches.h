/*
 * watches.h - what a client asks the management server for, and whom it tells.
 *
 * Several watchers may want the same resource. A request of a type names all resources of
 * that type which somebody watches, so a watch or a cancellation sends one only when that
 * set changes. What was received last is kept as long as somebody watches it, and a
 * watcher that comes later is notified at once.
 */
#ifndef XDS_SCENARIO_WATCHES_H
#define XDS_SCENARIO_WATCHES_H

#include "clients/environment.h"
#include "base/strmap.h"

enum xds_watch_type {
    XDS_WATCH_LISTENER,
    XDS_WATCH_ROUTE,
    XDS_WATCH_CLUSTER,
    XDS_WATCH_ENDPOINT,
    XDS_WATCH_TYPES,
};

/* "listener", "route", "cluster", "endpoint", and back. */
const char *xds_watch_type_name(enum xds_watch_type type);
bool xds_watch_type_from_name(struct xds_slice name, enum xds_watch_type *out);

struct xds_watcher;

/* A resource that was ever watched. */
struct xds_watched {
    enum xds_watch_type type;
    struct xds_slice name;
    struct xds_slice version;          /* of what is cached, or absent */
    struct xds_watcher *first, *last;  /* who watches it, in order; NULL: none */
    struct xds_watched *before, *next; /* the other watched ones of its type, in order */
};

/* Told of everything that the client does. All of it is borrowed. */
struct xds_watch_sink {
    void *user;
    /* The names are in the order in which the client sends them. */
    void (*request)(void *user, enum xds_watch_type type, const struct xds_slice *names,
                    size_t n);
    void (*notify)(void *user, struct xds_slice watcher,
                   const struct xds_watched *resource);
    /* Nothing is watched any more, and the stream ends without a request. */
    void (*close)(void *user);
};

struct xds_watches {
    struct xds_arena *arena; /* of everything that lasts; grows with names, not events */
    struct xds_arena *step_arena; /* of the names of a request */
    enum xds_client client;
    struct xds_watch_sink sink;
    struct xds_strmap watchers; /* struct xds_watcher by name, also cancelled ones */
    struct {
        struct xds_strmap resources; /* struct xds_watched by name */
        struct xds_watched *first, *last;
        size_t n; /* watched now */
    } types[XDS_WATCH_TYPES];
};

void xds_watches_init(struct xds_watches *watches, struct xds_arena *arena,
                      struct xds_arena *step_arena, enum xds_client client,
                      struct xds_watch_sink sink);
/* False: the watcher watches something already. */
bool xds_watches_add(struct xds_watches *watches, enum xds_watch_type type,
                     struct xds_slice name, struct xds_slice watcher);
/* False: the watcher watches nothing. */
bool xds_watches_cancel(struct xds_watches *watches, struct xds_slice watcher);
/* A valid resource has come. */
void xds_watches_receive(struct xds_watches *watches, enum xds_watch_type type,
                         struct xds_slice name, struct xds_slice version);
/* How many resources of all types are watched. */
size_t xds_watches_count(const struct xds_watches *watches);

#endif
