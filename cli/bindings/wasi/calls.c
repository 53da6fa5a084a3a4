/*
 * calls.c - lint, explain and diff for hosts of WebAssembly, such as Go, Node and Java.
 *
 * Takes:  a request in the memory of the module: one line of JSON, then the bytes of the
 *         inputs that it lists, one after the other. See cli/bindings/README.md.
 * Gives:  the exit status of the program, and as output what it prints with --format
 *         json; for 2 and 3 a sentence that says what is wrong.
 * Fails:  by a trap when memory runs out: the host then makes another instance.
 */
#define _GNU_SOURCE /* memmem() */

#include "cli/bindings/wasi/calls.h"

#include "cli/bindings/wasi/lines.h"
#include "cli/bindings/wasi/request.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#ifdef __wasm__
#define EXPORT(name) __attribute__((export_name(name), visibility("default")))
#else
#define EXPORT(name) /* for analyzers, which read this for the machine they run on */
#endif

static struct output output;

/* ---- a snapshot ---- */

struct snapshot {
    const struct inputs *inputs;
    enum xds_resource_type type;
    struct xds_parsed *bootstrap; /* of the folder that the inputs are, or NULL */
    struct xds_report *report;
    struct xds_source *source;
    struct xds_check *check;
};

static enum xds_status add_folder(struct xds_source *source, const struct input *folder)
{
    struct xds_found_file *files = calloc(folder->n_files + 1, sizeof *files);
    enum xds_status status = XDS_ERR_NO_MEMORY;

    for (size_t i = 0; files && i < folder->n_files; i++)
        files[i] = (struct xds_found_file){folder[1 + i].name, folder[1 + i].bytes};
    if (files)
        status = xds_source_add_folder(source, folder->name, files, folder->n_files);
    free(files);
    return status;
}

static enum xds_status add_input(struct xds_source *source, const struct input *input)
{
    if (input->is_folder)
        return add_folder(source, input);
    return input->is_answer ? xds_source_add_answer(source, input->name, input->bytes)
                            : xds_source_add_bytes(source, input->name, input->bytes);
}

static struct xds_source *open_source(const struct snapshot *snapshot,
                                      struct xds_report *report)
{
    struct xds_source *source = xds_source_new(report, snapshot->type);
    enum xds_status status = source ? XDS_OK : XDS_ERR_NO_MEMORY;

    for (size_t i = 0; status == XDS_OK && i < snapshot->inputs->n;) {
        const struct input *input = &snapshot->inputs->items[i];

        status = add_input(source, input);
        i += 1 + input->n_files;
    }
    if (status == XDS_OK)
        return source;
    xds_source_free(source);
    return NULL;
}

static struct xds_source *open_again(void *user, struct xds_report *report)
{
    return open_source(user, report);
}

/* A dump of one client is judged as that client, unless others were asked about. */
static int ask_dumped(struct snapshot *snapshot, struct request *request)
{
    const struct xds_client_label label = xds_source_client(snapshot->source);

    if (request->clients || snapshot->inputs->n != 1 ||
        snapshot->inputs->items[0].is_folder || label.text[0] == '\0')
        return STATUS_CLEAN;
    const int status = call_ask_one(request, label.text, &output);

    if (status == STATUS_CLEAN)
        xds_report_set_options(snapshot->report, &request->options);
    return status;
}

/* bootstrap.json of a folder that is the only input; NULL: none. */
static const struct input *bootstrap_file(const struct inputs *inputs)
{
    static const char key[] = "\"xds_servers\"", end[] = "/bootstrap.json";
    const struct input *folder = inputs->items;

    if (inputs->n == 0 || !folder->is_folder || 1 + folder->n_files != inputs->n)
        return NULL;
    const size_t len = strlen(folder->name);

    for (const struct input *file = folder + 1; file < folder + inputs->n; file++)
        if (strncmp(file->name, folder->name, len) == 0 &&
            strcmp(file->name + len, end) == 0 &&
            memmem(file->bytes.data, file->bytes.len, key, sizeof key - 1))
            return file;
    return NULL;
}

/* Used like "bootstrap", unless the request has one; what is wrong with it is a finding.
 */
static enum xds_status set_bootstrap(struct snapshot *snapshot, struct xds_slice text,
                                     struct xds_options *options)
{
    const char *fault;

    if (xds_parse(XDS_FORMAT_JSON, text, &snapshot->bootstrap) != XDS_OK)
        return XDS_ERR_NO_MEMORY;
    const enum xds_status used =
        xds_options_set_bootstrap(options, snapshot->bootstrap, &fault);

    return used == XDS_ERR_USAGE ? XDS_OK : used;
}

/* That of the only folder. */
static enum xds_status use_bootstrap(struct snapshot *snapshot,
                                     const struct request *request,
                                     struct xds_options *options)
{
    const struct input *file = bootstrap_file(snapshot->inputs);

    return request->bootstrap || !file ? XDS_OK
                                       : set_bootstrap(snapshot, file->bytes, options);
}

/* That of the only dump. */
static enum xds_status use_dumped_bootstrap(struct snapshot *snapshot,
                                            const struct request *request)
{
    struct xds_options options = request->options;

    if (request->bootstrap || snapshot->inputs->n != 1 ||
        snapshot->inputs->items[0].is_folder)
        return XDS_OK;
    const struct xds_slice text = xds_source_bootstrap(snapshot->source);

    if (text.len == 0)
        return XDS_OK;
    const enum xds_status status = set_bootstrap(snapshot, text, &options);

    if (status == XDS_OK && options.bootstrap.is_set)
        xds_report_set_options(snapshot->report, &options);
    return status;
}

static int read_all(struct snapshot *snapshot, struct request *request, bool keep)
{
    struct xds_options options = request->options;

    if (use_bootstrap(snapshot, request, &options) == XDS_OK)
        snapshot->report = xds_report_new(&options);
    if (snapshot->report)
        snapshot->source = open_source(snapshot, snapshot->report);
    if (!snapshot->source)
        return call_no_memory(&output);
    if (request->ask_dump && ask_dumped(snapshot, request) != STATUS_CLEAN)
        return STATUS_USAGE;
    if (use_dumped_bootstrap(snapshot, request) != XDS_OK)
        return call_no_memory(&output);
    snapshot->check = xds_check_new(snapshot->report, keep);
    const enum xds_status all =
        snapshot->check ? xds_check_all(snapshot->check, snapshot->source, 1, NULL, NULL)
                        : XDS_ERR_NO_MEMORY;

    if (all == XDS_END)
        return call_fail(&output, STATUS_TROUBLE, "more than 2000000 resources");
    if (all != XDS_OK ||
        (!keep && request->bootstrap &&
         xds_check_bootstrap(snapshot->check, "bootstrap", request->bootstrap) !=
             XDS_OK) ||
        xds_check_finish(snapshot->check, snapshot->source) != XDS_OK)
        return call_no_memory(&output);
    xds_report_sort(snapshot->report);
    return STATUS_CLEAN;
}

static void release(struct snapshot *snapshot)
{
    xds_check_free(snapshot->check);
    xds_source_free(snapshot->source);
    xds_report_free(snapshot->report);
    xds_parsed_free(snapshot->bootstrap);
}

static size_t unreadable(const struct snapshot *snapshot, const bool *met)
{
    size_t n = 0;

    for (size_t i = 0; i < xds_report_resources(snapshot->report); i++)
        n += (!met || met[i]) && xds_report_resource(snapshot->report, i)->unreadable;
    return n;
}

/* Nothing is answered from what could not be read. met: the resources that matter; NULL:
 * all do. */
static int check_read(const struct snapshot *snapshot, const bool *met, const char *what)
{
    const struct xds_read_sum sum = xds_source_sum(snapshot->source);
    const bool is_empty = sum.clients == 0 && sum.resources <= sum.unreadable;
    const size_t missing = sum.unread + unreadable(snapshot, is_empty ? NULL : met);

    if (!is_empty && missing + sum.empty == 0)
        return STATUS_CLEAN;
    if (missing == 0)
        return call_fail(&output, STATUS_TROUBLE, "%s %s", what,
                         is_empty ? "has no resource that gRPC reads"
                                  : "has a file without a resource");
    (void)call_fail(&output, STATUS_TROUBLE, "%s could not be read:\n", what);
    const struct xds_printer to = call_printer(&output);

    return xds_print_findings_text(&to, snapshot->report) == XDS_OK
               ? STATUS_TROUBLE
               : call_no_memory(&output);
}

/* ---- formats ---- */

static bool has_format(const struct request *request, const char *name)
{
    return strcmp(request->format ? request->format : "json", name) == 0;
}

static int unknown_format(const struct request *request)
{
    return call_fail(&output, STATUS_USAGE, "format: '%s' is not known", request->format);
}

static enum xds_status (*findings_printer(const struct request *request))(
    const struct xds_printer *, const struct xds_report *)
{
#define FORMAT_LINT(word, print, color, remark, statistics)                              \
    if (has_format(request, word))                                                       \
        return print;
#include "cli/formats.def"
    return NULL;
}

/* ---- lint ---- */

static int lint(struct request *request)
{
    struct snapshot snapshot = {.inputs = &request->files, .type = request->type};
    struct xds_printer to = call_printer(&output);
    struct lines lines = {.inputs = &request->files};
    enum xds_status (*const print)(const struct xds_printer *,
                                   const struct xds_report *) = findings_printer(request);
    int status = print ? call_ask(request, &output) : unknown_format(request);

    to.line = lines_find;
    to.line_user = &lines;
    request->options.bootstraps = true;
    request->ask_dump = true;
    if (status == STATUS_CLEAN)
        status = read_all(&snapshot, request, false);
    if (status == STATUS_CLEAN && print(&to, snapshot.report) != XDS_OK)
        status = call_no_memory(&output);
    if (status == STATUS_CLEAN && xds_report_summary(snapshot.report).errors > 0)
        status = STATUS_FINDINGS;
    lines_release(&lines);
    release(&snapshot);
    return status;
}

/* ---- explain ---- */

static int print_decision(const struct request *request,
                          const struct xds_decision *decision)
{
    const struct xds_printer to = call_printer(&output);

    if ((has_format(request, "text") ? xds_print_decision_text
                                     : xds_print_decision_json)(&to, decision) != XDS_OK)
        return call_no_memory(&output);
    return xds_decision_routed(decision) && xds_decision_observable(decision)
               ? STATUS_CLEAN
               : STATUS_FINDINGS;
}

static int answer(const struct snapshot *snapshot, const struct request *request,
                  struct xds_explainer *explainer, struct xds_json_requests *reader)
{
    const struct xds_decision *decision;

    switch (xds_json_requests_explain(reader, explainer, &decision)) {
    case XDS_OK:
        break;
    case XDS_ERR_USAGE:
        return call_fail(
            &output, STATUS_USAGE,
            "the request needs \"target\" or \"listener\", as there is not just "
            "one listener");
    case XDS_END:
    case XDS_ERR_NO_MEMORY:
    case XDS_ERR_IO:
        return call_no_memory(&output);
    }
    bool *met = calloc(xds_report_resources(snapshot->report) + 1, sizeof *met);

    if (!met)
        return call_no_memory(&output);
    if (xds_decision_routed(decision))
        xds_decision_mark_resources(explainer, decision, met);
    const int status = check_read(snapshot, xds_decision_routed(decision) ? met : NULL,
                                  "no answer: the input");

    free(met);
    return status == STATUS_CLEAN ? print_decision(request, decision) : status;
}

static int explain_rpc(const struct snapshot *snapshot, const struct request *request,
                       struct xds_explainer *explainer)
{
    static const struct xds_request base = {.every_route = true};
    struct xds_json_requests *reader =
        xds_json_requests_new(&base, (struct xds_slice){NULL, 0});
    const struct xds_request *rpc;
    struct xds_slice fault;
    int status;

    if (!reader || !explainer)
        status = call_no_memory(&output);
    else if (!request->rpc)
        status = call_fail(&output, STATUS_USAGE, "\"request\" is missing");
    else
        switch (xds_json_requests_read(reader, call_slice(request->rpc), &rpc, &fault)) {
        case XDS_OK:
            status = rpc->path.data
                         ? answer(snapshot, request, explainer, reader)
                         : call_fail(&output, STATUS_USAGE, "a request needs \"path\"");
            break;
        case XDS_ERR_USAGE:
            status = call_fail(&output, STATUS_USAGE, "%.*s", (int)fault.len, fault.data);
            break;
        default:
            status = call_no_memory(&output);
        }
    xds_json_requests_free(reader);
    return status;
}

static int explain(struct request *request)
{
    struct snapshot snapshot = {.inputs = &request->files, .type = request->type};
    int status = STATUS_CLEAN;

    if (!has_format(request, "json") && !has_format(request, "text"))
        status = unknown_format(request);
    else if (call_client(request, 1))
        status = call_fail(&output, STATUS_USAGE,
                           "clients: an RPC is of one client, and several are named");
    else
        status = call_ask_one(request, call_client(request, 0), &output);
    request->options.versions = true;
    request->ask_dump = true;
    if (status == STATUS_CLEAN)
        status = read_all(&snapshot, request, true);
    if (status == STATUS_CLEAN) {
        struct xds_explainer *explainer =
            xds_explainer_new(snapshot.check, request->client);

        status = explain_rpc(&snapshot, request, explainer);
        xds_explainer_free(explainer);
    }
    release(&snapshot);
    return status;
}

/* ---- diff ---- */

enum { OLD, NEW, SIDES };

static enum xds_status compare_readers(struct xds_diff *diff,
                                       struct snapshot linted[SIDES])
{
    const enum xds_status status = xds_diff_readers(diff);

    return status == XDS_OK
               ? xds_diff_warnings(diff, linted[OLD].report, linted[NEW].report)
               : status;
}

/* linted: of two readers, their sides once more, as lint sees them; else NULL. */
static int compare(struct snapshot sides[SIDES], struct snapshot *linted,
                   const enum xds_client client[SIDES])
{
    struct xds_diff_side side[SIDES];
    const struct xds_printer to = call_printer(&output);

    for (unsigned i = OLD; i < SIDES; i++)
        side[i] = (struct xds_diff_side){.check = sides[i].check,
                                         .report = sides[i].report,
                                         .open = open_again,
                                         .user = &sides[i],
                                         .client = client[i]};
    struct xds_diff *diff = xds_diff_new(&side[OLD], &side[NEW]);
    int status;

    if (!diff ||
        (linted ? compare_readers(diff, linted) : xds_diff_resources(diff)) != XDS_OK ||
        xds_diff_derive(diff, (struct xds_slice){NULL, 0}) != XDS_OK ||
        xds_print_diff_json(&to, diff) != XDS_OK)
        status = call_no_memory(&output);
    else
        status = xds_diff_found(diff) ? STATUS_FINDINGS : STATUS_CLEAN;
    xds_diff_free(diff);
    return status;
}

/* Without old: what two clients, or releases, make of one snapshot. */
static int diff(struct request *request)
{
    const bool readers = !request->has_old;
    struct snapshot sides[SIDES] = {
        {.inputs = readers ? &request->files : &request->old, .type = request->type},
        {.inputs = &request->files, .type = request->type}};
    struct snapshot linted[SIDES] = {sides[NEW], sides[NEW]};
    enum xds_client client[SIDES];
    int status = STATUS_CLEAN;

    if (call_client(request, readers ? 2 : 1))
        return call_fail(&output, STATUS_USAGE, "clients: diff takes %s",
                         readers ? "two clients or releases to compare"
                                 : "one client, and several are named");
    if (readers && !call_client(request, 1))
        return call_fail(&output, STATUS_USAGE,
                         "diff needs \"old\", or two clients or releases to compare");
    for (unsigned i = OLD; i < SIDES && status == STATUS_CLEAN; i++) {
        status = call_ask_one(request, call_client(request, readers ? i : 0), &output);
        client[i] = request->client;
        if (!readers)
            request->options.clients = XDS_ALL_CLIENTS; /* findings name all */
        if (status == STATUS_CLEAN)
            status = read_all(&sides[i], request, true);
        if (status == STATUS_CLEAN)
            status = check_read(&sides[i], NULL, i == OLD && !readers ? "OLD" : "NEW");
        if (status == STATUS_CLEAN && readers)
            status = read_all(&linted[i], request, false);
    }
    if (status == STATUS_CLEAN)
        status = compare(sides, readers ? linted : NULL, client);
    for (unsigned i = OLD; i < SIDES; i++) {
        release(&sides[i]);
        release(&linted[i]);
    }
    return status;
}

/* ---- the calls ---- */

static int call(const char *text, size_t size, int (*run)(struct request *))
{
    struct request request;

    output.len = 0;
    int status = call_read(&request, (struct xds_slice){text, size}, &output);

    if (status == STATUS_CLEAN)
        status = run(&request);
    call_release(&request);
    return status;
}

EXPORT("xdscope_alloc") void *xdscope_alloc(size_t size)
{
    return malloc(size ? size : 1);
}

EXPORT("xdscope_free") void xdscope_free(void *memory)
{
    free(memory);
}

EXPORT("xdscope_lint") int xdscope_lint(const char *request, size_t size)
{
    return call(request, size, lint);
}

EXPORT("xdscope_explain") int xdscope_explain(const char *request, size_t size)
{
    return call(request, size, explain);
}

EXPORT("xdscope_diff") int xdscope_diff(const char *request, size_t size)
{
    return call(request, size, diff);
}

EXPORT("xdscope_output") const char *xdscope_output(void)
{
    return output.data;
}

EXPORT("xdscope_output_size") size_t xdscope_output_size(void)
{
    return output.len;
}
