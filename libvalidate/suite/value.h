/* value.h - what the printers write, as text in an arena. */
#ifndef XDS_SUITE_VALUE_H
#define XDS_SUITE_VALUE_H

#include "base/text.h"
#include "model/tree.h"
#include "print/out.h"

/* Writes into a text; text->arena is set. */
struct xds_printer xds_text_printer(struct xds_text *text);
/* A tree as JSON. */
struct xds_slice xds_tree_json(struct xds_arena *arena, const struct xds_tree *tree);
/* A tree as in the flow style of YAML, for names. */
struct xds_slice xds_tree_flow(struct xds_arena *arena, const struct xds_tree *tree);

#endif
