/* cmd.h - the commands, one file each. */
#ifndef XDS_CLI_CMD_H
#define XDS_CLI_CMD_H

#include "cli/options.h"

extern const struct command cmd_lint;
extern const struct command cmd_explain;
extern const struct command cmd_service_config;
extern const struct command cmd_lb_config;
extern const struct command cmd_simulate;
extern const struct command cmd_diff;
extern const struct command cmd_test;
extern const struct command cmd_rule;
extern const struct command cmd_cookie;
extern const struct command cmd_convert;
extern const struct command cmd_completion;

/* In the order of --help, up to NULL. */
extern const struct command *const commands[];

#endif
