/*
 * cmd_rule.c - xdscope rule: all rules, or one in full.
 *
 * Takes:  nothing, or the slug or id of a rule.
 * Gives:  text.
 */
#include "cli/cmd.h"
#include "cli/output.h"

struct rule_settings {
    struct common common;
    bool man;
};

static const struct option rows[] = {
    {.name = "man",
     .offset = offsetof(struct rule_settings, man),
     .help = "print the man page of all rules",
     .hidden = true},
};

static const struct option_group rule_options = {rows, ARRAY_LEN(rows)};

static int find_rule(const struct command *self, const char *name,
                     const struct xds_rule **rule)
{
    const char *hint;

    *rule = xds_rule_find(slice_of(name), &hint);
    if (*rule)
        return EXIT_CLEAN;
    return unknown_error(self, "rule", slice_of(name), hint, "xdscope rule lists them");
}

static int run(const struct command *self, void *arg, const struct operands *operands)
{
    const struct rule_settings *settings = arg;
    const struct xds_rule *rule = NULL;
    struct output out;
    int status = EXIT_CLEAN;

    if (operands->n > 1)
        return usage_error(self, "takes one rule, not %zu", operands->n);
    if (operands->n == 1)
        status = find_rule(self, operands->items[0], &rule);
    if (status == EXIT_CLEAN)
        status = output_open(&out, self, &settings->common, !settings->man);
    if (status != EXIT_CLEAN)
        return status;
    return output_close(&out, settings->man ? xds_print_rules_man(&out.printer)
                                            : xds_print_rule(&out.printer, rule));
}

const struct command cmd_rule = {
    .name = "rule",
    .operands = "[ID]",
    .summary = "all rules, or one rule in full",
    .operand_kind = OPERANDS_RULES,
    .groups = (const struct option_group *const[]){&rule_options, &common_options, NULL},
    .settings_size = sizeof(struct rule_settings),
    .run = run,
};
