/* base64.h - base64 as protobuf's JSON and as C-core's cookies have it. */
#ifndef XDS_BASE_BASE64_H
#define XDS_BASE_BASE64_H

#include "base/slice.h"

/* In both, padding is optional, but complete where there is some. */
enum xds_base64 {
    XDS_BASE64_JSON,   /* the standard and the URL-safe alphabet */
    XDS_BASE64_COOKIE, /* the standard one; blanks are skipped, '.' pads like '=' */
};

/* The clear bytes into out, which needs 3/4 of text.len; false when text is not base64.
 */
bool xds_base64_decode(struct xds_slice text, enum xds_base64 form, char *out,
                       size_t size, size_t *len);
/* Padded; writes what fits into out, returns the length of the whole. */
size_t xds_base64_encode(struct xds_slice bytes, char *out, size_t size);

#endif
