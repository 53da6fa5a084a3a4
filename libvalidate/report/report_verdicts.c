/* report_verdicts.c - who does what about a finding and a resource, release by release.
 */
#include "report/report_verdicts.h"

void xds_report_set_readers(struct xds_report *report, size_t n,
                            const struct xds_client_release *readers,
                            const struct xds_verdict_sets *of_rule)
{
    report->of_rule = of_rule;
    report->n_readers = n;
    memset(report->of_client, 0, sizeof report->of_client);
    for (size_t i = 0; i < n; i++) {
        report->reader[i] = readers[i];
        report->of_client[readers[i].client] |= UINT64_C(1) << i;
    }
}

/* The clients of which a reader is in the set. */
static unsigned clients_of(const struct xds_report *report, uint64_t readers)
{
    unsigned clients = 0;

    for (unsigned c = 0; c < XDS_CLIENTS; c++)
        if (readers & report->of_client[c])
            clients |= XDS_CLIENT_BIT(c);
    return clients;
}

enum xds_level xds_report_level(const struct xds_report *report,
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

bool xds_nobody_minds(const struct xds_rule *rule, const struct xds_verdict_sets *verdict)
{
    uint64_t any = 0;

    for (unsigned v = XDS_IGNORE; v <= XDS_CRASH; v++)
        any |= verdict->of[v];
    return rule->effect != XDS_EFFECT_SYNTAX && rule->effect != XDS_EFFECT_HYGIENE &&
           !any;
}

/* What the newest releases do, of readers that may be others. */
struct xds_verdict_sets xds_report_verdicts_of(const struct xds_report *report,
                                               const struct xds_rule *rule)
{
    struct xds_verdict_sets sets = {{0}};

    for (enum xds_client c = 0; c < XDS_CLIENTS; c++)
        sets.of[xds_rule_verdict(rule, c)] |= report->of_client[c];
    sets.of[XDS_ACCEPT] = 0;
    return sets;
}

/* Findings in a row mostly have the same. */
static const struct xds_verdict_sets *keep_sets(struct xds_report *report,
                                                const struct xds_verdict_sets *sets)
{
    if (!report->last_sets || memcmp(report->last_sets, sets, sizeof *sets) != 0) {
        struct xds_verdict_sets *copy = XDS_NEW(&report->arena, struct xds_verdict_sets);

        *copy = *sets;
        report->last_sets = copy;
    }
    return report->last_sets;
}

/* The worst verdict of each client's releases, and of each release where there are
 * several. */
void xds_report_set_verdicts(struct xds_report *report, struct xds_finding *finding,
                             const struct xds_verdict_sets *sets)
{
    for (unsigned c = 0; c < XDS_CLIENTS; c++)
        for (unsigned v = XDS_IGNORE; v <= XDS_CRASH; v++)
            if (sets->of[v] & report->of_client[c])
                finding->verdict[c] = (unsigned char)v;
    if (report->n_readers > XDS_CLIENTS)
        finding->releases = keep_sets(report, sets);
}

void xds_report_judge(struct xds_report *report, uint32_t resource,
                      const struct xds_rule *rule, const struct xds_verdict_sets *verdict)
{
    struct xds_resource_result *result = &report->resources[resource];

    result->nacking |= verdict->of[XDS_NACK];
    if (rule->crash_in_use)
        result->dying |= verdict->of[XDS_CRASH];
    else
        result->crashing |= verdict->of[XDS_CRASH];
    result->nacked_by = clients_of(report, result->nacking);
    result->crashed_by =
        clients_of(report, result->crashing | (result->dying & ~result->nacking));
}

/* What is found again, by others. */
void xds_report_add_verdicts(struct xds_report *report, struct xds_finding *then,
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

uint64_t xds_report_rejecting(const struct xds_report *report, size_t first)
{
    uint64_t readers = 0;

    for (size_t i = first; i < report->n_findings; i++) {
        const struct xds_finding *finding = &report->findings[i];

        for (unsigned c = 0; c < XDS_CLIENTS && !finding->releases; c++)
            if (finding->verdict[c] >= XDS_NACK)
                readers |= report->of_client[c];
        if (finding->releases)
            readers |= finding->releases->of[XDS_NACK] | finding->releases->of[XDS_CRASH];
    }
    return readers;
}

/* The reader that stands for a release: the oldest one that is not before it. */
static uint64_t reader_of(const struct xds_report *report, struct xds_client_release who)
{
    size_t best = who.client;

    for (size_t i = 0; i < report->n_readers && who.release.major != 0; i++)
        if (report->reader[i].client == who.client &&
            !xds_release_is_before(report->reader[i].release, who.release) &&
            xds_release_is_before(report->reader[i].release,
                                  report->reader[best].release))
            best = i;
    return UINT64_C(1) << best;
}

enum xds_verdict xds_finding_verdict(const struct xds_report *report,
                                     const struct xds_finding *finding,
                                     struct xds_client_release who)
{
    const uint64_t reader = reader_of(report, who);
    enum xds_verdict verdict = XDS_ACCEPT;

    if (!finding->releases)
        return (enum xds_verdict)finding->verdict[who.client];
    for (enum xds_verdict v = XDS_IGNORE; v <= XDS_CRASH; v++)
        if (finding->releases->of[v] & reader)
            verdict = v;
    return verdict;
}

enum xds_verdict xds_resource_verdict(const struct xds_report *report,
                                      const struct xds_resource_result *resource,
                                      struct xds_client_release who)
{
    const uint64_t reader = reader_of(report, who);

    if (resource->crashing & reader)
        return XDS_CRASH;
    if (resource->nacking & reader)
        return XDS_NACK;
    return resource->dying & reader ? XDS_CRASH : XDS_ACCEPT;
}
