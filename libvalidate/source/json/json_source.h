/* json_source.h - documents of JSON text as tokens of the container levels. */
#ifndef XDS_SOURCE_JSON_JSON_SOURCE_H
#define XDS_SOURCE_JSON_JSON_SOURCE_H

#include "source/reader.h"

#define XDS_JSON_LEVELS 64 /* of containers; resources are taken, not entered */

enum xds_json_due {
    XDS_JSON_DOCUMENT, /* the value of the document */
    XDS_JSON_FIRST,    /* a first key or item, or the end of an empty one */
    XDS_JSON_NEXT,     /* a comma or the end */
    XDS_JSON_VALUE,    /* the value of a key */
    XDS_JSON_NOTHING,  /* the document is complete */
};

struct xds_json_state {
    size_t pos;
    enum xds_json_due due;
    unsigned depth;
    unsigned char open[XDS_JSON_LEVELS]; /* '{' or '[' */
};

struct xds_json {
    struct xds_reader reader; /* first member */
    struct xds_buffer *in;
    struct xds_json_state now, marked;
    bool by_line;        /* NDJSON: a document ends with its line */
    size_t stop;         /* after the document's line, SIZE_MAX when not known */
    size_t token;        /* begin of the last token */
    size_t hold, held;   /* what the token in work and the mark keep in the window */
    size_t fault_at;     /* offset */
    uint32_t begin_line; /* of the document */
};

/* The buffer must have been opened. */
void xds_json_open(struct xds_json *json, struct xds_buffer *in,
                   struct xds_arena *scratch, bool by_line);

#define XDS_JSON_NO_HOLD SIZE_MAX
#define XDS_JSON_NO_BYTE (-1)

#endif
