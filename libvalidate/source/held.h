/* held.h - an entry of a dump: what a client says of one resource. */
#ifndef XDS_SOURCE_HELD_H
#define XDS_SOURCE_HELD_H

#include "base/arena.h"
#include "source/reader.h"

/* More of a text that says why is not kept. */
#define XDS_MAX_HELD_ERROR ((size_t)64 << 10)

/* Messages of envoy.admin.v3 and envoy.service.status.v3. */
enum xds_held_message {
    XDS_HELD_GENERIC,        /* ClientConfig.GenericXdsConfig */
    XDS_HELD_STATIC,         /* ListenersConfigDump.StaticListener and its like */
    XDS_HELD_DYNAMIC,        /* RoutesConfigDump.DynamicRouteConfig and its like */
    XDS_HELD_LISTENER,       /* ListenersConfigDump.DynamicListener */
    XDS_HELD_LISTENER_STATE, /* ... DynamicListenerState */
    XDS_HELD_ERROR,          /* UpdateFailureState */
};

struct xds_held_entry {
    struct xds_held held;
    struct xds_slice name, type_url; /* as far as it says */
    bool has_used;                   /* a resource that the client uses, or will */
    bool has_rejected;               /* one that it did not accept */
    bool is_static;
    /* On the wire: the google.protobuf.Anys of these. */
    struct xds_slice used[2], rejected;
};

/* Read the members of an object that was just entered, of any of the messages. */
void xds_held_read(struct xds_reader *reader, struct xds_arena *arena,
                   struct xds_held_entry *out);
/* Read a message. False when it is none. */
bool xds_held_read_wire(struct xds_slice message, enum xds_held_message kind,
                        struct xds_arena *arena, struct xds_held_entry *out);
/* A copy with its texts. */
struct xds_held *xds_held_copy(struct xds_arena *arena, const struct xds_held *held);
/* An entry without a resource, of which it says what became of it; or, where versions are
 * wanted, only which one is in use. */
bool xds_held_tells_absence(const struct xds_held_entry *entry, bool versions);

/* Who the clients of a dump say they are; cut where it is longer. */
struct xds_dumped_client {
    bool seen;                    /* the node of one that says it */
    char name[64], version[64];   /* of the first one */
    uint32_t n;                   /* clients so far, in all inputs */
    bool reads_agent;             /* name and version are due */
    uint32_t configs;             /* ClientConfigs */
    bool is_new;                  /* nothing of the latest one was read */
    char id[256], id_before[256]; /* its node id, and that of the one before */
    char agent[64];               /* how it calls itself; cut where it is longer */
    struct xds_arena *arena;      /* for the bootstrap of the first one */
    struct xds_slice bootstrap;   /* XDS_BOOTSTRAP_KEY of its metadata */
};

/* A ClientConfig begins: that of another client, unless its node id is the same. */
void xds_begin_client(struct xds_dumped_client *client);
/* The node of another ClientConfig begins. */
void xds_begin_node(struct xds_dumped_client *client);
/* The metadata of a node in text proto, which was just entered: a google.protobuf.Struct
 * as a message. Takes the bootstrap from it. */
void xds_read_metadata_text(struct xds_reader *reader, struct xds_dumped_client *client);
/* Say whose a resource is; in_client: it is in a ClientConfig. What it is of its client,
 * is_rejected and is_absent, is known. */
void xds_held_sign(struct xds_held *held, bool in_client,
                   struct xds_dumped_client *client);

#endif
