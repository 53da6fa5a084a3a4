/* statement_test.c - the statements of the documents, and what they say of clients. */
#include <criterion/criterion.h>
#include <stdio.h>
#include <string.h>

#include "catalogue/statement.h"

Test(statement, facts_are_rows_of_the_spec_or_rules)
{
    const struct xds_grfc *document = NULL;

    while ((document = xds_document_next(document))) {
        const struct xds_statement *at = NULL;

        while ((at = xds_statement_next(document, at))) {
            struct xds_citations citations = xds_citations_of(xds_statement_facts(at));
            struct xds_citation citation;
            const char *hint;

            while (xds_citations_next(&citations, &citation))
                cr_expect(xds_spec_find(xds_slice_of(citation.spec), &hint) ||
                              xds_rule_find(xds_slice_of(citation.spec), &hint),
                          "%s, line %u: no row of man/spec: %s", document->name,
                          xds_statement_line(at), citation.spec);
        }
    }
}

static bool cites(const char *source, const struct xds_grfc *document)
{
    struct xds_citations citations = xds_citations_of(source);
    struct xds_citation citation;

    while (xds_citations_next(&citations, &citation))
        if (citation.grfc == document->number)
            return true;
    return false;
}

/* The tables are complete in the other direction too. */
Test(statement, each_difference_from_a_document_is_named_by_a_statement)
{
    bool cited[XDS_DIFFERENCES] = {false}, named[XDS_DIFFERENCES] = {false};
    const struct xds_grfc *document = NULL;

    while ((document = xds_document_next(document))) {
        const struct xds_statement *at = NULL;

        for (unsigned i = 0; i < XDS_DIFFERENCES; i++)
            cited[i] |=
                cites(xds_difference_row((enum xds_difference)i).source, document);
        while ((at = xds_statement_next(document, at))) {
            struct xds_statement_links links;

            xds_statement_links(at, &links);
            for (unsigned i = 0; i < XDS_DIFFERENCES; i++)
                named[i] |= links.difference[i];
        }
    }
    for (unsigned i = 0; i < XDS_DIFFERENCES; i++)
        cr_expect(named[i] || !cited[i], "no statement is about: %s",
                  xds_difference_row((enum xds_difference)i).text);
}

Test(statement, spans_have_each_release_once)
{
    const struct xds_grfc *document = NULL;

    while ((document = xds_document_next(document))) {
        const struct xds_statement *at = NULL;

        while ((at = xds_statement_next(document, at))) {
            struct xds_statement_span span = {0};
            struct xds_statement_links links;
            bool has_been[XDS_CLIENTS] = {false};

            xds_statement_links(at, &links);
            for (size_t end = 0; xds_statement_span_next(at, &links, &span);
                 end = span.end) {
                cr_assert(span.from < span.end);
                if (span.client != XDS_CLIENT_GRFC)
                    cr_expect_eq(span.from, end);
                has_been[span.client] = true;
                /* The document agrees with itself. */
                if (span.client == XDS_CLIENT_GRFC &&
                    xds_known_release(span.from)->release.minor == document->number)
                    cr_expect(span.does_so, "%s, line %u", document->name,
                              xds_statement_line(at));
            }
            for (enum xds_client c = 0; c < XDS_CLIENTS && links.n > 0; c++)
                cr_expect(has_been[c]);
        }
    }
}

Test(statement, verdicts_at_a_release_are_those_of_the_rows)
{
    const struct xds_client_release a30 = {XDS_CLIENT_GRFC, {1, 30, 0}},
                                    a36 = {XDS_CLIENT_GRFC, {1, 36, 0}},
                                    a27 = {XDS_CLIENT_GRFC, {1, 27, 0}},
                                    newest = {XDS_CLIENT_CORE, {1, 85, 0}};
    size_t n;

    (void)xds_rules(&n);
    for (size_t i = 0; i < n; i++)
        cr_expect_eq(
            xds_rule_verdict_at((enum xds_rule_id)i, &newest),
            xds_rule_verdict(xds_rule_row((enum xds_rule_id)i), XDS_CLIENT_CORE));
    cr_expect_eq(xds_rule_verdict_at(XDS_R_ROUTE_ACTION_UNSUPPORTED, &a30), XDS_NACK);
    cr_expect_eq(xds_rule_verdict_at(XDS_R_ROUTE_ACTION_UNSUPPORTED, &a36), XDS_ACCEPT);
    cr_expect_eq(xds_rule_verdict_at(XDS_R_ROUTE_MATCH_ABSENT, &a27), XDS_ACCEPT);
}
