/*
 * snapshot.h - the models of a whole snapshot by type and name, for explain.
 *
 * Of several resources with one name a client uses the last one that it accepts, or, as
 * go does, the last one; lint/ reports it.
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
    unsigned by_host;   /* among them those for which it does, but for the virtual hosts
                           that they reject */
    unsigned killing;   /* clients that die of it before any RPC */
    const struct xds_rule *killed_by; /* the first rule that says so, or NULL */
    uint32_t resource;                /* index in the report */
    const void *model; /* struct xds_listener, _route_config, _cluster or _endpoints;
                          NULL when it could not be built */
    bool is_api;       /* a LISTENER without model: it has an api_listener */
    struct xds_slice unknown; /* what in it only a bootstrap, which was not given, knows;
                                 absent: nothing */
    const struct xds_held *held;        /* of a dump; of the report */
    struct xds_snapshot_entry *next;    /* of the same type, in input order */
    struct xds_snapshot_entry *earlier; /* of the same name, or NULL */
};

/* Why a client does without a resource, as a clause: it names the client as it was asked
 * for, "is rejected by go@1.70 (NACK)". */
struct xds_without {
    char rejected[64], killed[80];
};

struct xds_snapshot {
    struct xds_arena *arena;
    const struct xds_without *without; /* by client; NULL: by their plain names */
    struct xds_strmap by_name[XDS_TYPE_ENDPOINT + 1];
    /* What a dump says is not there: entries without a model. */
    struct xds_strmap absent[XDS_TYPE_ENDPOINT + 1];
    struct xds_snapshot_entry *first_absent, *last_absent;
    /* Of a dump of several clients: the number and the node id of this one, and, of the
     * first one, the others. */
    uint32_t client;
    struct xds_slice node;
    unsigned last_only; /* clients that look no further than the last one of a name */
    struct xds_snapshot *next, *latest;
    /* Of a client with several ClientConfigs, one for each xDS client of its process:
     * what each holds alone, and its number. Entries are copies with the same models. */
    struct xds_snapshot *scopes, *last_scope;
    size_t n_scopes;
    uint32_t config;
    const struct xds_snapshot *whole; /* of such a part: that of the client */
    bool has_more;       /* it is not, or no longer, what the ClientConfigs have */
    size_t n_shared;     /* resources that two ClientConfigs of the client have */
    size_t n_merged;     /* of the first one, and others: of which another input has the
                            content */
    bool has_held;       /* it is of a dump */
    bool has_unmodelled; /* a resource that its client uses; see below */
    bool has_killing;    /* a resource, or a cluster in use; also if it was replaced or
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
/* The part of a client's snapshot that comes first: that of its first ClientConfig, if it
 * has several that differ in scope, or else the snapshot itself. */
const struct xds_snapshot *xds_snapshot_part(const struct xds_snapshot *snapshot);
/* The one after that; NULL after the last one. */
const struct xds_snapshot *xds_snapshot_next_part(const struct xds_snapshot *snapshot,
                                                  const struct xds_snapshot *part);
/* Add an entry, or put it in the place of the one of its type and name: what an update
 * does. */
void xds_snapshot_put(struct xds_snapshot *snapshot,
                      const struct xds_snapshot_entry *entry);
/* False when there is none of this name. */
bool xds_snapshot_remove(struct xds_snapshot *snapshot, enum xds_resource_type type,
                         struct xds_slice name);
/* Its client has a version of which the dump does not have the content: node says so of
 * what it has rejected, and of what was removed. held: or NULL. */
bool xds_held_lacks_content(const struct xds_held *held);
/* Its client uses it, and no model of it is there: in another client nothing would use
 * it, and none is needed. */
bool xds_snapshot_unmodelled(const struct xds_snapshot_entry *entry);
/* Has it a listener for clients, or one that could not be read? */
bool xds_snapshot_has_api_listener(const struct xds_snapshot *snapshot);
/* The last one of this name, or NULL. */
const struct xds_snapshot_entry *xds_snapshot_find(const struct xds_snapshot *snapshot,
                                                   enum xds_resource_type type,
                                                   struct xds_slice name);
/* The one that the client uses, or the last one if it accepts none of them; or NULL. */
const struct xds_snapshot_entry *xds_snapshot_used(const struct xds_snapshot *snapshot,
                                                   enum xds_client client,
                                                   enum xds_resource_type type,
                                                   struct xds_slice name);

#endif
