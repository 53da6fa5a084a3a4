/*
 * first.c - a first file of tests: for each route an RPC that takes it, and where it goes
 *           now. It is written here and not in print/, as it is no answer but a file
 *           in the syntax that this room reads.
 */
#include "check/check.h"
#include "explain/decision.h"
#include "explain/derive.h"
#include "print/decision/decision.h"
#include "print/write/out.h"
#include "secret/secret.h"
#include "suite/inner.h"

#include <stdlib.h>

static void put_request(struct xds_out *out, const struct xds_request *request)
{
    xds_suite_put(out, "  request: {path: ", request->path);
    xds_suite_put(out, ", target: ", request->target);
    xds_suite_put(out, ", listener: ", request->listener);
    xds_suite_put(out, ", route_config: ", request->route_config);
    xds_suite_put(out, ", authority: ", request->authority);
    xds_suite_put_headers(out, request);
    xds_out_text(out, "}\n");
}

static void put_expectation(struct xds_out *out, const struct xds_decision *d)
{
    xds_out_format(out, "  expect: {route: {index: %zu}", d->route->index);
    if (d->cluster) {
        xds_suite_put(out, ", cluster: {name: ", d->cluster->name);
        xds_out_text(out, "}");
    }
    for (size_t i = 0; !d->cluster && i < d->n_clusters; i++) {
        xds_suite_put(out,
                      i == 0 ? ", clusters: [{name: " : ", {name: ", d->clusters[i].name);
        xds_out_text(out, i + 1 < d->n_clusters ? "}" : "}]");
    }
    if (d->pick.host)
        xds_suite_put(out, ", host: ", xds_host_address_of(d->pick.host));
    if (!xds_decision_routed(d))
        xds_out_format(out, ", outcome: %s", xds_outcome_name(d->outcome));
    xds_out_text(out, "}\n");
}

/* 'virtual host "v", route #0 "cart"', with a number where that is not one of a kind. */
static struct xds_slice name_of(struct xds_first *f, const struct xds_derived *derived)
{
    const struct xds_slice route = derived->route->name;
    const size_t index = (size_t)(derived->route - derived->host->routes);
    struct xds_slice name = xds_arena_printf(
        f->arena, "virtual host %.*s, route #%zu%s%.*s", XDS_FMT(derived->host->name),
        index, route.len > 0 ? " " : "", XDS_FMT(route));

    name = xds_slice_clip(name, XDS_MAX_CASE_NAME - 32);
    if (xds_strmap_get(&f->names, name) && derived->request.route_config.data)
        name = xds_slice_clip(xds_arena_printf(f->arena, "%.*s of %.*s", XDS_FMT(name),
                                               XDS_FMT(derived->request.route_config)),
                              XDS_MAX_CASE_NAME - 32);
    if (xds_strmap_get(&f->names, name))
        name = xds_arena_printf(f->arena, "%.*s, RPC %zu", XDS_FMT(name), f->n + 1);
    *xds_strmap_at(&f->names, name) = f;
    return name;
}

/* Most RPCs are taken by a route before the one that they were made for, which the routes
 * alone tell in a tenth of the time. */
static bool may_take_route(struct xds_first *f, const struct xds_derived *derived)
{
    struct xds_route_walk walk;

    if (!xds_explain_walk(f->explainer, derived, &walk))
        return true;
    return walk.n_tries > 0 && walk.tries[walk.n_tries - 1].route == derived->route;
}

static void add(void *user, const struct xds_derived *derived)
{
    struct xds_first *f = user;
    const struct xds_decision *d;
    void **slot =
        xds_strmap_at(&f->routes, (struct xds_slice){(const char *)&derived->route,
                                                     sizeof derived->route});

    if (*slot || f->status != XDS_OK || !may_take_route(f, derived))
        return;
    f->status = xds_explain(f->explainer, &derived->request, &d);
    if (f->status != XDS_OK || !d->route || d->route->route != derived->route)
        return;
    *slot = f;
    if (xds_first_has_secret(&derived->request)) {
        f->n_secret++;
        return;
    }
    xds_first_head(f);
    xds_suite_put(f->out, "- name: ", name_of(f, derived));
    xds_out_char(f->out, '\n');
    put_request(f->out, &derived->request);
    put_expectation(f->out, d);
    f->n++;
}

static void write_all(void *arg)
{
    struct xds_first *f = arg;
    struct xds_derive_counts counts = {.made = 0};

    xds_strmap_init(&f->routes, f->arena);
    xds_strmap_init(&f->names, f->arena);
    xds_first_servers(f);
    xds_derive_requests(&f->check->snapshot, f->client, &f->check->report->options,
                        (struct xds_slice){NULL, 0}, f->arena, add, f, &counts);
    if (f->n > 0 && counts.impossible > 0)
        xds_out_format(f->out, "# No RPC was found for %zu route%s; the first is %.*s.\n",
                       counts.impossible, xds_plural(counts.impossible),
                       XDS_FMT(counts.example));
    if (f->n > 0 && f->n_secret > 0)
        xds_out_format(f->out,
                       "# %zu route%s that need%s credentials in a header %s left out.\n",
                       f->n_secret, xds_plural(f->n_secret), f->n_secret == 1 ? "s" : "",
                       f->n_secret == 1 ? "is" : "are");
}

enum xds_status xds_suite_write_first(const struct xds_printer *to,
                                      struct xds_check *check, enum xds_client client,
                                      const char *const *paths, size_t n_paths,
                                      size_t *n_cases)
{
    struct xds_out out;
    struct xds_arena arena = {0};
    struct xds_first first = {.out = &out,
                              .arena = &arena,
                              .check = check,
                              .client = client,
                              .paths = paths,
                              .n_paths = n_paths,
                              .explainer = xds_explainer_new(check, client),
                              .server = xds_server_new(check, client),
                              .status = XDS_OK};
    enum xds_status status = XDS_ERR_NO_MEMORY;

    if (first.explainer)
        xds_explainer_be_brief(first.explainer);
    if (first.explainer && first.server)
        status = xds_out_run(&out, &arena, to, write_all, &first);
    xds_server_free(first.server);
    xds_explainer_free(first.explainer);
    *n_cases = first.n;
    return status == XDS_OK ? first.status : status;
}
