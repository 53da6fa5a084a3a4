/* json_token.h - bytes and tokens of JSON text; the inside of json_source.c. */
#ifndef XDS_SOURCE_JSON_JSON_TOKEN_H
#define XDS_SOURCE_JSON_JSON_TOKEN_H

#include "source/json/json_source.h"

#define XDS_JSON_NO_HOLD SIZE_MAX
#define XDS_JSON_NO_BYTE (-1)

/* The text from an offset on, as far as it is in the window and in the document. */
struct xds_slice xds_json_rest(const struct xds_json *json, size_t at);
/* The offset where that ends. */
size_t xds_json_end(const struct xds_json *json);
/* True when nothing of the document follows there. */
bool xds_json_at_end(const struct xds_json *json);
/* Read on, keeping what a token or a mark still needs; false at the end, or when more
 * than one resource may have would be kept. */
bool xds_json_more(struct xds_json *json);
/* The next byte that is no white space, or XDS_JSON_NO_BYTE at the end. */
int xds_json_next_byte(struct xds_json *json);

/* A fault that ends the document. */
void xds_json_fault(struct xds_json *json, size_t at, const char *text);
/* A fault of one value. */
void xds_json_too_large(struct xds_json *json, size_t at);
/* The text ended, or could not be kept any longer, at the present position. */
void xds_json_ended(struct xds_json *json, const char *text);

void xds_json_next(struct xds_json *json, struct xds_token *out);
/* A value was read: what may follow it? */
void xds_json_value_done(struct xds_json *json);

#endif
