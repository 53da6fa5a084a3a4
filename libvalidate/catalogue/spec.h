/* spec.h - what rules cite: rows of the spec and gRFCs; and the examples of a rule. */
#ifndef XDS_CATALOGUE_SPEC_H
#define XDS_CATALOGUE_SPEC_H

#include "base/slice.h"
#include "include/xdscope.h"

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

#define XDS_GRFC_REPOSITORY "https://github.com/grpc/proposal"

struct xds_grfc {
    unsigned number;
    const char *name; /* "A75" */
    const char *title;
    const char *url;
};

/* NULL when the table does not have it. */
const struct xds_grfc *xds_grfc_find(unsigned number);
/* The one after this, in the order of their numbers; the first one after NULL. */
const struct xds_grfc *xds_grfc_next(const struct xds_grfc *grfc);
/* The first one that a source cites; NULL when it cites none. */
const struct xds_grfc *xds_grfc_of(const char *source);

/* What a source cites that the tables have: one of both is NULL. */
struct xds_cited {
    const struct xds_grfc *grfc;
    const struct xds_spec *spec;
};

/* False after the last one. */
bool xds_cited_next(struct xds_citations *of, struct xds_cited *out);

/* They are taken from testdata/rules by mk/examples.awk when the program is built. */

struct xds_example {
    const char *path;  /* of the case, from the root of the repository; empty: none */
    const char *input; /* lines; empty: too long to show, or not text */
};

struct xds_examples {
    struct xds_example bad, good;
};

/* False when the rule has no cases. */
bool xds_examples_of(const struct xds_rule *rule, struct xds_examples *out);

/* The source is the pages of man/spec: the manual pages xdscope-spec(7) and the table
 * here are made from it. Pages have sections, sections have text and rows. */

enum xds_spec_kind { XDS_SPEC_PAGE, XDS_SPEC_SECTION, XDS_SPEC_TEXT, XDS_SPEC_ROW };

enum xds_spec_kind xds_spec_kind(const struct xds_spec *spec);
/* "cluster", "cluster 1.4", "cluster 1.4/5"; empty of a text. */
const char *xds_spec_id(const struct xds_spec *spec);
/* Of pages and sections, else empty. */
const char *xds_spec_title(const struct xds_spec *spec);
/* Of a page what it is about; of a section (its sources, or nothing) and of a row a
 * line "key: value" for each key; of a text one line, or lines that begin with two
 * blanks and are not to be broken. */
const char *xds_spec_text(const struct xds_spec *spec);

/* The entry after this one, the first one after NULL; NULL after the last one. */
const struct xds_spec *xds_spec_next(const struct xds_spec *spec);
/* The entry of a kind that a row or a section is in. */
const struct xds_spec *xds_spec_in(const struct xds_spec *spec, enum xds_spec_kind kind);

/* "core, go: NACK": a line of a row or section. */
struct xds_spec_line {
    struct xds_slice key, value;
    bool is_verdict; /* what clients do; the key names them */
};

/* False after the last one; *rest begins as the text. */
bool xds_spec_line_next(struct xds_slice *rest, struct xds_spec_line *out);
/* The value of a key of a row or section; absent when it has none. */
struct xds_slice xds_spec_value(const struct xds_spec *row, const char *key);
/* What a row says of "core", "go", "java", "node" or "documents"; absent when it is
 * silent.
 */
struct xds_slice xds_spec_verdict(const struct xds_spec *row, const char *client);

#endif
