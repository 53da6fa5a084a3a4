/* first_server.c - a first file of tests: for each route and RBAC policy of a server an
 * RPC that it takes, and what becomes of it now. */
#include "check/check.h"
#include "explain/derive_server.h"
#include "print/decision/served.h"
#include "server/rbac.h"
#include "suite/inner.h"

/* ---- text ---- */

static void put_san(const struct xds_first *f, const struct xds_certificate *certificate)
{
    for (size_t i = 0; certificate && i < certificate->n_sans; i++)
        xds_suite_put(f->out, i == 0 ? ", peer_san: " : ", ",
                      xds_arena_printf(f->arena, "%s:%.*s",
                                       xds_san_kind_name(certificate->sans[i].kind),
                                       XDS_FMT(certificate->sans[i].value)));
}

static void put_request(const struct xds_first *f, const struct xds_inbound *in)
{
    struct xds_out *out = f->out;

    xds_suite_put(out, "  request: {server: ", in->server);
    xds_suite_put(out, ", local: ", in->local);
    xds_suite_put(out, ", peer: ", in->peer);
    put_san(f, in->certificate);
    xds_suite_put(out, ", authority: ", in->rpc.authority);
    xds_suite_put(out, ", path: ", in->rpc.path);
    xds_suite_put_headers(out, &in->rpc);
    xds_out_text(out, "}\n");
}

static void put_expectation(struct xds_out *out, const struct xds_served *d)
{
    xds_out_format(out, "  expect: {outcome: %s", xds_served_name(d->outcome));
    if (d->chains.index == XDS_DEFAULT_CHAIN)
        xds_out_text(out, ", filter_chain: {index: null}");
    else
        xds_out_format(out, ", filter_chain: {index: %zu}", d->chains.index);
    xds_suite_put(out, ", policy: ", d->policy);
    if (d->outcome == XDS_SERVED_DENIED && !d->policy.data)
        xds_out_text(out, ", policy: null");
    if (d->outcome == XDS_SERVED_FAILED) {
        xds_suite_put(out, ", status: {message: ", d->error);
        xds_out_text(out, "}");
    }
    xds_out_text(out, "}\n");
}

/* ---- names ---- */

static struct xds_slice name_of(struct xds_first *f,
                                const struct xds_derived_inbound *derived)
{
    struct xds_text text = {.arena = f->arena};
    struct xds_slice name;

    xds_text_printf(&text, "server %.*s, ", XDS_FMT(derived->inbound.server));
    if (derived->index == XDS_DEFAULT_CHAIN)
        xds_text_printf(&text, "default chain");
    else
        xds_text_printf(&text, "chain #%zu%s%.*s", derived->index,
                        derived->chain->name.len > 0 ? " " : "",
                        XDS_FMT(derived->chain->name));
    if (derived->policy)
        xds_text_printf(&text, ", policy %.*s", XDS_FMT(derived->policy->name));
    else
        xds_text_printf(&text, ", virtual host %.*s, route #%zu",
                        XDS_FMT(derived->host->name),
                        (size_t)(derived->route - derived->host->routes));
    name = xds_slice_clip(xds_slice_make(text.data, text.len), XDS_MAX_CASE_NAME - 32);
    if (xds_strmap_get(&f->names, name))
        name = xds_arena_printf(f->arena, "%.*s, RPC %zu", XDS_FMT(name), f->n + 1);
    *xds_strmap_at(&f->names, name) = f;
    return name;
}

/* ---- cases ---- */

static bool decides(const struct xds_served *d, const struct xds_rbac_policy *policy)
{
    for (size_t i = 0; i < d->n_filters; i++)
        if (d->filters[i].rbac && d->filters[i].rbac->decided_by == policy)
            return true;
    return false;
}

/* Does it meet what it is made for? What forwards is no method of a server: such routes
 * are asked as those of clients. */
static bool meets(const struct xds_served *d, const struct xds_derived_inbound *derived)
{
    if (d->chains.chain != derived->chain || d->outcome == XDS_SERVED_UNDECIDED ||
        !d->route || d->route->route->action != XDS_ACTION_NON_FORWARDING)
        return false;
    if (derived->policy)
        return decides(d, derived->policy);
    return d->route->route == derived->route;
}

static bool add(void *user, const struct xds_derived_inbound *derived)
{
    struct xds_first *f = user;
    const void *aim =
        derived->policy ? (const void *)derived->policy : (const void *)derived->route;
    void **slot =
        xds_strmap_at(&f->routes, (struct xds_slice){(const char *)&aim, sizeof aim});
    const struct xds_served *d;

    if (*slot || f->status != XDS_OK)
        return true;
    f->status = xds_serve(f->server, &derived->inbound, &d);
    if (f->status != XDS_OK || !meets(d, derived))
        return false;
    if (xds_first_has_secret(&derived->inbound.rpc)) {
        f->n_secret += !derived->policy;
        return false;
    }
    *slot = f;
    xds_first_head(f);
    xds_suite_put(f->out, "- name: ", name_of(f, derived));
    xds_out_char(f->out, '\n');
    put_request(f, &derived->inbound);
    put_expectation(f->out, d);
    f->n++;
    return true;
}

void xds_first_servers(struct xds_first *first)
{
    xds_derive_inbounds(&first->check->snapshot, first->client,
                        &first->check->report->options, first->arena, add, first);
}
