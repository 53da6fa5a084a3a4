/*
 * lint_rules.c - which rules a run reports.
 *
 * Takes:  --select and --ignore, and a sorted report.
 * Gives:  the report without the findings that are not wanted. What cannot be read is
 *         always told, unless it is ignored by its name.
 * Fails:  on a name that no rule has, with the nearest one.
 */
#include "cli/lint.h"

static const struct option rows[] = {
    {.name = "select",
     .kind = OPTION_LIST,
     .argument = ARGUMENT_RULE,
     .argument_name = "RULES",
     .offset = offsetof(struct lint_settings, select),
     .help = "report only these rules, and what cannot be read"},
    {.name = "ignore",
     .kind = OPTION_LIST,
     .argument = ARGUMENT_RULE,
     .argument_name = "RULES",
     .offset = offsetof(struct lint_settings, ignore),
     .help = "do not report these rules"},
};

const struct option_group rule_options = {rows, ARRAY_LEN(rows)};

static bool check_names(const struct command *self, const struct text_list *list)
{
    struct xds_slice name;
    const char *hint;

    for (size_t i = 0; i < list->n; i++) {
        for (const char *rest = list->items[i]; next_piece(&rest, &name);) {
            if (xds_rule_find(name, &hint))
                continue;
            (void)unknown_error(self, "rule", name, hint, "xdscope rule lists them");
            return false;
        }
    }
    return true;
}

bool rules_check(const struct command *self, const struct lint_settings *settings)
{
    return check_names(self, &settings->select) && check_names(self, &settings->ignore);
}

/* ---- which findings are wanted -------------------------------------------------- */

static bool names_rule(const struct text_list *list, const struct xds_rule *rule)
{
    struct xds_slice name;
    const char *hint;

    for (size_t i = 0; i < list->n; i++)
        for (const char *rest = list->items[i]; next_piece(&rest, &name);)
            if (xds_rule_find(name, &hint) == rule)
                return true;
    return false;
}

static bool is_wanted(const struct xds_finding *finding, void *user)
{
    const struct lint_settings *settings = user;

    if (names_rule(&settings->ignore, finding->rule))
        return false;
    return settings->select.n == 0 || finding->rule->effect == XDS_EFFECT_SYNTAX ||
           names_rule(&settings->select, finding->rule);
}

enum xds_status rules_apply(struct lint_settings *settings, struct xds_report *report)
{
    if (settings->select.n == 0 && settings->ignore.n == 0)
        return XDS_OK;
    return xds_report_keep(report, is_wanted, settings);
}
