/*
 * snapshot.h - the models of a whole snapshot by type and name, for explain.
 *
 * Of two resources with one name the last one counts, as in a response; lint/ reports it.
 */
#ifndef XDS_MODEL_SNAPSHOT_H
#define XDS_MODEL_SNAPSHOT_H

#include "base/strmap.h"
#include "model/cluster.h"
#include "model/endpoint.h"
#include "model/listener.h"

struct xds_snapshot_entry {
    struct xds_slice name;
    enum xds_resource_type type;
    unsigned nacked_by; /* clients for which the resource does not come into force */
    unsigned killing;   /* clients that die of it before any RPC */
    const struct xds_rule *killed_by; /* the first rule that says so, or NULL */
    uint32_t resource;                /* index in the report */
    const void *model; /* struct xds_listener, _route_config, _cluster or _endpoints;
                          NULL when it could not be built */
    bool is_api;       /* a LISTENER without model: it has an api_listener */
    const struct xds_held *held;     /* of a dump; of the report */
    struct xds_snapshot_entry *next; /* of the same type, in input order */
};

struct xds_snapshot {
    struct xds_arena *arena;
    struct xds_strmap by_name[XDS_TYPE_ENDPOINT + 1];
    /* What a dump says is not there: entries without a model. */
    struct xds_strmap absent[XDS_TYPE_ENDPOINT + 1];
    struct xds_snapshot_entry *first_absent, *last_absent;
    /* Of a dump of several clients: the number and the node id of this one, and, of the
     * first one, the others. */
    uint32_t client;
    struct xds_slice node;
    struct xds_snapshot *next, *latest;
    size_t n_shared;  /* resources of the first one, and others, that two targets have, or
                         of which another input has the content */
    bool has_held;    /* it is of a dump */
    bool has_killing; /* a resource, or a cluster in use; also if it was replaced or
                         removed */
    struct xds_snapshot_entry *first[XDS_TYPE_ENDPOINT + 1], *last[XDS_TYPE_ENDPOINT + 1];
};

void xds_snapshot_init(struct xds_snapshot *snapshot, struct xds_arena *arena);
void xds_snapshot_add(struct xds_snapshot *snapshot,
                      const struct xds_snapshot_entry *entry);
/* What an entry without content tells of a resource whose content another input has. */
typedef void xds_version_fn(void *user, struct xds_snapshot_entry *of,
                            const struct xds_snapshot_entry *entry);
/* Takes all such entries out. */
void xds_snapshot_take_versions(struct xds_snapshot *snapshot, xds_version_fn *take,
                                void *user);
/* What a dump says of a resource, there or not; NULL when there is nothing to say. */
const struct xds_held *xds_snapshot_held(const struct xds_snapshot *snapshot,
                                         enum xds_resource_type type,
                                         struct xds_slice name);
/* Add an entry of any client of a dump, unless the client has rejected it. The first
 * client's snapshot is `first`. */
void xds_snapshot_keep(struct xds_snapshot *first,
                       const struct xds_snapshot_entry *entry);
/* Add an entry, or put it in the place of the one of its type and name: what an update
 * does. */
void xds_snapshot_put(struct xds_snapshot *snapshot,
                      const struct xds_snapshot_entry *entry);
/* False when there is none of this name. */
bool xds_snapshot_remove(struct xds_snapshot *snapshot, enum xds_resource_type type,
                         struct xds_slice name);
/* Has it a listener for clients, or one that could not be read? */
bool xds_snapshot_has_api_listener(const struct xds_snapshot *snapshot);
const struct xds_snapshot_entry *xds_snapshot_find(const struct xds_snapshot *snapshot,
                                                   enum xds_resource_type type,
                                                   struct xds_slice name);

#endif
