/* compare.c - what an answer was to be, what the JSON of explain can have, and where an
 * answer differs.
 *
 * Source: man/schema/explain.schema.json, to which the gate holds what explain prints.
 */
#include "suite/inner.h"

#include <math.h>

/* ---- what explain's JSON has ---- */

#define NAMES(...) ((const char *const[]){__VA_ARGS__, NULL})

/* The members of each object by its path; items of lists have that of the list. */
struct shape {
    const char *path;
    const char *const *names; /* NULL: what is below is not known here */
};

#include "answer_shapes.inc" /* made of man/schema/explain.schema.json */

static const struct {
    const struct shape *shapes;
    const char *option; /* of explain */
} answers[] = {
    [XDS_SUITE_CLIENT] = {of_decision, ""},
    [XDS_SUITE_SERVER] = {of_served, " --server"},
    [XDS_SUITE_BOTH] = {of_ends, " --end-to-end"},
};

/* What of the answer is only made when every route is tried. */
static const char *const *const of_every_route =
    NAMES("routes", "lb_policy", "filters", "hash_policies", "timeout", "retry",
          "auto_host_rewrite", "nearest", "nearest_domain", "notes", "others");

struct search {
    enum xds_suite_end end;
    struct xds_arena *arena;
    struct xds_slice what;
};

static const char *find_name(const char *const *names, struct xds_slice name)
{
    while (*names && !xds_slice_is(name, *names))
        names++;
    return *names;
}

static const char *const *names_of(const struct search *s, struct xds_slice path)
{
    static const char *const none[] = {NULL};

    for (const struct shape *shape = answers[s->end].shapes; shape->path; shape++)
        if (xds_slice_is(path, shape->path))
            return shape->names;
    return none;
}

static const struct xds_tree *check(struct search *s, struct xds_slice path,
                                    const struct xds_tree *expect);

/* The nesting of what was read is bounded. */
static const struct xds_tree *check_member(struct search *s, struct xds_slice path,
                                           const struct xds_tree *member)
{
    const char *const *names = names_of(s, path);
    const char *name = find_name(names, member->key);

    if (!name) {
        struct xds_nearest nearest = xds_nearest_to(member->key);

        for (; *names; names++)
            xds_nearest_offer(&nearest, *names);
        const struct xds_slice hint = xds_nearest_words(s->arena, nearest.best);
        s->what =
            xds_arena_printf(s->arena, "%s%.*s%s%s has no member \"%.*s\"%.*s",
                             path.len ? "\"" : "the answer of explain", XDS_FMT(path),
                             path.len ? "\" of explain" : "", answers[s->end].option,
                             XDS_FMT(member->key), XDS_FMT(hint));
        return member;
    }
    const struct xds_slice below =
        path.len > 0 ? xds_arena_printf(s->arena, "%.*s.%s", XDS_FMT(path), name)
                     : xds_slice_of(name);

    return names_of(s, below) ? check(s, below, member) : NULL;
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
                                            enum xds_suite_end end,
                                            struct xds_slice *what)
{
    struct search s = {.end = end, .arena = arena};
    const struct xds_tree *wrong = check(&s, XDS_S(""), expect);

    *what = s.what;
    return wrong;
}

bool xds_shape_needs_every_route(const struct xds_tree *expect)
{
    for (size_t i = 0; i < expect->n; i++)
        if (find_name(of_every_route, expect->items[i].key))
            return true;
    return false;
}

/* ---- comparison ---- */

/* Probabilities are sums and products of doubles. */
#define TOLERANCE 1e-9

static struct xds_slice sentence(struct xds_comparison *out,
                                 const struct xds_suite_mismatch *m,
                                 const struct xds_tree *want, const struct xds_tree *got,
                                 struct xds_slice json)
{
    const struct xds_slice rest = /* what it is instead */
        !got ? XDS_S("but it is missing")
        : json.len > XDS_MAX_VALUE_TOLD
            ? xds_arena_printf(out->case_arena, "is a value of %zu bytes", json.len)
            : xds_arena_printf(out->case_arena, "is %.*s", XDS_FMT(json));

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

void xds_suite_differ(struct xds_comparison *out, struct xds_slice path,
                      const struct xds_tree *want, const struct xds_tree *got)
{
    const bool key = want->key_line > 0;

    if (out->n == XDS_MAX_MISMATCHES && !out->update) {
        out->n_more++;
        return;
    }
    out->list = xds_list_room(out->run_arena, out->list, out->n, sizeof *out->list);
    struct xds_suite_mismatch *m = &out->list[out->n++];
    const struct xds_slice json =
        got ? xds_tree_json(out->case_arena, got) : (struct xds_slice){NULL, 0};

    *m = (struct xds_suite_mismatch){
        .path = xds_arena_dup(out->run_arena, path),
        .want = xds_tree_json(out->run_arena, want),
        .exists = got != NULL,
        .line = key ? want->key_line : want->line,
        .column = key ? want->key_column : want->column,
    };
    if (json.len <= XDS_MAX_VALUE_TOLD)
        m->got = xds_arena_dup(out->run_arena, json);
    m->text = sentence(out, m, want, got, json);
    if (!out->update)
        return;
    m->now = xds_arena_dup(out->run_arena,
                           xds_suite_value_now(out->case_arena, out->format, want, got));
    m->value =
        (struct xds_place){0, want->line, want->column, want->end_line, want->end_column};
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
        xds_suite_differ(out, path, want, got);
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
