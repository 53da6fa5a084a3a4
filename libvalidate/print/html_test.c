/* html_test.c - no text of the input becomes markup, and tables are whole. */
#include <criterion/criterion.h>

#include "print/inner.h"

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
    {"a\xe2\x80\xa8z", "a\xef\xbf\xbdz"},                     /* U+2028 */
    {"\xe2\x80\xae!", "\xef\xbf\xbd!"},                       /* U+202E */
    {"\xe2\x81\xa6\xe2\x81\xa9", "\xef\xbf\xbd\xef\xbf\xbd"}, /* U+2066, U+2069 */
    {"\xd8\x9c", "\xef\xbf\xbd"},                             /* U+061C */
    {"\xef\xbb\xbf", "\xef\xbf\xbd"},                         /* U+FEFF */
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
    xds_html_begin(&out, "a <title>", false);
    xds_html_end(&out, false);
    cr_expect(strstr(finish(), "content=\"default-src 'none'; style-src 'sha256-"));
    cr_expect(strstr(text, "=\'; base-uri 'none'; form-action 'none'\""));
    cr_expect(strstr(text, "<title>a &lt;title&gt;</title>"));
    cr_expect_null(strstr(text, "script"));
}

static const struct xds_html_column columns[] = {{"Name", NULL}, {"N", "number"}};

Test(html, a_table_ends_its_cells_and_rows)
{
    struct xds_html_table table;

    start();
    xds_html_table_begin(&table, &out, "What", columns, XDS_ARRAY_LEN(columns));
    for (size_t i = 0; i < 2; i++) {
        xds_html_row(&table);
        xds_html_cell(&table, NULL);
        xds_html_text(&out, XDS_S("<"));
        xds_html_cell(&table, i == 0 ? NULL : "nack");
        xds_out_u64(&out, i);
    }
    xds_html_table_end(&table);
    cr_expect(strstr(finish(), "<th scope=\"col\">Name</th>"
                               "<th scope=\"col\" class=\"number\">N</th></tr></thead>"));
    cr_expect(strstr(text, "<tr><th scope=\"row\">&lt;</th>"
                           "<td class=\"number\">0</td></tr>\n"
                           "<tr><th scope=\"row\">&lt;</th>"
                           "<td class=\"nack\">1</td></tr>\n</tbody>"));
}

static const char *steps_of(const char *page)
{
    struct xds_html_steps steps;
    struct xds_out inner;

    start();
    xds_html_steps_begin(&steps, &out);
    xds_out_init(&inner, &steps.printer);
    for (const char *c = page; *c; c++) { /* in the smallest pieces */
        xds_out_char(&inner, *c);
        cr_assert_eq(xds_out_finish(&inner), XDS_OK);
    }
    xds_html_steps_end(&steps);
    return finish();
}

Test(html, sections_become_steps)
{
    cr_expect_str_eq(steps_of("virtual host  a <b>\n"
                              "              more\n"
                              "note          one\n"
                              "note          two\n"
                              "end\n"),
                     "<dl class=\"steps\">\n"
                     "<div id=\"step-virtual-host\"><dt>virtual host</dt><dd>"
                     "<p>a &lt;b&gt;</p><p>more</p></dd></div>\n"
                     "<div id=\"step-note\"><dt>note</dt><dd>"
                     "<p>one</p><p>two</p></dd></div>\n"
                     "<div id=\"step-end\"><dt>end</dt><dd><p></p></dd></div>\n"
                     "</dl>\n");
}

Test(html, no_sections_are_an_empty_list)
{
    cr_expect_str_eq(steps_of(""), "<dl class=\"steps\">\n</dl>\n");
}
