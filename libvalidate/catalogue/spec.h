/*
 * spec.h - what is known of gRPC's clients, as rows with ids.
 *
 * The source is the pages of man/spec: the manual pages xdscope-spec(7) and the table
 * here are made from it. Pages have sections, sections have text and rows.
 */
#ifndef XDS_CATALOGUE_SPEC_H
#define XDS_CATALOGUE_SPEC_H

#include "include/xdscope.h"

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
