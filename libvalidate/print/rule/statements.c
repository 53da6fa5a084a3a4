/* statements.c - a document, statement by statement: what holds it, and who does so. */
#include "catalogue/statement.h"
#include "print/findings/findings.h"
#include "print/rule/rule.h"
#include "print/write/document.h"
#include "print/write/json.h"

static struct xds_release_text minor_at(size_t release)
{
    return xds_release_minor(*xds_known_release(release));
}

/* "core", "core since 1.60", "core before 1.60", "core 1.60 to 1.66". */
static void put_span(struct xds_out *out, const struct xds_statement_span *span)
{
    const bool is_one = span->from + 1 == span->end;

    xds_out_text(out, xds_client_name(span->client));
    if (span->is_oldest && span->is_newest)
        return;
    if (span->is_oldest)
        xds_out_format(out, " before %s", minor_at(span->end).text);
    else if (span->is_newest)
        xds_out_format(out, " since %s", minor_at(span->from).text);
    else
        xds_out_format(out, " %s%s%s", minor_at(span->from).text, is_one ? "" : " to ",
                       is_one ? "" : minor_at(span->end - 1).text);
}

static void put_who(struct xds_out *out, const char *words,
                    const struct xds_statement *statement,
                    const struct xds_statement_links *links, bool does_so)
{
    struct xds_statement_span span = {0};
    const char *before = words;

    while (xds_statement_span_next(statement, links, &span)) {
        if (span.does_so != does_so)
            continue;
        xds_out_format(out, before == words ? "        %s: " : "%s", before);
        put_span(out, &span);
        before = ", ";
    }
    if (before != words)
        xds_out_char(out, '\n');
}

static void put_links(struct xds_out *out, const struct xds_statement *statement)
{
    struct xds_statement_links links;

    xds_statement_links(statement, &links);
    put_who(out, "agree", statement, &links, true);
    put_who(out, "differ", statement, &links, false);
    for (unsigned i = 0; i < XDS_DIFFERENCES; i++)
        if (links.difference[i])
            xds_out_difference(out, 8, (enum xds_difference)i);
    for (unsigned i = 0; i < XDS_RULES; i++) {
        const struct xds_rule *rule = xds_rule_row((enum xds_rule_id)i);

        if (!links.rule[i])
            continue;
        xds_out_format(out, "        rule %s: ", rule->slug);
        xds_out_rule_verdicts(out, rule);
        xds_out_char(out, '\n');
    }
    if (*xds_statement_facts(statement))
        xds_out_line(out, "        facts: %s", xds_statement_facts(statement));
}

static void put_statement(struct xds_out *out, const struct xds_statement *statement)
{
    struct xds_slice rest = {NULL, 0}, path;
    const struct xds_slice reason = xds_statement_reason(statement);

    xds_out_format(out, "    line %u: ", xds_statement_line(statement));
    xds_out_styled(out, XDS_STYLE_BOLD, xds_statement_text(statement));
    xds_out_char(out, '\n');
    while (xds_statement_case(statement, &rest, &path))
        xds_out_line(out, "        case testdata/%.*s", XDS_FMT(path));
    if (reason.data)
        xds_out_line(out, "        no case, %.*s", XDS_FMT(reason));
    put_links(out, statement);
}

struct counts {
    unsigned all, held, linked;
};

static struct counts count(const struct xds_grfc *document)
{
    struct counts counts = {0};
    const struct xds_statement *at = NULL;

    while ((at = xds_statement_next(document, at))) {
        counts.all++;
        counts.held += xds_statement_reason(at).data == NULL;
        counts.linked += *xds_statement_facts(at) != '\0';
    }
    return counts;
}

enum xds_status xds_print_document(const struct xds_printer *to,
                                   const struct xds_grfc *document)
{
    const struct counts counts = count(document);
    const struct xds_statement *at = NULL;
    const char *section = "";
    struct xds_out out;

    xds_out_init(&out, to);
    xds_out_format(&out, "gRFC %s: %s\n    %s\n", document->name, document->title,
                   document->url);
    if (!to->quiet)
        xds_out_line(
            &out,
            "    %u statements, %u of them held by cases of --client grfc@%s\n"
            "    facts about clients are known of %u: those agree that have none of "
            "the differences listed",
            counts.all, counts.held, document->name, counts.linked);
    while ((at = xds_statement_next(document, at))) {
        if (strcmp(section, xds_statement_section(at)) != 0) {
            section = xds_statement_section(at);
            xds_out_char(&out, '\n');
            xds_out_styled(&out, XDS_STYLE_BOLD, section);
            xds_out_char(&out, '\n');
        }
        put_statement(&out, at);
    }
    return xds_out_finish(&out);
}

void xds_out_statements_of(struct xds_out *out, const struct xds_spec *row)
{
    const struct xds_grfc *document = NULL;

    while ((document = xds_document_next(document))) {
        const struct xds_statement *at = NULL;

        while ((at = xds_statement_next(document, at)))
            if (xds_statement_is_about(at, row))
                xds_out_line(out, "    gRFC %s, line %u: %s", document->name,
                             xds_statement_line(at), xds_statement_text(at));
    }
}

static void write_who(struct xds_out *out, const char *key,
                      const struct xds_statement *statement,
                      const struct xds_statement_links *links, bool does_so)
{
    struct xds_statement_span span = {0};

    xds_json_key_array(out, key);
    while (xds_statement_span_next(statement, links, &span))
        if (span.does_so == does_so)
            xds_json_object(out, "client: %s, from: %s, to: %s",
                            xds_client_name(span.client), minor_at(span.from).text,
                            minor_at(span.end - 1).text);
    xds_json_end_array(out);
}

static void write_facts(struct xds_out *out, const struct xds_statement *statement)
{
    struct xds_citations citations = xds_citations_of(xds_statement_facts(statement));
    struct xds_cited cited;

    xds_json_key_array(out, "facts");
    while (xds_cited_next(&citations, &cited))
        if (cited.spec)
            xds_json_text(out, xds_spec_id(cited.spec));
    xds_json_end_array(out);
}

static void write_statement(struct xds_out *out, const struct xds_statement *statement)
{
    struct xds_slice rest = {NULL, 0}, path;
    struct xds_statement_links links;

    xds_json_begin_row(out);
    xds_json_members(out, "section: %s, line: %u, text: %s",
                     xds_statement_section(statement), xds_statement_line(statement),
                     xds_statement_text(statement));
    xds_json_key_array(out, "cases");
    while (xds_statement_case(statement, &rest, &path)) {
        xds_json_begin_string(out);
        xds_json_part(out, XDS_S("testdata/"));
        xds_json_part(out, path);
        xds_json_end_string(out);
    }
    xds_json_end_array(out);
    xds_json_key_string_or_null(out, "no_case", xds_statement_reason(statement));
    xds_statement_links(statement, &links);
    write_who(out, "agree", statement, &links, true);
    write_who(out, "differ", statement, &links, false);
    xds_json_key_array(out, "differences");
    for (unsigned i = 0; i < XDS_DIFFERENCES; i++)
        if (links.difference[i])
            xds_json_difference(out, (enum xds_difference)i);
    xds_json_end_array(out);
    xds_json_key_array(out, "rules");
    for (unsigned i = 0; i < XDS_RULES; i++)
        if (links.rule[i])
            xds_json_text(out, xds_rule_row((enum xds_rule_id)i)->slug);
    xds_json_end_array(out);
    write_facts(out, statement);
    xds_json_end_object(out);
}

enum xds_status xds_print_document_json(const struct xds_printer *to,
                                        const struct xds_grfc *document)
{
    const struct xds_statement *at = NULL;
    struct xds_out out;

    xds_out_init(&out, to);
    xds_json_begin_document(&out);
    xds_json_tool(&out);
    xds_json_key_object(xds_json_line(&out), "document");
    xds_json_members(&out, "name: %s, title: %s, url: %s", document->name,
                     document->title, document->url);
    xds_json_key_array(&out, "statements");
    while ((at = xds_statement_next(document, at)))
        write_statement(&out, at);
    xds_json_end_array(&out);
    xds_json_end_object(&out);
    xds_json_end_document(&out);
    return xds_out_finish(&out);
}

void xds_json_statements_of(struct xds_out *out, const struct xds_spec *row)
{
    const struct xds_grfc *document = NULL;

    xds_json_key_array(out, "statements");
    while ((document = xds_document_next(document))) {
        const struct xds_statement *at = NULL;

        while ((at = xds_statement_next(document, at)))
            if (xds_statement_is_about(at, row))
                xds_json_object(out, "document: %s, line: %u, text: %s", document->name,
                                xds_statement_line(at), xds_statement_text(at));
    }
    xds_json_end_array(out);
}
