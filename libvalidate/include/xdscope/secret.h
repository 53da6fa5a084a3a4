/* secret.h - keys, tokens and passwords of an input: where they are, so that nothing
 * shows them. */
#ifndef XDSCOPE_SECRET_H
#define XDSCOPE_SECRET_H

#include "common.h"

/* The secrets of one input, by the tokens of its syntax. */
struct xds_secrets;

/* Those of a text, or of a regular file, of which fd is read from its begin on. name
 * tells the syntax, as for xds_source_add_bytes(). *out is NULL when there are none.
 * After XDS_ERR_IO or XDS_ERR_NO_MEMORY it is not known what may be shown: nothing. */
XDS_API XDS_MUST_USE enum xds_status
xds_secrets_of_text(const char *name, struct xds_slice text, struct xds_secrets **out);
XDS_API XDS_MUST_USE enum xds_status xds_secrets_of_file(const char *name, int fd,
                                                         struct xds_secrets **out);
XDS_API void xds_secrets_free(struct xds_secrets *secrets);
/* Copy a part of a line to `to`, which has room for all of it; *len is that of the copy.
 * The part begins at this column of code points, from 1, and has no line break. Each
 * character of a secret is a '*', so that columns stay what they were. What looks like
 * one without a name is hidden, too: PEM, what is in front of a bearer's token, long
 * base64. False, with no copy, when the syntax near a secret is broken, so that it is not
 * known where it ends: nothing of the line may be shown then. secrets may be NULL. */
XDS_API bool xds_secrets_hide(const struct xds_secrets *secrets, uint32_t line,
                              uint32_t column, struct xds_slice text, char *to,
                              size_t *len);

#endif
