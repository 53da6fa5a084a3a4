/* explain.h - the inside of the room: from a request to its decision. */
#ifndef XDS_EXPLAIN_EXPLAIN_H
#define XDS_EXPLAIN_EXPLAIN_H

#include "base/arena.h"
#include "explain/decision.h"
#include "lb/lb.h"
#include "model/listener.h"
#include "route/route.h"

/* ---- what becomes of RPCs is worked out once for all that can have no other end ---- */

/* Fills the decision from the clusters on, if all RPCs of its route do the same there as
 * every other RPC to the same cluster. answers: by cluster, kept in the memory of lb.
 * False: the RPC is to be followed itself. */
bool xds_explain_known(const struct xds_lb *lb, struct xds_strmap *answers,
                       struct xds_decision *d);

/* ---- which xDS client of a dump ---- */

struct xds_check;

/* What the xDS client holds that has the channel of the RPC; all that the input has where
 * it is not of several, or none of them has that channel. *doubt: why it may be another
 * one; else untouched. */
const struct xds_snapshot *xds_explain_scope(const struct xds_check *check,
                                             const struct xds_rpc *rpc,
                                             struct xds_slice *doubt);

/* ---- what is kept ---- */

/* At most about so many bytes stay from one RPC to the next. */
void xds_explainer_keep(struct xds_explainer *explainer, size_t most);

/* ---- approach ---- */

/* The way to the virtual host, once for all RPCs in a row that have the
 * same. */

/* The way of the RPC before. */
struct xds_approach {
    struct xds_arena arena; /* of what is here */
    bool is_known;
    struct xds_slice target, listener, route_config, authority; /* that were asked for */
    struct xds_decision d;                /* up to the virtual host */
    struct xds_listener listener_assumed; /* if d.listener is one that does not last */
    struct xds_kept_json json;
};

void xds_approach_init(struct xds_approach *approach);
void xds_approach_release(struct xds_approach *approach);
/* As xds_explain_virtual_host(), for RPCs of one client to one snapshot. Runs under a
 * guard of the way's arena, too. */
bool xds_explain_approach(struct xds_approach *approach, const struct xds_lb *lb,
                          struct xds_decision *d);

/* ---- the filters that an RPC passes, once composite filters have chosen ---- */

struct xds_chain {
    const struct xds_filter *filters;
    size_t n;
    struct xds_share share;  /* of the RPCs; less than all where sample_percent decides */
    struct xds_failed error; /* present: after these filters the RPC fails UNAVAILABLE */
    struct xds_slice
        unknown; /* present: name of a composite filter that is not followed */
};

struct xds_chains {
    const struct xds_chain *list;
    size_t n; /* at least 1 */
};

/* Filters below a composite filter bear its name: overrides written for it are not
 * theirs. */
struct xds_chains xds_chains_of(const struct xds_rpc *rpc,
                                const struct xds_listener *listener,
                                const struct xds_override_scope *scope);
/* What a composite filter does to the RPC, as a clause: "runs ...". */
struct xds_slice xds_composite_does(const struct xds_rpc *rpc,
                                    const struct xds_override_scope *scope,
                                    const struct xds_filter *filter);

/* ---- every way that an RPC may still take, with its probability ---- */

/* One route, one entry of weighted_clusters, and what follows from them. */
struct xds_branch {
    const struct xds_route_try *try;
    const struct xds_weighted_cluster *entry; /* NULL: no weighted route */
    double probability;
    struct xds_share share; /* the same exactly, where it is a fraction */
    bool forwards;          /* false: the route has no action for clients */
    bool plugin;
    struct xds_faults faults; /* when one certainly aborts, there is no pick */
    struct xds_failed error;  /* present: a composite filter, or an exception, fails the
                                 RPC  without pick */
    struct xds_slice code;    /* of the error; absent: UNAVAILABLE */
    struct xds_slice unknown; /* present: name of a composite filter not followed */
    struct xds_session session;
    struct xds_session_cluster cluster;
    struct xds_slice key; /* "cluster:NAME" */
    struct xds_request_key hash;
    const struct xds_pick *pick; /* NULL: plugin, not forwarding, failed, too many */
};

struct xds_branches {
    struct xds_branch *list;
    size_t n;
    size_t n_picks;
    bool too_many; /* over XDS_MAX_OPEN_PICKS */
    bool kills;    /* the client dies as it makes a connection for a session */
};

/* All branches of a walk, each with its session, cluster, hash and pick. */
struct xds_branches xds_branches_follow(const struct xds_lb *lb,
                                        const struct xds_decision *d);

/* Ends the decision as undecided, if the client uses a resource on the way that no model
 * could be made of: listener and routes, where branches is NULL, or clusters and their
 * endpoints; below aggregates where the RPC fails. */
bool xds_explain_unmodelled(const struct xds_lb *lb, const struct xds_branches *branches,
                            struct xds_decision *d);
/* Is this resource such a one? */
bool xds_explain_is_unmodelled(const struct xds_lb *lb, enum xds_resource_type type,
                               struct xds_slice name);

/* The session filter's state for the pick; NULL when it does not act. */
const struct xds_session *xds_branch_session(const struct xds_branch *b);

/* ---- where two clients decide otherwise on one RPC, and why ---- */

/* Adds to d->others what `other` does, if it differs; the text is in d's arena. scratch:
 * for the time of the call. */
void xds_explain_compare(const struct xds_options *options, struct xds_decision *d,
                         const struct xds_decision *other, struct xds_arena *arena,
                         struct xds_arena *scratch);

/* ---- the per-RPC configuration of the route that took the RPC ---- */

/* Fills d->config when a route certainly forwards the RPC. The hosts are known by now. */
void xds_explain_config(const struct xds_rpc *rpc, const struct xds_branches *branches,
                        struct xds_decision *d);

/* ---- the one reading that makes two clients decide otherwise ---- */

/* Two decisions on the same RPC. */
struct xds_pair {
    const struct xds_options *options;
    const struct xds_decision *asked, *other;
    struct xds_arena *scratch;
};

/* Index in both walks of the first route that one takes and the other does not; the
 * shorter length when there is none. */
size_t xds_first_other_route(const struct xds_pair *pair);
/* What one of the two does, a clause such as "it reads an absent case_sensitive as
 * false", where "it" is the other client; absent when no single reading explains it. In
 * scratch. */
struct xds_slice xds_name_difference(const struct xds_pair *pair);
/* Do they secure the connection to a host in another way, how does the other one do it,
 * and why: clauses as above. */
bool xds_security_differs(const struct xds_pair *pair);
struct xds_slice xds_security_difference(const struct xds_pair *pair);
struct xds_slice xds_security_reason(const struct xds_pair *pair);

/* ---- what fault injection may do to an RPC, over all its branches ---- */

/* Fills d->faults, and notes what is left to chance. */
void xds_explain_faults(const struct xds_rpc *rpc, const struct xds_branches *branches,
                        struct xds_decision *d);

/* ---- sum up what the branches of an RPC have in common ---- */

/* Fills the decision from the clusters on. There is at least one branch. */
void xds_explain_gather(const struct xds_rpc *rpc, const struct xds_branches *branches,
                        struct xds_decision *d);

/* The security of connections to its hosts, once they are known. */
void xds_explain_security(const struct xds_lb *lb, struct xds_decision *d);

/* ---- from a request to the virtual host: LDS, RDS, domains ---- */

/* Fills the record up to the virtual host. False: the RPC ends here, outcome and error
 * say how. */
bool xds_explain_virtual_host(const struct xds_lb *lb, struct xds_decision *d);
/* A route configuration, and who leads to it. */
struct xds_start {
    struct xds_slice name;
    const struct xds_listener *by; /* as an API listener; NULL: no listener names it */
    bool is_server;                /* it is a filter chain's */
};

typedef bool xds_start_fn(void *user, const struct xds_start *start);
/* Each listener and filter chain that leads to one, then those of their own, until one
 * call returns false. */
void xds_each_start(const struct xds_snapshot *snapshot, xds_start_fn *use, void *user);
/* Its first step, where request->route_config takes the place of a listener. */
bool xds_explain_start(const struct xds_lb *lb, struct xds_decision *d);
/* The same at the only route configuration of a snapshot without an API listener. False
 * when there are several, or none, or an API listener that the client rejects: notes name
 * those that can be asked for. */
bool xds_explain_start_alone(const struct xds_lb *lb, struct xds_decision *d);
/* With an assumed start, the routes that this client rejects: as if it had accepted them.
 * NULL: it dies of them, or they could not be read, or are missing. */
const struct xds_route_config *xds_explain_rejected_routes(const struct xds_lb *lb,
                                                           struct xds_decision *d);
/* What its route configuration is asked for by: the name of the listener when it is
 * inline and has none. */
struct xds_slice xds_start_name(const struct xds_listener *listener);
/* Of a client that does not fail RPCs then: it ended, but the RPC goes on waiting. */
void xds_explain_waiting(const struct xds_lb *lb, struct xds_decision *d);
/* Of a client that refuses a virtual host without a route to a cluster: true, and every
 * RPC ends here. */
bool xds_explain_childless(const struct xds_lb *lb, struct xds_decision *d);
/* Of a client that waits for the endpoints of all clusters: true, and every RPC waits. */
bool xds_explain_awaiting(const struct xds_lb *lb, struct xds_decision *d);
/* The same for a rule of which the client dies. */
bool xds_explain_crash(const struct xds_lb *lb, struct xds_decision *d,
                       const struct xds_rule *rule);

/* ---- what an RPC without a route has just missed ---- */

/* Fills d->nearest when no route matches, d->nearest_domain when no domain does. */
void xds_explain_nearest(const struct xds_rpc *rpc, struct xds_decision *d);

/* ---- what can have sent an RPC to an address, or keeps it away from there ---- */

/* The RPC that was explained. */
struct xds_observed_rpc {
    const struct xds_lb *lb;
    const struct xds_branches *branches; /* empty when the RPC ended before a route */
    struct xds_decision *d;              /* all but what is asked here */
    struct xds_arena *scratch;           /* free for use, reset at will */
};

/* In the arena of the RPC. */
const struct xds_observation *xds_observe(const struct xds_observed_rpc *seen,
                                          struct xds_slice address);
/* As above, with the question turned round. */
const struct xds_why_not *xds_why_not(const struct xds_observed_rpc *seen,
                                      struct xds_slice address);

/* ---- where an address is in a snapshot ---- */

/* One address of one endpoint of one leaf cluster. */
struct xds_address_place {
    const struct xds_leaf *leaf;
    size_t leaf_index; /* among the leaves of the cluster that was asked for */
    const struct xds_endpoints *endpoints;
    const struct xds_locality *locality;
    const struct xds_endpoint *endpoint;
    size_t address; /* index in the endpoint's addresses */
    bool by_dns;    /* the endpoint is a DNS name that may resolve to the address */
};

struct xds_address_places {
    struct xds_arena *arena;
    struct xds_address_place *list;
    size_t n, cap;
};

/* Append every place that the address has in the endpoints of a leaf. */
void xds_address_places_add(struct xds_address_places *places,
                            const struct xds_leaf *leaf, size_t leaf_index,
                            const struct xds_endpoints *endpoints,
                            struct xds_slice address);
/* 'priority 0, locality r/z' */
struct xds_slice xds_address_place_text(struct xds_arena *arena,
                                        const struct xds_address_place *place);
/* All endpoints of the assignment, usable or not. */
size_t xds_endpoints_count(const struct xds_endpoints *endpoints);

/* ---- the connection states under which an RPC reaches an address ---- */

/* What the search for one address works with. */
struct xds_observer {
    const struct xds_lb *lb;   /* of the request, with its assumptions */
    struct xds_arena *scratch; /* of a single pick */
    size_t drawn;              /* numbers that are taken before a pick */
    size_t *budget;            /* hosts that may still be looked at */
};

enum xds_rpc_path_end {
    XDS_WAY_FOUND,
    XDS_WAY_TARGET_DOWN, /* the request says that the address is down */
    XDS_WAY_HELD,        /* `what` would have to be down; the request says otherwise */
    XDS_WAY_REFUSED,     /* the RPC is refused before any host; `what` is its error */
    XDS_WAY_PASSED,      /* whatever is down, the RPC passes the address by */
    XDS_WAY_TOO_LONG,    /* a limit was hit */
};

/* How a branch comes to an address. */
struct xds_rpc_reach {
    enum xds_rpc_path_end end;
    struct xds_slice what;
    const struct xds_assumption *needs; /* enough on their own; all are necessary, except
                                           when `bulk` */
    size_t n_needs;
    size_t n_rivals;   /* endpoints of the same priority among them */
    bool beats_cookie; /* the host that the request's cookie names is among them */
    bool lazy;         /* two failed endpoints of a ring, the others not connected */
    bool may_be_lazy;
    bool bulk;    /* the order of the rivals is too long to follow: all are down */
    double share; /* of the branch */
    enum xds_host_why why;
    bool waits;
    struct xds_request_key key;         /* that the last ring was asked with */
    const struct xds_lb_policy *policy; /* that chose the address; when found */
};

/* lazy: let ring_hash give a priority up as soon as gRFC A61 lets it. */
struct xds_rpc_reach xds_rpc_path_find(const struct xds_observer *o,
                                       const struct xds_branch *branch,
                                       const struct xds_leaves *leaves,
                                       const struct xds_address_place *place, bool lazy);

/* ---- why an RPC can reach an address, or why not, in sentences ---- */

/* Branches that share a route and a pick. */
struct xds_trail {
    const struct xds_lb *lb;
    const struct xds_branch *branch; /* the first of them */
    double probability;              /* of all of them */
    struct xds_leaves leaves;
};

enum xds_cause_kind xds_cause_kind_of(const struct xds_trail *trail,
                                      const struct xds_address_place *place,
                                      const struct xds_rpc_reach *rpc_path);
/* All that must hold, joined with "; ". sent: the request carries the cookie. */
struct xds_slice xds_cause_reason(const struct xds_trail *trail,
                                  const struct xds_address_place *place,
                                  const struct xds_rpc_reach *rpc_path, bool sent);
/* Why the policy sends no RPC to this place; absent when it does. */
struct xds_slice xds_address_place_obstacle(const struct xds_trail *trail,
                                            const struct xds_address_place *place);
/* Why a way was not found. */
struct xds_slice xds_rpc_path_obstacle(const struct xds_trail *trail,
                                       const struct xds_address_place *place,
                                       const struct xds_rpc_reach *rpc_path);

/* ---- the end of an RPC ---- */

/* Some notes are kept, in order; further ones are left out. */
void xds_explain_note(const struct xds_rpc *rpc, struct xds_decision *d,
                      const char *format, ...) XDS_PRINTF(3, 4);
/* The same for what few ask for: texts have it with verbose. */
void xds_explain_minor(const struct xds_rpc *rpc, struct xds_decision *d,
                       const char *format, ...) XDS_PRINTF(3, 4);
/* End the decision: outcome, the message of its status, and the reason of that, NULL if
 * there is none. Always returns false. */
bool xds_explain_end(const struct xds_lb *lb, struct xds_decision *d,
                     enum xds_outcome outcome, const struct xds_rpc_failure *reason,
                     const char *format, ...) XDS_PRINTF(5, 6);
/* Fills d->outcome and d->status. */
void xds_explain_outcome(const struct xds_rpc *rpc, const struct xds_branches *branches,
                         struct xds_decision *d);

/* ---- a text that a matcher takes ---- */

/* A text that the regex matches, as far as its literals, classes, groups and repetitions
 * tell; absent when there is more to it. optional: take what may be left out. The caller
 * must try the text: no assertion is looked at. */
struct xds_slice xds_regex_sample(struct xds_arena *arena, struct xds_slice pattern,
                                  bool optional);

/* ---- what core's one walk over all clusters may take from an aggregate ---- */

/* Adds a note for each aggregate among d->clusters that core may not see whole. */
void xds_explain_shared_walk(const struct xds_lb *lb, struct xds_decision *d);

#endif
