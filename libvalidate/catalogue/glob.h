/*
 * glob.h - texts with holes: "*" stands for any text, also for none.
 *
 * There is no other special character, so the leftmost place of every piece is a right
 * one and a match never backtracks.
 */
#ifndef XDS_CATALOGUE_GLOB_H
#define XDS_CATALOGUE_GLOB_H

#include "base/slice.h"

/* All of text is one match. */
bool xds_glob_matches(const char *pattern, struct xds_slice text);
/* Where in text the leftmost match stands; a hole at its end is empty. */
bool xds_glob_search(const char *pattern, struct xds_slice text, struct xds_slice *out);
/* How many characters of the pattern are no holes. */
size_t xds_glob_weight(const char *pattern);

#endif
