/* lint.h - the settings of xdscope lint, and the parts of the command. */
#ifndef XDS_CLI_LINT_H
#define XDS_CLI_LINT_H

#include "cli/input.h"

struct lint_settings {
    struct input_settings input;
    struct text_list clients, select, ignore, level, per_file_ignores;
    const char *config, *baseline, *write_baseline, *against;
    unsigned format, fail_on;
    bool exit_zero, watch, statistics;
};

/* ---- lint_rules.c: which rules are reported, and how loud ------------------------- */

extern const struct option_group rule_options;

/* False after a message: a rule or a level that is none. */
bool rules_check(const struct command *self, const struct lint_settings *settings);
/* Only what is wanted stays in the sorted report. */
XDS_MUST_USE enum xds_status rules_apply(const struct lint_settings *settings,
                                         struct xds_report *report);

/* ---- baseline.c: findings that were there before ---------------------------------- */

/* Take the findings that --baseline counts out of the sorted report. An exit code. */
int baseline_apply(const struct command *self, const struct lint_settings *settings,
                   struct xds_report *report);
/* Write what is left of the report to the file of --write-baseline. An exit code. */
int baseline_write(const struct command *self, const struct lint_settings *settings,
                   const struct xds_report *report);

/* ---- watch.c: once more whenever the input changes -------------------------------- */

/* Calls run() now and after each change below the operands, till a signal ends the
 * program. Comes back only when nothing can be watched, with an exit code. */
int watch(const struct command *self, const struct lint_settings *settings,
          const struct operands *operands,
          int (*run)(const struct command *self, const struct lint_settings *settings,
                     const struct operands *operands));

#endif
