/*
 * cmd_lint.c - xdscope lint: would gRPC clients accept this snapshot?
 *
 * Takes:  PATH operands.
 * Gives:  findings on standard output or in the file of --output; EXIT_FINDINGS when one
 *         is at or above --fail-on.
 */
#include "cli/against.h"
#include "cli/cmd.h"
#include "cli/excerpt.h"
#include "cli/input.h"
#include "cli/output.h"

#include <string.h>

enum { FAIL_ON_ERROR, FAIL_ON_WARNING, FAIL_ON_NOTE };

struct lint_settings {
    struct input_settings input;
    struct text_list clients, select, ignore;
    const char *against;
    unsigned format, fail_on;
    bool exit_zero, statistics;
};

typedef enum xds_status (*print_fn)(const struct xds_printer *to,
                                    const struct xds_report *report);

static const struct format {
    print_fn print;
    bool color;
    bool remark;         /* "nothing to report" on standard error when there is nothing */
    print_fn statistics; /* NULL: this format has none */
} formats[] = {
    {xds_print_findings_text, true, true, xds_print_statistics_text},
    {xds_print_findings_gcc, false, true, NULL},
    {xds_print_findings_json, false, false, xds_print_statistics_json},
    {xds_print_findings_sarif, false, false, NULL},
    {xds_print_findings_github, false, false, NULL},
    {xds_print_findings_junit, false, false, NULL},
    {xds_print_findings_checkstyle, false, false, NULL},
    {xds_print_findings_html, false, false, NULL},
};

static const char *const format_words[] = {
    "text", "gcc", "json", "sarif", "github", "junit", "checkstyle", "html", NULL};
static const char *const client_or_all[] = {"grfc", "core", "go", "java",
                                            "node", "all",  NULL};
static const char *const fail_words[] = {[FAIL_ON_ERROR] = "error",
                                         [FAIL_ON_WARNING] = "warning",
                                         [FAIL_ON_NOTE] = "note",
                                         NULL};

static const struct option rows[] = {
    {.name = "client",
     .kind = OPTION_LIST,
     .argument_name = "LIST",
     .words = client_or_all,
     .offset = offsetof(struct lint_settings, clients),
     .help =
         "whose verdict counts: grfc (default), core, go, java, node or all; separated "
         "by commas or repeated"},
    {.name = "format",
     .letter = 'f',
     .kind = OPTION_WORD,
     .argument_name = "NAME",
     .words = format_words,
     .offset = offsetof(struct lint_settings, format),
     .help = "text (default), gcc, json, sarif, github, junit, checkstyle or html"},
    {.name = "fail-on",
     .kind = OPTION_WORD,
     .argument_name = "LEVEL",
     .words = fail_words,
     .offset = offsetof(struct lint_settings, fail_on),
     .help = "exit with 1 from this level on: error (default), warning, note"},
    {.name = "select",
     .kind = OPTION_LIST,
     .argument = ARGUMENT_RULE,
     .argument_name = "RULES",
     .offset = offsetof(struct lint_settings, select),
     .help = "report only these rules, and what cannot be read"},
    {.name = "ignore",
     .kind = OPTION_LIST,
     .argument = ARGUMENT_RULE,
     .argument_name = "RULES",
     .offset = offsetof(struct lint_settings, ignore),
     .help = "do not report these rules"},
    {.name = "against",
     .kind = OPTION_TEXT,
     .argument = ARGUMENT_FILE,
     .argument_name = "OLD",
     .offset = offsetof(struct lint_settings, against),
     .help = "also look at the way here from an older snapshot, a file or a folder"},
    {.name = "exit-zero",
     .offset = offsetof(struct lint_settings, exit_zero),
     .help = "exit with 0 instead of 1"},
    {.name = "statistics",
     .offset = offsetof(struct lint_settings, statistics),
     .help = "print how often each rule was found instead of the findings"},
};

static const struct option_group lint_options = {rows, ARRAY_LEN(rows)};

/* ---- settings ------------------------------------------------------------------ */

static bool add_client(const struct command *self, struct xds_slice name,
                       unsigned *clients)
{
    enum xds_client client;

    if (name.len == 3 && memcmp(name.data, "all", 3) == 0) {
        *clients = XDS_ALL_CLIENTS;
        return true;
    }
    if (!parse_client(self, name, &client))
        return false;
    *clients |= XDS_CLIENT_BIT(client);
    return true;
}

static bool read_clients(const struct command *self, const struct lint_settings *settings,
                         unsigned *clients)
{
    struct xds_slice name;

    *clients = settings->clients.n > 0 ? 0 : XDS_CLIENT_BIT(XDS_CLIENT_GRFC);
    for (size_t i = 0; i < settings->clients.n; i++)
        for (const char *rest = settings->clients.items[i]; next_piece(&rest, &name);)
            if (!add_client(self, name, clients))
                return false;
    return true;
}

static bool check_rule_names(const struct command *self, const struct text_list *list)
{
    struct xds_slice name;
    const char *hint;

    for (size_t i = 0; i < list->n; i++) {
        for (const char *rest = list->items[i]; next_piece(&rest, &name);) {
            if (xds_rule_find(name, &hint))
                continue;
            (void)unknown_error(self, "rule", name, hint, "xdscope rule lists them");
            return false;
        }
    }
    return true;
}

/* ---- which findings are wanted -------------------------------------------------- */

static bool names_rule(const struct text_list *list, const struct xds_rule *rule)
{
    struct xds_slice name;
    const char *hint;

    for (size_t i = 0; i < list->n; i++)
        for (const char *rest = list->items[i]; next_piece(&rest, &name);)
            if (xds_rule_find(name, &hint) == rule)
                return true;
    return false;
}

static bool is_wanted(const struct xds_finding *finding, void *user)
{
    const struct lint_settings *settings = user;

    if (names_rule(&settings->ignore, finding->rule))
        return false;
    return settings->select.n == 0 || finding->rule->effect == XDS_EFFECT_SYNTAX ||
           names_rule(&settings->select, finding->rule);
}

static enum xds_status keep_wanted(struct xds_report *report,
                                   struct lint_settings *settings)
{
    if (settings->select.n == 0 && settings->ignore.n == 0)
        return XDS_OK;
    return xds_report_keep(report, is_wanted, settings);
}

/* ---- the run ------------------------------------------------------------------- */

static int verdict(const struct lint_settings *settings, struct xds_summary sum)
{
    size_t counted = sum.errors;

    if (settings->exit_zero)
        return EXIT_CLEAN;
    if (settings->fail_on >= FAIL_ON_WARNING)
        counted += sum.warnings;
    if (settings->fail_on >= FAIL_ON_NOTE)
        counted += sum.notes;
    return counted > 0 ? EXIT_FINDINGS : EXIT_CLEAN;
}

static void remark(const struct lint_settings *settings, struct xds_summary sum)
{
    if (settings->input.common.quiet || !formats[settings->format].remark ||
        sum.errors + sum.warnings + sum.notes + sum.nacked > 0)
        return;
    (void)fprintf(stderr, "%zu resource%s: nothing to report\n", sum.resources,
                  sum.resources == 1 ? "" : "s");
}

static int print(const struct command *self, const struct lint_settings *settings,
                 const struct xds_report *report)
{
    const struct format *format = &formats[settings->format];
    const print_fn print_all = settings->statistics ? format->statistics : format->print;
    struct excerpt excerpt;
    struct output out;
    int status = output_open(&out, self, &settings->input.common, format->color);

    if (status != EXIT_CLEAN)
        return status;
    excerpt_init(&excerpt);
    out.printer.line = excerpt_line;
    out.printer.line_user = &excerpt;
    status = output_close(&out, print_all(&out.printer, report));
    excerpt_release(&excerpt);
    return status;
}

/* so_far: what reading came to. */
static int report_all(const struct command *self, struct lint_settings *settings,
                      struct xds_report *report, int so_far)
{
    if (keep_wanted(report, settings) != XDS_OK)
        return trouble(self, "out of memory");
    const struct xds_summary sum = xds_report_summary(report);
    const int status = worse(so_far, print(self, settings, report));

    if (status == EXIT_CLEAN)
        remark(settings, sum);
    return worse(status, verdict(settings, sum));
}

static int run(const struct command *self, void *arg, const struct operands *operands)
{
    struct lint_settings *settings = arg;
    struct input input = {.command = self}, old;
    unsigned clients;

    if (settings->statistics && !formats[settings->format].statistics)
        return usage_error(self, "--statistics is of the formats text and json");
    if (!read_clients(self, settings, &clients) ||
        !check_rule_names(self, &settings->select) ||
        !check_rule_names(self, &settings->ignore))
        return EXIT_USAGE;
    int status = against_read(&old, self, &settings->input, settings->against, clients);

    if (status == EXIT_CLEAN)
        status = input_read(&input, self, &settings->input, operands, clients, false);
    if (status != EXIT_USAGE && input.check)
        status = report_all(self, settings, input.report, status);
    input_release(&input);
    input_release(&old);
    return status;
}

const struct command cmd_lint = {
    .name = "lint",
    .operands = "PATH...",
    .summary = "would gRPC clients accept this snapshot? plus hygiene warnings",
    .operand_kind = OPERANDS_PATHS,
    .groups = (const struct option_group *const[]){&lint_options, &input_options,
                                                   &common_options, NULL},
    .settings_size = sizeof(struct lint_settings),
    .run = run,
};
