/* lint.h - the settings of xdscope lint, and the parts of the command. */
#ifndef XDS_CLI_LINT_H
#define XDS_CLI_LINT_H

#include "cli/input.h"

struct lint_settings {
    struct input_settings input;
    struct text_list clients, select, ignore;
    unsigned format, fail_on;
    bool exit_zero;
};

/* ---- lint_rules.c: which rules are reported -------------------------------------- */

extern const struct option_group rule_options;

/* False after a message: a rule that is none. */
bool rules_check(const struct command *self, const struct lint_settings *settings);
/* Only what is wanted stays in the sorted report. */
XDS_MUST_USE enum xds_status rules_apply(struct lint_settings *settings,
                                         struct xds_report *report);

#endif
