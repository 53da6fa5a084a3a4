/* rule_json.c - the rules as one JSON document. */
#include <stdio.h>

#include "catalogue/log.h"
#include "print/findings/findings.h"
#include "print/rule/rule.h"
#include "print/write/json.h"

const char *xds_effect_name(enum xds_effect effect)
{
    static const char *const names[] = {
        [XDS_EFFECT_CRASH] = "crash",     [XDS_EFFECT_NACK] = "nack",
        [XDS_EFFECT_SKIP] = "skip",       [XDS_EFFECT_IGNORE] = "ignore",
        [XDS_EFFECT_HYGIENE] = "hygiene", [XDS_EFFECT_SYNTAX] = "syntax",
    };

    return names[effect];
}

void xds_json_rule(struct xds_out *out, const struct xds_rule *rule)
{
    xds_json_members(out, "rule: %s, id: %s, text: %s, effect: %s", rule->slug, rule->id,
                     rule->text, xds_effect_name(rule->effect));
    xds_json_rule_verdicts(out, rule);
    xds_json_key_text(out, "source", rule->source);
}

static void write_guards(struct xds_out *out, const struct xds_rule *rule)
{
    enum xds_env env;
    size_t i = 0;

    xds_json_key_array(out, "guards");
    while (xds_rule_guard(rule, &i, &env))
        xds_json_text(out, xds_env_name(env));
    xds_json_end_array(out);
}

/* Rows and sections that the rule cites. */
static void write_spec(struct xds_out *out, const struct xds_rule *rule)
{
    struct xds_citations citations = xds_citations_of(rule->source);
    struct xds_cited cited;

    xds_json_key_array(out, "spec");
    while (xds_cited_next(&citations, &cited))
        if (cited.spec)
            xds_json_spec_short(out, cited.spec);
    xds_json_end_array(out);
}

static void write_grfcs(struct xds_out *out, const struct xds_rule *rule)
{
    struct xds_citations citations = xds_citations_of(rule->source);
    struct xds_cited cited;

    xds_json_key_array(out, "grfcs");
    while (xds_cited_next(&citations, &cited))
        if (cited.grfc)
            xds_json_object(out, "number: %u, title: %s, url: %s", cited.grfc->number,
                            cited.grfc->title, cited.grfc->url);
    xds_json_end_array(out);
}

static void write_differences(struct xds_out *out, const struct xds_rule *rule)
{
    xds_json_key_array(out, "differences");
    for (size_t i = 0; i < XDS_DIFFERENCES; i++)
        if (xds_citations_meet(rule->source,
                               xds_difference_row((enum xds_difference)i).source))
            xds_json_difference(out, (enum xds_difference)i);
    xds_json_end_array(out);
}

/* null when there is none; of an input that is too long or not text only the path. */
static void write_example(struct xds_out *out, const char *key,
                          const struct xds_example *example)
{
    if (!xds_json_object_or_null(out, key, *example->path))
        return;
    xds_json_members(out, "case: %s, input: %s", example->path,
                     *example->input ? example->input : NULL);
    xds_json_end_object(out);
}

static void write_rule(struct xds_out *out, const struct xds_rule *rule)
{
    struct xds_log_wording wording;
    const char *words;
    size_t i = 0;

    xds_json_begin_row(out);
    xds_json_rule(out, rule);
    xds_json_key_text(out, "level", xds_level_name(xds_rule_worst_level(rule)));
    xds_json_key_array(out, "consequences");
    for (size_t k = 0; (words = xds_rule_consequence(rule, &k));)
        xds_json_text(out, words);
    xds_json_end_array(out);
    xds_json_rule_history(out, rule);
    write_guards(out, rule);
    xds_json_guard_history(out, rule);
    xds_json_key_array(out, "logs");
    while (xds_log_wording_of(rule, &i, &wording)) {
        xds_json_begin_object(out);
        xds_json_clients(out, "clients", wording.clients);
        xds_json_key_text(out, "path", wording.path);
        xds_json_key(out, "message");
        /* A hole is shown as "*". */
        const char *pattern = wording.message;

        xds_json_begin_string(out);
        for (size_t hole; *pattern != '\0'; pattern += hole ? hole : 1) {
            hole = xds_glob_hole(pattern);
            xds_json_part(out, hole ? XDS_S("*") : xds_slice_make(pattern, 1));
        }
        xds_json_end_string(out);
        xds_json_end_object(out);
    }
    xds_json_end_array(out);
    write_spec(out, rule);
    write_grfcs(out, rule);
    write_differences(out, rule);
    xds_json_key_string_or_null(out, "fix", xds_slice_of(rule->fix));
    struct xds_examples examples;

    if (!xds_examples_of(rule, &examples))
        examples = (struct xds_examples){{"", ""}, {"", ""}};
    xds_json_key_object(out, "examples");
    write_example(out, "bad", &examples.bad);
    write_example(out, "good", &examples.good);
    xds_json_end_object(out);
    xds_json_end_object(out);
}

/* One, or with rule NULL those that have the words. */
static enum xds_status print(const struct xds_printer *to, const struct xds_rule *rule,
                             struct xds_words words)
{
    const struct xds_rule *list[XDS_RULES] = {NULL};
    struct xds_out out;

    xds_rules_by_slug(list);
    xds_out_init(&out, to);
    xds_json_begin_document(&out);
    xds_json_tool(&out);
    xds_json_key_array(xds_json_line(&out), "rules");
    for (size_t i = 0; i < XDS_RULES && !out.failed; i++)
        if (rule ? list[i] == rule : xds_rule_has(list[i], words))
            write_rule(&out, list[i]);
    xds_json_end_array(&out);
    xds_json_end_document(&out);
    return xds_out_finish(&out);
}

enum xds_status xds_print_rule_json(const struct xds_printer *to,
                                    const struct xds_rule *rule)
{
    return print(to, rule, (struct xds_words){NULL, 0});
}

enum xds_status xds_print_rules_json(const struct xds_printer *to, struct xds_words words)
{
    return print(to, NULL, words);
}
