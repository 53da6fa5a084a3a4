/* inner.h - what the files of this room share. */
#ifndef XDS_ADS_INNER_H
#define XDS_ADS_INNER_H

#include "base/arena.h"
#include "base/text.h"
#include "check/check.h"
#include "include/xdscope.h"
#include "model/route_config.h"

/* ---- clients, see clients.def ---- */

/* The words of error_detail, see nack.c. */
enum xds_ads_words {
    XDS_ADS_WORDS_PLAIN,
    XDS_ADS_WORDS_CORE,
    XDS_ADS_WORDS_GO,
    XDS_ADS_WORDS_JAVA
};

enum xds_ads_odd { XDS_ADS_IGNORES, XDS_ADS_STALLS, XDS_ADS_RESTARTS };

struct xds_ads_client {
    const char *agent, *features;
    bool node_in_each;
    const char *order;
    bool sorted;
    unsigned code;
    enum xds_ads_words words;
    const char *unasked;
    bool moves, forgets, repeats;
    enum xds_ads_odd on_garbage, on_unknown, on_type;
};

/* ---- what is held ----
 *
 * What comes and goes is not in an arena: a client may run for months. */

/* A response. Resources are parts of it: it lives while one is held. When little of it is
 * held, that is copied and the rest is freed. */
struct xds_ads_message {
    char *data;
    size_t size;
    size_t held;    /* bytes of it */
    size_t holders; /* resources, and who works with it */
    bool *is_thin;  /* set when little of it is held */
    char *fresh;    /* while it is copied: what is to become data */
    size_t n_fresh;
    struct xds_slice version, nonce; /* of the response; version is absent of a delta */
    int64_t came;
};

struct xds_ads_content {
    struct xds_ads_message *message; /* NULL: nothing is held */
    struct xds_slice bytes;
    struct xds_slice version; /* absent: that of the message */
};

/* The clusters of a virtual host. */
struct xds_ads_host {
    struct xds_slice *names;
    size_t n, cap;
};

/* What a listener or a route configuration leads to. */
struct xds_ads_routes {
    struct xds_arena arena;
    bool is_api;           /* of a listener: for clients */
    struct xds_slice *rds; /* of a listener: its route configurations */
    size_t n_rds, cap_rds;
    struct xds_route_config config; /* domains alone */
    struct xds_ads_host *hosts;     /* of its virtual hosts */
};

/* What a cluster leads to: its children, or its endpoints. */
struct xds_ads_next {
    bool is_aggregate;
    size_t n;
    struct xds_slice names[]; /* texts follow */
};

struct xds_ads_entry {
    enum xds_resource_type type;
    size_t stream;
    enum xds_held_status status;
    struct xds_ads_content used, rejected;
    char *error;      /* why it was rejected, or is not asked for; or NULL */
    bool is_late;     /* it did not come in time */
    bool is_asked;    /* on this stream, in a request that was sent */
    uint32_t seen;    /* the last response that it was in */
    uint32_t wanted;  /* the last walk that came by */
    uint32_t depth;   /* of aggregates above it */
    int64_t deadline; /* or INT64_MAX */
    struct xds_ads_routes *routes;
    struct xds_ads_next *next;
    uint64_t hash;
    struct xds_slice name; /* its text follows */
};

/* Entries of one type, in the order in which they were asked for. */
struct xds_ads_list {
    struct xds_ads_entry **items;
    size_t n, cap;
    struct xds_ads_entry **slots;  /* by hash of the name */
    size_t n_slots;                /* 0, or a power of two */
    struct xds_ads_entry **sorted; /* by name, the first n_sorted of the items */
    size_t n_sorted;
};

struct xds_ads_entry *xds_ads_find(const struct xds_ads_list *list,
                                   struct xds_slice name);
/* The same in the order of their names. */
struct xds_ads_entry **xds_ads_sorted(struct xds_ads *ads, struct xds_ads_list *list);
/* A new one at the end. */
struct xds_ads_entry *xds_ads_add(struct xds_ads *ads, enum xds_resource_type type,
                                  struct xds_slice name);
/* Take out those for which gone() says so. */
void xds_ads_purge(struct xds_ads *ads, enum xds_resource_type type,
                   bool (*gone)(const struct xds_ads *ads, const struct xds_ads_entry *));

void xds_ads_hold(struct xds_ads_content *content, struct xds_ads_message *message,
                  struct xds_slice bytes, struct xds_slice version);
void xds_ads_let_go(struct xds_ads_content *content);
void xds_ads_message_done(struct xds_ads_message *message);
bool xds_ads_is_thin(const struct xds_ads_message *message);
/* Copy what is held of messages of which little is. */
void xds_ads_compact(struct xds_ads *ads);
void xds_ads_forget_next(struct xds_ads_entry *entry);

/* ---- streams ---- */

struct xds_ads_line_text {
    char *data; /* of malloc() */
    size_t len;
};

/* One type on one stream. */
struct xds_ads_line {
    struct xds_ads_line_text version, nonce, error;
    struct xds_ads_line_text came; /* the version of the last response */
    uint64_t answers;              /* a response is to be answered: when it came; or 0 */
    bool has_error;                /* error_detail is to be sent */
    bool changed;                  /* other names than in the last request */
    bool asked;                    /* there was a request on this stream */
};

struct xds_ads_stream {
    const struct xds_tree *servers; /* the list of the bootstrap, or NULL */
    size_t server;                  /* which of them is asked */
    bool ignores_deletion, fails_on_data_errors, late_is_transient;
    bool is_open;
    bool has_node; /* it was sent on this stream */
    struct xds_ads_line line[XDS_TYPE_ENDPOINT + 1];
};

struct xds_ads_authority {
    struct xds_slice name;
    size_t stream;
};

/* A listener that is asked for. */
struct xds_ads_root {
    struct xds_slice listener;
    struct xds_slice authority; /* of the data plane */
    bool is_server;
};

/* The last walk over what is wanted. */
struct xds_ads_walk {
    uint32_t number;
    bool stale; /* what is wanted may have changed since then */
    /* Clusters that led nowhere in it, and have endpoints now: there is no need for
     * another one. */
    struct xds_ads_entry **grown;
    size_t n_grown, cap_grown;
};

/* Whether to stop while something is judged. */
struct xds_ads_stop {
    bool (*asked)(void *user); /* or NULL */
    void *user;
};

struct xds_ads {
    struct xds_arena arena;   /* what the settings say */
    struct xds_arena scratch; /* of one call, or of one resource of a response */
    struct xds_arena sending; /* the message to send, or the NACK of a response */
    struct xds_ads_settings settings;
    struct xds_options options;
    struct xds_ads_client client;
    struct xds_report *report; /* of one resource */
    struct xds_check *check;
    struct xds_check_result result;
    bool closes_at_end;         /* the stream, instead of asking for nothing */
    struct xds_slice message;   /* to send */
    struct xds_slice node;      /* envoy.config.core.v3.Node */
    struct xds_slice dump_node; /* the same, with what a dump says of the bootstrap */
    struct xds_ads_stream *streams;
    size_t n_streams;
    struct xds_ads_authority *authorities;
    size_t n_authorities;
    struct xds_ads_root *roots;
    size_t n_roots;
    struct xds_ads_list list[XDS_TYPE_ENDPOINT + 1];
    struct xds_ads_walk walk;
    uint32_t response; /* the last one */
    uint64_t answer;   /* the last one that is to be answered */
    bool failed;       /* for lack of memory */
    struct xds_ads_stop stop;
    int64_t now;
    size_t n_waiting; /* entries with a deadline */
    bool has_thin;    /* a message of which little is held */
    struct xds_ads_note fault;
    struct xds_ads_verdict verdict; /* its texts are of the line of the type */
};

static inline int64_t xds_ads_now(struct xds_ads *ads, int64_t now)
{
    if (now > ads->now)
        ads->now = now;
    return ads->now;
}

/* Run body(arg); the scratch memory and the message to send are empty then. */
enum xds_status xds_ads_guard(struct xds_ads *ads, void (*body)(void *),
                              void *arg) XDS_MUST_USE;
void xds_ads_stop_waiting(struct xds_ads *ads, struct xds_ads_entry *entry);

/* What of the bootstrap decides verdicts, as a bootstrap of its own: the names in it,
 * nothing that is secret, and no path. In the arena. */
struct xds_slice xds_ads_bootstrap_names(struct xds_arena *arena,
                                         const struct xds_options *options);
/* From the settings: servers, authorities, node, listeners. False: ads->fault says why.
 */
bool xds_ads_read_settings(struct xds_ads *ads);
/* The server that is asked for a name. */
size_t xds_ads_stream_of(struct xds_ads *ads, struct xds_slice name,
                         struct xds_slice *authority);

/* What is asked for follows what is held: new entries, and those that nothing names any
 * more. */
void xds_ads_walk(struct xds_ads *ads);
/* Keep what a resource leads to, or forget it: model is NULL then. */
void xds_ads_lead(struct xds_ads *ads, struct xds_ads_entry *entry, const void *model);

void xds_ads_set_text(struct xds_ads *ads, struct xds_ads_line_text *text,
                      struct xds_slice value);
static inline struct xds_slice xds_ads_text(const struct xds_ads_line_text *text)
{
    return xds_slice_make(text->data ? text->data : "", text->len);
}

/* Does the client reject the resource in the report? */
bool xds_ads_rejects(const struct xds_ads *ads);
/* Is what it says then not about a resource by its name? is_named: its name came beside
 * it as well. */
bool xds_ads_is_top(const struct xds_ads *ads, enum xds_resource_type type,
                    bool is_named);
/* Why it rejects it: what it says in its NACK, and what of that is about the resource
 * alone. In the scratch memory. */
struct xds_ads_reason {
    struct xds_slice in_nack, alone;
    bool is_top;
};
struct xds_ads_reason xds_ads_reason(struct xds_ads *ads, enum xds_resource_type type,
                                     size_t index, bool is_top);
/* The text of the NACK around what is in it. */
void xds_ads_nack_begin(const struct xds_ads *ads, enum xds_resource_type type,
                        struct xds_text *text);
void xds_ads_nack_add(const struct xds_ads *ads, struct xds_text *text, size_t n,
                      const struct xds_ads_reason *reason);
void xds_ads_nack_end(const struct xds_ads *ads, struct xds_text *text);

/* The type URL of a type, and the type of one; XDS_TYPE_UNKNOWN: gRPC does not ask for
 * it.
 */
struct xds_slice xds_ads_type_url(enum xds_resource_type type);

/* ---- messages ---- */

/* Where a message goes: into a text, to a printer, or nowhere, only to be counted. */
struct xds_ads_out {
    struct xds_text *text;
    const struct xds_printer *to;
    size_t n;
    bool failed;
};

void xds_ads_put_uint(struct xds_ads_out *out, unsigned field, uint64_t value);
void xds_ads_put_bytes(struct xds_ads_out *out, unsigned field, struct xds_slice value);
/* Text as the library has it, U+0000 as XDS_NUL. None is written of an empty one. */
void xds_ads_put_text(struct xds_ads_out *out, unsigned field, struct xds_slice text);
/* What body() writes, twice: it must write the same. */
void xds_ads_put_message(struct xds_ads_out *out, unsigned field,
                         void (*body)(struct xds_ads_out *out, const void *arg),
                         const void *arg);
/* google.protobuf.Struct of an object, written from the inside out into the arena. */
struct xds_slice xds_ads_struct(struct xds_arena *arena, const struct xds_tree *object);

#endif
