/*
 * changes.h - waiting for a change of files: changes_inotify.c of Linux, or
 * changes_poll.c, which looks again and again (SYSTEM of the Makefile).
 */
#ifndef XDS_CLI_CHANGES_H
#define XDS_CLI_CHANGES_H

#include "cli/options/common.h"

struct changes;

/* NULL after a message. */
struct changes *changes_new(const struct command *command);
void changes_free(struct changes *c);

/* What is looked at, from now on: files, and folders with what is below them. The
 * operands are borrowed. New folders may have come since the last call. An exit code. */
int changes_note(struct changes *c, const struct operands *operands);

/* Till something has changed since then, and nothing more does. False after a message. */
bool changes_wait(const struct changes *c);

#endif
