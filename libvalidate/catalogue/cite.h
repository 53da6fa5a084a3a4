/* cite.h - what the source of a rule or of a reading cites, one after the other. */
#ifndef XDS_CATALOGUE_CITE_H
#define XDS_CATALOGUE_CITE_H

#include "base/slice.h"

/* Longest id of a row or section: "listener 7.3.1/12". */
#define XDS_CITE_MAX 32

struct xds_citation {
    unsigned grfc;           /* 27 for gRFC A27; 0: a row or section of the spec */
    char spec[XDS_CITE_MAX]; /* "G31", "cluster 1.4/5", "routing 2.4" */
};

/* "gRFC A60, A92 draft, spec C-f, cluster 1.7/8-17, 1.8": what follows the words gRFC and
 * spec. Numbers are sections of the document that was named last, or of listener; a range
 * is each of its rows. Other words, such as the name of a file, are left out. */
struct xds_citations {
    struct xds_slice rest, document, section;
    unsigned row, last; /* of the range that is being read */
    bool in_spec;
};

struct xds_citations xds_citations_of(const char *source);
/* Do both cite the same row of the spec, or one of them the section of the other's row?
 */
bool xds_citations_meet(const char *a, const char *b);
/* False after the last one. */
bool xds_citations_next(struct xds_citations *of, struct xds_citation *out);

#endif
