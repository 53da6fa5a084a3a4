/*
 * scope.c - which of the xDS clients of a dump's process has the channel of an RPC.
 *
 * A process has an xDS client for each target, and one for its servers; each has its own
 * state of a resource. Source: gRFC A71 and client_scope of ClientConfig: core writes
 * xds:/NAME for the target xds:///NAME, the others write the target.
 */
#include "check/check.h"
#include "explain/explain.h"

/* The better it is, the greater. */
enum fit { NO_FIT, HAS_RESOURCE, HAS_NAME, IS_TARGET };

struct choosing {
    const struct xds_rpc *rpc;
    const struct xds_check *check;
    struct xds_slice listener, route_config; /* that are asked for, or absent */
};

static bool says(const struct xds_snapshot *part, enum xds_resource_type type,
                 struct xds_slice name)
{
    return name.data &&
           (xds_snapshot_find(part, type, name) || xds_snapshot_held(part, type, name));
}

static enum fit fit_of(const struct choosing *c, const struct xds_snapshot *part)
{
    const struct xds_slice scope = xds_report_scope(c->check->report, part->config);
    const struct xds_slice target = c->rpc->request->target;

    if (target.data && xds_slice_eq(scope, target))
        return IS_TARGET;
    if (target.data && xds_slice_starts(scope, XDS_S("xds:")) &&
        xds_slice_eq(xds_target_parse(c->rpc, scope).listener, c->listener))
        return HAS_NAME;
    return says(part, XDS_TYPE_LISTENER, c->listener) ||
                   says(part, XDS_TYPE_ROUTE, c->route_config)
               ? HAS_RESOURCE
               : NO_FIT;
}

/* The name that all listeners for clients have; absent where they have several. */
static struct xds_slice only_listener(const struct xds_snapshot *snapshot)
{
    struct xds_slice name = {NULL, 0};

    for (const struct xds_snapshot_entry *e = snapshot->first[XDS_TYPE_LISTENER]; e;
         e = e->next) {
        const struct xds_listener *listener = e->model;

        if (!listener || !listener->is_api_listener || xds_slice_eq(name, e->name))
            continue;
        if (name.data)
            return (struct xds_slice){NULL, 0};
        name = e->name;
    }
    return name;
}

static struct xds_slice scope_words(const struct choosing *c,
                                    const struct xds_snapshot *part)
{
    const struct xds_slice scope = xds_report_scope(c->check->report, part->config);

    return scope.len > 0 ? xds_excerpt(c->rpc->arena, scope) : XDS_S("without a name");
}

enum { MOST_SCOPES = 6 };

/* "xds:///a", "xds:///b" */
static struct xds_slice scopes_words(const struct choosing *c, enum fit fit)
{
    const struct xds_snapshot *all = &c->check->snapshot;
    struct xds_slice pieces[2 * MOST_SCOPES + 1];
    size_t n = 0;

    for (const struct xds_snapshot *p = xds_snapshot_part(all); p;
         p = xds_snapshot_next_part(all, p)) {
        if (fit_of(c, p) != fit)
            continue;
        if (n == (size_t)2 * MOST_SCOPES) {
            pieces[n++] = XDS_S(", ...");
            break;
        }
        pieces[n] = n > 0 ? XDS_S(", ") : XDS_S("");
        pieces[n + 1] = scope_words(c, p);
        n += 2;
    }
    return xds_arena_join(c->rpc->arena, pieces, n);
}

static struct xds_slice doubt(const struct choosing *c, const struct xds_snapshot *part,
                              enum fit fit, size_t n)
{
    const struct xds_slice target = c->rpc->request->target;
    const bool has_scope = xds_report_scope(c->check->report, part->config).len > 0;

    if (n > 1)
        return xds_arena_printf(
            c->rpc->arena,
            "%zu xDS clients of the dump may be meant (client_scope: %.*s), and this is "
            "what the first one does%s",
            n, XDS_FMT(scopes_words(c, fit)),
            target.data || !has_scope ? "" : "; --target chooses another one");
    if (fit == HAS_RESOURCE && target.data && has_scope)
        return xds_arena_printf(c->rpc->arena,
                                "no xDS client of the dump has the target %.*s, and this "
                                "is what the one with client_scope %.*s does",
                                XDS_FMT(xds_excerpt(c->rpc->arena, target)),
                                XDS_FMT(scope_words(c, part)));
    return (struct xds_slice){NULL, 0};
}

const struct xds_snapshot *xds_explain_scope(const struct xds_check *check,
                                             const struct xds_rpc *rpc,
                                             struct xds_slice *out)
{
    const struct xds_snapshot *all = &check->snapshot, *best = NULL;
    const struct xds_request *request = rpc->request;
    struct choosing c = {.rpc = rpc,
                         .check = check,
                         .listener = request->listener,
                         .route_config = request->route_config};
    enum fit best_fit = NO_FIT;
    size_t n = 0;

    if (xds_snapshot_part(all) == all || request->live)
        return all;
    if (!c.listener.data && request->target.data)
        c.listener = xds_target_parse(rpc, request->target).listener;
    if (!c.listener.data && !c.route_config.data)
        c.listener = only_listener(all);
    for (const struct xds_snapshot *p = xds_snapshot_part(all); p;
         p = xds_snapshot_next_part(all, p)) {
        const enum fit fit = fit_of(&c, p);

        if (fit > best_fit) {
            best = p;
            best_fit = fit;
            n = 0;
        }
        n += fit == best_fit;
    }
    if (!best)
        return all;
    *out = doubt(&c, best, best_fit, n);
    return best;
}
