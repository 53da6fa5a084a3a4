/* bootstrap_read.h - what the gRPC bootstrap says that changes a verdict. */
#ifndef XDS_CONFIG_BOOTSTRAP_READ_H
#define XDS_CONFIG_BOOTSTRAP_READ_H

#include "model/tree.h"

/* Set the options that a bootstrap decides; names stay those of the tree. NULL, or what
 * is wrong with it. */
const char *xds_bootstrap_read(struct xds_arena *arena, const struct xds_tree *root,
                               struct xds_options *options);

#endif
