/* first.h - --init: a first file of tests, or a first scenario, for a snapshot. */
#ifndef XDS_CLI_FIRST_H
#define XDS_CLI_FIRST_H

#include "cli/input.h"

typedef enum xds_status first_fn(const struct xds_printer *to, struct xds_check *check,
                                 enum xds_client client, const char *const *paths,
                                 size_t n_paths, size_t *n);

/* Reads the snapshot that the operands are and writes the file; missing: what no RPC does
 * when there is nothing to write. An exit code. */
int first_write(const struct command *self, const struct input_settings *settings,
                const struct operands *operands, const struct xds_options *asked,
                enum xds_client client, first_fn *write, const char *missing);

#endif
