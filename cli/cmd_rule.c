/*
 * cmd_rule.c - xdscope rule: all rules, one in full, a row of the spec, or the rules of a
 * log line.
 */
#include "cli/output.h"

#include <stdlib.h>
#include <string.h>

enum { FORMAT_TEXT, FORMAT_JSON };

struct rule_settings {
    struct common common;
    const char *from_log, *spec;
    unsigned format;
    bool man;
};

static const char *const format_words[] = {
    [FORMAT_TEXT] = "text", [FORMAT_JSON] = "json", NULL};

static const struct option rows[] = {
    {VALUE_ROW(TEXT, rule_settings, from_log, "from-log", "TEXT"),
     .help =
         "find the rules of a NACK message or log line of any client; - reads standard "
         "input"},
    {VALUE_ROW(TEXT, rule_settings, spec, "spec", "ID"),
     .help = "facts about gRPC's clients: a row (G31, cluster 1.4/5), a section "
             "(routing 2.4) or a page (cluster)"},
    {VALUE_ROW(WORD, rule_settings, format, "format", "NAME"), .letter = 'f',
     .words = format_words, .help = "text (default) or json"},
    {FLAG_ROW(rule_settings, man, "man"), .hidden = true,
     .help = "print the man page of all rules"},
};

static const struct option_group rule_options = {rows, ARRAY_LEN(rows)};

/* name NULL: all of them. */
static int show_rules(const struct command *self, const struct rule_settings *settings,
                      const char *name)
{
    const bool json = settings->format == FORMAT_JSON;
    const struct xds_rule *rule = NULL;
    struct output out;

    if (name) {
        const char *hint;

        rule = xds_rule_find(slice_of(name), &hint);
        if (!rule)
            return unknown_error(self, "rule", slice_of(name), hint,
                                 "xdscope rule lists them");
    }
    const int status =
        output_open(&out, self, &settings->common, !settings->man && !json);

    if (status != EXIT_CLEAN)
        return status;
    return output_close(&out, settings->man ? xds_print_rules_man(&out.printer)
                              : json        ? xds_print_rule_json(&out.printer, rule)
                                            : xds_print_rule(&out.printer, rule));
}

/* Longer ones are no id. */
#define SPEC_ID_MAX 64

/* An id may be two words: "cluster 1.4/5", or cluster and then 1.4/5. */
static int show_spec(const struct command *self, const struct rule_settings *settings,
                     const struct operands *operands)
{
    const bool json = settings->format == FORMAT_JSON;
    char id[SPEC_ID_MAX];
    const char *hint;
    struct output out;

    (void)snprintf(id, sizeof id, "%s%s%s", settings->spec, operands->n > 0 ? " " : "",
                   operands->n > 0 ? operands->items[0] : "");
    const struct xds_spec *spec = xds_spec_find(slice_of(id), &hint);

    if (!spec)
        return unknown_error(self, "row or section", slice_of(id), hint,
                             "ids are such as G31, 'cluster 1.4/5' and 'routing 2.4'");
    const int status = output_open(&out, self, &settings->common, !json);

    if (status != EXIT_CLEAN)
        return status;
    return output_close(&out, json ? xds_print_spec_json(&out.printer, spec)
                                   : xds_print_spec(&out.printer, spec));
}

/* All of standard input, up to one byte more than a log may have. */
static int read_stdin(const struct command *self, char **buffer, struct xds_slice *text)
{
    *buffer = malloc(XDS_LOG_TEXT_MAX + 1);
    if (!*buffer)
        return trouble(self, "out of memory");
    const size_t n = fread(*buffer, 1, XDS_LOG_TEXT_MAX + 1, stdin);

    *text = (struct xds_slice){*buffer, n};
    return ferror(stdin) ? trouble_errno(self, "standard input") : EXIT_CLEAN;
}

static int read_log(const struct command *self, struct xds_slice text,
                    struct xds_log **log)
{
    switch (xds_log_read(text, log)) {
    case XDS_OK:
        break;
    case XDS_ERR_USAGE:
        return usage_error(
            self, "--from-log takes at most %zu bytes; pass only the part with the error",
            XDS_LOG_TEXT_MAX);
    case XDS_ERR_NO_MEMORY:
    case XDS_ERR_IO:
    case XDS_END:
        return trouble(self, "out of memory");
    }
    return EXIT_CLEAN;
}

static int show_log(const struct command *self, const struct rule_settings *settings,
                    const struct xds_log *log)
{
    const bool json = settings->format == FORMAT_JSON;
    struct output out;
    int status = output_open(&out, self, &settings->common, !json);

    if (status != EXIT_CLEAN)
        return status;
    status = output_close(&out, json ? xds_print_log_json(&out.printer, log)
                                     : xds_print_log_text(&out.printer, log));
    if (!json && !settings->common.quiet && xds_log_errors(log) == 0)
        (void)fputs("no error found\n", stderr);

    /* An empty text has no error to look up. */
    const size_t n = xds_log_errors(log);
    bool found = n > 0;

    for (size_t i = 0; i < n; i++)
        found = found && xds_log_error(log, i)->n_matches > 0;
    return worse(status, found ? EXIT_CLEAN : EXIT_FINDINGS);
}

static int from_log(const struct command *self, const struct rule_settings *settings)
{
    struct xds_slice text = slice_of(settings->from_log);
    struct xds_log *log = NULL;
    char *buffer = NULL;
    int status = EXIT_CLEAN;

    if (strcmp(settings->from_log, "-") == 0)
        status = read_stdin(self, &buffer, &text);
    if (status == EXIT_CLEAN)
        status = read_log(self, text, &log);
    if (status == EXIT_CLEAN)
        status = show_log(self, settings, log);
    xds_log_free(log);
    free(buffer);
    return status;
}

static int run(const struct command *self, void *arg, const struct operands *operands)
{
    const struct rule_settings *settings = arg;

    if (settings->from_log && (operands->n > 0 || settings->spec))
        return usage_error(self, "takes a rule, --spec or --from-log, not both");
    if (settings->from_log)
        return from_log(self, settings);
    if (settings->spec && operands->n > 1)
        return usage_error(self, "--spec takes one id, of one or two words");
    if (settings->spec)
        return show_spec(self, settings, operands);
    if (operands->n > 1)
        return usage_error(self, "takes one rule, not %zu", operands->n);
    return show_rules(self, settings, operands->n == 1 ? operands->items[0] : NULL);
}

const struct command cmd_rule = {
    .name = "rule",
    .operands = "[ID]",
    .summary = "all rules, one in full, facts about clients, or the rules of a log line",
    .operand_kind = OPERANDS_RULES,
    .groups = (const struct option_group *const[]){&rule_options, &common_options, NULL},
    .settings_size = sizeof(struct rule_settings),
    .examples = "rule domain-repeated\n"
                "rule --from-log client.log",
    .run = run,
};
