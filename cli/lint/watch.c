/*
 * watch.c - once more whenever the input changes; resources that did not are not judged
 * again.
 *
 * Fails:  where a format is for programs, and where nothing can be watched.
 */
#include "cli/lint/changes.h"
#include "cli/lint/lint.h"

#include <string.h>
#include <unistd.h>

static int usage_fault(const struct command *self, const struct lint_settings *settings,
                       const struct operands *operands)
{
    if (settings->input.common.output || settings->write_baseline || settings->also.n > 0)
        return usage_error(self, "--watch cannot write to a file");
    if (settings->input.from)
        return usage_error(self, "--watch cannot watch --from");
    for (size_t i = 0; i < operands->n; i++)
        if (strcmp(operands->items[i], "-") == 0)
            return usage_error(self, "--watch cannot watch standard input");
    return operands->n > 0 ? EXIT_CLEAN : usage_error(self, "needs a PATH");
}

static int
run_and_wait(const struct command *self, struct changes *changes,
             const struct lint_settings *settings, const struct operands *operands,
             int (*run)(const struct command *self, const struct lint_settings *settings,
                        const struct operands *operands))
{
    for (;;) {
        int status = changes_note(changes, operands);

        if (status != EXIT_CLEAN)
            return status;
        /* Everything on the screen, and what was scrolled off it. */
        if (isatty(STDOUT_FILENO) == 1 && settings->input.common.color != COLOR_NEVER)
            (void)fputs("\033[H\033[2J\033[3J", stdout);
        status = run(self, settings, operands);
        if (status == EXIT_USAGE)
            return status;
        if (!settings->input.common.quiet)
            (void)fputs("waiting for the input to change; press Ctrl-C to stop\n",
                        stderr);
        if (!changes_wait(changes))
            return EXIT_TROUBLE;
    }
}

int watch(const struct command *self, const struct lint_settings *settings,
          const struct operands *operands,
          int (*run)(const struct command *self, const struct lint_settings *settings,
                     const struct operands *operands))
{
    struct lint_settings remembering = *settings;
    struct changes *changes;
    int status = usage_fault(self, settings, operands);

    if (status != EXIT_CLEAN)
        return status;
    remembering.input.memo = xds_memo_new(INPUT_REMEMBERED);
    if (!remembering.input.memo)
        return trouble(self, "out of memory");
    changes = changes_new(self);
    status =
        changes ? run_and_wait(self, changes, &remembering, operands, run) : EXIT_TROUBLE;
    if (changes)
        changes_free(changes);
    xds_memo_free(remembering.input.memo);
    return status;
}
