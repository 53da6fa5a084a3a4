/* statement.c - what the documents say, statement by statement, and who does so. */
#include "catalogue/statement.h"

#include <stddef.h>
#include <string.h>

#include "base/text.h"
#include "catalogue/texts.h"

struct xds_statement {
    unsigned short grfc, line;
    uint32_t section, text, held, facts; /* where in the texts */
};

static const struct xds_statement statements[] = {
#define XDS_STATEMENT(grfc, line, section, text, held, facts)                            \
    {grfc,                                                                               \
     line,                                                                               \
     XDS_PACKED_AT(struct xds_statement_texts, s),                                       \
     XDS_PACKED_AT(struct xds_statement_texts, t),                                       \
     XDS_PACKED_AT(struct xds_statement_texts, h),                                       \
     XDS_PACKED_AT(struct xds_statement_texts, f)},
#include "statement_rows.inc"
#undef XDS_STATEMENT
};

static const char *text_at(uint32_t at)
{
    return (const char *)&xds_packed_texts()->statements + at;
}

const struct xds_statement *xds_statement_next(const struct xds_grfc *document,
                                               const struct xds_statement *statement)
{
    statement = statement ? statement + 1 : statements;
    for (; statement < statements + XDS_ARRAY_LEN(statements); statement++)
        if (statement->grfc == document->number)
            return statement;
    return NULL;
}

const char *xds_statement_section(const struct xds_statement *statement)
{
    return text_at(statement->section);
}

unsigned xds_statement_line(const struct xds_statement *statement)
{
    return statement->line;
}

const char *xds_statement_text(const struct xds_statement *statement)
{
    return text_at(statement->text);
}

const char *xds_statement_facts(const struct xds_statement *statement)
{
    return text_at(statement->facts);
}

struct xds_slice xds_statement_reason(const struct xds_statement *statement)
{
    struct xds_slice held = xds_slice_of(text_at(statement->held));

    return xds_slice_take(&held, "- ") ? held : (struct xds_slice){NULL, 0};
}

bool xds_statement_case(const struct xds_statement *statement, struct xds_slice *rest,
                        struct xds_slice *out)
{
    if (!rest->data) {
        *rest = xds_slice_of(text_at(statement->held));
        if (xds_statement_reason(statement).data)
            rest->len = 0;
    }
    if (rest->len == 0)
        return false;
    const struct xds_slice all = *rest;

    *rest = xds_slice_cut(all, ' ', out);
    if (!rest->data)
        *rest = xds_slice_from(all, all.len);
    return true;
}

const struct xds_grfc *xds_document_find(struct xds_slice name, const char **hint)
{
    struct xds_nearest nearest = xds_nearest_to(name);
    const struct xds_grfc *document = NULL;
    struct xds_slice number = name;

    *hint = NULL;
    (void)xds_slice_take(&number, "gRFC ");
    if (number.len > 0 && (*number.data == 'A' || *number.data == 'a'))
        number = xds_slice_from(number, 1);
    while ((document = xds_document_next(document))) {
        const char *known = document->name;

        if (xds_slice_is(number, known + 1))
            return document;
        xds_nearest_offer(&nearest, known);
    }
    *hint = nearest.best;
    return NULL;
}

const struct xds_grfc *xds_document_next(const struct xds_grfc *document)
{
    while ((document = xds_grfc_next(document)))
        if (xds_statement_next(document, NULL))
            return document;
    return NULL;
}

const char *xds_document_name(const struct xds_grfc *document)
{
    return document->name;
}

/* ---- who does so ---- */

bool xds_statement_is_about(const struct xds_statement *statement,
                            const struct xds_spec *row)
{
    struct xds_citations citations = xds_citations_of(xds_statement_facts(statement));
    struct xds_cited cited;

    while (xds_cited_next(&citations, &cited))
        if (cited.spec == row)
            return true;
    return false;
}

/* Facts name rows of the spec, and rules that cite none. */
static bool names_rule(const char *facts, const char *slug)
{
    struct xds_citations citations = xds_citations_of(facts);
    struct xds_citation citation;

    while (xds_citations_next(&citations, &citation))
        if (strcmp(citation.spec, slug) == 0)
            return true;
    return false;
}

void xds_statement_links(const struct xds_statement *statement,
                         struct xds_statement_links *out)
{
    const char *facts = xds_statement_facts(statement);

    *out = (struct xds_statement_links){0};
    if (*facts == '\0')
        return;
    for (unsigned i = 0; i < XDS_DIFFERENCES; i++) {
        const struct xds_difference_row row = xds_difference_row((enum xds_difference)i);

        out->difference[i] = xds_citations_meet(facts, row.source);
        out->n += out->difference[i];
    }
    for (unsigned i = 0; i < XDS_RULES; i++) {
        const struct xds_rule *rule = xds_rule_row((enum xds_rule_id)i);

        out->rule[i] =
            rule->effect != XDS_EFFECT_HYGIENE && rule->effect != XDS_EFFECT_SYNTAX &&
            (xds_citations_meet(facts, rule->source) || names_rule(facts, rule->slug));
        out->n += out->rule[i];
    }
}

/* Does a reader do the same as the documents up to the one of the statement? */
static bool does_so(const struct xds_statement *statement,
                    const struct xds_statement_links *links,
                    const struct xds_client_release *reader)
{
    const struct xds_client_release document = {XDS_CLIENT_GRFC, {1, statement->grfc, 0}};

    for (unsigned i = 0; i < XDS_DIFFERENCES; i++) {
        const enum xds_difference difference = (enum xds_difference)i;

        if (links->difference[i] && xds_release_differs(reader, difference) !=
                                        xds_release_differs(&document, difference))
            return false;
    }
    for (unsigned i = 0; i < XDS_RULES; i++) {
        const enum xds_rule_id rule = (enum xds_rule_id)i;

        if (links->rule[i] &&
            xds_rule_verdict_at(rule, reader) != xds_rule_verdict_at(rule, &document))
            return false;
    }
    return true;
}

bool xds_statement_span_next(const struct xds_statement *statement,
                             const struct xds_statement_links *links,
                             struct xds_statement_span *span)
{
    size_t from = span->end, n;

    /* Documents before this one cannot overrule it. */
    while (from < XDS_RELEASES && xds_known_release(from)->client == XDS_CLIENT_GRFC &&
           xds_known_release(from)->release.minor < statement->grfc)
        from++;
    if (links->n == 0 || from == XDS_RELEASES)
        return false;
    const struct xds_client_release *first = xds_known_release(from);
    const size_t oldest = xds_known_releases(first->client, &n);

    *span = (struct xds_statement_span){
        .client = first->client,
        .from = from,
        .end = from + 1,
        .is_oldest = from == oldest,
        .does_so = does_so(statement, links, first),
    };
    while (span->end < oldest + n &&
           does_so(statement, links, xds_known_release(span->end)) == span->does_so)
        span->end++;
    span->is_newest = span->end == oldest + n;
    return true;
}
