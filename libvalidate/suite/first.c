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

struct first {
    struct xds_out *out;
    struct xds_arena *arena;
    struct xds_check *check;
    enum xds_client client;
    const char *const *paths;
    size_t n_paths;
    struct xds_explainer *explainer;
    struct xds_strmap routes, names; /* that have a case, by address; of the cases */
    size_t n, n_secret; /* cases; routes that have none, as it would hold a secret */
    enum xds_status status;
};

/* As YAML and JSON have it. */
void xds_suite_put(struct xds_out *out, const char *key, struct xds_slice text)
{
    if (!text.data)
        return;
    xds_out_text(out, key);
    xds_json_string(out, text);
    out->comma = false;
}

void xds_suite_put_snapshot(struct xds_out *out, const char *const *paths, size_t n)
{
    if (n > 0)
        xds_out_text(out, "snapshot:\n");
    for (size_t i = 0; i < n; i++) {
        xds_suite_put(out, "- ", xds_slice_of(paths[i]));
        xds_out_char(out, '\n');
    }
}

void xds_suite_put_headers(struct xds_out *out, const struct xds_request *request)
{
    for (size_t i = 0; i < request->n_headers; i++) {
        xds_suite_put(out, i == 0 ? ", headers: [[" : ", [", request->headers[i].name);
        xds_suite_put(out, ", ", xds_header_shown(&request->headers[i]));
        xds_out_text(out, i + 1 < request->n_headers ? "]" : "]]");
    }
}

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

static void put_head(const struct first *f)
{
    f->out->in_yaml = true;
    xds_out_text(f->out,
                 "# An RPC for each route and where it goes now. Correct what is not as "
                 "it should be.\n");
    xds_suite_put_snapshot(f->out, f->paths, f->n_paths);
    xds_out_format(f->out, "client: %s\ncases:\n", xds_client_name(f->client));
}

/* 'virtual host "v", route #0 "cart"', with a number where that is not one of a kind. */
static struct xds_slice name_of(struct first *f, const struct xds_derived *derived)
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

/* A file that is kept holds no credentials. */
static bool has_secret(const struct xds_request *request)
{
    for (size_t i = 0; i < request->n_headers; i++)
        if (!xds_slice_eq(xds_header_shown(&request->headers[i]),
                          request->headers[i].value))
            return true;
    return false;
}

static void add(void *user, const struct xds_derived *derived)
{
    struct first *f = user;
    const struct xds_decision *d;
    void **slot =
        xds_strmap_at(&f->routes, (struct xds_slice){(const char *)&derived->route,
                                                     sizeof derived->route});

    if (*slot || f->status != XDS_OK)
        return;
    f->status = xds_explain(f->explainer, &derived->request, &d);
    if (f->status != XDS_OK || !d->route || d->route->route != derived->route)
        return;
    *slot = f;
    if (has_secret(&derived->request)) {
        f->n_secret++;
        return;
    }
    if (f->n == 0)
        put_head(f);
    xds_suite_put(f->out, "- name: ", name_of(f, derived));
    xds_out_char(f->out, '\n');
    put_request(f->out, &derived->request);
    put_expectation(f->out, d);
    f->n++;
}

static void write_all(void *arg)
{
    struct first *f = arg;
    struct xds_derive_counts counts = {.made = 0};

    xds_strmap_init(&f->routes, f->arena);
    xds_strmap_init(&f->names, f->arena);
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
    struct first first = {.out = &out,
                          .arena = &arena,
                          .check = check,
                          .client = client,
                          .paths = paths,
                          .n_paths = n_paths,
                          .explainer = xds_explainer_new(check, client),
                          .status = XDS_OK};
    enum xds_status status = XDS_ERR_NO_MEMORY;

    if (first.explainer)
        status = xds_out_run(&out, &arena, to, write_all, &first);
    xds_explainer_free(first.explainer);
    *n_cases = first.n;
    return status == XDS_OK ? first.status : status;
}
