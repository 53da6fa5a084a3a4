/*
 * judge.c - what lint says of the text of a document, with the settings of the workspace.
 *
 * The settings are read each time: they are small, and may have changed.
 */
#include "cli/lsp/lsp.h"

#include <stdlib.h>
#include <string.h>

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
            EXIT_CLEAN)
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
        *judged = (struct lsp_judged){.report = NULL};
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
    if (!judged)
        return;
    xds_report_free(judged->report);
    input_release(&judged->input);
    free(judged->settings.input.known);
    conf_release(&judged->conf);
    options_release(&judged->operands);
    free(judged);
}

/* ---- findings ---- */

/* A file that is read for a finding, such as the baseline, may be missing. */
static bool judge(struct lsp_server *server, struct lsp_judged *judged, const char *name,
                  struct xds_slice text)
{
    const struct input *input = &judged->input;
    struct xds_report *report = xds_report_new(&input->options);
    struct xds_check *check = report ? xds_check_new(report, false) : NULL;
    struct xds_source *source = check ? xds_source_new(report, input->type) : NULL;
    bool good = source && xds_source_add_bytes(source, name, text) == XDS_OK;

    judged->report = report;
    /* Between two keys that are pressed most resources stay as they are. */
    if (good && !input->options.each_time)
        good = xds_check_remember(check, server->memo) == XDS_OK;
    if (good) {
        const enum xds_status status = xds_check_all(check, source, 1, NULL, NULL);

        good = (status == XDS_OK || status == XDS_END) &&
               xds_check_finish(check, source) == XDS_OK;
    }
    if (good) {
        xds_report_sort(report);
        good = baseline_apply(server->command, &judged->settings, report) == EXIT_CLEAN &&
               rules_apply(&judged->settings, report) == XDS_OK;
    }
    xds_source_free(source);
    xds_check_free(check);
    return good;
}

struct lsp_judged *lsp_judge(struct lsp_server *server, const char *name,
                             struct xds_slice text, bool each_time)
{
    struct lsp_judged *judged = lsp_settings_read(server);

    if (judged)
        judged->input.options.each_time = each_time;
    if (judged && judge(server, judged, name, text))
        return judged;
    if (judged)
        lsp_lack();
    lsp_judged_free(judged);
    return NULL;
}

const struct lsp_judged *lsp_document_judged(struct lsp_server *server,
                                             struct lsp_document *document)
{
    const struct xds_slice text = {document->text.data, document->text.len};

    if (!document->judged && !document->is_lost && text.data)
        document->judged = lsp_judge(server, document->name, text, false);
    return document->judged;
}

bool lsp_is_ours(const struct lsp_judged *judged)
{
    static const char *const others[] = {"input-not-xds", "resource-type-unknown",
                                         "no-resources", "file-not-xds"};
    const struct xds_report *report = judged->report;

    if (xds_report_resources(report) > 0)
        return true;
    for (size_t i = 0; i < xds_report_findings(report); i++) {
        const char *slug = xds_report_finding(report, i)->rule->slug;
        bool is_other = false;

        for (size_t k = 0; k < ARRAY_LEN(others); k++)
            is_other |= strcmp(slug, others[k]) == 0;
        if (!is_other)
            return true;
    }
    return false;
}
