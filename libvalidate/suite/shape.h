/* shape.h - what the JSON of explain can have. */
#ifndef XDS_SUITE_SHAPE_H
#define XDS_SUITE_SHAPE_H

#include "model/tree.h"

/* The first member of what is expected that no answer can have, or that is there
 * twice, with what is wrong; NULL: all is well. */
const struct xds_tree *xds_shape_find_fault(struct xds_arena *arena,
                                            const struct xds_tree *expect,
                                            struct xds_slice *what);
/* An answer has all of this only when every route is tried. */
bool xds_shape_needs_every_route(const struct xds_tree *expect);

#endif
