/* sections.h - the sections of a case as fuzz targets have them: without fixtures or hex.
 */
#ifndef XDS_FUZZ_SECTIONS_H
#define XDS_FUZZ_SECTIONS_H

#include "base/slice.h"

enum { XDS_SECTIONS = 24 };

struct xds_section {
    struct xds_slice name, text;
};

/* "-- NAME --" alone on a line begins a section. All of it is borrowed from the text;
 * what is before the first section or has no name is left out. */
struct xds_sections {
    size_t n;
    struct xds_section items[XDS_SECTIONS];
};

void xds_sections_read(struct xds_sections *parts, struct xds_slice text);
/* Absent when there is none. */
struct xds_slice xds_sections_find(const struct xds_sections *parts, const char *name);
/* Is it what a program reads, and not its arguments or what is expected of it? */
bool xds_section_is_file(const struct xds_section *part);

#endif
