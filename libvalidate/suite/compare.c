/* compare.c - what an answer was to be, what the JSON of explain can have, and where an
 * answer differs.
 *
 * Source: print/decision_json.c and the files beside it; xdscope-explain(1).
 */
#include "suite/inner.h"

#include <math.h>

static bool write_text(void *user, const char *data, size_t len)
{
    xds_text_add(user, xds_slice_make(data, len));
    return true;
}

struct xds_printer xds_text_printer(struct xds_text *text)
{
    return (struct xds_printer){.write = write_text, .user = text, .one_line = true};
}

static struct xds_slice written(struct xds_arena *arena, const struct xds_tree *tree,
                                void (*write)(struct xds_out *, const struct xds_tree *))
{
    struct xds_text text = {.arena = arena};
    const struct xds_printer to = xds_text_printer(&text);
    struct xds_out out;

    xds_out_init(&out, &to);
    write(&out, tree);
    (void)!xds_out_finish(&out); /* writing to memory does not fail */
    return xds_slice_make(xds_slice_text((struct xds_slice){text.data, 0}), text.len);
}

/* A tree as JSON. */
static struct xds_slice tree_json(struct xds_arena *arena, const struct xds_tree *tree)
{
    return written(arena, tree, xds_json_tree);
}

struct xds_slice xds_tree_flow(struct xds_arena *arena, const struct xds_tree *tree)
{
    return written(arena, tree, xds_out_flow);
}

/* ---- what explain's JSON has ---- */

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

static const struct xds_tree *check(struct search *s, struct xds_slice path,
                                    const struct xds_tree *expect);

/* The nesting of what was read is bounded. */
static const struct xds_tree *check_member(struct search *s, struct xds_slice path,
                                           const struct xds_tree *member)
{
    const struct row *row = find_row(path, member->key);

    if (!row) {
        struct xds_nearest nearest = xds_nearest_to(member->key);

        for (size_t i = 0; i < XDS_ARRAY_LEN(rows); i++)
            if (xds_slice_is(path, rows[i].path))
                xds_nearest_offer(&nearest, rows[i].name);
        const struct xds_slice hint = xds_nearest_words(s->arena, nearest.best);
        s->what = xds_arena_printf(s->arena, "%s%.*s%s has no member \"%.*s\"%.*s",
                                   path.len ? "\"" : "the answer of explain",
                                   XDS_FMT(path), path.len ? "\" of explain" : "",
                                   XDS_FMT(member->key), XDS_FMT(hint));
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

/* ---- comparison ---- */

/* Probabilities are sums and products of doubles. */
#define TOLERANCE 1e-9

/* What it is instead. */
static struct xds_slice instead(struct xds_comparison *out, const struct xds_tree *got,
                                struct xds_slice json)
{
    if (!got)
        return XDS_S("but it is missing");
    if (json.len > XDS_MAX_VALUE_TOLD)
        return xds_arena_printf(out->case_arena, "is a value of %zu bytes", json.len);
    return xds_arena_printf(out->case_arena, "is %.*s", XDS_FMT(json));
}

static struct xds_slice sentence(struct xds_comparison *out,
                                 const struct xds_suite_mismatch *m,
                                 const struct xds_tree *want, const struct xds_tree *got,
                                 struct xds_slice json)
{
    const struct xds_slice rest = instead(out, got, json);

    /* Lists that differ have not as many items. */
    if (got && got->kind == XDS_TREE_ARRAY && want->kind == got->kind)
        return xds_arena_printf(
            out->run_arena, "%.*s: expected %zu item%s, but has %zu: it %.*s",
            XDS_FMT(m->path), want->n, want->n == 1 ? "" : "s", got->n, XDS_FMT(rest));
    /* A number as it was written: no answer has one that is too large for JSON. */
    const struct xds_slice wanted =
        want->kind == XDS_TREE_NUMBER && want->text.len > 0 ? want->text : m->want;

    return xds_arena_printf(out->run_arena, "%.*s: expected %.*s, %.*s", XDS_FMT(m->path),
                            XDS_FMT(wanted), XDS_FMT(rest));
}

static void add(struct xds_comparison *out, struct xds_slice path,
                const struct xds_tree *want, const struct xds_tree *got)
{
    const bool key = want->key_line > 0;

    if (out->n == XDS_MAX_MISMATCHES) {
        out->n_more++;
        return;
    }
    out->list = xds_list_room(out->run_arena, out->list, out->n, sizeof *out->list);
    struct xds_suite_mismatch *m = &out->list[out->n++];
    const struct xds_slice json =
        got ? tree_json(out->case_arena, got) : (struct xds_slice){NULL, 0};

    *m = (struct xds_suite_mismatch){
        .path = xds_arena_dup(out->run_arena, path),
        .want = tree_json(out->run_arena, want),
        .exists = got != NULL,
        .line = key ? want->key_line : want->line,
        .column = key ? want->key_column : want->column,
    };
    if (json.len <= XDS_MAX_VALUE_TOLD)
        m->got = xds_arena_dup(out->run_arena, json);
    m->text = sentence(out, m, want, got, json);
}

static bool same_scalar(const struct xds_tree *want, const struct xds_tree *got)
{
    switch (want->kind) {
    case XDS_TREE_NULL:
        return true;
    case XDS_TREE_BOOL:
        return want->truth == got->truth;
    case XDS_TREE_NUMBER:
        return fabs(want->number - got->number) <= TOLERANCE;
    case XDS_TREE_STRING:
        return xds_slice_eq(want->text, got->text);
    case XDS_TREE_ARRAY:
        return want->n == got->n; /* its items are compared one by one */
    case XDS_TREE_OBJECT:
        return true; /* so are its members */
    }
    return false;
}

static void compare(struct xds_comparison *out, struct xds_slice path,
                    const struct xds_tree *want, const struct xds_tree *got);

static void compare_members(struct xds_comparison *out, struct xds_slice path,
                            const struct xds_tree *want, const struct xds_tree *got)
{
    for (size_t i = 0; i < want->n; i++) {
        const struct xds_tree *member = &want->items[i];
        const struct xds_slice below =
            path.len > 0 ? xds_arena_printf(out->case_arena, "%.*s.%.*s", XDS_FMT(path),
                                            XDS_FMT(member->key))
                         : member->key;

        compare(out, below, member, xds_tree_find(got, member->key));
    }
}

/* The nesting of both is bounded where they were read. What explain leaves out is null.
 */
static void compare(struct xds_comparison *out, struct xds_slice path,
                    const struct xds_tree *want, const struct xds_tree *got)
{
    if (!got && want->kind == XDS_TREE_NULL)
        return;
    if (!got || want->kind != got->kind || !same_scalar(want, got))
        add(out, path, want, got);
    else if (want->kind == XDS_TREE_OBJECT)
        compare_members(out, path, want, got);
    else if (want->kind == XDS_TREE_ARRAY) {
        for (size_t i = 0; i < want->n; i++)
            compare(out, xds_arena_printf(out->case_arena, "%.*s[%zu]", XDS_FMT(path), i),
                    &want->items[i], &got->items[i]);
    }
}

void xds_suite_compare(struct xds_comparison *out, const struct xds_tree *expect,
                       const struct xds_tree *answer)
{
    compare_members(out, XDS_S(""), expect, answer);
}
