/* statistics.c - how often each rule was found. */
#include <stdlib.h>

#include "print/findings/findings.h"
#include "print/write/json.h"

struct tally {
    const struct xds_rule *rule;
    size_t n;
    enum xds_level worst;
};

static int by_count(const void *left, const void *right)
{
    const struct tally *a = left, *b = right;

    if (a->n != b->n)
        return a->n > b->n ? -1 : 1;
    return a->n == 0 ? 0 : strcmp(a->rule->slug, b->rule->slug);
}

static size_t rank(const struct xds_report *report, struct tally tallies[XDS_RULES])
{
    /* Findings that are reported once for many count as what they are: one. */
    const struct xds_rule *rows = xds_rules(&(size_t){0});
    size_t n = 0;

    for (size_t i = 0; i < xds_report_findings(report); i++) {
        const struct xds_finding *finding = xds_report_finding(report, i);
        struct tally *tally = &tallies[finding->rule - rows];

        tally->rule = finding->rule;
        n += tally->n++ == 0;
        if (finding->level > tally->worst)
            tally->worst = finding->level;
    }

    qsort(tallies, XDS_RULES, sizeof *tallies, by_count);
    return n;
}

static void print_text(void *arg)
{
    struct xds_answer *answer = arg;
    struct tally tallies[XDS_RULES] = {{NULL, 0, XDS_LEVEL_NOTE}};
    const size_t n = rank(answer->of, tallies);

    for (size_t i = 0; i < n; i++)
        xds_out_line(&answer->out, "%6zu  %-9s%s", tallies[i].n,
                     xds_level_name(tallies[i].worst), tallies[i].rule->slug);
    if (!answer->out.to->quiet)
        xds_out_summary(&answer->out, &answer->arena, answer->of);
}

enum xds_status xds_print_statistics_text(const struct xds_printer *to,
                                          const struct xds_report *report)
{
    return xds_answer_write(to, print_text, report);
}

enum xds_status xds_print_statistics_json(const struct xds_printer *to,
                                          const struct xds_report *report)
{
    struct tally tallies[XDS_RULES] = {{NULL, 0, XDS_LEVEL_NOTE}};
    const size_t n = rank(report, tallies);
    struct xds_out out;

    xds_out_init(&out, to);
    xds_json_begin_document(&out);
    xds_json_tool(&out);
    xds_json_key_array(&out, "statistics");
    for (size_t i = 0; i < n; i++) {
        const struct tally *tally = &tallies[i];

        xds_json_row(&out, "rule: %s, level: %s, count: %zu", tally->rule->slug,
                     xds_level_name(tally->worst), tally->n);
    }
    xds_json_end_array(&out);
    xds_json_summary(&out, report);
    xds_json_end_document(&out);
    return xds_out_finish(&out);
}
