/*
 * shape.c - what the JSON of explain can have.
 *
 * Source: print/decision_json.c and the files beside it; xdscope-explain(1).
 */
#include "suite/shape.h"

#include "base/text.h"

/* Members by their path; items of lists have that of the list. What is below a row
 * that is free is not known here. The rows without a path are those of the answer: of
 * these, `answer` ones are the same whether or not every route is tried. */
static const struct row {
    const char *path, *name;
    bool answer, is_free;
} rows[] = {
    {"", "version", true, false},
    {"", "request", true, false},
    {"", "client", true, false},
    {"", "outcome", true, false},
    {"", "status", true, false},
    {"", "crash", true, false},
    {"", "listener", true, false},
    {"", "route_config", true, false},
    {"", "virtual_host", true, false},
    {"", "routes", false, false},
    {"", "route", true, false},
    {"", "clusters", true, false},
    {"", "cluster", true, false},
    {"", "session", true, false},
    {"", "hash", true, false},
    {"", "hash_of_channel", true, false},
    {"", "priority", true, false},
    {"", "locality", true, false},
    {"", "host", true, false},
    {"", "host_why", true, false},
    {"", "hosts", true, false},
    {"", "drops", true, false},
    {"", "drop_probability", true, false},
    {"", "drop_share", true, false},
    {"", "priorities", true, false},
    {"", "rings", true, false},
    {"", "set_cookie", true, false},
    {"", "method_config", true, true},
    {"", "lb_policy", false, true},
    {"", "filters", false, false},
    {"", "hash_policies", false, false},
    {"", "timeout", false, false},
    {"", "retry", false, false},
    {"", "auto_host_rewrite", false, false},
    {"", "faults", true, false},
    {"", "nearest", false, false},
    {"", "nearest_domain", false, false},
    {"", "notes", false, false},
    {"", "observed", true, false},
    {"", "why_not", true, false},
    {"", "others", false, false},
    {"request", "target", true, false},
    {"request", "authority", true, false},
    {"request", "path", true, false},
    {"request", "headers", true, false},
    {"status", "code", true, false},
    {"status", "message", true, false},
    {"crash", "rule", true, false},
    {"crash", "kills", true, false},
    {"listener", "name", true, false},
    {"route_config", "name", true, false},
    {"virtual_host", "index", true, false},
    {"virtual_host", "name", true, false},
    {"virtual_host", "domain", true, false},
    {"virtual_host", "match", true, false},
    {"routes", "index", true, false},
    {"routes", "name", true, false},
    {"routes", "matched", true, false},
    {"routes", "probability", true, false},
    {"routes", "reason", true, false},
    {"route", "index", true, false},
    {"route", "name", true, false},
    {"clusters", "name", true, false},
    {"clusters", "weight", true, false},
    {"clusters", "probability", true, false},
    {"clusters", "drops", true, false},
    {"clusters", "drop_probability", true, false},
    {"clusters", "drop_share", true, false},
    {"clusters.drops", "category", true, false},
    {"clusters.drops", "probability", true, false},
    {"cluster", "name", true, false},
    {"cluster", "key", true, false},
    {"cluster", "why", true, false},
    {"cluster", "leaf", true, false},
    {"session", "filter", true, false},
    {"session", "filter_name", true, false},
    {"session", "cookie_name", true, false},
    {"session", "path_matches", true, false},
    {"session", "addresses", true, false},
    {"session", "cluster", true, false},
    {"session", "applies", true, false},
    {"session", "reason", true, false},
    {"locality", "region", true, false},
    {"locality", "zone", true, false},
    {"locality", "sub_zone", true, false},
    {"hosts", "address", true, false},
    {"hosts", "cluster", true, false},
    {"hosts", "priority", true, false},
    {"hosts", "locality", true, false},
    {"hosts", "health", true, false},
    {"hosts", "probability", true, false},
    {"hosts", "share", true, false},
    {"hosts.locality", "region", true, false},
    {"hosts.locality", "zone", true, false},
    {"hosts.locality", "sub_zone", true, false},
    {"drops", "category", true, false},
    {"drops", "probability", true, false},
    {"priorities", "leaf", true, false},
    {"priorities", "priority", true, false},
    {"priorities", "state", true, false},
    {"priorities", "chosen", true, false},
    {"priorities", "reason", true, false},
    {"rings", "locality", true, false},
    {"rings", "size", true, false},
    {"rings", "min_size", true, false},
    {"rings", "max_size", true, false},
    {"rings", "hash", true, false},
    {"rings", "index", true, false},
    {"rings", "hosts", true, false},
    {"rings", "walk", true, false},
    {"rings.locality", "region", true, false},
    {"rings.locality", "zone", true, false},
    {"rings.locality", "sub_zone", true, false},
    {"rings.hosts", "address", true, false},
    {"rings.hosts", "key", true, false},
    {"rings.hosts", "weight", true, false},
    {"rings.hosts", "entries", true, false},
    {"rings.hosts", "share", true, false},
    {"rings.hosts", "probability", true, false},
    {"rings.walk", "index", true, false},
    {"rings.walk", "address", true, false},
    {"rings.walk", "state", true, false},
    {"rings.walk", "taken", true, false},
    {"filters", "name", true, false},
    {"filters", "type", true, false},
    {"filters", "config_from", true, false},
    {"filters", "disabled", true, false},
    {"filters", "dropped", true, false},
    {"filters", "reason", true, false},
    {"hash_policies", "index", true, false},
    {"hash_policies", "kind", true, false},
    {"hash_policies", "header", true, false},
    {"hash_policies", "value", true, false},
    {"hash_policies", "hash", true, false},
    {"hash_policies", "terminal", true, false},
    {"hash_policies", "reason", true, false},
    {"timeout", "seconds", true, false},
    {"timeout", "from", true, false},
    {"retry", "from", true, false},
    {"retry", "retryableStatusCodes", true, false},
    {"retry", "attempts", true, false},
    {"retry", "capped", true, false},
    {"retry", "initial_backoff", true, false},
    {"retry", "max_backoff", true, false},
    {"retry", "backoff_multiplier", true, false},
    {"auto_host_rewrite", "enabled", true, false},
    {"auto_host_rewrite", "authority", true, false},
    {"auto_host_rewrite", "reason", true, false},
    {"faults", "abort", true, false},
    {"faults", "delay", true, false},
    {"faults.abort", "code", true, false},
    {"faults.abort", "message", true, false},
    {"faults.abort", "probability", true, false},
    {"faults.delay", "seconds", true, false},
    {"faults.delay", "probability", true, false},
    {"nearest", "index", true, false},
    {"nearest", "name", true, false},
    {"nearest", "failed", true, false},
    {"nearest", "reason", true, false},
    {"nearest_domain", "index", true, false},
    {"nearest_domain", "name", true, false},
    {"nearest_domain", "domain", true, false},
    {"nearest_domain", "reason", true, false},
    {"observed", "address", true, false},
    {"observed", "possible", true, false},
    {"observed", "complete", true, false},
    {"observed", "causes", true, false},
    {"observed", "reason", true, false},
    {"observed.causes", "cause", true, false},
    {"observed.causes", "probability", true, false},
    {"observed.causes", "cluster", true, false},
    {"observed.causes", "leaf", true, false},
    {"observed.causes", "priority", true, false},
    {"observed.causes", "needs", true, false},
    {"observed.causes", "more_needs", true, false},
    {"observed.causes", "cookie", true, false},
    {"observed.causes", "cookie_sent", true, false},
    {"observed.causes", "reason", true, false},
    {"observed.causes.needs", "address", true, false},
    {"observed.causes.needs", "state", true, false},
    {"why_not", "address", true, false},
    {"why_not", "reasons", true, false},
    {"why_not.reasons", "reason", true, false},
    {"others", "client", true, false},
    {"others", "outcome", true, false},
    {"others", "route", true, false},
    {"others", "cluster", true, false},
    {"others", "differs", true, false},
    {"others", "note", true, false},
};

struct search {
    struct xds_arena *arena;
    struct xds_slice what;
};

static const struct row *find_row(struct xds_slice path, struct xds_slice name)
{
    for (size_t i = 0; i < XDS_ARRAY_LEN(rows); i++)
        if (xds_slice_is(name, rows[i].name) && xds_slice_is(path, rows[i].path))
            return &rows[i];
    return NULL;
}

static struct xds_slice unknown(struct search *s, struct xds_slice path,
                                struct xds_slice name)
{
    struct xds_nearest nearest = xds_nearest_to(name);

    for (size_t i = 0; i < XDS_ARRAY_LEN(rows); i++)
        if (xds_slice_is(path, rows[i].path))
            xds_nearest_offer(&nearest, rows[i].name);
    const struct xds_slice hint = xds_nearest_words(s->arena, nearest.best);

    return xds_arena_printf(s->arena, "%s%.*s%s has no member \"%.*s\"%.*s",
                            path.len ? "\"" : "the answer of explain", XDS_FMT(path),
                            path.len ? "\" of explain" : "", XDS_FMT(name),
                            XDS_FMT(hint));
}

static const struct xds_tree *check(struct search *s, struct xds_slice path,
                                    const struct xds_tree *expect);

/* The nesting of what was read is bounded. */
static const struct xds_tree *check_member(struct search *s, struct xds_slice path,
                                           const struct xds_tree *member)
{
    const struct row *row = find_row(path, member->key);

    if (!row) {
        s->what = unknown(s, path, member->key);
        return member;
    }
    if (row->is_free)
        return NULL;
    const struct xds_slice below =
        path.len > 0 ? xds_arena_printf(s->arena, "%.*s.%s", XDS_FMT(path), row->name)
                     : xds_slice_of(row->name);

    return check(s, below, member);
}

static const struct xds_tree *check(struct search *s, struct xds_slice path,
                                    const struct xds_tree *expect)
{
    const struct xds_tree *wrong = NULL;

    if (expect->kind == XDS_TREE_OBJECT)
        wrong = xds_tree_twice(s->arena, expect);
    if (wrong) {
        s->what =
            xds_arena_printf(s->arena, "\"%.*s\" is expected twice", XDS_FMT(wrong->key));
        return wrong;
    }
    for (size_t i = 0; i < expect->n && !wrong; i++)
        wrong = expect->kind == XDS_TREE_OBJECT ? check_member(s, path, &expect->items[i])
                                                : check(s, path, &expect->items[i]);
    return wrong;
}

const struct xds_tree *xds_shape_find_fault(struct xds_arena *arena,
                                            const struct xds_tree *expect,
                                            struct xds_slice *what)
{
    struct search s = {.arena = arena};
    const struct xds_tree *wrong = check(&s, XDS_S(""), expect);

    *what = s.what;
    return wrong;
}

bool xds_shape_needs_every_route(const struct xds_tree *expect)
{
    for (size_t i = 0; i < expect->n; i++) {
        const struct row *row = find_row(XDS_S(""), expect->items[i].key);

        if (row && !row->answer)
            return true;
    }
    return false;
}
