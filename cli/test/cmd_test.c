/* cmd_test.c - xdscope test: expectations on where RPCs go, with route coverage. */
#include "cli/options/common.h"
#include "cli/files/excerpt.h"
#include "cli/files/input.h"
#include "cli/files/output.h"
#include "cli/test/test_update.h"

#include <stdlib.h>
#include <string.h>

struct test_settings {
    struct input_settings input;
    const char *client, *run, *fail_under, *coverage_html, *router_check;
    const char *route_config;
    unsigned format;
    bool coverage, only_failures, init, update, diff;
};

typedef enum xds_status (*print_fn)(const struct xds_printer *to,
                                    const struct xds_suite_results *results,
                                    const struct xds_suite_view *view);

static const struct format {
    print_fn print;
    bool color;
} formats[] = {
#define FORMAT_TEST(word, print, color) {print, color},
#include "cli/formats.def"
};

static const char *const format_words[] = {
#define FORMAT_TEST(word, ...) word,
#include "cli/formats.def"
    NULL};

static const struct option rows[] = {
    {VALUE_ROW(TEXT, test_settings, client, "client", "NAME"), .words = client_words,
     .help = "client that sends the RPCs ({words}); overrides the files"},
    {FLAG_ROW(test_settings, init, "init"),
     .help = "write a first file of tests for the snapshot that the operands are: an RPC "
             "for each route, and where it goes now"},
    {FLAG_ROW(test_settings, update, "update"),
     .help = "change expectations that differ, or are empty, in the files to what "
             "happens now"},
    {FLAG_ROW(test_settings, diff, "diff"),
     .help = "print what --update would change and change nothing"},
    {VALUE_ROW(TEXT, test_settings, router_check, "from-router-check", "FILE"),
     .argument = ARGUMENT_FILE,
     .help = "run the tests of a file of Envoy's router_check_tool; the operands are the "
             "snapshot"},
    {VALUE_ROW(TEXT, test_settings, route_config, "route-config", "NAME"),
     .argument = ARGUMENT_ROUTE_CONFIG,
     .help =
         "where RPCs start whose test names no target, listener or route configuration"},
    {VALUE_ROW(TEXT, test_settings, run, "run", "REGEX"),
     .help = "run only cases whose name matches this regular expression"},
    {FLAG_ROW(test_settings, only_failures, "only-failures"),
     .help = "do not print cases that pass"},
    {FLAG_ROW(test_settings, coverage, "coverage"),
     .help = "list routes and weighted targets that no case covers"},
    {VALUE_ROW(TEXT, test_settings, coverage_html, "coverage-html", "FILE"),
     .argument = ARGUMENT_FILE,
     .help = "write a page of all routes and the cases that cover them to FILE"},
    {VALUE_ROW(TEXT, test_settings, fail_under, "fail-under", "PCT"),
     .help = "fail if coverage is below this percentage, from 0 to 100"},
    {VALUE_ROW(WORD, test_settings, format, "format", "NAME"), .letter = 'f',
     .words = format_words, .help = "{words} (default: text)"},
};

static const struct option_group test_options = {.options = rows, .n = ARRAY_LEN(rows)};

/* ---- settings ---- */

/* Plain decimal, not strtod's hexadecimal, "inf" or "nan". */
static bool read_percent(const char *text, double *percent)
{
    char *end;

    if (*text == '\0' || text[strspn(text, "0123456789.")] != '\0')
        return false;
    *percent = strtod(text, &end);
    return *end == '\0' && *percent >= 0 && *percent <= 100;
}

static int read_view(const struct command *self, const struct test_settings *settings,
                     struct xds_suite_view *view)
{
    *view = (struct xds_suite_view){.only_failures = settings->only_failures,
                                    .coverage = settings->coverage};
    if (!settings->fail_under)
        return EXIT_CLEAN;
    view->coverage = view->has_limit = true;
    if (read_percent(settings->fail_under, &view->limit))
        return EXIT_CLEAN;
    return usage_error(self, "--fail-under: '%s' is not a percentage from 0 to 100",
                       settings->fail_under);
}

/* Two documents in one file are none. */
static int check_page(const struct command *self, const struct test_settings *settings)
{
    const char *page = settings->coverage_html;
    const char *results = settings->input.common.output;

    if (!page || strcmp(page, results ? results : "-") != 0)
        return EXIT_CLEAN;
    return usage_error(
        self, "--coverage-html: the results go to '%s' already, see --output", page);
}

/* ---- running ---- */

/* A file that cannot be read does not keep us from the others. */
static int add_files(const struct command *self, const struct test_settings *settings,
                     struct xds_suite *suite, const struct operands *operands)
{
    const char *const *files = settings->router_check
                                   ? &settings->router_check
                                   : (const char *const *)(void *)operands->items;
    const size_t n = settings->router_check ? 1 : operands->n;
    int status = EXIT_CLEAN;

    for (size_t i = 0; i < n; i++)
        if (xds_suite_add(suite, files[i]) != XDS_OK)
            status = trouble_errno(self, files[i]);
    return status;
}

static int tell_unread(const struct command *self,
                       const struct xds_suite_results *results)
{
    int status = EXIT_CLEAN;

    for (size_t i = 0; i < results->n_files; i++) {
        const struct xds_suite_file *file = &results->files[i];

        if (file->unread.data)
            status = trouble(self, "%.*s: %.*s", (int)file->unread.len, file->unread.data,
                             (int)file->why.len, file->why.data);
    }
    return status;
}

static int fault_status(const struct xds_suite_results *results)
{
    if (results->unread > 0)
        return EXIT_TROUBLE;
    return results->n_faults > 0 ? EXIT_USAGE : EXIT_CLEAN;
}

static int verdict(const struct command *self, const struct test_settings *settings,
                   const struct xds_suite_results *results,
                   const struct xds_suite_view *view)
{
    int status = fault_status(results);

    if (results->failed)
        status = worse(status, EXIT_FINDINGS);
    if (view->has_limit && results->percent < view->limit)
        status = worse(status, EXIT_FINDINGS);
    if (results->cases > 0 || status != EXIT_CLEAN)
        return status;
    if (results->not_run > 0)
        (void)usage_error(self, "--run: no case name matches '%s'", settings->run);
    else if (settings->router_check)
        (void)usage_error(self,
                          "--from-router-check: no test of '%s' expects what gRPC "
                          "has",
                          settings->router_check);
    return EXIT_FINDINGS;
}

static int print(const struct command *self, const struct test_settings *settings,
                 const struct xds_suite_results *results,
                 const struct xds_suite_view *view)
{
    const struct format *format = &formats[settings->format];
    struct excerpt_output out;
    const int status =
        excerpt_output_open(&out, self, &settings->input.common, format->color);

    if (status != EXIT_CLEAN)
        return status;
    return excerpt_output_close(&out, format->print(&out.to.printer, results, view));
}

static int print_page(const struct command *self, const struct test_settings *settings,
                      const struct xds_suite_results *results)
{
    struct common common = settings->input.common;
    struct output out;

    if (!settings->coverage_html)
        return EXIT_CLEAN;
    common.output = settings->coverage_html;
    const int status = output_open(&out, self, &common, false);

    if (status != EXIT_CLEAN)
        return status;
    return output_close(&out, xds_print_coverage_html(&out.printer, results));
}

static int run_suite(const struct command *self, const struct test_settings *settings,
                     struct xds_suite *suite, const struct operands *operands,
                     const struct xds_suite_view *view)
{
    const struct xds_suite_results *results = xds_suite_results(suite);
    int status = add_files(self, settings, suite, operands);

    if (xds_suite_run(suite) != XDS_OK)
        return trouble(self, "out of memory");
    status = worse(status, tell_unread(self, results));
    /* Of nothing there is nothing to say to a person. */
    if (status == EXIT_TROUBLE && results->n_files == 0 &&
        formats[settings->format].color)
        return status;
    status = worse(status, print(self, settings, results, view));
    status = worse(status, print_page(self, settings, results));
    if (status == EXIT_TROUBLE)
        return status;
    if (results->n_faults > 0 && results->cases == 0 && settings->router_check)
        status = worse(status, tell_kind(self, settings->router_check,
                                         "a file of router_check_tool"));
    else if (results->n_faults > 0 && results->cases == 0)
        status =
            worse(status,
                  tell_kind_of_each(self, operands,
                                    "a file of tests; --init writes one for a snapshot"));
    return worse(status, verdict(self, settings, results, view));
}

/* What the run has found goes into the files. */
static int update_files(const struct command *self, const struct test_settings *settings,
                        struct xds_suite *suite, const struct xds_suite_settings *wanted,
                        const struct operands *operands)
{
    const struct xds_suite_results *results = xds_suite_results(suite);
    const struct xds_printer errors = error_printer(&settings->input.common);
    struct output out;
    int status = add_files(self, settings, suite, operands);

    if (xds_suite_run(suite) != XDS_OK)
        return trouble(self, "out of memory");
    status = worse(status, tell_unread(self, results));
    if (results->n_faults > 0) {
        status = worse(status, fault_status(results));
        if (xds_print_findings_gcc(&errors, results->faults) != XDS_OK)
            return EXIT_TROUBLE;
    }
    const int opened = output_open(&out, self, &settings->input.common, false);

    if (opened != EXIT_CLEAN)
        return opened;
    const struct test_update call = {.self = self,
                                     .common = &settings->input.common,
                                     .wanted = wanted,
                                     .diff = settings->diff,
                                     .out = out.file};

    status = worse(status, test_update(&call, results));
    if (status == EXIT_TROUBLE) {
        output_drop(&out);
        return status;
    }
    return worse(status, output_close(&out, XDS_OK));
}

static int make_and_run(const struct command *self, const struct test_settings *settings,
                        const struct xds_suite_settings *wanted,
                        const struct operands *operands,
                        const struct xds_suite_view *view)
{
    struct xds_suite *suite;
    struct xds_slice error = {"", 0};
    const enum xds_status status = xds_suite_new(wanted, &suite, &error);
    int result;

    if (status == XDS_OK && wanted->update)
        result = update_files(self, settings, suite, wanted, operands);
    else if (status == XDS_OK)
        result = run_suite(self, settings, suite, operands, view);
    else if (status == XDS_ERR_USAGE)
        result = usage_error(self, "--run: '%s' is not a valid regular expression: %.*s",
                             settings->run, (int)error.len, error.data);
    else
        result = trouble(self, "out of memory");
    xds_suite_free(suite);
    return result;
}

/* ---- the command ---- */

static int check_update(const struct command *self, const struct test_settings *settings,
                        const struct operands *operands)
{
    const char *other = settings->init            ? "init"
                        : settings->router_check  ? "from-router-check"
                        : settings->run           ? "run"
                        : settings->coverage_html ? "coverage-html"
                                                  : NULL;

    if (other)
        return usage_error(self, "--%s cannot be used with --update and --diff", other);
    for (size_t i = 0; i < operands->n; i++)
        if (strcmp(operands->items[i], "-") == 0)
            return usage_error(self, "--update cannot change standard input");
    return EXIT_CLEAN;
}

/* TESTS, or the snapshot that --init and --from-router-check are about. */
static int check_operands(const struct command *self,
                          const struct test_settings *settings,
                          const struct operands *operands)
{
    const bool is_snapshot = settings->router_check || settings->init;

    if (operands->n == 0 && !(settings->input.from && is_snapshot))
        return usage_error(
            self, settings->router_check ? "--from-router-check needs a snapshot PATH"
                  : settings->init       ? "--init needs a snapshot PATH"
                                         : "needs a TESTS file; - is standard input");
    if (settings->input.from && is_snapshot && operands->n > 0)
        return usage_error(self, "--from takes the place of the snapshot PATH");
    return EXIT_CLEAN;
}

static int run(const struct command *self, void *arg, const struct operands *operands)
{
    static const char *const none[] = {NULL};
    const struct test_settings *settings = arg;
    struct xds_suite_settings wanted = {.run = slice_of(settings->run),
                                        .route_config = slice_of(settings->route_config)};
    struct xds_parsed *bootstrap = NULL;
    struct xds_suite_view view;
    struct xds_options asked = {.clients = 0};
    enum xds_client client;

    if (check_operands(self, settings, operands) != EXIT_CLEAN)
        return EXIT_USAGE;
    wanted.update = settings->update || settings->diff;
    if (wanted.update && check_update(self, settings, operands) != EXIT_CLEAN)
        return EXIT_USAGE;
    if (!ask_client(self, settings->client, &asked, &client))
        return EXIT_USAGE;
    if (settings->init && settings->route_config)
        return usage_error(self, "--init writes where each RPC starts; --route-config "
                                 "cannot be used with it");
    if (settings->init)
        return first_write(self, &settings->input, operands, &asked, client,
                           xds_suite_write_first,
                           "gets to a route of this snapshot; xdscope show --routes has "
                           "those that it skips");
    asked.clients = XDS_ALL_CLIENTS;
    if (!input_read_type(self, settings->input.type, &wanted.type))
        return EXIT_USAGE;
    int status = read_view(self, settings, &view);

    if (status == EXIT_CLEAN)
        status = check_page(self, settings);
    if (status == EXIT_CLEAN)
        status = input_options_read(self, &settings->input, &asked, &wanted.options);
    if (status == EXIT_CLEAN)
        status =
            input_read_bootstrap(self, &settings->input, &bootstrap, &wanted.options);
    if (status == EXIT_CLEAN)
        status =
            input_fetch(self, &settings->input, &wanted.options, bootstrap, &wanted.held);
    wanted.held_name = settings->input.from;
    wanted.client = settings->client ? &client : NULL;
    if (settings->router_check) {
        wanted.snapshots =
            operands->n > 0 ? (const char *const *)(void *)operands->items : none;
        wanted.n_snapshots = operands->n;
    }
    wanted.coverage = view.coverage || settings->coverage_html;
    wanted.explanations = settings->input.common.verbose;
    if (status == EXIT_CLEAN)
        status = make_and_run(self, settings, &wanted, operands, &view);
    slurp_free(wanted.held);
    xds_parsed_free(bootstrap);
    return status;
}

const struct command cmd_test = {
    .name = "test",
    .operands = "TESTS...",
    .summary = "run tests of where RPCs go, with route coverage",
    .operand_kind = OPERANDS_PATHS,
    .groups =
        (const struct option_group *const[]){&test_options, &input_options, &from_options,
                                             &target_options, &ads_options, &peer_options,
                                             &common_options, NULL},
    .settings_size = sizeof(struct test_settings),
    .examples = "test --init snapshot/ >shop.tests.yaml\n"
                "test --coverage shop.tests.yaml\n"
                "test --from ads://localhost:18000 --target xds:///shop shop.tests.yaml",
    .run = run,
};
