/* inbound_read.h - what an object says of the connection of an RPC. */
#ifndef XDS_EXPLAIN_INBOUND_READ_H
#define XDS_EXPLAIN_INBOUND_READ_H

#include "base/text.h"
#include "model/tree.h"

/* Takes the members out of the object that tell of the connection. A sentence when one of
 * them is wrong, *wrong then; else an absent slice. */
struct xds_slice xds_inbound_read(struct xds_arena *arena, struct xds_tree *object,
                                  struct xds_inbound *out, const struct xds_tree **wrong);

/* Does a member of this name tell of it? */
bool xds_inbound_has(struct xds_slice name);
/* Does the member take one value, and no list? */
bool xds_inbound_takes_one(struct xds_slice name);
/* The names of all of them. */
void xds_inbound_offer(struct xds_nearest *nearest);

#endif
