/*
 * rbac.h - what the RBAC filter of a server makes of an RPC.
 *
 * Source: gRFC A41, A59, spec listener 8.3.
 */
#ifndef XDS_SERVER_RBAC_H
#define XDS_SERVER_RBAC_H

#include "model/rbac.h"
#include "server/server.h"

/* A rule, what it saw and whether it matched; of the same shape as the rule. All of a
 * policy are evaluated, also those after the one that decides. */
struct xds_rbac_seen {
    const struct xds_rbac_rule *rule;
    bool matched;
    bool dropped; /* this release leaves the rule out of its list: it neither matches nor
                     keeps the others from it */
    struct xds_slice
        what;             /* "header x-user"; absent: a set, not, any, or never matches */
    struct xds_slice saw; /* the value; absent: there was none */
    const char *because; /* clause: why it cannot be otherwise at this release; or NULL */
    const struct xds_rbac_seen *rules; /* rule->n_rules of them */
};

struct xds_rbac_policy_answer {
    const struct xds_rbac_policy *policy;
    bool matched;
    const struct xds_rbac_seen *permissions, *principals; /* as many as the policy has */
};

/* What an audit logger is given. */
struct xds_audit_entry {
    const struct xds_audit_logger *logger;
    struct xds_slice line; /* of the logger that is built in; absent: another writes it */
};

struct xds_rbac_answer {
    bool enforced; /* false: the filter does nothing, and the RPC passes */
    bool allowed;
    bool in_any_order; /* the client asks the policies in no order: of those that match it
                          may name any */
    const struct xds_rbac_policy_answer *policies; /* in the order of the client */
    size_t n_policies;
    const struct xds_rbac_policy *decided_by; /* the first that matches; NULL: none */
    const char *code;        /* "PERMISSION_DENIED"; NULL: the RPC is allowed */
    struct xds_failed words; /* of the status, as this client at this release says it */
    const struct xds_audit_entry *audits;
    size_t n_audits;
};

/* rbac NULL: nothing is enforced. All of it lives in the arena of the RPC. A regex that
 * takes too long is noted in it (xds_rpc_undecided()). */
void xds_rbac_decide(const struct xds_server_rpc *rpc, const struct xds_rbac *rbac,
                     struct xds_rbac_answer *out);

/* The policies of a filter as the client asks them. */
const struct xds_rbac_policy **xds_rbac_order(struct xds_arena *arena,
                                              const struct xds_rpc *rpc,
                                              const struct xds_rbac *rbac);
/* The same by path. rbac may be NULL. */
struct xds_rbac_index;
struct xds_rbac_index *xds_rbac_index_build(struct xds_arena *arena,
                                            const struct xds_rpc *rpc,
                                            const struct xds_rbac *rbac);
const struct xds_rbac *xds_rbac_index_of(const struct xds_rbac_index *index);

/* Positions in the order of the client, ascending. */
struct xds_rbac_positions {
    uint32_t *items;
    size_t n, cap;
};

/* The policies that an RPC of a path may match, one after the other, in that order. */
enum { XDS_RBAC_LISTS = 3 };

struct xds_rbac_turn {
    const struct xds_rbac_index *index;
    const struct xds_rbac_positions *lists[XDS_RBAC_LISTS]; /* NULL: none */
    size_t at[XDS_RBAC_LISTS];
};
/* Of an index whose filter enforces something. */
struct xds_rbac_turn xds_rbac_index_begin(const struct xds_rbac_index *index,
                                          struct xds_slice path);
/* NULL after the last one. */
const struct xds_rbac_policy *xds_rbac_index_next(struct xds_rbac_turn *turn);

/* As xds_rbac_decide(), without what each policy saw. Rules are asked only up to what
 * decides, so that a regex that takes too long may be left out. */
void xds_rbac_decide_brief(const struct xds_server_rpc *rpc,
                           const struct xds_rbac_index *index,
                           struct xds_rbac_answer *out);

/* False: every RPC passes. rbac may be NULL. node and older releases of core take an
 * action that they do not know for DENY. */
static inline bool xds_rbac_is_enforced(const struct xds_rbac *rbac)
{
    return rbac && rbac->has_rules && rbac->action != XDS_RBAC_LOG;
}

/* The decision alone, up to the first policy that matches. */
bool xds_rbac_allows(const struct xds_server_rpc *rpc, const struct xds_rbac *rbac);

/* The value of a header as a rule at this depth sees it (an entry of a policy has 0);
 * false: it is absent. *because: why this release cannot see it, whatever is sent; or
 * NULL. */
bool xds_rbac_header(const struct xds_server_rpc *rpc, struct xds_slice name,
                     unsigned depth, struct xds_slice *value, const char **because);

/* What a rule asks of the value that it looks at: "prefix \"/shop.Cart/\""; absent where
 * it looks at none. */
struct xds_slice xds_rbac_wish(struct xds_arena *arena, const struct xds_rbac_rule *rule);
/* The whole rule: "(url_path prefix \"/shop.Cart/\" and not header x-role \"guest\")". */
struct xds_slice xds_rbac_rule_words(struct xds_arena *arena,
                                     const struct xds_rbac_rule *rule);
/* "ALLOW" ...; NULL of a value that the enum does not have. */
const char *xds_rbac_action_name(uint32_t action);

/* Is the address in the range, as this client compares them? */
bool xds_rbac_in_range(const struct xds_rpc *rpc, const struct xds_ip_range *range,
                       const struct xds_ip *ip);

#endif
