/* cmd_completion.c - xdscope completion: shell scripts made from the tables of options.
 */
#include "cli/cmd.h"
#include "cli/completion.h"
#include "cli/output.h"

#include <string.h>

struct completion_settings {
    struct common common;
};

static const struct shell {
    const char *name;
    void (*print)(FILE *to);
} shells[] = {
    {"bash", completion_bash},
    {"zsh", completion_zsh},
    {"fish", completion_fish},
};

static int run(const struct command *self, void *arg, const struct operands *operands)
{
    const struct completion_settings *settings = arg;
    const char *name = operands->n == 1 ? operands->items[0] : "";
    struct output out;

    for (size_t i = 0; i < ARRAY_LEN(shells); i++) {
        if (strcmp(shells[i].name, name) != 0)
            continue;
        const int status = output_open(&out, self, &settings->common, false);

        if (status != EXIT_CLEAN)
            return status;
        shells[i].print(out.file);
        return output_close(&out, ferror(out.file) ? XDS_ERR_IO : XDS_OK);
    }
    return usage_error(self, "takes one shell: bash, zsh or fish");
}

const struct command cmd_completion = {
    .name = "completion",
    .operands = "bash|zsh|fish",
    .summary = "print a completion script for a shell",
    .operand_kind = OPERANDS_WORDS,
    .operand_words = (const char *const[]){"bash", "zsh", "fish", NULL},
    .groups = (const struct option_group *const[]){&common_options, NULL},
    .settings_size = sizeof(struct completion_settings),
    .run = run,
};
