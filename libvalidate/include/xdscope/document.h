/* document.h - a small JSON or YAML text as a tree with places: settings and the like. */
#ifndef XDSCOPE_DOCUMENT_H
#define XDSCOPE_DOCUMENT_H

#include "check.h"

enum xds_tree_kind {
    XDS_TREE_NULL,
    XDS_TREE_BOOL,
    XDS_TREE_NUMBER,
    XDS_TREE_STRING,
    XDS_TREE_ARRAY,
    XDS_TREE_OBJECT,
};

/* An object has its members as items, each with its key, in the order of the text; of a
 * key that appears twice the last member counts. An array has its items. */
struct xds_tree {
    enum xds_tree_kind kind;
    bool truth;            /* BOOL */
    double number;         /* NUMBER: the nearest one */
    struct xds_slice text; /* STRING, unescaped; NUMBER that was read: as written */
    struct xds_slice key;  /* of a member of an object */
    struct xds_tree *items;
    size_t n;
    uint32_t line, column; /* in a file, from 1; 0: made, not read */
    uint32_t key_line, key_column;
    uint32_t end_line, end_column; /* one past the value as it is written */
};

struct xds_parsed;

/* One JSON value, or one YAML document. Nesting is limited as in resources. *out is NULL
 * unless XDS_OK; the text is not needed any longer. */
XDS_API XDS_MUST_USE enum xds_status
xds_parse(enum xds_format format, struct xds_slice text, struct xds_parsed **out);
XDS_API void xds_parsed_free(struct xds_parsed *parsed);
/* NULL when the text was none: then there is a fault. Texts of the tree end with NUL. */
XDS_API const struct xds_tree *xds_parsed_tree(const struct xds_parsed *parsed);
/* What is wrong, and where; absent when nothing is. */
XDS_API struct xds_slice xds_parsed_fault(const struct xds_parsed *parsed,
                                          struct xds_place *at);

/* Set the options that a gRPC bootstrap decides, whose names live as long as it does.
 * XDS_ERR_USAGE when it is none: *fault says why. */
XDS_API XDS_MUST_USE enum xds_status
xds_options_set_bootstrap(struct xds_options *options, struct xds_parsed *bootstrap,
                          const char **fault);

/* Mark the findings of the sorted report that the text of a baseline counts: they were
 * there before. What it counts in vain is reported, in the file `name`. Then the report
 * is sorted again. XDS_ERR_USAGE when it is not a baseline: *fault says
 * why, in the report's memory, and *at where. */
XDS_API XDS_MUST_USE enum xds_status xds_report_apply_baseline(struct xds_report *report,
                                                               const char *name,
                                                               struct xds_slice text,
                                                               struct xds_slice *fault,
                                                               struct xds_place *at);

#endif
