/*
 * rbac.c - RBAC filters of servers whose policies do not do what they seem to.
 *
 * Source: gRFC A41, spec listener 8.3; differences.def has what releases cannot see.
 */
#include "lint/checks.h"

#include "base/ascii.h"
#include "base/text.h"
#include "model/filter_chain.h"
#include "model/rbac.h"

/* One config on its way. */
struct look {
    const struct xds_inspection *in;
    const struct xds_filter_chain *chain; /* NULL: not known */
    uint32_t action;
    struct xds_slice policy;          /* name of the one that is looked at */
    const struct xds_rbac_rule *rule; /* ... in it */
    bool negated;                     /* below an odd number of not_rule or not_id */
    bool in_and;                      /* beside other rules of an and_rules or and_ids */
    unsigned depth;                   /* 0: an entry of a policy */
    bool principal;                   /* not a permission */
    unsigned n_fired;                 /* findings about its rules */
};

/* ---- what a rule can match, whatever the client ---- */

enum outcome { NEVER, MAYBE, ALWAYS };

static enum outcome opposite(enum outcome outcome)
{
    return outcome == MAYBE ? MAYBE : outcome == NEVER ? ALWAYS : NEVER;
}

static bool same_name(struct xds_slice name, const char *other)
{
    return xds_slice_eq_fold(name, xds_slice_of(other));
}

/* Does no server show a header of this name to its rules? */
static bool is_unseen(struct xds_slice name)
{
    static const char *const gone[] = {
        "connection", "keep-alive",        "proxy-connection",
        "te",         "transfer-encoding", "upgrade",
    };

    if (xds_slice_starts(name, XDS_S(":")))
        return !same_name(name, ":path") && !same_name(name, ":method") &&
               !same_name(name, ":authority");
    for (size_t i = 0; i < XDS_ARRAY_LEN(gone); i++)
        if (same_name(name, gone[i]))
            return true;
    return false;
}

static bool matches_absent(const struct xds_header_matcher *header)
{
    return header->kind == XDS_HEADER_PRESENT && header->present == header->invert;
}

static size_t count(struct xds_slice text, char c)
{
    size_t n = 0;

    for (size_t i = 0; i < text.len; i++)
        n += text.data[i] == c;
    return n;
}

/* Can this text not be where the matcher looks for it, in "/SERVICE/METHOD"? */
static bool is_no_path(const struct xds_string_matcher *string)
{
    const struct xds_slice text = string->text;
    const size_t slashes = count(text, '/');
    const bool rooted = xds_slice_starts(text, XDS_S("/"));

    if (xds_slice_starts(text, XDS_S("//")) || slashes > 2)
        return string->kind != XDS_MATCH_REGEX;
    switch (string->kind) {
    case XDS_MATCH_EXACT:
        return !rooted || slashes != 2 || xds_slice_ends(text, XDS_S("/"));
    case XDS_MATCH_PREFIX:
        return text.len > 0 && !rooted;
    case XDS_MATCH_SUFFIX:
        return xds_slice_ends(text, XDS_S("/")) || (slashes == 2 && !rooted);
    case XDS_MATCH_CONTAINS:
        return slashes == 2 && !rooted;
    case XDS_MATCH_REGEX:
        break;
    }
    return false;
}

static enum outcome of_path(const struct xds_string_matcher *string)
{
    if (!string) /* which is reported by itself */
        return MAYBE;
    if (is_no_path(string))
        return NEVER;
    return string->kind == XDS_MATCH_PREFIX && string->text.len <= 1 ? ALWAYS : MAYBE;
}

static enum outcome of_header(const struct xds_header_matcher *header)
{
    if (is_unseen(header->name))
        return matches_absent(header) ? ALWAYS : NEVER;
    if (same_name(header->name, ":path") && header->kind == XDS_HEADER_STRING &&
        !header->invert)
        return of_path(&header->string);
    return MAYBE;
}

/* Of the empty text, the only one that there is. */
static enum outcome of_server_name(const struct xds_string_matcher *string)
{
    if (!string || string->kind == XDS_MATCH_REGEX)
        return MAYBE;
    return string->text.len == 0 ? ALWAYS : NEVER;
}

static enum outcome outcome_of(const struct xds_rbac_rule *rule);

static enum outcome of_list(const struct xds_rbac_rule *rules, size_t n, bool all)
{
    enum outcome result = all ? ALWAYS : NEVER;

    for (size_t i = 0; i < n; i++) {
        const enum outcome one = outcome_of(&rules[i]);

        if (all ? one < result : one > result)
            result = one;
    }
    return result;
}

static enum outcome outcome_of(const struct xds_rbac_rule *rule)
{
    switch (rule->kind) {
    case XDS_RBAC_ANY:
        return ALWAYS;
    case XDS_RBAC_AND:
    case XDS_RBAC_OR:
        return of_list(rule->rules, rule->n_rules, rule->kind == XDS_RBAC_AND);
    case XDS_RBAC_NOT:
        return opposite(outcome_of(rule->rules));
    case XDS_RBAC_HEADER:
        return of_header(rule->header);
    case XDS_RBAC_URL_PATH:
        return of_path(rule->string);
    case XDS_RBAC_METADATA:
        return rule->invert ? MAYBE : NEVER;
    case XDS_RBAC_DESTINATION_PORT:
        return rule->port == 0 || rule->port > UINT16_MAX ? NEVER : MAYBE;
    case XDS_RBAC_REQUESTED_SERVER_NAME:
        return of_server_name(rule->string);
    case XDS_RBAC_UNKNOWN:
    case XDS_RBAC_DESTINATION_IP:
    case XDS_RBAC_DESTINATION_PORT_RANGE:
    case XDS_RBAC_AUTHENTICATED:
    case XDS_RBAC_SOURCE_IP:
    case XDS_RBAC_DIRECT_REMOTE_IP:
    case XDS_RBAC_REMOTE_IP:
        break;
    }
    return MAYBE;
}

/* ---- what some releases cannot see ---- */

/* Of those that are asked about and have the filter. */
static unsigned differing(const struct look *look, enum xds_difference difference)
{
    const struct xds_options *options = &look->in->report->options;

    return xds_clients_differing(options, difference) & options->clients &
           xds_env_mask(options, XDS_ENV_RBAC);
}

/* "core and go", or "go@1.82.1"; of an older release the finding says by itself which. */
static struct xds_slice label(const struct look *look, unsigned clients)
{
    const struct xds_inspection *in = look->in;
    struct xds_text text = {.arena = in->scratch};

    if (in->older || (clients & (clients - 1)))
        return xds_lint_who(in, clients);
    for (enum xds_client c = 0; c < XDS_CLIENTS; c++)
        if (clients & XDS_CLIENT_BIT(c))
            xds_text_add(&text,
                         xds_slice_of(xds_asked_label(&in->report->options, c).text));
    return xds_slice_make(text.data, text.len);
}

/* taken: what the rule is then taken for, NEVER or ALWAYS. */
static bool report_blind(struct look *look, const struct xds_path *at, unsigned clients,
                         enum outcome taken, const char *why)
{
    const bool denies = (look->action == XDS_RBAC_DENY) != look->negated;
    const bool opens = denies == (taken == NEVER);

    if (!clients)
        return false;
    look->n_fired++;
    return xds_lint_fire(
        look->in, at, opens ? XDS_R_LINT_RBAC_OPEN : XDS_R_LINT_RBAC_CLOSED,
        "%s of policy \"%.*s\" %s for %.*s, %s: RPCs %s", look->rule->field,
        XDS_FMT(look->policy), taken == NEVER ? "never matches" : "always matches",
        XDS_FMT(label(look, clients)), why,
        opens ? "pass that it means to deny" : "are denied that it means to permit");
}

static bool has_capital(struct xds_slice name)
{
    for (size_t i = 0; i < name.len; i++)
        if (name.data[i] != xds_ascii_lower(name.data[i]))
            return true;
    return false;
}

/* string NULL: it has no usable pattern. */
static void check_path(struct look *look, const struct xds_path *at,
                       const struct xds_string_matcher *string)
{
    if (!string || !is_no_path(string))
        return;
    look->n_fired++;
    xds_lint_fire(look->in, at, XDS_R_LINT_RBAC_PATH_FORM,
                  "no path of an RPC, which is /SERVICE/METHOD, has \"%.*s\" there",
                  XDS_FMT(string->text));
}

static void check_header(struct look *look, const struct xds_path *at,
                         const struct xds_header_matcher *header)
{
    const struct xds_path *name = XDS_AT(at, "name");
    const enum outcome taken = matches_absent(header) ? ALWAYS : NEVER;
    const bool is_host =
        same_name(header->name, "host") || same_name(header->name, ":authority");

    if (is_unseen(header->name)) {
        look->n_fired++;
        xds_lint_fire(look->in, name, XDS_R_LINT_RBAC_HEADER_UNSEEN,
                      "no rule sees a header \"%.*s\", which counts as absent: the rule "
                      "%s matches",
                      XDS_FMT(header->name), taken == ALWAYS ? "always" : "never");
        return;
    }
    if (has_capital(header->name))
        report_blind(look, name,
                     differing(look, XDS_DIFF_RBAC_NAME_AS_WRITTEN) &
                         ~(is_host ? differing(look, XDS_DIFF_RBAC_HOST_FOLDED) : 0),
                     taken, "as names arrive in lower case and are compared as written");
    else if (look->depth > 0 && same_name(header->name, "host"))
        report_blind(look, name, differing(look, XDS_DIFF_RBAC_HEADER_TOPMOST), taken,
                     "which takes host for :authority only in a rule that is in no "
                     "other");
    else if (same_name(header->name, ":path"))
        report_blind(look, name, differing(look, XDS_DIFF_RBAC_PATH_HIDDEN), taken,
                     "which does not see the path as a header");
    if (same_name(header->name, ":path") && header->kind == XDS_HEADER_STRING)
        check_path(look, name, &header->string);
}

/* Is a bit set after the prefix? */
static bool has_rest(const struct xds_ip_range *range)
{
    const unsigned bits = range->ip.family == 4 ? 32 : 128;

    for (unsigned i = range->prefix_len; i < bits; i++)
        if (range->ip.bytes[i / 8] >> (7 - i % 8) & 1)
            return true;
    return false;
}

static void check_range(struct look *look, const struct xds_path *at,
                        const struct xds_ip_range *range)
{
    if (report_blind(look, at, differing(look, XDS_DIFF_RBAC_IP_NEVER), NEVER,
                     "which finds no IP address in that of a connection") ||
        !range->is_plain)
        return;
    if (range->prefix_len == 0)
        xds_lint_fire(look->in, at, XDS_R_LINT_RBAC_RANGE_ALL,
                      "prefix_len is %s: the range has every IPv%u address; set "
                      "prefix_len, or use any",
                      range->has_prefix_len ? "0" : "not set", range->ip.family);
    else if (has_rest(range))
        report_blind(look, at, differing(look, XDS_DIFF_RBAC_IP_NOT_MASKED), NEVER,
                     "which compares the bits after prefix_len, too");
}

/* Whose certificate would it be? */
static void check_authenticated(const struct look *look, const struct xds_path *at,
                                const struct xds_rbac_rule *rule)
{
    const struct xds_filter_chain *chain = look->chain;
    const bool takes_nameless =
        !rule->string_set ||
        (rule->string &&
         (rule->string->kind == XDS_MATCH_REGEX ||
          (rule->string->kind == XDS_MATCH_EXACT && rule->string->text.len == 0)));

    if (!chain)
        return;
    if (chain->has_socket && (!chain->tls || chain->tls->ca.data || takes_nameless))
        return;
    xds_lint_fire(look->in, at, XDS_R_LINT_RBAC_MTLS,
                  "authenticated of policy \"%.*s\" never matches%s",
                  XDS_FMT(look->policy),
                  chain->has_socket
                      ? ": the filter chain has no CA, so it asks no client for a "
                        "certificate"
                      : " with insecure credentials of the server, which count as the "
                        "filter chain has no transport_socket");
}

/* What older releases leave out of a list is as if it matched, beside others that must
 * match. */
static void check_dropped(struct look *look, const struct xds_path *at)
{
    if (look->in_and)
        report_blind(look, at, differing(look, XDS_DIFF_RBAC_RULES_DROPPED), ALWAYS,
                     "which leaves it out of the and");
}

/* ---- trees ---- */

static void check_rule(struct look *look, const struct xds_path *at,
                       const struct xds_rbac_rule *rule);

static void check_set(struct look *look, const struct xds_path *at,
                      const struct xds_rbac_rule *rule)
{
    const struct look around = *look;

    look->depth++;
    look->in_and = rule->kind == XDS_RBAC_AND;
    look->negated ^= rule->kind == XDS_RBAC_NOT;
    for (size_t i = 0; i < rule->n_rules; i++)
        check_rule(look,
                   rule->kind == XDS_RBAC_NOT
                       ? at
                       : XDS_AT_I(at, look->principal ? "ids" : "rules", i),
                   &rule->rules[i]);
    look->depth = around.depth;
    look->in_and = around.in_and;
    look->negated = around.negated;
}

/* As deep as the decoder lets a message nest. */
static void check_rule(struct look *look, const struct xds_path *at,
                       const struct xds_rbac_rule *rule)
{
    const struct xds_path *here = rule->field ? XDS_AT(at, rule->field) : at;

    look->rule = rule;
    switch (rule->kind) {
    case XDS_RBAC_AND:
    case XDS_RBAC_OR:
    case XDS_RBAC_NOT:
        check_set(look, here, rule);
        break;
    case XDS_RBAC_HEADER:
        check_header(look, here, rule->header);
        break;
    case XDS_RBAC_URL_PATH:
        check_path(look, XDS_AT(here, "path"), rule->string);
        break;
    case XDS_RBAC_METADATA:
        if (!rule->invert || look->principal)
            check_dropped(look, here);
        break;
    case XDS_RBAC_REQUESTED_SERVER_NAME:
        check_dropped(look, here);
        break;
    case XDS_RBAC_SOURCE_IP:
        check_dropped(look, here);
        check_range(look, here, rule->range);
        break;
    case XDS_RBAC_DESTINATION_IP:
    case XDS_RBAC_DIRECT_REMOTE_IP:
    case XDS_RBAC_REMOTE_IP:
        check_range(look, here, rule->range);
        break;
    case XDS_RBAC_AUTHENTICATED:
        check_authenticated(look, here, rule);
        break;
    case XDS_RBAC_ANY:
    case XDS_RBAC_DESTINATION_PORT:
    case XDS_RBAC_DESTINATION_PORT_RANGE:
    case XDS_RBAC_UNKNOWN:
        break;
    }
}

/* ---- policies ---- */

static const char *why_never(const struct xds_rbac_policy *policy)
{
    if (policy->n_permissions == 0)
        return "has no permissions";
    if (policy->n_principals == 0)
        return "has no principals";
    return of_list(policy->permissions, policy->n_permissions, false) == NEVER
               ? "has no permission that can match"
               : "has no principal that can match";
}

static void check_policy(struct look *look, const struct xds_path *at,
                         const struct xds_rbac *rbac,
                         const struct xds_rbac_policy *policy)
{
    const enum outcome first = of_list(policy->permissions, policy->n_permissions, false);
    const enum outcome second = of_list(policy->principals, policy->n_principals, false);

    look->n_fired = 0;
    look->policy = policy->name;
    for (size_t i = 0; i < policy->n_permissions; i++)
        check_rule(look, XDS_AT_I(at, "permissions", i), &policy->permissions[i]);
    look->principal = true;
    for (size_t i = 0; i < policy->n_principals; i++)
        check_rule(look, XDS_AT_I(at, "principals", i), &policy->principals[i]);
    look->principal = false;
    /* What is said of a rule in it is the cause. */
    if ((first == NEVER || second == NEVER) && look->n_fired == 0)
        xds_lint_fire(look->in, at, XDS_R_LINT_RBAC_NEVER,
                      "policy \"%.*s\" %s: it never matches, so %s",
                      XDS_FMT(policy->name), why_never(policy),
                      rbac->action == XDS_RBAC_DENY ? "it denies no RPC"
                                                    : "it permits no RPC");
    if (first == ALWAYS && second == ALWAYS && rbac->n_policies > 1)
        xds_lint_fire(look->in, at, XDS_R_LINT_RBAC_SHADOWS,
                      "policy \"%.*s\" matches every RPC: the other policies decide "
                      "nothing, and all RPCs are %s",
                      XDS_FMT(policy->name),
                      rbac->action == XDS_RBAC_DENY ? "denied" : "permitted");
}

static void check_config(const struct xds_inspection *in, const struct xds_path *at,
                         const struct xds_filter_chain *chain,
                         const struct xds_rbac *rbac)
{
    const struct xds_path *rules = XDS_AT(at, "rules");
    struct look look = {.in = in, .chain = chain};

    if (!rbac || !rbac->has_rules || rbac->action == XDS_RBAC_LOG)
        return;
    look.action = rbac->action;
    if (rbac->n_policies == 0 && rbac->action == XDS_RBAC_ALLOW)
        xds_lint_fire(in, rules, XDS_R_LINT_RBAC_ALLOW_EMPTY,
                      "the action is ALLOW and there are no policies: every RPC is "
                      "denied");
    for (size_t i = 0; i < rbac->n_policies; i++)
        check_policy(&look, XDS_AT_KEY(rules, "policies", rbac->policies[i].name), rbac,
                     &rbac->policies[i]);
}

/* ---- where they are ---- */

static void check_overrides(const struct xds_inspection *in, const struct xds_path *at,
                            const struct xds_filter_chain *chain,
                            const struct xds_overrides *overrides)
{
    for (size_t i = 0; i < overrides->n; i++) {
        const struct xds_filter_override *o = &overrides->entries[i];

        if (o->rbac)
            check_config(
                in,
                XDS_AT(XDS_AT_VALUE(XDS_AT_KEY(at, "typed_per_filter_config", o->name),
                                    o->type),
                       "rbac"),
                chain, o->rbac);
    }
}

static void check_routes(const struct xds_inspection *in, const struct xds_path *at,
                         const struct xds_filter_chain *chain,
                         const struct xds_route_config *config)
{
    for (size_t i = 0; i < config->n_virtual_hosts; i++) {
        const struct xds_virtual_host *host = &config->virtual_hosts[i];
        const struct xds_path *here = XDS_AT_I(at, "virtual_hosts", i);

        check_overrides(in, here, chain, &host->overrides);
        for (size_t k = 0; k < host->n_routes; k++)
            check_overrides(in, XDS_AT_I(here, "routes", k), chain,
                            &host->routes[k].overrides);
    }
}

void xds_check_rbac_overrides(const struct xds_inspection *in, const struct xds_path *at,
                              const struct xds_route_config *config)
{
    check_routes(in, at, NULL, config);
}

void xds_check_rbac(const struct xds_inspection *in, const struct xds_listener *listener)
{
    for (size_t i = 0; i < listener->n_chains; i++) {
        const struct xds_listener *chain = &listener->chains[i];
        const struct xds_filter_chain *filter_chain =
            chain->in_chain == XDS_DEFAULT_CHAIN
                ? listener->default_chain
                : &listener->filter_chains[chain->in_chain];
        const struct xds_path *above =
            chain->in_chain == XDS_DEFAULT_CHAIN
                ? XDS_AT(NULL, "default_filter_chain")
                : XDS_AT_I(NULL, "filter_chains", chain->in_chain);
        const struct xds_path *manager = XDS_AT_VALUE(
            XDS_AT(XDS_AT_I(above, "filters", chain->in_filter), "typed_config"),
            XDS_S(XDS_CONNECTION_MANAGER));

        for (size_t k = 0; k < chain->n_filters; k++)
            if (chain->filters[k].rbac)
                check_config(in,
                             XDS_AT_VALUE(XDS_AT(XDS_AT_I(manager, "http_filters", k),
                                                 "typed_config"),
                                          chain->filters[k].type),
                             filter_chain, chain->filters[k].rbac);
        if (chain->route_config)
            check_routes(in, XDS_AT(manager, "route_config"), filter_chain,
                         chain->route_config);
    }
}
