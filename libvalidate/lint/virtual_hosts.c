/*
 * virtual_hosts.c - virtual hosts that are never chosen, and RPCs that find no route.
 *
 * Source: gRFC A27, A36, spec routing 1 and 2.7.
 */
#include "base/ascii.h"
#include "lint/checks.h"
#include "route/readings.h"
#include "route/virtual_host.h"

/* ---- domains ---- */

struct domain {
    struct xds_slice text;
    size_t host, position;
};

static struct xds_slice lowered(struct xds_arena *arena, struct xds_slice text)
{
    char *copy = xds_arena_alloc(arena, text.len + 1);

    for (size_t i = 0; i < text.len; i++)
        copy[i] = xds_ascii_lower(text.data[i]);
    return xds_slice_make(copy, text.len);
}

/* Clients asked about that compare domains byte by byte. */
static unsigned telling_case(const struct xds_inspection *in)
{
    return in->report->options.clients & xds_differing(XDS_DIFF_DOMAIN_CASE);
}

/* How the two differ, and to whom they are not the same. */
static struct xds_slice difference(const struct xds_inspection *in,
                                   const struct domain *first, const struct domain *again)
{
    const unsigned clients = telling_case(in);

    if (xds_slice_eq(first->text, again->text))
        return XDS_S("");
    if (!clients)
        return XDS_S(", except for case");
    return xds_arena_printf(
        in->scratch, ", except for case, which only %.*s distinguish%s",
        XDS_FMT(xds_lint_who(in, clients)), clients & (clients - 1) ? "" : "s");
}

static void report_repeated(const struct xds_inspection *in, const struct xds_path *at,
                            const struct domain *first, const struct domain *again)
{
    const bool same_host = first->host == again->host;
    const struct xds_path *hosts = XDS_AT_I(at, "virtual_hosts", again->host);
    const struct xds_path *other = XDS_AT_I(at, "virtual_hosts", first->host);

    if ((same_host ? xds_lint_fire_note : xds_lint_fire)(
            in, XDS_AT_I(hosts, "domains", again->position), XDS_R_LINT_DOMAIN_REPEATED,
            "duplicate domain \"%.*s\": it is already in virtual_hosts[%zu]%.*s; %s",
            XDS_FMT(again->text), first->host, XDS_FMT(difference(in, first, again)),
            same_host
                ? "once is enough"
                : "it only ever chooses one of the two, for most clients the first"))
        xds_lint_relate(in, XDS_AT_I(other, "domains", first->position),
                        "the first occurrence");
}

static void check_domain(const struct xds_inspection *in, const struct xds_path *at,
                         struct xds_strmap *seen, const struct domain *domain)
{
    const struct xds_slice key = telling_case(in) == in->report->options.clients
                                     ? domain->text
                                     : lowered(in->scratch, domain->text);
    void **slot = xds_strmap_at(seen, key);

    if (*slot) {
        report_repeated(in, at, *slot, domain);
        return;
    }
    struct domain *kept = XDS_NEW(in->scratch, struct domain);
    *kept = *domain;
    *slot = kept;
}

void xds_check_domains(const struct xds_inspection *in, const struct xds_path *at,
                       const struct xds_route_config *config)
{
    struct xds_strmap seen;

    xds_strmap_init(&seen, in->scratch);
    for (size_t i = 0; i < config->n_virtual_hosts; i++)
        for (size_t j = 0; j < config->virtual_hosts[i].n_domains; j++)
            check_domain(in, at, &seen,
                         &(struct domain){config->virtual_hosts[i].domains[j], i, j});
}

/* ---- routes that are missing ---- */

/* Does a route leave out some RPCs of its path, by headers or chance? */
static bool is_partial(const struct xds_route *route)
{
    return route->match.n_headers > 0 || route->match.has_fraction;
}

/* Services that are not routed are no slip, nor is a host for one kind of RPC. But where
 * RPCs are distinguished by their headers, something should match the rest. */
static bool lacks_default(const struct xds_virtual_host *host)
{
    for (size_t i = 0; i < host->n_routes; i++)
        if (!is_partial(&host->routes[i]))
            return false;
    return host->n_routes > 1;
}

void xds_check_default_route(const struct xds_inspection *in, const struct xds_path *at,
                             const struct xds_virtual_host *host)
{
    if (lacks_default(host))
        (void)xds_lint_fire(
            in, XDS_AT_I(at, "routes", host->n_routes - 1), XDS_R_LINT_NO_DEFAULT_ROUTE,
            "each route of the virtual host requires headers or a fraction: RPCs that "
            "match none of them fail with UNAVAILABLE; a last route with prefix: \"\" "
            "would match them");
}
