/* json_tree.h - a tree as JSON text. */
#ifndef XDS_PRINT_JSON_TREE_H
#define XDS_PRINT_JSON_TREE_H

#include "model/tree.h"
#include "print/out.h"

/* As one value within streamed JSON, without blanks. */
void xds_json_tree(struct xds_out *out, const struct xds_tree *tree);
/* For eyes: short values on one line, two blanks per level, no line break after. */
void xds_out_tree(struct xds_out *out, const struct xds_tree *tree);
/* The same on one line. */
void xds_out_tree_line(struct xds_out *out, const struct xds_tree *tree);
/* As in the flow style of YAML, where texts need no quotes: "{a: [b, 1]}". */
void xds_out_flow(struct xds_out *out, const struct xds_tree *tree);
/* The same of a list or an object, without its outermost brackets. */
void xds_out_flow_items(struct xds_out *out, const struct xds_tree *tree);

#endif
