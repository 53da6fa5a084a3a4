/* text_token.h - characters and scalars of a text proto; the inside of text_source.c. */
#ifndef XDS_SOURCE_TEXT_TEXT_TOKEN_H
#define XDS_SOURCE_TEXT_TEXT_TOKEN_H

#include "source/text/text_source.h"

#define XDS_TEXT_NO_CHAR (-1)

/* The character that is `ahead` after the present one, or XDS_TEXT_NO_CHAR. */
int xds_text_peek(struct xds_text *t, size_t ahead);
/* Go on to the next character that is neither white space nor comment, and give it. */
int xds_text_next_char(struct xds_text *t);
/* The present place becomes the begin of a token, and what follows it is kept. */
void xds_text_begin(struct xds_text *t, struct xds_token *out);
/* The present place becomes its end. */
void xds_text_end(struct xds_text *t, struct xds_token *out);
/* The same of a comment, which is no token of the message. */
void xds_text_end_comment(struct xds_text *t, struct xds_token *out);
/* Look whether the comment that begins at the present place speaks to xdscope. */
void xds_text_meet_comment(struct xds_text *t);
/* *out becomes an error that ends the document. Its place is the next character, or, with
 * `begun`, what was read of *out. */
void xds_text_fault(struct xds_text *t, struct xds_token *out, bool begun,
                    const char *what);
/* The bytes of a name at the present place: letters, digits and underscores. */
size_t xds_text_name(struct xds_text *t);
/* A string, number or word, whose first character is c. */
void xds_text_scalar(struct xds_text *t, struct xds_token *out, int c);
/* A token that is not written as such comes next, in the place of `at`. */
void xds_text_add_pending(struct xds_text *t, enum xds_token_kind kind,
                          struct xds_slice text, const struct xds_token *at);
/* text_header.c: read the comments in front. A header in them becomes two tokens to come:
 * the "@type" of the message. */
void xds_text_read_header(struct xds_text *t);

#endif
