/*
 * against.c - the older snapshot that a new one is compared with.
 *
 * Fails:  with a message when it cannot be read or holds nothing.
 */
#include "cli/against.h"

#include <stdlib.h>
#include <string.h>

static int read_old(struct input *out, const struct command *command,
                    const struct input_settings *settings, const char *path,
                    const struct xds_options *asked)
{
    char *copy = strdup(path); /* operands are those of argv, which may be changed */
    const struct operands only = {.n = 1, .items = &copy};

    if (!copy)
        return trouble(command, "out of memory");

    const int status = input_read(out, command, settings, &only, asked, false);

    free(copy);
    return status;
}

int against_read(struct input *out, const struct command *command,
                 struct input_settings *settings, const char *path,
                 const struct xds_options *asked)
{
    *out = (struct input){.command = command};
    if (!path)
        return EXIT_CLEAN;
    settings->compare = true;

    const int status = read_old(out, command, settings, path, asked);

    if (status != EXIT_CLEAN)
        return status;
    if (xds_report_resources(out->report) == 0)
        return trouble(command, "%s: no resource to compare with", path);
    settings->against = out->check;
    return EXIT_CLEAN;
}
