/* redact.h - keys, tokens and passwords in a line of the input, made unreadable. */
#ifndef XDS_PRINT_REDACT_H
#define XDS_PRINT_REDACT_H

#include "base/slice.h"

/* Copy the line to `to`, which has room for all of it; gives the copy's length. Each
 * character of a secret is a '*', so that columns stay what they were. */
size_t xds_redact(struct xds_slice line, char *to);

#endif
