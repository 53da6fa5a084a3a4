/*
 * documents_test.c - what the rows of man/spec say of the documents is what grfc does:
 * where that is a verdict, the rules that cite the row have it; where it is anything else
 * of a document that is known statement by statement, a statement that a case holds is
 * about it.
 */
#include <criterion/criterion.h>
#include <stdio.h>
#include <string.h>

#include "base/ascii.h"
#include "catalogue/statement.h"

/* Rows that no rule or statement can answer for. */
static const struct {
    const char *row, *why;
} exceptions[] = {
    {"A-c", "failover of a nested aggregate is not played"},
    {"EA9", "its patterns have the rules of StringMatcher"},
    {"F5", "an Any that is absent has a rule of its own"},
    {"G59", "the rule that cites it is about duplicates"},
    {"L9", "the rules that cite it are node's, which reads more of it"},
    {"L22", "the rules inside the chain answer for it"},
    {"P8", "the rules that cite it are about its type and its content"},
    {"T3", "the rule that cites it is about having no certificate at all"},
    {"T10", "the rule that cites it is about having no CA at all"},
    {"W4", "a default of proto3, which no document says"},
    {"X-c", "of later documents"},
    {"cluster 5.2/5", "A37 before A61; the forms of the tree are those of A55 and A75"},
    {"cluster 9.5/1", "a text that the documents only refer to"},
    {"routing 2.7/2", "a verdict of R4; the row is about the RPC"},
    {"routing 14.2/7", "what the form of A28 cannot say, of later documents"},
    {"routing 14.2/8", "the documents do not say it; service-config decides"},
    {"routing 14.5/5", "an inconsistency of the text"},
    {"routing 14.5/6", "an inconsistency of the text"},
};

static bool is_excepted(const struct xds_spec *row)
{
    for (size_t i = 0; i < XDS_ARRAY_LEN(exceptions); i++)
        if (strcmp(exceptions[i].row, xds_spec_id(row)) == 0)
            return true;
    /* A summary of other rows. */
    return xds_slice_starts(xds_spec_value(row, "no rule"), XDS_S("repeats spec "));
}

static bool says(struct xds_slice text, const char *word)
{
    return xds_slice_starts(text, xds_slice_of(word));
}

/* "NACK", "accepted ...": a verdict at the beginning. */
static bool verdict_in(struct xds_slice text, enum xds_verdict *out)
{
    if (says(text, "NACK"))
        *out = XDS_NACK;
    else if (says(text, "accepted") || says(text, "allowed"))
        *out = XDS_ACCEPT;
    else if (says(text, "ignored"))
        *out = XDS_IGNORE;
    else if (says(text, "skip"))
        *out = XDS_SKIP;
    else
        return false;
    return true;
}

static bool cites(const struct xds_rule *rule, const struct xds_spec *row)
{
    struct xds_citations citations = xds_citations_of(rule->source);
    struct xds_cited cited;

    while (xds_cited_next(&citations, &cited))
        if (cited.spec == row)
            return true;
    return false;
}

/* What is accepted or ignored needs no rule. */
static bool rules_say(const struct xds_spec *row, enum xds_verdict verdict)
{
    const bool needs_none = verdict == XDS_ACCEPT || verdict == XDS_IGNORE;
    bool any = false;
    size_t n;
    const struct xds_rule *rules = xds_rules(&n);

    for (size_t i = 0; i < n; i++) {
        if (rules[i].effect == XDS_EFFECT_HYGIENE ||
            rules[i].effect == XDS_EFFECT_SYNTAX || !cites(&rules[i], row))
            continue;
        const enum xds_verdict said = xds_rule_verdict(&rules[i], XDS_CLIENT_GRFC);

        any = true;
        if (said == verdict || (needs_none && said <= XDS_IGNORE))
            return true;
    }
    return needs_none && !any;
}

static bool statement_holds(const struct xds_spec *row)
{
    const struct xds_grfc *document = NULL;

    while ((document = xds_document_next(document))) {
        const struct xds_statement *at = NULL;

        while ((at = xds_statement_next(document, at)))
            if (xds_statement_is_about(at, row) && !xds_statement_reason(at).data)
                return true;
    }
    return false;
}

/* Does a text name a document whose statements are known? */
static bool names_document(struct xds_slice text)
{
    const struct xds_grfc *document = NULL;

    while ((document = xds_document_next(document))) {
        const struct xds_slice name = xds_slice_of(document->name);

        for (size_t i = 0; i + name.len <= text.len; i++)
            if (xds_slice_starts(xds_slice_from(text, i), name) &&
                (i + name.len == text.len || !xds_ascii_digit(text.data[i + name.len])))
                return true;
    }
    return false;
}

Test(documents, rows_say_of_them_what_grfc_does)
{
    const struct xds_spec *row = NULL;
    size_t verdicts = 0, others = 0;

    while ((row = xds_spec_next(row))) {
        enum xds_verdict verdict;

        if (xds_spec_kind(row) != XDS_SPEC_ROW || is_excepted(row))
            continue;
        const struct xds_slice text = xds_spec_verdict(row, "documents");

        if (!text.data || says(text, "silent") || says(text, "say nothing"))
            continue;
        if (verdict_in(text, &verdict)) {
            cr_expect(rules_say(row, verdict),
                      "%s: the documents: %.*s; no rule that cites it says so of grfc",
                      xds_spec_id(row), XDS_FMT(text));
            verdicts++;
        } else if (names_document(text) || names_document(xds_spec_value(row, "from"))) {
            cr_expect(statement_holds(row),
                      "%s: the documents: %.*s; no statement with a case is about it",
                      xds_spec_id(row), XDS_FMT(text));
            others++;
        }
    }
    cr_expect(verdicts > 100 && others > 50, "%zu verdicts, %zu others", verdicts,
              others);
}

Test(documents, exceptions_are_needed)
{
    for (size_t i = 0; i < XDS_ARRAY_LEN(exceptions); i++) {
        const char *hint;
        const struct xds_spec *row =
            xds_spec_find(xds_slice_of(exceptions[i].row), &hint);
        enum xds_verdict verdict;

        cr_assert_not_null(row, "%s", exceptions[i].row);
        const struct xds_slice text = xds_spec_verdict(row, "documents");

        cr_expect_not(verdict_in(text, &verdict) ? rules_say(row, verdict)
                                                 : statement_holds(row),
                      "%s: %s", exceptions[i].row, exceptions[i].why);
    }
}

/* Where a later document overrules one, a row that its statement is about names both. */
static bool row_names(const struct xds_statement *statement, unsigned grfc)
{
    struct xds_citations citations = xds_citations_of(xds_statement_facts(statement));
    struct xds_cited cited;
    char name[16];

    (void)snprintf(name, sizeof name, "A%u", grfc);
    while (xds_cited_next(&citations, &cited)) {
        if (!cited.spec)
            continue;
        const char *text = xds_spec_text(cited.spec);

        if (strstr(text, name))
            return true;
    }
    return false;
}

Test(documents, rows_name_the_document_that_overrules)
{
    const struct xds_grfc *document = NULL;
    size_t overruled = 0;

    while ((document = xds_document_next(document))) {
        const struct xds_statement *at = NULL;

        while ((at = xds_statement_next(document, at))) {
            struct xds_statement_span span = {0};
            struct xds_statement_links links;

            xds_statement_links(at, &links);
            while (xds_statement_span_next(at, &links, &span)) {
                if (span.client != XDS_CLIENT_GRFC || span.does_so)
                    continue;
                const unsigned by = xds_known_release(span.from)->release.minor;

                overruled++;
                cr_expect(
                    row_names(at, by),
                    "%s, line %u: A%u overrules it, and no row of its facts says so",
                    document->name, xds_statement_line(at), by);
            }
        }
    }
    cr_expect(overruled > 0);
}
