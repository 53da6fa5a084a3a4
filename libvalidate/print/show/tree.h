/* tree.h - what the parts of the tree of a snapshot share. */
#ifndef XDS_PRINT_SHOW_TREE_H
#define XDS_PRINT_SHOW_TREE_H

#include "print/show/show.h"
#include "print/write/document.h"

struct xds_show_tree {
    struct xds_show *show;
    size_t lines;
    unsigned nested;                         /* aggregates above the cluster */
    const struct xds_snapshot_entry **later; /* clusters that were nested too deep */
    size_t n_later, cap_later;
};

/* After so many lines less is printed. */
enum { XDS_SHOW_MANY = 300 };

/* Of a list of n rows so many are printed; the line for the rest of them. */
size_t xds_tree_shown(const struct xds_show_tree *t, size_t n);
void xds_tree_more(struct xds_show_tree *t, size_t depth, size_t n, const char *what);
/* The blanks of the next line. */
void xds_tree_begin(struct xds_show_tree *t, size_t depth);
/* "listener \"shop\"" */
void xds_tree_title(struct xds_show_tree *t, const char *what, struct xds_slice name);

/* ---- servers: show_server.c ---- */

/* A filter chain, what it matches and its TLS. */
void xds_tree_chain(struct xds_show_tree *t, const struct xds_listener *listener,
                    const struct xds_filter_chain *chain, size_t index, size_t depth);
/* The RBAC filters of an HttpConnectionManager; the overrides of a virtual host or route.
 */
void xds_tree_rbac_filters(struct xds_show_tree *t, const struct xds_listener *manager,
                           size_t depth);
void xds_tree_rbac_overrides(struct xds_show_tree *t,
                             const struct xds_overrides *overrides, size_t depth);

#endif
