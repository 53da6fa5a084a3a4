/*
 * diff.h - the comparison of two snapshots while it is made.
 *
 * Takes:  two checks that kept their models, and a way to read both inputs again.
 * Gives:  the records that print/ formats, in the arena of the comparison.
 */
#ifndef XDS_DIFF_DIFF_H
#define XDS_DIFF_DIFF_H

#include "base/strmap.h"
#include "check/check.h"
#include "diff/changes.h"
#include "explain/decision.h"
#include "explain/derive.h"

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
    struct xds_slice
        reason; /* what the explainer says, or what the cookie is called now */
    struct xds_session_change *first, *last;
    size_t n;
    struct xds_request example; /* without the cookie */
};

/* ---- the whole ---- */

struct xds_diff {
    enum xds_client client;
    struct xds_client_label as; /* the client, with its release if one was asked for */
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

    struct xds_strmap seen; /* requests that were derived already */
    struct xds_strmap by_change;
    struct xds_request_kind **kinds; /* at most XDS_MAX_DIFF_KINDS */
    size_t n_kinds, n_more_kinds;
    size_t n_requests, n_differ; /* compared; with another answer */
    struct xds_derive_counts counts[XDS_SIDES];

    struct xds_strmap routes; /* pairs of routes whose sessions were looked at */
    struct xds_strmap by_session;
    struct xds_strmap by_break;
    struct xds_session_kind **breaks; /* at most XDS_MAX_DIFF_KINDS */
    size_t n_breaks, n_more_breaks;
    size_t n_sessions, n_broken, n_cookies;
    bool sessions_cut;
};

/* resources.c, verdicts.c, requests.c, sessions.c; all under a guard of the arenas. */
enum xds_status xds_diff_read_resources(struct xds_diff *diff);
void xds_diff_verdict(struct xds_diff *diff, uint32_t old, uint32_t now);
enum xds_status xds_diff_answers(struct xds_diff *diff,
                                 const struct xds_request *request);
/* A copy that outlives the request. */
struct xds_request xds_diff_keep_request(struct xds_arena *arena,
                                         const struct xds_request *request);
/* d: the answer of the old side, until the explainer is asked again. */
void xds_diff_sessions(struct xds_diff *diff, const struct xds_request *request,
                       const struct xds_decision *old, const struct xds_decision *now);

#endif
