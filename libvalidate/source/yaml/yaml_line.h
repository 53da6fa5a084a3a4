/* yaml_line.h - a line of YAML as programs write it. */
#ifndef XDS_SOURCE_YAML_YAML_LINE_H
#define XDS_SOURCE_YAML_YAML_LINE_H

#include <stdint.h>

#include "base/slice.h"

/* A longer line, or a longer key, is one of the other lines. libyaml looks for the colon
 * after a key in 1024 characters. */
#define XDS_YAML_LINE_MOST ((size_t)16 << 10)
#define XDS_YAML_KEY_MOST 1000
#define XDS_YAML_ESCAPED_MOST 1024 /* a longer scalar with escapes is, too */
#define XDS_YAML_DASHES 8

enum xds_yaml_line_kind {
    XDS_YAML_LINE_ENTRY, /* of a block mapping or sequence, in the grammar below */
    XDS_YAML_LINE_OTHER, /* anything else */
    XDS_YAML_LINE_NONE,  /* the document ends here */
};

enum xds_yaml_part_kind {
    XDS_YAML_ABSENT,
    XDS_YAML_PLAIN,
    XDS_YAML_QUOTED,
    XDS_YAML_ESCAPED,       /* quoted, with escapes in it */
    XDS_YAML_EMPTY_LIST,    /* [] */
    XDS_YAML_EMPTY_MAPPING, /* {} */
};

/* Columns from 0, with the quotes. */
struct xds_yaml_part {
    enum xds_yaml_part_kind kind;
    uint32_t begin, end;
};

/* entry  := " "* ( "-" " "+ )* ( key ":" ( " "+ value )? | value )? " "* "\n"
 * with a dash or a key in it. Scalars end on their line; values in quotes may hold
 * escapes of one character. All characters are of ASCII, none is a '#' and none a control
 * character. */
struct xds_yaml_line {
    enum xds_yaml_line_kind kind;
    uint32_t number; /* lines in front of it */
    size_t at;       /* where it begins in the input */
    uint32_t size;   /* with what ends it */
    uint32_t dashes;
    uint32_t dash[XDS_YAML_DASHES]; /* columns */
    struct xds_yaml_part key, value;
};

/* Read the line with which the text begins; last: nothing follows the text. Sets what is
 * neither `number` nor `at`. */
void xds_yaml_line_read(struct xds_slice text, bool last, struct xds_yaml_line *out);

/* What is between the quotes of an XDS_YAML_ESCAPED, into XDS_YAML_ESCAPED_MOST
 * bytes; gives its length. */
size_t xds_yaml_unescape(struct xds_slice text, char quote, char *out);

/* The column of the first dash, or of the key. */
static inline uint32_t xds_yaml_line_indent(const struct xds_yaml_line *line)
{
    return line->dashes > 0 ? line->dash[0] : line->key.begin;
}

/* The column of the last collection that the line is in. */
static inline uint32_t xds_yaml_line_innermost(const struct xds_yaml_line *line)
{
    return line->key.kind != XDS_YAML_ABSENT ? line->key.begin
                                             : line->dash[line->dashes - 1];
}

#endif
