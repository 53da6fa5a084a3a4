/*
 * texts.h - the texts of the spec, of the statements of the documents and of the examples
 * of rules, one after another without a pointer in them: mk/pack_texts.c has the values,
 * packed into the program, and spec.c unpacks them for the few commands that print them.
 */
#ifndef XDS_CATALOGUE_TEXTS_H
#define XDS_CATALOGUE_TEXTS_H

#include "catalogue/packed.h"

struct xds_example_texts {
#define XDS_EXAMPLE(slug, bad, bad_input, good, good_input)                              \
    XDS_PACKED_TEXT(s, slug)                                                             \
    XDS_PACKED_TEXT(b, bad)                                                              \
    XDS_PACKED_TEXT(c, bad_input) XDS_PACKED_TEXT(g, good) XDS_PACKED_TEXT(h, good_input)
#include "examples.inc"
#undef XDS_EXAMPLE
    char end[1]; /* the slug of no rule */
};

struct xds_spec_texts {
#define XDS_SPEC_ENTRY(kind, id, title, text)                                            \
    XDS_PACKED_TEXT(i, id) XDS_PACKED_TEXT(t, title) XDS_PACKED_TEXT(x, text)
#include "spec_rows.inc"
#undef XDS_SPEC_ENTRY
};

struct xds_statement_texts {
#define XDS_STATEMENT(grfc, line, section, text, held, facts)                            \
    XDS_PACKED_TEXT(s, section)                                                          \
    XDS_PACKED_TEXT(t, text) XDS_PACKED_TEXT(h, held) XDS_PACKED_TEXT(f, facts)
#include "statement_rows.inc"
#undef XDS_STATEMENT
};

struct xds_packed_texts {
    struct xds_example_texts examples;
    struct xds_spec_texts spec;
    struct xds_statement_texts statements;
};

const struct xds_packed_texts *xds_packed_texts(void);

#endif
