/*
 * baseline.c - findings that are known are no news: what they are counted by, and what is
 * counted.
 *
 * Fires:  BASELINE_UNUSED at an entry that counts more than there is.
 * Fails:  with XDS_ERR_USAGE, the words and the place, on what is no baseline.
 */
#include "baseline/baseline.h"

#include <stdlib.h>

#include "base/number.h"
#include "catalogue/rule.h"
#include "model/tree.h"

/* False: a finding of no resource, or of one that cannot be read and was not judged,
 * which is never in a baseline. */
static bool baseline_key(const struct xds_report *report,
                         const struct xds_finding *finding,
                         struct xds_baseline_entry *key)
{
    *key = (struct xds_baseline_entry){
        .rule = xds_slice_of(finding->rule->slug), .shared = finding->once, .count = 1};
    if (finding->resource == XDS_NO_RESOURCE ||
        finding->rule->effect == XDS_EFFECT_SYNTAX)
        return false;
    if (finding->once.len > 0)
        return true;
    key->type = report->resources[finding->resource].type;
    key->name = report->resources[finding->resource].name;
    key->path = finding->path;
    return true;
}

static int compare(const void *left, const void *right)
{
    const struct xds_baseline_entry *a = left, *b = right;
    int c = xds_slice_cmp(a->rule, b->rule);

    if (c == 0)
        c = xds_slice_cmp(a->type, b->type);
    if (c == 0)
        c = xds_slice_cmp(a->name, b->name);
    if (c == 0)
        c = xds_slice_cmp(a->path, b->path);
    return c ? c : xds_slice_cmp(a->shared, b->shared);
}

/* Sort, and add up the counts of entries that are equal. */
static void baseline_sort(struct xds_baseline *baseline)
{
    struct xds_baseline_entry *entries = baseline->entries;
    size_t kept = 0;

    if (baseline->n == 0)
        return;
    qsort(entries, baseline->n, sizeof *entries, compare);
    for (size_t i = 1; i < baseline->n; i++) {
        if (compare(&entries[kept], &entries[i]) == 0)
            entries[kept].count += entries[i].count;
        else
            entries[++kept] = entries[i];
    }
    baseline->n = kept + 1;
}

static struct xds_baseline_entry *baseline_find(const struct xds_baseline *baseline,
                                                const struct xds_baseline_entry *key)
{
    if (baseline->n == 0)
        return NULL;
    return bsearch(key, baseline->entries, baseline->n, sizeof *key, compare);
}

struct xds_baseline xds_baseline_of(const struct xds_report *report,
                                    struct xds_arena *arena)
{
    struct xds_baseline baseline = {
        XDS_NEW_ARRAY(arena, struct xds_baseline_entry, report->n_findings), 0};

    for (size_t i = 0; i < report->n_findings; i++)
        baseline.n +=
            baseline_key(report, &report->findings[i], &baseline.entries[baseline.n]);
    baseline_sort(&baseline);
    return baseline;
}

struct job {
    struct xds_report *report;
    const char *name;
    struct xds_parsed *parsed;
    const struct xds_tree *tree;
    struct xds_arena scratch;
    struct xds_baseline baseline;
    struct xds_slice *fault;
    struct xds_place *at;
    bool good;
};

/* ---- reading ---- */

static bool fail(const struct job *job, const struct xds_tree *value, const char *what)
{
    *job->fault = xds_slice_of(what);
    *job->at =
        (struct xds_place){0, value->line, value->column, value->line, value->column};
    return false;
}

static bool read_text(const struct job *job, const struct xds_tree *object,
                      const char *key, struct xds_slice *out)
{
    const struct xds_tree *member = xds_tree_member(object, key);

    if (!member)
        return true;
    *out = member->text;
    return member->kind == XDS_TREE_STRING ||
           fail(job, member,
                "\"rule\", \"type\", \"name\", \"path\" and \"shared\" must be strings");
}

static bool read_count(const struct job *job, const struct xds_tree *object, size_t *out)
{
    const struct xds_tree *member = xds_tree_member(object, "count");

    *out = 1;
    if (!member)
        return true;
    if (member->kind != XDS_TREE_NUMBER || !(member->number >= 1) ||
        member->number > UINT32_MAX || xds_floor(member->number) != member->number)
        return fail(job, member, "\"count\" must be a whole number of at least 1");
    *out = (size_t)member->number;
    return true;
}

static bool read_entry(const struct job *job, const struct xds_tree *object,
                       struct xds_baseline_entry *out)
{
    *out = (struct xds_baseline_entry){.line = object->line, .column = object->column};
    if (object->kind != XDS_TREE_OBJECT || !xds_tree_member(object, "rule"))
        return fail(job, object,
                    "an entry of \"findings\" must be an object with \"rule\"");
    return read_text(job, object, "rule", &out->rule) &&
           read_text(job, object, "type", &out->type) &&
           read_text(job, object, "name", &out->name) &&
           read_text(job, object, "path", &out->path) &&
           read_text(job, object, "shared", &out->shared) &&
           read_count(job, object, &out->count);
}

static bool has_version(const struct xds_tree *document)
{
    const struct xds_tree *version = xds_tree_member(document, "version");

    return version && version->kind == XDS_TREE_NUMBER && version->number == 1;
}

static bool read_baseline(struct job *job)
{
    const struct xds_tree *tree = job->tree;
    const struct xds_tree *findings = xds_tree_member(tree, "findings");
    const struct xds_tree *tool = xds_tree_member(tree, "tool"); /* of a report */

    if (tree->kind != XDS_TREE_OBJECT || !has_version(tree))
        return fail(job, tree, "a baseline must be an object with \"version\": 1");
    if (tool && tool->kind == XDS_TREE_OBJECT)
        return fail(job, tree, "a baseline has no \"tool\"; --write-baseline writes one");
    if (!findings || findings->kind != XDS_TREE_ARRAY)
        return fail(job, tree, "a baseline must have a list \"findings\"");
    job->baseline.entries =
        XDS_NEW_ARRAY(&job->scratch, struct xds_baseline_entry, findings->n);
    for (; job->baseline.n < findings->n; job->baseline.n++)
        if (!read_entry(job, &findings->items[job->baseline.n],
                        &job->baseline.entries[job->baseline.n]))
            return false;
    baseline_sort(&job->baseline);
    return true;
}

/* ---- applying ---- */

static void mark_known(const struct job *job)
{
    struct xds_report *report = job->report;
    struct xds_baseline_entry key, *entry;

    for (size_t i = 0; i < job->baseline.n; i++)
        job->baseline.entries[i].left = job->baseline.entries[i].count;
    for (size_t i = 0; i < report->n_findings; i++) {
        entry = baseline_key(report, &report->findings[i], &key)
                    ? baseline_find(&job->baseline, &key)
                    : NULL;
        if (!entry || entry->left == 0)
            continue;
        entry->left--;
        report->findings[i].suppressed = XDS_SUPPRESSED_BY_BASELINE;
    }
}

/* Of a part of a snapshot, what is not in it may still be wrong. names: of the part. One
 * line of a stream is no snapshot at all, and report_rot() is not asked. */
static bool was_looked_at(const struct job *job, const struct xds_strmap *names,
                          const struct xds_baseline_entry *entry)
{
    return !job->report->options.partial ||
           (entry->shared.len == 0 && xds_strmap_get(names, entry->name));
}

static void collect_names(struct job *job, struct xds_strmap *names)
{
    xds_strmap_init(names, &job->scratch);
    if (!job->report->options.partial)
        return;
    for (size_t i = 0; i < job->report->n_resources; i++)
        *xds_strmap_at(names, job->report->resources[i].name) = job;
}

static void report_rot(struct job *job)
{
    struct xds_place at = {.file =
                               xds_report_add_file(job->report, xds_slice_of(job->name))};
    struct xds_strmap names;

    collect_names(job, &names);
    job->report->of_resource = 0;
    for (size_t i = 0; i < job->baseline.n; i++) {
        const struct xds_baseline_entry *entry = &job->baseline.entries[i];

        at.line = at.end_line = entry->line;
        at.column = entry->column;
        at.end_column = entry->column + 1;
        if (entry->left > 0 && was_looked_at(job, &names, entry)) {
            const bool one = entry->left == 1;

            (void)xds_report_at(
                job->report, xds_rule_row(XDS_R_BASELINE_UNUSED), XDS_NO_RESOURCE, at,
                "rule \"%.*s\": %zu counted finding%s no longer exist%s",
                XDS_FMT(entry->rule), entry->left, one ? "" : "s", one ? "s" : "");
        }
    }
}

static void apply(void *arg)
{
    struct job *job = arg;

    job->tree = xds_parsed_tree(job->parsed);
    if (!job->tree)
        *job->fault =
            xds_arena_dup(&job->report->arena, xds_parsed_fault(job->parsed, job->at));
    job->good = job->tree && read_baseline(job);
    if (!job->good)
        return;
    mark_known(job);

    /* New findings go after the others: those that were set apart come back till the
     * report is sorted. */
    struct xds_report *report = job->report;

    report->n_findings += report->n_suppressed;
    report->n_suppressed = 0;
    if (!job->report->is_line)
        report_rot(job);
    xds_report_sort(job->report);
}

static enum xds_status apply_parsed(struct job *job)
{
    struct xds_arena *const arenas[] = {&job->report->arena, &job->scratch};
    const enum xds_status status =
        xds_arena_guard(arenas, XDS_ARRAY_LEN(arenas), apply, job);

    xds_arena_release(&job->scratch);
    if (status != XDS_OK)
        return status;
    return job->good ? XDS_OK : XDS_ERR_USAGE;
}

enum xds_status xds_report_apply_baseline(struct xds_report *report, const char *name,
                                          struct xds_slice text, struct xds_slice *fault,
                                          struct xds_place *at)
{
    struct job job = {.report = report, .name = name, .fault = fault, .at = at};
    enum xds_status status = xds_parse(XDS_FORMAT_JSON, text, &job.parsed);

    if (status == XDS_OK)
        status = apply_parsed(&job);
    xds_parsed_free(job.parsed);
    return status;
}
