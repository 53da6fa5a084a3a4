/*
 * nack_rules_test.c - the text of each NACK of a real client, testdata/releases, finds
 * the rule that its case is about, or another one by which that client rejects the case.
 * What does not is in testdata/releases/from_log.tsv, with the reason.
 */
#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/dev/test/case.h"
#include "include/xdscope.h"

#define FOLDER "testdata/releases/"
#define TABLE FOLDER "from_log.tsv"

/* ---- what a text finds ---- */

static bool finds(const struct xds_log *log, const char *slug, size_t len)
{
    const struct xds_log_error *error;

    for (size_t i = 0; (error = xds_log_error(log, i)); i++)
        for (size_t k = 0; k < error->n_matches; k++) {
            const char *found = error->matches[k].rule->slug;

            if (strlen(found) == len && strncmp(found, slug, len) == 0)
                return true;
        }
    return false;
}

/* Does "    NACK: core, go; CRASH: node" say that client rejects? */
static bool rejects(const char *line, size_t len, const char *client)
{
    char verdicts[256], *save = NULL;
    bool bad = false;

    (void)snprintf(verdicts, sizeof verdicts, "%.*s", (int)len, line);
    for (char *word = strtok_r(verdicts, " ,;", &save); word;
         word = strtok_r(NULL, " ,;", &save)) {
        if (word[strlen(word) - 1] == ':')
            bad = strcmp(word, "NACK:") == 0 || strcmp(word, "CRASH:") == 0;
        else if (bad && (strcmp(word, client) == 0 || strcmp(word, "all") == 0))
            return true;
    }
    return false;
}

/* Is the rule of a finding found? "...: error: MESSAGE [RULE] suppressed" */
static bool finds_rule_of(const struct xds_log *log, const char *line, size_t len)
{
    while (len > 0 && line[len - 1] != ']')
        len--;
    size_t from = len;

    while (from > 0 && line[from - 1] != '[')
        from--;
    return from > 0 && finds(log, line + from, len - 1 - from);
}

/* Is one of the rules found by which the client rejects the input of the case? The
 * verdicts of a finding are below it, on a line that is indented. */
static bool finds_finding(const struct xds_log *log, const char *name, const char *client)
{
    char path[512];
    const char *program = getenv("XDS_PROGRAM");
    struct case_file c;
    struct case_result got;
    bool found = false, named = false;

    (void)snprintf(path, sizeof path, "testdata/rules/%s.case", name);
    cr_assert(case_read(path, &c), "%s: not a case file", path);
    c.whole = true;
    cr_assert(case_run(&c, program ? program : XDS_PROGRAM, &got), "%s: cannot run it",
              path);
    const char *line = case_find(&c, "findings") ? got.out : "";

    while (*line != '\0' && !found) {
        const size_t len = strcspn(line, "\n");

        if (*line == ' ')
            found = named && rejects(line, len, client);
        else
            named = finds_rule_of(log, line, len);
        line += len + (line[len] == '\n');
    }
    case_release_result(&got);
    case_release(&c);
    return found;
}

static bool is_found(const char *client, const char *name, const char *text)
{
    struct xds_log *log;

    cr_assert_eq(xds_log_read((struct xds_slice){text, strlen(text)}, &log), XDS_OK);
    const bool found =
        finds(log, name, strcspn(name, "/")) || finds_finding(log, name, client);

    xds_log_free(log);
    return found;
}

/* ---- the files ---- */

static FILE *open_file(const char *path)
{
    FILE *file = fopen(path, "r");

    cr_assert_not_null(file, "%s", path);
    return file;
}

/* In place, what cli/dev/clients/README.md says of these files: \n, \t and \\. */
static void unescape(char *text)
{
    char *to = text;

    for (; *text != '\0'; text++) {
        const bool escaped = *text == '\\' && text[1] != '\0';

        text += escaped;
        *to++ = !escaped ? *text : *text == 'n' ? '\n' : *text == 't' ? '\t' : *text;
    }
    *to = '\0';
}

/* Is there a row for the text, with a reason? */
static bool is_listed(const char *client, const char *name)
{
    FILE *file = open_file(TABLE);
    char *line = NULL, row[512];
    size_t size = 0;
    bool listed = false;

    const size_t len = (size_t)snprintf(row, sizeof row, "%s\t%s\t", client, name);

    while (!listed && getline(&line, &size, file) > 0)
        listed = strncmp(line, row, len) == 0 && line[len] > ' ';
    free(line);
    (void)fclose(file);
    return listed;
}

static size_t count_rows(void)
{
    FILE *file = open_file(TABLE);
    char *line = NULL;
    size_t size = 0, n = 0;

    while (getline(&line, &size, file) > 0)
        n += line[0] != '#';
    free(line);
    (void)fclose(file);
    return n;
}

/* How many texts of the client are rightly in the table. */
static size_t check_client(const char *client)
{
    char path[128], *line = NULL;
    size_t size = 0, texts = 0, listed = 0;

    (void)snprintf(path, sizeof path, FOLDER "%s.nack", client);
    FILE *file = open_file(path);

    for (; getline(&line, &size, file) > 0; texts++) {
        char *text = line + strcspn(line, "\t");

        line[strcspn(line, "\n")] = '\0';
        *text++ = '\0';
        unescape(text);
        const bool found = is_found(client, line, text);
        const bool is_row = !found && is_listed(client, line);

        listed += is_row;
        cr_expect(found || is_row,
                  "%s %s: finds no rule that it breaks: add its words to "
                  "libvalidate/catalogue/log_%s.def, or it to " TABLE ": %s",
                  client, line, client, text);
    }
    free(line);
    (void)fclose(file);
    cr_expect_gt(texts, 0, "%s", path);
    return listed;
}

Test(nack_rules, each_text_of_a_real_client_finds_its_rule, .timeout = 120)
{
    static const char *const clients[] = {"core", "go", "java", "node"};
    size_t listed = 0;

    for (size_t i = 0; i < sizeof clients / sizeof *clients; i++)
        listed += check_client(clients[i]);
    cr_expect_eq(count_rows(), listed, TABLE ": %zu rows, but %zu texts need one",
                 count_rows(), listed);
}
