/*
 * log_words_test.c - whatever C-core rejects in the cases of the rules is found again
 * from the text of its NACK, with `xdscope rule --from-log`.
 *
 * A rule that is not found is listed with the lines that log_core.def lacks. UPDATE=1
 * adds these lines to it, in order; their holes and paths are then read in git.
 */
#include <cjson/cJSON.h>
#include <criterion/criterion.h>
#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "catalogue/log.h"
#include "cli/dev/test/case.h"
#include "include/xdscope.h"

#ifndef XDS_PROGRAM
#define XDS_PROGRAM "build/release/xdscope"
#endif

#define LONG_MESSAGE 24 /* characters that no two rules share: any path will do */
#define WORDS "libvalidate/catalogue/log_core.def"

/* ---- lines of the table ---- */

struct lines {
    char **line;
    size_t n, cap;
};

static void add_line(struct lines *lines, const char *text)
{
    for (size_t i = 0; i < lines->n; i++)
        if (strcmp(lines->line[i], text) == 0)
            return;
    if (lines->n == lines->cap)
        lines->line =
            realloc(lines->line, (lines->cap = 2 * lines->cap + 64) * sizeof(char *));
    lines->line[lines->n++] = strdup(text);
}

static int by_text(const void *a, const void *b)
{
    return strcmp(*(char *const *)a, *(char *const *)b);
}

/* ---- from a finding to a line ---- */

/* Without indexes and packages, and without a TypedStruct around a value. */
static void plain_path(const char *path, char *out, size_t size)
{
    static const char wrapper[] = "value[TypedStruct].value[";
    size_t n = 0;

    for (; *path != '\0' && n + 1 < size; path++) {
        out[n++] = *path;
        if (*path != '[')
            continue;
        const bool is_value = n >= 6 && memcmp(out + n - 6, "value[", 6) == 0;
        const char *from = path + 1, *to = from;

        while (*to != '\0' && !(*to == ']' && (to[1] == '.' || to[1] == '\0')))
            to++;
        for (const char *dot = from; dot < to; dot++)
            from = *dot == '.' ? dot + 1 : from;
        for (; from < to && is_value && n + 1 < size; from++)
            out[n++] = *from;
        path = to - 1;
    }
    out[n] = '\0';
    char *around = strstr(out, wrapper);
    if (around)
        memmove(around, around + strlen("value[TypedStruct]."),
                strlen(around + strlen("value[TypedStruct].")) + 1);
}

/* The type is the input's own, not one that tells where the error stands. */
static bool names_foreign_type(const char *message)
{
    return strncmp(message, "unsupported ", 12) == 0 ||
           strncmp(message, "Unsupported ", 12) == 0;
}

/* The last two steps of a path; three when the last one is any type. */
static void shorten_path(const char *path, const char *message, char *out, size_t size)
{
    const char *step[3] = {out, out, out};

    plain_path(path, out, size);
    for (const char *c = out; *c != '\0'; c++) {
        if (*c != '.')
            continue;
        step[0] = step[1];
        step[1] = step[2];
        step[2] = c + 1;
    }
    const bool any = strncmp(step[2], "value[", 6) == 0 && names_foreign_type(message);
    if (any)
        memcpy(out + (step[2] - out), "value[*]", sizeof "value[*]");
    const char *from = any ? step[0] : step[1];
    memmove(out, from, strlen(from) + 1);
}

static char *read_all(const char *path)
{
    FILE *file = fopen(path, "rb");
    char *text = NULL;
    size_t n = 0, got = 1;

    while (file && got > 0) {
        text = realloc(text, n + 65537);
        got = fread(text + n, 1, 65536, file);
        n += got;
    }
    if (file)
        fclose(file);
    if (text)
        text[n] = '\0';
    return text;
}

/* What is in quotes differs from log to log, and so does
 * a field list of a config that was rejected. */
static void guess_holes(const char *message, char *out, size_t size)
{
    size_t n = 0;

    for (; *message != '\0' && n + 3 < size; message++) {
        out[n++] = *message;
        if (strncmp(message, ": [field:", 9) == 0) {
            out[n++] = ' ';
            out[n++] = '*';
            break;
        }
        const char *end = *message == '"' ? strchr(message + 1, '"') : NULL;
        if (!end)
            continue;
        out[n++] = '*';
        out[n++] = '"';
        message = end;
    }
    out[n] = '\0';
}

static void append_quoted(char *line, size_t size, const char *text)
{
    size_t n = strlen(line);

    for (; *text != '\0' && n + 3 < size; text++) {
        if (*text == '"' || *text == '\\')
            line[n++] = '\\';
        line[n++] = *text;
    }
    line[n] = '\0';
}

static void propose(struct lines *lines, const struct xds_rule *rule, const char *path,
                    const char *message)
{
    char pattern[2048] = "", shortened[1024] = "", line[4096];

    guess_holes(message, pattern, sizeof pattern);
    if (xds_glob_weight(pattern) < LONG_MESSAGE)
        shorten_path(path, message, shortened, sizeof shortened);
    snprintf(line, sizeof line, "XDS_LOG(%s, CORE, \"", rule->id);
    append_quoted(line, sizeof line, shortened);
    strncat(line, "\", \"", sizeof line - strlen(line) - 1);
    append_quoted(line, sizeof line, pattern);
    strncat(line, "\")", sizeof line - strlen(line) - 1);
    add_line(lines, line);
}

/* ---- from a NACK to the rules ---- */

static bool is_text(struct xds_slice s, const char *text)
{
    return s.len == strlen(text) && (s.len == 0 || memcmp(s.data, text, s.len) == 0);
}

static bool names(const struct xds_log_error *error, const struct xds_rule *rule)
{
    for (size_t i = 0; i < error->n_matches; i++)
        if (error->matches[i].rule == rule)
            return true;
    return false;
}

/* What C-core says at a path; of several messages the first, "" for none. */
static void words_at(const struct xds_log *log, const char *path, char *out, size_t size)
{
    const struct xds_log_error *error;
    size_t i = 0;

    while ((error = xds_log_error(log, i)) && !is_text(error->path, path))
        i++;
    (void)snprintf(out, size, "%.*s", error ? (int)error->message.len : 0,
                   error ? error->message.data : "");
}

/* Does an error at path name the rule? Its message need not be whole: where the text of a
 * regex holds a bracket of its own, nobody can tell where the list around it ends. */
static bool is_found(const struct xds_log *log, const struct xds_rule *rule,
                     const char *path)
{
    for (size_t i = 0; i < xds_log_errors(log); i++) {
        const struct xds_log_error *error = xds_log_error(log, i);

        if (is_text(error->path, path) && names(error, rule))
            return true;
    }
    return false;
}

static const char *text_of(const cJSON *object, const char *key)
{
    const char *text = cJSON_GetStringValue(cJSON_GetObjectItem(object, key));

    return text ? text : "";
}

static bool is_rejected(const cJSON *finding)
{
    const cJSON *clients = cJSON_GetObjectItem(finding, "clients");

    return strcmp(text_of(clients, "core"), "NACK") == 0 &&
           strcmp(text_of(finding, "effect"), "syntax") != 0;
}

static bool same_resource(const cJSON *finding, const cJSON *resource)
{
    const cJSON *owner = cJSON_GetObjectItem(finding, "resource");

    return strcmp(text_of(owner, "name"), text_of(resource, "name")) == 0 &&
           strcmp(text_of(owner, "type"), text_of(resource, "type")) == 0;
}

static void check_resource(const cJSON *resource, const cJSON *findings,
                           struct lines *lines)
{
    const char *nack = text_of(resource, "nack");
    const cJSON *finding;
    struct xds_log *log;

    cr_assert_eq(xds_log_read((struct xds_slice){nack, strlen(nack)}, &log), XDS_OK);
    cJSON_ArrayForEach(finding, findings)
    {
        const char *slug = text_of(finding, "rule"), *hint;
        const struct xds_rule *rule =
            xds_rule_find((struct xds_slice){slug, strlen(slug)}, &hint);

        const char *path = text_of(finding, "path");

        if (!is_rejected(finding) || !same_resource(finding, resource) ||
            is_found(log, rule, path))
            continue;
        char words[2048];

        words_at(log, path, words, sizeof words);
        if (*words == '\0')
            continue; /* C-core met another fault first, and says nothing of this one */
        propose(lines, rule, path, words);
    }
    xds_log_free(log);
}

static void check_document(const char *json, struct lines *lines)
{
    cJSON *document = cJSON_Parse(json);
    const cJSON *resource;

    cJSON_ArrayForEach(resource, cJSON_GetObjectItem(document, "resources"))
        check_resource(resource, cJSON_GetObjectItem(document, "findings"), lines);
    cJSON_Delete(document);
}

/* ---- the cases ---- */

/* As JSON, whatever the case asks for, and as it is printed. */
static void ask_for_json(struct case_file *c)
{
    for (size_t i = 0; i < c->n; i++) {
        struct case_section *s = &c->section[i];

        if (strcmp(s->name, "findings") == 0)
            strcpy(s->name, "stdout");

        if (strcmp(s->name, "args") != 0)
            continue;
        s->text = realloc(s->text, s->len + 16);
        s->len += (size_t)sprintf(s->text + s->len, " -f json\n");
    }
}

static void check_case(const char *path, struct lines *lines)
{
    struct case_file c;
    struct case_result got;

    cr_assert(case_read(path, &c), "%s: not a case file", path);
    if (strncmp(case_find(&c, "args")->text, "lint", 4) == 0) {
        ask_for_json(&c);
        cr_assert(case_run(&c, XDS_PROGRAM, &got), "%s: cannot run it", path);
        check_document(got.out, lines);
        case_release_result(&got);
    }
    case_release(&c);
}

/* The table with the missing lines: its head, then all rows by id. */
static void complete_table(const struct lines *missing)
{
    char *text = read_all(WORDS), *row = strstr(text, "\nXDS_LOG");
    struct lines rows = {0};

    while (row) {
        char *next = strstr(++row, "\nXDS_LOG");

        row[next ? (size_t)(next - row) : strcspn(row, "\n")] = '\0';
        add_line(&rows, row);
        row[-1] = '\0';
        row = next;
    }
    for (size_t i = 0; i < missing->n; i++)
        add_line(&rows, missing->line[i]);
    qsort(rows.line, rows.n, sizeof(char *), by_text);
    FILE *file = fopen(WORDS, "wb");

    cr_assert_not_null(file);
    fprintf(file, "%s\n", text);
    for (size_t i = 0; i < rows.n; i++)
        fprintf(file, "%s\n", rows.line[i]);
    cr_assert_eq(fclose(file), 0);
    free(text);
}

static char *joined(const struct lines *lines)
{
    size_t size = 1;

    for (size_t i = 0; i < lines->n; i++)
        size += strlen(lines->line[i]) + 1;
    char *text = calloc(1, size);
    for (size_t i = 0; i < lines->n; i++)
        strcat(strcat(text, lines->line[i]), "\n");
    return text;
}

/* A suite of its own: it runs the program on each case, which check-asan does anyway. */
Test(log_words_of_cases, every_rule_is_found_from_the_nack, .timeout = 600)
{
    char **paths = case_list("testdata/rules");
    struct lines missing = {0};

    for (size_t i = 0; paths[i]; i++)
        check_case(paths[i], &missing);
    if (missing.n > 1)
        qsort(missing.line, missing.n, sizeof(char *), by_text);
    char *text = joined(&missing);

    if (missing.n > 0 && getenv("UPDATE"))
        complete_table(&missing);
    else
        cr_expect_eq(missing.n, 0, WORDS " lacks these lines, UPDATE=1 adds them:\n%s",
                     text);
    free(text);
    for (size_t i = 0; i < missing.n; i++)
        free(missing.line[i]);
    for (size_t i = 0; paths[i]; i++)
        free(paths[i]);
    free(paths);
}
