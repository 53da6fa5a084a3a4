/* cmd_lint.c - xdscope lint: check whether gRPC clients accept a snapshot. */
#include "cli/files/excerpt.h"
#include "cli/lint/lint.h"

#include <stdlib.h>
#include <string.h>

typedef enum xds_status (*print_fn)(const struct xds_printer *to,
                                    const struct xds_report *report);

static const struct format {
    print_fn print;
    bool color;
    bool remark;         /* "nothing to report" on standard error when there is nothing */
    print_fn statistics; /* NULL: this format has none */
} formats[] = {
#define FORMAT_LINT(word, print, color, remark, statistics)                              \
    {print, color, remark, statistics},
#include "cli/formats.def"
};

static const char *const format_words[] = {
#define FORMAT_LINT(word, ...) word,
#include "cli/formats.def"
    NULL};
static const char *const fail_words[] = {[FAIL_ON_ERROR] = "error",
                                         [FAIL_ON_WARNING] = "warning",
                                         [FAIL_ON_NOTE] = "note",
                                         NULL};

/* What is not named is not for the command line. */
static const char *const role_words[] = {[XDS_ROLE_BY_INPUT] = "auto",
                                         [XDS_ROLE_CLIENT] = "client",
                                         [XDS_ROLE_SERVER] = "server",
                                         [XDS_ROLE_ALL] = "all",
                                         NULL};

static bool check_clients(const struct command *self, const char *value);
static bool check_also(const struct command *self, const char *value);

static const struct option rows[] = {
    {VALUE_ROW(LIST, lint_settings, clients, "client", "LIST"),
     .words = client_or_all_words, .check = check_clients,
     .help = "clients whose verdict counts: {words} (default), each alone for its "
             "newest release or with others: go@1.64, go@1.60..1.72, go@1.60+, all@3y; "
             "separated by commas or repeated"},
    {VALUE_ROW(WORD, lint_settings, format, "format", "NAME"), .letter = 'f',
     .words = format_words, .help = "{words} (default: text)"},
    {VALUE_ROW(LIST, lint_settings, also, "also", "NAME=FILE"),
     .reach = COMMAND_LINE_ONLY, .check = check_also,
     .help = "also write the findings to FILE in another format; may be repeated"},
    {VALUE_ROW(WORD, lint_settings, input.role, "role", "ROLE"), .words = role_words,
     .help = "judge what this role reads: client, server, all, or auto (default), which "
             "leaves out listeners for Envoy beside API listeners"},
    {VALUE_ROW(LIST, lint_settings, input.reachable_from, "reachable-from", "TARGET"),
     .undo = true,
     .help = "judge only what the listener of a target, xds:///NAME, leads to; may be "
             "repeated"},
    {VALUE_ROW(WORD, lint_settings, fail_on, "fail-on", "LEVEL"), .words = fail_words,
     .help =
         "lowest level that makes the exit status 1: error (default), warning or note"},
    {FLAG_ROW(lint_settings, exit_zero, "exit-zero"), .help = "exit with 0 instead of 1"},
    {FLAG_ROW(lint_settings, fail_empty, "fail-empty"),
     .help = "fail if the input has no resource that gRPC reads"},
    {FLAG_ROW(lint_settings, input.each, "each"),
     .help = "each folder with files of its own is one snapshot, judged alone"},
    {VALUE_ROW(TEXT, lint_settings, against, "against", "OLD"), .argument = ARGUMENT_FILE,
     .reach = COMMAND_LINE_ONLY,
     .help =
         "also check the step from an older snapshot, a file or a folder, to this one"},
    {FLAG_ROW(lint_settings, statistics, "statistics"),
     .help = "print the number of findings of each rule instead of the findings"},
};

static const struct option living_rows[] = {
    {VALUE_ROW(TEXT, lint_settings, baseline, "baseline", "FILE"),
     .argument = ARGUMENT_FILE, .undo = true,
     .help =
         "do not report findings that FILE records as known; --no-baseline: report all"},
    {VALUE_ROW(TEXT, lint_settings, write_baseline, "write-baseline", "FILE"),
     .argument = ARGUMENT_FILE, .reach = COMMAND_LINE_ONLY,
     .help = "write the findings to FILE for --baseline and print none"},
    {VALUE_ROW(TEXT, lint_settings, config, "config", "FILE"), .argument = ARGUMENT_FILE,
     .undo = true, .reach = NOT_IN_A_FILE,
     .help = "read settings from FILE instead of xdscope.conf here or in a folder above; "
             "--no-config: from none"},
    {VALUE_ROW(LIST, lint_settings, snapshot, "snapshot", "PATH"),
     .argument = ARGUMENT_FILE,
     .help = "what is judged where no PATH is given; as a setting it also tells the "
             "language server which files belong together; may be repeated"},
    {FLAG_ROW(lint_settings, fix, "fix"), .reach = COMMAND_LINE_ONLY,
     .help = "correct mechanical faults in the files: the case of enum values, misspelt "
             "fields, repeated keys; then judge them"},
    {FLAG_ROW(lint_settings, diff, "diff"), .reach = COMMAND_LINE_ONLY,
     .help = "print what --fix would change and change nothing"},
    {VALUE_ROW(LIST, lint_settings, fix_rules, "fix-rule", "RULES"),
     .argument = ARGUMENT_RULE, .reach = COMMAND_LINE_ONLY, .check = fix_check_rules,
     .help = "with --fix or --diff, also what changes an RPC: route-timeout-not-read"},
    {FLAG_ROW(lint_settings, watch, "watch"), .letter = 'w', .reach = COMMAND_LINE_ONLY,
     .help = "run again whenever the input changes, until interrupted"},
    {FLAG_ROW(lint_settings, stream, "stream"), .reach = COMMAND_LINE_ONLY,
     .help = "judge each input line on its own, as a JSON document, and print one line "
             "of JSON for it"},
};

static const struct option_group lint_options = {.options = rows, .n = ARRAY_LEN(rows)};
static const struct option_group living_options = {
    .options = living_rows,
    .n = ARRAY_LEN(living_rows),
    .title = "Known findings, settings, corrections"};

/* ---- settings ---- */

static bool check_clients(const struct command *self, const char *value)
{
    const struct text_list one = {.items = &value, .n = 1};
    struct xds_options asked;

    return ask_clients(self, &one, &asked);
}

/* The format and the file of --also; false after a message. */
static bool cut_also(const struct command *self, const char *value,
                     const struct format **format, const char **file)
{
    const char *cut = strchr(value, '=');
    struct hint hint = hint_for(value, cut ? (size_t)(cut - value) : 0);

    if (!cut || cut == value || cut[1] == '\0') {
        (void)usage_error(self, "--also: '%s' is not NAME=FILE", value);
        return false;
    }
    *file = cut + 1;
    for (size_t i = 0; i < ARRAY_LEN(formats); i++) {
        *format = &formats[i];
        if (is_text((struct xds_slice){hint.word, hint.len}, format_words[i]))
            return true;
        hint_offer(&hint, format_words[i]);
    }
    (void)unknown_error(self, "format", (struct xds_slice){hint.word, hint.len},
                        hint.best, "xdscope lint --help lists them");
    return false;
}

static bool check_also(const struct command *self, const char *value)
{
    const struct format *format;
    const char *file;

    return cut_also(self, value, &format, &file);
}

/* What --also cannot go with: each place is written once. */
static int check_places(const struct command *self, const struct lint_settings *settings)
{
    const char *output = settings->input.common.output;
    const struct format *format;
    const char *file, *other;

    if (settings->also.n > 0 && settings->write_baseline)
        return usage_error(self, "--also cannot be used with --write-baseline");
    for (size_t i = 0; i < settings->also.n; i++) {
        if (!cut_also(self, settings->also.items[i], &format, &file))
            return EXIT_USAGE;
        bool twice = strcmp(file, output ? output : "-") == 0;

        for (size_t j = 0; j < i && !twice; j++)
            twice = cut_also(self, settings->also.items[j], &format, &other) &&
                    strcmp(file, other) == 0;
        if (twice)
            return usage_error(self, "--also: %s is written already",
                               strcmp(file, "-") == 0 ? "standard output" : file);
    }
    return EXIT_CLEAN;
}

/* ---- the run ---- */

static void remark(const struct lint_settings *settings, struct xds_summary sum)
{
    if (settings->input.common.quiet || !formats[settings->format].remark ||
        sum.errors + sum.warnings + sum.notes + sum.nacked > 0)
        return;
    const size_t n = sum.resources > 0 ? sum.resources : sum.bootstraps;

    (void)fprintf(stderr, "%zu %s%s: nothing to report", n,
                  sum.resources > 0 || n == 0 ? "resource" : "bootstrap",
                  n == 1 ? "" : "s");
    if (sum.suppressed > 0)
        (void)fprintf(stderr, ", %zu suppressed", sum.suppressed);
    if (sum.unjudged > 0)
        (void)fprintf(stderr, ", %zu not judged%s", sum.unjudged,
                      settings->input.reachable_from.n > 0 ? ""
                                                           : " (--role all judges them)");
    (void)fputc('\n', stderr);
}

static int print_to(const struct command *self, const struct common *common,
                    const struct xds_report *report, print_fn print, bool color)
{
    struct excerpt_output out;
    const int status = excerpt_output_open(&out, self, common, color);

    if (status != EXIT_CLEAN)
        return status;
    return excerpt_output_close(&out, print(&out.to.printer, report));
}

static int print(const struct command *self, const struct lint_settings *settings,
                 const struct xds_report *report)
{
    const struct format *format = &formats[settings->format];
    struct common common = settings->input.common;
    int status = print_to(self, &common, report,
                          settings->statistics ? format->statistics : format->print,
                          format->color);

    for (size_t i = 0; i < settings->also.n && status == EXIT_CLEAN; i++)
        if (cut_also(self, settings->also.items[i], &format, &common.output))
            status = print_to(self, &common, report, format->print, format->color);
    return status;
}

/* so_far: what reading came to. */
static int report_all(const struct command *self, const struct lint_settings *settings,
                      const struct input *input, int so_far)
{
    struct xds_report *report = input->report;
    const bool writes = settings->write_baseline != NULL;
    const char *hint;
    int status = writes ? EXIT_CLEAN : baseline_apply(self, settings, report);

    if (status != EXIT_CLEAN)
        return status;
    if (settings->fail_empty)
        xds_report_set_level(report, xds_rule_find(slice_of("no-resources"), &hint),
                             XDS_LEVEL_ERROR);
    if (rules_apply(settings, report) != XDS_OK)
        return trouble(self, "out of memory");
    const struct xds_summary sum = xds_report_summary(report);

    if (writes && so_far == EXIT_CLEAN)
        so_far = baseline_write(self, settings, report);
    if (writes)
        return so_far == EXIT_CLEAN
                   ? lint_unread(input, "a baseline does not record that")
                   : so_far;
    if (so_far == EXIT_CLEAN && lint_counted(settings, sum) == 0)
        so_far = lint_unread(input, UNREAD_IS_HIDDEN);
    status = worse(so_far, print(self, settings, report));
    if (status == EXIT_CLEAN)
        remark(settings, sum);
    return worse(status, lint_verdict(settings, sum));
}

static int lint(const struct command *self, const struct lint_settings *settings,
                const struct operands *operands)
{
    struct input_settings reading = settings->input;
    struct input input = {.command = self}, old;
    struct xds_options asked;

    if (!ask_clients(self, &settings->clients, &asked) || !rules_check(self, settings))
        return EXIT_USAGE;
    if (settings->fix || settings->diff) {
        const int fixed = fix(self, settings, operands, &asked);

        if (settings->diff || fixed != EXIT_CLEAN)
            return fixed;
    }
    reading.bootstraps = true;
    reading.ask_dump = settings->clients.n == 0 && !settings->against;

    int status = against_read(&old, self, &reading, settings->against, &asked);

    if (status == EXIT_CLEAN)
        status = input_read(&input, self, &reading, operands, &asked, false);
    if (status != EXIT_USAGE && input.check) {
        const char *target = xds_report_missing_target(input.report);

        if (target)
            status =
                worse(status, trouble(self,
                                      "--reachable-from: the input has no listener for "
                                      "\"%s\"",
                                      target));
        status = report_all(self, settings, &input, status);
    }
    input_release(&input);
    input_release(&old);
    return status;
}

/* What cannot go with the format. */
static int check_format(const struct command *self, const struct lint_settings *settings)
{
    const struct format *format = &formats[settings->format];

    if (settings->watch && !format->remark)
        return usage_error(
            self, "--watch cannot be used with --format %s, which is for programs",
            format_words[settings->format]);
    if (settings->statistics && !format->statistics)
        return usage_error(self, "--statistics needs the format text or json");
    if (settings->input.role != XDS_ROLE_BY_INPUT && settings->input.reachable_from.n > 0)
        return usage_error(self,
                           "--role cannot be used with --reachable-from, which says "
                           "what is judged");
    return check_places(self, settings);
}

/* What has no meaning where each line is a report. */
static int check_stream(const struct command *self, const struct lint_settings *settings,
                        const struct operands *operands)
{
    const struct {
        bool is_set;
        const char *name;
    } others[] = {
        {settings->watch, "watch"},
        {settings->also.n > 0, "also"},
        {settings->against, "against"},
        {settings->write_baseline, "write-baseline"},
        {settings->statistics, "statistics"},
        {settings->fail_empty, "fail-empty"},
        {settings->input.each, "each"},
        {settings->input.role != XDS_ROLE_BY_INPUT, "role"},
        {settings->input.reachable_from.n > 0, "reachable-from"},
        {settings->input.from != NULL, "from"},
    };

    for (size_t i = 0; i < ARRAY_LEN(others); i++)
        if (others[i].is_set)
            return usage_error(
                self,
                "--%s cannot be used with --stream, which judges each line on its own",
                others[i].name);
    if (options_given(self, operands, "format") &&
        formats[settings->format].print != xds_print_findings_json)
        return usage_error(self,
                           "--stream prints json; --format %s cannot be used with it",
                           format_words[settings->format]);
    return EXIT_CLEAN;
}

/* What has no meaning where files are changed. */
static int check_fix(const struct command *self, const struct lint_settings *settings)
{
    const struct {
        bool given;
        const char *name;
    } others[] = {
        {settings->watch, "watch"},     {settings->stream, "stream"},
        {settings->against, "against"}, {settings->write_baseline, "write-baseline"},
        {settings->input.from, "from"}, {settings->diff && settings->also.n > 0, "also"},
    };

    for (size_t i = 0; i < settings->fix_rules.n; i++)
        if (!fix_check_rules(self, settings->fix_rules.items[i]))
            return EXIT_USAGE;
    if (!settings->fix && !settings->diff)
        return settings->fix_rules.n == 0
                   ? EXIT_CLEAN
                   : usage_error(self, "--fix-rule needs --fix or --diff");
    for (size_t i = 0; i < sizeof others / sizeof *others; i++)
        if (others[i].given)
            return usage_error(self, "--%s cannot be used with --%s", others[i].name,
                               settings->diff ? "diff" : "fix");
    return EXIT_CLEAN;
}

/* The variable XDSCOPE_CONFIG may name the file, so the environment is read before it. */
static int run(const struct command *self, void *arg, const struct operands *operands)
{
    struct lint_settings *settings = arg;
    struct operands judged = *operands;
    struct conf conf = {.command = self,
                        .settings = settings,
                        .operands = operands,
                        .key = &suppress_key};
    int status = conf_read_environment(&conf);

    if (status == EXIT_CLEAN)
        status = conf_read_file(&conf, settings->config,
                                !options_given(self, operands, "config"));
    settings->input.cosmetic = rules_ask_optional(settings);
    if (operands->n == 0 && !settings->input.from) {
        judged.items = (char **)(uintptr_t)settings->snapshot.items;
        judged.n = settings->snapshot.n;
    }
    if (status == EXIT_CLEAN)
        status = check_fix(self, settings);
    if (status == EXIT_CLEAN)
        status = settings->stream ? check_stream(self, settings, &judged)
                                  : check_format(self, settings);
    if (status == EXIT_CLEAN)
        status = settings->stream  ? stream(self, settings, &judged)
                 : settings->watch ? watch(self, settings, &judged, lint)
                                   : lint(self, settings, &judged);
    free(settings->input.known);
    conf_release(&conf);
    return status;
}

const struct command cmd_lint = {
    .name = "lint",
    .operands = "PATH...",
    .summary = "check whether gRPC clients accept a snapshot",
    .operand_kind = OPERANDS_PATHS,
    .groups = (const struct option_group *const[]){&lint_options, &rule_options,
                                                   &living_options, &input_options,
                                                   &jobs_options, &from_options,
                                                   &target_options, &ads_options,
                                                   &peer_options, &common_options, NULL},
    .settings_size = sizeof(struct lint_settings),
    .examples = "lint snapshot/\n"
                "lint --client go@1.64,java -f sarif -o lint.sarif snapshot/",
    .run = run,
};
