/*
 * rule_text.c - one rule in full, or one line for each.
 *
 * Takes:  rows of the catalogue.
 * Gives:  plain text.
 */
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

static void print_list(struct xds_out *out)
{
    const struct xds_rule *list[XDS_RULES] = {NULL};
    size_t width = 0;

    xds_rules_by_slug(list);
    for (size_t i = 0; i < XDS_RULES; i++)
        if (strlen(list[i]->slug) > width)
            width = strlen(list[i]->slug);
    for (size_t i = 0; i < XDS_RULES && !out->failed; i++) {
        print_padded(out, list[i]->slug, width + 2);
        xds_out_text(out, list[i]->text);
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
    xds_out_text(out, "\n    source: ");
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
