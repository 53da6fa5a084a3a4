/*
 * cookies.c - affinity cookies that cookie stores drop, or that meet each other.
 *
 * Source: gRFC A55, RFC 6265, spec routing 5.8.
 */
#include "lint/cookies.h"

#include "lint/checks.h"
#include "session/session.h"

#define DAY INT64_C(86400)
/* Browsers and their like keep a cookie no longer (draft RFC 6265bis). */
#define LONGEST_TTL (400 * DAY)

/* ---- one cookie ---- */

/* RFC 6265 wants a token of RFC 2616. */
static bool is_token_character(char c)
{
    return c > ' ' && c < 0x7f && !strchr("()<>@,;:\\\"/[]?={}", c);
}

void xds_check_cookie_name(const struct xds_inspection *in, const struct xds_path *at,
                           struct xds_slice name)
{
    size_t i = 0;

    while (i < name.len && is_token_character(name.data[i]))
        i++;
    if (i < name.len)
        (void)xds_lint_fire(in, at, XDS_R_LINT_COOKIE_NAME,
                            "cookie name \"%.*s\" has an illegal character at position "
                            "%zu: clients may not send the cookie back",
                            XDS_FMT(name), i + 1);
}

static const char *about_ttl(const struct xds_session_config *config)
{
    if (!config->has_ttl)
        return NULL;
    if (!config->ttl_positive)
        return "ttl is 0, which sets no Max-Age: the cookie lasts as long as the "
               "client's session, as without ttl";
    if (config->ttl_seconds == 0)
        return "ttl is less than one second and sent as Max-Age=0, which deletes the "
               "cookie at once: there is no affinity";
    if (config->ttl_seconds > LONGEST_TTL)
        return "ttl is more than 400 days: many cookie stores cut it, and servers do not "
               "run that long";
    return NULL;
}

void xds_check_cookie_ttl(const struct xds_inspection *in, const struct xds_path *at,
                          const struct xds_session_config *config)
{
    const char *text = about_ttl(config);
    const bool deletes = config->ttl_positive && config->ttl_seconds == 0;

    if (text)
        (void)(deletes ? xds_lint_fire
                       : xds_lint_fire_note)(in, at, XDS_R_LINT_COOKIE_TTL, "%s", text);
}

/* ---- the cookies of a virtual host ---- */

struct kept_cookie {
    const struct xds_session_config *config;
    struct xds_steps path;
};

struct cookies {
    const struct xds_inspection *in;
    struct xds_strmap by_name; /* the first one of each */
};

static bool same_ttl(const struct xds_session_config *a,
                     const struct xds_session_config *b)
{
    return a->ttl_positive == b->ttl_positive && a->ttl_seconds == b->ttl_seconds;
}

static struct xds_slice path_of(const struct xds_session_config *config)
{
    return config->cookie_path.len == 0 ? XDS_S("/") : config->cookie_path;
}

/* One store keeps one cookie per name and path, and sends all whose path fits. */
static const char *clash(const struct xds_session_config *a,
                         const struct xds_session_config *b)
{
    const struct xds_slice x = path_of(a), y = path_of(b);

    if (xds_slice_eq(x, y))
        return same_ttl(a, b) ? NULL : "with another ttl: the last response wins";
    if (xds_cookie_path_matches(x, y) || xds_cookie_path_matches(y, x))
        return "and one path contains the other: RPCs below both send two cookies, of "
               "which the first one counts";
    return NULL;
}

static void add_cookie(struct cookies *c, const struct xds_path *at,
                       const struct xds_session_config *config)
{
    void **slot = xds_strmap_at(&c->by_name, config->cookie_name);
    const struct kept_cookie *first = *slot;

    if (!first) {
        struct kept_cookie *kept = XDS_NEW(c->in->scratch, struct kept_cookie);
        *kept = (struct kept_cookie){config, xds_path_copy(c->in->scratch, at)};
        *slot = kept;
        return;
    }
    const char *why = clash(first->config, config);
    if (why && xds_lint_fire(c->in, at, XDS_R_LINT_COOKIE_CLASH,
                             "cookie \"%.*s\" is already used in this virtual host, %s",
                             XDS_FMT(config->cookie_name), why))
        xds_lint_relate(c->in, xds_path_of(c->in->scratch, first->path),
                        "the other cookie");
}

static void add_cookies(struct cookies *c, const struct xds_path *at,
                        const struct xds_overrides *overrides)
{
    for (size_t i = 0; i < overrides->n; i++) {
        const struct xds_filter_override *o = &overrides->entries[i];

        if (!xds_override_is_on(o))
            continue;
        const struct xds_path *here = XDS_AT_KEY(at, "typed_per_filter_config", o->name);

        xds_check_cookie_name(c->in, here, o->session->cookie_name);
        xds_check_cookie_ttl(c->in, here, o->session);
        add_cookie(c, here, o->session);
    }
}

static void check_host(const struct xds_inspection *in, const struct xds_path *at,
                       const struct xds_virtual_host *host)
{
    struct cookies c = {.in = in};

    xds_strmap_init(&c.by_name, in->scratch);
    add_cookies(&c, at, &host->overrides);
    for (size_t i = 0; i < host->n_routes; i++) {
        const struct xds_route *route = &host->routes[i];
        const struct xds_path *here = XDS_AT_I(at, "routes", i);
        const struct xds_path *split = XDS_AT(here, "route.weighted_clusters");

        add_cookies(&c, here, &route->overrides);
        for (size_t k = 0; k < route->n_weighted; k++)
            add_cookies(&c, XDS_AT_I(split, "clusters", k),
                        &route->weighted[k].overrides);
    }
}

void xds_check_session_cookies(const struct xds_inspection *in, const struct xds_path *at,
                               const struct xds_route_config *config)
{
    for (size_t i = 0; i < config->n_virtual_hosts && xds_someone_has_affinity(in); i++)
        check_host(in, XDS_AT_I(at, "virtual_hosts", i), &config->virtual_hosts[i]);
}
