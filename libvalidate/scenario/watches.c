/*
 * watches.c - merge the watches of a client into requests, and tell watchers what came.
 *
 * Fails:  when a watcher is used twice or unknown: false, and nothing has happened.
 * Source: gRFC A28, spec routing 15, X-a, X-b, X-d.
 *
 * States of a name: not watched; watched; watched and cached. A watch of one that is not
 * watched sends a request with the name, of one that is cached notifies the watcher. What
 * is received, watched and new or changed is cached, and its watchers are notified. The
 * last cancellation sends a request without the name, and the cache forgets it.
 */
#include "scenario/scenario.h"

#include "clients/readers.h"

#include <stdlib.h>

#include "base/order.h"

struct xds_watcher {
    struct xds_slice name;
    struct xds_watched *resource; /* NULL: cancelled */
    struct xds_watcher *before, *next;
};

static const char *const type_names[XDS_WATCH_TYPES] = {
    [XDS_WATCH_LISTENER] = "listener",
    [XDS_WATCH_ROUTE] = "route",
    [XDS_WATCH_CLUSTER] = "cluster",
    [XDS_WATCH_ENDPOINT] = "endpoint",
};

const char *xds_watch_type_name(enum xds_watch_type type)
{
    return type_names[type];
}

bool xds_watch_type_from_name(struct xds_slice name, enum xds_watch_type *out)
{
    for (unsigned i = 0; i < XDS_WATCH_TYPES; i++)
        if (xds_slice_is(name, type_names[i])) {
            *out = (enum xds_watch_type)i;
            return true;
        }
    return false;
}

static void send_request(struct xds_watches *watches, enum xds_watch_type type)
{
    const size_t n = watches->types[type].n;
    struct xds_slice *names = XDS_NEW_ARRAY(watches->step_arena, struct xds_slice, n);
    size_t i = 0;

    for (const struct xds_watched *r = watches->types[type].first; r; r = r->next)
        names[i++] = r->name;
    if (n > 1 && XDS_DIFFERS(watches, XDS_DIFF_RESOURCE_NAMES_SORTED))
        qsort(names, n, sizeof *names, xds_slice_order);
    watches->sink.request(watches->sink.user, type, names, n);
}

size_t xds_watches_count(const struct xds_watches *watches)
{
    size_t n = 0;

    for (unsigned type = 0; type < XDS_WATCH_TYPES; type++)
        n += watches->types[type].n;
    return n;
}

static struct xds_watched *make_resource(struct xds_watches *watches,
                                         enum xds_watch_type type, struct xds_slice name)
{
    void **slot = xds_strmap_at(&watches->types[type].resources, name);

    if (!*slot) {
        struct xds_watched *resource = XDS_NEW(watches->arena, struct xds_watched);

        resource->type = type;
        resource->name = xds_arena_dup(watches->arena, name);
        *slot = resource;
    }
    return *slot;
}

static void begin_watching(struct xds_watches *watches, struct xds_watched *resource)
{
    struct xds_watched **last = &watches->types[resource->type].last;

    resource->before = *last;
    resource->next = NULL;
    if (*last)
        (*last)->next = resource;
    else
        watches->types[resource->type].first = resource;
    *last = resource;
    watches->types[resource->type].n++;
}

static void stop_watching(struct xds_watches *watches, struct xds_watched *resource)
{
    if (resource->before)
        resource->before->next = resource->next;
    else
        watches->types[resource->type].first = resource->next;
    if (resource->next)
        resource->next->before = resource->before;
    else
        watches->types[resource->type].last = resource->before;
    resource->before = resource->next = NULL;
    resource->version = (struct xds_slice){NULL, 0};
    watches->types[resource->type].n--;
}

static struct xds_watcher *make_watcher(struct xds_watches *watches,
                                        struct xds_slice name)
{
    void **slot = xds_strmap_at(&watches->watchers, name);

    if (!*slot) {
        struct xds_watcher *watcher = XDS_NEW(watches->arena, struct xds_watcher);

        watcher->name = xds_arena_dup(watches->arena, name);
        *slot = watcher;
    }
    return *slot;
}

static void attach(struct xds_watcher *watcher, struct xds_watched *resource)
{
    watcher->resource = resource;
    watcher->before = resource->last;
    watcher->next = NULL;
    if (resource->last)
        resource->last->next = watcher;
    else
        resource->first = watcher;
    resource->last = watcher;
}

static void detach(struct xds_watcher *watcher)
{
    struct xds_watched *resource = watcher->resource;

    if (watcher->before)
        watcher->before->next = watcher->next;
    else
        resource->first = watcher->next;
    if (watcher->next)
        watcher->next->before = watcher->before;
    else
        resource->last = watcher->before;
    watcher->before = watcher->next = NULL;
    watcher->resource = NULL;
}

static void notify(const struct xds_watches *watches, const struct xds_watcher *watcher)
{
    watches->sink.notify(watches->sink.user, watcher->name, watcher->resource);
}

void xds_watches_init(struct xds_watches *watches, struct xds_arena *arena,
                      struct xds_arena *step_arena, const struct xds_options *options,
                      enum xds_client client, struct xds_watch_sink sink)
{
    *watches = (struct xds_watches){.arena = arena,
                                    .step_arena = step_arena,
                                    .options = options,
                                    .client = client,
                                    .sink = sink};
    xds_strmap_init(&watches->watchers, arena);
    for (unsigned type = 0; type < XDS_WATCH_TYPES; type++)
        xds_strmap_init(&watches->types[type].resources, arena);
}

bool xds_watches_add(struct xds_watches *watches, enum xds_watch_type type,
                     struct xds_slice name, struct xds_slice watcher)
{
    struct xds_watcher *w = make_watcher(watches, watcher);

    if (w->resource)
        return false;
    struct xds_watched *resource = make_resource(watches, type, name);
    const bool is_new = !resource->first;

    attach(w, resource);
    if (is_new) {
        begin_watching(watches, resource);
        send_request(watches, type);
    } else if (resource->version.data) {
        notify(watches, w);
    }
    return true;
}

bool xds_watches_cancel(struct xds_watches *watches, struct xds_slice watcher)
{
    struct xds_watcher *w = xds_strmap_get(&watches->watchers, watcher);

    if (!w || !w->resource)
        return false;
    struct xds_watched *resource = w->resource;

    detach(w);
    if (resource->first)
        return true;
    stop_watching(watches, resource);
    if (XDS_DIFFERS(watches, XDS_DIFF_STREAM_CLOSED_AT_END) &&
        xds_watches_count(watches) == 0)
        watches->sink.close(watches->sink.user);
    else
        send_request(watches, resource->type);
    return true;
}

/* "All the watchers for this type" of the document are those of a changed resource. */
void xds_watches_receive(struct xds_watches *watches, enum xds_watch_type type,
                         struct xds_slice name, struct xds_slice version)
{
    struct xds_watched *resource = xds_strmap_get(&watches->types[type].resources, name);

    if (!resource || !resource->first)
        return;
    if (resource->version.data && xds_slice_eq(resource->version, version))
        return;
    resource->version = xds_arena_dup(watches->arena, version);
    for (const struct xds_watcher *w = resource->first; w; w = w->next)
        notify(watches, w);
}
