/*
 * html.h - what the HTML reports are made of: the page around them, text, tables,
 * filters.
 *
 * A page is one file that needs nothing else. Its style and its script are html.css and
 * html.js, the same on every page, so that a Content-Security-Policy can name their
 * hashes and forbid all else, the network first. No text of the input ever is in a
 * script: the script reads the document.
 *
 * Markup is written with xds_out_text() and xds_html_format(); whatever is not a literal
 * goes through the functions below.
 */
#ifndef XDS_PRINT_HTML_H
#define XDS_PRINT_HTML_H

#include "print/out.h"

/* ---- the page ---- */

/* Up to <main>. The script is for pages with filters. */
void xds_html_begin(struct xds_out *out, const char *title, bool script);
/* From </main> on; the name and version of the tool are at the foot. */
void xds_html_end(struct xds_out *out, bool script);

/* ---- text ---- */

/* Text from the input, between tags or in an attribute's quotes. Besides what
 * xds_out_clean() does, characters that turn or hide text are shown as U+FFFD. */
void xds_html_text(struct xds_out *out, struct xds_slice s);
/* Markup and text: as xds_out_format(), the arguments escaped as above. */
void xds_html_format(struct xds_out *out, const char *format, ...) XDS_PRINTF(2, 3);
/* ' name="value"' */
void xds_html_attribute(struct xds_out *out, const char *name, struct xds_slice value);
/* Text in <code>. */
void xds_html_code(struct xds_out *out, struct xds_slice s);

/* A printer into a page, for what prints text for a terminal. */
struct xds_html_writer {
    struct xds_printer to;
    struct xds_out *out;
};

void xds_html_writer_init(struct xds_html_writer *writer, struct xds_out *out);

/* ---- tables ---- */

struct xds_html_column {
    const char *title;
    const char *kind; /* class of its cells, or NULL */
};

/* The first cell of each row is its heading. */
struct xds_html_table {
    struct xds_out *out;
    const struct xds_html_column *columns;
    size_t n, at; /* columns, and cells of the row so far */
    bool in_row;
};

void xds_html_table_begin(struct xds_html_table *table, struct xds_out *out,
                          const char *caption, const struct xds_html_column *columns,
                          size_t n);
void xds_html_row(struct xds_html_table *table);
/* The same with a row for filters, see below: its data-NAME is `words`. */
void xds_html_item_row(struct xds_html_table *table, const char *name, const char *words);
/* Begin the next cell; kind NULL: that of its column. Cells and rows end by themselves.
 */
void xds_html_cell(struct xds_html_table *table, const char *kind);
void xds_html_table_end(struct xds_html_table *table);

/* ---- filters ---- */

/* html.js filters what has data-item. A control named N shows the items whose data-N, a
 * list of words, has its value; "q" searches their text. What has data-group is hidden
 * with the last of its items, and its data-count tells how many are left. */

struct xds_html_option {
    const char *value, *label;
};

/* Up to the first control; the page needs the script. */
void xds_html_filters_begin(struct xds_out *out, const char *what);
/* Check boxes, all of them checked at first. */
void xds_html_filter_boxes(struct xds_out *out, const char *name, const char *label,
                           const struct xds_html_option *options, size_t n);
/* A list with "any" in front; without options the values that the items have. */
void xds_html_filter_list(struct xds_out *out, const char *name, const char *label,
                          const struct xds_html_option *options, size_t n);
/* A check box that shows only the items with this value. */
void xds_html_filter_only(struct xds_out *out, const char *name,
                          struct xds_html_option option);
/* Search, reset, and how many items are shown. */
void xds_html_filters_end(struct xds_out *out);

#endif
