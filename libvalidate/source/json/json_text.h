/*
 * json_text.h - what is inside of JSON's strings and numbers.
 */
#ifndef XDS_SOURCE_JSON_JSON_TEXT_H
#define XDS_SOURCE_JSON_JSON_TEXT_H

#include "base/slice.h"

/* True when text is a number as JSON writes it. */
bool xds_json_number(struct xds_slice text);

enum xds_escape {
    XDS_ESCAPE_OK,
    XDS_ESCAPE_UNKNOWN,        /* no escape of JSON */
    XDS_ESCAPE_LONE_SURROGATE, /* half of a pair */
};

/* The escape (a surrogate pair is one) that s, a text with a backslash first, begins
 * with: its code point and its length. */
enum xds_escape xds_json_escape(struct xds_slice s, uint32_t *code, size_t *len);
/* Text whose escapes are all good, without them: never longer than it was. Returns the
 * length; out needs room for text.len. */
size_t xds_json_unescape(struct xds_slice text, char *out);

#endif
