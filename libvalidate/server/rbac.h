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
    const char *code;       /* "PERMISSION_DENIED"; NULL: the RPC is allowed */
    struct xds_slice words; /* of the status, as this client at this release says it */
    const struct xds_audit_entry *audits;
    size_t n_audits;
};

/* rbac NULL: nothing is enforced. All of it lives in the arena of the RPC. A regex that
 * takes too long is noted in it (xds_rpc_undecided()). */
void xds_rbac_decide(const struct xds_server_rpc *rpc, const struct xds_rbac *rbac,
                     struct xds_rbac_answer *out);

/* False: every RPC passes. rbac may be NULL. */
bool xds_rbac_is_enforced(const struct xds_rbac *rbac);

/* The decision alone, up to the first policy that matches. */
bool xds_rbac_allows(const struct xds_server_rpc *rpc, const struct xds_rbac *rbac);

/* The value of a header as a rule at this depth sees it (an entry of a policy has 0);
 * false: it is absent. *because: why this release cannot see it, whatever is sent; or
 * NULL. */
bool xds_rbac_header(const struct xds_server_rpc *rpc, struct xds_slice name,
                     unsigned depth, struct xds_slice *value, const char **because);

/* Is the address in the range, as this client compares them? */
bool xds_rbac_in_range(const struct xds_rpc *rpc, const struct xds_ip_range *range,
                       const struct xds_ip *ip);

#endif
