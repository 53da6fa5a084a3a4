/* inbound_read.h - what an object says of the connection of an RPC. */
#ifndef XDS_EXPLAIN_INBOUND_READ_H
#define XDS_EXPLAIN_INBOUND_READ_H

#include "model/tree.h"

/* Takes the members out of the object that tell of the connection. A sentence when one of
 * them is wrong; else an absent slice. */
struct xds_slice xds_inbound_read(struct xds_arena *arena, struct xds_tree *object,
                                  struct xds_inbound *out);

#endif
