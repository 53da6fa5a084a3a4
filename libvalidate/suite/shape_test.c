/* shape_test.c - the table of what explain's JSON can have is that of what it has. */
#include <criterion/criterion.h>
#include <stdlib.h>

#include "cli/dev/test/case.h"
#include "source/tree_read.h"
#include "suite/inner.h"

struct reading {
    struct xds_arena arena;
    const char *path;
    struct xds_slice line;
    size_t n; /* answers that were read */
};

static void expect_known(struct reading *r, const struct xds_tree *answer)
{
    struct xds_slice what;

    if (answer->kind != XDS_TREE_OBJECT)
        return;
    const struct xds_tree *wrong = xds_shape_find_fault(
        &r->arena, answer,
        xds_tree_member(answer, "side")            ? XDS_SUITE_BOTH
        : xds_tree_member(answer, "filter_chains") ? XDS_SUITE_SERVER
                                                   : XDS_SUITE_CLIENT,
        &what);

    cr_expect_null(wrong, "%s: %.*s", r->path, XDS_FMT(what));
}

/* Lines of findings and of text are no answers. */
static void check_line(void *arg)
{
    struct reading *r = arg;
    struct xds_json_fault fault;
    struct xds_tree answer;

    if (!xds_tree_read(&r->arena, r->line, &answer, &fault) ||
        answer.kind != XDS_TREE_OBJECT || !xds_tree_member(&answer, "outcome"))
        return;
    r->n++;
    expect_known(r, &answer);
}

static void check_text(struct reading *r, struct xds_slice text)
{
    struct xds_arena *const arenas[] = {&r->arena};

    xds_arena_reset(&r->arena);
    r->line = text;
    cr_assert_eq(xds_arena_guard(arenas, 1, check_line, r), XDS_OK);
}

/* An answer is a whole output, or a line of many. */
static void check_output(struct reading *r, struct xds_slice text)
{
    struct xds_slice line;

    check_text(r, text);
    while (text.data) {
        text = xds_slice_cut(text, '\n', &line);
        check_text(r, line);
    }
}

Test(shape, every_member_of_every_answer_in_the_cases_is_known)
{
    char **paths = case_list("testdata");
    struct reading r = {.n = 0};

    for (size_t i = 0; paths[i]; i++) {
        struct case_file c;

        r.path = paths[i];
        cr_assert(case_read(paths[i], &c), "%s", paths[i]);
        const struct case_section *out = case_find(&c, "stdout");

        if (out)
            check_output(&r, xds_slice_make(out->text, out->len));
        case_release(&c);
        free(paths[i]);
    }
    free(paths);
    xds_arena_release(&r.arena);
    cr_expect_gt(r.n, 50, "%zu answers", r.n);
}

static bool fires(const char *expect, struct xds_arena *arena)
{
    struct xds_json_fault fault;
    struct xds_slice what;
    struct xds_tree tree;

    cr_assert(xds_tree_read(arena, xds_slice_of(expect), &tree, &fault));
    return xds_shape_find_fault(arena, &tree, XDS_SUITE_CLIENT, &what) != NULL;
}

static void check_faults(void *arena)
{
    cr_expect_not(fires("{\"route\":{\"name\":\"a\"}}", arena));
    cr_expect(fires("{\"route\":{\"nome\":\"a\"}}", arena));
    cr_expect_not(fires("{\"lb_policy\":[{\"anything\":{}}]}", arena));
    cr_expect(
        fires("{\"hosts\":[{\"locality\":{\"zone\":\"a\",\"zone\":\"b\"}}]}", arena));
}

Test(shape, what_no_answer_has_is_found_at_every_depth)
{
    struct xds_arena arena = {0};
    struct xds_arena *const arenas[] = {&arena};

    cr_assert_eq(xds_arena_guard(arenas, 1, check_faults, &arena), XDS_OK);
    xds_arena_release(&arena);
}
