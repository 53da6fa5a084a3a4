/*
 * signals.h - what a signal that ends the program leaves: nothing half-made.
 *
 * The program ends at once, wherever it is, and as the kernel ends others; as process 1
 * of a container, which the kernel spares, with the status that a shell would give: 128
 * and the number. cli/live/ waits a second for what has to be said to a server.
 */
#ifndef XDS_CLI_SIGNALS_H
#define XDS_CLI_SIGNALS_H

#include <signal.h>

/* At the start. Signals are handled from now on as process 1, else from the first file on
 * that is unfinished; most runs make none. What the caller ignores, as nohup does, stays
 * ignored. */
void signals_begin(void);
/* The end, as if the signal had come. */
_Noreturn void signals_end(int number);

/* No signal comes between a change of what is in folders and the note of it below. */
void signals_block(sigset_t *before);
void signals_restore(const sigset_t *before);

/* A file, or a folder that the files noted are in, which goes if a signal ends the
 * program. The path is borrowed until it is forgotten; signals are blocked. */
void signals_note_unfinished(const char *path);
void signals_forget_unfinished(const char *path);

#endif
