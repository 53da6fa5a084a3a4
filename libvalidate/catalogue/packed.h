/*
 * packed.h - the texts of a file of rows one after another, without a pointer in them:
 * each start of the program would relocate those, and few commands look at the texts.
 */
#ifndef XDS_CATALOGUE_PACKED_H
#define XDS_CATALOGUE_PACKED_H

#include <stddef.h>
#include <stdint.h>

/* A file of rows is included for the members of a struct, for their values, and where
 * needed for rows of where each begins. Each row begins on a line of its own, whose
 * number is in the names of its members; the texts of a row are distinguished by a
 * letter. */
#define XDS_PACKED_JOIN(letter, line) letter##line
#define XDS_PACKED_NAME(letter, line) XDS_PACKED_JOIN(letter, line)
#define XDS_PACKED(letter) XDS_PACKED_NAME(letter, __LINE__)
#define XDS_PACKED_TEXT(letter, text) char XDS_PACKED(letter)[sizeof(text)];

/* Where a text is in such a struct. */
#define XDS_PACKED_AT(type, letter) (uint32_t) offsetof(type, XDS_PACKED(letter))

#endif
