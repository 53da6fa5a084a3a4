/*
 * secret.h - what of an input must not be shown: keys, tokens and passwords.
 *
 * By the names of fields and headers (fields.def), in a single line of any text, and in a
 * whole text by the tokens of its syntax (xdscope/secret.h).
 */
#ifndef XDS_SECRET_SECRET_H
#define XDS_SECRET_SECRET_H

#include "base/slice.h"

/* What is in the place of a secret, where its length would tell nothing. */
#define XDS_SECRET_HIDDEN "***"

/* Is what follows a name, of a field or of a header, a secret? The name as in .proto
 * files, in JSON, or with dashes. */
bool xds_secret_name(struct xds_slice name);
/* Below a secret: may the name itself be shown, as it is that of a field? is_leaf: and
 * its value, too. */
bool xds_secret_shows(struct xds_slice name, bool *is_leaf);
/* In a message that names what a value of it is of: is it that name, or that value? */
bool xds_secret_is_namer(struct xds_slice name);
bool xds_secret_is_value(struct xds_slice name);

/* Does a value have credentials of HTTP, whatever header it is of (RFC 7617, 6750)? */
bool xds_secret_has_credentials(struct xds_slice value);

/* The value of a header of a request, if it is no secret. */
struct xds_slice xds_header_shown(const struct xds_header *header);

/* What a name may begin with, by a hash of four bytes: the first root, counted from 1. */
struct xds_secret_search {
    uint8_t first[8192];
};

void xds_secret_search_init(struct xds_secret_search *search);
/* Where a name that is a secret's, or an escape that may be in one, may be in the text
 * from byte `at` on: the offset, or text.len. What is found may as well be another word.
 */
size_t xds_secret_root(const struct xds_secret_search *search, struct xds_slice text,
                       size_t at);
/* So many bytes at the end of a text have to be looked at again with what follows. */
#define XDS_SECRET_OVERLAP ((size_t)16)
/* So many bytes from such a place on are another word; 0: it may be the name of a secret.
 * This is known by its end. One that the text ends in is, unless it is looked at again.
 */
size_t xds_secret_other(struct xds_slice text);

/* Copy the line to `to`, which has room for all of it; gives the copy's length. Each
 * character of what looks like a secret is a '*', so that columns stay what they were. */
size_t xds_redact(struct xds_slice line, char *to);

#endif
