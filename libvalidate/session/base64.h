/* base64.h - base64 as C-core's cookie code reads and writes it. */
#ifndef XDS_SESSION_BASE64_H
#define XDS_SESSION_BASE64_H

#include "base/slice.h"

/* The clear bytes into out, which needs 3/4 of text.len. False when text is not base64.
 */
bool xds_base64_decode(struct xds_slice text, char *out, size_t size, size_t *len);
/* Padded; writes what fits into out, returns the length of the whole. */
size_t xds_base64_encode(struct xds_slice bytes, char *out, size_t size);

#endif
