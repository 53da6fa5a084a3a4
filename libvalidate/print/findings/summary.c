/* summary.c - the last line of a report: how much is rejected, and by whom. */
#include <stdlib.h>

#include "print/findings/findings.h"
#include "print/write/json.h"

/* Resources that the same readers reject, or die of: bits of the report. */
struct group {
    xds_readers readers;
    size_t n;
};

struct groups {
    struct group *list;
    size_t n;
    xds_readers rejecting; /* any of it */
};

enum { SHOWN = 4 };

static int by_readers(const void *left, const void *right)
{
    const struct group *a = left, *b = right;

    return (a->readers > b->readers) - (a->readers < b->readers);
}

/* The most resources first; then the most clients. */
static int by_size(const void *left, const void *right)
{
    const struct group *a = left, *b = right;

    if (a->n != b->n)
        return a->n > b->n ? -1 : 1;
    return -by_readers(left, right);
}

/* What of a report is counted: resources or bootstraps, NACKs or crashes. */
struct kind {
    bool bootstraps, crashes;
};

/* asked: the readers that count. others: those that count where no one else does. */
static struct groups group(struct xds_arena *arena, const struct xds_report *report,
                           struct kind kind, xds_readers asked, xds_readers others)
{
    struct groups groups = {.list =
                                XDS_NEW_ARRAY(arena, struct group, report->n_resources)};
    size_t n = 0;

    for (size_t i = 0; i < report->n_resources; i++) {
        const struct xds_resource_result *resource = &report->resources[i];
        xds_readers readers =
            kind.crashes ? resource->crashing | (resource->dying & ~resource->nacking)
            : resource->unreadable && !kind.bootstraps ? 0
                                                       : resource->nacking;

        if (resource->unjudged || xds_result_is_bootstrap(resource) != kind.bootstraps)
            continue;
        readers &= readers & asked ? asked : others;
        groups.rejecting |= readers;
        if (readers)
            groups.list[n++] = (struct group){readers, 1};
    }
    if (n > 0)
        qsort(groups.list, n, sizeof *groups.list, by_readers);
    for (size_t i = 0; i < n; i++)
        if (groups.n > 0 && groups.list[groups.n - 1].readers == groups.list[i].readers)
            groups.list[groups.n - 1].n++;
        else
            groups.list[groups.n++] = groups.list[i];
    if (groups.n > 0)
        qsort(groups.list, groups.n, sizeof *groups.list, by_size);
    return groups;
}

/* ---- text ---- */

struct job {
    struct xds_out *out;
    struct xds_arena *arena;
    const struct xds_report *report;
    struct xds_reader_list asked;
    xds_readers bits; /* of them */
};

/* Who of those that were asked for is among the readers. */
static void choose(struct job *job, xds_readers readers)
{
    struct xds_reader_list *asked = &job->asked;
    size_t n = 0;

    for (size_t i = 0; i < asked->n; i++) {
        asked->in[i] = (xds_report_reader(job->report, asked->who[i]) & readers) != 0;
        n += asked->in[i];
    }
    asked->all = n == asked->n;
}

/* More than its newest release of a client. */
static bool asks_several(const struct xds_reader_list *asked, enum xds_client client)
{
    size_t n = 0;

    for (size_t i = 0; i < asked->n; i++)
        n += asked->who[i].client == client;
    return n > 1;
}

/* "core@1.53.2, core@1.60.2 and go"; last: before the last one. */
static void name_readers(struct job *job, xds_readers readers, const char *last)
{
    const unsigned clients =
        job->report->options.clients | XDS_CLIENT_BIT(XDS_CLIENT_GRFC);
    const xds_readers documents = job->report->readers.of_client[XDS_CLIENT_GRFC];

    choose(job, readers);
    if (!(readers & ~documents))
        xds_out_format(job->out, "the documents%s",
                       (job->bits & ~documents) ? " only" : "");
    else if (job->asked.all && clients == XDS_ALL_CLIENTS)
        xds_out_text(job->out, "all clients");
    else
        xds_out_readers(job->out, &job->asked, last);
}

/* "rejected by go"; of several groups "rejected (3 by go and java, 1 by all clients)". */
static void out_groups(struct job *job, const struct groups *groups, bool crashes)
{
    const char *by = crashes ? "" : "by ";
    const size_t shown = groups->n > SHOWN ? SHOWN - 1 : groups->n;
    struct xds_out *out = job->out;
    size_t rest = 0;

    if (groups->n == 1) {
        xds_out_format(out, " %s", by);
        name_readers(job, groups->list->readers, " and ");
        return;
    }
    xds_out_text(out, crashes ? " a client (" : " (");
    for (size_t i = 0; i < shown; i++) {
        xds_out_format(out, "%s%zu %s", i > 0 ? ", " : "", groups->list[i].n, by);
        name_readers(job, groups->list[i].readers, " and ");
    }
    for (size_t i = shown; i < groups->n; i++)
        rest += groups->list[i].n;
    if (rest > 0)
        xds_out_format(out, ", %zu %sothers", rest, by);
    xds_out_char(out, ')');
}

/* Of several releases of a client, those that accept everything: "; core@1.85.3 accepts
 * all". */
static void out_accepting(struct job *job, xds_readers rejecting)
{
    struct xds_reader_list *asked = &job->asked;
    struct xds_reader_name name;
    size_t n = 0;

    choose(job, ~rejecting);
    for (size_t i = 0; i < asked->n; i++)
        asked->in[i] = asked->in[i] && asks_several(asked, asked->who[i].client);
    for (size_t at = 0; n < 2 && xds_readers_next(asked, &at, &name);)
        n += strstr(name.text, "..") ? 2 : 1;
    if (n == 0)
        return;
    xds_out_text(job->out, "; ");
    xds_out_readers(job->out, asked, " and ");
    xds_out_text(job->out, n > 1 ? " accept all" : " accepts all");
}

static bool is_one_client(const struct job *job)
{
    const unsigned clients = job->report->options.clients;

    return !(clients & (clients - 1));
}

/* What the clients of a dump say of what they hold. */
struct held_counts {
    size_t rejected, lacking;
    uint32_t first; /* client that says something */
    bool several;
};

static struct held_counts count_held(const struct xds_report *report)
{
    struct held_counts sum = {.rejected = 0};

    for (size_t i = 0; i < report->n_resources; i++) {
        const struct xds_held *held = report->resources[i].held;

        if (!held)
            continue;
        /* Beside one that is in use, what was rejected is a resource of its own. */
        if (held->status == XDS_HELD_NACKED)
            sum.rejected += held->is_rejected || !held->has_rejected;
        else
            sum.lacking += held->is_absent;
        sum.several |= sum.first > 0 && held->client != sum.first;
        sum.first = held->client;
    }
    return sum;
}

/* "the client rejected 1 resource and lacks 1" */
static void out_held(struct xds_out *out, struct held_counts held)
{
    xds_out_format(out, "the client%s ", held.several ? "s" : "");
    if (held.rejected > 0)
        xds_out_format(out, "rejected %zu resource%s", held.rejected,
                       xds_plural(held.rejected));
    if (held.lacking > 0)
        xds_out_format(out, "%slack%s %zu", held.rejected > 0 ? " and " : "",
                       held.several ? "" : "s", held.lacking);
    if (held.rejected == 0)
        xds_out_format(out, " resource%s", xds_plural(held.lacking));
}

/* Who rejects or dies of the bootstraps, or of the resources. */
static void out_verdicts(struct job *job, struct xds_summary sum, bool bootstraps,
                         bool is_folder)
{
    const struct xds_report *report = job->report;
    const unsigned named = report->options.clients & XDS_CLIENT_BIT(XDS_CLIENT_GRFC);
    const xds_readers documents = named ? report->readers.of_client[XDS_CLIENT_GRFC] : 0;
    const size_t all = bootstraps ? sum.bootstraps : sum.resources;
    const size_t crashing = bootstraps ? sum.killing_bootstraps : sum.crashing;
    struct xds_out *out = job->out;
    struct groups nacks = {.n = 0}, crashes = {.n = 0};

    if (!is_folder) {
        nacks = group(job->arena, report, (struct kind){bootstraps, false}, job->bits,
                      documents);
        crashes = group(job->arena, report, (struct kind){bootstraps, true}, job->bits,
                        documents);
    }
    xds_out_format(out, "%zu of %zu %s%s would be rejected",
                   bootstraps ? sum.refused_bootstraps : sum.nacked, all,
                   bootstraps ? "bootstrap" : "resource", xds_plural(all));
    if (nacks.n > 0)
        out_groups(job, &nacks, false);
    else if (is_one_client(job)) {
        xds_out_text(out, " by ");
        name_readers(job, job->bits, " or ");
    }
    if (crashing > 0) {
        xds_out_format(out, ", %zu would kill", crashing);
        if (is_folder)
            xds_out_text(out, " a client");
        else
            out_groups(job, &crashes, true);
    }
    if (sum.unreadable > 0 && !bootstraps)
        xds_out_format(out, ", %zu cannot be read", sum.unreadable);
    if (nacks.n + crashes.n > 0)
        out_accepting(job, nacks.rejecting | crashes.rejecting);
}

/* What clients do, or did, about everything in the report. */
static void out_clients(struct job *job, struct xds_summary sum, bool is_folder)
{
    const size_t unlike = sum.nacked + sum.crashing + sum.unreadable;
    const size_t refused = sum.refused_bootstraps + sum.killing_bootstraps;
    struct held_counts held = {.rejected = 0};
    struct xds_out *out = job->out;

    /* A client that refuses its bootstrap does not start, so this comes first. */
    if (refused > 0 || sum.resources == 0) {
        out_verdicts(job, sum, true, is_folder);
        xds_out_text(out, sum.resources > 0 ? "; " : "");
    }
    if (!is_folder)
        held = count_held(job->report);
    const bool is_held = held.rejected + held.lacking > 0;

    if (is_held) {
        out_held(out, held);
        xds_out_text(out, unlike > 0 ? "; " : "");
    }
    if (!is_held || unlike > 0) {
        if (sum.resources > 0)
            out_verdicts(job, sum, false, is_folder);
        if (job->report->input.n_unread > 0 && !is_folder)
            xds_out_text(out, ", a part of the input could not be read");
    }
    xds_out_text(out, ": ");
}

/* The most important line, so it comes last. */
static void out_sum(struct xds_out *out, struct xds_arena *arena,
                    const struct xds_report *report, struct xds_summary sum,
                    bool is_folder)
{
    struct job job = {.out = out, .arena = arena, .report = report};

    xds_readers_asked(out, report, &job.asked);
    for (size_t i = 0; i < job.asked.n; i++)
        job.bits |= xds_report_reader(report, job.asked.who[i]);
    if (sum.resources + sum.bootstraps > 0)
        out_clients(&job, sum, is_folder);
    else
        xds_out_text(out, report->input.n_unread + report->input.n_errors > 0 &&
                                  sum.unjudged == 0
                              ? "the input could not be read: "
                              : "no resource was judged: ");
    xds_out_format(out, "%zu error%s, %zu warning%s, %zu note%s", sum.errors,
                   xds_plural(sum.errors), sum.warnings, xds_plural(sum.warnings),
                   sum.notes, xds_plural(sum.notes));
    if (sum.suppressed)
        xds_out_format(out, "; %zu suppressed", sum.suppressed);
    if (sum.dropped) {
        xds_out_format(out, "; not shown: %zu more finding%s", sum.dropped,
                       xds_plural(sum.dropped));
    }
    xds_out_char(out, '\n');
}

void xds_out_folder(struct xds_out *out, struct xds_arena *arena,
                    const struct xds_report *report, const struct xds_folder *folder)
{
    xds_out_format(out, "%.*s: ", XDS_FMT(folder->path));
    out_sum(out, arena, report, folder->sum, true);
}

void xds_out_summary(struct xds_out *out, struct xds_arena *arena,
                     const struct xds_report *report)
{
    out_sum(out, arena, report, xds_report_summary(report), false);
}

/* ---- JSON ---- */

/* As clients, without their releases. */
struct tally {
    unsigned clients;
    size_t n;
};

static int by_tally(const void *left, const void *right)
{
    const struct tally *a = left, *b = right;

    if (a->n != b->n)
        return a->n > b->n ? -1 : 1;
    return (a->clients < b->clients) - (a->clients > b->clients);
}

static void json_groups(struct xds_out *out, const struct xds_report *report,
                        const char *key, bool crashes)
{
    enum { GROUPS = 1 << XDS_CLIENTS };
    struct tally groups[GROUPS];
    size_t n = 0;

    for (unsigned i = 0; i < GROUPS; i++)
        groups[i] = (struct tally){i, 0};
    for (size_t i = 0; i < report->n_resources; i++) {
        const struct xds_resource_result *resource = &report->resources[i];
        const unsigned clients = crashes                ? resource->crashed_by
                                 : resource->unreadable ? 0
                                                        : resource->nacked_by;

        if (xds_result_is_bootstrap(resource))
            continue;
        groups[clients & report->options.clients].n++;
    }
    for (size_t i = 1; i < GROUPS; i++)
        if (groups[i].n > 0)
            groups[n++] = groups[i];
    if (n > 1)
        qsort(groups, n, sizeof *groups, by_tally);
    xds_json_key_array(out, key);
    for (size_t i = 0; i < n; i++) {
        xds_json_begin_object(out);
        xds_json_clients(out, "clients", groups[i].clients);
        xds_json_key_u64(out, "resources", groups[i].n);
        xds_json_end_object(out);
    }
    xds_json_end_array(out);
}

void xds_json_summary(struct xds_out *out, const struct xds_report *report)
{
    const struct xds_summary sum = xds_report_summary(report);

    xds_json_key_object(xds_json_line(out), "summary");
    xds_json_members(out,
                     "resources: %zu, nacked: %zu, crashing: %zu, errors: %zu, "
                     "warnings: %zu, notes: %zu, dropped: %zu, suppressed: %zu",
                     sum.resources, sum.nacked, sum.crashing, sum.errors, sum.warnings,
                     sum.notes, sum.dropped, sum.suppressed);
    if (sum.unreadable > 0)
        xds_json_key_u64(out, "unreadable", sum.unreadable);
    if (sum.bootstraps > 0)
        xds_json_members(
            out, "bootstraps: %zu, bootstraps_nacked: %zu, bootstraps_crashing: %zu",
            sum.bootstraps, sum.refused_bootstraps, sum.killing_bootstraps);
    if (sum.unjudged > 0)
        xds_json_key_u64(out, "not_judged", sum.unjudged);
    json_groups(out, report, "nacked_by", false);
    json_groups(out, report, "crashing_by", true);
    xds_json_end_object(out);
}
