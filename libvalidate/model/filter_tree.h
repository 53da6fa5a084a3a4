/* filter_tree.h - the matcher tree of a composite filter: which filters an RPC runs.
 * Immutable once built. Source: gRFC A103, drafts A106. */
#ifndef XDS_MODEL_FILTER_TREE_H
#define XDS_MODEL_FILTER_TREE_H

#include "model/matcher.h"

struct xds_filter;
struct xds_filter_tree;

/* What a match leads to: another tree, or an action. */
struct xds_filter_choice {
    const struct xds_filter_tree *tree; /* NULL: the action that the rest is */
    const struct xds_filter *filters;   /* to run; none for SkipFilter */
    size_t n_filters;
    bool has_sample; /* they run for this fraction of the RPCs */
    struct xds_fraction sample;
};

enum xds_predicate_kind {
    XDS_PREDICATE_SINGLE,
    XDS_PREDICATE_OR,
    XDS_PREDICATE_AND,
    XDS_PREDICATE_NOT,
    XDS_PREDICATE_CEL, /* not evaluated here */
};

struct xds_filter_predicate {
    enum xds_predicate_kind kind;
    struct xds_slice header; /* SINGLE */
    struct xds_string_matcher matcher;
    const struct xds_filter_predicate *list; /* OR, AND; NOT: just one */
    size_t n;
};

enum xds_filter_tree_kind {
    XDS_FILTER_TREE_LIST,
    XDS_FILTER_TREE_EXACT,
    XDS_FILTER_TREE_PREFIX,
};

struct xds_filter_case {
    struct xds_filter_predicate predicate; /* LIST */
    struct xds_slice key;                  /* EXACT, PREFIX */
    struct xds_filter_choice choice;
};

struct xds_filter_tree {
    enum xds_filter_tree_kind kind;
    struct xds_slice header; /* EXACT, PREFIX */
    const struct xds_filter_case *cases;
    size_t n;
    const struct xds_filter_choice *on_no_match; /* or NULL */
};

#endif
