/*
 * rule_json.c - the rules as one JSON document.
 *
 * Takes:  rows of the catalogue.
 * Gives:  the "version": 1 document, one line per rule; fields are only ever added.
 */
#include "catalogue/guards.h"
#include "catalogue/log_words.h"
#include "print/json_member.h"
#include "print/rules.h"

const char *xds_effect_name(enum xds_effect effect)
{
    static const char *const names[] = {
        [XDS_EFFECT_NACK] = "nack",     [XDS_EFFECT_SKIP] = "skip",
        [XDS_EFFECT_IGNORE] = "ignore", [XDS_EFFECT_HYGIENE] = "hygiene",
        [XDS_EFFECT_SYNTAX] = "syntax",
    };

    return names[effect];
}

void xds_json_rule(struct xds_out *out, const struct xds_rule *rule)
{
    xds_json_key_text(out, "rule", rule->slug);
    xds_json_key_text(out, "id", rule->id);
    xds_json_key_text(out, "text", rule->text);
    xds_json_key_text(out, "effect", xds_effect_name(rule->effect));
    xds_json_verdicts(out, rule->verdict);
    xds_json_key_text(out, "source", rule->source);
}

static void write_wording(struct xds_out *out, const struct xds_log_wording *wording)
{
    xds_json_begin_object(out);
    xds_json_clients(out, "clients", wording->clients);
    xds_json_key_text(out, "path", wording->path);
    xds_json_key_text(out, "message", wording->message);
    xds_json_end_object(out);
}

static void write_guards(struct xds_out *out, const struct xds_rule *rule)
{
    enum xds_env env;
    size_t i = 0;

    xds_json_key(out, "guards");
    xds_json_begin_array(out);
    while (xds_rule_guard(rule, &i, &env))
        xds_json_text(out, xds_env_name(env));
    xds_json_end_array(out);
}

static void write_rule(struct xds_out *out, const struct xds_rule *rule)
{
    const struct xds_log_wording *wording;
    size_t i = 0;

    xds_json_line(out);
    xds_json_begin_object(out);
    xds_json_rule(out, rule);
    write_guards(out, rule);
    xds_json_key(out, "logs");
    xds_json_begin_array(out);
    while ((wording = xds_log_wording_of(rule, &i)))
        write_wording(out, wording);
    xds_json_end_array(out);
    xds_json_end_object(out);
}

enum xds_status xds_print_rule_json(const struct xds_printer *to,
                                    const struct xds_rule *rule)
{
    const struct xds_rule *list[XDS_RULES] = {NULL};
    struct xds_out out;

    xds_rules_by_slug(list);
    xds_out_init(&out, to);
    xds_json_begin_document(&out);
    xds_json_tool(&out);
    xds_json_line(&out);
    xds_json_key(&out, "rules");
    xds_json_begin_array(&out);
    for (size_t i = 0; i < XDS_RULES && !out.failed; i++)
        if (!rule || list[i] == rule)
            write_rule(&out, list[i]);
    xds_json_end_array(&out);
    xds_json_end_document(&out);
    return xds_out_finish(&out);
}
