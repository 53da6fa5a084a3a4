/* lint.h - the settings of xdscope lint, and the parts of the command. */
#ifndef XDS_CLI_LINT_H
#define XDS_CLI_LINT_H

#include "cli/options/conf.h"
#include "cli/files/input.h"

enum { FAIL_ON_ERROR, FAIL_ON_WARNING, FAIL_ON_NOTE };

struct lint_settings {
    struct input_settings input;
    struct text_list clients, also, select, ignore, level, per_file_ignores, fix_rules;
    struct text_list snapshot; /* the operands where none are given */
    const char *config, *baseline, *write_baseline, *against;
    unsigned format, fail_on;
    bool exit_zero, fail_empty, watch, stream, statistics, fix, diff;
};

extern const struct option_group rule_options;
/* Settings are struct lint_settings; input.known is to be
 * freed. */
extern const struct conf_key suppress_key;

/* False after a message: a rule or a level that is none. */
bool rules_check(const struct command *self, const struct lint_settings *settings);
/* Does --select or --level name a rule that is optional? */
bool rules_ask_optional(const struct lint_settings *settings);
/* Only what is wanted stays in the sorted report. */
XDS_MUST_USE enum xds_status rules_apply(const struct lint_settings *settings,
                                         struct xds_report *report);
/* Findings at or above --fail-on, and the exit code that they make. */
size_t lint_counted(const struct lint_settings *settings, struct xds_summary sum);
int lint_verdict(const struct lint_settings *settings, struct xds_summary sum);
/* EXIT_TROUBLE, after a message that ends in why, if not all of the input could be read.
 * For where no finding counts: a level, --ignore, a comment or a baseline hides those. */
int lint_unread(const struct input *input, const char *why);
#define UNREAD_IS_HIDDEN "no finding that counts says so"

/* Take the findings that --baseline counts out of the sorted report. An exit code. */
int baseline_apply(const struct command *self, const struct lint_settings *settings,
                   struct xds_report *report);
/* The same for many reports: the text of the file once, none without --baseline, which is
 * to be freed by slurp_free() in any case; and for each report. */
int baseline_read(const struct command *self, const struct lint_settings *settings,
                  struct xds_slice *text);
int baseline_apply_text(const struct command *self, const struct lint_settings *settings,
                        struct xds_slice text, struct xds_report *report);
/* Write what is left of the report to the file of --write-baseline. An exit code. */
int baseline_write(const struct command *self, const struct lint_settings *settings,
                   const struct xds_report *report);

/* Judges the lines of the operands, prints one line of JSON for each. An exit code. */
int stream(const struct command *self, const struct lint_settings *settings,
           const struct operands *operands);

/* --fix and --diff. An exit code: without --diff what is left is still to be judged. */
int fix(const struct command *self, const struct lint_settings *settings,
        const struct operands *operands, const struct xds_options *asked);
/* What --fix makes of a text; *out is NULL when that is nothing. input: its options
 * and its type. False when there is no memory. */
bool fix_text(const struct command *self, const struct lint_settings *settings,
              const struct input *input, const char *name, struct xds_slice text,
              struct xds_fix **out);
/* Can findings of these rules be corrected? False after a message. */
bool fix_check_rules(const struct command *self, const char *value);

/* Calls run() now and after each change below the operands, till a signal ends the
 * program. Comes back only when nothing can be watched, with an exit code. */
int watch(const struct command *self, const struct lint_settings *settings,
          const struct operands *operands,
          int (*run)(const struct command *self, const struct lint_settings *settings,
                     const struct operands *operands));

#endif
