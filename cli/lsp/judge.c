/*
 * judge.c - what lint says of the text of a document, with the settings of the workspace.
 *
 * The settings are read each time: they are small, and may have changed.
 */
#include "cli/lsp/lsp.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* ---- settings ---- */

/* The command line of a lint with the options of ours. */
static bool parse_options(const struct lsp_server *server, struct lsp_judged *judged)
{
    static char client[] = "--client", config[] = "--config";
    const struct lsp_settings *own = server->settings;
    char **words = lsp_alloc((2 * own->clients.n + 3) * sizeof *words);
    char error[OPTIONS_ERROR_SIZE];
    int n = 0;

    if (!words)
        return trouble(server->command, "out of memory") == EXIT_CLEAN;
    for (size_t i = 0; i < own->clients.n; i++) {
        words[n++] = client;
        words[n++] = (char *)(uintptr_t)own->clients.items[i];
    }
    if (own->config) {
        words[n++] = config;
        words[n++] = (char *)(uintptr_t)own->config;
    }
    const bool good =
        options_parse(&cmd_lint, n, words, &judged->settings, &judged->operands, error);

    judged->operands.items = NULL;
    judged->operands.n = 0;
    free(words);
    if (!good)
        (void)usage_error(server->command, "%s", *error ? error : "out of memory");
    return good;
}

static bool has_snapshot(const struct command *command, const struct text_list *paths)
{
    for (size_t i = 0; i < paths->n; i++)
        if (access(paths->items[i], R_OK) != 0) {
            (void)trouble(command, "snapshot: %s: %s", paths->items[i], strerror(errno));
            return false;
        }
    return true;
}

static bool read_settings(struct lsp_server *server, struct lsp_judged *judged)
{
    static struct command as_lint; /* its options, under our name */
    struct lint_settings *settings = &judged->settings;
    struct xds_options asked;

    as_lint = cmd_lint;
    as_lint.name = server->command->name;
    if (!parse_options(server, judged))
        return false;
    judged->conf = (struct conf){.command = &as_lint,
                                 .settings = settings,
                                 .operands = &judged->operands,
                                 .key = &suppress_key};
    if (conf_read_environment(&judged->conf) != EXIT_CLEAN ||
        conf_read_file(&judged->conf, settings->config,
                       !options_given(&as_lint, &judged->operands, "config")) !=
            EXIT_CLEAN ||
        !has_snapshot(server->command, &settings->snapshot))
        return false;
    settings->input.cosmetic = rules_ask_optional(settings);
    settings->input.bootstraps = true;
    if (!ask_clients(&as_lint, &settings->clients, &asked) ||
        !rules_check(&as_lint, settings) ||
        input_open_lines(&judged->input, &as_lint, &settings->input, &asked) !=
            EXIT_CLEAN)
        return false;
    judged->input.options.each = false;
    return true;
}

/* Say it once, not with each key that is pressed. */
static void say_once(struct lsp_server *server, const char *said)
{
    if (*said != '\0' && (!server->said || strcmp(server->said, said) != 0))
        lsp_show(1, said);
    free(server->said);
    server->said = lsp_copy(slice_of(said));
}

struct lsp_judged *lsp_settings_read(struct lsp_server *server)
{
    struct lsp_judged *judged = lsp_alloc(sizeof *judged);
    char *said = NULL;
    size_t len;
    FILE *messages = judged ? open_memstream(&said, &len) : NULL;

    if (judged)
        *judged = (struct lsp_judged){.root = server->root, .users = 1};
    if (!messages) {
        lsp_lack();
        free(judged);
        return NULL;
    }
    FILE *before = messages_to(messages);
    const bool good = read_settings(server, judged);

    (void)messages_to(before);
    (void)fclose(messages);
    if (said && len > 0 && said[len - 1] == '\n')
        said[len - 1] = '\0';
    if (!said || strstr(said, "out of memory"))
        lsp_lack();
    if (said)
        say_once(server, said);
    free(said);
    if (good)
        return judged;
    lsp_judged_free(judged);
    return NULL;
}

void lsp_judged_free(struct lsp_judged *judged)
{
    if (!judged || --judged->users > 0)
        return;
    xds_report_free(judged->report);
    input_release(&judged->input);
    free(judged->settings.input.known);
    conf_release(&judged->conf);
    options_release(&judged->operands);
    free(judged);
}

/* ---- what is judged ---- */

struct judging {
    struct lsp_server *server;
    struct lsp_judged *judged;
    const struct lsp_document *document;
    struct xds_slice text; /* of the document */
    struct xds_source *source;
};

static bool add_path(const struct judging *j, const char *path)
{
    char *name = realpath(path, NULL); /* as those of documents */

    if (name)
        lsp_strip_root(j->server, name);
    const bool good = name && xds_source_add(j->source, name) == XDS_OK;

    free(name);
    return good;
}

/* The file is as it is open. False when it is not of the snapshot. */
static bool replace(const struct judging *j, const struct lsp_document *document,
                    struct xds_slice text)
{
    struct lsp_buffer path = {.data = NULL}; /* where the snapshot is the workspace */

    if (xds_source_replace(j->source, slice_of(document->name), text))
        return true;
    lsp_buffer_format(&path, "%s/%s", j->server->root ? j->server->root : "",
                      document->name);
    const bool found =
        path.data && xds_source_replace(j->source, slice_of(path.data), text);

    free(path.data);
    return found;
}

/* Files of the snapshot are as they are open. Is the document one of them? */
static bool replace_open(const struct judging *j)
{
    for (struct lsp_document *d = j->server->documents; d; d = d->next) {
        const struct xds_slice open = {d->text.data, d->text.len};

        d->is_in_snapshot = open.data && replace(j, d, d == j->document ? j->text : open);
    }
    return j->document->is_in_snapshot;
}

/* The snapshot of the settings; NULL: there is none, or the document is not in it. */
static struct xds_source *open_snapshot(struct judging *j)
{
    const struct text_list *paths = &j->judged->settings.snapshot;
    bool good = paths->n > 0;

    j->source = good ? xds_source_new(j->judged->report, j->judged->input.type) : NULL;
    if (!j->source) {
        if (good)
            lsp_lack();
        return NULL;
    }
    for (size_t i = 0; i < paths->n && good; i++)
        good = add_path(j, paths->items[i]);
    j->judged->is_shared = good && replace_open(j);
    if (j->judged->is_shared)
        return j->source;
    xds_source_free(j->source);
    return NULL;
}

static struct xds_source *open_alone(const struct judging *j)
{
    struct xds_source *source = xds_source_new(j->judged->report, j->judged->input.type);

    if (source && xds_source_add_bytes(source, j->document->name, j->text) == XDS_OK)
        return source;
    xds_source_free(source);
    return NULL;
}

/* ---- findings ---- */

/* A file that is read for a finding, such as the baseline, may be missing. */
static bool judge(struct judging *j)
{
    struct lsp_judged *judged = j->judged;
    const struct input *input = &judged->input;
    struct xds_report *report = xds_report_new(&input->options);

    judged->report = report;
    struct xds_source *source = report ? open_snapshot(j) : NULL;

    if (report && !source)
        source = open_alone(j);
    struct xds_check *check = source ? xds_check_new(report, false) : NULL;
    bool good = check != NULL;

    /* Between two keys that are pressed most resources stay as they are. */
    if (good && !input->options.each_time)
        good = xds_check_remember(check, j->server->memo) == XDS_OK;
    if (good) {
        const enum xds_status status = xds_check_all(check, source, 1, NULL, NULL);

        good = (status == XDS_OK || status == XDS_END || status == XDS_ERR_IO) &&
               xds_check_finish(check, source) == XDS_OK;
    }
    if (good) {
        xds_report_sort(report);
        good =
            baseline_apply(j->server->command, &judged->settings, report) == EXIT_CLEAN &&
            rules_apply(&judged->settings, report) == XDS_OK;
    }
    xds_source_free(source);
    xds_check_free(check);
    return good;
}

struct lsp_judged *lsp_judge(struct lsp_server *server,
                             const struct lsp_document *document, struct xds_slice text,
                             bool each_time)
{
    struct judging judging = {.server = server,
                              .judged = lsp_settings_read(server),
                              .document = document,
                              .text = text};

    if (judging.judged)
        judging.judged->input.options.each_time = each_time;
    if (judging.judged && judge(&judging))
        return judging.judged;
    if (judging.judged)
        lsp_lack();
    lsp_judged_free(judging.judged);
    return NULL;
}

/* With the other documents whose files it has judged. */
static void share(struct lsp_server *server, struct lsp_judged *judged)
{
    for (struct lsp_document *d = server->documents; d; d = d->next)
        if (!d->judged && !d->is_lost && d->is_in_snapshot) {
            d->judged = judged;
            judged->users++;
        }
}

const struct lsp_judged *lsp_document_judged(struct lsp_server *server,
                                             struct lsp_document *document)
{
    const struct xds_slice text = {document->text.data, document->text.len};

    if (document->judged || document->is_lost || !text.data)
        return document->judged;
    document->judged = lsp_judge(server, document, text, false);
    if (document->judged && document->judged->is_shared)
        share(server, document->judged);
    return document->judged;
}

struct xds_slice lsp_file(const struct lsp_judged *judged,
                          const struct xds_report *report, uint32_t file)
{
    const struct xds_slice name = xds_report_file(report, file);
    const size_t len = judged->root ? strlen(judged->root) : 0;

    if (len == 0 || name.len <= len + 1 || memcmp(name.data, judged->root, len) != 0 ||
        name.data[len] != '/')
        return name;
    return (struct xds_slice){name.data + len + 1, name.len - len - 1};
}

bool lsp_is_in(const struct lsp_judged *judged, const struct lsp_document *document,
               const struct xds_finding *finding)
{
    return is_text(lsp_file(judged, judged->report, finding->at.file), document->name);
}

bool lsp_is_ours(const struct lsp_judged *judged, const struct lsp_document *document)
{
    static const char *const others[] = {"input-not-xds", "resource-type-unknown",
                                         "no-resources", "file-not-xds"};
    const struct xds_report *report = judged->report;

    for (size_t i = 0; i < xds_report_resources(report); i++)
        if (is_text(lsp_file(judged, report, xds_report_resource(report, i)->at.file),
                    document->name))
            return true;
    for (size_t i = 0; i < xds_report_findings(report); i++) {
        const struct xds_finding *finding = xds_report_finding(report, i);
        const char *slug = finding->rule->slug;
        bool is_other = !lsp_is_in(judged, document, finding);

        for (size_t k = 0; k < ARRAY_LEN(others); k++)
            is_other |= strcmp(slug, others[k]) == 0;
        if (!is_other)
            return true;
    }
    return false;
}
