/*
 * check.c - the walk of one resource through decode, rules and lint.
 *
 * All memory of a resource is reused for the next one, except its name, its findings and
 * what is kept: cost and memory stay linear in the largest resource, not in the input.
 */
#include "check/check.h"

#include <stdlib.h>

#include "bootstrap/bootstrap.h"
#include "decode/untyped.h"
#include "decode/wire.h"
#include "rules/order.h"
#include "source/held.h"
#include "source/place.h"
#include "source/source.h"
#include "source/tree_read.h"

static void name_clients(struct xds_check *check)
{
    for (enum xds_client c = 0; c < XDS_CLIENTS; c++) {
        const struct xds_client_label as = xds_asked_label(&check->report->options, c);
        struct xds_without *without = &check->without[c];

        (void)snprintf(without->rejected, sizeof without->rejected,
                       "is rejected by %s (NACK)", as.text);
        (void)snprintf(without->killed, sizeof without->killed,
                       "kills %s (CRASH), so nothing is used", as.text);
    }
    check->snapshot.without = check->without;
}

static struct xds_check *new_check(struct xds_report *report, bool keep)
{
    struct xds_check *check = calloc(1, sizeof *check);

    if (!check)
        return NULL;
    check->report = report;
    check->keep = keep;
    xds_arena_init(&check->decode, XDS_MAX_DECODED_BYTES);
    xds_arena_init(&check->model, keep ? 0 : XDS_MAX_DECODED_BYTES);
    xds_arena_init(&check->cached, 0);
    xds_texts_init(&check->texts);
    xds_names_init(&check->names, &check->cached);
    xds_snapshot_init(&check->snapshot, &check->model);
    check->snapshot.last_only =
        xds_clients_differing(&report->options, XDS_DIFF_LAST_OF_A_NAME);
    name_clients(check);
    xds_lint_init(&check->lint, report);
    check->unread.arena = &check->cached;
    check->regexes = xds_regex_cache_new();
    if (!check->regexes) {
        free(check);
        return NULL;
    }
    return check;
}

static void ask_judges(struct xds_check *check)
{
    (void)xds_judges_init(&check->own_judges, check->report);
    check->judges = &check->own_judges;
}

struct xds_check *xds_check_new(struct xds_report *report, bool keep)
{
    struct xds_check *check = new_check(report, keep);

    if (check)
        ask_judges(check);
    return check;
}

struct xds_check *xds_check_new_worker(const struct xds_check *check)
{
    struct xds_check *worker = new_check(check->report, check->keep);

    if (worker)
        worker->judges = check->judges;
    return worker;
}

void xds_check_set_options(struct xds_check *check, const struct xds_options *options)
{
    check->report->options = *options;
    name_clients(check);
    ask_judges(check);
}

void xds_check_free(struct xds_check *check)
{
    while (check) {
        struct xds_check *next = check->next;

        xds_regex_cache_free(check->regexes);
        xds_lint_release(&check->lint);
        xds_texts_release(&check->texts);
        xds_arena_release(&check->cached);
        xds_arena_release(&check->model);
        xds_arena_release(&check->decode);
        free(check);
        check = next;
    }
}

struct job {
    struct xds_check *check;
    const struct xds_resource *in;
    struct xds_held *held; /* what a dump says of it; or NULL */
    size_t first;          /* finding of the resource */
};

/* What became of the resource, for its readers: what its client says. */
static void heed_client(const struct job *job, uint32_t resource)
{
    struct xds_check *check = job->check;

    if (job->held)
        xds_check_client_use(&(struct xds_inspection){.report = check->report,
                                                      .scratch = &check->model,
                                                      .resource = resource},
                             job->held, job->first);
}

/* Beyond NACK. A fault of the rules says nothing of who else reads a field. */
static void lint(struct xds_check *check, struct xds_ctx *ctx,
                 const struct xds_resource *in, const struct xds_any *root,
                 const struct xds_snapshot_entry *entry)
{
    ctx->live = check->judges->panel.all;
    check->lint.panel = &check->judges->panel;
    xds_lint_add(&check->lint, entry, &check->model);
    if (root->message && entry->type != XDS_TYPE_UNKNOWN)
        xds_unread_check(&check->unread, ctx, root->message);
    if (entry->type != XDS_TYPE_ROUTE && entry->type != XDS_TYPE_ENDPOINT)
        xds_check_private_key(in, ctx->resource, check->report);
}

/* For the snapshot: now, or by who merges what a worker has done. */
static void keep(struct xds_check *check, const struct xds_snapshot_entry *entry)
{
    if (entry->type == XDS_TYPE_UNKNOWN)
        return;
    if (!check->result) {
        xds_snapshot_keep(&check->snapshot, entry);
        return;
    }
    check->result->entry = *entry;
    check->result->entry.name = xds_arena_dup(&check->model, entry->name);
}

/* The differences on the wire of a reader of the run. */
static unsigned wire_of(const struct xds_panel *panel, size_t reader)
{
    unsigned wire = 0;

    for (unsigned i = 0; i < XDS_WIRE_BITS; i++)
        wire |= (unsigned)(panel->differing[XDS_DIFF_WIRE_AS_DECLARED + i] >> reader & 1)
                << i;
    return wire;
}

/* The readers among some whose differences on the wire are these, or meet these. */
static xds_readers readers_of(const struct xds_panel *panel, xds_readers among,
                              unsigned wire, bool all)
{
    xds_readers set = 0;

    for (size_t i = 0; i < panel->n; i++)
        if (among >> i & 1 &&
            (all ? wire_of(panel, i) == wire : (wire_of(panel, i) & wire) != 0))
            set |= (xds_readers)1 << i;
    return set;
}

/* Read the bytes again for those to whom they say something else. */
static void judge_others(struct xds_check *check, const struct xds_resource *in,
                         struct xds_ctx *ctx, struct xds_snapshot_entry *entry)
{
    xds_readers others = ctx->elsewhere;
    struct xds_slice name = entry->name;

    for (size_t i = 0; others && i < check->judges->panel.n; i++) {
        const unsigned wire = wire_of(&check->judges->panel, i);
        struct xds_snapshot_entry theirs = {.resource = entry->resource,
                                            .held = entry->held};
        struct xds_any root = {0};

        if (!(others >> i & 1))
            continue;
        const xds_readers alike = readers_of(&check->judges->panel, others, wire, true);
        others &= ~alike;
        ctx->live = check->judges->panel.all;
        ctx->elsewhere = ~alike;
        (void)xds_decode_as(in, entry->resource, check->report, &check->decode, &root,
                            &check->names, wire);
        xds_report_read_again(check->report);
        xds_resource_read(ctx, in, &root, &theirs);
        theirs.unknown = entry->unknown;
        if (!entry->model && theirs.model)
            *entry = theirs;
        if (name.len == 0)
            name = theirs.name;
        xds_report_name_resource(check->report, entry->resource, root.type, name);
    }
}

/* Of a model that is there what is deadly in use is known where it is used. */
static void enter_deaths(const struct xds_report *report,
                         struct xds_snapshot_entry *entry)
{
    const struct xds_resource_result *result = &report->resources[entry->resource];

    for (unsigned c = 0; c < XDS_CLIENTS; c++)
        if (result->crashed_by & XDS_CLIENT_BIT(c) &&
            (!entry->model || result->crashing & report->readers.of_client[c]))
            entry->killing |= XDS_CLIENT_BIT(c);
    for (size_t i = report->n_findings; entry->killing && i-- > 0;) {
        const struct xds_finding *finding = &report->findings[i];

        if (finding->resource != entry->resource)
            break;
        for (unsigned c = 0; c < XDS_CLIENTS; c++)
            if (finding->verdict[c] == XDS_CRASH && entry->killing & XDS_CLIENT_BIT(c))
                entry->killed_by = finding->rule;
    }
}

/* The clients that judge each virtual host alone, and find no fault beside them. nacking:
 * the readers that do. */
static unsigned rejecting_hosts(const struct xds_check *check, xds_readers nacking)
{
    const xds_readers apart =
        check->judges->panel.differing[XDS_DIFF_HOSTS_APART] & ~nacking;

    return (unsigned)(apart & XDS_ALL_CLIENTS);
}

static void judge(const struct job *job, const struct xds_any *root, uint32_t resource)
{
    struct xds_check *check = job->check;
    const struct xds_resource *in = job->in;
    struct xds_first_met met; /* has room for all readers, of which few are there */
    xds_readers nacking = 0;
    struct xds_ctx ctx = {
        .report = check->report,
        .options = &check->report->options,
        .arena = &check->model,
        .scratch = &check->decode,
        .regexes = check->regexes,
        .panel = &check->judges->panel,
        .resource = resource,
        .live = check->judges->panel.all,
        .keeps = check->keep,
        .mortal = check->judges->mortal,
        .nacking = &nacking,
    };
    struct xds_snapshot_entry entry = {.resource = resource,
                                       .held = check->report->resources[resource].held};

    met.any = met.killed = 0;
    ctx.met = check->judges->mortal ? &met : NULL;
    ctx.unknown = &entry.unknown;
    if (root->met)
        ctx.elsewhere = readers_of(&check->judges->panel, ctx.live, root->met, false);
    xds_resource_read(&ctx, in, root, &entry);
    judge_others(check, in, &ctx, &entry);
    ctx.elsewhere = 0;
    heed_client(job, resource);
    if (!check->keep)
        lint(check, &ctx, in, root, &entry);
    entry.nacked_by = check->report->resources[resource].nacked_by;
    entry.by_host = entry.nacked_by & rejecting_hosts(check, nacking);
    enter_deaths(check->report, &entry);
    if (check->keep)
        keep(check, &entry);
}

/* As if each file were one response for each type of resource, which is what servers
 * send; of a response with a resource of another type, the count is the response's. */
uint32_t xds_check_next_index(struct xds_check *check, const struct xds_resource *in)
{
    const enum xds_resource_type type =
        in->expected.len > 0 ? xds_resource_type_from_name(in->expected) : in->type;

    if (check->file != in->at.file)
        memset(check->n_of_type, 0, sizeof check->n_of_type);
    check->file = in->at.file;
    return check->n_of_type[type]++;
}

/* A dump has only the name of it. */
static void enter_absent(struct xds_check *check, const struct xds_resource *in,
                         uint32_t resource)
{
    const struct xds_snapshot_entry entry = {
        .resource = resource,
        .type = in->type,
        .name = in->name,
        .held = check->report->resources[resource].held,
    };
    const struct xds_slice type = xds_slice_of(xds_resource_type_name(in->type));

    xds_report_name_resource(check->report, resource, type.len > 0 ? type : in->type_url,
                             in->name);
    check->report->resources[resource].named_by_wrapper = false;
    if (check->keep)
        keep(check, &entry);
}

/* Its clients read nothing but JSON. */
static void judge_bootstrap(struct xds_check *check, const struct xds_resource *in)
{
    struct xds_report *report = check->report;
    struct xds_json_fault fault;
    struct xds_tree root;
    const bool is_read = xds_tree_read_at(&check->decode, in, &root, &fault);

    if (is_read)
        xds_bootstrap_judge(&check->decode, &root, &check->judges->panel, in->at, true,
                            report);
    else
        (void)xds_report_add_resource(report, XDS_S(XDS_BOOTSTRAP_TYPE), XDS_S(""),
                                      in->at);
    const uint32_t resource = (uint32_t)report->n_resources - 1;

    if (!is_read || in->format != XDS_FORMAT_JSON)
        xds_report_at(report, xds_rule_row(XDS_R_BOOT_NOT_JSON), resource,
                      !is_read && in->format == XDS_FORMAT_JSON
                          ? xds_place_in(in, fault.begin, fault.end)
                          : in->at,
                      "a gRPC bootstrap must be JSON: %s",
                      is_read ? "clients read nothing else" : fault.what);
}

struct bootstrap_job {
    struct xds_check *check;
    const char *name;
    const struct xds_parsed *bootstrap;
};

static void run_bootstrap(void *arg)
{
    const struct bootstrap_job *job = arg;
    struct xds_report *report = job->check->report;
    const struct xds_slice name = xds_slice_of(job->name);

    for (size_t i = 0; i < report->files.n; i++)
        if (xds_slice_eq(report->files.names[i], name))
            return;
    xds_bootstrap_judge(
        &job->check->decode, &job->bootstrap->tree, &job->check->judges->panel,
        (struct xds_place){xds_report_add_file(report, name), 1, 1, 1, 1}, false, report);
}

enum xds_status xds_check_bootstrap(struct xds_check *check, const char *name,
                                    const struct xds_parsed *bootstrap)
{
    struct xds_arena *const arenas[] = {&check->decode, &check->report->arena};
    struct bootstrap_job job = {check, name, bootstrap};

    if (bootstrap->fault.data)
        return XDS_OK;
    xds_arena_reset(&check->decode);
    return xds_arena_guard(arenas, XDS_ARRAY_LEN(arenas), run_bootstrap, &job);
}

static void run_resource(void *arg)
{
    struct job *job = arg;
    struct xds_check *check = job->check;

    if (job->in->is_bootstrap) {
        judge_bootstrap(check, job->in);
        return;
    }
    struct xds_any root = {0};
    struct xds_resource typed;
    const uint32_t resource = xds_report_add_resource(
        check->report, xds_slice_of(xds_resource_type_name(job->in->type)), job->in->name,
        job->in->at);

    check->report->resources[resource].index = xds_check_next_index(check, job->in);
    if (job->in->is_untyped) {
        if (!xds_decode_untyped(job->in, resource, check->report, &typed))
            return;
        job->in = &typed;
    }
    check->report->resources[resource].named_by_wrapper = job->in->name.len > 0;
    check->report->resources[resource].is_static = job->in->is_static;
    job->first = check->report->n_findings;
    if (job->in->held)
        check->report->resources[resource].held = job->held =
            xds_held_copy(&check->report->arena, job->in->held);
    if (job->in->held && job->in->held->is_absent)
        enter_absent(check, job->in, resource);
    else if (xds_decode_with(job->in, resource, check->report, &check->decode, &root,
                             &check->names))
        judge(job, &root, resource);
    else {
        heed_client(job, resource);
        /* A resource that could not be decoded has only a name; no client accepts it. */
        const struct xds_snapshot_entry entry = {
            .resource = resource,
            .type = xds_resource_type_of(root.type),
            .name = xds_resource_name(job->in, &root),
            .nacked_by = check->report->resources[resource].nacked_by,
            .held = check->report->resources[resource].held,
        };

        xds_report_name_resource(check->report, resource, root.type, entry.name);
        check->lint.panel = &check->judges->panel;
        if (!check->keep)
            xds_lint_add(&check->lint, &entry, &check->model);
        else if (entry.name.len > 0)
            keep(check, &entry);
    }
    if (job->in->held && !check->keep)
        xds_check_client_status(&(struct xds_inspection){.report = check->report,
                                                         .scratch = &check->model,
                                                         .resource = resource},
                                check->report->resources[resource].held,
                                check->report->resources[resource].name, job->first);
    xds_locate(job->in, check->report, &check->decode);
}

/* Of a check, or of a chain of workers. */
static bool lacks_regex(const struct xds_check *check)
{
    for (; check; check = check->next)
        if (xds_regex_cache_failed(check->regexes))
            return true;
    return false;
}

enum xds_status xds_check_status(const struct xds_check *check, enum xds_status status)
{
    if (check->failed || lacks_regex(check) ||
        (check->others && lacks_regex(*check->others)))
        return XDS_ERR_NO_MEMORY;
    return status;
}

/* Nothing points into the cache between two resources of which no model is kept. */
static void bound_regexes(struct xds_check *check)
{
    if (xds_regex_cache_size(check->regexes) <= XDS_MAX_KEPT_REGEXES)
        return;
    struct xds_regex_cache *fresh = xds_regex_cache_new();

    if (!fresh)
        return;
    xds_regex_cache_free(check->regexes);
    check->regexes = fresh;
}

enum xds_status xds_check_resource(struct xds_check *check, const struct xds_resource *in)
{
    struct xds_arena *const arenas[] = {&check->decode, &check->model, &check->cached,
                                        &check->report->arena, &check->lint.arena};
    struct job job = {check, in, NULL, 0};

    if (check->failed)
        return XDS_ERR_NO_MEMORY;
    if (check->report->n_resources >= XDS_MAX_RESOURCES)
        return XDS_END;
    const size_t limit = check->model.limit;

    xds_arena_reset(&check->decode);
    check->model.full = false;
    if (!check->keep) {
        xds_arena_reset(&check->model);
        bound_regexes(check);
    } else if (limit == 0) /* of all models, not of one */
        check->model.limit = check->model.used + XDS_MAX_DECODED_BYTES;
    enum xds_status status = xds_check_status(
        check, xds_arena_guard(arenas, XDS_ARRAY_LEN(arenas), run_resource, &job));
    xds_note_questions(NULL); /* where memory ran out in the middle of them */
    check->model.limit = limit;
    if (status != XDS_OK)
        status = xds_decode_give_up(in, check->report,
                                    check->decode.full || check->model.full);
    check->failed = status != XDS_OK;
    return status;
}
