/*
 * glob.h - texts with holes, which match any text, also none: "*", and those of the words
 * of rules, {field} and {1} to {4}.
 *
 * There is no other special character, so the leftmost place of every piece is a right
 * one and a match never backtracks.
 */
#ifndef XDS_CATALOGUE_GLOB_H
#define XDS_CATALOGUE_GLOB_H

#include "base/slice.h"

/* All of text is one match. */
bool xds_glob_matches(const char *pattern, struct xds_slice text);
/* Where in text the leftmost match is; a hole at its end is empty. */
bool xds_glob_search(const char *pattern, struct xds_slice text, struct xds_slice *out);
/* The length of the hole that the pattern begins with; 0 when it begins with none. */
size_t xds_glob_hole(const char *pattern);
/* How many characters of the pattern are outside of holes. */
size_t xds_glob_weight(const char *pattern);

#endif
