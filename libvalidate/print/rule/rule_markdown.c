/*
 * rule_markdown.c - one rule and the rows of the spec that it cites, as Markdown.
 *
 * Source: CommonMark 0.30.
 */
#include "catalogue/log.h"
#include "print/rule/rule.h"

/* What has a meaning in Markdown, or in the HTML that may be in it. */
static void put_text(struct xds_out *out, struct xds_slice text)
{
    for (size_t i = 0; i < text.len; i++) {
        if (strchr("\\`*_<>[]#|", text.data[i]) && text.data[i] != '\0')
            xds_out_char(out, '\\');
        xds_out_raw(out, xds_slice_make(text.data + i, 1));
    }
}

static void put_words(struct xds_out *out, const char *text)
{
    put_text(out, xds_slice_of(text));
}

static void put_effect(struct xds_out *out, const struct xds_rule *rule)
{
    xds_out_text(out, "\n*");
    xds_out_rule_effect(out, rule);
    xds_out_text(out, "*\n");
    if (rule->crash) {
        xds_out_text(out, "\nKills ");
        put_words(out, rule->crash);
        xds_out_text(out, ".\n");
    }
}

static void put_row(struct xds_out *out, const struct xds_spec *row)
{
    struct xds_slice rest = xds_slice_of(xds_spec_text(row));
    const struct xds_slice when = xds_spec_value(row, "when");
    struct xds_spec_line line;

    xds_out_format(out, "- %s: `%.*s`", xds_spec_id(row),
                   XDS_FMT(xds_spec_value(row, "field")));
    if (when.len > 0) {
        xds_out_text(out, ", ");
        put_text(out, when);
    }
    xds_out_char(out, '\n');
    while (xds_spec_line_next(&rest, &line)) {
        if (!line.is_verdict)
            continue;
        xds_out_text(out, "  - ");
        put_text(out, line.key);
        xds_out_text(out, ": ");
        put_text(out, line.value);
        xds_out_char(out, '\n');
    }
}

static void put_spec(struct xds_out *out, const struct xds_spec *spec)
{
    if (xds_spec_kind(spec) == XDS_SPEC_ROW) {
        put_row(out, spec);
        return;
    }
    xds_out_format(out, "- %s: ", xds_spec_id(spec));
    put_words(out, xds_spec_title(spec));
    xds_out_char(out, '\n');
}

static void put_sources(struct xds_out *out, const struct xds_rule *rule)
{
    struct xds_citations citations = xds_citations_of(rule->source);
    struct xds_cited cited;

    xds_out_text(out, "\nSource: ");
    put_words(out, rule->source);
    xds_out_text(out, "\n\n");
    while (xds_cited_next(&citations, &cited))
        if (cited.grfc)
            xds_out_line(out, "- [gRFC A%u: %s](%s)", cited.grfc->number,
                         cited.grfc->title, cited.grfc->url);
        else
            put_spec(out, cited.spec);
}

/* In a block that none of its own lines ends: no case has four backticks. */
static void put_example(struct xds_out *out, const char *what,
                        const struct xds_example *example)
{
    struct xds_slice rest = xds_slice_of(example->input), line;

    if (*example->input == '\0')
        return;
    xds_out_line(out, "\n%s:\n\n````yaml", what);
    while (rest.len > 0) {
        rest = xds_slice_cut(rest, '\n', &line);
        xds_out_line(out, "%.*s", XDS_FMT(line));
    }
    xds_out_line(out, "````");
}

enum xds_status xds_print_rule_markdown(const struct xds_printer *to,
                                        const struct xds_rule *rule)
{
    struct xds_examples examples;
    struct xds_out out;

    xds_out_init(&out, to);
    xds_out_line(&out, "### %s\n", rule->slug);
    put_words(&out, rule->text);
    xds_out_char(&out, '\n');
    put_effect(&out, rule);
    if (rule->fix) {
        xds_out_text(&out, "\n**Fix:** ");
        put_words(&out, rule->fix);
        xds_out_char(&out, '\n');
    }
    put_sources(&out, rule);
    if (xds_examples_of(rule, &examples)) {
        put_example(&out, "Bad", &examples.bad);
        put_example(&out, "Good", &examples.good);
    }
    return xds_out_finish(&out);
}
