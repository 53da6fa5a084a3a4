/*
 * leaks.c - whose leaks LeakSanitizer tells of: those of the processes that run a test.
 *
 * The runner holds no code of ours; under load it ends while Criterion still owns a
 * record of a worker.
 */
#define _GNU_SOURCE /* program_invocation_short_name */

#include <errno.h>
#include <string.h>

/* Visible, since the runtime that asks for it is a library. */
__attribute__((visibility("default"))) int __lsan_is_turned_off(void);

int __lsan_is_turned_off(void)
{
    return strcmp(program_invocation_short_name, "boxfort-worker") != 0;
}
