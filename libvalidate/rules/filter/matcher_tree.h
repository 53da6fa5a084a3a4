/*
 * matcher_tree.h - the readers of xds.type.matcher.v3.Matcher, the unified matcher tree.
 *
 * Source: gRFC draft A106, spec listener 1.7.
 */
#ifndef XDS_RULES_FILTER_MATCHER_TREE_H
#define XDS_RULES_FILTER_MATCHER_TREE_H

#include "model/filter_tree.h"
#include "rules/readers.h"

/* What the owner of a tree lets its leaves do. */
struct xds_matcher_action {
    const char *type;
    const char *words; /* as in "could not parse X" */
    /* The message is of the type; NULL: nothing inside is checked, and nothing runs. */
    void (*read)(struct xds_ctx *ctx, const struct xds_path *at,
                 const ProtobufCMessage *message, struct xds_filter_choice *out);
};

struct xds_matcher_actions {
    const struct xds_matcher_action *list;
    size_t n;
};

/* at: the path of the tree. What is built is whole only when no finding fires. */
const struct xds_filter_tree *
xds_matcher_tree_read(struct xds_ctx *ctx, const struct xds_path *at,
                      const pb_matcher *pb, const struct xds_matcher_actions *actions);
/* pb NULL when the field was not set, as in the two below. */
void xds_matcher_predicate_read(struct xds_ctx *ctx, const struct xds_path *at,
                                const pb_matcher_matcher_list_predicate *pb,
                                struct xds_filter_predicate *out);
/* for_cel: a CelMatcher takes what the input gives, not a matcher of text. Returns the
 * name of the header; absent when it is not one. */
struct xds_slice xds_matcher_input_read(struct xds_ctx *ctx, const struct xds_path *at,
                                        const pb_xds_typed_extension_config *pb,
                                        bool for_cel);
/* The flavour of xds.type.matcher.v3; pb is set. As xds_string_matcher_read(). */
bool xds_matcher_string_read(struct xds_ctx *ctx, const struct xds_path *at,
                             const pb_xds_string_matcher *pb,
                             struct xds_string_matcher *out);

#endif
