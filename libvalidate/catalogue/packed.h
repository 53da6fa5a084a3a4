/*
 * packed.h - tables of many texts without a pointer in them, so that loading the library
 * relocates nothing for what few commands print.
 *
 * A file of rows is included for the members of a struct, which are the texts one after
 * another, for their values, and where needed for rows of where each begins. The texts of
 * a row are distinguished by a letter.
 */
#ifndef XDS_CATALOGUE_PACKED_H
#define XDS_CATALOGUE_PACKED_H

#include <stddef.h>
#include <stdint.h>

/* Each row begins on a line of its own, whose number is in the names of its members. */
#define XDS_PACKED_JOIN(letter, line) letter##line
#define XDS_PACKED_NAME(letter, line) XDS_PACKED_JOIN(letter, line)
#define XDS_PACKED(letter) XDS_PACKED_NAME(letter, __LINE__)
#define XDS_PACKED_TEXT(letter, text) char XDS_PACKED(letter)[sizeof(text)];
#define XDS_PACKED_AT(type, letter) (uint32_t) offsetof(type, XDS_PACKED(letter))

#endif
