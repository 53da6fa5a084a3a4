/* markup.h - HTML and XML: pages, filters, text that never becomes markup. */
#ifndef XDS_PRINT_WRITE_MARKUP_H
#define XDS_PRINT_WRITE_MARKUP_H

#include "print/write/out.h"

/* What the HTML reports are made of: the page around them, text,
 * filters.
 * A page is one file that needs nothing else. Its style and its script are html.css and
 * html.js, the same on every page, so that a Content-Security-Policy can name their
 * hashes and forbid all else, the network first. No text of the input ever is in a
 * script: the script reads the document.
 * Markup is written with xds_out_text() and xds_html_format(); whatever is not a literal
 * goes through the functions below, or is text of a document. */

/* Up to <main>, for "xdscope NAME"; from </main> on, with the version of the tool. */
void xds_html_begin(struct xds_out *out, const char *name);
void xds_html_end(struct xds_out *out);

/* Text from the input, between tags or in an attribute's quotes, as xds_out_clean() has
 * it. */
void xds_html_text(struct xds_out *out, struct xds_slice s);
/* Markup and text: as xds_out_format(), the arguments escaped as above. */
void xds_html_format(struct xds_out *out, const char *format, ...) XDS_PRINTF(2, 3);
/* ' name="value"' */
void xds_html_attribute(struct xds_out *out, const char *name, struct xds_slice value);
/* Text in <code>. */
void xds_html_code(struct xds_out *out, struct xds_slice s);

/* Text that is clean already. */
void xds_html_escape(struct xds_out *out, struct xds_slice s);

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

/* What stands for a character that is markup in XML and in HTML; NULL for any other. */
const char *xds_xml_entity(char c);
/* Any bytes as the text of an element: markup is escaped, and what XML cannot hold, such
 * as control characters and bytes that are not UTF-8, becomes U+FFFD. */
void xds_xml_text(struct xds_out *out, struct xds_slice text);
/* Markup and text: as xds_out_format(), the arguments escaped as above. */
void xds_xml_format(struct xds_out *out, const char *format, ...) XDS_PRINTF(2, 3);
/* The same between the quotes of an attribute. */
void xds_xml_in_attribute(struct xds_out *out, const char *format, ...) XDS_PRINTF(2, 3);
/* A blank, then name="value". */
void xds_xml_attribute(struct xds_out *out, const char *name, struct xds_slice value);

#endif
