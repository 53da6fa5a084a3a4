/*
 * fix.c - xdscope lint --fix and --diff: what is mechanical is corrected in the files.
 *
 * A file is judged, edited and judged again until nothing is left to edit, in memory; it
 * is written, whole, when clients take as much of it as before and fewer findings of this
 * kind are left.
 */
#include "cli/lint/lint.h"
#include "cli/files/output.h"

#include <stdlib.h>
#include <string.h>

/* One edit may show what another one is due. */
#define MOST_ROUNDS 16

struct fixing {
    const struct command *self;
    const struct lint_settings *settings;
    struct input input; /* its options and its type */
    FILE *out;          /* of --diff */
    size_t changed;     /* files */
    bool unread;        /* a part of a file, in which nothing was looked at */
};

static bool is_wanted(const struct xds_rule *rule, void *user)
{
    const struct lint_settings *settings = user;
    struct xds_slice name;
    const char *hint;

    switch (rule->edit) {
    case XDS_EDIT_RENAME:
    case XDS_EDIT_REMOVE:
        return true;
    case XDS_EDIT_WRAP:
        for (size_t i = 0; i < settings->fix_rules.n; i++)
            for (const char *rest = settings->fix_rules.items[i];
                 next_piece(&rest, &name);)
                if (xds_rule_find(name, &hint) == rule)
                    return true;
        break;
    case XDS_EDIT_NONE:
        break;
    }
    return false;
}

bool fix_check_rules(const struct command *self, const char *value)
{
    struct xds_slice name;
    const char *hint;

    for (const char *rest = value; next_piece(&rest, &name);) {
        const struct xds_rule *rule = xds_rule_find(name, &hint);

        if (!rule)
            (void)unknown_error(self, "rule", name, hint, "xdscope rule lists them");
        else if (rule->edit == XDS_EDIT_NONE)
            (void)usage_error(self, "--fix-rule: '%s' cannot be corrected by itself",
                              rule->slug);
        else
            continue;
        return false;
    }
    return true;
}

/* ---- one file ---- */

/* A text, and what is found in it. */
struct judged {
    struct xds_slice text;
    struct xds_fix *fix; /* that text is of; NULL: it is the file's */
    struct xds_report *report;
    size_t edits;        /* so far */
    size_t nacked, left; /* left: findings that edits are for, or that are no xDS */
    bool unread;
};

static bool judge(const struct fixing *f, const char *name, struct judged *out)
{
    struct xds_report *report = xds_report_new(&f->input.options);
    struct xds_check *check = report ? xds_check_new(report, false) : NULL;
    struct xds_source *source = check ? xds_source_new(report, f->input.type) : NULL;
    bool good = source && xds_source_add_bytes(source, name, out->text) == XDS_OK &&
                xds_check_all(check, source, 1, NULL, NULL) == XDS_OK &&
                xds_check_finish(check, source) == XDS_OK;

    out->report = report;
    if (good) {
        xds_report_sort(report);
        const struct xds_summary sum = xds_report_summary(report);

        out->nacked = sum.nacked + sum.refused_bootstraps;
        out->left = sum.dropped; /* what they are is not known */
        for (size_t i = 0; i < xds_report_findings(report); i++) {
            const struct xds_rule *rule = xds_report_finding(report, i)->rule;

            out->left += rule->effect == XDS_EFFECT_SYNTAX ||
                         is_wanted(rule, (void *)(uintptr_t)f->settings);
        }
        out->unread = xds_source_sum(source).unread > 0;
        good = rules_apply(f->settings, report) == XDS_OK;
    }
    xds_source_free(source);
    xds_check_free(check);
    return good;
}

static void release(struct judged *judged)
{
    xds_report_free(judged->report);
    xds_fix_free(judged->fix);
    *judged = (struct judged){.report = NULL};
}

/* The last one that could be edited, in *now; *first is what it began with. False when
 * there is no memory. */
static bool edit_all(const struct fixing *f, const char *name, const struct judged *first,
                     struct judged *now)
{
    for (int round = 0; round < MOST_ROUNDS; round++) {
        const struct judged *before = now->fix ? now : first;
        struct judged next = {.fix = NULL};

        if (xds_fix_new(before->report, 0, before->text, f->input.type, is_wanted,
                        (void *)(uintptr_t)f->settings, &next.fix) != XDS_OK)
            return false;
        if (xds_fix_edits(next.fix) == 0) {
            release(&next);
            return true;
        }
        next.text = xds_fix_text(next.fix);
        next.edits = before->edits + xds_fix_edits(next.fix);
        const bool good = judge(f, name, &next);

        release(now);
        *now = next;
        if (!good)
            return false;
    }
    return true;
}

static bool is_no_better(const struct judged *old, const struct judged *new)
{
    return new->nacked > old->nacked || new->left >= old->left;
}

bool fix_text(const struct command *self, const struct lint_settings *settings,
              const struct input *input, const char *name, struct xds_slice text,
              struct xds_fix **out)
{
    struct fixing f = {.self = self, .settings = settings};
    struct judged old = {.text = text}, new = {.fix = NULL};

    f.input.options = input->options;
    f.input.options.each_time = true;
    f.input.type = input->type;
    *out = NULL;
    const bool good = judge(&f, name, &old) && edit_all(&f, name, &old, &new);

    if (good && new.fix && !is_no_better(&old, &new)) {
        *out = new.fix;
        new.fix = NULL;
    }
    release(&new);
    release(&old);
    return good;
}

static int finish_file(struct fixing *f, const char *path, const char *name,
                       const struct judged *old, const struct judged *new)
{
    if (is_no_better(old, new)) {
        warning(f->self, "%s: not changed: the edits would leave it no better", name);
        return EXIT_CLEAN;
    }
    f->changed++;
    if (f->settings->diff)
        return print_text_diff(f->out, name, old->text, new->text)
                   ? EXIT_CLEAN
                   : trouble_errno(f->self, "standard output");
    const int status = output_edit(f->self, path, old->text, new->text);

    if (status == EXIT_CLEAN && !f->settings->input.common.quiet)
        (void)fprintf(stderr, "%s: %zu edit%s\n", name, new->edits,
                      new->edits == 1 ? "" : "s");
    return status;
}

/* path: as it is opened; name: as it is shown, and as its type is known by. */
static int fix_file(struct fixing *f, const char *path, const char *name)
{
    struct judged old = {.fix = NULL}, new = {.fix = NULL};
    int status = slurp(f->self, path, &old.text);
    const struct xds_slice text = old.text;

    if (status == EXIT_CLEAN && is_packed(text)) {
        warning(f->self, "%s: not changed: it is packed", name);
    } else if (status == EXIT_CLEAN) {
        if (!judge(f, name, &old) || !edit_all(f, name, &old, &new))
            status = trouble(f->self, "%s: out of memory", name);
        else if (new.fix)
            status = finish_file(f, path, name, &old, &new);
        f->unread |= old.unread;
    }
    release(&new);
    release(&old);
    slurp_free(text);
    return status;
}

/* ---- all files ---- */

/* Findings are in the order of files. */
static int fix_files(struct fixing *f, const struct xds_report *report)
{
    const size_t n = xds_report_findings(report);
    uint32_t done = UINT32_MAX;
    int status = EXIT_CLEAN;

    for (size_t i = 0; i < n; i++) {
        const struct xds_finding *finding = xds_report_finding(report, i);

        if (finding->at.file == done || finding->at.line == 0 ||
            !is_wanted(finding->rule, (void *)(uintptr_t)f->settings))
            continue;
        const struct xds_slice file = xds_report_file(report, finding->at.file);
        char *path = strndup(file.data, file.len);

        done = finding->at.file;
        status = worse(status, path ? fix_file(f, path, path)
                                    : trouble(f->self, "out of memory"));
        free(path);
    }
    return status;
}

/* The files in which something can be edited, as they are found by a run of their own. */
static int find_and_fix(struct fixing *f, const struct operands *operands,
                        const struct xds_options *asked)
{
    struct input input;
    int status = input_read(&input, f->self, &f->settings->input, operands, asked, false);

    if (input.check && status != EXIT_USAGE) {
        if (rules_apply(f->settings, input.report) != XDS_OK)
            status = trouble(f->self, "out of memory");
        else
            status = worse(status, fix_files(f, input.report));
        f->unread = xds_source_sum(input.source).unread > 0;
    }
    input_release(&input);
    return status;
}

int fix(const struct command *self, const struct lint_settings *settings,
        const struct operands *operands, const struct xds_options *asked)
{
    struct fixing f = {.self = self, .settings = settings};
    const char *name = settings->input.common.stdin_name;
    struct output out = {.file = NULL};
    bool has_stdin = false;

    for (size_t i = 0; i < operands->n; i++) {
        has_stdin |= strcmp(operands->items[i], "-") == 0;
        if (is_read_once(operands->items[i]))
            return usage_error(self, "%s: %s is not a file on a disk",
                               settings->diff ? "--diff" : "--fix", operands->items[i]);
    }
    if (has_stdin && !settings->diff)
        return usage_error(self, "--fix cannot change standard input; use --diff");
    if (has_stdin && operands->n > 1)
        return usage_error(self, "--diff takes standard input alone");
    int status = input_open_lines(&f.input, self, &settings->input, asked);

    f.input.options.each_time = true;
    f.input.options.each = false;
    if (status == EXIT_CLEAN && settings->diff) {
        status = output_open(&out, self, &settings->input.common, false);
        f.out = out.file;
    }
    if (status == EXIT_CLEAN)
        status = has_stdin ? fix_file(&f, "-", name ? name : "-")
                           : find_and_fix(&f, operands, asked);
    if (out.file && status == EXIT_TROUBLE)
        output_drop(&out);
    else if (out.file)
        status = worse(status, output_close(&out, XDS_OK));
    if (settings->diff && f.changed > 0)
        status = worse(status, EXIT_FINDINGS);
    if (settings->diff && f.unread)
        status = trouble(self, "a part of the input could not be read, so nothing is "
                               "corrected there; lint without --diff says why");
    input_release(&f.input);
    return status;
}
