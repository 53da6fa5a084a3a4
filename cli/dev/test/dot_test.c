/* dot_test.c - what explain -f dot writes is a graph to Graphviz, whatever names are in
 * it.
 */
#define _POSIX_C_SOURCE 200809L
#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/dev/test/case.h"

static void draw(const struct case_file *c)
{
    struct case_result got;
    FILE *file = fopen("build/dot_test.dot", "wb");

    cr_assert_not_null(file);
    cr_assert(case_run(c, XDS_PROGRAM, &got), "%s", c->path);
    cr_assert_eq(fwrite(got.out, 1, strlen(got.out), file), strlen(got.out));
    (void)fclose(file);
    free(got.out);
    free(got.err);
    /* A warning counts as well. */
    cr_expect_eq(system("dot -Tsvg build/dot_test.dot -o build/dot_test.svg "
                        "2>build/dot_test.err && test ! -s build/dot_test.err"),
                 0, "%s: see build/dot_test.err", c->path);
}

Test(dot, graphviz_takes_every_picture_without_a_warning)
{
    if (system("command -v dot >/dev/null 2>&1") != 0)
        cr_skip_test("graphviz is not installed, so no picture was drawn");
    char **list = case_list("testdata/explain/dot");

    cr_assert_not_null(list[0]);
    for (size_t i = 0; list[i]; i++) {
        struct case_file c;

        cr_assert(case_read(list[i], &c));
        draw(&c);
        case_release(&c);
        free(list[i]);
    }
    free(list);
}

Test(dot, the_committed_picture_is_what_explain_draws)
{
    cr_expect_eq(system("sh cli/dev/test/picture.sh " XDS_PROGRAM " >build/picture.diff"),
                 0, "see build/picture.diff");
}
