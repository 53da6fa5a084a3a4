/* against.h - the older snapshot that a new one is compared with. */
#ifndef XDS_CLI_AGAINST_H
#define XDS_CLI_AGAINST_H

#include "cli/input.h"

/* Reads the snapshot at the path, if there is one, and sets what input_read() needs of it
 * in the settings. What is wrong in it is not told. The exit code so far; unless it is
 * EXIT_CLEAN there is nothing to compare with. Release *out in any case, after the new
 * snapshot was read. */
int against_read(struct input *out, const struct command *command,
                 struct input_settings *settings, const char *path,
                 const struct xds_options *asked);

#endif
