/*
 * test_update.c - xdscope test --update and --diff: what is now becomes what is expected.
 *
 * A file is written when a run of its new text fails in no case but those that could not
 * be updated.
 */
#include "cli/test/test_update.h"
#include "cli/files/output.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

/* The documents of one file, which follow each other. */
struct updated {
    const struct test_update *call;
    const struct xds_suite_file *files;
    size_t n_files;
    char *name;
    struct xds_value_edit *edits;
    size_t n_edits, cap_edits;
    const struct xds_suite_mismatch **list; /* of one case */
    size_t n_list, cap_list;
    size_t cases;  /* with an edit */
    size_t failed; /* RPCs that are to fail still */
    size_t rpcs;
};

/* Room for one more; false when there is no memory. */
static bool grow(void **items, size_t n, size_t *cap, size_t size)
{
    if (n < *cap)
        return true;
    const size_t more = *cap ? 2 * *cap : 16;
    void *larger = realloc(*items, more * size);

    if (!larger)
        return false;
    *items = larger;
    *cap = more;
    return true;
}

static int by_place(const void *left, const void *right)
{
    const struct xds_place *a = &(*(struct xds_suite_mismatch *const *)left)->value;
    const struct xds_place *b = &(*(struct xds_suite_mismatch *const *)right)->value;

    if (a->line != b->line)
        return a->line < b->line ? -1 : 1;
    return (a->column > b->column) - (a->column < b->column);
}

static bool list_mismatches(struct updated *u, const struct xds_suite_case *cases,
                            size_t n)
{
    u->n_list = 0;
    for (size_t i = 0; i < n; i++)
        for (size_t k = 0; k < cases[i].n_mismatches; k++) {
            if (!grow((void **)&u->list, u->n_list, &u->cap_list,
                      sizeof(const struct xds_suite_mismatch *)))
                return false;
            u->list[u->n_list++] = &cases[i].mismatches[k];
        }
    if (u->n_list > 0)
        qsort(u->list, u->n_list, sizeof(const struct xds_suite_mismatch *), by_place);
    return true;
}

static bool add_edit(struct updated *u, const struct xds_suite_mismatch *m)
{
    if (!grow((void **)&u->edits, u->n_edits, &u->cap_edits, sizeof *u->edits))
        return false;
    u->edits[u->n_edits++] =
        (struct xds_value_edit){m->value.line,       m->value.column, m->value.end_line,
                                m->value.end_column, m->now,          false};
    return true;
}

/* A value can be expected that all RPCs of the case have, and that none of them had. */
static bool update_case(struct updated *u, const struct xds_suite_case *cases, size_t n)
{
    const size_t before = u->n_edits;
    const struct xds_suite_mismatch *left = NULL;
    size_t failed = 0;

    if (!list_mismatches(u, cases, n))
        return false;
    for (size_t i = 0, next; i < u->n_list; i = next) {
        bool same = true;

        for (next = i + 1; next < u->n_list && by_place(&u->list[i], &u->list[next]) == 0;
             next++)
            same &= u->list[i]->now.len == u->list[next]->now.len &&
                    memcmp(u->list[i]->now.data, u->list[next]->now.data,
                           u->list[i]->now.len) == 0;
        if (!same || next - i != n)
            left = u->list[i];
        else if (!add_edit(u, u->list[i]))
            return false;
    }
    for (size_t i = 0; i < n; i++)
        failed += !cases[i].ok;
    u->cases += u->n_edits > before;
    if (!left)
        return true;
    u->failed += failed;
    warning(u->call->self, "%s:%u: left: the %zu RPCs of the case differ in %.*s",
            u->name, left->line, n, (int)left->path.len, left->path.data);
    return true;
}

static bool update_cases(struct updated *u)
{
    for (size_t f = 0; f < u->n_files; f++) {
        const struct xds_suite_file *file = &u->files[f];

        for (size_t i = 0, n; i < file->n_cases; i += n) {
            const struct xds_suite_case *cases = &file->cases[i];

            for (n = 1; i + n < file->n_cases && cases[n].line == cases->line &&
                        cases[n].column == cases->column;)
                n++;
            if (!update_case(u, cases, n))
                return false;
        }
        u->rpcs += file->n_cases;
    }
    return true;
}

/* Does the new text hold? An exit code. */
static int try_text(const struct updated *u, struct xds_slice text, bool *holds)
{
    struct xds_suite *suite;
    struct xds_slice error;
    int status = EXIT_CLEAN;

    if (xds_suite_new(u->call->wanted, &suite, &error) != XDS_OK ||
        xds_suite_add_bytes(suite, u->name, text) != XDS_OK ||
        xds_suite_run(suite) != XDS_OK)
        status = trouble(u->call->self, "%s: out of memory", u->name);
    else {
        const struct xds_suite_results *now = xds_suite_results(suite);

        for (size_t i = 0; i < now->n_files && status == EXIT_CLEAN; i++)
            if (now->files[i].unread.data)
                status = trouble(u->call->self, "%s: %.*s", u->name,
                                 (int)now->files[i].why.len, now->files[i].why.data);
        *holds = now->cases == u->rpcs && now->failed == u->failed;
    }
    xds_suite_free(suite);
    return status;
}

static int write_text(const struct updated *u, struct xds_slice old, struct xds_slice new)
{
    if (u->call->diff)
        return print_text_diff(u->call->out, u->name, old, new)
                   ? EXIT_CLEAN
                   : trouble_errno(u->call->self, "standard output");
    const int status = output_edit(u->call->self, u->name, old, new);

    if (status == EXIT_CLEAN && !u->call->common->quiet)
        put_remark(u->call->out, "%s: %zu expectation%s updated in %zu case%s", u->name,
                   u->n_edits, u->n_edits == 1 ? "" : "s", u->cases,
                   u->cases == 1 ? "" : "s");
    return status;
}

static int write_file_whole(struct updated *u)
{
    struct xds_slice text;
    struct xds_fix *fix = NULL;
    bool holds = false;

    if (is_read_once(u->name)) {
        warning(u->call->self, "%s: not changed: it is not a file on a disk", u->name);
        return EXIT_FINDINGS;
    }
    int status = slurp(u->call->self, u->name, &text);

    if (status == EXIT_CLEAN &&
        xds_fix_values(text, u->edits, u->n_edits, &fix) != XDS_OK)
        status = trouble(u->call->self, "out of memory");
    if (status == EXIT_CLEAN)
        status = try_text(u, xds_fix_text(fix), &holds);
    if (status == EXIT_CLEAN && holds)
        status = write_text(u, text, xds_fix_text(fix));
    else if (status == EXIT_CLEAN) {
        for (size_t i = 0; i < u->n_edits; i++)
            if (!u->edits[i].made)
                warning(u->call->self, "%s:%u: a value that cannot be replaced", u->name,
                        u->edits[i].line);
        warning(u->call->self, "%s: not changed: its cases would not pass then", u->name);
        status = EXIT_FINDINGS;
    }
    xds_fix_free(fix);
    slurp_free(text);
    return status;
}

static int update_file(struct updated *u)
{
    int status = EXIT_CLEAN;

    u->name = strndup(u->files->name.data, u->files->name.len);
    if (!u->name || !update_cases(u))
        status = trouble(u->call->self, "out of memory");
    else if (u->n_edits > 0)
        status = write_file_whole(u);
    else if (!u->call->diff && !u->call->common->quiet)
        put_remark(u->call->out, "%s: nothing to update", u->name);
    free(u->list);
    free(u->edits);
    free(u->name);
    return status;
}

int test_update(const struct test_update *call, const struct xds_suite_results *results)
{
    int status = EXIT_CLEAN;

    for (size_t i = 0, n; i < results->n_files; i += n) {
        struct updated u = {.call = call, .files = &results->files[i]};

        for (n = 1; i + n < results->n_files &&
                    results->files[i + n].name.data == u.files->name.data;)
            n++;
        u.n_files = n;
        if (!u.files->unread.data)
            status = worse(status, update_file(&u));
    }
    return status;
}
