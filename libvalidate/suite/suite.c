/* suite.c - the files of tests: read one after the other, and run. */
#include "suite/inner.h"

#include <errno.h>
#include <stdlib.h>

/* ---- a suite ---- */

struct call {
    struct xds_suite *suite;
    const char *path;
    const struct xds_input *input;
    struct xds_slice *error;
    bool good;
};

static enum xds_status guarded(struct call *call, void (*body)(void *))
{
    struct xds_suite *s = call->suite;
    struct xds_arena *arenas[2 * XDS_TREE_FILE_ARENAS + 6] = {
        &s->run_arena, &s->document, &s->case_arena,
        &s->rpc,       &s->resource, &s->report->arena};

    xds_tree_file_arenas(&s->reading, arenas + 6);
    xds_tree_file_arenas(&s->beside, arenas + 6 + XDS_TREE_FILE_ARENAS);
    const enum xds_status status =
        xds_arena_guard(arenas, XDS_ARRAY_LEN(arenas), body, call);
    return xds_regex_cache_failed(s->regexes) ? XDS_ERR_NO_MEMORY : status;
}

/* A name is looked through for the regex; a regex is asked for the whole of a text. */
static void compile_run(void *arg)
{
    struct call *call = arg;
    struct xds_suite *s = call->suite;
    const struct xds_slice own = xds_arena_dup(&s->run_arena, s->settings.run);
    const struct xds_slice anywhere =
        xds_arena_printf(&s->run_arena, "(?s:.*)(?:%.*s)(?s:.*)", XDS_FMT(own));

    s->settings.run = own;
    call->good = xds_regex_get(s->regexes, own, call->error) != NULL;
    if (!call->good)
        return;
    s->run = xds_regex_get(s->regexes, anywhere, call->error);
    call->good = s->run != NULL;
}

enum xds_status xds_suite_new(const struct xds_suite_settings *settings,
                              struct xds_suite **out, struct xds_slice *error)
{
    struct xds_suite *s = calloc(1, sizeof *s);
    struct call call = {.suite = s, .error = error, .good = true};

    *out = s;
    if (!s)
        return XDS_ERR_NO_MEMORY;
    s->settings = *settings;
    if (settings->client) {
        s->client = *settings->client;
        s->settings.client = &s->client;
    }
    s->report = xds_report_new(&s->settings.options);
    s->regexes = s->report ? xds_regex_cache_new() : NULL;
    xds_arena_init(&s->run_arena, XDS_MAX_RESULT_BYTES);
    s->reading.fd = s->beside.fd = -1;
    s->inputs = (struct xds_inputs){.arena = &s->run_arena, .report = s->report};
    if (!s->regexes) {
        xds_suite_free(s);
        *out = NULL;
        return XDS_ERR_NO_MEMORY;
    }
    const enum xds_status status =
        settings->run.data ? guarded(&call, compile_run) : XDS_OK;

    return status == XDS_OK && !call.good ? XDS_ERR_USAGE : status;
}

void xds_suite_free(struct xds_suite *suite)
{
    if (!suite)
        return;
    xds_suite_end_snapshots(suite);
    xds_tree_file_release(&suite->reading);
    xds_tree_file_release(&suite->beside);
    xds_regex_cache_free(suite->regexes);
    xds_report_free(suite->report);
    xds_arena_release(&suite->run_arena);
    xds_arena_release(&suite->document);
    xds_arena_release(&suite->case_arena);
    xds_arena_release(&suite->rpc);
    xds_arena_release(&suite->resource);
    free(suite);
}

const struct xds_suite_results *xds_suite_results(const struct xds_suite *suite)
{
    return &suite->results;
}

/* ---- inputs ---- */

/* Of a folder only what can be a file of tests. */
static bool is_text(const struct xds_input *input)
{
    switch (xds_input_ending(input->path)) {
    case XDS_ENDING_JSON:
    case XDS_ENDING_YAML:
        return true;
    case XDS_ENDING_NONE:
    case XDS_ENDING_JSON_LINES:
    case XDS_ENDING_BINARY:
    case XDS_ENDING_TEXT_PROTO:
        break;
    }
    return false;
}

static void add_path(void *arg)
{
    struct call *call = arg;
    struct xds_inputs *inputs = &call->suite->inputs;
    const size_t before = inputs->n;
    size_t n = before;

    call->good = xds_inputs_add_path(inputs, call->path);
    for (size_t i = before; i < inputs->n; i++) {
        const struct xds_input *input = &inputs->items[i];

        if (is_text(input) || xds_slice_is(xds_slice_of(call->path), input->path))
            inputs->items[n++] = *input;
    }
    inputs->n = n;
}

enum xds_status xds_suite_add(struct xds_suite *suite, const char *path)
{
    struct call call = {.suite = suite, .path = path};
    const enum xds_status status = guarded(&call, add_path);

    xds_inputs_close(&suite->inputs);
    return status == XDS_OK && !call.good ? XDS_ERR_IO : status;
}

static void add_bytes(void *arg)
{
    const struct call *call = arg;
    struct xds_suite *s = call->suite;
    struct xds_input input = *call->input;

    input.path = xds_arena_strdup(&s->run_arena, input.path);
    xds_inputs_add(&s->inputs, input);
}

enum xds_status xds_suite_add_bytes(struct xds_suite *suite, const char *name,
                                    struct xds_slice bytes)
{
    const struct xds_input input = {
        .kind = XDS_INPUT_BYTES, .path = name, .bytes = bytes.data ? bytes : XDS_S("")};
    struct call call = {.suite = suite, .input = &input};

    return guarded(&call, add_bytes);
}

/* ---- one file ---- */

static void begin_file(struct xds_suite *s, const char *name)
{
    s->files =
        xds_list_room(&s->run_arena, s->files, s->results.n_files, sizeof *s->files);
    s->results.files = s->files;
    s->file = &s->files[s->results.n_files++];
    *s->file = (struct xds_suite_file){.name = xds_slice_of(name)};
    s->cases = NULL;
    s->rejected = NULL;
}

static void run_tests(struct xds_suite *s, const struct xds_tree *members)
{
    struct xds_tree converted = *members;

    if (s->settings.snapshots) {
        members = &converted;
        if (!xds_suite_from_router_check(s, &converted))
            return;
    }
    if (!xds_suite_read_head(s, members) || !xds_suite_snapshot(s, s->head.first))
        return;

    const struct xds_tree *cases = s->head.cases;

    xds_strmap_init(&s->names, &s->document);
    s->n_expanded = 0;
    for (size_t i = 0; i < cases->n && s->status == XDS_OK; i++) {
        xds_arena_reset(&s->case_arena);
        xds_suite_run_case(s, &cases->items[i]);
    }
    xds_suite_list_rejected(s);
    s->results.cases += s->file->n_cases;
    s->results.failed += s->file->n_failed;
    s->results.not_run += s->file->n_not_run;
}

/* A file that cannot be read on looks like one that ends too early. */
static bool is_unreadable(struct xds_suite *s)
{
    const int error = s->reading.buffer.error;

    if (error)
        (void)xds_suite_cannot_read(s, s->file->name, xds_slice_of(strerror(error)));
    return error;
}

static bool text_fault(struct xds_suite *s, const struct xds_source_fault *fault)
{
    if (is_unreadable(s))
        return false;
    s->results.unread++;
    xds_report_at(s->report, xds_rule_row(fault->rule), XDS_NO_RESOURCE, fault->at, "%s",
                  fault->text);
    return false;
}

/* The document that begins with this token, and nothing after it. */
static bool read_document(struct xds_suite *s, const struct xds_token *first,
                          struct xds_tree *members)
{
    struct xds_reader *reader = s->reading.reader;
    const struct xds_place at = reader->ops->place(reader, first);
    struct xds_source_fault fault;
    struct xds_token end;

    if (!xds_tree_file_value(&s->reading, &s->document, first, at, members, &fault))
        return text_fault(s, &fault);
    reader->ops->next(reader, &end);
    return end.kind != XDS_TOKEN_ERROR || text_fault(s, &reader->fault);
}

static void run_document(void *arg)
{
    struct call *call = arg;
    struct xds_suite *s = call->suite;
    const bool is_first = !s->file;
    struct xds_tree members;
    struct xds_token first;

    call->good = xds_tree_file_next(&s->reading, &first);
    if (call->good || is_first)
        begin_file(s, call->input->path);
    if (call->good)
        call->good = read_document(s, &first, &members);
    else if (is_first && !is_unreadable(s))
        (void)xds_suite_no_tests(s, &(struct xds_tree){.line = 1, .column = 1},
                                 "the file has no tests");
    if (call->good)
        run_tests(s, &members);
}

/* What does not depend on the file's text. */
static void open_file(void *arg)
{
    struct call *call = arg;
    struct xds_suite *s = call->suite;
    const struct xds_input *input = call->input;

    s->number = xds_report_add_file(s->report, xds_slice_of(input->path));
    s->file = NULL;
    call->good = true;
    switch (input->kind) {
    case XDS_INPUT_BYTES:
        xds_tree_file_open_bytes(&s->reading, input->path, input->bytes, s->number);
        return;
    case XDS_INPUT_EMPTY_FOLDER:
        begin_file(s, input->path);
        call->good = xds_suite_no_tests(s, &(struct xds_tree){.line = 1, .column = 1},
                                        "the folder has no tests");
        return;
    case XDS_INPUT_UNREADABLE:
    case XDS_INPUT_FILE:
    case XDS_INPUT_STDIN:
        break;
    }
    const bool there = input->kind != XDS_INPUT_UNREADABLE;

    call->good = there && xds_tree_file_open(&s->reading, input->path, s->number);
    if (call->good)
        return;
    const int error = there ? errno : input->error;

    begin_file(s, input->path);
    (void)xds_suite_cannot_read(s, s->file->name, xds_slice_of(strerror(error)));
}

static enum xds_status run_file(struct xds_suite *s, const struct xds_input *input)
{
    struct call call = {.suite = s, .input = input};
    enum xds_status status = guarded(&call, open_file);

    while (status == XDS_OK && call.good) {
        xds_arena_reset(&s->document);
        status = guarded(&call, run_document);
        xds_suite_end_snapshots(s);
        status = status == XDS_OK ? s->status : status;
    }
    xds_tree_file_close(&s->reading);
    return status;
}

/* ---- all files ---- */

static double percent_covered(const struct xds_suite_results *results)
{
    const size_t all =
        results->routes + results->targets + results->chains.all + results->policies.all;
    const size_t covered = results->routes_covered + results->targets_covered +
                           results->chains.covered + results->policies.covered;

    return all > 0 ? 100.0 * (double)covered / (double)all : 0.0;
}

static void add_count(struct xds_covered_count *sum, const struct xds_covered_count *more)
{
    sum->all += more->all;
    sum->covered += more->covered;
}

static void sum_coverage(void *arg)
{
    struct xds_suite *s = ((struct call *)arg)->suite;
    struct xds_suite_results *results = &s->results;
    const struct xds_coverage **list =
        XDS_NEW_ARRAY(&s->run_arena, const struct xds_coverage *, results->n_coverages);

    for (size_t i = 0; i < results->n_coverages; i++) {
        struct xds_coverage *coverage = &s->coverages[i]->told;

        xds_coverage_sum(coverage);
        xds_coverage_sum_servers(coverage);
        results->routes += coverage->routes;
        results->routes_covered += coverage->routes_covered;
        results->targets += coverage->targets;
        results->unreached += coverage->unreached;
        results->targets_covered += coverage->targets_covered;
        add_count(&results->chains, &coverage->chains);
        add_count(&results->policies, &coverage->policies);
        list[i] = coverage;
    }
    results->coverages = list;
    results->percent = percent_covered(results);
}

enum xds_status xds_suite_run(struct xds_suite *suite)
{
    struct call call = {.suite = suite};
    enum xds_status status = XDS_OK;

    for (size_t i = 0; i < suite->inputs.n && status == XDS_OK; i++)
        status = run_file(suite, &suite->inputs.items[i]);
    xds_report_sort(suite->report);
    suite->results.faults = suite->report;
    suite->results.n_faults = xds_report_findings(suite->report);
    return status == XDS_OK ? guarded(&call, sum_coverage) : status;
}
