/*
 * html_steps.h - sections of a text page as a list of an HTML page.
 *
 * Takes:  what xds_text_...() write: a heading in the first 14 columns and its text;
 * lines that begin with blanks belong to the heading above. Gives:  <dt> and <dd>, one
 * paragraph per line, in an element with the id "step-HEADING". Sections of one heading
 * in a row become one.
 */
#ifndef XDS_PRINT_HTML_STEPS_H
#define XDS_PRINT_HTML_STEPS_H

#include "print/html.h"
#include "print/page.h"

struct xds_html_steps {
    struct xds_printer printer; /* to write sections with */
    struct xds_out *out;
    char heading[XDS_PAGE_TEXT + 1]; /* "" before the first */
    char start[XDS_PAGE_TEXT];       /* of the line */
    size_t n;                        /* of its characters */
    bool in_text;
};

void xds_html_steps_begin(struct xds_html_steps *steps, struct xds_out *out);
void xds_html_steps_end(struct xds_html_steps *steps);

#endif
