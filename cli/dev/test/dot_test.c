/* dot_test.c - what -f dot writes is one graph to Graphviz, whatever names are in it. */
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
    case_release_result(&got);
    /* A warning counts as well. Of two graphs in a file it makes two pages in one. */
    cr_expect_eq(system("dot -Tsvg build/dot_test.dot >build/dot_test.svg "
                        "2>build/dot_test.err && test ! -s build/dot_test.err && "
                        "test $(grep -c '<?xml' build/dot_test.svg) -eq 1"),
                 0, "%s: see build/dot_test.err and build/dot_test.svg", c->path);
}

/* Those that draw something. */
static bool is_picture(const struct case_file *c)
{
    const struct case_section *args = case_find(c, "args");
    const struct case_section *out = case_find(c, "stdout");

    return args && strstr(args->text, " dot") && out &&
           strncmp(out->text, "digraph ", 8) == 0;
}

Test(dot, graphviz_takes_every_picture_without_a_warning)
{
    if (system("command -v dot >/dev/null 2>&1") != 0)
        cr_skip_test("graphviz is not installed, so no picture was drawn");
    char **list = case_list("testdata/explain testdata/lb_config testdata/service_config "
                            "testdata/show testdata/scenario");
    size_t n = 0;

    for (size_t i = 0; list[i]; i++) {
        struct case_file c;

        cr_assert(case_read(list[i], &c));
        if (is_picture(&c)) {
            draw(&c);
            n++;
        }
        case_release(&c);
        free(list[i]);
    }
    free(list);
    cr_expect_gt(n, 20);
}

Test(dot, the_committed_picture_is_what_explain_draws)
{
    cr_expect_eq(system("sh cli/dev/test/picture.sh " XDS_PROGRAM " >build/picture.diff"),
                 0, "see build/picture.diff");
}
