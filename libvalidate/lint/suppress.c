/*
 * suppress.c - findings that a comment in the input, or a setting, says are known.
 *
 * All rules are judged in every run, for all clients; --select and --client only choose
 * what is reported. So a comment is unused whatever is selected, or it is not.
 */
#include "lint/lint.h"

#include <stdlib.h>

/* One rule of one comment. */
struct suppression {
    const struct xds_comment *comment;
    const struct xds_rule *rule;
    bool whole_file;
    bool used;
    struct xds_place at; /* of the rule's name */
    struct xds_slice reason;
};

struct job {
    struct xds_report *report;
    struct xds_arena *scratch;
    struct suppression *suppressions;
    size_t n, cap;
    bool *is_broken; /* by file: it was not read whole */
    bool is_whole;   /* the input is no part of a snapshot */
    /* By rule: where the first resource begins with a finding reported for many; or NULL.
     */
    const struct xds_place **repeated_from;
};

static const struct directive {
    const char *name;
    bool whole_file;
} directives[] = {{"ignore", false}, {"ignore-file", true}};

static const struct directive *find_directive(struct xds_slice name)
{
    for (size_t i = 0; i < XDS_ARRAY_LEN(directives); i++)
        if (xds_slice_is(name, directives[i].name))
            return &directives[i];
    return NULL;
}

static void malformed(struct job *job, const struct xds_comment *comment,
                      const char *what)
{
    (void)xds_report_at(job->report, xds_rule_row(XDS_R_SUPPRESS_MALFORMED),
                        XDS_NO_RESOURCE, comment->at, "%s", what);
}

static void read_rules(struct job *job, const struct xds_comment *comment,
                       struct xds_slice list, struct suppression like)
{
    while (list.data) {
        struct xds_slice name;
        const char *hint;

        list = xds_slice_cut(list, ',', &name);
        name = xds_slice_trim(name);

        /* Where a part of the comment's text is. */
        struct xds_place at = comment->at;

        at.column = comment->text_column;
        for (const char *c = comment->text.data; c < name.data; c++)
            at.column += ((unsigned char)*c & 0xC0) != 0x80;
        at.end_column = at.column;
        for (size_t i = 0; i < name.len; i++)
            at.end_column += ((unsigned char)name.data[i] & 0xC0) != 0x80;
        like.at = at;
        like.rule = xds_rule_find(name, &hint);
        if (like.rule) {
            job->suppressions = xds_arena_room(job->scratch, job->suppressions, job->n,
                                               &job->cap, sizeof *job->suppressions);
            job->suppressions[job->n++] = like;
        } else
            (void)xds_report_at(job->report, xds_rule_row(XDS_R_SUPPRESS_UNKNOWN_RULE),
                                XDS_NO_RESOURCE, like.at, "no rule \"%.*s\"%s%s%s",
                                XDS_FMT(name), hint ? "; did you mean \"" : "",
                                hint ? hint : "", hint ? "\"?" : "");
    }
}

/* Cut the reason off: what is after two dashes. */
static struct xds_slice cut_reason(struct xds_slice *text)
{
    const size_t dashes = xds_slice_search(*text, XDS_S("--"));
    const struct xds_slice reason = xds_slice_trim(xds_slice_from(*text, dashes + 2));

    if (dashes < text->len)
        text->len = dashes;
    return reason;
}

static void read_comment(struct job *job, const struct xds_comment *comment)
{
    struct xds_slice text = comment->text, name;
    struct suppression like = {.comment = comment, .reason = cut_reason(&text)};
    const struct xds_slice list = xds_slice_trim(xds_slice_cut(text, '=', &name));
    const struct directive *directive = find_directive(xds_slice_trim(name));

    if (!directive || list.len == 0) {
        malformed(job, comment,
                  "expected \"xdscope: ignore=RULE -- reason\"; nothing is suppressed");
        return;
    }
    if (directive->whole_file && !comment->on_top) {
        malformed(job, comment,
                  "\"ignore-file\" is allowed only at the top of a file; nothing is "
                  "suppressed");
        return;
    }
    if (like.reason.len == 0)
        (void)xds_report_at(job->report, xds_rule_row(XDS_R_SUPPRESS_NO_REASON),
                            XDS_NO_RESOURCE, comment->at,
                            "no reason is given; write it after \"--\"");
    like.whole_file = directive->whole_file;
    read_rules(job, comment, list, like);
}

/* Line 0 is the whole file. */
static int by_place_and_rule(const void *left, const void *right)
{
    const struct suppression *a = left, *b = right;
    int c = xds_u32_cmp(a->at.file, b->at.file);

    if (c == 0)
        c = xds_u32_cmp(a->whole_file ? 0 : a->comment->line,
                        b->whole_file ? 0 : b->comment->line);
    if (c == 0)
        c = a->whole_file - b->whole_file;
    return c ? c : strcmp(a->rule->slug, b->rule->slug);
}

static struct suppression *find(const struct job *job, const struct xds_finding *finding,
                                bool whole_file)
{
    const struct xds_comment about = {.line = finding->at.line};
    const struct suppression key = {.comment = &about,
                                    .rule = finding->rule,
                                    .whole_file = whole_file,
                                    .at = finding->at};

    return bsearch(&key, job->suppressions, job->n, sizeof key, by_place_and_rule);
}

static void silence(const struct job *job, struct xds_finding *finding)
{
    struct suppression *suppression = find(job, finding, false);

    if (!suppression)
        suppression = find(job, finding, true);
    if (!suppression || finding->at.line == 0)
        return;
    suppression->used = true;
    finding->suppressed = XDS_SUPPRESSED_BY_COMMENT;
    finding->reason = suppression->reason;
}

static void look_at_input(struct job *job)
{
    const struct xds_report *report = job->report;
    bool has[XDS_TYPE_ENDPOINT + 1] = {false};

    job->is_broken = XDS_NEW_ARRAY(job->scratch, bool, report->files.n + 1);
    for (size_t i = 0; i < report->n_findings; i++)
        if (report->findings[i].rule->effect == XDS_EFFECT_SYNTAX)
            job->is_broken[report->findings[i].at.file] = true;
    for (size_t i = 0; i < report->n_resources; i++)
        has[xds_resource_type_from_name(report->resources[i].type)] = true;
    job->is_whole = has[XDS_TYPE_LISTENER] && has[XDS_TYPE_CLUSTER] &&
                    has[XDS_TYPE_ENDPOINT] && !report->options.partial;
}

/* Findings are in the order of the input as long as they are not sorted. */
static void look_at_repeated(struct job *job)
{
    const struct xds_report *report = job->report;
    const struct xds_rule *rows = xds_rules(&(size_t){0});

    job->repeated_from = XDS_NEW_ARRAY(job->scratch, const struct xds_place *, XDS_RULES);
    for (size_t i = 0; i < report->n_findings; i++) {
        const struct xds_finding *finding = &report->findings[i];
        const struct xds_place **from = &job->repeated_from[finding->rule - rows];

        if (finding->repeats > 0 && !*from)
            *from = &report->resources[finding->resource].at;
    }
}

/* What is reported once for many is at the first of them. Where the others are is not
 * kept, but it is in the same resource or after it: a comment there may be on one. */
static bool may_stand_at_repetition(const struct job *job,
                                    const struct suppression *suppression)
{
    const struct xds_rule *rows = xds_rules(&(size_t){0});
    const struct xds_place *from = job->repeated_from[suppression->rule - rows];

    if (!from || suppression->at.file != from->file)
        return from && suppression->at.file > from->file;
    return suppression->whole_file || suppression->comment->line >= from->line;
}

static bool could_be_used(const struct job *job, const struct suppression *suppression)
{
    if (suppression->rule->optional && !job->report->options.cosmetic)
        return false;
    return !may_stand_at_repetition(job, suppression) &&
           !job->is_broken[suppression->at.file] && job->report->dropped == 0 &&
           (job->is_whole || suppression->rule->effect != XDS_EFFECT_HYGIENE);
}

static struct xds_slice why_unused(struct job *job, const struct suppression *suppression)
{
    const char *slug = suppression->rule->slug;

    if (suppression->whole_file)
        return xds_arena_printf(job->scratch, "no finding of \"%s\" in this file", slug);
    if (suppression->comment->line == 0)
        return XDS_S("\"xdscope:\" has no line after it");
    return xds_arena_printf(job->scratch, "no finding of \"%s\" on line %u", slug,
                            suppression->comment->line);
}

static void unused(struct job *job, struct xds_place at, struct xds_slice why)
{
    (void)xds_report_at(job->report, xds_rule_row(XDS_R_SUPPRESS_UNUSED), XDS_NO_RESOURCE,
                        at, "nothing to suppress: %.*s", XDS_FMT(why));
}

/* ---- settings ---- */

static bool is_about(const struct job *job, const struct xds_known *known,
                     const struct xds_finding *finding)
{
    if (known->rule != finding->rule || finding->resource == XDS_NO_RESOURCE)
        return false;
    const struct xds_resource_result *resource =
        &job->report->resources[finding->resource];

    return (known->type.len == 0 || xds_resource_type_from_name(known->type) ==
                                        xds_resource_type_from_name(resource->type)) &&
           xds_slice_like(resource->name, known->resource);
}

static bool suppress_known(const struct job *job, const struct xds_known *known)
{
    bool used = false;

    for (size_t i = 0; i < job->report->n_findings; i++) {
        struct xds_finding *finding = &job->report->findings[i];

        if (!is_about(job, known, finding))
            continue;
        used = true;
        if (finding->suppressed == XDS_NOT_SUPPRESSED) {
            finding->suppressed = XDS_SUPPRESSED_BY_SETTINGS;
            finding->reason = known->reason;
        }
    }
    return used;
}

/* The resource may be in another part of the snapshot, or where reading ended. */
static bool must_be_used(const struct job *job, const struct xds_known *known)
{
    const struct xds_report *report = job->report;

    for (size_t i = 0; i < report->files.n; i++)
        if (job->is_broken[i])
            return false;
    return job->is_whole && report->dropped == 0 &&
           !job->repeated_from[known->rule - xds_rules(&(size_t){0})];
}

static void read_settings(struct job *job)
{
    struct xds_report *report = job->report;
    const struct xds_options *options = &report->options;
    struct xds_place at = {.file = UINT32_MAX};

    for (size_t i = 0; i < options->n_known; i++) {
        const struct xds_known *known = &options->known[i];

        if ((!known->expired && suppress_known(job, known)) || report->is_line ||
            !(known->expired || must_be_used(job, known)))
            continue;
        if (at.file == UINT32_MAX)
            at.file = xds_report_add_file(report, xds_slice_of(options->known_file));
        at.line = at.end_line = known->line;
        at.column = known->column;
        at.end_column = known->column + 1;
        if (known->expired)
            (void)xds_report_at(
                report, xds_rule_row(XDS_R_SUPPRESS_EXPIRED), XDS_NO_RESOURCE, at,
                "findings of \"%s\" in \"%.*s\" were to be suppressed until a day "
                "that is over",
                known->rule->slug, XDS_FMT(known->resource));
        else
            unused(job, at,
                   xds_arena_printf(job->scratch,
                                    "no finding of \"%s\" in a resource "
                                    "\"%.*s\"",
                                    known->rule->slug, XDS_FMT(known->resource)));
    }
}

/* ---- both ---- */

void xds_suppress(struct xds_report *report, struct xds_arena *scratch)
{
    struct job job = {.report = report, .scratch = scratch};

    report->of_resource = 0;
    if (report->comments.too_many.line > 0)
        (void)xds_report_at(
            report, xds_rule_row(XDS_R_SUPPRESS_LIMIT), XDS_NO_RESOURCE,
            report->comments.too_many,
            "\"xdscope:\" comments are ignored from here on: 10000 were read");
    for (const struct xds_comment *c = report->comments.first; c; c = c->next)
        read_comment(&job, c);
    if (job.n == 0 && report->options.n_known == 0)
        return;
    if (job.n > 0)
        qsort(job.suppressions, job.n, sizeof *job.suppressions, by_place_and_rule);
    for (size_t i = 0; job.n > 0 && i < report->n_findings; i++)
        silence(&job, &report->findings[i]);
    look_at_input(&job);
    look_at_repeated(&job);
    read_settings(&job);
    for (size_t i = 0; i < job.n; i++)
        if (!job.suppressions[i].used && could_be_used(&job, &job.suppressions[i]))
            unused(&job, job.suppressions[i].at, why_unused(&job, &job.suppressions[i]));
}
