/* program.h - the whole program in this process, with a case as its command line, its
 * files and its standard input. */
#ifndef CLI_DEV_FUZZ_PROGRAM_H
#define CLI_DEV_FUZZ_PROGRAM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Runs the case in an empty folder of its own, without a network, and leaves nothing of
 * it: files, streams, environment, handlers of signals. Not run is what names a file
 * outside of the folder. What takes --jobs prints the same with 1 thread and with 16. */
void xds_fuzz_cli(const uint8_t *data, size_t size);
/* The same for "xdscope lsp" and no other command. Of its stdin each line that begins
 * with { is a message: it gets its header, and $PWD in it is the folder. Other lines are
 * sent as they are. */
void xds_fuzz_lsp(const uint8_t *data, size_t size);

/* cli/main.c, compiled for this room. */
int xds_program_main(int argc, char **argv);

#endif
