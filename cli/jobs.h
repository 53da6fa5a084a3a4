/* jobs.h - how many threads judge a snapshot. */
#ifndef XDS_CLI_JOBS_H
#define XDS_CLI_JOBS_H

#include "cli/common.h"

/* The number of --jobs; without a value, of the processors that this process may use, up
 * to 16. False after a message. */
bool jobs_read(const struct command *command, const char *value, unsigned *jobs);

#endif
