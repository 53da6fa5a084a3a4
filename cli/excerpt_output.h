/* excerpt_output.h - results that show lines of the input. */
#ifndef XDS_CLI_EXCERPT_OUTPUT_H
#define XDS_CLI_EXCERPT_OUTPUT_H

#include "cli/excerpt.h"
#include "cli/output.h"

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
