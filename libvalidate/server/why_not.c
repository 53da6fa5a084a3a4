/*
 * why_not.c - why a policy of RBAC does not match an RPC: the rules that are in the way,
 *             what each asks for and the value that it saw.
 *
 * Source: gRFC A41.
 */
#include "server/rbac.h"

struct why {
    const struct xds_server_rpc *rpc;
    struct xds_served *d;
    struct xds_slice policy;
    struct xds_slice filter; /* the one in turn */
};

XDS_PRINTF(2, 3)
static void tell(const struct why *w, const char *format, ...)
{
    struct xds_served *d = w->d;
    va_list args;

    va_start(args, format);
    d->why_not =
        xds_texts_with(w->rpc->rpc.arena, d->why_not, &d->n_why_not, format, args);
    va_end(args);
}

/* ---- rules in the way ---- */

static void tell_leaf(const struct why *w, const char *kind,
                      const struct xds_rbac_seen *seen, bool wanted)
{
    struct xds_arena *arena = w->rpc->rpc.arena;
    const struct xds_slice wish = xds_rbac_wish(arena, seen->rule);
    const char *field = seen->rule->field ? seen->rule->field : "that gRPC does not know";

    if (!seen->what.data || !wish.data) {
        tell(w, "%s %s: it %s matches%s%s", kind, field, wanted ? "never" : "always",
             seen->because ? ": " : "", seen->because ? seen->because : "");
        return;
    }
    tell(w, "%s %s: %.*s is %s%.*s%s, and %s is %.*s%s%s%s", kind, field,
         XDS_FMT(seen->what), seen->saw.data ? "\"" : "",
         XDS_FMT(seen->saw.data ? seen->saw : XDS_S("absent")),
         seen->saw.data ? "\"" : "", wanted ? "asked for" : "what must not be",
         XDS_FMT(wish), seen->because ? " (" : "", seen->because ? seen->because : "",
         seen->because ? ")" : "");
}

/* Down to the leaves that made the rule not what was wanted. The nesting is bounded where
 * it was read. */
static void tell_rule(const struct why *w, const char *kind,
                      const struct xds_rbac_seen *seen, bool wanted)
{
    const struct xds_rbac_rule *rule = seen->rule;
    const bool below = rule->kind == XDS_RBAC_NOT ? !wanted : wanted;

    if (seen->dropped) {
        tell(w, "%s %s: this release leaves it out of its list", kind,
             rule->field ? rule->field : "that gRPC does not know");
        return;
    }
    if (rule->kind != XDS_RBAC_AND && rule->kind != XDS_RBAC_OR &&
        rule->kind != XDS_RBAC_NOT) {
        tell_leaf(w, kind, seen, wanted);
        return;
    }
    if (rule->n_rules == 0)
        tell(w, "%s %s: it has no rules", kind, rule->field);
    for (size_t i = 0; i < rule->n_rules; i++)
        if (seen->rules[i].dropped || seen->rules[i].matched != below)
            tell_rule(w, kind, &seen->rules[i], below);
}

static bool any_matches(const struct xds_rbac_seen *list, size_t n)
{
    for (size_t i = 0; i < n; i++)
        if (list[i].matched)
            return true;
    return false;
}

static void tell_list(const struct why *w, const char *kind,
                      const struct xds_rbac_seen *list, size_t n)
{
    if (any_matches(list, n))
        return;
    if (n == 0)
        tell(w, "the policy has no %s", kind);
    for (size_t i = 0; i < n; i++)
        tell_rule(w, kind, &list[i], true);
}

/* ---- policies ---- */

static void tell_policy(const struct why *w, const struct xds_rbac_answer *answer,
                        const struct xds_rbac_policy_answer *a)
{
    if (a->matched && answer->decided_by == a->policy)
        tell(w, "it matches, and filter \"%.*s\" %s by it", XDS_FMT(w->filter),
             answer->allowed ? "lets the RPC pass" : "denies the RPC");
    else if (a->matched)
        tell(w, "it matches, and filter \"%.*s\" is decided by policy \"%.*s\"",
             XDS_FMT(w->filter), XDS_FMT(answer->decided_by->name));
    if (a->matched)
        return;
    tell_list(w, "permission", a->permissions, a->policy->n_permissions);
    tell_list(w, "principal", a->principals, a->policy->n_principals);
}

/* The policies that a filter would ask. */
static const struct xds_rbac *rbac_of(const struct xds_served_filter *f)
{
    return f->use.override ? f->use.override->rbac : f->use.filter->rbac;
}

/* Of that name, in a filter that was not asked. */
static bool tell_unasked(const struct why *w, const struct xds_served_filter *f)
{
    const struct xds_rbac *rbac = rbac_of(f);

    for (size_t i = 0; rbac && i < rbac->n_policies; i++)
        if (xds_slice_eq(rbac->policies[i].name, w->policy)) {
            tell(w, "filter \"%.*s\" %s", XDS_FMT(w->filter),
                 f->reached ? "does not ask its policies"
                            : "is not reached: the RPC has ended before");
            return true;
        }
    return false;
}

static bool tell_filter(struct why *w, const struct xds_served_filter *f)
{
    bool found = false;

    w->filter = f->use.filter->name;
    if (!f->rbac || !f->rbac->enforced)
        return tell_unasked(w, f);
    for (size_t i = 0; i < f->rbac->n_policies; i++)
        if (xds_slice_eq(f->rbac->policies[i].policy->name, w->policy)) {
            tell_policy(w, f->rbac, &f->rbac->policies[i]);
            found = true;
        }
    return found;
}

static struct xds_slice nearest_to(const struct why *w)
{
    struct xds_nearest nearest = xds_nearest_to(w->policy);

    for (size_t i = 0; i < w->d->n_filters; i++) {
        const struct xds_rbac *rbac = rbac_of(&w->d->filters[i]);

        for (size_t k = 0; rbac && k < rbac->n_policies; k++)
            xds_nearest_offer(&nearest, xds_arena_printf(w->rpc->rpc.arena, "%.*s",
                                                         XDS_FMT(rbac->policies[k].name))
                                            .data);
    }
    return xds_nearest_words(w->rpc->rpc.arena, nearest.best);
}

void xds_server_why_not(const struct xds_server_rpc *rpc, struct xds_served *d)
{
    struct why w = {.rpc = rpc, .d = d, .policy = d->inbound->rpc.why_not};
    bool found = false;

    if (!w.policy.data)
        return;
    if (d->n_filters == 0) {
        tell(&w, "the RPC ends before the filters of a filter chain: %.*s",
             XDS_FMT(d->error));
        return;
    }
    for (size_t i = 0; i < d->n_filters; i++)
        found |= tell_filter(&w, &d->filters[i]);
    if (!found)
        tell(&w, "no RBAC filter of the filter chain has a policy \"%.*s\"%.*s",
             XDS_FMT(w.policy), XDS_FMT(nearest_to(&w)));
}
