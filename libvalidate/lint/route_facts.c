/*
 * route_facts.c - what is kept of routes and listeners for checks across resources.
 *
 * Source: gRFC A42, A55; spec routing 3.4, 4, 5.1.
 */
#include "lint/route_facts.h"

#include "clients/readers.h"

/* ---- hash policies ---- */

/* A header that ends in -bin is never seen. */
static bool yields_hash(const struct xds_hash_policy *policy)
{
    switch (policy->kind) {
    case XDS_HASH_HEADER:
        return policy->header_name.len > 0 &&
               !xds_slice_ends(policy->header_name, XDS_S("-bin"));
    case XDS_HASH_CHANNEL_ID:
        return true;
    case XDS_HASH_UNSUPPORTED:
        break;
    }
    return false;
}

static bool is_hashed(const struct xds_route *route)
{
    for (size_t i = 0; i < route->n_hash_policies; i++)
        if (yields_hash(&route->hash_policies[i]))
            return true;
    return false;
}

/* Most references are in one route only, whose site is kept already. */
static void keep_site(struct xds_arena *arena, struct xds_ref *ref, struct xds_site site,
                      bool hashed)
{
    if (ref->times == 1) {
        ref->is_hashed = hashed;
    } else if (ref->is_hashed != hashed && !ref->otherwise) {
        struct xds_site *otherwise = XDS_NEW(arena, struct xds_site);

        *otherwise = site;
        ref->otherwise = otherwise;
    }
}

/* ---- session affinity ---- */

static bool has_sessions(const struct xds_filter *filter)
{
    return filter->kind == XDS_FILTER_STATEFUL_SESSION &&
           (XDS_ALL_CLIENTS & ~filter->dropped_by &
            ~xds_differing(XDS_DIFF_SESSION_NONE));
}

enum xds_sessions xds_sessions_of(const struct xds_listener *listener)
{
    enum xds_sessions out = XDS_SESSIONS_NONE;

    for (size_t i = 0; i < listener->n_filters; i++) {
        const struct xds_filter *filter = &listener->filters[i];

        if (!has_sessions(filter))
            continue;
        if (filter->session && filter->session->enabled && !filter->disabled)
            return XDS_SESSIONS_ON;
        out = XDS_SESSIONS_OFF;
    }
    return out;
}

static const struct xds_filter_override *session_of(const struct xds_overrides *overrides)
{
    for (size_t i = 0; i < overrides->n; i++)
        if (overrides->entries[i].kind == XDS_FILTER_STATEFUL_SESSION)
            return &overrides->entries[i];
    return NULL;
}

/* The most specific override, or NULL. */
static const struct xds_filter_override *
session_override(const struct xds_route_scope *scope)
{
    const struct xds_filter_override *found =
        scope->entry ? session_of(&scope->entry->overrides) : NULL;

    if (!found)
        found = session_of(&scope->route->overrides);
    return found ? found : session_of(&scope->host->overrides);
}

static void keep_session(struct xds_ref *ref, const struct xds_filter_override *override)
{
    if (!override)
        ref->session_as_listener = true;
    else if (override->session && override->session->enabled && !override->disabled)
        ref->session_on = true;
}

bool xds_route_facts_add(struct xds_arena *arena, struct xds_ref *ref,
                         struct xds_site site, const struct xds_route_scope *scope)
{
    const bool hashed = is_hashed(scope->route);

    keep_site(arena, ref, site, hashed);
    ref->hashed_alone |= hashed && !scope->entry;
    keep_session(ref, session_override(scope));
    return hashed;
}

/* ---- domains ---- */

/* How many there are; 0 when one takes every authority. */
static size_t count_domains(const struct xds_route_config *config)
{
    size_t n = 0;

    for (size_t i = 0; i < config->n_virtual_hosts; i++)
        for (size_t k = 0; k < config->virtual_hosts[i].n_domains; k++, n++)
            if (xds_slice_is(config->virtual_hosts[i].domains[k], "*"))
                return 0;
    return n;
}

void xds_domains_keep(struct xds_arena *arena, const struct xds_route_config *config,
                      struct xds_routes_facts *routes)
{
    const size_t n = count_domains(config);

    if (n == 0)
        return;

    struct xds_slice *domains = XDS_NEW_ARRAY(arena, struct xds_slice, n);

    for (size_t i = 0; i < config->n_virtual_hosts; i++)
        for (size_t k = 0; k < config->virtual_hosts[i].n_domains; k++)
            domains[routes->n_domains++] =
                xds_arena_dup(arena, config->virtual_hosts[i].domains[k]);
    routes->domains = domains;
}

/* ---- policies ---- */

void xds_policies_keep(struct xds_cluster_facts *facts, const struct xds_cluster *cluster)
{
    for (enum xds_client c = 0; c < XDS_CLIENTS; c++) {
        const struct xds_lb_policy *policy = xds_cluster_policy(cluster, c);

        if (policy->kind == XDS_LB_RING_HASH && policy->request_hash_header.len == 0)
            facts->ring_hash |= XDS_CLIENT_BIT(c);
        if (policy->kind == XDS_LB_RING_HASH || policy->kind == XDS_LB_OTHER)
            facts->may_hash |= XDS_CLIENT_BIT(c);
    }
}
