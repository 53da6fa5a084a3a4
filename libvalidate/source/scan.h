/* scan.h - the hot loops over raw text: where a JSON value ends, lines and columns. */
#ifndef XDS_SOURCE_SCAN_H
#define XDS_SOURCE_SCAN_H

#include "base/slice.h"

#define XDS_SCAN_LEVELS 512 /* nesting that the scan can follow; decode/ allows less */

/* A scan that can be interrupted at any 64-byte step. All zero is the begin of a value.
 */
struct xds_scan {
    uint64_t in_string; /* all ones: the next byte stands in a string */
    uint64_t escaped;   /* 1: the next byte follows a backslash */
    unsigned depth;
    uint64_t lists[XDS_SCAN_LEVELS / 64]; /* one bit per open level: it is a list */
};

enum xds_scan_result {
    XDS_SCAN_MORE,     /* the value goes on behind the data */
    XDS_SCAN_DONE,     /* *used is behind the closing bracket */
    XDS_SCAN_MISMATCH, /* *used is the offset of a bracket that closes another kind */
    XDS_SCAN_DEEP,     /* *used is the offset of the bracket on level XDS_SCAN_LEVELS */
};

/* Follow an object or list whose bracket is the first byte of the first call. Data that
 * was not used (fewer than 64 bytes unless `last`) must come again in the next call. */
enum xds_scan_result xds_scan_step(struct xds_scan *scan, struct xds_slice data,
                                   bool last, size_t *used);

/* Bytes that are `c`. */
size_t xds_scan_count(struct xds_slice data, char c);
/* Code points of UTF-8 text: bytes that are no continuation bytes. */
size_t xds_scan_code_points(struct xds_slice data);

#endif
