/* tree.c - lines and lists of the tree of a snapshot. */
#include "print/show/tree.h"

/* Longer lists are cut, and more so after many lines. */
enum { ROWS = 10, FEW_ROWS = 2, TOO_MANY = 1000 };

size_t xds_tree_shown(const struct xds_show_tree *t, size_t n)
{
    const size_t most = t->lines <= XDS_SHOW_MANY ? ROWS
                        : t->lines <= TOO_MANY    ? FEW_ROWS
                                                  : 0;

    /* The remark that one is left out would take a line, too. */
    return t->show->out->to->verbose || n <= most + 1 ? n : most;
}

void xds_tree_begin(struct xds_show_tree *t, size_t depth)
{
    xds_out_blanks(t->show->out, 2 * depth);
    t->lines++;
}

void xds_tree_more(struct xds_show_tree *t, size_t depth, size_t n, const char *what)
{
    if (n == 0)
        return;
    xds_tree_begin(t, depth);
    xds_out_line(t->show->out, "and %zu more %s, -v lists them", n, what);
}

void xds_tree_title(struct xds_show_tree *t, const char *what, struct xds_slice name)
{
    xds_out_text(t->show->out, what);
    xds_out_char(t->show->out, ' ');
    xds_doc_quoted(t->show->out, name);
}
