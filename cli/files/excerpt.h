/* excerpt.h - lines of input files, read once more for the excerpts below findings. */
#ifndef XDS_CLI_EXCERPT_H
#define XDS_CLI_EXCERPT_H

#include "cli/files/output.h"
#include "include/xdscope.h"
#include <stdio.h>

/* The file in work, and the place that has been reached in it. */
struct excerpt {
    char *name;                  /* a copy, as results end before it; NULL: no file yet */
    FILE *file;                  /* NULL: nothing of it can be shown */
    struct xds_secrets *secrets; /* of it */
    const char *stdin_name;      /* no file to read */
    bool no_memory;              /* for one of the files */
    char *one_too_many;          /* the first that the limit on open files kept closed */
    uint32_t line, column;       /* what was asked for last */
    uint64_t at_line, at_column; /* those of buffer[at] */
    size_t at, len;
    char buffer[16 << 10]; /* each page of a larger one would be touched by each start */
    char shown[XDS_LINE_PART + 2]; /* without secrets */
};

void excerpt_init(struct excerpt *excerpt);
/* An xds_line_fn; user is a struct excerpt. The files are read forward, once, whatever
 * the length of their lines. Standard input, pipes, devices, files that cannot be read
 * and files with a NUL in front have no lines. *out is borrowed up to the next call. */
bool excerpt_line(void *user, struct xds_slice file, uint32_t line, uint32_t column,
                  struct xds_slice *out);
void excerpt_release(struct excerpt *excerpt);

struct excerpt_output {
    struct output to;
    struct excerpt excerpt;
};

/* As output_open() and output_close(); the printer can show lines in between. Where there
 * was no memory for one of them, or no room for its file beside the open ones, the
 * results are not complete. */
int excerpt_output_open(struct excerpt_output *out, const struct command *command,
                        const struct common *settings, bool color);
int excerpt_output_close(struct excerpt_output *out, enum xds_status status);

#endif
