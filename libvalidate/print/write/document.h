/* document.h - text for people in sections, and answers that are text or HTML by one
 * printer. */
#ifndef XDS_PRINT_WRITE_DOCUMENT_H
#define XDS_PRINT_WRITE_DOCUMENT_H

#include "include/xdscope.h"
#include "print/write/out.h"

/* Text for people in lines of at most 100 columns, fewer if the terminal has fewer.
 * Takes:  the printer of the caller.
 * Gives:  a printer that breaks long lines at blanks. The rest of a line goes below the
 *         text of its section: a heading and lines without one have it in column 15, a
 *         numbered line after its number. */

enum { XDS_PAGE_COLUMNS = 100, XDS_PAGE_TEXT = 14 };

struct xds_page {
    struct xds_printer printer; /* to write with */
    const struct xds_printer *to;
    size_t columns;     /* that a line may have */
    size_t flush, hang; /* how far the rest of a line goes in: of one without indentation,
                           and of others beyond theirs */
    size_t column, indent;
    bool begun, escape;              /* the line has a word; inside of a colour */
    bool keeps_commands, in_command; /* to be pasted: they are not broken */
    bool after_program;              /* the word before was "xdscope" */
    size_t blanks;                   /* before the word */
    size_t width;                    /* of the word, in columns */
    size_t n;                        /* of its bytes */
    char word[512];
};

void xds_page_init(struct xds_page *page, const struct xds_printer *to);

/* An answer as text and as HTML, by one printer.
 * Both are written as lines. In HTML a line's indentation is its depth in an outline, and
 * an empty line ends the outline. What else a line or a part of it is, the functions
 * xds_doc_...() say before it; text gets from them what it has instead, mostly nothing.
 */

struct xds_column {
    const char *title;
    const char *kind; /* class of its cells, or NULL; "name": headings of the rows */
};

struct xds_table {
    const char *caption;
    const struct xds_column *columns;
    size_t n;
    const char *data; /* for filters: rows are items, data-NAME has their words */
};

/* The HTML of what is written to the printer. */
struct xds_doc {
    struct xds_printer printer;
    const char *begin, *end; /* tags of the next or open line; NULL: one of the outline */
    bool in_line, in_row, in_block, in_topics, has_base, is_heading;
    size_t blanks, base, depth;    /* of the line, of the outline */
    size_t indents[32];            /* of its lists */
    const struct xds_table *table; /* that is open */
    size_t cell;
    const char *topic;
    const char *steps; /* what the ids of its topics begin with; NULL: "step" */
    struct xds_out page;
};

/* The document whose text this is; NULL: plain text, or JSON. */
struct xds_doc *xds_doc_of(const struct xds_out *out);
/* A whole page; or a part of one, between xds_print_page_begin() and _end(). The status
 * is that of what was printed, and is handed on if it is not XDS_OK. */
void xds_doc_begin(struct xds_doc *doc, const struct xds_printer *to, const char *name);
enum xds_status xds_doc_end(struct xds_doc *doc, enum xds_status status);
void xds_doc_init(struct xds_doc *doc, const struct xds_printer *to);
enum xds_status xds_doc_finish(struct xds_doc *doc, enum xds_status status);

/* A whole print of an answer as text in lines; or as a part of the page, if the printer
 * is that of a document. */
enum xds_status xds_answer_print(const struct xds_printer *to, void (*print)(void *),
                                 const void *of);

/* Where to write markup with the functions for HTML below; NULL in text. After all that
 * is open; or in the line. */
struct xds_out *xds_doc_markup(struct xds_out *out);
struct xds_out *xds_doc_inline(struct xds_out *out);

/* A heading that text does not have. */
void xds_doc_section(struct xds_out *out, const char *id, const char *heading);
/* The same where another section of the page has topics of these names. */
void xds_doc_steps(struct xds_out *out, const char *id, const char *heading);
/* The next line is a heading; it is the answer in short, which a page has above all. */
void xds_doc_heading(struct xds_out *out);
void xds_doc_verdict(struct xds_out *out, bool good);
/* The same for an answer that is neither good nor bad. */
void xds_doc_summary(struct xds_out *out);
/* The next line stands for more, which is written after it where this is true. */
bool xds_doc_fold(struct xds_out *out);
void xds_doc_fold_end(struct xds_out *out);
/* The heading of a topic, or a time, before the line; NULL: the blanks of a further line.
 */
void xds_page_title(struct xds_out *out, const char *title);
void xds_doc_time(struct xds_out *out, struct xds_slice time);
/* The same and the text of the line, as xds_out_line() writes it. */
void xds_page_line(struct xds_out *out, const char *title, const char *format, ...)
    XDS_PRINTF(3, 4);
/* The line is a row of the table; words: for filters, or NULL. */
void xds_doc_row(struct xds_out *out, const struct xds_table *table, const char *words);
/* The next cell of it, and what text has before it. */
void xds_doc_cell(struct xds_out *out, const char *before);
/* Lines that are shown as they are. */
void xds_doc_block(struct xds_out *out, bool begins);
/* A name, in quotes or not; text of a class; a command to copy; a bar. */
void xds_doc_quoted(struct xds_out *out, struct xds_slice text);
void xds_doc_code(struct xds_out *out, struct xds_slice text);
void xds_doc_span(struct xds_out *out, const char *kind, const char *text);
void xds_doc_command(struct xds_out *out, bool begins);
void xds_doc_meter(struct xds_out *out, double share);
enum xds_style {
    XDS_STYLE_NONE,
    XDS_STYLE_BOLD,
    XDS_STYLE_DIM,
    XDS_STYLE_RED,
    XDS_STYLE_YELLOW,
    XDS_STYLE_CYAN,
    XDS_STYLE_GREEN
};

/* Text in a style when the printer has colours or it is a page; plain text else. */
void xds_out_styled(struct xds_out *out, enum xds_style style, const char *text);
/* A word as a shell reads it; what is in its single quotes. */
void xds_out_shell_word(struct xds_out *out, struct xds_slice word);
void xds_out_shell_part(struct xds_out *out, struct xds_slice text);
/* The variables that are set, as options of a command. */
void xds_out_env(struct xds_out *out, const struct xds_options *options);

#endif
