/* compare.c - what an answer was to be, and where it differs. */
#include "suite/compare.h"

#include <math.h>

#include "base/limits.h"
#include "suite/list.h"
#include "suite/value.h"

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
