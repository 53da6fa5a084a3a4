/* missing.c - what the program has and a page does not: files that change, processors,
 * signals. */
#define _GNU_SOURCE
#include "cli/lint/lint.h"

#include <sched.h>
#include <signal.h>

int watch(const struct command *self, const struct lint_settings *settings,
          const struct operands *operands,
          int (*run)(const struct command *self, const struct lint_settings *settings,
                     const struct operands *operands))
{
    (void)settings;
    (void)operands;
    (void)run;
    return trouble(self, "--watch: nothing changes here");
}

const struct command cmd_lsp = {
    .name = "lsp", .operands = "", .summary = "", .examples = ""};

int sched_getaffinity(pid_t pid, size_t size, cpu_set_t *set)
{
    (void)pid;
    (void)size;
    (void)set;
    return -1;
}

int __sched_cpucount(size_t size, const cpu_set_t *set);
int __sched_cpucount(size_t size, const cpu_set_t *set)
{
    (void)size;
    (void)set;
    return 1;
}

/* No fault of a page is a signal. */
int sigaltstack(const stack_t *restrict stack, stack_t *restrict before)
{
    (void)stack;
    (void)before;
    return 0;
}
