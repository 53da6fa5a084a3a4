/* tree_text.h - a tree as compact JSON text. */
#ifndef XDS_MODEL_TREE_TEXT_H
#define XDS_MODEL_TREE_TEXT_H

#include "model/tree.h"

/* In arena, NUL-terminated. What is no UTF-8 stays as it is. */
struct xds_slice xds_tree_to_text(struct xds_arena *arena, const struct xds_tree *tree);

#endif
