/*
 * page.h - text for people in lines of at most 100 columns.
 *
 * Takes:  the printer of the caller.
 * Gives:  a printer that breaks long lines at blanks. The rest of a line goes below the
 *         text of its section: a heading and lines without one have it in column 15, a
 *         numbered line after its number.
 */
#ifndef XDS_PRINT_PAGE_H
#define XDS_PRINT_PAGE_H

#include "print/out.h"

enum { XDS_PAGE_COLUMNS = 100, XDS_PAGE_TEXT = 14 };

struct xds_page {
    struct xds_printer printer; /* to write with */
    const struct xds_printer *to;
    size_t column, indent;
    bool begun, escape; /* the line has a word; inside of a colour */
    size_t blanks;      /* before the word */
    size_t width;       /* of the word, in columns */
    size_t n;           /* of its bytes */
    char word[512];
};

void xds_page_init(struct xds_page *page, const struct xds_printer *to);

/* The heading of a section; NULL: the blanks of a further line of it. */
void xds_page_title(struct xds_out *out, const char *title);
/* The same and the text of the line, as xds_out_line() writes it. */
void xds_page_line(struct xds_out *out, const char *title, const char *format, ...)
    XDS_PRINTF(3, 4);

#endif
