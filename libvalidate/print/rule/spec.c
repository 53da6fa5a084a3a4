/* spec.c - rows of the spec, in full and beside the rules that cite them. */
#include "catalogue/spec.h"
#include "print/findings/findings.h"
#include "print/rule/rule.h"
#include "print/write/document.h"
#include "print/write/json.h"

enum { COLUMNS = 100 };

/* Text from column `indent` on; where it goes on, in column `further`. */
static void put_wrapped(struct xds_out *out, size_t indent, size_t further,
                        struct xds_slice text)
{
    struct xds_slice word;
    size_t column = indent;
    bool is_first = true; /* on its line */

    xds_out_format(out, "%*s", (int)indent, "");
    while (text.data) {
        text = xds_slice_cut(text, ' ', &word);
        if (!is_first && column + 1 + word.len > COLUMNS) {
            xds_out_format(out, "\n%*s", (int)further, "");
            column = further;
        } else if (!is_first) {
            xds_out_char(out, ' ');
            column++;
        }
        xds_out_raw(out, word);
        column += word.len;
        is_first = false;
    }
    xds_out_char(out, '\n');
}

static void put_line(struct xds_out *out, size_t indent, const struct xds_spec_line *line)
{
    const char *end = line->value.data + line->value.len;

    put_wrapped(out, indent, indent + 4,
                xds_slice_make(line->key.data, (size_t)(end - line->key.data)));
}

void xds_out_spec_short(struct xds_out *out, const struct xds_spec *spec)
{
    struct xds_slice rest = xds_slice_of(xds_spec_text(spec));
    struct xds_spec_line line;

    if (xds_spec_kind(spec) != XDS_SPEC_ROW) {
        xds_out_line(out, "    spec %s: %s", xds_spec_id(spec), xds_spec_title(spec));
        return;
    }
    const struct xds_slice field = xds_spec_value(spec, "field");
    const struct xds_slice when = xds_spec_value(spec, "when");

    xds_out_line(out, "    spec %s: %.*s%s%.*s", xds_spec_id(spec), XDS_FMT(field),
                 when.len > 0 ? ": " : "", XDS_FMT(when));
    while (xds_spec_line_next(&rest, &line))
        if (line.is_verdict)
            put_line(out, 8, &line);
}

static bool cites(const struct xds_rule *rule, const struct xds_spec *row)
{
    struct xds_citations citations = xds_citations_of(rule->source);
    struct xds_citation citation;

    while (xds_citations_next(&citations, &citation))
        if (strcmp(citation.spec, xds_spec_id(row)) == 0)
            return true;
    return false;
}

static void put_heading(struct xds_out *out, const struct xds_spec *spec)
{
    xds_out_styled(out, XDS_STYLE_BOLD, xds_spec_id(spec));
    if (*xds_spec_title(spec))
        xds_out_format(out, ": %s", xds_spec_title(spec));
    xds_out_char(out, '\n');
}

/* The heading, and the lines of a row or section. */
static void put_lines(struct xds_out *out, const struct xds_spec *spec)
{
    struct xds_slice rest = xds_slice_of(xds_spec_text(spec));
    struct xds_spec_line line;

    put_heading(out, spec);
    while (xds_spec_line_next(&rest, &line))
        put_line(out, 4, &line);
}

static void put_row(struct xds_out *out, const struct xds_spec *row)
{
    put_lines(out, row);
    const char *before = "    rules: ";
    size_t n;
    const struct xds_rule *rules = xds_rules(&n);

    for (size_t i = 0; i < n; i++) {
        if (!cites(&rules[i], row))
            continue;
        xds_out_format(out, "%s%s", before, rules[i].slug);
        before = ", ";
    }
    if (*before == ',')
        xds_out_char(out, '\n');
    xds_out_statements_of(out, row);
}

static void put_text(struct xds_out *out, const struct xds_spec *text)
{
    struct xds_slice rest = xds_slice_of(xds_spec_text(text)), line;

    while (rest.data) {
        rest = xds_slice_cut(rest, '\n', &line);
        if (xds_slice_starts(line, XDS_S("  "))) {
            xds_out_text(out, "  ");
            xds_out_raw(out, line);
            xds_out_char(out, '\n');
        } else {
            put_wrapped(out, 0, 0, line);
        }
    }
}

enum xds_status xds_print_spec(const struct xds_printer *to, const struct xds_spec *spec)
{
    struct xds_out out;

    xds_out_init(&out, to);
    switch (xds_spec_kind(spec)) {
    case XDS_SPEC_PAGE:
        put_heading(&out, spec);
        put_wrapped(&out, 0, 0, xds_slice_of(xds_spec_text(spec)));
        for (const struct xds_spec *at = xds_spec_next(spec);
             at && xds_spec_kind(at) != XDS_SPEC_PAGE; at = xds_spec_next(at)) {
            if (xds_spec_kind(at) != XDS_SPEC_SECTION)
                continue;
            xds_out_text(&out, "    ");
            put_heading(&out, at);
        }
        break;
    case XDS_SPEC_SECTION:
        put_lines(&out, spec);
        for (const struct xds_spec *at = xds_spec_next(spec);
             at && xds_spec_kind(at) >= XDS_SPEC_TEXT; at = xds_spec_next(at)) {
            xds_out_char(&out, '\n');
            if (xds_spec_kind(at) == XDS_SPEC_ROW)
                put_row(&out, at);
            else
                put_text(&out, at);
        }
        break;
    case XDS_SPEC_ROW:
        put_row(&out, spec);
        break;
    case XDS_SPEC_TEXT: /* has no id to find it by */
        put_text(&out, spec);
        break;
    }
    return xds_out_finish(&out);
}

static void put_verdicts(struct xds_out *out, const struct xds_spec *row)
{
    xds_json_key_object(out, "clients");
    for (enum xds_client c = 0; c < XDS_CLIENTS; c++) {
        const char *name = c == XDS_CLIENT_GRFC ? "documents" : xds_client_name(c);
        const struct xds_slice value = xds_spec_verdict(row, name);

        if (!value.data)
            continue;
        xds_json_key_string(out, name, value);
    }
    xds_json_end_object(out);
}

static void write_row(struct xds_out *out, const struct xds_spec *row)
{
    struct xds_slice rest = xds_slice_of(xds_spec_text(row));
    struct xds_spec_line line;
    bool done = false;

    xds_json_members(out, "id: %s, section: %s", xds_spec_id(row),
                     xds_spec_id(xds_spec_in(row, XDS_SPEC_SECTION)));
    while (xds_spec_line_next(&rest, &line)) {
        if (!line.is_verdict) {
            char name[24];
            const size_t n = line.key.len < sizeof name ? line.key.len : sizeof name - 1;

            for (size_t i = 0; i < n; i++)
                name[i] = (char)(line.key.data[i] == ' ' ? '_' : line.key.data[i]);
            name[n] = '\0';
            xds_json_key(out, name);
            xds_json_string(out, line.value);
        } else if (!done) {
            put_verdicts(out, row);
            done = true;
        }
    }
}

void xds_json_spec_short(struct xds_out *out, const struct xds_spec *spec)
{
    xds_json_begin_object(out);
    if (xds_spec_kind(spec) == XDS_SPEC_ROW) {
        write_row(out, spec);
    } else {
        xds_json_members(out, "id: %s, title: %s", xds_spec_id(spec),
                         xds_spec_title(spec));
    }
    xds_json_end_object(out);
}

static void write_spec(struct xds_out *out, const struct xds_spec *spec)
{
    xds_json_begin_row(out);
    if (xds_spec_kind(spec) == XDS_SPEC_PAGE) {
        xds_json_members(out, "id: %s, title: %s, about: %s", xds_spec_id(spec),
                         xds_spec_title(spec), xds_spec_text(spec));
        xds_json_key_array(out, "sections");
        for (const struct xds_spec *at = xds_spec_next(spec);
             at && xds_spec_kind(at) != XDS_SPEC_PAGE; at = xds_spec_next(at))
            if (xds_spec_kind(at) == XDS_SPEC_SECTION)
                write_spec(out, at);
        xds_json_end_array(out);
    } else if (xds_spec_kind(spec) == XDS_SPEC_SECTION) {
        xds_json_members(out, "id: %s, page: %s, title: %s, source: %.*s",
                         xds_spec_id(spec), xds_spec_id(xds_spec_in(spec, XDS_SPEC_PAGE)),
                         xds_spec_title(spec),
                         XDS_FMT_OR_NULL(xds_spec_value(spec, "source")));
        xds_json_key_array(out, "text");
        for (const struct xds_spec *at = xds_spec_next(spec);
             at && xds_spec_kind(at) >= XDS_SPEC_TEXT; at = xds_spec_next(at))
            if (xds_spec_kind(at) == XDS_SPEC_TEXT)
                xds_json_text(out, xds_spec_text(at));
        xds_json_end_array(out);
        xds_json_key_array(out, "rows");
        for (const struct xds_spec *at = xds_spec_next(spec);
             at && xds_spec_kind(at) >= XDS_SPEC_TEXT; at = xds_spec_next(at))
            if (xds_spec_kind(at) == XDS_SPEC_ROW)
                write_spec(out, at);
        xds_json_end_array(out);
    } else {
        write_row(out, spec);
        xds_json_statements_of(out, spec);
    }
    xds_json_end_object(out);
}

enum xds_status xds_print_spec_json(const struct xds_printer *to,
                                    const struct xds_spec *spec)
{
    struct xds_out out;

    xds_out_init(&out, to);
    xds_json_begin_document(&out);
    xds_json_tool(&out);
    xds_json_key_array(xds_json_line(&out), "spec");
    write_spec(&out, spec);
    xds_json_end_array(&out);
    xds_json_end_document(&out);
    return xds_out_finish(&out);
}
