/*
 * findings_sarif.c - findings as SARIF 2.1.0, with all that GitHub's code scanning needs.
 *
 * Source: OASIS SARIF 2.1.0; GitHub, "SARIF support for code scanning".
 */
#include <stdio.h>

#include "print/findings/findings.h"
#include "print/rule/rule.h"
#include "print/write/json.h"

/* GitHub's limit for the texts of a rule. */
#define TEXT_MAX ((size_t)1024)

struct job {
    const struct xds_report *report;
    struct xds_arena arena;
    struct xds_out out;
    const struct xds_rule *rules[XDS_RULES]; /* by slug: ruleIndex */
    bool kills[XDS_RULES];          /* the same: a client that was asked dies here */
    struct xds_strmap fingerprints; /* how often each was given, by its bytes */
    uint32_t file;                  /* that was named last, and its URI */
    struct xds_slice uri;
};

/* {"text": ...} of a member. */
static void put_message(struct xds_out *out, const char *key, struct xds_slice text)
{
    xds_json_key(out, key);
    xds_json_object(out, "text: %.*s", XDS_FMT(text));
}

/* ---- rules ---- */

/* Up to the first full stop that ends a sentence. */
static struct xds_slice first_sentence(struct xds_slice text)
{
    const size_t end = xds_slice_search(text, XDS_S(". "));

    return end < text.len ? xds_slice_make(text.data, end + 1) : text;
}

static struct xds_slice at_most(struct xds_slice text, size_t max)
{
    return text.len > max ? xds_slice_make(text.data, max) : text;
}

/* Text in Markdown, in which none of its characters has a meaning. */
static void put_markdown_text(struct xds_out *out, const char *text)
{
    for (size_t n; *text != '\0'; text += n) {
        n = strcspn(text, "*<>[]|`\\");
        if (n == 0) {
            xds_json_part(out, XDS_S("\\"));
            n = 1;
        }
        xds_json_part(out, xds_slice_make(text, n));
    }
}

static void put_help(struct xds_out *out, const struct xds_rule *rule)
{
    xds_json_key_object(out, "help");
    xds_json_key(out, "text");
    xds_json_begin_string(out);
    xds_json_parts(out, "%.*s Source: %s. Who does what: ",
                   XDS_FMT(at_most(xds_slice_of(rule->text), TEXT_MAX)), rule->source);
    xds_out_rule_effect(out, rule);
    xds_out_char(out, '.');
    xds_json_end_string(out);
    xds_json_key(out, "markdown");
    xds_json_begin_string(out);
    put_markdown_text(out, rule->text);
    xds_json_parts(out, "\\n\\n");
    if (rule->effect == XDS_EFFECT_HYGIENE || rule->effect == XDS_EFFECT_SYNTAX) {
        xds_out_rule_effect(out, rule);
        xds_json_parts(out, "\\n");
    } else {
        /* A table with a column for each client. */
        for (enum xds_client c = 0; c < XDS_CLIENTS; c++)
            xds_json_parts(out, "| %s ", xds_client_name(c));
        xds_json_parts(out, "|\\n");
        for (unsigned c = 0; c < XDS_CLIENTS; c++)
            xds_json_parts(out, "|---");
        xds_json_parts(out, "|\\n");
        for (enum xds_client c = 0; c < XDS_CLIENTS; c++)
            xds_json_parts(out, "| %s ", xds_verdict_name(xds_rule_verdict(rule, c)));
        xds_json_parts(out, "|\\n");
    }
    if (rule->fix) {
        xds_json_parts(out, "\\nFix: ");
        put_markdown_text(out, rule->fix);
        xds_json_parts(out, "\\n");
    }

    /* The source, then a link to each gRFC. */
    struct xds_citations citations = xds_citations_of(rule->source);
    struct xds_cited cited;

    xds_json_parts(out, "\\nSource: ");
    put_markdown_text(out, rule->source);
    xds_json_parts(out, "\\n");
    while (xds_cited_next(&citations, &cited)) {
        if (!cited.grfc)
            continue;
        xds_json_parts(out, "\\n* [gRFC A%u](%s): ", cited.grfc->number, cited.grfc->url);
        put_markdown_text(out, cited.grfc->title);
    }
    xds_json_end_string(out);
    xds_json_end_object(out);
}

static void put_rule_properties(struct xds_out *out, const struct xds_rule *rule,
                                bool kills)
{
    const enum xds_effect effect = kills ? XDS_EFFECT_CRASH : rule->effect;
    static const char *const severities[] = {
        [XDS_LEVEL_NOTE] = "recommendation",
        [XDS_LEVEL_WARNING] = "warning",
        [XDS_LEVEL_ERROR] = "error",
    };

    xds_json_key_object(out, "properties");
    xds_json_key_array(out, "tags");
    xds_json_text(out, "grpc");
    xds_json_text(out, "xds");
    xds_json_text(out, xds_effect_name(effect));
    if (rule->security)
        xds_json_text(out, "security");
    xds_json_end_array(out);
    xds_json_key_text(out, "precision",
                      effect == XDS_EFFECT_HYGIENE ? "high" : "very-high");
    xds_json_key(out, "problem.severity");
    xds_json_text(out, severities[kills ? XDS_LEVEL_ERROR : xds_rule_worst_level(rule)]);
    if (effect == XDS_EFFECT_CRASH) /* of denial of service */
        xds_json_key_text(out, "security-severity", "7.5");
    else if (rule->security) /* of access that should be denied */
        xds_json_key_text(out, "security-severity", "8.1");
    xds_json_end_object(out);
}

static void put_tool(struct job *job)
{
    struct xds_out *out = &job->out;

    xds_json_key_object(out, "tool");
    xds_json_key_object(out, "driver");
    xds_json_members(out, "name: %s, semanticVersion: %s", "xdscope", xds_version());
    if (*xds_site_url() != '\0')
        xds_json_key_text(out, "informationUri", xds_site_url());
    xds_json_key_array(out, "rules");
    for (size_t i = 0; i < XDS_RULES && !out->failed; i++) {
        const struct xds_rule *rule = job->rules[i];
        const struct xds_slice text = xds_slice_of(rule->text);
        const struct xds_rule_url url = xds_rule_url(rule);

        xds_json_begin_row(out);
        xds_json_members(out, "id: %s, name: %s", rule->slug, rule->id);
        put_message(out, "shortDescription", at_most(first_sentence(text), TEXT_MAX));
        put_message(out, "fullDescription", at_most(text, TEXT_MAX));
        if (*url.text)
            xds_json_key_text(out, "helpUri", url.text);
        put_help(out, rule);
        xds_json_key(out, "defaultConfiguration");
        xds_json_object(out, "level: %s", xds_level_name(xds_rule_worst_level(rule)));
        put_rule_properties(out, rule, job->kills[i]);
        xds_json_end_object(out);
    }
    xds_json_end_array(out);
    xds_json_end_object(out);
    xds_json_end_object(out);
}

/* ---- places ---- */

/* A path as the path of a URI: what has a meaning in one, or is not ASCII, is escaped. */
static struct xds_slice uri_of(struct xds_arena *arena, struct xds_slice path)
{
    static const char plain[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"
                                "0123456789-._~/!$&'()*+,;=@";
    char *text = xds_arena_alloc(arena, 3 * path.len + 1);
    size_t n = 0;

    for (size_t i = 0; i < path.len; i++)
        if (path.data[i] != '\0' && strchr(plain, path.data[i]))
            text[n++] = path.data[i];
        else
            n += (size_t)snprintf(text + n, 4, "%%%02X", (unsigned char)path.data[i]);
    return xds_slice_make(text, n);
}

static void put_artifact(struct xds_out *out, struct xds_slice path, struct xds_slice uri)
{
    const bool absolute = path.len > 0 && path.data[0] == '/';

    xds_json_key_object(out, "artifactLocation");
    xds_json_key_parts(out, "uri", "%s%.*s", absolute ? "file://" : "", XDS_FMT(uri));
    if (!absolute)
        xds_json_key_text(out, "uriBaseId", "%SRCROOT%");
    xds_json_end_object(out);
}

static void put_file(struct job *job, uint32_t file)
{
    const struct xds_slice path = xds_file_from_root(xds_report_file(job->report, file));

    if (!job->uri.data || job->file != file)
        job->uri = uri_of(&job->arena, path);
    job->file = file;
    put_artifact(&job->out, path, job->uri);
}

/* A run that could not read every input has failed, and lists what is missing. */
static void put_invocations(struct job *job)
{
    const struct xds_report *report = job->report;
    struct xds_out *out = &job->out;

    xds_json_key_array(xds_json_line(out), "invocations");
    xds_json_begin_object(out);
    xds_json_key(out, "executionSuccessful");
    xds_json_bool(out, report->input.n_errors == 0);
    if (report->input.n_errors > 0)
        xds_json_key_array(out, "toolExecutionNotifications");
    for (size_t i = 0; i < report->input.n_errors && !out->failed; i++) {
        const struct xds_input_error *error = &report->input.errors[i];
        const struct xds_slice path = xds_file_from_root(error->file);

        xds_json_begin_row(out);
        xds_json_key_text(out, "level", "error");
        put_message(out, "message",
                    xds_arena_printf(&job->arena, "%.*s: %.*s", XDS_FMT(path),
                                     XDS_FMT(error->message)));
        xds_json_key_array(out, "locations");
        xds_json_begin_object(out);
        xds_json_key_object(out, "physicalLocation");
        put_artifact(out, path, uri_of(&job->arena, path));
        if (error->line > 0) {
            xds_json_key(out, "region");
            xds_json_object(out, "startLine: %u", error->line);
        }
        xds_json_end_object(out);
        xds_json_end_object(out);
        xds_json_end_array(out);
        xds_json_end_object(out);
    }
    if (report->input.n_errors > 0)
        xds_json_end_array(out);
    xds_json_end_object(out);
    xds_json_end_array(out);
}

/* "RouteConfiguration/shop/virtual_hosts[0]": the field, whatever file it is in. What a
 * server has sent is in none: the server is its parent. */
static void put_logical(struct job *job, struct xds_where where)
{
    const bool is_answer = xds_report_is_answer(job->report, where.at.file);
    const struct xds_resource_result *resource =
        where.resource == XDS_NO_RESOURCE
            ? NULL
            : xds_report_resource(job->report, where.resource);
    const struct xds_slice server = xds_report_file(job->report, where.at.file);
    const struct xds_slice version = xds_version_of(resource);
    struct xds_out *out = &job->out;

    if (!resource && !is_answer)
        return;
    xds_json_key_array(out, "logicalLocations");
    xds_json_begin_object(out);
    xds_json_key_string(out, "name", resource ? resource->name : server);
    if (resource)
        xds_json_key_parts(out, "fullyQualifiedName", "%.*s/%.*s%s%.*s",
                           XDS_FMT(xds_type_short(resource->type)),
                           XDS_FMT(resource->name), where.path.len > 0 ? "/" : "",
                           XDS_FMT(where.path));
    else
        xds_json_key_string(out, "fullyQualifiedName", server);
    xds_json_key_text(out, "kind", where.path.len > 0 ? "member" : "resource");
    if (is_answer || version.len > 0)
        xds_json_key_object(out, "properties");
    if (is_answer)
        xds_json_key_string(out, "server", server);
    if (version.len > 0)
        xds_json_key_string(out, "version", version);
    if (is_answer || version.len > 0)
        xds_json_end_object(out);
    xds_json_end_object(out);
    xds_json_end_array(out);
}

static void put_physical(struct job *job, struct xds_place place)
{
    struct xds_out *out = &job->out;

    xds_json_key_object(out, "physicalLocation");
    put_file(job, place.file);
    xds_json_key_object(out, "region");
    xds_json_members(out, "startLine: %u, startColumn: %u", place.line, place.column);
    if (place.end_line > place.line || place.end_column > place.column)
        xds_json_members(out, "endLine: %u, endColumn: %u", place.end_line,
                         place.end_column);
    xds_json_end_object(out);
    xds_json_end_object(out);
}

/* The object stays open for what only some locations have. */
static void begin_location(struct job *job, struct xds_where where)
{
    xds_json_begin_object(&job->out);
    if (!xds_report_is_answer(job->report, where.at.file))
        put_physical(job, xds_place_or_start(where.at));
    put_logical(job, where);
}

static void put_related(struct job *job, const struct xds_related *related)
{
    struct xds_out *out = &job->out;

    if (!related)
        return;
    xds_json_key_array(out, "relatedLocations");
    begin_location(job, xds_where_related(related));
    put_message(out, "message", related->message);
    xds_json_end_object(out);
    xds_json_end_array(out);
}

/* ---- results ---- */

/* A comment is in the source, a baseline or a setting beside it. */
static void put_suppression(struct xds_out *out, const struct xds_finding *finding)
{
    static const char *const kinds[] = {
        [XDS_SUPPRESSED_BY_COMMENT] = "inSource",
        [XDS_SUPPRESSED_BY_BASELINE] = "external",
        [XDS_SUPPRESSED_BY_SETTINGS] = "external",
    };

    if (finding->suppressed == XDS_NOT_SUPPRESSED)
        return;
    xds_json_key_array(out, "suppressions");
    xds_json_begin_object(out);
    xds_json_key_text(out, "kind", kinds[finding->suppressed]);
    if (finding->reason.len > 0)
        xds_json_key_string(out, "justification", finding->reason);
    xds_json_end_object(out);
    xds_json_end_array(out);
}

static size_t index_of(const struct job *job, const struct xds_rule *rule)
{
    size_t low = 0, high = XDS_RULES;

    while (low < high) {
        const size_t mid = low + (high - low) / 2;

        if (strcmp(job->rules[mid]->slug, rule->slug) < 0)
            low = mid + 1;
        else
            high = mid;
    }
    return low;
}

/* A rule whose newest verdicts are harmless may still kill the releases that were asked.
 */
static void find_killing_rules(struct job *job)
{
    for (size_t i = 0; i < xds_report_findings(job->report); i++) {
        const struct xds_finding *finding = xds_report_finding(job->report, i);

        for (unsigned c = 0; c < XDS_CLIENTS; c++)
            if (finding->verdict[c] == XDS_CRASH)
                job->kills[index_of(job, finding->rule)] = true;
    }
}

static void put_result(struct job *job, const struct xds_finding *finding)
{
    struct xds_out *out = &job->out;

    xds_json_begin_row(out);
    xds_json_members(out, "ruleId: %s, ruleIndex: %zu", finding->rule->slug,
                     index_of(job, finding->rule));
    xds_json_key_text(out, "level",
                      xds_level_name(finding->level)); /* SARIF's words too */
    xds_json_key_object(out, "message");
    xds_json_key_message(out, "text", job->report, finding);
    xds_json_end_object(out);
    xds_json_key_array(out, "locations");
    begin_location(job, xds_where_of(finding));
    xds_json_end_object(out);
    xds_json_end_array(out);
    put_related(job, finding->related);
    xds_json_key(out, "partialFingerprints");
    xds_json_object(out, "primaryLocationLineHash: %s",
                    xds_fingerprint(&job->fingerprints, job->report, finding).text);
    put_suppression(out, finding);
    xds_json_key_object(out, "properties");
    xds_json_verdicts(out, job->report, finding);
    xds_json_end_object(out);
    xds_json_end_object(out);
}

static void put_document(void *arg)
{
    struct job *job = arg;
    struct xds_out *out = &job->out;

    xds_rules_by_slug(job->rules);
    find_killing_rules(job);
    xds_strmap_init(&job->fingerprints, &job->arena);
    xds_json_begin_object(out);
    xds_json_key(out, "$schema");
    xds_json_text(out, "https://json.schemastore.org/sarif-2.1.0.json");
    xds_json_key_text(out, "version", "2.1.0");
    xds_json_key_array(out, "runs");
    xds_json_begin_object(out);
    put_tool(job);
    xds_json_key(xds_json_line(out), "automationDetails");
    xds_json_object(out, "id: %s", "xdscope/");
    xds_json_key_text(out, "columnKind", "unicodeCodePoints");
    put_invocations(job);
    xds_json_key_array(out, "results");
    for (size_t i = 0; i < xds_report_findings(job->report) && !out->failed; i++)
        put_result(job, xds_report_finding(job->report, i));
    for (size_t i = 0; xds_report_suppressed(job->report, i) && !out->failed; i++)
        put_result(job, xds_report_suppressed(job->report, i));
    xds_json_end_array(out);
    xds_json_end_object(out);
    xds_json_end_array(out);
    xds_json_end_object(out);
    xds_out_char(out, '\n');
}

enum xds_status xds_print_findings_sarif(const struct xds_printer *to,
                                         const struct xds_report *report)
{
    struct job job = {.report = report};

    return xds_out_run(&job.out, &job.arena, to, put_document, &job);
}
