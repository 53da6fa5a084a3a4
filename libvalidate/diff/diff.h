/* diff.h - two snapshots, or two readers of one: resources, fields, LB policies, and
 * where RPCs go. */
#ifndef XDS_DIFF_DIFF_H
#define XDS_DIFF_DIFF_H

#include <protobuf-c/protobuf-c.h>

#include "base/arena.h"
#include "base/path.h"
#include "base/strmap.h"
#include "check/check.h"
#include "decode/decode.h"
#include "decode/field.h"
#include "explain/decision.h"
#include "explain/derive.h"

/* Texts are in the arena of the comparison. What is not known is an absent slice. */

enum xds_side { XDS_SIDE_OLD, XDS_SIDE_NEW, XDS_SIDES };

enum xds_change_kind {
    XDS_CHANGE_ADDED,
    XDS_CHANGE_REMOVED,
    XDS_CHANGE_CHANGED,
    XDS_CHANGE_MOVED, /* an item of a list with an order */
};

struct xds_field_change {
    enum xds_change_kind kind;
    struct xds_slice path;  /* in the new resource; of what was removed, in the old one */
    struct xds_slice owner; /* name of the list item that the field is in */
    struct xds_slice value[XDS_SIDES];    /* absent: not there */
    const struct xds_path *at[XDS_SIDES]; /* NULL: not there */
    size_t index[XDS_SIDES];              /* MOVED: in its list */
    struct xds_place place[XDS_SIDES];    /* line 0: not known */
    bool unread;                          /* by every gRPC client */
};

struct xds_field_changes {
    struct xds_field_change *list;
    size_t n, cap;
    size_t n_more; /* over XDS_MAX_DIFF_CHANGES */
};

struct xds_resource_change {
    enum xds_change_kind kind;
    struct xds_slice type, name;
    struct xds_slice file[XDS_SIDES]; /* absent: not there */
    struct xds_place place[XDS_SIDES];
    struct xds_field_changes fields; /* CHANGED only */
    bool unreadable;                 /* one side cannot be read as xDS */
    bool unread;                     /* nothing of what changed is read by any client */
};

/* ---- verdicts ---- */

/* A rule that fires on one side only, once per rule. */
struct xds_rule_change {
    const struct xds_rule *rule;
    enum xds_side side;
    struct xds_finding finding; /* the first one */
};

struct xds_verdict_change {
    struct xds_slice type, name;
    bool added;                /* there is no old one to keep */
    unsigned rejects, accepts; /* clients that newly do so */
    unsigned dies, survives;   /* the same, of those that die of it */
    struct xds_rule_change *rules;
    size_t n_rules;
};

/* What lint warns of for one of two readers only: a rule, its first finding, and how many
 * resources have it. */
struct xds_warning_change {
    struct xds_rule_change rule;
    size_t n;
};

/* See xds_diff_warnings(). */
struct xds_diff_warnings {
    const struct xds_report *linted[XDS_SIDES];
    struct xds_warning_change *list; /* at most XDS_MAX_DIFF_KINDS */
    size_t n, n_more;
};

/* ---- servers ---- */

/* A server that the old side has serve, and the new one does not. */
struct xds_server_change {
    struct xds_slice listener, address; /* address may be absent */
    const char *why;                    /* of its listener: "removed", "rejected" */
};

enum xds_update_effect {
    XDS_UPDATE_KILLS,
    XDS_UPDATE_IGNORED,     /* the server goes on with the old listener */
    XDS_UPDATE_ROUTES_KEPT, /* the same of a route configuration */
    XDS_UPDATE_NO_RETURN,   /* the listener goes, and is not seen if it comes back */
    XDS_UPDATE_EFFECTS,
};

/* What some clients' running servers make of the change, otherwise than the documents
 * say. */
struct xds_server_update {
    enum xds_update_effect effect;
    struct xds_slice listener, address; /* address may be absent */
    struct xds_slice routes;            /* ROUTES_KEPT; else absent */
    const char *why; /* KILLS, IGNORED: a clause without its subject; else NULL */
    unsigned clients;
};

/* "kills", "ignored", "routes kept", "no return". */
const char *xds_update_effect_name(enum xds_update_effect effect);

/* RPCs that arrive at a server, and whose answers differ in the same way. */
struct xds_served_kind {
    struct xds_slice text[XDS_SIDES];   /* "served over plaintext" */
    struct xds_slice policy[XDS_SIDES]; /* of RBAC, that decides; absent: none */
    struct xds_inbound example;
    size_t n;
};

/* RPCs of servers that were compared on both sides. */
struct xds_diff_served {
    struct xds_server *server[XDS_SIDES];
    struct xds_strmap seen, by_change;
    struct xds_served_kind **kinds; /* at most XDS_MAX_DIFF_KINDS */
    size_t n_kinds, n_more_kinds;
    size_t n, n_differ;
};

/* ---- requests ---- */

/* What may become of an RPC in another way; each is reported as a text of both sides. */
enum xds_aspect {
    XDS_ASPECT_OUTCOME,
    XDS_ASPECT_PRIORITY,
    XDS_ASPECT_LOCALITY,
    XDS_ASPECT_POLICY,
    XDS_ASPECT_HASH,
    XDS_ASPECT_TIMEOUT,
    XDS_ASPECT_RETRY,
    XDS_ASPECT_SESSION,
    XDS_ASPECT_FAULTS,
    XDS_ASPECT_DROPS,
    XDS_ASPECTS,
};

/* "outcome", "priority" ... */
const char *xds_aspect_name(enum xds_aspect aspect);

/* A cluster, or a host given its cluster. */
struct xds_share_change {
    struct xds_slice cluster, address; /* address absent: the cluster */
    double share[XDS_SIDES];           /* or XDS_NOT_COMPUTABLE */
};

struct xds_share_changes {
    struct xds_share_change *list;
    size_t n, n_more;
};

/* How the answers to one RPC differ. */
struct xds_answer_change {
    unsigned aspects; /* mask of 1 << XDS_ASPECT_... */
    struct xds_slice text[XDS_SIDES][XDS_ASPECTS];
    struct xds_share_changes clusters, hosts;
};

/* RPCs whose answers differ in the same way. */
struct xds_request_kind {
    struct xds_answer_change change;
    size_t n;
    struct xds_request example;
};

/* ---- sessions ---- */

enum xds_break {
    XDS_BREAK_HOST,
    XDS_BREAK_PRIORITY, /* the host is there, but affinity does not reach it (A55) */
    XDS_BREAK_CLUSTER,
    XDS_BREAK_STATUS,
    XDS_BREAK_OFF,
    XDS_BREAK_NAME,
    XDS_BREAK_PATH,
    XDS_BREAK_FAILS, /* the RPC itself fails */
    XDS_BREAK_OTHER,
    XDS_BREAKS,
};

/* "host-gone", "cluster-not-in-route" ... */
const char *xds_break_name(enum xds_break cause);

/* One cookie that the old side honours. */
struct xds_session_change {
    struct xds_slice addresses;
    enum xds_health health; /* of the host on the old side */
    bool breaks;
    struct xds_session_change *next; /* of its kind */
};

/* Cookies that break for one reason; all text is that of the first one. */
struct xds_session_kind {
    enum xds_break cause;
    struct xds_slice cookie_name, cookie_path, cluster;
    struct xds_slice in_cookie; /* the cluster, as the client's cookies have it */
    struct xds_slice
        reason; /* what the explainer says, or what the cookie is called now */
    struct xds_session_change *first, *last;
    size_t n;
    struct xds_request example; /* without the cookie */
};

/* ---- LB policies ---- */

/* Clusters whose LB policies differ in the same way. */
struct xds_policy_kind {
    struct xds_slice path;            /* of the first difference */
    struct xds_slice text[XDS_SIDES]; /* what is there; "not set" */
    struct xds_slice cluster;         /* the first one */
    size_t n;
};

/* ---- the whole ---- */

/* RPCs that were compared on both sides. */
struct xds_diff_requests {
    struct xds_strmap seen; /* that were derived already */
    struct xds_strmap by_change;
    struct xds_request_kind **kinds; /* at most XDS_MAX_DIFF_KINDS */
    size_t n_kinds, n_more_kinds;
    size_t n, n_differ; /* compared; with another answer */
    struct xds_derive_counts counts[XDS_SIDES];
    struct xds_slice route_config; /* only those that start there; or absent */
};

/* Sessions of the old side, and what becomes of them on the new one. */
struct xds_diff_sessions {
    struct xds_strmap routes; /* pairs of routes that were looked at */
    struct xds_strmap by_session;
    struct xds_strmap by_break;
    struct xds_session_kind **breaks; /* at most XDS_MAX_DIFF_KINDS */
    size_t n_breaks, n_more_breaks;
    size_t n, n_broken, n_cookies;
    bool cut;
};

/* What RPCs meet on both sides alike: unchanged.c. */
struct xds_unchanged {
    bool is_known;
    struct xds_strmap changed[XDS_TYPE_ENDPOINT + 1]; /* names of resources */
    struct xds_strmap clusters;          /* by name, whether they are the same */
    struct xds_strmap with_sessions;     /* routes whose sessions were compared */
    const struct xds_virtual_host *host; /* the last one that was looked at as a whole */
    bool is_same_host;
};

struct xds_unchanged_pair {
    const struct xds_virtual_host *host;
    const struct xds_route *route;
};

struct xds_server_updates {
    struct xds_server_update *list;
    size_t n, cap;
};

struct xds_diff {
    bool again;                            /* see xds_diff_again() */
    bool of_readers;                       /* one snapshot, see xds_diff_readers() */
    struct xds_client_label as[XDS_SIDES]; /* with the release if one was asked for */
    struct xds_diff_side side[XDS_SIDES];
    struct xds_explainer *explainer[XDS_SIDES];
    struct xds_arena arena;
    struct xds_arena scratch; /* of one request, and of one resource */
    struct xds_arena cookies; /* of one session */
    struct xds_arena derive;  /* requests that are made of routes */

    struct xds_resource_change *resources;
    size_t n_resources, n_same;
    bool reordered; /* what differs is only the order of lists that have none */
    struct xds_verdict_change *verdicts;
    size_t n_verdicts, n_more_verdicts;
    struct xds_diff_warnings warnings;
    struct xds_policy_kind **trees; /* at most XDS_MAX_DIFF_KINDS */
    size_t n_trees, n_more_trees;
    size_t n_clusters, n_clusters_differ; /* whose LB policies were compared */
    struct xds_server_change *servers;    /* that stop serving */
    size_t n_servers, server_cap;
    struct xds_server_updates updates;

    struct xds_diff_requests requests;
    struct xds_diff_sessions sessions;
    struct xds_diff_served served;
    struct xds_unchanged unchanged;
};

/* The i-th row of history between the two releases of one client; NULL after the last
 * one. */
struct xds_difference_before;
const struct xds_difference_before *xds_diff_history(const struct xds_diff *diff,
                                                     size_t i);

/* resources.c: those of two readers of the same resources. */
enum xds_status xds_diff_verdicts(struct xds_diff *diff);

/* requests.c, under a guard of the arenas. */
enum xds_status xds_diff_answers(struct xds_diff *diff,
                                 const struct xds_request *request);

/* unchanged.c: once the resources are compared, under a guard of the arena. */
void xds_unchanged_init(struct xds_diff *diff);
/* The RPC, made for the old side, certainly has the same answer on both, and sessions
 * that were compared or none: so many RPCs are compared with it. 0: it has to be asked.
 */
size_t xds_unchanged(struct xds_diff *diff, const struct xds_derived *derived);
void xds_unchanged_note_sessions(struct xds_diff *diff, const struct xds_decision *old);

enum { XDS_MAX_PINNED = 8 }; /* fractions that one RPC may meet */

/* How often an RPC that meets so many open fractions is compared once more. */
static inline size_t xds_diff_pinned(size_t n_open)
{
    return n_open == 0 || n_open > XDS_MAX_PINNED ? 0 : n_open + 1;
}

/* The item of a field that is no list, by its name; NULL when it is not there. */
const void *xds_message_item(const ProtobufCMessage *message, const char *name,
                             const ProtobufCFieldDescriptor **field);
/* The same for a text; absent when there is none. */
struct xds_slice xds_message_text(const ProtobufCMessage *message, const char *name);
/* The struct after google.protobuf.Any, or NULL for any other message. */
const struct xds_any *xds_message_any(const ProtobufCMessage *message);

enum xds_list_order {
    XDS_LIST_ORDERED, /* the order says something to gRPC */
    XDS_LIST_SET,     /* items are their own keys */
    XDS_LIST_KEYED,
};

#define XDS_LIST_KEYS 2

struct xds_list_rule {
    const ProtobufCMessageDescriptor *message;
    const char *field;
    enum xds_list_order order;
    /* What pairs two items that are not equal, best first: fields with "," between them,
     * "." into a message. NULL: no more. */
    const char *keys[XDS_LIST_KEYS];
    /* ORDERED: the field that two items between the same neighbours must share to be one
     * that was changed; NULL: items that have keys are never such a pair. */
    const char *loose;
};

/* Never NULL. */
const struct xds_list_rule *xds_list_rule_of(const ProtobufCMessageDescriptor *message,
                                             const ProtobufCFieldDescriptor *field);

#define XDS_NO_PARTNER SIZE_MAX

struct xds_align_item {
    uint64_t digest;
    uint64_t key[XDS_LIST_KEYS];
    bool has_key[XDS_LIST_KEYS];
    uint64_t loose;
    bool has_loose;
    size_t partner; /* index in the other list, or XDS_NO_PARTNER */
    bool moved;     /* of the new list, ordered: it is on another side of items that
                       stayed */
};

struct xds_align_list {
    struct xds_align_item *items;
    size_t n;
};

/* Fills partner and moved. Time is n log n. */
void xds_align(struct xds_arena *scratch, const struct xds_list_rule *rule,
               struct xds_align_list old, struct xds_align_list now);

enum xds_digest_kind {
    XDS_DIGEST_MEANING, /* blind to the order of what has none for gRPC */
    XDS_DIGEST_STRICT,
};

uint64_t xds_digest_message(const ProtobufCMessage *message, enum xds_digest_kind kind);
/* Of one item of a field, by meaning. */
uint64_t xds_digest_item(const ProtobufCFieldDescriptor *field, const void *item);
/* Of the fields that a key of struct xds_list_rule names, by meaning; false: the message
 * has none of them. */
bool xds_digest_key(const ProtobufCMessage *message, const char *fields, uint64_t *out);

/* Both are of one type. Adds to *out, in arena; scratch: for the time of the call. */
void xds_fields_compare(struct xds_arena *arena, struct xds_arena *scratch,
                        const ProtobufCMessage *old, const ProtobufCMessage *now,
                        struct xds_field_changes *out);

struct xds_pass {
    struct xds_diff *diff;
    enum xds_side side;
    void (*visit)(struct xds_pass *pass, uint32_t index, const struct xds_resource *in);
    /* Does visit do anything with it? It may come twice. NULL: it must see each once. */
    bool (*wants)(struct xds_pass *pass, uint32_t index);
    void *user;
    struct xds_arena *taken;   /* in which visit keeps messages; NULL: nowhere */
    struct xds_report *report; /* of this pass: faults, and places that are looked for */
    struct xds_arena decode;   /* free for use, reset for each resource */
};

/* Is the value of the field a secret? is_below: what it is in already is one, and it is
 * not said where that is. */
bool xds_is_secret(const ProtobufCMessage *message, const ProtobufCFieldDescriptor *field,
                   bool is_below);
/* One item of a field without secrets, at most XDS_MAX_DIFF_VALUE bytes, cut with "...".
 */
struct xds_slice xds_value_text(struct xds_arena *arena,
                                const ProtobufCFieldDescriptor *field, const void *item);

/* What it starts at: a target, a listener or a route configuration. */
static inline struct xds_slice xds_diff_start(const struct xds_request *request)
{
    if (request->target.data)
        return request->target;
    return request->listener.data ? request->listener : request->route_config;
}

/* Fills diff->servers. Runs under a guard of its arena. */
void xds_diff_servers(struct xds_diff *diff);
/* updates.c: fills diff->updates, under the same guard. */
void xds_diff_updates(struct xds_diff *diff);
/* served.c, after it, under a guard of the arenas: RPCs made for the servers of a side.
 */
enum xds_status xds_diff_served(struct xds_diff *diff, enum xds_side side);
/* A copy that outlives the request. */
struct xds_request xds_diff_keep(struct xds_arena *arena,
                                 const struct xds_request *request);

#endif
