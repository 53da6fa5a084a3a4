/* kind.c - a file of another kind than a command takes, and which command takes it. */
#include "cli/options/common.h"

#include <string.h>

int tell_kind(const struct command *command, const char *path, const char *wanted)
{
    const char *kind = strcmp(path, "-") == 0 ? NULL : xds_source_kind(path);

    /* "a scenario for xdscope simulate" is "a scenario". */
    if (!kind || strncmp(kind, wanted, strcspn(wanted, ";")) == 0)
        return EXIT_CLEAN;
    return trouble(command, "%s is %s, not %s", path, kind, wanted);
}

int tell_kind_of_each(const struct command *command, const struct operands *operands,
                      const char *wanted)
{
    int status = EXIT_CLEAN;

    for (size_t i = 0; i < operands->n; i++)
        status = worse(status, tell_kind(command, operands->items[i], wanted));
    return status;
}
