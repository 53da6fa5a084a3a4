/* scan.h - the hot loops over raw text: where a JSON value ends, lines and columns. */
#ifndef XDS_SOURCE_JSON_SCAN_H
#define XDS_SOURCE_JSON_SCAN_H

#include "base/slice.h"

#define XDS_SCAN_LEVELS 512 /* nesting that the scan can follow; decode/ allows less */

/* A scan that can be interrupted at any 64-byte step. */
struct xds_scan {
    uint64_t in_string; /* all ones: the next byte is in a string */
    uint64_t escaped;   /* 1: the next byte follows a backslash */
    unsigned depth;
    unsigned char kinds[XDS_SCAN_LEVELS]; /* of the open levels */
};

/* At the begin of a value. The levels above the depth are never read: small values are
 * many, and to clear all levels would cost more than to scan one. */
static inline void xds_scan_init(struct xds_scan *scan)
{
    scan->in_string = scan->escaped = 0;
    scan->depth = 0;
}

enum xds_scan_result {
    XDS_SCAN_MORE,     /* the value continues after the data */
    XDS_SCAN_DONE,     /* *used is after the closing bracket */
    XDS_SCAN_MISMATCH, /* *used is the offset of a bracket that closes another kind */
    XDS_SCAN_DEEP,     /* *used is the offset of the bracket on level XDS_SCAN_LEVELS */
};

/* Follow an object or list whose bracket is the first byte of the first call. Data that
 * was not used (fewer than 64 bytes unless `last`) must come again in the next call. */
enum xds_scan_result xds_scan_step(struct xds_scan *scan, struct xds_slice data,
                                   bool last, size_t *used);

/* How far a text moves a line and column. */
struct xds_scan_lines {
    size_t newlines;
    size_t code_points; /* after the last newline; of all the text where there is none */
};

/* Code points are the bytes of UTF-8 text that are no continuation bytes. */
struct xds_scan_lines xds_scan_lines(struct xds_slice data);

#endif
