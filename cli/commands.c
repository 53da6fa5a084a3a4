/* commands.c - the table of commands, in the order in which --help lists them. */
#include "cli/cmd.h"

const struct command *const commands[] = {
    &cmd_lint,     &cmd_explain, &cmd_service_config, &cmd_lb_config,
    &cmd_simulate, &cmd_test,    &cmd_diff,           &cmd_cookie,
    &cmd_convert,  &cmd_rule,    &cmd_completion,     NULL,
};
