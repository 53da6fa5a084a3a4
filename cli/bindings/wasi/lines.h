/* lines.h - lines of the inputs, for the excerpts below findings. */
#ifndef XDS_BINDINGS_LINES_H
#define XDS_BINDINGS_LINES_H

#include "cli/bindings/wasi/request.h"

/* The input in work, and the place that has been reached in it. */
struct lines {
    const struct inputs *inputs;
    const struct input *input;   /* NULL: none yet, or nothing of it can be shown */
    struct xds_slice name;       /* that was asked for last */
    struct xds_secrets *secrets; /* of it */
    size_t at;
    uint32_t line, column; /* of it */
    char shown[XDS_LINE_PART + 2];
};

/* An xds_line_fn; user is a struct lines. As of the program's: packed inputs, messages
 * and inputs with a NUL in front have no lines, and secrets are hidden. */
bool lines_find(void *user, struct xds_slice file, uint32_t line, uint32_t column,
                struct xds_slice *out);
void lines_release(struct lines *lines);

#endif
