/* json_read.h - JSON text as a tree. */
#ifndef XDS_CONFIG_JSON_READ_H
#define XDS_CONFIG_JSON_READ_H

#include "model/tree.h"
#include "source/token.h"

/* What is where the text is no JSON. */
struct xds_json_fault {
    enum xds_rule_id rule;
    size_t begin, end; /* offsets in the text */
    const char *what;
};

/* False with *fault filled when the text is not one JSON value. Numbers are the nearest
 * doubles; depth is bounded by XDS_MAX_NESTING. */
bool xds_tree_read(struct xds_arena *arena, struct xds_slice text, struct xds_tree *out,
                   struct xds_json_fault *fault);
/* The same of JSON that begins at a place of a file, or of tokens recorded from YAML:
 * each value and each key has its line and column. Numbers keep the text as which they
 * were written. */
bool xds_tree_read_at(struct xds_arena *arena, const struct xds_resource *in,
                      struct xds_tree *out, struct xds_json_fault *fault);

#endif
