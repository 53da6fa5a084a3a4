/*
 * config.c - put together what the matched route configures for the RPC.
 *
 * Source: spec listener 11, spec routing 3.3, 3.4, 4 and 14.8, gRFC A81.
 */
#include "explain/explain.h"

#define MILLISECOND INT64_C(1000000)
#define SECOND (1000 * MILLISECOND)

static bool entries_agree(const struct xds_rpc *rpc, const struct xds_branches *branches,
                          struct xds_override_scope scope,
                          const struct xds_filter_use *use)
{
    for (size_t i = 1; i < branches->n; i++) {
        scope.entry = branches->list[i].entry;
        if (!scope.entry ||
            (!scope.entry->overrides.n && use->from != XDS_CONFIG_WEIGHTED_CLUSTER))
            continue;
        const struct xds_filter_use other = xds_filter_use_of(&scope, rpc, use->filter);
        if (use->override != other.override || use->disabled != other.disabled)
            return false;
    }
    return true;
}

static void fill_filters(const struct xds_rpc *rpc, const struct xds_branches *branches,
                         const struct xds_decision *d, struct xds_decision_config *out)
{
    const struct xds_listener *listener = d->start.listener;
    const struct xds_weighted_cluster *entry = branches->list[0].entry;
    const struct xds_override_scope scope = {entry, d->route->route,
                                             d->virtual_host.host};
    struct xds_filter_use *uses =
        XDS_NEW_ARRAY(rpc->arena, struct xds_filter_use, listener->n_filters + 1);

    for (size_t i = 0; i < listener->n_filters; i++) {
        struct xds_filter_use *use = &uses[i];

        *use = xds_filter_use_of(&scope, rpc, &listener->filters[i]);
        if (use->filter->kind == XDS_FILTER_COMPOSITE && !use->dropped &&
            !use->disabled) {
            const struct xds_slice does = xds_composite_does(rpc, &scope, use->filter);

            use->reason = use->reason.data
                              ? xds_arena_printf(rpc->arena, "%.*s; %.*s", XDS_FMT(does),
                                                 XDS_FMT(use->reason))
                              : does;
        }
        if (entry && !entries_agree(rpc, branches, scope, &uses[i]))
            uses[i].reason = xds_arena_printf(
                rpc->arena,
                "the entries of weighted_clusters differ here; this holds for %.*s",
                XDS_FMT(entry->name));
    }
    out->filters = uses;
    out->n_filters = listener->n_filters;
}

static struct xds_slice authority_for(const struct xds_decision *d,
                                      const struct xds_host *host)
{
    return host->endpoint->hostname.len ? host->endpoint->hostname : d->start.authority;
}

/* What all hosts that are possible agree on. */
static struct xds_slice rewritten_authority(const struct xds_decision *d)
{
    const struct xds_slice none = {NULL, 0};

    if (d->pick.host)
        return authority_for(d, d->pick.host);
    for (size_t i = 1; i < d->pick.n_hosts; i++)
        if (!xds_slice_eq(authority_for(d, d->pick.hosts[i].host),
                          authority_for(d, d->pick.hosts[0].host)))
            return none;
    return d->pick.n_hosts ? authority_for(d, d->pick.hosts[0].host) : none;
}

/* Who sets retries and gets none. */
static void note_retries(const struct xds_rpc *rpc, struct xds_decision *d)
{
    const struct xds_retry_policy *unread = d->method_config.retry_unread;

    if (d->method_config.retry_hides_host)
        xds_explain_note(rpc, d,
                         "nothing is retried: the route's retry_policy has no code that "
                         "this client reads, and hides that of the virtual host");
    else if (unread && unread->retry_on.len == 0)
        xds_explain_note(rpc, d, "nothing is retried: retry_policy has no retry_on");
    else if (unread)
        xds_explain_note(
            rpc, d,
            "nothing is retried: retry_on %.*s has no code that this client reads: "
            "cancelled, deadline-exceeded, internal, resource-exhausted, unavailable",
            XDS_FMT(xds_excerpt(rpc->arena, unread->retry_on)));
}

void xds_explain_config(const struct xds_rpc *rpc, const struct xds_branches *branches,
                        struct xds_decision *d)
{
    if (!d->route || !branches->list[0].forwards)
        return;
    struct xds_decision_config *out = XDS_NEW(rpc->arena, struct xds_decision_config);

    out->retries = d->method_config.retries;
    note_retries(rpc, d);
    out->hashes = xds_request_hash_steps(rpc, d->route->route);
    out->n_hashes = d->route->route->n_hash_policies;
    fill_filters(rpc, branches, d, out);
    out->host_rewrite =
        xds_host_rewrite_holds(rpc, d->route->route, &out->host_rewrite_reason);
    out->sent_authority = out->host_rewrite ? rewritten_authority(d) : d->start.authority;
    if (out->host_rewrite) {
        const char *more = NULL;

        if (!out->sent_authority.data)
            more = d->pick.n_hosts ? "the name depends on the host"
                                   : "the RPC reaches no host";
        else if (d->pick.host && d->pick.host->endpoint->hostname.len == 0)
            more = "but the endpoint has no hostname, so nothing is replaced";
        if (more)
            out->host_rewrite_reason = xds_arena_printf(
                rpc->arena, "%.*s; %s", XDS_FMT(out->host_rewrite_reason), more);
    }
    d->asked.config = out;

    /* 3 s ended after 1.04 to 1.88 s; what the application sets as deadline is exact. */
    const struct xds_method_config *m = &d->method_config;

    if (m->has_timeout && m->timeout_ns > 0 && XDS_DIFFERS(rpc, XDS_DIFF_TIMEOUT_EARLY))
        xds_explain_minor(rpc, d, "%s ends RPCs 1 to 2 s before this timeout%s",
                          xds_asked_label(rpc->options, rpc->client).text,
                          m->timeout_ns <= SECOND ? ", so at once" : "");
    /* With 3 ms none of them hung. The cause is not known. */
    if (d->asked.config && d->method_config.retry &&
        d->asked.config->retries.initial_backoff_ns <= MILLISECOND &&
        XDS_DIFFERS(rpc, XDS_DIFF_RETRY_HANGS_AT_1_MS))
        xds_explain_note(rpc, d,
                         "%s leaves a third to a half of the RPCs that it retries "
                         "after 1 ms without an answer until their deadline",
                         xds_asked_label(rpc->options, rpc->client).text);
}
