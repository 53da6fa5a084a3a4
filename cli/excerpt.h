/* excerpt.h - lines of input files, read once more for the excerpts below findings. */
#ifndef XDS_CLI_EXCERPT_H
#define XDS_CLI_EXCERPT_H

#include "cli/output.h"
#include "include/xdscope.h"
#include <stdio.h>

/* The file in work, and the place that has been reached in it. */
struct excerpt {
    struct xds_slice name;       /* borrowed from the caller; absent before the first */
    FILE *file;                  /* NULL: nothing of it can be shown */
    const char *stdin_name;      /* no file to read */
    bool no_memory;              /* for one of the files */
    uint32_t line, column;       /* what was asked for last */
    uint64_t at_line, at_column; /* those of buffer[at] */
    size_t at, len;
    char buffer[64 << 10];
};

void excerpt_init(struct excerpt *excerpt);
/* An xds_line_fn; user is a struct excerpt. The files are read forward, once, whatever
 * the length of their lines. Standard input, pipes, devices, files that cannot be read
 * and files with a NUL in front have no lines. */
bool excerpt_line(void *user, struct xds_slice file, uint32_t line, uint32_t column,
                  struct xds_slice *out);
void excerpt_release(struct excerpt *excerpt);

struct excerpt_output {
    struct output to;
    struct excerpt excerpt;
};

/* As output_open() and output_close(); the printer can show lines in between. Where there
 * was no memory for one of them the results are not complete. */
int excerpt_output_open(struct excerpt_output *out, const struct command *command,
                        const struct common *settings, bool color);
int excerpt_output_close(struct excerpt_output *out, enum xds_status status);

#endif
