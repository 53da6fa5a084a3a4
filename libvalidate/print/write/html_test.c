/* html_test.c - no text of the input becomes markup, and tables are whole. */
#include <criterion/criterion.h>

#include "print/write/document.h"
#include "print/write/markup.h"

static char text[65536];
static size_t text_len;

static bool write_text(void *user, const char *data, size_t len)
{
    (void)user;
    cr_assert_lt(text_len + len, sizeof text);
    memcpy(text + text_len, data, len);
    text_len += len;
    return true;
}

static const struct xds_printer printer = {.write = write_text};
static struct xds_out out;

static void start(void)
{
    text_len = 0;
    xds_out_init(&out, &printer);
}

static const char *finish(void)
{
    cr_expect_eq(xds_out_finish(&out), XDS_OK);
    text[text_len] = '\0';
    return text;
}

static const struct {
    const char *in, *shown;
} texts[] = {
    {"", ""},
    {"plain", "plain"},
    {"<b>&amp;</b>", "&lt;b&gt;&amp;amp;&lt;/b&gt;"},
    {"</script><!--]]>", "&lt;/script&gt;&lt;!--]]&gt;"},
    {"\" onload='x'", "&quot; onload=&#39;x&#39;"},
    {"a\nb\tc\x1b[31m", "a\\nb\\tc\\x1b[31m"},
    {"\xc3\xbc \xe6\xbc\xa2", "\xc3\xbc \xe6\xbc\xa2"},
    {"\xff\xc3", "\\xff\\xc3"},
    {"a\xe2\x80\xa8z", "a\\u2028z"},                /* U+2028 */
    {"\xe2\x80\xae!", "\\u202e!"},                  /* U+202E */
    {"\xe2\x81\xa6\xe2\x81\xa9", "\\u2066\\u2069"}, /* U+2066, U+2069 */
    {"\xd8\x9c", "\\u061c"},                        /* U+061C */
    {"\xef\xbb\xbf", "\\ufeff"},                    /* U+FEFF */
    {"\xe2\x80\x93 \xe2\x80",
     "\xe2\x80\x93 \\xe2\\x80"}, /* a dash, and half a character */
};

Test(html, text_is_never_markup)
{
    for (size_t i = 0; i < XDS_ARRAY_LEN(texts); i++) {
        start();
        xds_html_text(&out, xds_slice_of(texts[i].in));
        cr_expect_str_eq(finish(), texts[i].shown);
    }
}

Test(html, an_attribute_stays_within_its_quotes)
{
    start();
    xds_html_attribute(&out, "title", XDS_S("a\" onclick=\"b>"));
    cr_expect_str_eq(finish(), " title=\"a&quot; onclick=&quot;b&gt;\"");
}

Test(html, absent_text_is_empty)
{
    start();
    xds_html_code(&out, (struct xds_slice){NULL, 0});
    cr_expect_str_eq(finish(), "<code></code>");
}

Test(html, the_policy_names_the_hashes_and_forbids_the_rest)
{
    start();
    xds_html_begin(&out, "a <title>");
    xds_html_end(&out);
    cr_expect(strstr(finish(), "content=\"default-src 'none'; style-src 'sha256-"));
    cr_expect(strstr(text, "=\'; script-src 'sha256-"));
    cr_expect(strstr(text, "=\'; base-uri 'none'; form-action 'none'\""));
    cr_expect(strstr(text, "<title>xdscope a &lt;title&gt;</title>"));
}

/* ---- documents ---- */

static const struct xds_column columns[] = {{"Name", "name"}, {"N", "number"}};
static const struct xds_table table = {"What", columns, XDS_ARRAY_LEN(columns), NULL};

/* What of a page is between the style and the end. */
static const char *page_of(void (*write)(struct xds_out *to))
{
    struct xds_out inner;
    struct xds_doc doc;

    start();
    xds_doc_init(&doc, out.to);
    xds_out_init(&inner, &doc.printer);
    write(&inner);
    cr_assert_eq(xds_doc_finish(&doc, xds_out_finish(&inner)), XDS_OK);
    text[text_len] = '\0';
    return text;
}

static void write_table(struct xds_out *to)
{
    for (size_t i = 0; i < 2; i++) {
        xds_doc_row(to, &table, NULL);
        xds_doc_cell(to, "not in a page");
        xds_out_clean(to, XDS_S("<"));
        xds_doc_cell(to, "");
        xds_out_line(to, "%zu", i);
    }
}

Test(html, a_table_ends_its_cells_and_rows)
{
    cr_expect_str_eq(
        page_of(write_table),
        "<div class=\"scroll\" tabindex=\"0\" role=\"region\" aria-label=\"What\">\n"
        "<table>\n<thead><tr><th scope=\"col\">Name</th>"
        "<th scope=\"col\" class=\"number\">N</th></tr></thead>\n<tbody>\n"
        "<tr><th scope=\"row\">&lt;</th><td class=\"number\">0</td></tr>\n"
        "<tr><th scope=\"row\">&lt;</th><td class=\"number\">1</td></tr>\n"
        "</tbody>\n</table>\n</div>\n");
}

static void write_topics(struct xds_out *to)
{
    xds_page_line(to, "virtual host", "a <b>");
    xds_page_line(to, NULL, "more");
    xds_page_line(to, "note", "one");
    xds_page_line(to, "note", "two");
    xds_out_line(to, "end");
}

Test(html, lines_of_one_topic_are_together)
{
    cr_expect_str_eq(page_of(write_topics),
                     "<dl class=\"steps\">\n"
                     "<div id=\"step-virtual-host\"><dt>virtual host</dt><dd>\n"
                     "<p>a &lt;b&gt;</p>\n<p>more</p>\n</dd></div>\n"
                     "<div id=\"step-note\"><dt>note</dt><dd>\n"
                     "<p>one</p>\n<p>two</p>\n</dd></div>\n</dl>\n"
                     "<p>end</p>\n");
}

static void write_outline(struct xds_out *to)
{
    const char *lines = "a\n  b\n    c\n    d\n  e\nf\n\n  g\n";

    for (; *lines; lines++) { /* in the smallest pieces */
        xds_out_char(to, *lines);
        xds_out_flush(to);
    }
}

Test(html, indentation_is_depth)
{
    cr_expect_str_eq(
        page_of(write_outline),
        "<p>a</p>\n\n<ul class=\"lines\"><li>b\n<ul class=\"lines\"><li>c</li>\n"
        "<li>d</li></ul>\n</li>\n<li>e</li></ul>\n<p>f</p>\n<p>g</p>\n");
}

static void write_deep(struct xds_out *to)
{
    for (int depth = 0; depth < 40; depth++)
        xds_out_line(to, "%*s-", depth, "");
}

Test(html, an_outline_is_cut_where_it_is_too_deep)
{
    size_t begun = 0, ended = 0;

    page_of(write_deep);
    for (const char *at = text; (at = strstr(at, "<ul")); at++)
        begun++;
    for (const char *at = text; (at = strstr(at, "</ul>")); at++)
        ended++;
    cr_expect_eq(begun, 32);
    cr_expect_eq(ended, begun);
}

static void write_long_text(struct xds_out *to)
{
    for (size_t i = 0; i < 20000; i++)
        xds_out_clean(to, XDS_S("\xe2\x82\xac"));
}

Test(html, no_character_is_split_where_the_buffer_ends)
{
    page_of(write_long_text);
    cr_expect_eq(strlen(text), 20000 * 3 + strlen("<p></p>\n"));
}
