/* statement.h - what the documents say, statement by statement, and who does so. */
#ifndef XDS_CATALOGUE_STATEMENT_H
#define XDS_CATALOGUE_STATEMENT_H

#include "catalogue/rule.h"
#include "catalogue/spec.h"

/* A testable statement of a document: a row of testdata/documents. */
struct xds_statement;

/* Those of a document in its order: the one after this, the first one after NULL; NULL
 * after the last one. */
const struct xds_statement *xds_statement_next(const struct xds_grfc *document,
                                               const struct xds_statement *statement);
const char *xds_statement_section(const struct xds_statement *statement);
unsigned xds_statement_line(const struct xds_statement *statement); /* of the document */
const char *xds_statement_text(const struct xds_statement *statement);
/* The facts of man/spec that it is about, as a source cites them; empty: none known. */
const char *xds_statement_facts(const struct xds_statement *statement);
/* Why no case holds it: "internal: a call attribute"; absent where one does. */
struct xds_slice xds_statement_reason(const struct xds_statement *statement);
/* The next case that holds it, below testdata; *rest begins as absent. False after the
 * last. */
bool xds_statement_case(const struct xds_statement *statement, struct xds_slice *rest,
                        struct xds_slice *out);
/* Is it about this row of the spec, or its section? */
bool xds_statement_is_about(const struct xds_statement *statement,
                            const struct xds_spec *row);

/* What its facts say of clients. */
struct xds_statement_links {
    size_t n;
    bool difference[XDS_DIFFERENCES];
    bool rule[XDS_RULES]; /* rules whose verdict clients decide */
};

void xds_statement_links(const struct xds_statement *statement,
                         struct xds_statement_links *out);

/* Releases of a client between which nothing changes: those from `from` up to and without
 * `end`, by the index of xds_known_release(). */
struct xds_statement_span {
    enum xds_client client;
    size_t from, end;
    bool is_oldest,
        is_newest; /* has the oldest, the newest known release of the client */
    bool does_so;  /* what the documents up to this one do */
};

/* The next span, the clients in their order, and of each the oldest first, of the
 * documents from the one of the statement on; *span begins zeroed. False after the last,
 * and without a link. */
bool xds_statement_span_next(const struct xds_statement *statement,
                             const struct xds_statement_links *links,
                             struct xds_statement_span *span);

#endif
