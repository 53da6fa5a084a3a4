/*
 * html.c - what the HTML reports are made of: the page around them, text, tables,
 * filters.
 *
 * page_assets.h, made from html.css and html.js, holds their lines and their hashes.
 * Source: HTML Living Standard 13.1.2 (attributes), 13.3 (escaping); CSP Level 3.
 */
#include "print/inner.h"

#include "page_assets.h"

/* ---- the page ---- */

static void write_lines(struct xds_out *out, const char *const *lines)
{
    for (; *lines; lines++)
        xds_out_text(out, *lines);
}

/* The policy allows this very style and script: neither a handler in an attribute nor
 * any other element can do anything, and nothing is loaded or sent. */
static void write_policy(struct xds_out *out, bool script)
{
    xds_out_text(out, "<meta http-equiv=\"Content-Security-Policy\" content=\""
                      "default-src 'none'; style-src '" PAGE_CSS_HASH "'; ");
    if (script)
        xds_out_text(out, "script-src '" PAGE_JS_HASH "'; ");
    xds_out_text(out, "base-uri 'none'; form-action 'none'\"/>\n");
}

void xds_html_begin(struct xds_out *out, const char *title, bool script)
{
    xds_out_text(out, "<!DOCTYPE html>\n"
                      "<html lang=\"en\">\n"
                      "<head>\n"
                      "<meta charset=\"utf-8\"/>\n");
    write_policy(out, script);
    xds_html_format(
        out,
        "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\"/>\n"
        "<meta name=\"color-scheme\" content=\"light dark\"/>\n"
        "<meta name=\"referrer\" content=\"no-referrer\"/>\n"
        "<title>%s</title>\n"
        "<style>",
        title);
    write_lines(out, page_css);
    xds_out_text(out, "</style>\n</head>\n<body>\n<main>\n");
}

void xds_html_end(struct xds_out *out, bool script)
{
    xds_html_format(out, "</main>\n<footer>xdscope %s</footer>\n", xds_version());
    if (script) {
        xds_out_text(out, "<script>");
        write_lines(out, page_js);
        xds_out_text(out, "</script>\n");
    }
    xds_out_text(out, "</body>\n</html>\n");
}

/* ---- text ---- */

/* Text that is fit for a terminal already. */
static bool write_escaped(void *user, const char *data, size_t len)
{
    struct xds_html_writer *w = user;
    size_t done = 0;

    for (size_t i = 0; i < len; i++) {
        const char *entity = data[i] == '\'' ? "&#39;" : xds_xml_entity(data[i]);

        if (!entity)
            continue;
        xds_out_raw(w->out, xds_slice_make(data + done, i - done));
        xds_out_text(w->out, entity);
        done = i + 1;
    }
    xds_out_raw(w->out, xds_slice_make(data + done, len - done));
    return !w->out->failed;
}

void xds_html_writer_init(struct xds_html_writer *writer, struct xds_out *out)
{
    *writer = (struct xds_html_writer){
        .to = {.write = write_escaped, .user = writer, .verbose = out->to->verbose},
        .out = out};
}

/* UTF-8 of characters that turn the direction of text, break lines or do not show. */
static const struct hidden {
    const char *lead;
    unsigned char first, last; /* of the last byte */
} hidden[] = {
    {"\xd8", 0x9c, 0x9c},     /* U+061C */
    {"\xe2\x80", 0x8b, 0x8f}, /* U+200B to U+200F */
    {"\xe2\x80", 0xa8, 0xae}, /* U+2028 to U+202E */
    {"\xe2\x81", 0xa0, 0xaf}, /* U+2060 to U+206F */
    {"\xef\xbb", 0xbf, 0xbf}, /* U+FEFF */
};

/* The length of the hidden character in front of s, or 0. */
static size_t hidden_length(struct xds_slice s)
{
    for (size_t i = 0; i < XDS_ARRAY_LEN(hidden); i++) {
        const struct xds_slice lead = xds_slice_of(hidden[i].lead);
        const size_t len = lead.len;

        if (s.len <= len || !xds_slice_starts(s, lead))
            continue;
        if ((unsigned char)s.data[len] >= hidden[i].first &&
            (unsigned char)s.data[len] <= hidden[i].last)
            return len + 1;
    }
    return 0;
}

static size_t length_before_hidden(struct xds_slice s)
{
    size_t n = 0;

    while (n < s.len &&
           ((unsigned char)s.data[n] < 0x80 || hidden_length(xds_slice_from(s, n)) == 0))
        n++;
    return n;
}

/* Printable ASCII without markup: nearly all text. */
static bool is_plain(struct xds_slice s)
{
    for (size_t i = 0; i < s.len; i++)
        if ((unsigned char)(s.data[i] - 0x20) >= 0x7f - 0x20 || s.data[i] == '\'' ||
            xds_xml_entity(s.data[i]))
            return false;
    return true;
}

void xds_html_text(struct xds_out *out, struct xds_slice s)
{
    struct xds_html_writer writer;
    struct xds_out inner;

    if (is_plain(s)) {
        xds_out_raw(out, s);
        return;
    }
    xds_html_writer_init(&writer, out);
    xds_out_init(&inner, &writer.to);
    while (s.len > 0) {
        const size_t n = length_before_hidden(s);

        xds_out_clean(&inner, xds_slice_make(s.data, n));
        s = xds_slice_from(s, n);
        if (s.len > 0)
            xds_out_text(&inner, "\xef\xbf\xbd");
        s = xds_slice_from(s, hidden_length(s));
    }
    out->failed |= xds_out_finish(&inner) != XDS_OK;
}

void xds_html_format(struct xds_out *out, const char *format, ...)
{
    va_list args;

    va_start(args, format);
    xds_out_vformat(out, xds_html_text, format, args);
    va_end(args);
}

void xds_html_attribute(struct xds_out *out, const char *name, struct xds_slice value)
{
    xds_html_format(out, " %s=\"%.*s\"", name, XDS_FMT(value));
}

void xds_html_code(struct xds_out *out, struct xds_slice s)
{
    xds_html_format(out, "<code>%.*s</code>", XDS_FMT(s));
}

/* ---- tables ---- */

static void write_class(struct xds_out *out, const char *kind)
{
    if (kind)
        xds_html_attribute(out, "class", xds_slice_of(kind));
}

void xds_html_table_begin(struct xds_html_table *table, struct xds_out *out,
                          const char *caption, const struct xds_html_column *columns,
                          size_t n)
{
    *table = (struct xds_html_table){.out = out, .columns = columns, .n = n};
    xds_html_format(
        out,
        "<div class=\"scroll\" tabindex=\"0\" role=\"region\" aria-label=\"%s\">\n"
        "<table>\n"
        "<thead><tr>",
        caption);
    for (size_t i = 0; i < n; i++) {
        xds_out_text(out, "<th scope=\"col\"");
        write_class(out, columns[i].kind);
        xds_html_format(out, ">%s</th>", columns[i].title);
    }
    xds_out_text(out, "</tr></thead>\n<tbody>\n");
}

static void end_cell(struct xds_html_table *table)
{
    if (table->at > 0)
        xds_out_text(table->out, table->at == 1 ? "</th>" : "</td>");
}

static void end_row(struct xds_html_table *table)
{
    end_cell(table);
    if (table->in_row)
        xds_out_text(table->out, "</tr>\n");
}

static void begin_row(struct xds_html_table *table)
{
    end_row(table);
    xds_out_text(table->out, "<tr");
    table->in_row = true;
    table->at = 0;
}

void xds_html_row(struct xds_html_table *table)
{
    begin_row(table);
    xds_out_char(table->out, '>');
}

void xds_html_item_row(struct xds_html_table *table, const char *name, const char *words)
{
    begin_row(table);
    xds_html_format(table->out, " data-item=\"\" data-%s=\"%s\">", name, words);
}

void xds_html_cell(struct xds_html_table *table, const char *kind)
{
    end_cell(table);
    xds_out_text(table->out, table->at == 0 ? "<th scope=\"row\"" : "<td");
    write_class(table->out, kind ? kind : table->columns[table->at].kind);
    xds_out_char(table->out, '>');
    table->at++;
}

void xds_html_table_end(struct xds_html_table *table)
{
    end_row(table);
    xds_out_text(table->out, "</tbody>\n</table>\n</div>\n");
}

/* ---- filters ---- */

/* Hidden until the script runs. */
void xds_html_filters_begin(struct xds_out *out, const char *what)
{
    xds_html_format(
        out,
        "<form class=\"filters\" aria-label=\"Filters\" hidden=\"\" data-what=\"%s\">\n",
        what);
}

void xds_html_filter_boxes(struct xds_out *out, const char *name, const char *label,
                           const struct xds_html_option *options, size_t n)
{
    xds_html_format(out, "<fieldset><legend>%s</legend>", label);
    for (size_t i = 0; i < n; i++) {
        xds_html_format(out,
                        "<label><input type=\"checkbox\" checked=\"\" name=\"%s\" "
                        "value=\"%s\"/> %s <span class=\"count\"></span></label>",
                        name, options[i].value, options[i].label);
    }
    xds_out_text(out, "</fieldset>\n");
}

void xds_html_filter_only(struct xds_out *out, const char *name,
                          struct xds_html_option option)
{
    xds_html_format(out,
                    "<label><input type=\"checkbox\" class=\"only\" name=\"%s\" "
                    "value=\"%s\"/> %s</label>\n",
                    name, option.value, option.label);
}

void xds_html_filter_list(struct xds_out *out, const char *name, const char *label,
                          const struct xds_html_option *options, size_t n)
{
    xds_html_format(out, "<label>%s <select name=\"%s\"><option value=\"\">any</option>",
                    label, name);
    for (size_t i = 0; i < n; i++) {
        xds_html_format(out, "<option value=\"%s\">%s</option>", options[i].value,
                        options[i].label);
    }
    xds_out_text(out, "</select></label>\n");
}

void xds_html_filters_end(struct xds_out *out)
{
    xds_out_text(out, "<label class=\"search\">Text <input type=\"search\" name=\"q\" "
                      "autocomplete=\"off\" spellcheck=\"false\"/></label>\n"
                      "<button type=\"reset\">Reset</button>\n"
                      "<output class=\"shown\" aria-live=\"polite\"></output>\n"
                      "</form>\n");
}

/* ---- sections of a text page ---- */

static struct xds_slice trim_end(struct xds_slice s)
{
    while (s.len > 0 && s.data[s.len - 1] == ' ')
        s.len--;
    return s;
}

static void write_id(struct xds_out *out, struct xds_slice heading)
{
    xds_out_text(out, "<div id=\"step-");
    for (size_t i = 0; i < heading.len; i++)
        xds_out_char(out, heading.data[i] == ' ' ? '-' : heading.data[i]);
    xds_out_text(out, "\">");
}

static void end_section(struct xds_html_steps *steps)
{
    if (*steps->heading != '\0')
        xds_out_text(steps->out, "</dd></div>\n");
}

static void begin_section(struct xds_html_steps *steps, struct xds_slice heading)
{
    if (xds_slice_is(heading, steps->heading))
        return;
    end_section(steps);
    memcpy(steps->heading, heading.data, heading.len);
    steps->heading[heading.len] = '\0';
    write_id(steps->out, heading);
    xds_html_format(steps->out, "<dt>%.*s</dt><dd>", XDS_FMT(heading));
}

/* The first columns of a line are known: a heading, or blanks. */
static void begin_text(struct xds_html_steps *steps)
{
    const struct xds_slice heading = trim_end(xds_slice_make(
        steps->start, steps->n < XDS_PAGE_TEXT ? steps->n : XDS_PAGE_TEXT));

    if (heading.len > 0)
        begin_section(steps, heading);
    xds_out_text(steps->out, "<p>");
    steps->in_text = true;
}

static void end_line(struct xds_html_steps *steps)
{
    if (!steps->in_text)
        begin_text(steps);
    xds_out_text(steps->out, "</p>");
    steps->in_text = false;
    steps->n = 0;
}

/* Up to the end of the line. */
static size_t write_step_text(struct xds_html_steps *steps, struct xds_slice s)
{
    const size_t len = xds_slice_find(s, '\n');

    xds_html_text(steps->out, xds_slice_make(s.data, len));
    return len;
}

static bool write_steps(void *user, const char *data, size_t len)
{
    struct xds_html_steps *steps = user;

    for (size_t i = 0; i < len;) {
        if (data[i] == '\n') {
            end_line(steps);
            i++;
        } else if (steps->in_text) {
            i += write_step_text(steps, xds_slice_make(data + i, len - i));
        } else {
            steps->start[steps->n++] = data[i++];
            if (steps->n == XDS_PAGE_TEXT)
                begin_text(steps);
        }
    }
    return !steps->out->failed;
}

void xds_html_steps_begin(struct xds_html_steps *steps, struct xds_out *out)
{
    *steps = (struct xds_html_steps){.out = out};
    steps->printer = (struct xds_printer){
        .write = write_steps, .user = steps, .verbose = out->to->verbose};
    xds_out_text(out, "<dl class=\"steps\">\n");
}

void xds_html_steps_end(struct xds_html_steps *steps)
{
    end_section(steps);
    xds_out_text(steps->out, "</dl>\n");
}
