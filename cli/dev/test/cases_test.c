/*
 * cases_test.c - every .case file below testdata/ is a test of its own name.
 *
 * UPDATE=1 rewrites what the cases expect; the difference is then read in git.
 * CASES="PATH ..." takes those of these folders and files alone.
 * XDS_PROGRAM=FILE runs another build of the program than that of these tests.
 */
#include <criterion/criterion.h>
#include <criterion/parameterized.h>
#include <cjson/cJSON.h>
#include <stdlib.h>
#include <string.h>

#include "base/slice.h"
#include "cli/dev/test/case.h"

#ifndef XDS_PROGRAM
#define XDS_PROGRAM "build/release/xdscope"
#endif

struct name {
    char path[256];
};

ParameterizedTestParameters(cases, answers_as_written)
{
    char **paths = case_list(getenv("CASES") ? getenv("CASES") : "testdata");
    size_t all = 0, n = 0;

    while (paths[all])
        all++;
    struct name *names = cr_malloc((all ? all : 1) * sizeof *names);
    for (size_t i = 0; i < all; i++) {
        /* Those are run by libvalidate/ads/ads_test.c. */
        if (!strstr(paths[i], "testdata/ads/")) {
            strncpy(names[n].path, paths[i], sizeof names[n].path - 1);
            names[n].path[sizeof names[n].path - 1] = '\0';
            n++;
        }
        free(paths[i]);
    }
    free(paths);
    return cr_make_param_array(struct name, names, n);
}

static const char *program(void)
{
    const char *other = getenv("XDS_PROGRAM");

    return other ? other : XDS_PROGRAM;
}

enum { LONGEST_MESSAGE = 20000 };

/* What begins as JSON is JSON: one document, or one a line. */
static bool is_whole_json(const char *text)
{
    static const char space[] = " \t\r\n";
    bool whole = true;

    while (whole && text[strspn(text, space)] == '{') {
        cJSON *document = cJSON_ParseWithOpts(text, &text, false);

        whole = document != NULL;
        cJSON_Delete(document);
    }
    return whole;
}

/* May the output hold what is in the input as it is? A patch may, and colours are ours.
 */
static bool is_as_it_is(const struct case_file *c)
{
    static const char *const words[] = {"--color always", "--color=always", "--diff"};
    const struct case_section *args = case_find(c, "args");

    for (size_t i = 0; i < XDS_ARRAY_LEN(words); i++)
        if (strstr(args->text, words[i]))
            return true;
    return false;
}

/* Where text drives a terminal, turns its direction or does not show; NULL: nowhere. */
static const char *find_unsafe(const char *text)
{
    struct xds_slice rest = xds_slice_of(text);
    uint32_t rune;

    while (rest.len > 0) {
        const char *at = rest.data;

        if (!xds_utf8_next(&rest, &rune) ||
            (xds_rune_is_unsafe(rune) && rune != '\n' && rune != '\t' &&
             !xds_slice_starts(xds_slice_of(at), XDS_S("\r\n"))))
            return at;
    }
    return NULL;
}

ParameterizedTest(struct name *name, cases, answers_as_written)
{
    struct case_file c;
    struct case_result got;

    cr_assert(case_read(name->path, &c), "%s: not a case file", name->path);
    cr_assert(case_run(&c, program(), &got), "%s: cannot run it", name->path);
    if (got.status <= 3)
        cr_assert(is_whole_json(got.out), "%s: the output is not JSON", name->path);
    cr_expect(is_as_it_is(&c) || !find_unsafe(got.out), "%s: unsafe output at \"%.20s\"",
              name->path, find_unsafe(got.out));
    cr_expect(!find_unsafe(got.err), "%s: unsafe message at \"%.20s\"", name->path,
              find_unsafe(got.err));
    /* printf() of a text that is not there. */
    cr_assert(!strstr(got.out, "(null)") && !strstr(got.err, "(null)"),
              "%s: the output has \"(null)\"", name->path);
    char *difference = case_compare(&c, &got);
    if (*difference && getenv("UPDATE"))
        cr_assert(case_rewrite(&c, &got), "%s: cannot write it", name->path);
    else
        /* The pipe of the runner does not take a message of megabytes. */
        cr_assert_str_empty(difference, "%s: %.*s", name->path, LONGEST_MESSAGE,
                            difference);
    free(difference);
    free(got.out);
    free(got.err);
    case_release(&c);
}
