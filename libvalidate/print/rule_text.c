/*
 * rule_text.c - one rule in full, or one line for each.
 *
 * Takes:  rows of the catalogue.
 * Gives:  plain text.
 */
#include "catalogue/guards.h"
#include "catalogue/log_words.h"
#include "print/rules.h"

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
        xds_out_text(out, xds_level_name(rule->level));
        xds_out_text(out, ": every client accepts it");
        return;
    case XDS_EFFECT_NACK:
    case XDS_EFFECT_SKIP:
    case XDS_EFFECT_IGNORE:
        xds_out_verdicts(out, rule->verdict);
        return;
    }
}

static void print_padded(struct xds_out *out, const char *text, size_t width)
{
    xds_out_text(out, text);
    for (size_t n = strlen(text); n < width; n++)
        xds_out_char(out, ' ');
}

/* One letter per client, in the order of enum xds_client. */
static void print_letters(struct xds_out *out, const struct xds_rule *rule)
{
    static const char letters[] = {
        [XDS_ACCEPT] = '-', [XDS_IGNORE] = 'I', [XDS_SKIP] = 'S', [XDS_NACK] = 'N'};

    for (unsigned c = 0; c < XDS_CLIENTS; c++)
        xds_out_char(out,
                     rule->effect == XDS_EFFECT_SYNTAX ? 'E' : letters[rule->verdict[c]]);
}

static void print_row(struct xds_out *out, const struct xds_rule *rule, size_t width)
{
    print_padded(out, rule->slug, width + 2);
    print_letters(out, rule);
    xds_out_text(out, "  ");
    xds_out_text(out, rule->text);
    xds_out_text(out, " (");
    xds_out_text(out, rule->source);
    xds_out_text(out, ")\n");
}

static void print_list(struct xds_out *out)
{
    const struct xds_rule *list[XDS_RULES] = {NULL};
    size_t width = 0;

    xds_rules_by_slug(list);
    for (size_t i = 0; i < XDS_RULES; i++)
        if (strlen(list[i]->slug) > width)
            width = strlen(list[i]->slug);
    if (!out->to->quiet)
        xds_out_text(out,
                     "letters for grfc, core, go, java, node: N rejects the resource, "
                     "S skips the entry, I ignores the field, - accepts; E is no xDS "
                     "to anybody\n");
    for (size_t i = 0; i < XDS_RULES && !out->failed; i++)
        print_row(out, list[i], width);
}

/* What a verdict means for an application, in the order in which verdicts are named. */
static const struct consequence {
    enum xds_verdict verdict;
    const char *words;
} consequences[] = {
    {XDS_NACK,
     "who rejects it keeps the version that it had; without one, what needs the "
     "resource fails"},
    {XDS_SKIP, "who skips it takes the resource without that entry, and says nothing"},
    {XDS_IGNORE, "who ignores it takes the resource as if the field were not there"},
};

static bool somebody(const struct xds_rule *rule, enum xds_verdict verdict)
{
    for (unsigned c = 0; c < XDS_CLIENTS; c++)
        if (rule->verdict[c] == verdict)
            return true;
    return false;
}

static void print_line(struct xds_out *out, const char *text)
{
    xds_out_text(out, "    ");
    xds_out_text(out, text);
    xds_out_char(out, '\n');
}

static void print_consequences(struct xds_out *out, const struct xds_rule *rule)
{
    if (rule->effect == XDS_EFFECT_HYGIENE || rule->effect == XDS_EFFECT_SYNTAX)
        return;
    for (size_t i = 0; i < XDS_ARRAY_LEN(consequences); i++)
        if (somebody(rule, consequences[i].verdict))
            print_line(out, consequences[i].words);
}

static void print_wordings(struct xds_out *out, const struct xds_rule *rule)
{
    const struct xds_log_wording *wording;
    size_t i = 0;

    while ((wording = xds_log_wording_of(rule, &i))) {
        xds_out_text(out, "    in logs of ");
        xds_out_clients(out, wording->clients);
        xds_out_text(out, ": ");
        if (*wording->path != '\0') {
            xds_out_text(out, wording->path);
            xds_out_text(out, ": ");
        }
        xds_out_text(out, wording->message);
        xds_out_char(out, '\n');
    }
}

static void print_clients_of(struct xds_out *out, const char *before, unsigned clients)
{
    if (clients == 0)
        return;
    xds_out_text(out, before);
    xds_out_clients(out, clients);
}

/* Of those who read the variable. */
static void print_guards(struct xds_out *out, const struct xds_rule *rule)
{
    struct xds_options defaults;
    enum xds_env env;
    size_t i = 0;

    xds_options_init(&defaults);
    while (xds_rule_guard(rule, &i, &env)) {
        const unsigned on = xds_env_mask(&defaults, env), readers = xds_env_readers(env);

        xds_out_text(out, "    guard: ");
        xds_out_text(out, xds_env_name(env));
        print_clients_of(out, ", by default on in ", readers & on);
        print_clients_of(out, ", by default off in ", readers & ~on);
        xds_out_char(out, '\n');
    }
}

static void print_in_full(struct xds_out *out, const struct xds_rule *rule)
{
    xds_out_styled(out, XDS_STYLE_BOLD, rule->slug);
    xds_out_text(out, " (");
    xds_out_text(out, rule->id);
    xds_out_text(out, ")\n    ");
    xds_out_text(out, rule->text);
    xds_out_text(out, "\n    ");
    xds_out_rule_effect(out, rule);
    xds_out_char(out, '\n');
    print_consequences(out, rule);
    print_guards(out, rule);
    print_wordings(out, rule);
    xds_out_text(out, "    source: ");
    xds_out_text(out, rule->source);
    xds_out_char(out, '\n');
}

enum xds_status xds_print_rule(const struct xds_printer *to, const struct xds_rule *rule)
{
    struct xds_out out;

    xds_out_init(&out, to);
    if (rule)
        print_in_full(&out, rule);
    else
        print_list(&out);
    return xds_out_finish(&out);
}
