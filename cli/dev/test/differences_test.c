/*
 * differences_test.c - a row of history changes an answer, for each difference.
 *
 * A row of differences.def that code asks about by client alone would take no history: it
 * would compile, and old releases would go on to answer as new ones. So each difference
 * has a case in testdata/differences.tsv, and an older release: asked about it, the case
 * has another answer when a row says that all releases before the newest did the opposite
 * of what this one does. "go@before" is the release before the newest one, "go@oldest"
 * the first: a new release changes no line. Where no case can show it, the table says "-"
 * and why.
 *
 * UPDATE=1 looks for cases of differences that have none, in CASES="FOLDER ..." or in
 * those of the folders below, and rewrites the table.
 */
#include <criterion/criterion.h>
#include <criterion/parameterized.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <xxhash.h>

#include "cli/dev/fuzz/program.h"
#include "cli/dev/test/case.h"
#include "clients/readers.h"

#define TABLE "testdata/differences.tsv"
#define FOLDERS                                                                          \
    "testdata/explain testdata/scenario testdata/lb_config testdata/service_config "     \
    "testdata/rules testdata/releases testdata/suite testdata/diff testdata/source "     \
    "testdata/documents testdata/snapshots testdata/cli/bootstrap"

enum { MOST_WORDS = 128, LONGEST_RUN_S = 60 };

static const char *const ids[] = {
#define XDS_READING(id, clients, source, text) #id,
#define XDS_DIFFERENCE XDS_READING
#include "clients/differences.def"
};

/* ---- rows on trial ---- */

static struct xds_difference_before rows[XDS_DIFFERENCES];
static struct xds_client_release asked; /* the one before the newest, or the oldest */
static char asked_label[24];            /* of the table */
static struct xds_release newest;

static void ask_about(enum xds_client client, bool oldest)
{
    size_t n;
    const size_t first = xds_known_releases(client, &n);

    cr_assert_gt(n, 1);
    asked = *xds_known_release(oldest ? first : first + n - 2);
    (void)snprintf(asked_label, sizeof asked_label, "%s@%s", xds_client_name(client),
                   oldest ? "oldest" : "before");
    newest = xds_known_release(first + n - 1)->release;
}

/* What the release does, turned round for these differences. */
static void try_rows(const enum xds_difference *list, size_t n)
{
    xds_history_on_trial = (struct xds_history){NULL, 0};
    for (size_t i = 0; i < n; i++)
        rows[i] = (struct xds_difference_before){list[i], asked.client, newest,
                                                 !xds_release_differs(&asked, list[i])};
    xds_history_on_trial = (struct xds_history){rows, n};
}

/* ---- runs, in the process of a case ---- */

/* The words of a case with this release for its clients. */
static int words_for(int argc, char **argv, char *client, char **out)
{
    static char option[] = "--client";
    int n = 0;

    for (int i = 0; i < argc; i++) {
        if (strcmp(argv[i], option) == 0) {
            i++;
            continue;
        }
        if (strncmp(argv[i], "--client=", 9) == 0)
            continue;
        out[n++] = argv[i];
        if (i == 1) {
            out[n++] = option;
            out[n++] = client;
        }
    }
    out[n] = NULL;
    return n;
}

static uint64_t hash_of(const char *path, uint64_t seed)
{
    static char text[1 << 20];
    FILE *file = fopen(path, "rb");
    const size_t n = file ? fread(text, 1, sizeof text, file) : 0;

    if (file)
        (void)fclose(file);
    return XXH64(text, n, seed);
}

static void send_to(int fd, const char *path)
{
    const int file = open(path, O_WRONLY | O_CREAT | O_TRUNC, 0600);

    if (file < 0 || dup2(file, fd) < 0)
        _exit(126);
    (void)close(file);
}

/* One run: all that it prints, and how it ends, as a number. */
static uint64_t run(int argc, char **argv)
{
    char label[64], *words[MOST_WORDS + 3];

    (void)snprintf(label, sizeof label, "%s", xds_client_label(asked).text);
    const int n = words_for(argc, argv, label, words);

    (void)fflush(stdin); /* what was read of it in advance */
    (void)lseek(STDIN_FILENO, 0, SEEK_SET);
    clearerr(stdin);
    send_to(STDOUT_FILENO, ".run.out");
    send_to(STDERR_FILENO, ".run.err");
    const int status = xds_program_main(n, words);

    (void)fflush(NULL);
    return hash_of(".run.err", hash_of(".run.out", (uint64_t)status));
}

static enum xds_difference wanted[XDS_DIFFERENCES];
static size_t n_wanted;
static bool is_found[XDS_DIFFERENCES];
static FILE *answer; /* where those that were found are written */

/* Those of a list that change an answer alone. */
static void find(int argc, char **argv, uint64_t before, const enum xds_difference *list,
                 size_t n)
{
    try_rows(list, n);
    if (run(argc, argv) == before)
        return;
    if (n == 1) {
        fprintf(answer, "%s\t%s\n", ids[list[0]], asked_label);
        is_found[list[0]] = true;
        return;
    }
    find(argc, argv, before, list, n / 2);
    find(argc, argv, before, list + n / 2, n - n / 2);
}

static void forget_found(void)
{
    size_t n = 0;

    for (size_t i = 0; i < n_wanted; i++)
        if (!is_found[wanted[i]])
            wanted[n++] = wanted[i];
    n_wanted = n;
}

static const char *label_wanted; /* NULL: all */

static void look_as(int argc, char **argv, enum xds_client client, bool oldest)
{
    ask_about(client, oldest);
    if (n_wanted == 0 || (label_wanted && strcmp(label_wanted, asked_label) != 0))
        return;
    try_rows(NULL, 0);
    const uint64_t before = run(argc, argv);

    if (run(argc, argv) == before) /* else it depends on what a run leaves */
        find(argc, argv, before, wanted, n_wanted);
    forget_found();
}

/* In the folder of a case: which of what is wanted its answer shows, for which client. */
static int look(int argc, char **argv)
{
    answer = fdopen(dup(STDOUT_FILENO), "w");
    if (!answer || argc < 2 || argc > MOST_WORDS)
        return 1;
    alarm(LONGEST_RUN_S);
    for (int oldest = 0; oldest <= 1; oldest++)
        for (enum xds_client client = 0; client < XDS_CLIENTS; client++)
            look_as(argc, argv, client, oldest);
    return fclose(answer);
}

/* ---- the table ---- */

struct seen {
    char client[24], path[300]; /* "-": why there is no case */
};

static void read_table(struct seen seen[XDS_DIFFERENCES])
{
    char line[512], id[80];
    FILE *file = fopen(TABLE, "r");

    memset(seen, 0, XDS_DIFFERENCES * sizeof *seen);
    while (file && fgets(line, sizeof line, file)) {
        struct seen row;
        size_t i = 0;

        cr_assert_eq(sscanf(line, "%79s %23s %299[^\n]", id, row.client, row.path), 3,
                     "%s", line);
        while (i < XDS_DIFFERENCES && strcmp(ids[i], id) != 0)
            i++;
        cr_assert_lt(i, XDS_DIFFERENCES, "%s: no row has this id", id);
        seen[i] = row;
    }
    if (file)
        (void)fclose(file);
}

static void write_table(const struct seen seen[XDS_DIFFERENCES])
{
    FILE *file = fopen(TABLE, "w");

    cr_assert_not_null(file);
    for (size_t i = 0; i < XDS_DIFFERENCES; i++)
        if (*seen[i].path)
            fprintf(file, "%s\t%s\t%s\n", ids[i], seen[i].client, seen[i].path);
    cr_assert_eq(fclose(file), 0);
}

/* Lines of ID and client; to be freed. */
static char *what_shows(const char *path)
{
    struct case_file c;
    struct case_result got = {0};

    cr_assert(case_read(path, &c), "%s", path);
    cr_assert(case_call(&c, look, &got), "%s: cannot run it", path);
    case_release(&c);
    free(got.err);
    free(got.played);
    return got.out;
}

/* ---- tests ---- */

ParameterizedTestParameters(differences, a_row_of_history_changes_an_answer)
{
    enum xds_difference *all = cr_malloc(XDS_DIFFERENCES * sizeof *all);

    for (size_t i = 0; i < XDS_DIFFERENCES; i++)
        all[i] = (enum xds_difference)i;
    return cr_make_param_array(enum xds_difference, all, XDS_DIFFERENCES);
}

ParameterizedTest(enum xds_difference *difference, differences,
                  a_row_of_history_changes_an_answer)
{
    const char *id = ids[*difference];
    struct seen seen[XDS_DIFFERENCES];

    read_table(seen);
    const struct seen *row = &seen[*difference];

    if (getenv("UPDATE"))
        return;
    cr_assert(*row->path, "%s: neither a case nor a reason is in " TABLE, id);
    if (strcmp(row->client, "-") == 0)
        return;
    label_wanted = row->client;
    wanted[0] = *difference;
    n_wanted = 1;
    char *shown = what_shows(row->path);

    cr_expect_neq(*shown, '\0', "%s: a row of history changes nothing for %s in %s", id,
                  row->client, row->path);
    free(shown);
}

static void take(struct seen seen[XDS_DIFFERENCES], const char *shown, const char *path)
{
    char id[80], client[24];

    for (; sscanf(shown, "%79s %23s", id, client) == 2;
         shown += strcspn(shown, "\n"), shown += *shown == '\n')
        for (size_t i = 0; i < XDS_DIFFERENCES; i++) {
            if (strcmp(ids[i], id) != 0 || *seen[i].path)
                continue;
            (void)snprintf(seen[i].client, sizeof seen[i].client, "%s", client);
            (void)snprintf(seen[i].path, sizeof seen[i].path, "%s", path);
        }
}

Test(differences, cases_are_looked_for)
{
    const char *places = getenv("CASES");
    struct seen seen[XDS_DIFFERENCES];

    if (!getenv("UPDATE"))
        return;
    read_table(seen);
    char **paths = case_list(places ? places : FOLDERS);

    for (char **path = paths; *path; path++) {
        n_wanted = 0;
        for (size_t i = 0; i < XDS_DIFFERENCES; i++)
            if (!*seen[i].path)
                wanted[n_wanted++] = (enum xds_difference)i;
        if (n_wanted > 0) {
            char *shown = what_shows(*path);

            take(seen, shown, *path);
            if (*shown)
                write_table(seen);
            free(shown);
        }
        free(*path);
    }
    free(paths);
}
