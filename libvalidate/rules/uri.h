/*
 * uri.h - what the parsers of URIs that clients use make of a text.
 *
 * All texts but the path are parts of the input; the path is decoded.
 */
#ifndef XDS_RULES_URI_H
#define XDS_RULES_URI_H

#include "base/arena.h"

struct xds_uri {
    struct xds_slice scheme, authority, path;
};

/* C-core's own, laxer than RFC 3986: any byte may be in authority and path. */
bool xds_uri_lax(struct xds_arena *arena, struct xds_slice text, struct xds_uri *uri);
/* java.net.URI: RFC 2396 and characters beyond ASCII. Of a URI whose path does not begin
 * with "/" after a scheme the path is empty. */
bool xds_uri_java(struct xds_arena *arena, struct xds_slice text, struct xds_uri *uri);
/* url.Parse of Go; scheme is empty where it finds none. */
bool xds_uri_go(struct xds_arena *arena, struct xds_slice text, struct xds_uri *uri);
/* vscode-uri, which takes every text for a URI. */
void xds_uri_vscode(struct xds_arena *arena, struct xds_slice text, struct xds_uri *uri);

/* The part of s in front of the first of the stop bytes; *s becomes the rest. */
struct xds_slice xds_uri_until(struct xds_slice *s, const char *stops);
/* Does s begin so? *s becomes the rest. */
bool xds_uri_prefix(struct xds_slice *s, struct xds_slice prefix);

#endif
