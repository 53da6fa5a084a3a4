/*
 * shadow.c - routes that can never match, because an earlier one takes all their RPCs.
 *
 * Source: gRFC A28, spec routing 2.2.
 *
 * Only single routes are held against a later one, not several together. A route hides
 * another one if each client that uses the other uses it too and finds the other's paths
 * and headers within its own.
 */
#include "base/limits.h"
#include "lint/checks.h"
#include "lint/cover_list.h"
#include "route/fraction.h"

struct shadow {
    const struct xds_inspection *in;
    struct xds_within readers[XDS_CLIENTS];
    unsigned clients;
};

/* ---- does one route take all of another? ---- */

/* A matcher that could not be read stands for nothing. */
static bool can_be_compared(const struct xds_route *route)
{
    const struct xds_path_matcher *path = &route->match.path;

    if (route->match.n_headers > XDS_MAX_COMPARED_HEADERS)
        return false;
    return path->kind == XDS_MATCH_REGEX
               ? path->regex != NULL
               : path->kind != XDS_MATCH_EXACT || path->text.len;
}

static bool takes_always(const struct xds_within *w, const struct xds_route_match *match)
{
    struct xds_random nothing = {NULL, 0, 0};
    struct xds_rpc rpc = w->rpc;

    rpc.random = &nothing;
    return xds_fraction_test(&rpc, match).chance == XDS_CHANCE_YES;
}

/* A fraction lets some RPCs pass, so that such a route hides nothing. */
static bool takes_always_for_some(const struct shadow *s, const struct xds_route *route)
{
    if (!route->match.has_fraction)
        return true;
    for (unsigned c = 0; c < XDS_CLIENTS; c++)
        if ((s->clients & XDS_CLIENT_BIT(c)) &&
            takes_always(&s->readers[c], &route->match))
            return true;
    return false;
}

static bool hides_for(struct xds_within *w, const struct xds_route *earlier,
                      const struct xds_route *later)
{
    return !(earlier->skipped_by & XDS_CLIENT_BIT(w->rpc.client)) &&
           xds_path_within(w, &later->match.path, &earlier->match.path) &&
           xds_headers_within(w, &later->match, &earlier->match) &&
           takes_always(w, &earlier->match);
}

/* For all clients that use the later one. */
static bool hides(struct shadow *s, const struct xds_route *earlier,
                  const struct xds_route *later)
{
    const unsigned users = s->clients & (unsigned)~later->skipped_by;

    for (unsigned c = 0; c < XDS_CLIENTS; c++)
        if ((users & XDS_CLIENT_BIT(c)) && !hides_for(&s->readers[c], earlier, later))
            return false;
    return users != 0;
}

/* ---- search ---- */

struct search {
    struct shadow *shadow;
    const struct xds_route *later;
    const struct xds_cover *first; /* the first one that hides it, or NULL */
    unsigned compared;
};

static bool compare(void *user, const struct xds_cover *earlier)
{
    struct search *s = user;

    if (s->compared++ == XDS_MAX_COVERING_ROUTES)
        return false;
    if (s->first && s->first->position <= earlier->position)
        return true;
    if (hides(s->shadow, earlier->route, s->later))
        s->first = earlier;
    return true;
}

/* ---- report ---- */

static bool same_action(const struct xds_route *a, const struct xds_route *b)
{
    return a->action == XDS_ACTION_CLUSTER && b->action == XDS_ACTION_CLUSTER &&
           xds_slice_eq(a->cluster, b->cluster) && !a->retry_policy && !b->retry_policy &&
           a->has_timeout == b->has_timeout && a->timeout_ns == b->timeout_ns &&
           a->n_hash_policies + b->n_hash_policies == 0 &&
           a->auto_host_rewrite == b->auto_host_rewrite &&
           a->overrides.n + b->overrides.n == 0;
}

static const char *path_field(const struct xds_path_matcher *path)
{
    static const char *const fields[] = {
        [XDS_MATCH_EXACT] = "path",
        [XDS_MATCH_PREFIX] = "prefix",
        [XDS_MATCH_REGEX] = "safe_regex",
    };

    return fields[path->kind];
}

/* ", and its prefix "/a/" takes every RPC that this route would" */
static struct xds_slice what_it_takes(struct shadow *s, const struct xds_route *earlier,
                                      const struct xds_route *later)
{
    struct xds_arena *arena = s->in->scratch;

    if (xds_report_is_full(s->in->report))
        return XDS_S("");
    if (hides(s, later, earlier))
        return XDS_S(" and matches the same RPCs");
    const struct xds_slice text = xds_excerpt(arena, earlier->match.path.text);
    return xds_arena_printf(arena, ", and its %s %.*s%s every RPC that this route would",
                            path_field(&earlier->match.path), XDS_FMT(text),
                            earlier->match.n_headers == 0 ? " matches"
                                                          : " and its headers match");
}

static bool fire(struct shadow *s, const struct xds_path *at,
                 const struct xds_cover *earlier, const struct xds_route *later)
{
    const bool same = same_action(earlier->route, later);
    const struct xds_slice taking = what_it_takes(s, earlier->route, later);

    return (same ? xds_lint_fire_note : xds_lint_fire)(
        s->in, at, XDS_R_LINT_ROUTE_SHADOWED,
        "the route never matches: routes[%u] comes before it%.*s; %s", earlier->position,
        XDS_FMT(taking),
        same ? "both do the same, so this route can be removed"
             : "remove it, or move it first if its RPCs should go elsewhere");
}

static void report(struct shadow *s, const struct xds_path *at,
                   const struct xds_cover *earlier, const struct xds_route *later,
                   size_t position)
{
    const struct xds_path *here = XDS_AT_I(at, "routes", position);
    const struct xds_path *there = XDS_AT_I(at, "routes", earlier->position);

    if (fire(s, XDS_AT(here, "match"), earlier, later))
        xds_lint_relate(s->in, XDS_AT(there, "match"), "the route that matches its RPCs");
}

/* ---- check ---- */

/* Can two of the headers that it asks for not hold together? That is reported elsewhere.
 */
static bool contradicts_itself(struct shadow *s, const struct xds_route *route)
{
    struct xds_header_pair pair;

    for (unsigned c = 0; c < XDS_CLIENTS; c++)
        if ((s->clients & XDS_CLIENT_BIT(c)) &&
            xds_headers_contradict(&s->readers[c], &route->match, &pair))
            return true;
    return false;
}

/* The earlier routes of one virtual host that may hide later ones. */
struct earlier {
    struct xds_cover_list few;
    struct xds_cover_index *index; /* NULL: they are few */
};

static void keep(struct earlier *earlier, const struct xds_cover_path *path)
{
    if (earlier->index)
        xds_cover_index_add(earlier->index, path);
    else
        xds_cover_list_add(&earlier->few, path);
}

static void find(const struct earlier *earlier, const struct xds_cover_path *path,
                 struct search *search)
{
    if (earlier->index)
        xds_cover_index_find(earlier->index, path, compare, search);
    else
        xds_cover_list_find(&earlier->few, path, compare, search);
}

static void check_routes(struct shadow *s, const struct xds_path *at,
                         const struct xds_virtual_host *host, struct earlier *earlier)
{
    struct xds_cover_path path;

    for (size_t i = 0; i < host->n_routes; i++) {
        const struct xds_route *route = &host->routes[i];
        struct search search = {.shadow = s, .later = route};

        if (!can_be_compared(route) || contradicts_itself(s, route))
            continue;
        xds_cover_path_init(&path, s->in->scratch, route, i);
        find(earlier, &path, &search);
        if (search.first)
            report(s, at, search.first, route, i);
        else if (takes_always_for_some(s, route))
            keep(earlier, &path);
    }
}

static void check_host(struct shadow *s, const struct xds_path *at,
                       const struct xds_virtual_host *host)
{
    struct earlier earlier;

    earlier.few.n = 0;
    earlier.index = NULL;
    if (host->n_routes > XDS_COVER_FEW) {
        earlier.index = XDS_NEW(s->in->scratch, struct xds_cover_index);
        earlier.index->arena = s->in->scratch;
        earlier.index->readers = s->readers;
        earlier.index->clients = s->clients;
        xds_cover_index_init(earlier.index, host);
    }
    check_routes(s, at, host, &earlier);
}

void xds_check_shadowed_routes(const struct xds_inspection *in, const struct xds_path *at,
                               const struct xds_route_config *config)
{
    struct shadow s = {.in = in, .clients = in->report->options.clients};

    for (unsigned c = 0; c < XDS_CLIENTS; c++)
        s.readers[c] =
            xds_within_of((enum xds_client)c, &in->report->options, in->scratch);
    for (size_t i = 0; i < config->n_virtual_hosts; i++)
        check_host(&s, XDS_AT_I(at, "virtual_hosts", i), &config->virtual_hosts[i]);
}
