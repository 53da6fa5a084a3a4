/*
 * nearest.c - find the routes and the domain that an RPC has just missed.
 *
 * Source: spec routing 1.2 and 2.1 to 2.6.
 */
#include "explain/explain.h"

#include "base/ascii.h"

enum { MOST_NEAR = 3 };

/* Of a domain: it is near when a third of the text is spelt differently, not more. */
enum { NEAR_PART = 3 };

/* The first thing that is wrong, and how many things are. */
struct misses {
    const struct xds_rpc *rpc;
    size_t n;
    struct xds_near_route first;
};

static void miss(struct misses *m, struct xds_slice failed, struct xds_slice reason)
{
    if (m->n++ > 0)
        return;
    m->first.failed = failed;
    m->first.reason = reason;
}

/* A regex has no beginning that could be compared. */
static size_t shared_path(const struct xds_rpc *rpc, const struct xds_path_matcher *path)
{
    const struct xds_slice a = path->text, b = rpc->request->path;
    size_t n = 0;

    if (path->kind == XDS_MATCH_REGEX)
        return 0;
    while (n < a.len && n < b.len && a.data[n] == b.data[n])
        n++;
    return n;
}

static void miss_path(struct misses *m, const struct xds_path_matcher *path,
                      struct xds_slice reason)
{
    const struct xds_slice wanted = m->rpc->request->path;
    const bool case_only =
        path->kind != XDS_MATCH_REGEX && wanted.len >= path->text.len &&
        xds_slice_eq_fold(path->text, xds_slice_make(wanted.data, path->text.len)) &&
        (path->kind == XDS_MATCH_PREFIX || path->text.len == wanted.len);

    if (case_only)
        reason = xds_arena_printf(m->rpc->arena, "%.*s, only the case differs",
                                  XDS_FMT(reason));
    miss(m, XDS_S("path"), reason);
}

static void check_headers(struct misses *m, const struct xds_route_match *match)
{
    struct xds_slice reason;

    for (size_t i = 0; i < match->n_headers; i++)
        if (!xds_header_matches(m->rpc, &match->headers[i], &reason))
            miss(m,
                 xds_arena_printf(m->rpc->arena, "header %.*s",
                                  XDS_FMT(match->headers[i].name)),
                 reason);
}

static struct xds_slice skipping_field(const struct xds_route *route)
{
    if (route->skip_reason && strstr(route->skip_reason, "query_parameters"))
        return XDS_S("query_parameters");
    if (route->action == XDS_ACTION_NO_SPECIFIER || route->action == XDS_ACTION_PLUGIN)
        return xds_slice_of(route->action_field);
    return XDS_S("path");
}

/* The fraction is the last to be asked: a route that misses nothing else has missed it.
 */
static void check_route(struct misses *m, const struct xds_route_try *try)
{
    const struct xds_route *route = try->route;
    const bool skipped = (route->skipped_by & XDS_CLIENT_BIT(m->rpc->client)) != 0;
    struct xds_slice reason;

    *m = (struct misses){.rpc = m->rpc};
    m->first.index = try->index;
    m->first.route = route;
    m->first.shared = SIZE_MAX;
    if (skipped)
        miss(m, skipping_field(route), try->reason);
    if (!xds_path_matches(m->rpc, &route->match.path, &reason)) {
        m->first.shared = shared_path(m->rpc, &route->match.path);
        if (!xds_slice_is(m->first.failed, "path")) /* given as the reason to skip it */
            miss_path(m, &route->match.path, reason);
    }
    check_headers(m, &route->match);
    if (m->n == 0)
        miss(m, XDS_S("runtime_fraction"), try->reason);
}

/* Kept in order; of equally near ones the earlier is first. */
static void insert(struct xds_decision *d, struct xds_near_route *list,
                   const struct xds_near_route *near)
{
    size_t at = d->asked.n_nearest;

    while (at > 0 && list[at - 1].shared < near->shared)
        at--;
    if (at == MOST_NEAR)
        return;
    if (d->asked.n_nearest < MOST_NEAR)
        d->asked.n_nearest++;
    for (size_t i = d->asked.n_nearest - 1; i > at; i--)
        list[i] = list[i - 1];
    list[at] = *near;
}

static struct xds_slice without_port(struct xds_slice authority)
{
    size_t colon = authority.len;

    while (colon > 0 && xds_ascii_digit(authority.data[colon - 1]))
        colon--;
    if (colon == 0 || colon == authority.len || authority.data[colon - 1] != ':')
        return authority;
    return xds_slice_make(authority.data, colon - 1);
}

/* A star stands for the part of the authority that the pattern does not name. */
static struct xds_slice part_to_compare(struct xds_slice *pattern,
                                        struct xds_slice authority)
{
    const bool suffix = pattern->len > 1 && pattern->data[0] == '*';
    const bool prefix = pattern->len > 1 && pattern->data[pattern->len - 1] == '*';

    if (!suffix && !prefix)
        return authority;
    *pattern = suffix ? xds_slice_from(*pattern, 1)
                      : xds_slice_make(pattern->data, pattern->len - 1);
    if (authority.len <= pattern->len)
        return authority;
    return suffix ? xds_slice_from(authority, authority.len - pattern->len)
                  : xds_slice_make(authority.data, pattern->len);
}

static struct xds_slice domain_reason(const struct xds_rpc *rpc, struct xds_slice pattern,
                                      struct xds_slice text, bool port_only,
                                      size_t distance)
{
    if (port_only)
        return XDS_S("the authority has a port, which counts, and the domain has none");
    if (distance == 0)
        return text.len == pattern.len && !xds_slice_eq(text, pattern)
                   ? XDS_S("only the case differs")
                   : XDS_S("the * would match the empty string");
    return xds_arena_printf(rpc->arena, "%zu %s", distance,
                            distance == 1 ? "character differs" : "characters differ");
}

static void try_domain(const struct xds_rpc *rpc, struct xds_decision *d,
                       struct xds_slice domain, size_t host, size_t *best)
{
    struct xds_slice pattern = domain;
    const struct xds_slice text = part_to_compare(&pattern, d->start.authority);
    const struct xds_slice bare = without_port(text);
    const bool port_only = bare.len < text.len && xds_slice_eq_fold(bare, pattern);
    const size_t longer = pattern.len > text.len ? pattern.len : text.len;
    const size_t distance =
        port_only ? 0 : xds_slice_distance(pattern, text, longer / NEAR_PART);

    if (distance >= *best || distance > longer / NEAR_PART)
        return;
    *best = distance;
    d->asked.nearest_domain = (struct xds_near_domain){
        .host = &d->start.route_config->virtual_hosts[host],
        .index = host,
        .domain = domain,
        .reason = domain_reason(rpc, pattern, text, port_only, distance),
    };
}

void xds_explain_nearest(const struct xds_rpc *rpc, struct xds_decision *d)
{
    if (d->outcome == XDS_OUTCOME_NO_ROUTE) {
        struct xds_near_route *list =
            XDS_NEW_ARRAY(rpc->arena, struct xds_near_route, MOST_NEAR);
        struct misses m = {.rpc = rpc};

        d->asked.nearest = list;
        for (size_t i = 0; i < d->walk.n_tries; i++) {
            check_route(&m, &d->walk.tries[i]);
            if (m.n == 1)
                insert(d, list, &m.first);
        }
    }
    if (d->outcome == XDS_OUTCOME_NO_VIRTUAL_HOST && !d->virtual_host.ended_why) {
        size_t best = SIZE_MAX;

        for (size_t i = 0; i < d->start.route_config->n_virtual_hosts; i++) {
            const struct xds_virtual_host *host =
                &d->start.route_config->virtual_hosts[i];
            for (size_t k = 0; k < host->n_domains; k++)
                try_domain(rpc, d, host->domains[k], i, &best);
        }
    }
}
