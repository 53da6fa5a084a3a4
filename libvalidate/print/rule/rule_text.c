/* rule_text.c - one rule in full, or one line for each. */
#include "catalogue/log.h"
#include "print/findings/findings.h"
#include "print/rule/rule.h"
#include "print/write/document.h"

#include <stdlib.h>

static int by_slug(const void *left, const void *right)
{
    const struct xds_rule *a = *(const struct xds_rule *const *)left;
    const struct xds_rule *b = *(const struct xds_rule *const *)right;

    return strcmp(a->slug, b->slug);
}

void xds_rules_by_slug(const struct xds_rule *list[XDS_RULES])
{
    size_t n;
    const struct xds_rule *rules = xds_rules(&n);

    for (size_t i = 0; i < n; i++)
        list[i] = &rules[i];
    qsort(list, n, sizeof(const struct xds_rule *), by_slug);
}

void xds_out_rule_effect(struct xds_out *out, const struct xds_rule *rule)
{
    switch (rule->effect) {
    case XDS_EFFECT_SYNTAX:
        xds_out_text(out, "error: the input is not xDS, so no client sees a resource");
        return;
    case XDS_EFFECT_HYGIENE:
        xds_out_format(out, "%s: every client accepts it", xds_level_name(rule->level));
        return;
    case XDS_EFFECT_CRASH:
    case XDS_EFFECT_NACK:
    case XDS_EFFECT_SKIP:
    case XDS_EFFECT_IGNORE:
        xds_out_rule_verdicts(out, rule);
        return;
    }
}

enum xds_level xds_rule_worst_level(const struct xds_rule *rule)
{
    switch (rule->effect) {
    case XDS_EFFECT_CRASH:
    case XDS_EFFECT_NACK:
        return XDS_LEVEL_ERROR;
    case XDS_EFFECT_SKIP:
        return XDS_LEVEL_WARNING;
    case XDS_EFFECT_IGNORE:
        return XDS_LEVEL_NOTE;
    case XDS_EFFECT_HYGIENE:
    case XDS_EFFECT_SYNTAX:
        break;
    }
    return rule->level;
}

/* Why RPCs fail is listed where there are words to look for. */
static const struct xds_rpc_failure *next_failure(const struct xds_rpc_failure *last,
                                                  struct xds_words words)
{
    return words.n > 0 ? xds_rpc_failure_next(last, words) : NULL;
}

static void print_list(struct xds_out *out, struct xds_words words)
{
    const struct xds_rule *list[XDS_RULES] = {NULL};
    const struct xds_rpc_failure *failure = NULL;
    size_t width = 0;

    xds_rules_by_slug(list);
    for (size_t i = 0; i < XDS_RULES; i++)
        if (strlen(list[i]->slug) > width && xds_rule_has(list[i], words))
            width = strlen(list[i]->slug);
    const bool any_rule = width > 0;

    while ((failure = next_failure(failure, words)))
        width = strlen(failure->slug) > width ? strlen(failure->slug) : width;
    if (!out->to->quiet && any_rule) {
        xds_out_line(out,
                     "letters for %s: C dies of it, N rejects the resource, S skips the "
                     "entry, I ignores the field, - accepts; E is not xDS for any client",
                     xds_client_list(XDS_ALL_CLIENTS, ", ").text);
    }
    for (size_t i = 0; i < XDS_RULES && !out->failed; i++) {
        const struct xds_rule *rule = list[i];

        if (!xds_rule_has(rule, words))
            continue;
        xds_out_format(out, "%-*s", (int)width + 2, rule->slug);

        /* One letter per client, in the order of enum xds_client. */
        static const char letters[] = {[XDS_ACCEPT] = '-',
                                       [XDS_IGNORE] = 'I',
                                       [XDS_SKIP] = 'S',
                                       [XDS_NACK] = 'N',
                                       [XDS_CRASH] = 'C'};

        for (enum xds_client c = 0; c < XDS_CLIENTS; c++)
            xds_out_char(out, rule->effect == XDS_EFFECT_SYNTAX
                                  ? 'E'
                                  : letters[xds_rule_verdict(rule, c)]);
        xds_out_line(out, "  %s (%s)", rule->text, rule->source);
    }
    while ((failure = next_failure(failure, words)))
        xds_out_line(out, "%-*s       why RPCs fail: %s", (int)width + 2, failure->slug,
                     failure->text);
}

/* What a verdict means for an application, in the order in which verdicts are named. */
static const struct consequence {
    enum xds_verdict verdict;
    const char *words;
} consequences[] = {
    {XDS_CRASH, "a client that dies of it is gone with all its channels, also after each "
                "restart, until the resource is changed"},
    {XDS_NACK, "a client that rejects it keeps the previous version; without one, what "
               "needs the resource fails"},
    {XDS_SKIP, "a client that skips it silently uses the resource without that entry"},
    {XDS_IGNORE,
     "a client that ignores it uses the resource as if the field were not set"},
};

static bool somebody(const struct xds_rule *rule, enum xds_verdict verdict)
{
    for (enum xds_client c = 0; c < XDS_CLIENTS; c++)
        if (xds_rule_verdict(rule, c) == verdict)
            return true;
    return false;
}

const char *xds_rule_consequence(const struct xds_rule *rule, size_t *i)
{
    const bool is_seen =
        rule->effect != XDS_EFFECT_HYGIENE && rule->effect != XDS_EFFECT_SYNTAX;

    while (is_seen && *i < XDS_ARRAY_LEN(consequences)) {
        const struct consequence *row = &consequences[(*i)++];

        if (somebody(rule, row->verdict))
            return row->words;
    }
    return NULL;
}

static void print_wordings(struct xds_out *out, const struct xds_rule *rule)
{
    struct xds_log_wording wording;
    size_t i = 0;

    while (xds_log_wording_of(rule, &i, &wording)) {
        xds_out_format(
            out, "    in logs of %s: ", xds_client_list(wording.clients, ", ").text);
        if (*wording.path != '\0')
            xds_out_format(out, "%s: ", wording.path);
        /* A hole is shown as "*". */
        for (size_t hole; *wording.message != '\0'; wording.message += hole ? hole : 1) {
            hole = xds_glob_hole(wording.message);
            xds_out_char(out, hole ? '*' : *wording.message);
        }
        xds_out_char(out, '\n');
    }
}

static void print_example(struct xds_out *out, const char *what,
                          const struct xds_example *example)
{
    struct xds_slice rest, line;

    if (*example->path == '\0')
        return;
    xds_out_line(out, "    %s%s, %s%s", what,
                 *example->input ? "" : " (too long to show, or not text)", example->path,
                 *example->input ? ":" : "");
    rest = xds_slice_of(example->input);
    while (rest.len > 0) {
        rest = xds_slice_cut(rest, '\n', &line);
        xds_out_line(out, "        %.*s", XDS_FMT(line));
    }
}

static void print_in_full(struct xds_out *out, const struct xds_rule *rule)
{
    struct xds_examples examples;
    const char *words;

    xds_out_styled(out, XDS_STYLE_BOLD, rule->slug);
    xds_out_line(out, " (%s)", rule->id);
    xds_out_line(out, "    %s", rule->text);
    xds_out_text(out, "    ");
    xds_out_rule_effect(out, rule);
    xds_out_char(out, '\n');
    for (size_t i = 0; (words = xds_rule_consequence(rule, &i));)
        xds_out_line(out, "    %s", words);
    xds_out_rule_history(out, rule);
    xds_out_guards(out, rule);
    print_wordings(out, rule);
    xds_out_line(out, "    source: %s", rule->source);

    /* What the source is in words. */
    struct xds_citations citations = xds_citations_of(rule->source);
    struct xds_cited cited;

    while (xds_cited_next(&citations, &cited))
        if (cited.grfc)
            xds_out_line(out, "    gRFC A%u: %s\n        %s", cited.grfc->number,
                         cited.grfc->title, cited.grfc->url);
        else
            xds_out_spec_short(out, cited.spec);
    /* Each difference between clients that is about the rule. */
    for (size_t i = 0; i < XDS_DIFFERENCES; i++)
        if (xds_citations_meet(rule->source,
                               xds_difference_row((enum xds_difference)i).source))
            xds_out_difference(out, 4, (enum xds_difference)i);
    if (rule->fix)
        xds_out_line(out, "    fix: %s", rule->fix);
    if (xds_examples_of(rule, &examples)) {
        print_example(out, "bad example", &examples.bad);
        print_example(out, "good example", &examples.good);
    }
}

enum xds_status xds_print_rules(const struct xds_printer *to, struct xds_words words)
{
    struct xds_out out;

    xds_out_init(&out, to);
    print_list(&out, words);
    return xds_out_finish(&out);
}

enum xds_status xds_print_rule(const struct xds_printer *to, const struct xds_rule *rule)
{
    struct xds_out out;

    xds_out_init(&out, to);
    print_in_full(&out, rule);
    return xds_out_finish(&out);
}
