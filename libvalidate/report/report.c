/*
 * report.c - resources and findings: who does what about them, their levels, their order;
 * parts of a report.
 *
 * Source: the order of findings and the levels are the command line's contract.
 */
#include "report/report.h"

#include <stdarg.h>
#include <stdlib.h>

#include "base/ascii.h"
#include "base/number.h"
#include "base/limits.h"

/* ---- verdicts ---- */

void xds_report_set_readers(struct xds_report *report, size_t n,
                            const struct xds_client_release *readers,
                            const struct xds_verdict_sets *of_rule)
{
    report->readers.of_rule = of_rule;
    report->readers.n = n;
    memset(report->readers.of_client, 0, sizeof report->readers.of_client);
    for (size_t i = 0; i < n; i++) {
        report->readers.at[i] = readers[i];
        report->readers.of_client[readers[i].client] |= (xds_readers)1 << i;
    }
}

/* The clients of which a reader is in the set. */
static unsigned clients_of(const struct xds_report *report, xds_readers readers)
{
    unsigned clients = 0;

    for (unsigned c = 0; c < XDS_CLIENTS; c++)
        if (readers & report->readers.of_client[c])
            clients |= XDS_CLIENT_BIT(c);
    return clients;
}

static void sum_up(const struct xds_report *report, struct xds_resource_result *result)
{
    result->nacked_by = clients_of(report, result->nacking);
    result->crashed_by =
        clients_of(report, result->crashing | (result->dying & ~result->nacking));
}

/* The level for the clients that were asked for: error when one rejects or dies (or the
 * rule is syntax), warning when one skips, the row's level for hygiene, else note. */
static enum xds_level level_of(const struct xds_report *report,
                               const struct xds_rule *rule,
                               const struct xds_verdict_sets *verdict)
{
    const unsigned asked = report->options.clients;

    if (rule->effect == XDS_EFFECT_SYNTAX || rule->effect == XDS_EFFECT_HYGIENE)
        return rule->level;
    if (clients_of(report, verdict->of[XDS_NACK] | verdict->of[XDS_CRASH]) & asked)
        return XDS_LEVEL_ERROR;
    return clients_of(report, verdict->of[XDS_SKIP]) & asked ? XDS_LEVEL_WARNING
                                                             : XDS_LEVEL_NOTE;
}

/* All accept, and the rule is of clients. */
static bool all_accept(const struct xds_rule *rule,
                       const struct xds_verdict_sets *verdict)
{
    xds_readers any = 0;

    for (unsigned v = XDS_IGNORE; v <= XDS_CRASH; v++)
        any |= verdict->of[v];
    return rule->effect != XDS_EFFECT_SYNTAX && rule->effect != XDS_EFFECT_HYGIENE &&
           !any;
}

/* Does some client do more than accept it? */
static bool is_minded(const struct xds_rule *rule)
{
    return rule->verdicts != 1u << XDS_ACCEPT;
}

/* What the newest releases do, of readers that may be others. */
struct xds_verdict_sets xds_report_verdicts_of(const struct xds_report *report,
                                               const struct xds_rule *rule)
{
    struct xds_verdict_sets sets = {{0}};

    for (enum xds_client c = 0; is_minded(rule) && c < XDS_CLIENTS; c++)
        sets.of[xds_rule_verdict(rule, c)] |= report->readers.of_client[c];
    sets.of[XDS_ACCEPT] = 0;
    return sets;
}

/* Findings in a row mostly have the same. */
static const struct xds_verdict_sets *keep_sets(struct xds_report *report,
                                                const struct xds_verdict_sets *sets)
{
    if (!report->readers.last_sets ||
        memcmp(report->readers.last_sets, sets, sizeof *sets) != 0) {
        struct xds_verdict_sets *copy = XDS_NEW(&report->arena, struct xds_verdict_sets);

        *copy = *sets;
        report->readers.last_sets = copy;
    }
    return report->readers.last_sets;
}

/* The worst verdict of each client's releases, and of each release where there are
 * several. */
static void set_verdicts(struct xds_report *report, struct xds_finding *finding,
                         const struct xds_verdict_sets *sets)
{
    for (unsigned v = XDS_IGNORE; v <= XDS_CRASH; v++)
        for (unsigned c = 0; sets->of[v] && c < XDS_CLIENTS; c++)
            if (sets->of[v] & report->readers.of_client[c])
                finding->verdict[c] = (unsigned char)v;
    if (report->readers.n > XDS_CLIENTS)
        finding->releases = keep_sets(report, sets);
}

/* What is found again, by others. */
static void add_verdicts(struct xds_report *report, struct xds_finding *then,
                         const struct xds_finding *now)
{
    for (size_t client = 0; client < XDS_CLIENTS; client++)
        if (now->verdict[client] > then->verdict[client])
            then->verdict[client] = now->verdict[client];
    if (now->level > then->level)
        then->level = now->level;
    if (then->releases && now->releases) {
        struct xds_verdict_sets both = *then->releases;

        for (unsigned v = XDS_IGNORE; v <= XDS_CRASH; v++)
            both.of[v] |= now->releases->of[v];
        then->releases = keep_sets(report, &both);
    }
}

xds_readers xds_report_rejecting(const struct xds_report *report, size_t first)
{
    xds_readers readers = 0;

    for (size_t i = first; i < report->n_findings; i++) {
        const struct xds_finding *finding = &report->findings[i];

        for (unsigned c = 0; c < XDS_CLIENTS && !finding->releases; c++)
            if (finding->verdict[c] >= XDS_NACK)
                readers |= report->readers.of_client[c];
        if (finding->releases)
            readers |= finding->releases->of[XDS_NACK] | finding->releases->of[XDS_CRASH];
    }
    return readers;
}

/* ---- what clients are known to have accepted ---- */

static xds_readers readers_of(const struct xds_report *report, unsigned clients)
{
    xds_readers readers = 0;

    for (unsigned c = 0; c < XDS_CLIENTS; c++)
        if (clients & XDS_CLIENT_BIT(c))
            readers |= report->readers.of_client[c];
    return readers;
}

static struct xds_verdict_sets sets_of(const struct xds_report *report,
                                       const struct xds_finding *finding)
{
    struct xds_verdict_sets sets = {{0}};

    if (finding->releases)
        return *finding->releases;
    for (unsigned c = 0; c < XDS_CLIENTS; c++)
        sets.of[finding->verdict[c]] |= report->readers.of_client[c];
    sets.of[XDS_ACCEPT] = 0;
    return sets;
}

bool xds_report_overrule(struct xds_report *report, size_t finding, unsigned clients)
{
    struct xds_finding *found = &report->findings[finding];
    const xds_readers readers = readers_of(report, clients);
    struct xds_verdict_sets sets = sets_of(report, found);
    xds_readers *const dying = found->rule->crash_in_use ? NULL : &sets.of[XDS_CRASH];
    const xds_readers said = readers & (sets.of[XDS_NACK] | (dying ? *dying : 0));

    if (!said)
        return false;
    sets.of[XDS_NACK] &= ~readers;
    if (dying)
        *dying &= ~readers;
    memset(found->verdict, 0, sizeof found->verdict);
    set_verdicts(report, found, &sets);
    found->level = level_of(report, found->rule, &sets);
    return true;
}

void xds_report_overrule_resource(struct xds_report *report, uint32_t resource,
                                  unsigned clients)
{
    struct xds_resource_result *result = &report->resources[resource];
    const xds_readers readers = readers_of(report, clients);

    result->nacking &= ~readers;
    result->crashing &= ~readers;
    sum_up(report, result);
}

void xds_report_restate(struct xds_report *report, size_t finding,
                        const struct xds_rule *rule, struct xds_slice message)
{
    struct xds_finding *found = &report->findings[finding];

    found->rule = rule;
    found->level = rule->level;
    found->message = xds_pool_text(&report->texts, message);
    found->core = found->instead = (struct xds_slice){NULL, 0};
}

/* ---- resources and findings ---- */

void xds_report_set_options(struct xds_report *report, const struct xds_options *options)
{
    struct xds_client_release newest[XDS_CLIENTS];

    report->options = *options;
    for (enum xds_client c = 0; c < XDS_CLIENTS; c++)
        newest[c] = (struct xds_client_release){c, options->release[c]};
    xds_report_set_readers(report, XDS_CLIENTS, newest, NULL);
}

struct xds_report *xds_report_new(const struct xds_options *options)
{
    struct xds_report *report = calloc(1, sizeof *report);

    if (!report)
        return NULL;
    xds_arena_init(&report->arena, 0);
    xds_pool_init(&report->texts, &report->arena);
    xds_strmap_init(&report->once.keys, &report->arena);
    xds_arena_init(&report->passing, 0);
    xds_pool_init(&report->steps, &report->passing);
    xds_report_set_options(report, options);
    return report;
}

void xds_report_free(struct xds_report *report)
{
    if (!report)
        return;
    free(report->files.names);
    free(report->files.marks);
    free(report->resources);
    free(report->findings);
    free(report->unplaced.list);
    free(report->part.repeats.list);
    free(report->input.foreign);
    free(report->input.errors);
    free(report->impact.list);
    xds_pool_release(&report->steps);
    xds_arena_release(&report->passing);
    xds_pool_release(&report->texts);
    xds_arena_release(&report->arena);
    if (report->share.of)
        report->share.let_go(report->share.of);
    free(report);
}

static void empty_passing(struct xds_report *report)
{
    xds_arena_reset(&report->passing);
    xds_pool_reset(&report->steps);
}

void xds_report_reset(struct xds_report *report)
{
    empty_passing(report);
    xds_arena_reset(&report->arena);
    xds_pool_reset(&report->texts);
    xds_strmap_init(&report->once.keys, &report->arena);
    report->files.n = report->n_resources = report->n_findings = 0;
    report->n_hidden = report->n_suppressed = report->unplaced.n = 0;
    report->unplaced.n_waiting = 0;
    report->of_resource = report->dropped = 0;
    report->part.repeats.n = report->part.repeats.of_resource = 0;
    report->once.now = NULL;
    report->readers.last_sets = NULL;
    report->comments.first = report->comments.last = NULL;
    report->comments.n = report->input.n_foreign = report->input.n_errors = 0;
    report->of_older = false;
    report->input.n_unread = 0;
    report->impact.n = 0;
    report->impact.sum = (struct xds_impact_sum){0};
    report->has_target = NULL;
    report->comments.too_many = (struct xds_place){0};
}

/* Room for one more item. The arrays are none of the arena's, which would keep the copy
 * from before each time that one grows. */
static void *room(struct xds_report *report, void *items, size_t n, size_t *cap,
                  size_t size)
{
    if (n < *cap)
        return items;
    const size_t more = *cap ? *cap * 2 : 16;
    void *grown = xds_arena_realloc(&report->arena, items, more, size);

    *cap = more;
    return grown;
}

uint32_t xds_report_add_file(struct xds_report *report, struct xds_slice name)
{
    report->files.names = room(report, report->files.names, report->files.n,
                               &report->files.cap, sizeof *report->files.names);
    report->files.marks = room(report, report->files.marks, report->files.n,
                               &report->files.cap_marks, sizeof *report->files.marks);
    report->files.names[report->files.n] = xds_arena_dup(&report->arena, name);
    report->files.marks[report->files.n] = 0;
    return (uint32_t)report->files.n++;
}

uint32_t xds_report_add_answer(struct xds_report *report, struct xds_slice name)
{
    const uint32_t file = xds_report_add_file(report, name);

    report->files.marks[file] = XDS_FILE_ANSWER;
    return file;
}

bool xds_report_is_answer(const struct xds_report *report, uint32_t file)
{
    return file < report->files.n && report->files.marks[file] & XDS_FILE_ANSWER;
}

/* Parts of a report do not have its files. */
static void mark_says(struct xds_report *report, uint32_t file)
{
    if (file < report->files.n)
        report->files.marks[file] |= XDS_FILE_SAYS;
}

uint32_t xds_report_add_resource(struct xds_report *report, struct xds_slice type,
                                 struct xds_slice name, struct xds_place at)
{
    const uint32_t index = (uint32_t)report->n_resources;

    report->resources = room(report, report->resources, report->n_resources,
                             &report->cap_resources, sizeof *report->resources);
    report->resources[report->n_resources++] = (struct xds_resource_result){.at = at};
    mark_says(report, at.file);
    report->of_resource = report->read_before = 0;
    report->part.repeats.of_resource = report->part.repeats.n;
    xds_report_name_resource(report, index, type, name);
    return index;
}

void xds_report_name_resource(struct xds_report *report, uint32_t resource,
                              struct xds_slice type, struct xds_slice name)
{
    struct xds_resource_result *result = &report->resources[resource];

    if (!xds_slice_eq(result->type, type))
        result->type = xds_pool_text(&report->texts, type);
    if (!xds_slice_eq(result->name, name))
        result->name = xds_arena_dup(&report->arena, name);
}

bool xds_report_is_full(const struct xds_report *report)
{
    return report->part.only_counts ||
           report->of_resource >= XDS_MAX_FINDINGS_PER_RESOURCE ||
           report->n_findings >= XDS_MAX_FINDINGS;
}

/* The verdict on the resource counts even when the finding itself finds no room. */
static bool has_room(struct xds_report *report)
{
    const bool full = xds_report_is_full(report);

    report->of_resource++;
    report->dropped += full;
    return !full;
}

/* For one more finding: what runs out of memory then adds no half of it. */
static void make_room(struct xds_report *report)
{
    report->findings = room(report, report->findings, report->n_findings,
                            &report->cap_findings, sizeof *report->findings);
}

/* The finding that is added next, or what one is related to, is located later. */
static void add_unplaced(struct xds_report *report, uint32_t resource,
                         const struct xds_path *path, struct xds_related *related)
{
    report->passing.guard = report->arena.guard; /* memory runs out for the report */
    report->unplaced.list = room(report, report->unplaced.list, report->unplaced.n,
                                 &report->unplaced.cap, sizeof *report->unplaced.list);
    report->unplaced.list[report->unplaced.n] =
        (struct xds_unplaced){.steps = xds_pool_steps(&report->steps, path),
                              .related = related,
                              .finding = (uint32_t)report->n_findings,
                              .resource = resource};
    report->unplaced.n++;
}

struct xds_place *xds_unplaced_at(const struct xds_report *report,
                                  const struct xds_unplaced *unplaced)
{
    return unplaced->related ? &unplaced->related->at
                             : &report->findings[unplaced->finding].at;
}

void xds_report_place_rest(struct xds_report *report)
{
    for (size_t i = 0; i < report->unplaced.n; i++) {
        const struct xds_unplaced *unplaced = &report->unplaced.list[i];
        struct xds_place *at = xds_unplaced_at(report, unplaced);

        if (at->line == 0 && unplaced->resource != XDS_NO_RESOURCE)
            *at = report->resources[unplaced->resource].at;
    }
    report->unplaced.n = report->unplaced.n_waiting = 0;
    if (!report->part.is_one)
        empty_passing(report);
}

/* One for each key and resource. */
static void list_repeat(struct xds_report *report, struct xds_telling *telling)
{
    const size_t i = telling->repeat, n = report->part.repeats.n;

    if (i >= report->part.repeats.of_resource && i < n &&
        report->part.repeats.list[i].key.data == telling->key.data) {
        report->part.repeats.list[i].times++;
        return;
    }
    report->part.repeats.list =
        room(report, report->part.repeats.list, n, &report->part.repeats.cap,
             sizeof *report->part.repeats.list);
    report->part.repeats.list[n] = (struct xds_repeat){telling->key, 1};
    telling->repeat = report->part.repeats.n++;
}

/* It was found again, in the resource in work. */
static void count_repeats(struct xds_report *report, struct xds_telling *telling,
                          uint32_t times)
{
    const uint32_t resource = (uint32_t)report->n_resources - 1;
    uint32_t n = telling->n_others;

    if (!telling->has_finding)
        return;
    report->findings[telling->finding].repeats += times;
    if (n > 0 && telling->others[n - 1] == resource)
        return;
    if (n == XDS_ARRAY_LEN(telling->others))
        n--;
    telling->others[n] = resource;
    telling->n_others = n + 1;
}

bool xds_report_is_first(struct xds_report *report, struct xds_slice key)
{
    if (report->options.each_time)
        return true;
    void **slot = xds_strmap_at(&report->once.keys, key);
    struct xds_telling *telling = *slot;

    if (telling) {
        if (report->of_older)
            return false;
        if (report->part.is_one)
            list_repeat(report, telling);
        else
            count_repeats(report, telling, 1);
        return false;
    }
    telling = XDS_NEW(&report->arena, struct xds_telling);
    telling->key = xds_arena_dup(&report->arena, key);
    *slot = report->once.now = telling;
    return true;
}

/* The finding that was asked for by xds_report_is_first(). */
static void tell(struct xds_report *report, struct xds_telling *telling)
{
    telling->has_finding = true;
    telling->finding = report->n_findings - 1;
    report->findings[telling->finding].once = telling->key;
}

/* Add a finding as it is, made for another report; NULL when there is no room. */
static struct xds_finding *copy_finding(struct xds_report *report,
                                        const struct xds_finding *finding)
{
    struct xds_telling *telling = report->once.now;

    report->once.now = NULL;
    if (!has_room(report))
        return NULL;
    make_room(report);
    struct xds_finding *copy = &report->findings[report->n_findings];
    *copy = *finding;
    copy->order = (uint32_t)report->n_findings++;
    if (telling)
        tell(report, telling);
    return copy;
}

void xds_report_read_again(struct xds_report *report)
{
    report->read_before = report->of_resource;
}

/* The verdicts of a finding of an earlier reading and those of this one are of different
 * clients. Texts in the pool are one copy each. */
static bool found_before(struct xds_report *report, const struct xds_finding *now)
{
    const size_t n = report->n_findings;

    for (size_t i = n > report->of_resource ? n - report->of_resource : 0; i < n; i++) {
        struct xds_finding *then = &report->findings[i];

        if (then->resource != now->resource || then->rule != now->rule ||
            then->path.data != now->path.data || then->message.data != now->message.data)
            continue;
        add_verdicts(report, then, now);
        return true;
    }
    return false;
}

static void count_unread(struct xds_report *report, const struct xds_place *place)
{
    if (report->input.n_unread++ == 0)
        report->input.unread = place ? *place : (struct xds_place){0};
    if (place)
        mark_says(report, place->file);
}

bool xds_report_add(struct xds_report *report, const struct xds_rule *rule,
                    uint32_t resource, const struct xds_path *path,
                    const struct xds_place *place, const struct xds_verdict_sets *verdict,
                    struct xds_slice message)
{
    struct xds_telling *telling = report->once.now;
    const struct xds_verdict_sets own =
        verdict ? *verdict : xds_report_verdicts_of(report, rule);

    verdict = &own;
    report->once.now = NULL;
    if (all_accept(rule, verdict))
        return false;
    if (resource != XDS_NO_RESOURCE) {
        /* A resource of which this was found. */
        struct xds_resource_result *result = &report->resources[resource];

        result->nacking |= verdict->of[XDS_NACK];
        result->unreadable |=
            rule->effect == XDS_EFFECT_SYNTAX && verdict->of[XDS_NACK] != 0;
        if (rule->crash_in_use)
            result->dying |= verdict->of[XDS_CRASH];
        else
            result->crashing |= verdict->of[XDS_CRASH];
        sum_up(report, result);
    }
    if (resource == XDS_NO_RESOURCE && rule->effect == XDS_EFFECT_SYNTAX)
        count_unread(report, place);
    if (!has_room(report) && !(telling && report->part.only_counts))
        return false;
    struct xds_finding finding = {
        .rule = rule,
        .level = level_of(report, rule, verdict),
        .resource = resource,
        .path = xds_pool_path(&report->texts, path),
        .message = xds_pool_text(&report->texts, message),
        .order = (uint32_t)report->n_findings,
    };
    set_verdicts(report, &finding, verdict);
    const bool again = resource != XDS_NO_RESOURCE && report->read_before > 0;

    if (again && found_before(report, &finding)) {
        report->of_resource--;
        return false;
    }
    make_room(report);
    if (place)
        finding.at = *place;
    else
        add_unplaced(report, resource, path, NULL);
    report->findings[report->n_findings++] = finding;
    if (telling)
        tell(report, telling);
    return true;
}

void xds_report_survive(struct xds_report *report, uint32_t resource, xds_readers readers)
{
    struct xds_resource_result *result = &report->resources[resource];

    result->crashing &= ~readers;
    sum_up(report, result);
}

void xds_report_add_core(struct xds_report *report, struct xds_slice words)
{
    report->findings[report->n_findings - 1].core = xds_pool_text(&report->texts, words);
}

void xds_report_add_instead(struct xds_report *report, struct xds_slice text)
{
    report->findings[report->n_findings - 1].instead =
        xds_pool_text(&report->texts, text);
}

void xds_report_add_unread(struct xds_report *report, struct xds_slice field)
{
    report->findings[report->n_findings - 1].unread =
        xds_pool_text(&report->texts, field);
}

void xds_report_relate(struct xds_report *report, uint32_t resource,
                       const struct xds_path *path, const struct xds_place *place,
                       const char *format, ...)
{
    struct xds_arena *arena = report->part.is_one ? &report->passing : &report->arena;
    va_list args;

    arena->guard = report->arena.guard;
    struct xds_related *related = XDS_NEW(arena, struct xds_related);

    va_start(args, format);
    *related = (struct xds_related){
        .resource = resource,
        .path = xds_pool_path(&report->texts, path),
        .message = xds_pool_vprintf(&report->texts, format, args),
    };
    va_end(args);
    if (place)
        related->at = *place;
    else
        add_unplaced(report, resource, path, related);
    report->findings[report->n_findings - 1].related = related;
}

bool xds_report_at(struct xds_report *report, const struct xds_rule *rule,
                   uint32_t resource, struct xds_place place, const char *format, ...)
{
    struct xds_slice message = XDS_S("");
    va_list args;

    va_start(args, format);
    if (!xds_report_is_full(report))
        message = xds_pool_vprintf(&report->texts, format, args);
    va_end(args);
    return xds_report_add(report, rule, resource, NULL, &place, NULL, message);
}

struct erring {
    struct xds_report *report;
    struct xds_input_error error;
};

static void add_error(void *arg)
{
    const struct erring *erring = arg;
    struct xds_report *report = erring->report;

    report->input.errors = room(report, report->input.errors, report->input.n_errors,
                                &report->input.cap_errors, sizeof *report->input.errors);
    report->input.errors[report->input.n_errors] = (struct xds_input_error){
        .file = xds_arena_dup(&report->arena, erring->error.file),
        .line = erring->error.line,
        .message = xds_arena_dup(&report->arena, erring->error.message),
    };
    report->input.n_errors++;
    for (size_t i = 0; i < report->files.n; i++)
        if (xds_slice_eq(report->files.names[i], erring->error.file))
            mark_says(report, (uint32_t)i);
}

enum xds_status xds_report_add_error(struct xds_report *report, struct xds_slice file,
                                     uint32_t line, struct xds_slice message)
{
    struct xds_arena *const arenas[] = {&report->arena};
    struct erring erring = {report, {file, line, message}};

    return xds_arena_guard(arenas, XDS_ARRAY_LEN(arenas), add_error, &erring);
}

void xds_report_add_foreign(struct xds_report *report, enum xds_foreign_kind kind,
                            struct xds_place at, struct xds_slice what)
{
    const size_t n = report->input.n_foreign;

    if (n > 0 && report->input.foreign[n - 1].at.file == at.file)
        return;
    report->input.foreign =
        room(report, report->input.foreign, n, &report->input.cap_foreign,
             sizeof *report->input.foreign);
    report->input.foreign[report->input.n_foreign++] =
        (struct xds_foreign){kind, at, xds_arena_dup(&report->arena, what)};
}

static int cmp_rules(const struct xds_rule *a, const struct xds_rule *b)
{
    return a == b ? 0 : strcmp(a->slug, b->slug);
}

/* Texts that are equal are mostly the same copy. */
static int cmp_texts(struct xds_slice a, struct xds_slice b)
{
    return a.data == b.data && a.len == b.len ? 0 : xds_slice_cmp(a, b);
}

/* Digits from here on. */
static size_t digits_at(struct xds_slice text, size_t i)
{
    size_t end = i;

    while (end < text.len && xds_ascii_digit(text.data[end]))
        end++;
    return end - i;
}

/* How long both are the same. */
static size_t common_len(struct xds_slice a, struct xds_slice b)
{
    const size_t most = a.len < b.len ? a.len : b.len;
    uint64_t x, y;
    size_t i = 0;

    for (; i + sizeof x <= most; i += sizeof x) {
        memcpy(&x, a.data + i, sizeof x);
        memcpy(&y, b.data + i, sizeof y);
        if (x != y)
            break;
    }
    while (i < most && a.data[i] == b.data[i])
        i++;
    return i;
}

/* Whole numbers in them go by value: "priority 2" comes before "priority 10". */
static int cmp_messages(struct xds_slice a, struct xds_slice b)
{
    size_t i;

    if (a.data == b.data && a.len == b.len)
        return 0;
    i = common_len(a, b);
    while (i > 0 && xds_ascii_digit(a.data[i - 1]))
        i--;

    const size_t in_a = digits_at(a, i), in_b = digits_at(b, i);

    return in_a && in_b && in_a != in_b ? (in_a < in_b ? -1 : 1) : xds_slice_cmp(a, b);
}

static int cmp_findings(const void *left, const void *right)
{
    const struct xds_finding *a = left, *b = right;
    int c = (a->suppressed != XDS_NOT_SUPPRESSED) - (b->suppressed != XDS_NOT_SUPPRESSED);

    if (c == 0)
        c = xds_u32_cmp(a->at.file, b->at.file);
    if (c == 0)
        c = xds_u32_cmp(a->at.line, b->at.line);
    if (c == 0)
        c = xds_u32_cmp(a->at.column, b->at.column);
    if (c == 0)
        c = cmp_rules(a->rule, b->rule);
    if (c == 0)
        c = cmp_texts(a->path, b->path);
    if (c == 0)
        c = cmp_messages(a->message, b->message);
    /* Bytes have no lines that would tell two resources apart. */
    return c == 0 && a->at.line == 0 ? xds_u32_cmp(a->resource, b->resource) : c;
}

static bool is_of_core(const struct xds_finding *finding)
{
    return finding->verdict[XDS_CLIENT_CORE] == XDS_NACK;
}

static bool is_silent(const struct xds_finding *finding)
{
    return finding->core.data && finding->core.len == 0;
}

/* Core says it if it says one of them. */
static void join(struct xds_report *report, struct xds_finding *first,
                 const struct xds_finding *other)
{
    if (is_of_core(other) && (is_silent(first) || !is_of_core(first)))
        first->core = other->core;
    add_verdicts(report, first, other);
}

/* Findings that differ in nothing but who is concerned: the first one says it for all. */
static void join_verdicts(void *arg)
{
    struct xds_report *report = arg;
    struct xds_finding *first = report->findings;

    for (size_t i = 1; i < report->n_findings; i++)
        if (cmp_findings(first, &report->findings[i]) != 0)
            first = &report->findings[i];
        else
            join(report, first, &report->findings[i]);
}

void xds_report_sort(struct xds_report *report)
{
    struct xds_arena *const arenas[] = {&report->arena};
    size_t kept = 0;

    report->n_findings += report->n_suppressed;
    report->n_suppressed = 0;
    if (report->n_findings == 0)
        return;
    qsort(report->findings, report->n_findings, sizeof *report->findings, cmp_findings);
    /* Without memory the first one says it for some. */
    (void)!xds_arena_guard(arenas, 1, join_verdicts, report);
    for (size_t i = 1; i < report->n_findings; i++)
        if (cmp_findings(&report->findings[kept], &report->findings[i]) != 0)
            report->findings[++kept] = report->findings[i];
    report->n_findings = kept + 1;
    /* They come last in the order. */
    while (report->n_findings > 0 &&
           report->findings[report->n_findings - 1].suppressed != XDS_NOT_SUPPRESSED) {
        report->n_findings--;
        report->n_suppressed++;
    }
}

/* ---- parts ---- */

void xds_report_begin_part(struct xds_report *part)
{
    part->part.is_one = true;
    part->part.only_counts = false;
    part->n_resources = part->n_findings = part->part.repeats.n = 0;
    part->unplaced.n = part->dropped = 0;
    part->once.now = NULL;
    empty_passing(part);
}

void xds_report_forget_told(struct xds_report *part)
{
    xds_strmap_clear(&part->once.keys);
    part->once.now = NULL;
}

/* ---- texts ---- */

void xds_texts_init(struct xds_texts *texts)
{
    xds_arena_init(&texts->arena, 0);
    xds_pool_init(&texts->pool, &texts->arena);
}

void xds_texts_release(struct xds_texts *texts)
{
    xds_pool_release(&texts->pool);
    xds_arena_release(&texts->arena);
}

/* Each pool continues with the arena that is beside it. */
void xds_report_swap_texts(struct xds_report *part, struct xds_texts *texts)
{
    const struct xds_texts other = {part->arena, part->texts};

    part->arena = texts->arena;
    part->texts = texts->pool;
    part->texts.arena = &part->arena;
    *texts = other;
    texts->pool.arena = &texts->arena;
}

void xds_report_adopt_texts(struct xds_report *report, struct xds_texts *texts)
{
    xds_arena_adopt(&report->arena, &texts->arena);
    xds_texts_release(texts);
}

/* ---- resources and findings ---- */

uint32_t xds_report_take_resource(struct xds_report *report,
                                  const struct xds_resource_result *result,
                                  struct xds_place at)
{
    const uint32_t index = xds_report_add_resource(report, XDS_S(""), XDS_S(""), at);

    report->resources[index] = *result;
    report->resources[index].at = at;
    return index;
}

static void move_mark(const struct xds_move *move, uint32_t *line, uint32_t *column)
{
    if (*line == move->from.line)
        *column += move->to.column - move->from.column;
    *line += move->to.line - move->from.line;
}

static void move_place(const struct xds_move *move, struct xds_place *place)
{
    if (!move || place->line == 0)
        return;
    place->file = move->to.file;
    move_mark(move, &place->line, &place->column);
    move_mark(move, &place->end_line, &place->end_column);
}

static const struct xds_related *take_related(struct xds_report *report,
                                              const struct xds_related *related,
                                              uint32_t resource,
                                              const struct xds_move *move)
{
    struct xds_related *copy = XDS_NEW(&report->arena, struct xds_related);

    *copy = *related;
    if (copy->resource != XDS_NO_RESOURCE)
        copy->resource = resource;
    move_place(move, &copy->at);
    return copy;
}

void xds_report_take(struct xds_report *report, const struct xds_finding *finding,
                     uint32_t resource, const struct xds_move *move)
{
    if (finding->once.data && !xds_report_is_first(report, finding->once))
        return;
    struct xds_finding *copy = copy_finding(report, finding);

    if (!copy)
        return;
    if (copy->resource != XDS_NO_RESOURCE)
        copy->resource = resource;
    move_place(move, &copy->at);
    if (copy->related)
        copy->related = take_related(report, copy->related, resource, move);
}

void xds_report_take_repeat(struct xds_report *report, const struct xds_repeat *repeat)
{
    struct xds_telling *telling = xds_strmap_get(&report->once.keys, repeat->key);

    if (telling)
        count_repeats(report, telling, repeat->times);
}

void xds_report_end_part(struct xds_report *report, struct xds_report *part)
{
    xds_arena_adopt(&report->arena, &part->arena);
    xds_report_free(part);
}
