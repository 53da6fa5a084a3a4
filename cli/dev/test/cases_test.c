/*
 * cases_test.c - every .case file below testdata/ is run; a failure begins with its path.
 *
 * A test runs several of them: to start a process for each took longer than the case.
 *
 * UPDATE=1 rewrites what the cases expect; the difference is then read in git.
 * CASES="PATH ..." takes those of these folders and files alone.
 * XDS_PROGRAM=FILE runs another build of the program than that of these tests.
 * CALLED=1 calls the program that is linked here, time after time in one process.
 */
#include <criterion/criterion.h>
#include <criterion/parameterized.h>
#include <cjson/cJSON.h>
#include <stdlib.h>
#include <string.h>

#include "base/slice.h"
#include "cli/dev/fuzz/program.h"
#include "cli/dev/test/case.h"
#include "cli/dev/test/case_played.h"

#ifndef XDS_PROGRAM
#define XDS_PROGRAM "build/release/xdscope"
#endif

enum { BATCH = 16, PATH_SIZE = 256 };

struct batch {
    char path[BATCH][PATH_SIZE]; /* empty ones at the end */
};

static void add(struct batch *batches, size_t i, const char *path)
{
    char *to = batches[i / BATCH].path[i % BATCH];

    strncpy(to, path, PATH_SIZE - 1);
}

ParameterizedTestParameters(cases, answer_as_written)
{
    char **paths = case_list(getenv("CASES") ? getenv("CASES") : "testdata");
    size_t all = 0, n = 0;

    while (paths[all])
        all++;
    struct batch *batches = cr_calloc(all / BATCH + 1, sizeof *batches);
    for (size_t i = 0; i < all; i++) {
        /* Those are run by libvalidate/ads/ads_test.c. */
        if (!strstr(paths[i], "testdata/ads/"))
            add(batches, n++, paths[i]);
        free(paths[i]);
    }
    free(paths);
    return cr_make_param_array(struct batch, batches, (n + BATCH - 1) / BATCH);
}

static bool run(const struct case_file *c, struct case_result *got)
{
    const char *other = getenv("XDS_PROGRAM");
    const char *program = other ? other : XDS_PROGRAM;

    return getenv("CALLED") ? case_call_here(c, program, xds_program_main, got)
                            : case_run(c, program, got);
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

/* The next case of the batch is run whatever this one says. */
static void check_output(const struct case_file *c, const struct case_result *got)
{
    cr_expect(got->status > 3 || is_whole_json(got->out), "%s: the output is not JSON",
              c->path);
    cr_expect(is_as_it_is(c) || !find_unsafe(got->out), "%s: unsafe output at \"%.20s\"",
              c->path, find_unsafe(got->out));
    cr_expect(!find_unsafe(got->err), "%s: unsafe message at \"%.20s\"", c->path,
              find_unsafe(got->err));
    /* printf() of a text that is not there. */
    cr_expect(!case_lacks_plays(c), "%s: it has a server's listener and no section plays",
              c->path);
    cr_expect(!strstr(got->out, "(null)") && !strstr(got->err, "(null)"),
              "%s: the output has \"(null)\"", c->path);
}

static void check_case(const char *path)
{
    struct case_file c;
    struct case_result got;

    cr_assert(case_read(path, &c), "%s: not a case file", path);
    cr_assert(run(&c, &got), "%s: cannot run it", path);
    check_output(&c, &got);
    char *difference = case_compare(&c, &got);
    if (*difference && getenv("UPDATE"))
        cr_assert(case_rewrite(&c, &got), "%s: cannot write it", path);
    else
        /* The pipe of the runner does not take a message of megabytes. */
        cr_expect_str_empty(difference, "%s: %.*s", path, LONGEST_MESSAGE, difference);
    free(difference);
    case_release_result(&got);
    case_release(&c);
}

ParameterizedTest(struct batch *batch, cases, answer_as_written)
{
    for (size_t i = 0; i < BATCH && batch->path[i][0]; i++)
        check_case(batch->path[i]);
}
